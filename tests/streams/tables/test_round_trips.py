"""A table of any roles comes back equal, cell by cell, from every writing of it."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.live.columns import LiveColumn
from streamlab.live.decoding import Decoding
from tests.streams.read import rows

WORDS = st.sampled_from(["red", "dark blue", "it's", 'a "b"', "c,d", "é", "None", "e;f", "-", "g\\h"])
NUMBERS = st.one_of(st.none(), st.floats(-1e9, 1e9), st.integers(-(10**6), 10**6).map(float))
TAGS = st.lists(st.sampled_from(["a", "b", "c d", "None"]), unique=True, max_size=3)
CELLS = {"number": NUMBERS, "words": st.one_of(st.none(), WORDS), "flag": st.booleans(), "class": WORDS, "tags": TAGS}
LABELS = ("flag", "class", "tags")


@st.composite
def tables(draw):
    """Roles by column, and the cells of each; at least a feature and a label."""
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), max_size=4))
    kinds = ["number", draw(st.sampled_from(LABELS)), *kinds]
    kinds = [kind for i, kind in enumerate(kinds) if kind != "tags" or "tags" not in kinds[:i]]
    n = draw(st.integers(1, 12))
    roles = {f"{kind[0]}{i}": kind for i, kind in enumerate(kinds)}
    return roles, {name: draw(st.lists(CELLS[kind], min_size=n, max_size=n)) for name, kind in roles.items()}


def written(cell, kind):
    if cell is None:
        return ""
    return json.dumps(cell) if kind == "tags" else repr(cell) if kind == "number" else str(cell)


def as_csv(path, roles, cells, separator, decimal, quoting):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator, quoting=quoting)
        writer.writerow(roles)
        for row in zip(*cells.values(), strict=True):
            texts = [written(cell, kind) for cell, kind in zip(row, roles.values(), strict=True)]
            numbers = [kind == "number" for kind in roles.values()]
            writer.writerow([t.replace(".", decimal) if n else t for t, n in zip(texts, numbers, strict=True)])
    return path


def arrow_of(roles, cells):
    types = {"number": pa.float64(), "flag": pa.bool_(), "tags": pa.list_(pa.string())}
    return pa.table({name: pa.array(cells[name], types.get(kind, pa.string())) for name, kind in roles.items()})


def as_arff(path, roles, cells, is_sparse):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def cell_of(cell, kind):
        if cell is None:
            return "?"
        return quoted(cell) if kind in ("words", "class") else str(int(cell)) if kind == "flag" else repr(cell)

    lines = ["@relation r"]
    for name, kind in roles.items():
        words = sorted({cell for cell in cells[name] if cell is not None}) if kind in ("words", "class") else []
        declared = "{0,1}" if kind == "flag" else f"{{{','.join(map(quoted, words))}}}" if words else "numeric"
        lines.append(f"@attribute {name} {declared}")
    lines.append("@data")
    for row in zip(*cells.values(), strict=True):
        texts = [cell_of(cell, kind) for cell, kind in zip(row, roles.values(), strict=True)]
        pairs = [f"{j} {text}" for j, text in enumerate(texts) if text not in ("0", "0.0")]
        lines.append(f"{{{','.join(pairs)}}}" if is_sparse else ",".join(texts))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def sources(folder: Path, roles, cells):
    """Every writing of a table, and what ``load`` has to be told of it beside its labels."""
    table = arrow_of(roles, cells)
    yield as_csv(folder / "a.csv", roles, cells, ",", ".", csv.QUOTE_MINIMAL), {"decimal": "."}
    yield as_csv(folder / "b.csv", roles, cells, ";", ",", csv.QUOTE_ALL), {"separator": ";", "decimal": ","}
    yield as_csv(folder / "c.tsv", roles, cells, "\t", ".", csv.QUOTE_NONNUMERIC), {"separator": "\t", "decimal": "."}
    pa.parquet.write_table(table, folder / "d.parquet", row_group_size=5)
    yield folder / "d.parquet", {}
    records = (dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True))
    (folder / "e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records))
    yield folder / "e.jsonl", {}
    yield table, {}
    yield pl.from_arrow(table), {}
    yield table.to_pandas(), {}


def rows_of(stream, size, start):
    """Schema, X and Y of a stream read in chunks; what is read from a later row on is the same."""
    X, Y = rows(stream, size=size)
    later = list(stream.blocks(start))
    assert sum(map(len, (flags for _, flags in later))) == max(0, len(Y) - start)
    if later:
        np.testing.assert_array_equal(np.concatenate([part for part, _ in later]), X[start:])
        np.testing.assert_array_equal(np.concatenate([flags for _, flags in later]), Y[start:])
    return stream.schema, X, Y


def messages(roles, cells, format):
    """Schema, X and Y of the rows as messages, whose columns are declared."""

    def declared(name, kind):
        words = tuple(sorted({each for each in cells[name] if each is not None})) if kind in ("words", "class") else ()
        if kind == "tags":
            return LiveColumn(name, "tags", tuple(sorted({tag for own in cells[name] for tag in own})))
        if kind == "flag":
            return LiveColumn(name, "label", flags=("true", "false") if format == "csv" else ("1", "0"))
        return LiveColumn(name, kind, words) if words else LiveColumn(name, "number")

    decoding = Decoding([declared(name, kind) for name, kind in roles.items()], format=format)
    found = []
    for row in zip(*cells.values(), strict=True):
        line = io.StringIO()
        csv.writer(line).writerow([written(cell, kind) for cell, kind in zip(row, roles.values(), strict=True)])
        found.append(json.dumps(dict(zip(cells, row, strict=True))) if format == "json" else line.getvalue())
    return decoding.schema, *decoding.arrays([decoding.row(each.encode()) for each in found])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(), st.integers(1, 5), st.integers(0, 12))
def test_every_writing_of_a_table_gives_the_same_rows(tmp_path, table, size, start):
    roles, cells = table
    names = [name for name, kind in roles.items() if kind in LABELS]
    tags = [name for name in names if roles[name] == "tags"]
    if any(not any(cells[name]) for name in tags):
        return  # no label in any row is refused
    told = {"labels": names, "tags": tags, "classes": [name for name in names if roles[name] == "class"]}
    told["features"] = [name for name in roles if name not in names]
    told["nominal"] = [name for name, kind in roles.items() if kind == "words"]
    opened = [(source, {**told, **options}) for source, options in sources(tmp_path, roles, cells)]
    if not tags:
        for form in ("dense", "sparse"):
            opened.append((as_arff(tmp_path / f"{form}.arff", roles, cells, form == "sparse"), {"labels": names}))
    opened.append((pd.DataFrame(cells), told))  # lists and texts as objects
    found = [messages(roles, cells, format) for format in ("json", "csv")]
    for source, options in opened:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(rows_of(sl.load(source, **options), size, start))
    for schema, X, Y in found:
        for j, feature in enumerate(schema.features):
            expected = cells[feature.name]
            if feature.categories is None:
                assert roles[feature.name] == "number" or not any(expected)
                np.testing.assert_array_equal(X[:, j], [np.nan if each is None else each for each in expected])
            else:
                found = [None if value != value else feature.categories[int(value)] for value in X[:, j]]
                assert found == expected
        split = [name for name in names if roles[name] != "flag"]
        for i, flags in enumerate(Y):
            own = {label for label, flag in zip(schema.labels, flags, strict=True) if flag}
            expected = {name for name in names if roles[name] == "flag" and cells[name][i]}
            for name in split:
                values = cells[name][i] if roles[name] == "tags" else [cells[name][i]]
                assert all(value in own or f"{name}={value}" in own for value in values)
                expected |= {value if value in own else f"{name}={value}" for value in values}
            assert own == expected
