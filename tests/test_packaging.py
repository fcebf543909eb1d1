"""What is installed: the two lists of dependencies say the same, and the core needs no screen library."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import streamlab
import streamlab.learners
import streamlab.streams
from streamlab.plugins import Registry
from tests.test_docstrings import listed

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LAZY = [streamlab, streamlab.learners, streamlab.streams]
OFFERING = ["streamlab", *(f"streamlab.{name}" for name in ("detectors", "lab", "learners"))]
OFFERING += [f"streamlab.{name}" for name in ("measures", "rivals", "streams", "study", "testing")]

# what draws, and what draws it in a notebook
SCREEN = (
    "panel",
    "panel_material_ui",
    "bokeh",
    "jupyter_bokeh",
    "IPython",
    "matplotlib",
    "psutil",
)
BLOCK = f"""
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {SCREEN!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Block())
"""


OF_CONDA_FORGE = {
    "playwright-python": "playwright",  # its ``playwright`` is the program for Node
    "python-confluent-kafka": "confluent-kafka",
    "redis-py": "redis",
}
"""What is called otherwise there."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def conda_dependencies() -> tuple[dict[str, str], list[str]]:
    """Name to bounds of environment.yml, and what pip installs; the file is simple enough to be read by lines."""
    bounds, by_pip = {}, []
    inside = False
    for line in (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines():
        entry = re.fullmatch(r"(\s+)- (.+)", line)
        inside = inside or line == "dependencies:"
        if not inside or entry is None:
            continue
        if len(entry[1]) > 2:
            by_pip.append(entry[2])
        elif entry[2] != "pip:":
            name, spec = re.fullmatch(r"([\w.-]+)(.*)", entry[2]).groups()
            assert name not in OF_CONDA_FORGE.values(), f"{name} is another package on conda-forge"
            name = canonical(OF_CONDA_FORGE.get(name, name))
            assert name not in bounds, f"{name} is listed twice"
            bounds[name] = canonical_bounds(spec)
    return bounds, by_pip


def canonical_bounds(spec: str) -> str:
    return ",".join(sorted(part for part in spec.replace(" ", "").split(",") if part))


def pip_dependencies() -> dict[str, str]:
    """Name to bounds of pyproject.toml, all extras included."""
    bounds = {"python": canonical_bounds(PROJECT["requires-python"])}
    for text in (*PROJECT["dependencies"], *(text for extra in EXTRAS.values() for text in extra)):
        requirement = Requirement(text)
        if requirement.name == "streamlab":
            assert requirement.extras <= set(EXTRAS)
            continue
        spec = canonical_bounds(str(requirement.specifier))
        assert bounds.setdefault(canonical(requirement.name), spec) == spec, f"{requirement.name} has two bounds"
    return bounds


def test_environment_and_pyproject_are_in_step():
    conda, by_pip = conda_dependencies()
    assert conda.pop("pip") == ""
    assert by_pip.pop() == "--editable ."
    named = [Requirement(text) for text in by_pip]
    conda |= {canonical(each.name): canonical_bounds(str(each.specifier)) for each in named}
    assert conda == pip_dependencies()


def test_every_dependency_has_a_lower_bound():
    for name, spec in pip_dependencies().items():
        assert ">=" in spec, name


def test_extras():
    assert set(EXTRAS) == {"app", "docs", "movies", "notebook", "peers", "study", "test"}
    assert "streamlab[movies]" in EXTRAS["app"], "the monitor offers the films"
    assert "streamlab[app]" in EXTRAS["notebook"]
    core = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert not core & {"panel", "panel-material-ui", "bokeh", "bokeh_sampledata", "matplotlib", "psutil"}


def test_supported_pythons_are_those_classified():
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={classified[0]},<3.{int(classified[-1].split('.')[1]) + 1}"


def test_the_readme_has_its_two_commands():
    blocks = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
    assert blocks[0] == 'pip install -e ".[app]" && streamlab monitor\n'
    assert blocks[1] == 'pip install -e ".[test]" && pytest\n'


def declared(package: ModuleType) -> tuple[dict[str, str], list[str] | None]:
    """Return the home of each name that a type checker finds in a package, and what it reads in ``__all__``."""
    init = Path(package.__file__)
    stub = init.with_suffix(".pyi")
    tree = ast.parse((stub if stub.is_file() else init).read_text(encoding="utf-8"))
    homes = {
        alias.name: f"{package.__name__}.{node.module}" if node.level else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    lists = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    ]
    return homes, lists[0] if lists else None


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_editors_see_the_types_of_what_is_imported_on_first_use(package):
    homes, listed = declared(package)
    names = set(package.__all__) - {"__version__"}
    assert len(names) > 20
    assert names <= set(homes)
    assert set(dir(package)) <= set(package.__all__)
    assert listed is None or sorted(listed) == sorted(package.__all__)
    for name in names:
        assert getattr(package, name) is getattr(importlib.import_module(homes[name]), name), name
    with pytest.raises(AttributeError, match="nonsense"):
        package.nonsense  # noqa: B018


@pytest.mark.parametrize("package", [streamlab, streamlab.learners], ids=lambda package: package.__name__)
def test_a_stub_names_nothing_else(package):
    assert set(declared(package)[0]) == set(package.__all__) - {"__version__"}


def public() -> set[tuple[str, int]]:
    """Return name and identity of all that users are offered: by the reference, a package, an entry point, a page."""
    named = [*listed(), *((package, name) for package in OFFERING for name in importlib.import_module(package).__all__)]
    groups = [PROJECT["scripts"], *PROJECT["entry-points"].values()]
    named += [tuple(home.split(":")) for group in groups for home in group.values() if ":" in home]
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "apps").glob("*.py")]
    for page in pages:
        for module, names in re.findall(r"from (streamlab[\w.]*) import ([\w, ]+)", page.read_text(encoding="utf-8")):
            named += [(module, name.split(" as ")[0].strip()) for name in names.split(",")]
    return {(name, id(getattr(importlib.import_module(module), name, None))) for module, name in named}


def test_all_lists_what_users_are_offered_and_nothing_else():
    offered, contributing = public(), (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "streamlab").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if "__all__ =" not in path.read_text(encoding="utf-8") or module.rpartition(".")[2].startswith("_"):
            continue
        found = importlib.import_module(module)
        for name in found.__all__:
            thing = getattr(found, name)
            registered = isinstance(thing, Registry) or f"`{name}` in `" in contributing
            assert registered or (name, id(thing)) in offered, f"{module}.{name}"


def test_types_are_installed():
    assert (ROOT / "streamlab" / "py.typed").is_file()
    assert re.match(r"\d+\.\d+", streamlab.__version__)


def test_what_contributing_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(streamlab/[^`]+)`", text, re.MULTILINE)
    assert "streamlab/lab/" in named
    for name in named:
        path = ROOT / name
        assert path.is_dir() if name.endswith("/") else path.is_file(), name


def run_blocked(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", BLOCK + code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_block_blocks():
    for name in SCREEN[:3]:
        with pytest.raises(AssertionError, match=f"No module named '{name}'"):
            run_blocked(f"import {name}")


def test_the_core_works_without_a_screen_library_and_what_needs_one_says_so():
    out = run_blocked(
        """
import streamlab as sl

for name in sl.__all__:
    getattr(sl, name)
result = sl.prequential(sl.load("yeast"), {"SMART": sl.SMART(seed=1), "none": sl.NoChange()}, n=300, progress=True)
player = sl.Player(sl.Run("yeast", sl.NoChange()))
player.step().result(10)
player.close()
print(len(result.curves))
for draw in (result.plot, result.run.view):
    try:
        draw()
    except ImportError as error:
        print(error)
sys.argv = ["streamlab", "monitor"]
from streamlab.cli import main
try:
    main()
except SystemExit as end:
    print(end.code)
"""
    )
    n_points, plot, view, code = out.splitlines()
    assert (n_points, code) == ("6", "2")
    assert "streamlab[notebook]" in plot
    assert "streamlab[notebook]" in view


def test_the_command_works_without_a_screen_library():
    out = run_blocked(
        """
sys.argv = ["streamlab", "streams"]
from streamlab.cli import main
main()
"""
    )
    assert "yeast-rotated" in out
