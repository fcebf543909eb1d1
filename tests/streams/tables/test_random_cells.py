"""Tables of random cells: every kind of source gives the same rows and labels, or the same kind of refusal."""

from __future__ import annotations

import csv
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import streamlab as sl

WORDS = ["red", " red", "dark blue", "Red", "None", "NA", "nan", "?", "x,y", "a;b", "-", "7", "1.0", "é", 'a "b"']
KINDS = {
    "number": lambda rng: rng.choice([0.5, -1.25, 3.0, 1e6, None]),
    "whole": lambda rng: int(rng.integers(0, 4)),
    "flag": lambda rng: int(rng.integers(0, 2)),
    "gap": lambda rng: rng.choice([0, 1, None]),
    "yes": lambda rng: rng.choice(["yes", "no"]),
    "mark": lambda rng: rng.choice(["x", None]),
    "word": lambda rng: rng.choice([*WORDS, None]),
    "plain": lambda rng: rng.choice(["red", "blue", "dark blue"]),
    "tags": lambda rng: ";".join(rng.choice(["u", "v", "w x"], rng.integers(1, 4), replace=False)),
    "list": lambda rng: json.dumps(
        [str(tag) for tag in rng.choice(["u", "v,w", "w x"], rng.integers(1, 3), replace=False)]
    ),
    "path": lambda rng: "/".join(
        rng.choice(["s", "w"], 1).tolist() + rng.choice(["o", "p"], rng.integers(0, 3)).tolist()
    ),
    "marker": lambda rng: rng.choice([0.5, 1.5, "NA", "missing", None]),
    "text": lambda rng: " ".join(rng.choice(["some", "words", "and", "more", "of", "them"], 6)),
    "empty": lambda rng: None,
}
"""Of each kind of column a cell."""


def random_table(seed: int) -> tuple[dict[str, list], dict]:
    """Columns by name, and the options that are said of them."""
    rng = np.random.default_rng([71, seed])
    n = int(rng.integers(1, 30))
    kinds = ["number", *rng.choice(list(KINDS), rng.integers(1, 5))]
    columns: dict[str, list] = {}
    for i, kind in enumerate(kinds):
        cells = [KINDS[kind](rng) for _ in range(n)]
        columns[f"{kind}{i}"] = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
        if kind == "marker":  # a column of texts
            columns[f"{kind}{i}"] = [None if cell is None else str(cell) for cell in columns[f"{kind}{i}"]]
    names, options = [*columns][1:], {}
    if rng.random() < 0.8:
        options["labels"] = [str(rng.choice(names))]
    for option in rng.choice(SAID, 1):
        options[str(option)] = [str(rng.choice(names))]
    options |= {"missing": ["missing"]} if "missing" in options else {}
    if "title" in options:
        options["title"] = options["title"][0]
    if "text" in options:
        options["n_features"] = 16
    if (paths := [name for name in names if name.startswith("path")]) and rng.random() < 0.7:
        options |= {"labels": paths[:1], "hierarchy": "/"}
    elif (words := [name for name in names if name[:4] in ("word", "plai", "whol")])[1:] and rng.random() < 0.5:
        options = {"hierarchy": words[:2]}
    return columns, options


SAID = ("classes", "tags", "features", "ignore", "nominal", "text", "missing", "title")


def table_sources(folder: Path, columns: dict[str, list]):
    """Every kind of source, and the table there."""
    with (folder / "t.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    yield (
        "csv",
        folder / "t.csv",
        {"separator": ",", "decimal": ".", "header": True, "skip_lines": 0, "encoding": "utf-8"},
    )
    table = pa.table({name: pa.array(cells) for name, cells in columns.items()})
    pa.parquet.write_table(table, folder / "t.parquet")
    yield "parquet", folder / "t.parquet", {}
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    yield "jsonl", folder / "t.jsonl", {}
    yield "pandas", pd.DataFrame(columns), {}
    yield "polars", pl.from_arrow(table), {}
    yield "pyarrow", table, {}


def kind_of(message: str) -> str:
    """A refusal without the place in which it stands: sources count lines or rows."""
    message = re.sub(r"^\S*(t\.csv|t\.parquet|t\.jsonl|DataFrame)", "", message)
    return re.sub(r",? (line|row|row group) [\d,]+|,? column (\d+ )?\(?'[^']*'\)?", "", message)


def opened(source, options) -> tuple:
    """What a source gives: features, labels, hierarchy, classes, rows, what is hidden; or the kind of its refusal."""
    try:
        stream = sl.load(source, **options)
        X, Y = (
            np.concatenate(parts)
            for parts in zip(
                *((c.X if type(c.X) is np.ndarray else c.X.toarray(), c.Y) for c in stream.chunks(7)), strict=True
            )
        )
    except ValueError as error:
        return ("refused", kind_of(str(error)))
    known = Y if stream.labelling is None else stream.labelling.labels_known(np.ones_like(Y), np.arange(len(Y)))
    schema = stream.schema
    features = [(f.name, f.categories) for f in schema.features] if schema.n_features < 99 else schema.n_features
    hidden = np.zeros_like(Y) if stream.labelling is None else 1 - known
    return (
        features,
        schema.labels,
        schema.hierarchy,
        schema.classes,
        np.nan_to_num(X, nan=-9e9).tolist(),
        Y.tolist(),
        hidden.tolist(),
    )


@pytest.mark.parametrize(
    "start", [pytest.param(start, marks=pytest.mark.nightly if start >= 20 else ()) for start in range(0, 200, 10)]
)
@pytest.mark.whole
def test_every_kind_of_source_gives_the_same_or_refuses_the_same(tmp_path, start):
    for seed in range(start, start + 10):
        columns, options = random_table(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = {
                form: opened(source, {**options, **more}) for form, source, more in table_sources(tmp_path, columns)
            }
        for form, answer in found.items():
            assert answer == found["csv"], f"seed {seed}, {form}, {options}, {columns}"


TIMES = [
    "2024-01-01",
    "2024-01-01T06:30:00",
    "2024-01-01 06:30:00",
    "2024-02-29 23:59:59.5",
    "2024-03-01",
    "2025-01-01",
]
"""In order: what stands in no order, or is none, is refused."""


@pytest.mark.parametrize("seed", range(20))
def test_times_are_the_same_in_every_kind_of_source(tmp_path, seed):
    rng = np.random.default_rng([72, seed])
    n = int(rng.integers(1, 12))
    places = np.sort(rng.integers(0, len(TIMES), n))
    cells = [TIMES[place] for place in places]
    if rng.random() < 0.5:
        cells[int(rng.integers(n))] = [None, "noon", TIMES[0], "2023-12-31"][seed % 4]
    columns = {"x": rng.normal(size=n).tolist(), "when": cells, "y": rng.integers(0, 2, n).tolist()}
    found = {}
    for form, source, more in table_sources(tmp_path, columns):
        try:
            found[form] = sl.load(source, labels=["y"], moment="when", **more).moments.tolist()
        except ValueError as error:
            found[form] = kind_of(str(error))
    for form, answer in found.items():
        assert answer == found["csv"], f"{form}, {cells}"
