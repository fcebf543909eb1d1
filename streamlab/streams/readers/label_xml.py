"""MULAN's XML files: the names of the labels of a data set and, where they are nested, their hierarchy."""

from __future__ import annotations

import re
from pathlib import Path

from streamlab.schema import Hierarchy, first_duplicate
from streamlab.streams.readers._text import existing_file, stem_of

__all__ = ["find_label_xml", "read_hierarchy", "read_label_xml"]

_SPLIT = re.compile(r"[-_](train|training|test)$", re.IGNORECASE)


def find_label_xml(path: str | Path) -> Path | None:
    """Return the XML file beside a MULAN data file, or None.

    For ``scene-train.arff.gz`` it is ``scene-train.xml``, else ``scene.xml``.
    """
    path = Path(path)
    stem = stem_of(path)
    for name in dict.fromkeys((stem, _SPLIT.sub("", stem))):
        candidate = path.with_name(name + ".xml")
        if candidate.is_file():
            return candidate
    return None


def read_label_xml(path: str | Path) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Read the names of the labels and their parents.

    Parameters
    ----------
    path
        An XML file of ``label`` elements, each with a ``name``, perhaps nested.

    Returns
    -------
    names : tuple of str
        In the order of the file.
    parents : tuple of int
        For each name the position of its parent, -1 at the top.

    Raises
    ------
    ValueError
        If the file is missing or not such an XML file, a label has no name, or a name occurs twice; the file is named.

    References
    ----------
    http://mulan.sourceforge.net/format.html
    """
    from xml.etree import ElementTree

    path = existing_file(path)
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except ElementTree.ParseError as error:
        line, column = error.position
        raise ValueError(f"{path}, line {line}, column {column + 1}: no valid XML ({error})") from None
    names: list[str] = []
    parents: list[int] = []
    waiting = [(child, -1) for child in reversed(root)]
    while waiting:
        element, parent = waiting.pop()
        if element.tag.rpartition("}")[2] != "label":
            continue
        name = element.get("name")
        if not name:
            raise ValueError(f"{path}: label {len(names) + 1} has no name; expected <label name=...>")
        waiting.extend((child, len(names)) for child in reversed(element))
        names.append(name)
        parents.append(parent)
    if not names:
        raise ValueError(f"{path}: no <label name=...> in it; expected at least one")
    twice = first_duplicate(names)
    if twice is not None:
        raise ValueError(f"{path}: the label {twice!r} occurs twice")
    return tuple(names), tuple(parents)


def read_hierarchy(path: str | Path) -> tuple[tuple[str, ...], Hierarchy]:
    """Return the names of the labels and their hierarchy; parameters and errors as in ``read_label_xml``."""
    names, parents = read_label_xml(path)
    return names, Hierarchy(parents)
