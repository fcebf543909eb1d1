"""Read the header of an ARFF file: its attributes, and which of them are labels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from streamlab.schema import first_duplicate
from streamlab.streams._checks import few, number_in, shown
from streamlab.streams.readers._arff_text import scan_value, skip_blanks
from streamlab.streams.readers._table_columns import label_range
from streamlab.streams.readers._text import existing_file, line_blocks, stem_of
from streamlab.streams.readers.label_xml import find_label_xml, read_label_xml

__all__ = ["Attribute", "Header", "choose_labels", "read_header"]

_KEYWORD = re.compile(r"@(\w+)\s*(.*)", re.DOTALL)
_LABEL_COUNT = re.compile(r"(?<!\S)-C\s*(-?\d+)", re.IGNORECASE)
_RANGE = re.compile(r"[\[{]\s*([^,\]\s]+)\s*,\s*([^,\]\s]+)\s*[\]}]$")
_COMMENT = re.compile(r"(?:^|\s)%")


@dataclass(frozen=True)
class Attribute:
    """A column as the header declares it, and the line that does."""

    name: str
    categories: tuple[str, ...] | None
    low: float | None
    high: float | None
    line: int


@dataclass(frozen=True)
class Header:
    """What stands before the rows, and the line of ``@data``."""

    relation: str
    attributes: list[Attribute]
    data_line: int


def read_header(path: Path, encoding: str) -> Header:
    """Read the header of an ARFF file.

    Raises
    ------
    ValueError
        If it is wrong or does not end; names file and line.
    """
    relation = ""
    attributes: list[Attribute] = []
    number = 0
    for block, first in line_blocks(path, encoding):
        at = 0
        number = first - 1
        while at < len(block):
            stop = block.index(b"\n", at)
            text = block[at:stop].decode().strip()
            at, number = stop + 1, number + 1
            if not text or text.startswith("%"):
                continue
            match = _KEYWORD.match(text)
            keyword, rest = (match[1].lower(), match[2]) if match else ("", "")
            if keyword == "relation":
                relation = scan_value(rest, 0, "")[0]
            elif keyword == "attribute":
                attributes.append(_read_attribute(rest, path, number))
            elif keyword == "data":
                if not attributes:
                    raise ValueError(f"{path}, line {number}: @data before any @attribute; expected attributes")
                return Header(relation, attributes, number)
            else:
                raise ValueError(
                    f"{path}, line {number}, column 1: expected @relation, @attribute, @data or a comment, "
                    f"found {shown(text[:40])}"
                )
    if number == 0:
        raise ValueError(f"{path}: the file is empty; expected an ARFF header")
    raise ValueError(f"{path}, line {number}: the file ends without @data")


def _read_attribute(text: str, path: Path, line: int) -> Attribute:
    if text[:1] in ("'", '"'):
        name, quoted, at = scan_value(text, 0, None)
    else:
        match = re.match(r"[^\s{]+", text)
        name, quoted, at = (match[0], True, match.end()) if match else ("", False, 0)
    kind = text[skip_blanks(text, at) :]
    if not (name and quoted and kind):
        raise ValueError(f"{path}, line {line}: expected '@attribute name type', found {shown(text[:60])}")
    low = high = None
    if kind.startswith("{"):
        categories = _read_categories(kind, path, line, name)
        return Attribute(name, categories, None, None, line)
    kind = _COMMENT.split(kind, maxsplit=1)[0].strip()
    match = re.match(r"\w+", kind)
    word = match[0].lower() if match else ""
    if word in ("string", "date", "relational"):
        raise ValueError(
            f"{path}, line {line}: the attribute {name!r} is of type {word}; expected numeric, real, integer or "
            "{nominal, values}: turn it into such columns or remove it"
        )
    if word not in ("numeric", "real", "integer"):
        raise ValueError(
            f"{path}, line {line}: the attribute {name!r} has the unknown type {kind[:40]!r}; "
            "expected numeric, real, integer or {nominal, values}"
        )
    declared = _RANGE.match(kind[len(word) :].strip())
    if declared:
        low, high = number_in(declared[1]), number_in(declared[2])
        low, high = (v if v is not None and math.isfinite(v) else None for v in (low, high))
    return Attribute(name, None, low, high, line)


def _read_categories(text: str, path: Path, line: int, name: str) -> tuple[str, ...]:
    categories: list[str] = []
    at = 1
    while True:
        value, quoted, at = scan_value(text, at, ",}")
        if at >= len(text):
            raise ValueError(f"{path}, line {line}: the categories of {name!r} do not end in '}}'")
        if value or quoted:
            categories.append(value)
        elif text[at] == "," or categories:
            raise ValueError(f"{path}, line {line}: an empty category of {name!r}; expected a value between commas")
        if text[at] == "}":
            break
        if text[at] != ",":
            raise ValueError(f"{path}, line {line}: expected ',' between the categories of {name!r}")
        at += 1
    twice = first_duplicate(categories)
    if twice is not None:
        raise ValueError(f"{path}, line {line}: the category {twice!r} of {name!r} occurs twice")
    if not categories:
        raise ValueError(f"{path}, line {line}: {name!r} has no categories; expected at least one")
    return tuple(categories)


def choose_labels(
    header: Header, path: Path, labels: int | str | Path | Sequence[str] | None
) -> tuple[list[int], dict[str, str | None] | None]:
    """Return the positions of the labels and, for a hierarchy, each label's parent by name."""
    attributes = header.attributes
    if labels is None:
        xml = find_label_xml(path)
        if xml is not None:
            return _labels_of_xml(attributes, path, xml)
        match = _LABEL_COUNT.search(header.relation)
        if match is None:
            raise ValueError(
                f"{path}: which attributes are labels? expected '-C n' in the relation's name (it is "
                f"{header.relation!r}), an XML file {stem_of(path)}.xml beside it, or labels="
            )
        return label_range(int(match[1]), len(attributes), f"{path}: -C "), None
    if isinstance(labels, (str, Path)):
        if Path(labels).suffix.lower() != ".xml":
            raise ValueError(f"labels={str(labels)!r}: expected an .xml file, a number or a list of names")
        return _labels_of_xml(attributes, path, existing_file(labels))
    if isinstance(labels, (int, np.integer)) and not isinstance(labels, bool):
        return label_range(int(labels), len(attributes), f"{path}: labels="), None
    if isinstance(labels, bool):
        raise ValueError(f"labels={labels!r}: expected an .xml file, a number or a list of names")
    return _positions(attributes, path, list(labels), "labels="), None


def _labels_of_xml(
    attributes: list[Attribute], path: Path, xml: Path
) -> tuple[list[int], dict[str, str | None] | None]:
    names, parents = read_label_xml(xml)
    chosen = _positions(attributes, path, names, str(xml))
    if all(parent == -1 for parent in parents):
        return chosen, None
    return chosen, {n: None if p == -1 else names[p] for n, p in zip(names, parents, strict=True)}


def _positions(attributes: list[Attribute], path: Path, names: Sequence[str], what: str) -> list[int]:
    found = {attribute.name: i for i, attribute in enumerate(attributes)}
    unknown = [name for name in names if name not in found]
    if unknown:
        raise ValueError(f"{what}: {path} has no attribute {few(unknown)}; expected names of its attributes")
    if not names:
        raise ValueError(f"{what}: expected at least one label")
    twice = first_duplicate(names)
    if twice is not None:
        raise ValueError(f"{what}: the label {twice!r} occurs twice")
    if len(names) == len(attributes):
        raise ValueError(f"{what}: every attribute of {path} would be a label; expected at least one feature")
    return sorted(found[name] for name in names)
