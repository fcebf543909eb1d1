"""Data files gone wrong, each reproducible from its format, its number and a seed.

The first mutants of a format are its structural ones, one after the other: sizes that a header claims, lines without an
end, bombs. The rest are bytes of a sound file changed at random. Each is a folder's content: the file to open, and what
must lie beside it.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np

__all__ = ["FORMATS", "SOUND", "Mutant", "mutant", "structural"]

GIB = 1 << 30
SOUND = -1
"""The number of the file that nothing was done to."""
TOKENS = (
    b"nan", b"inf", b"-inf", b"1e400", b"1e-400", b"5e-324", b"-0", b"1000000000", b"-1", b"2", b"?", b"", b"\0",
    b"\xff\xfe", b"\xef\xbb\xbf", b"'", b'"', b"\\", b"{", b"}", b",", b";", b":", b" ", b"\t", b"\r", b"\n", b"%",
    b"@data\n", b"@attribute y {0,1}\n", b"@relation", b"-C 5", b"<label>", b"</label>", b"&lt;", b"&x;", b"<!--",
    "é".encode(), "\u202e".encode(), b"\xed\xa0\x80", b"9" * 400, b"9" * 4300, b"0x10", b"1_000", "１".encode(),
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """Files by their names, which of them is opened, how, and what was done."""

    files: dict[str, bytes]
    open: str
    options: dict[str, Any] = field(default_factory=dict)
    story: str = ""


# ---------------------------------------------------------------------- sound files


def _rows(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.random((n, 4)).round(3)
    return X, (X[:, :3] > 0.5).astype(int)


def _arff(relation: str) -> bytes:
    X, Y = _rows()
    lines = [f"@relation '{relation}'", ""]
    lines += [f"@attribute l{i} {{0,1}}" for i in range(3)]
    lines += [
        "@attribute x0 numeric",
        "@attribute 'x 1' real",
        "@attribute x2 {red,green,'light blue'}",
        "@attribute x3 integer",
    ]
    lines += ["", "@data", "% a comment"]
    words = ("red", "green", "'light blue'")
    for i, (x, y) in enumerate(zip(X, Y, strict=True)):
        cells = [*map(str, y), str(x[0]), "?" if i % 7 == 0 else str(x[1]), words[int(x[2] * 3)], str(int(x[3] * 9))]
        if i % 3:
            lines.append(",".join(cells))
        else:
            lines.append("{" + ", ".join(f"{j} {cell}" for j, cell in enumerate(cells) if cell != "0") + "}")
    return "\n".join(lines).encode() + b"\n"


def _xml() -> bytes:
    return (
        b'<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
        b'<label name="l0"><label name="l1"></label></label>\n<label name="l2"/>\n</labels>\n'
    )


def _csv() -> bytes:
    X, Y = _rows()
    words = ("red", "green", '"light, blue"')
    lines = ["a,b,colour,l0,l1,l2"]
    lines += [f"{x[0]},{x[1]},{words[int(x[2] * 3)]},{','.join(map(str, y))}" for x, y in zip(X, Y, strict=True)]
    return "\n".join(lines).encode() + b"\n"


def _svm() -> bytes:
    X, Y = _rows()
    lines = [
        ",".join(str(k + 1) for k in np.flatnonzero(y)) + " " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x))
        for x, y in zip(X, Y, strict=True)
    ]
    return "\n".join(lines).encode() + b"\n"


def _table(n: int = 60) -> Any:
    import pyarrow as pa

    X, Y = _rows(n)
    columns = {"a": X[:, 0], "b": X[:, 1], "word": [("red", "green", "blue")[int(v * 3)] for v in X[:, 2]]}
    columns |= {f"l{k}": Y[:, k].astype(bool) for k in range(3)}
    return pa.table(columns)


def _parquet(table: Any = None, **options: Any) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(_table() if table is None else table, sink, **options)
    return sink.getvalue()


# ---------------------------------------------------------------------- structural mutants


def _bomb(head: bytes, byte: bytes) -> bytes:
    """A gzip of about 1 MB that unpacks to ``head`` and a line of 1 GiB."""
    member = gzip.compress(byte * (16 << 20), 9)
    return gzip.compress(head) + member * (GIB // (16 << 20)) + gzip.compress(b"\n")


DIGITS = "9" * 4301
Shape = tuple[str, Callable[[], bytes]]


def _of_svm() -> list[Shape]:
    body = _svm().decode()
    return [
        ("feature 10^9", lambda: b"1 1000000000:1\n"),
        ("feature 2^63", lambda: b"1 9223372036854775808:1\n"),
        ("label 10^9", lambda: b"1000000000 1:1\n"),
        ("label 2^63", lambda: b"9223372036854775808 1:1\n"),
        ("header of three numbers, features", lambda: b"1 1000000000 3\n0 0:1\n"),
        ("header of three numbers, labels", lambda: b"1 3 1000000000\n0 0:1\n"),
        ("header of three numbers, rows", lambda: b"1000000000000 3 3\n0 0:1\n"),
        ("a feature of 4,301 digits", lambda: f"1 {DIGITS}:1\n".encode()),
        ("a label of 4,301 digits", lambda: f"{DIGITS} 1:1\n".encode()),
        ("a value of 4,301 digits", lambda: f"1 1:{DIGITS}\n".encode()),
        ("a line of 64 MB without a blank", lambda: b"1" * (64 << 20)),
        ("two million pairs in a line", lambda: b"1 " + b" ".join(b"%d:1" % i for i in range(1, 2_000_001))),
        ("a million labels in a line", lambda: b",".join(b"%d" % i for i in range(1, 1_000_001)) + b" 1:1\n"),
        ("features far apart", lambda: b"".join(b"1 %d:1\n" % (i * 1000) for i in range(1, 20_000))),
        ("negative numbers", lambda: b"-1 -1:1\n"),
        ("a lone colon", lambda: b"1 :\n1 1:\n1 :1\n"),
        ("NUL bytes", lambda: body.replace(" ", "\0").encode()),
        ("UTF-16", lambda: body.encode("utf-16")),
        ("empty", lambda: b""),
        ("blank lines alone", lambda: b"\n" * 1_000_000),
    ]


def _of_csv() -> list[Shape]:
    body = _csv().decode()
    many = ",".join(f"c{i}" for i in range(300_000))
    return [
        ("300,000 columns", lambda: (many + "\n" + ",".join("1" * 300_000) + "\n").encode()),
        ("a header of 64 MB", lambda: b"a" * (64 << 20) + b"\n"),
        ("a cell of 64 MB", lambda: body.encode() + b"1" * (64 << 20) + b",1,red,0,0,0\n"),
        ("a quote that does not end", lambda: body.encode() + b'"' + b"x\n" * (8 << 20)),
        ("a number of 4,301 digits", lambda: body.encode() + f"{DIGITS},1,red,0,0,0\n".encode()),
        ("a label of 4,301 digits", lambda: body.encode() + f"1,1,red,{DIGITS},0,0\n".encode()),
        (
            "999 words of 100 kB",
            lambda: body.encode() + b"".join(b"1,1,%d%s,0,0,0\n" % (i, b"w" * 100_000) for i in range(990)),
        ),
        ("ragged rows", lambda: body.encode() + b"1\n1,2\n1,2,3,4,5,6,7\n"),
        ("names that stand twice", lambda: body.encode().replace(b"l1", b"l0")),
        ("empty names", lambda: body.encode().replace(b"a,b,colour", b",,")),
        ("a name of 5,000 characters", lambda: body.encode().replace(b"colour", b"<b>" * 1667)),
        ("NUL bytes", lambda: body.replace("red", "\0").encode()),
        ("UTF-16", lambda: body.encode("utf-16")),
        ("Latin-1", lambda: body.replace("red", "é").encode("latin-1")),
        ("denormals and 1e308", lambda: body.encode() + b"5e-324,1.7e308,red,0,0,0\n"),
        ("the header alone", lambda: body.encode().partition(b"\n")[0]),
        ("empty", lambda: b""),
        ("carriage returns alone", lambda: body.replace("\n", "\r").encode()),
    ]


def _of_arff(relation: str) -> list[Shape]:
    body = _arff(relation).decode()
    head, _, _ = body.partition("@data")
    return [
        ("-C 10^9", lambda: body.replace(relation, "r: -C 1000000000").encode()),
        ("-C of 4,301 digits", lambda: body.replace(relation, f"r: -C {DIGITS}").encode()),
        ("-C -2^63", lambda: body.replace(relation, "r: -C -9223372036854775808").encode()),
        ("a sparse index of 10^9", lambda: (body + "{1000000000 1}\n").encode()),
        ("a sparse index of 4,301 digits", lambda: (body + f"{{{DIGITS} 1}}\n").encode()),
        ("a negative sparse index", lambda: (body + "{-1 1}\n").encode()),
        ("a value of 4,301 digits", lambda: (body + f"0,0,0,{DIGITS},1,red,1\n").encode()),
        ("a label of 4,301 digits", lambda: (body + f"{DIGITS},0,0,1,1,red,1\n").encode()),
        (
            "a million categories",
            lambda: body.replace("red,green", ",".join(f"c{i}" for i in range(1_000_000))).encode(),
        ),
        (
            "200,000 attributes",
            lambda: (head + "".join(f"@attribute z{i} real\n" for i in range(200_000)) + "@data\n{0 1}\n").encode(),
        ),
        ("a category of 64 MB", lambda: body.replace("red", "r" * (64 << 20)).encode()),
        ("a row of 64 MB", lambda: (body + "1" * (64 << 20)).encode()),
        ("a header line of 64 MB", lambda: (" " * (64 << 20) + body).encode()),
        ("braces that nest", lambda: body.replace("{red", "{" * 100_000 + "red").encode()),
        ("rows of braces", lambda: (body + "{" * 100_000 + "\n").encode()),
        ("a quote that does not end", lambda: (body + "'" + "x\n" * 100_000).encode()),
        ("backslashes", lambda: (body + "0,0,0,1,1,'" + "\\" * 1_000_001 + "',1\n").encode()),
        ("escapes of characters that are none", lambda: body.replace("red", "'\\uD800\\u{110000}'").encode()),
        ("dates and relations", lambda: body.replace("integer", "date 'yyyy'").encode()),
        ("an attribute's name that is there twice", lambda: body.replace("x3", "x0").encode()),
        ("a name of 5,000 characters", lambda: body.replace("x3", "<i>" * 1667).encode()),
        ("no @data", lambda: head.encode()),
        ("no rows", lambda: (head + "@data\n").encode()),
        ("@data first", lambda: ("@data\n" + body).encode()),
        ("no relation", lambda: body.partition("\n")[2].encode()),
        ("NUL bytes", lambda: body.replace(",", "\0").encode()),
        ("UTF-16", lambda: body.encode("utf-16")),
        ("Latin-1", lambda: body.replace("red", "é").encode("latin-1")),
        ("denormals and 1e308", lambda: (body + "0,0,0,5e-324,1.7e308,red,1\n").encode()),
        ("empty", lambda: b""),
    ]


def _of_xml() -> list[Shape]:
    body = _xml().decode()
    bomb = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">' for i in range(12))
    nested = '<label name="{}">'
    long = "a" * 100_000
    outside = b'<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    return [
        ("nested entities", lambda: f'<!DOCTYPE l [{bomb}]><labels><label name="&e11;"/></labels>'.encode()),
        ("nested entities in the text", lambda: f"<!DOCTYPE l [{bomb}]><labels>&e11;</labels>".encode()),
        ("an entity without an end", lambda: b'<!DOCTYPE l [<!ENTITY a "&a;">]><labels><label name="&a;"/></labels>'),
        (
            "one large entity, used often",
            lambda: f'<!DOCTYPE l [<!ENTITY a "{long}">]><labels><label name="{"&a;" * 50_000}"/></labels>'.encode(),
        ),
        ("a file outside", lambda: outside + b'<labels><label name="l0"/>&a;</labels>'),
        ("unknown encoding", lambda: body.replace("utf-8", "klingon").encode()),
        ("an encoding of several bytes", lambda: body.replace("utf-8", "euc-jp").encode()),
        ("UTF-7", lambda: body.replace("utf-8", "utf-7").encode("utf-7")),
        ("an encoding that is no text", lambda: body.replace("utf-8", "zip").encode()),
        ("UTF-16", lambda: body.replace("utf-8", "utf-16").encode("utf-16")),
        ("UTF-32", lambda: body.replace("utf-8", "utf-32").encode("utf-32")),
        (
            "100,000 labels in each other",
            lambda: (
                "<labels>" + "".join(nested.format(i) for i in range(100_000)) + "</label>" * 100_000 + "</labels>"
            ).encode(),
        ),
        (
            "500,000 labels",
            lambda: ("<labels>" + "".join(f'<label name="{i}"/>' for i in range(500_000)) + "</labels>").encode(),
        ),
        ("a name of 300 characters", lambda: body.replace("l0", "l" * 300).encode()),
        ("a name of 64 MB", lambda: body.replace("l0", "l" * (64 << 20)).encode()),
        ("a name that is there twice", lambda: body.replace("l1", "l0").encode()),
        ("no name", lambda: body.replace("name", "id").encode()),
        ("no labels", lambda: b"<labels/>"),
        (
            "a hundred thousand attributes",
            lambda: ("<labels " + " ".join(f'a{i}="1"' for i in range(100_000)) + "/>").encode(),
        ),
        ("NUL bytes", lambda: body.replace("l0", "\0").encode()),
        ("empty", lambda: b""),
    ]


def _repeated(n: int, columns: int, **options: Any) -> bytes:
    """Rows of False, in groups as large as Parquet's writer makes them on request."""
    import pyarrow as pa

    nothing = pa.Array.from_buffers(pa.bool_(), n, [None, pa.py_buffer(bytes(n // 8 + 1))])
    table = pa.table({f"c{i}": nothing for i in range(columns)})
    return _parquet(table, row_group_size=n, compression="zstd", **options)


def _long_strings(size: int, n: int, compression: str) -> bytes:
    import pyarrow as pa

    table = pa.table({"word": pa.array(["a" * size] * n), "l0": [True] * n})
    return _parquet(table, compression=compression)


def _as_parquet(columns: dict[str, Any]) -> bytes:
    import pyarrow as pa

    return _parquet(pa.table(columns))


def _of_parquet() -> list[Shape]:
    def arrow() -> Any:
        import pyarrow

        return pyarrow

    return [
        ("10^8 rows in a group", lambda: _repeated(100_000_000, 4)),
        ("10^7 rows in a group, dictionary and plain", lambda: _repeated(10_000_000, 4, use_dictionary=False)),
        ("256 MiB of text in 8 kB", lambda: _long_strings(256 << 20, 1, "zstd")),
        ("256 MiB of text in 256 cells", lambda: _long_strings(1 << 20, 256, "zstd")),
        ("256 MiB of text, brotli", lambda: _long_strings(256 << 20, 1, "brotli")),
        ("10,000 columns", lambda: _as_parquet({f"c{i}": [0.0] for i in range(10_000)})),
        ("lists", lambda: _as_parquet({"a": [[1.0], [2.0]], "l0": [True, False]})),
        ("lists in lists", lambda: _as_parquet({"a": arrow().array([[[[[1.0]]]]]), "l0": [True]})),
        (
            "decimals, times and bytes",
            lambda: _as_parquet(
                {"a": arrow().array([1, 2], arrow().timestamp("ns")), "b": [b"\0", b"\1"], "l0": [True, False]}
            ),
        ),
        ("decimals of 76 digits", lambda: _as_parquet({"a": arrow().array([Decimal(10) ** 70]), "l0": [True]})),
        (
            "uint64 and float16",
            lambda: _as_parquet(
                {"a": arrow().array([2**64 - 1], arrow().uint64()), "b": arrow().array([np.float16(1)]), "l0": [True]}
            ),
        ),
        ("nothing but nulls", lambda: _as_parquet({"a": arrow().nulls(5), "l0": arrow().nulls(5)})),
        ("labels that are missing", lambda: _as_parquet({"a": [1.0, 2.0], "l0": [True, None]})),
        ("infinite values", lambda: _as_parquet({"a": [np.inf, -np.inf], "l0": [True, False]})),
        ("2,000 words", lambda: _as_parquet({"a": [f"w{i}" for i in range(2000)], "l0": [True] * 2000})),
        ("a name of 5,000 characters", lambda: _as_parquet({"<b>" * 1667: [1.0], "l0": [True]})),
        ("NUL in a name", lambda: _as_parquet({"a\0b": [1.0], "l0": [True]})),
        ("no rows", lambda: _parquet(_table().slice(0, 0))),
        ("no columns", lambda: _as_parquet({})),
        ("the magic number alone", lambda: b"PAR1PAR1"),
        ("a footer of 2 GiB", lambda: _parquet()[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1"),
        ("empty", lambda: b""),
    ]


# ---------------------------------------------------------------------- formats


@dataclass(frozen=True)
class Format:
    """A kind of file: what is mutated, what lies beside it, and what is opened how."""

    mutated: str
    sound: Callable[[], bytes]
    shapes: Callable[[], list[Shape]]
    beside: tuple[tuple[str, Callable[[], bytes]], ...] = ()
    open: str = ""
    options: tuple[tuple[str, Any], ...] = ()


MEKA, MULAN = "r: -C 3", "r"
LABELS = (("labels", -1),)
_PLAIN: dict[str, Format] = {
    "meka": Format("m.arff", lambda: _arff(MEKA), lambda: _of_arff(MEKA)),
    "mulan": Format("m.arff", lambda: _arff(MULAN), lambda: _of_arff(MULAN), (("m.xml", _xml),)),
    "xml": Format("m.xml", _xml, _of_xml, (("m.arff", lambda: _arff(MULAN)),), "m.arff"),
    "csv": Format("m.csv", _csv, _of_csv, options=LABELS),
    "svm": Format("m.svm", _svm, _of_svm),
    "parquet": Format("m.parquet", _parquet, _of_parquet, options=LABELS),
}
PACKED = ("meka", "mulan", "csv", "svm")
"""Formats that are also read packed by gzip."""
SLAB = "slab"
"""Archives of a run."""
FORMATS: tuple[str, ...] = (*_PLAIN, *(f"{name}.gz" for name in PACKED), SLAB)


@cache
def _sound(name: str) -> bytes:
    return _PLAIN[name].sound()


@cache
def _shapes(name: str) -> tuple[Shape, ...]:
    if name == SLAB:
        from tests.fuzz.slab_mutants import shapes as of_slab

        return tuple(of_slab())
    plain, _, packed = name.partition(".")
    shapes = _PLAIN[plain].shapes()
    if not packed:
        return tuple(shapes)
    sound = _sound(plain)
    head = {"csv": b"a,b,colour,l0,l1,l2\n"}.get(plain, b"")
    return (
        ("1 MB that holds a line of 1 GiB, first", lambda: _bomb(b"", b"1")),
        ("1 MB that holds a line of 1 GiB, after the rows", lambda: _bomb(sound, b"1")),
        ("1 MB that holds 1 GiB of blank lines", lambda: _bomb(head, b"\n")),
        ("1 MB that holds 1 GiB of comments", lambda: _bomb(sound + b"%", b"%")),
        ("a gzip in a gzip", lambda: gzip.compress(gzip.compress(sound))),
        ("nothing packed", lambda: gzip.compress(b"")),
        ("not packed at all", lambda: sound),
        ("cut short", lambda: gzip.compress(sound)[:-9]),
        ("a wrong checksum", lambda: gzip.compress(sound)[:-8] + b"\0" * 8),
        ("bytes after the end", lambda: gzip.compress(sound) + b"more"),
        ("the head alone", lambda: gzip.compress(sound)[:10]),
        ("empty", lambda: b""),
    )


def structural(name: str) -> list[str]:
    """What the structural mutants of a format are called; the n-th mutant is the n-th of them."""
    return [story for story, _ in _shapes(name)]


def mutant(name: str, number: int, seed: int) -> Mutant:
    """The mutant of this number."""
    if name == SLAB:
        return _slab(number, seed)
    plain, _, packed = name.partition(".")
    kind = _PLAIN[plain]
    shapes = _shapes(name)
    if number == SOUND:
        story, content = "sound", gzip.compress(_sound(plain)) if packed else _sound(plain)
    elif number < len(shapes):
        story, make = shapes[number]
        content = make()
    else:
        rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
        content = _sound(plain)
        outside = packed and rng.random() < 0.5
        if packed and outside:
            content, story = changed(gzip.compress(content, mtime=0), rng)
            story = f"packed bytes: {story}"
        else:
            content, story = changed(content, rng)
            content = gzip.compress(content, 1, mtime=0) if packed else content
    suffix = ".gz" if packed else ""
    files = {beside: make() for beside, make in kind.beside} | {kind.mutated + suffix: content}
    return Mutant(files, (kind.open or kind.mutated) + suffix, dict(kind.options), story)


def _slab(number: int, seed: int) -> Mutant:
    from tests.fuzz.slab_mutants import rewritten, sound

    shapes = _shapes(SLAB)
    if number == SOUND:
        story, content = "sound", sound()
    elif number < len(shapes):
        story, make = shapes[number]
        content = make()
    else:
        rng = np.random.default_rng([seed, zlib.crc32(SLAB.encode()), number])
        if number % 2:
            content, story = changed(sound(), rng)
            story = f"bytes: {story}"
        else:
            content, story = rewritten(rng)
    return Mutant({"m.slab": content}, "m.slab", {}, story)


def changed(content: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    """Bytes after one to eight random changes, and what these were."""
    data = bytearray(content)
    done = []
    for _ in range(int(rng.choice((1, 1, 1, 2, 4, 8)))):
        if not data:
            break
        at = int(rng.integers(len(data)))
        size = int(min(len(data) - at, 2 ** rng.uniform(0, 8)))
        to = int(rng.integers(len(data)))
        what = str(rng.choice(["flip", "set", "token", "over", "delete", "repeat", "move", "line", "cut"]))
        piece = bytes(data[at : at + size])
        if what == "flip":
            data[at] ^= 1 << int(rng.integers(8))
        elif what == "set":
            data[at] = int(rng.integers(256))
        elif what == "token":
            data[at:at] = TOKENS[int(rng.integers(len(TOKENS)))]
        elif what == "over":
            token = TOKENS[int(rng.integers(len(TOKENS)))]
            data[at : at + len(token)] = token
        elif what == "delete":
            del data[at : at + size]
        elif what == "repeat":
            data[at:at] = piece * int(2 ** rng.uniform(0, 10))
        elif what == "move":
            data[to:to] = piece
        elif what == "line":
            begin, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
            data[begin : end if end >= 0 else len(data)] = TOKENS[int(rng.integers(len(TOKENS)))]
        elif rng.random() < 0.3:
            del data[at:]
        done.append(f"{what} at {at}")
    return bytes(data), json.dumps(done)[1:-1].replace('"', "")
