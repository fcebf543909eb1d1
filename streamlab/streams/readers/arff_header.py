"""Read the header of an ARFF file: its attributes, and which of them are labels, by MULAN's XML files too."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamlab._cells import flags_of
from streamlab._checks import check_unique, existing_file, index_in, number_in, open_regular, shown
from streamlab.streams.limits import DEFAULT_LIMITS, LoadLimits, LoadWatch
from streamlab.streams.readers._text import numbered_lines, stem_of
from streamlab.streams.tables.kinds import ColumnGuess, path_separator
from streamlab.streams.tables.roles import label_positions, label_range

_SPLIT = re.compile(r"[-_](train|training|test)$", re.IGNORECASE)


def find_label_xml(path: Path) -> Path | None:
    """Return the XML file beside a MULAN data file, or None.

    For ``scene-train.arff.gz`` it is ``scene-train.xml``, else ``scene.xml``; the suffix may be in capitals.
    """
    stem = stem_of(path)
    for name in dict.fromkeys((stem, _SPLIT.sub("", stem))):
        for suffix in (".xml", ".XML", ".Xml"):
            candidate = path.with_name(name + suffix)
            if os.path.isfile(candidate):  # False, no OSError, where the name is too long
                return candidate
    return None


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
    from xml.etree import ElementTree

    path = existing_file(path)
    limits = limits or DEFAULT_LIMITS
    watch = LoadWatch(path, limits)
    try:
        with open_regular(path) as file:
            content = file.read(limits.names_bytes + 1)
    except OSError as error:
        raise ValueError(f"{path}: the file cannot be read ({error.strerror or error})") from None
    watch.count("names_bytes", len(content), str(path), "bytes and more")
    # without entities a file cannot grow while it is read; in UTF-16 and the like there are zeros between
    if b"<!ENTITY" in content.replace(b"\0", b""):
        raise ValueError(f"{path}: it declares an entity; expected a file without entities")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise ValueError(f"{path}: no valid XML ({error})") from None
    except (LookupError, ValueError) as error:
        what = f"its encoding cannot be read ({shown(str(error))[1:-1]}); expected UTF-8"
        raise ValueError(f"{path}: {what}") from None
    names: list[str] = []
    parents: list[int] = []
    # elements within others than labels do not count
    left = [(child, -1) for child in reversed(root)]
    while left:
        element, above = left.pop()
        if element.tag.rpartition("}")[2] != "label":
            continue
        if not element.get("name"):
            raise ValueError(f"{path}: label {len(names) + 1} has no name; expected <label name=...>")
        left += [(child, len(names)) for child in reversed(element)]
        names.append(element.attrib["name"])
        parents.append(above)
        watch.count("labels", len(names), str(path), "labels")
    if not names:
        raise ValueError(f"{path}: no <label name=...> in it; expected at least one")
    check_unique(f"{path}: the label", names)
    return tuple(names), tuple(parents)


BLANKS = " \t\r"

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_QUOTED_VALUE = re.compile(r"[ \t\r]*(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")[ \t\r]*", re.DOTALL)
_PLAIN_VALUE, _PLAIN_REST = (re.compile(rf"(?:[^{ends}%]|(?<=[^ \t\r])%)*+") for ends in (",}", ""))


# what means something to a row is written as characters of a private plane within quotes
_PRIVATE = 0xF0000
_KEYS = {ord(c): chr(_PRIVATE + ord(c)) for c in ",{}%'\"\\?\n\r\t "}
_TEXTS = {_PRIVATE + c: chr(c) for c in _KEYS} | {_PRIVATE: ""}
_QUOTED = re.compile(rb"(?<![^,\s{])(?:'((?:[^'\\\n]|\\[^\n])*+)'|\"((?:[^\"\\\n]|\\[^\n])*+)\")(?=[\s,}%])")


def key_of(text: str) -> str:
    """Return a value as ``protected`` writes one that stands in quotes."""
    return text.translate(_KEYS) or chr(_PRIVATE)


def protected(rows: bytes) -> bytes:
    """Return rows without quotes; what stood in them neither separates nor is missing."""

    def plain(match: re.Match[bytes]) -> bytes:
        text = (match[2] if match[1] is None else match[1]).decode()
        # half of a pair of surrogates is no character: it stays as it is written, and is no category
        return key_of(_read(text)).encode(errors="backslashreplace")

    return _QUOTED.sub(plain, rows)


def unprotected(text: str) -> str:
    """Return a value as it was written within quotes."""
    return text.translate(_TEXTS)


def scan_value(text: str, at: int, plain: re.Pattern[str]) -> tuple[str, bool, int]:
    """Read a value from ``at``: (value, was it quoted, position after it and the blanks that follow).

    ``plain`` is the pattern of one without quotes.
    """
    match = _QUOTED_VALUE.match(text, at)
    if match is not None:
        return _read(match[1] if match[2] is None else match[2]), True, match.end()
    match = plain.match(text, at)
    assert match is not None, "a value may be empty"
    return match[0].strip(), False, match.end()


def _read(text: str) -> str:
    """Return what stands in quotes, each pair of surrogates, which Java's escapes write, as the one character it is."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescaped, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what[1:], 16)) if len(what) == 5 else _ESCAPED.get(what, what)


_KEYWORD = re.compile(r"@(\w+)\s*(.*)", re.DOTALL)
# MEKA splits options from the name at a colon, and takes their values in quotes too
_LABEL_COUNT = re.compile(r"(?:^|[\s:;,])-C[\s=:'\"]*(-?)\s*([0-9]+)", re.IGNORECASE)
_RANGE = re.compile(r"[\[{]\s*([^,\]\s]+)\s*,\s*([^,\]\s]+)\s*[\]}]$")
_COMMENT = re.compile(r"(?:^|\s)%")


@dataclass(frozen=True)
class Attribute:
    """A column as the header declares it, and the line that does.

    ``kind``: ``"string"`` … where it is no feature; ``above``: of a hierarchy the parents of each node.
    """

    name: str
    categories: tuple[str, ...] | None
    low: float | None
    high: float | None
    line: int
    kind: str = ""
    above: dict[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Header:
    """What stands before the rows, and the line of ``@data``."""

    relation: str
    attributes: list[Attribute]
    data_line: int


def read_header(path: Path, encoding: str, watch: LoadWatch) -> Header:
    """Read the header of an ARFF file.

    Raises
    ------
    ValueError
        If it is wrong, does not end or passes a limit; names file and line.
    """
    relation = ""
    attributes: list[Attribute] = []
    number = 0
    for number, line in numbered_lines(path, encoding, watch):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        match = _KEYWORD.match(text)
        keyword, rest = (match[1].lower(), match[2]) if match else ("", "")
        if keyword == "relation":
            relation = scan_value(rest, 0, _PLAIN_REST)[0]
        elif keyword == "attribute":
            attributes.append(_read_attribute(rest, path, number, watch))
            watch.all_columns(len(attributes), f"{path}, line {number}")
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


def _read_attribute(text: str, path: Path, line: int, watch: LoadWatch) -> Attribute:
    if text[:1] in ("'", '"'):
        name, quoted, at = scan_value(text, 0, _PLAIN_REST)
    else:
        match = re.match(r"[^\s{]+", text)
        name, quoted, at = (match[0], True, match.end()) if match else ("", False, 0)
    kind = text[at:].lstrip(BLANKS)
    if not (name and quoted and kind):
        raise ValueError(f"{path}, line {line}: expected '@attribute name type', found {shown(text[:60])}")
    _check_text(name, path, line)
    watch.names(len(name), f"{path}, line {line}")
    low = high = None
    if kind.startswith("{"):
        categories = _read_categories(kind, path, line, name, watch)
        return Attribute(name, categories, None, None, line)
    kind = _COMMENT.split(kind, maxsplit=1)[0].strip()
    match = re.match(r"\w+", kind)
    word = match[0].lower() if match else ""
    if word in ("string", "date", "key"):
        return Attribute(name, None, None, None, line, word)
    if word == "hierarchical":
        return Attribute(name, None, None, None, line, word, _nodes(kind[len(word) :], path, line, name, watch))
    if word not in ("numeric", "real", "integer"):
        raise ValueError(
            f"{path}, line {line}: the attribute {shown(name)} has the unknown type {shown(kind[:40])}; "
            "expected numeric, real, integer, string, date or {nominal, values}"
        )
    declared = _RANGE.match(kind[len(word) :].strip())
    if declared:
        low, high = number_in(declared[1]), number_in(declared[2])
        low, high = (v if v is not None and math.isfinite(v) else None for v in (low, high))
        if low is not None and high is not None and low > high:
            raise ValueError(
                f"{path}, line {line}: the range of {shown(name)} begins at {low} and ends at {high}; expected a range"
            )
    return Attribute(name, None, low, high, line)


def _read_categories(text: str, path: Path, line: int, name: str, watch: LoadWatch) -> tuple[str, ...]:
    categories: list[str] = []
    at = 1
    while True:
        value, quoted, at = scan_value(text, at, _PLAIN_VALUE)
        if at >= len(text):
            raise ValueError(f"{path}, line {line}: the categories of {shown(name)} do not end in '}}'")
        if value or quoted:
            categories.append(value)
            _check_text(value, path, line)
            watch.names(len(value), f"{path}, line {line}")
            watch.count("categories", len(categories), f"{path}, line {line}", f"categories of {shown(name)}")
        elif text[at] == "," or categories:
            raise ValueError(
                f"{path}, line {line}: an empty category of {shown(name)}; expected a value between commas"
            )
        if text[at] == "}":
            break
        if text[at] != ",":
            raise ValueError(f"{path}, line {line}: expected ',' between the categories of {shown(name)}")
        at += 1
    check_unique(f"{path}, line {line}: the attribute {shown(name)}: the category", categories)
    if not categories:
        raise ValueError(f"{path}, line {line}: {shown(name)} has no categories; expected at least one")
    return tuple(categories)


def _nodes(text: str, path: Path, line: int, name: str, watch: LoadWatch) -> dict[str, tuple[str, ...]]:
    """Return the parents of each node of a hierarchy as Clus writes it: a tree by paths, a graph by edges from root."""
    items = [item for each in text.split(",") if (item := each.strip().strip("'\""))]
    edges = [item.split("/") for item in items]
    above: dict[str, tuple[str, ...]] = {}
    if any(edge[0] == "root" for edge in edges) and all(len(edge) == 2 for edge in edges):
        for parent, node in edges:
            above[node] = (*above.get(node, ()), *([] if parent == "root" else [parent]))
        lost = [parent for parents in above.values() for parent in parents if parent not in above]
        if lost:
            raise ValueError(f"{path}, line {line}: {shown(lost[0])} of {shown(name)} is under no node; expected one")
    else:
        for item in items:
            parts = item.split("/")
            for i in range(1, len(parts) + 1):
                above["/".join(parts[:i])] = ("/".join(parts[: i - 1]),) if i > 1 else ()
    where = f"{path}, line {line}"
    watch.names(sum(map(len, above)), where, len(above))
    watch.count("labels", len(above), where, f"nodes of {shown(name)}")
    if not above or "" in above:
        raise ValueError(f"{where}: a node of {shown(name)} has no name; expected nodes such as 'a/b'")
    return above


def _check_text(text: str, path: Path, line: int) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{path}, line {line}: the escapes in {shown(text)} are not characters; "
            "expected '\\uD800' to '\\uDFFF' in pairs"
        ) from None


def choose_labels(
    header: Header, path: Path, labels: int | str | Path | Sequence[str] | None, watch: LoadWatch
) -> tuple[list[str], dict[str, tuple[str, ...]] | None]:
    """Return the names of the labels and, for a hierarchy, each label's parents by name."""
    names, source = [each.name for each in header.attributes], str(path)
    wanted: Any = labels
    above: dict[str, tuple[str, ...]] | None = None
    nested = [each for each in header.attributes if each.above is not None]
    xml: Path | None = None
    if labels is None:
        # MEKA's options begin behind a colon, old ones with -c; without a colon they are those of what made the file
        name, colon, options = header.relation.partition(":")
        options = options.lstrip() if colon else name
        match = _LABEL_COUNT.search(options) if options.startswith("-") else None
        xml = find_label_xml(path)
        if xml is None and match is not None:
            n = index_in(match[2]) * (-1 if match[1] else 1)
            return [names[j] for j in label_range(n, len(names), f"{path}: -C ")], None
        if xml is None and nested:
            wanted = [each.name for each in nested]
        elif xml is None:
            raise ValueError(
                f"{path}: which attributes are labels? expected '-C n' in the relation's name (it is "
                f"{shown(header.relation)}), an XML file {stem_of(path)}.xml beside it, or labels=, such as "
                f"labels={shown(names[-1])} for classes in the last attribute"
            )
    elif isinstance(labels, str) and labels in names:
        wanted = [labels]
    elif isinstance(labels, (bool, str, Path)):
        if Path(str(labels)).suffix.lower() != ".xml":
            found = shown(labels if isinstance(labels, bool) else str(labels))
            raise ValueError(f"labels={found}: expected an .xml file, an attribute, a number or a list of names")
        xml = existing_file(str(labels))
    if xml is not None:
        (wanted, parents), source = read_label_xml(xml, watch.limits), f"{path}: {xml}"
        if any(parent != -1 for parent in parents):
            above = {name: (wanted[p],) if p != -1 else () for name, p in zip(wanted, parents, strict=True)}
    chosen = [names[j] for j in label_positions(names, wanted, source)]
    own = [each for each in nested if each.name in chosen]
    if len(own) > (above is None):
        raise ValueError(f"{path}: {shown(own[-1].name)} is a second hierarchy of labels; expected one")
    return chosen, own[0].above if own else above


FEW = 6
"""Categories that are shown of an attribute."""


def declared(attribute: Attribute) -> ColumnGuess:
    """Return what an attribute is taken for."""
    categories = attribute.categories or ()
    flags = flags_of(categories)
    able: tuple[str, ...]
    role, able = "feature", ("feature", "class" if categories and flags is None else "label", "ignore")
    if attribute.above is not None:
        kind, role, able, holds = "paths", "tags", ("tags", "ignore"), f"{len(attribute.above):,} nodes of a hierarchy"
    elif attribute.kind:
        role, holds = "ignore", f"values of the type {attribute.kind}"
        kind = "texts" if attribute.kind == "string" else "others"
        able = ("ignore", *(("text", "tags", "feature", "title") if kind == "texts" else ()))
    elif categories:
        kind = "words" if flags is None else "flags"
        holds = f"{len(categories)} different words: {', '.join(categories[:FEW])}"
        able = (*able, "path") if path_separator(categories) else able
    else:
        kind, holds = "numbers", "numbers"
    return ColumnGuess(
        attribute.name,
        kind,
        role,
        f"{holds}, declared in line {attribute.line}",
        able,
        separator="@" if kind == "paths" else "",
        flags=flags or ("1", "0"),
        values=categories,
        gone=frozenset({""}),
        path=path_separator(categories) if categories else "",
    )
