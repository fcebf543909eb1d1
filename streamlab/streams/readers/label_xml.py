"""MULAN's XML files: the names of the labels of a data set and, where they are nested, their hierarchy."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NoReturn

from streamlab._checks import check_unique, existing_file, open_regular, shown
from streamlab.streams.limits import DEFAULT_LIMITS, LoadLimits, LoadWatch
from streamlab.streams.readers._text import stem_of

MOST_XML = 100
"""Files of a folder that are looked at."""
_SPLIT = re.compile(r"[-_](train|training|test)$", re.IGNORECASE)


def find_label_xml(path: str | Path) -> Path | None:
    """Return the XML file beside a MULAN data file, or None.

    For ``scene-train.arff.gz`` it is ``scene-train.xml``, else ``scene.xml``; the suffix may be in capitals.
    """
    path = Path(path)
    stem = stem_of(path)
    for name in dict.fromkeys((stem, _SPLIT.sub("", stem))):
        for suffix in (".xml", ".XML", ".Xml"):
            candidate = path.with_name(name + suffix)
            if os.path.isfile(candidate):  # False, no OSError, where the name is too long
                return candidate
    return None


def fitting_label_xml(path: Path, names: set[str], limits: LoadLimits) -> Path | None:
    """Return the one XML file in the folder whose labels are all among these names; None if there is none, or several.

    A part of a set may be called anything: ``yeast-fold3.arff`` has its labels in ``yeast.xml``.
    """
    fitting = []
    for candidate in sorted(path.parent.glob("*.[xX][mM][lL]"))[:MOST_XML]:
        try:
            labels, _ = read_label_xml(candidate, limits)
        except ValueError:
            continue
        if set(labels) <= names:
            fitting.append(candidate)
    return fitting[0] if len(fitting) == 1 else None


def read_label_xml(path: str | Path, limits: LoadLimits | None = None) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Read the names of the labels and their parents.

    Parameters
    ----------
    path
        An XML file of ``label`` elements, each with a ``name``, perhaps nested.
    limits
        ``labels`` and ``names_bytes`` hold; default ``LoadLimits()``.

    Returns
    -------
    names : tuple of str
        In the order of the file.
    parents : tuple of int
        For each name the position of its parent, -1 at the top.

    Raises
    ------
    ValueError
        If the file is missing or not such an XML file, is written in an encoding that the parser does not know,
        declares entities, a label has no name, a name occurs twice, or a limit is passed; the file is named.

    References
    ----------
    http://mulan.sourceforge.net/format.html
    """
    from xml.parsers import expat

    path = existing_file(path)
    limits = limits or DEFAULT_LIMITS
    watch = LoadWatch(path, limits)
    try:
        with open_regular(path) as file:
            content = file.read(limits.names_bytes + 1)
    except OSError as error:
        raise ValueError(f"{path}: the file cannot be read ({error.strerror or error})") from None
    watch.count("names_bytes", len(content), str(path), "bytes and more")
    names: list[str] = []
    parents: list[int] = []
    open_elements: list[int | None] = []  # the label's position, -1: the root, None: another
    parser = expat.ParserCreate(namespace_separator="}")

    def refuse(what: str) -> NoReturn:
        raise _RefusedError(f"{path}, line {parser.CurrentLineNumber}: {what}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        above = open_elements[-1] if open_elements else -1
        if not open_elements or above is None or tag.rpartition("}")[2] != "label":
            # elements within others than labels do not count
            open_elements.append(None if open_elements else -1)
            return
        if not attributes.get("name"):
            refuse(f"label {len(names) + 1} has no name; expected <label name=...>")
        if len(names) == limits.labels:
            refuse(str(watch.over("labels", "the file", f"more than {len(names):,} labels")))
        open_elements.append(len(names))
        names.append(attributes["name"])
        parents.append(above)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_elements.pop()
    # without entities a file cannot grow while it is read
    parser.EntityDeclHandler = lambda name, *rest: refuse(
        f"it declares the entity {shown(name)}; expected a file without entities"
    )
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise ValueError(f"{path}, line {error.lineno}, column {error.offset + 1}: no valid XML ({what})") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, _RefusedError):
            raise
        what = f"its encoding cannot be read ({shown(str(error))[1:-1]}); expected UTF-8"
        raise ValueError(f"{path}, line 1: {what}") from None
    if not names:
        raise ValueError(f"{path}: no <label name=...> in it; expected at least one")
    check_unique(f"{path}: the label", names)
    return tuple(names), tuple(parents)


class _RefusedError(ValueError):
    """Raised for labels that are wrong in a file that is valid XML."""
