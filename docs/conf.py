"""How the site is built: ``python -m sphinx -W --keep-going -b html docs build/html``, from the installed package.

No page asks another address: fonts and scripts are the theme's own, formulas are MathML, notebooks are shown with their
stored outputs and never executed.
"""

from __future__ import annotations

import inspect
import json
import shutil
from importlib.metadata import metadata, version
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx.transforms import SphinxTransform

HERE = Path(__file__).parent
ROOT = HERE.parent

project = "streamlab"
release = version = version("streamlab")
author = "The streamlab developers"
copyright = author
html_title = f"streamlab {release}"
html_short_title = "streamlab"
description = metadata("streamlab")["Summary"]

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "**.ipynb_checkpoints"]
root_doc = "index"

# pages: Markdown and notebooks
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # the default fetches scripts from another address
html_math_renderer = "mathml"

# reference: docstrings in numpy's style
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # docstrings say what is expected
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
suppress_warnings = ["ref.python"]  # a word of a docstring such as n_labels that is the name of several attributes
# a reference inside the package leads somewhere, or the build says so; those of other packages are names
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(collections|inspect|numpy|pandas|pathlib|pd|river|scipy|typing)\..*"),
    ("py:exc", "NotFittedError"),
    ("py:class", r"streamlab\..*\.(Layout|Limits|Named|NumberedFeatures|Rule)"),  # not public
    ("py:class", "JoinReader"),  # nor this
]
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False

# the theme, with nothing from elsewhere
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_favicon = "_static/mark.svg"
html_context = {"default_mode": "auto"}
html_css_files = ["site.css"]
html_js_files = [("replay.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]
html_show_sourcelink = False
html_copy_source = False
html_sidebars: dict[str, list[str]] = {page: [] for page in ("index", "gallery", "changelog", "search")}
html_theme_options: dict[str, Any] = {
    "logo": {"text": "streamlab"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "back_to_top_button": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


class Variants(SphinxTransform):
    """Beside ``x.png`` show ``x-dark.png`` in the dark theme, and beside ``x.svg`` ``x-narrow.svg`` on a phone.

    A page names the plain file alone, which is what other readers of Markdown show. site.css chooses.
    """

    default_priority = 200

    def apply(self, **_: Any) -> None:
        here = Path(self.document["source"]).parent
        for image in list(self.document.findall(nodes.image)):
            plain = Path(image["uri"])
            for ending, shown, instead in (("dark", "only-light", "only-dark"), ("narrow", "only-wide", "only-narrow")):
                variant = plain.with_stem(f"{plain.stem}-{ending}")
                if "://" not in image["uri"] and (here / variant).is_file():
                    other = image.deepcopy()
                    other["uri"] = variant.as_posix()
                    for each, of in ((image, shown), (other, instead)):
                        each["classes"] = [*each["classes"], of]
                        each["loading"] = "lazy"  # a browser does not fetch what it does not show
                    image.parent.insert(image.parent.index(image) + 1, other)


def copy_notebooks(*_: Any) -> None:
    """Copy the notebooks beside the pages, as the site reads nothing outside its folder."""
    folder = HERE / "notebooks"
    folder.mkdir(exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        book = json.loads(path.read_text(encoding="utf-8"))
        book["metadata"].pop("widgets", None)  # progress bars that need scripts from another address
        text = json.dumps(book, ensure_ascii=False, indent=1).replace("](../docs/", "](../")
        target = folder / path.name
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def copy_replays(app: Any, exception: Exception | None) -> None:
    """Copy the replays, pages of their own, to the same places in the site."""
    if exception is None and app.builder.format == "html":
        for path in HERE.rglob("replays/*.html"):
            target = Path(app.outdir) / path.relative_to(HERE)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def visit_math(writer: Any, node: nodes.math) -> None:
    """Write a formula in a line as MathML, which browsers draw without a script."""
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_math_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own as MathML."""
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def whole_sentence(self: NumpyDocstring) -> tuple[str, list[str]]:
    """Read an attribute's docstring as text: napoleon takes what stands before a colon for its type."""
    lines = [self._lines.next(), *self._dedent(self._consume_to_end())]
    return "", type(self)(lines, self._config).lines()


def sign(_: Any, what: str, __: str, thing: Any, ___: Any, signature: str | None, ____: Any) -> tuple[str, str] | None:
    """Sign a class by its ``__init__``: the metaclass of the estimators would sign it ``(*args, **kwargs)``."""
    if what != "class" or signature is None or "*args" not in signature:
        return None
    parameters = list(inspect.signature(thing.__init__).parameters.values())[1:]
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    return str(inspect.Signature(plain)), ""


def setup(app: Any) -> None:
    """Connect what this file adds."""
    NumpyDocstring._consume_inline_attribute = whole_sentence
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("autodoc-process-signature", sign)
    app.add_transform(Variants)
    app.connect("config-inited", copy_notebooks)
    app.connect("build-finished", copy_replays)
