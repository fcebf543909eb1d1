"""The table of sources and options in ``docs/howto/own_file.md``: each of its cells is tried."""

from __future__ import annotations

import csv
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamlab as sl

N = 12
X = [i * 0.5 + 0.25 for i in range(N)]
KINDS = ["red", "blue", "dark blue"] * 4
PATHS = ["s/violin", "s/cello", "w/flute", "w/reeds/oboe"] * 3
LEVELS = {"l1": ["s", "s", "w", "w"] * 3, "l2": ["violin", "cello", "flute", "reeds"] * 3, "l3": [None] * 3 + ["oboe"]}
LEVELS["l3"] = LEVELS["l3"] * 3
ABOVE = {"violin": "s", "cello": "s", "flute": "w", "oboe": "reeds", "reeds": "w"}
TEXTS = [f"some words of row {i}" for i in range(N)]
TIMES = [f"2024-03-{1 + i // 3:02} 0{i % 3}:30:00" for i in range(N)]
CASES = {
    "nothing": ({"x": X, "kind": KINDS}, ["kind"], {}),
    "labels": ({"x": X, "kind": KINDS}, ["kind"], {"labels": "kind"}),
    "classes": ({"x": X, "code": [0, 1, 1] * 4}, ["code"], {"classes": "code"}),
    "tags": ({"x": X, "all": ["u;v", "u", "v;w"] * 4}, ["all"], {"tags": "all"}),
    "tag_separator": ({"x": X, "all": ["u/v", "u", "v/w"] * 4}, ["all"], {"tags": "all", "tag_separator": "/"}),
    "text": ({"body": TEXTS, "kind": KINDS}, ["kind"], {"text": "body"}),
    "features": ({"id": [*range(N)], "x": X, "kind": KINDS}, ["kind"], {"features": "id"}),
    "nominal": ({"x": X, "grade": [1, 2, 3] * 4, "kind": KINDS}, ["kind"], {"nominal": "grade"}),
    "ignore": ({"x": X, "y2": X, "kind": KINDS}, ["kind"], {"ignore": "y2"}),
    "missing": ({"x": X, "kind": ["NA", "EU", "US"] * 4}, ["kind"], {"missing": []}),
    "title": ({"x": X, "who": TEXTS, "kind": KINDS}, ["kind"], {"title": "who"}),
    "moment": ({"x": X, "when": TIMES, "kind": KINDS}, ["kind"], {"moment": "when"}),
    "hierarchy, a separator": ({"x": X, "what": PATHS}, ["what"], {"hierarchy": "/"}),
    "hierarchy, levels": ({"x": X, **LEVELS}, [*LEVELS], {"hierarchy": [*LEVELS]}),
    "hierarchy, parents": ({"x": X, "what": [p.split("/")[-1] for p in PATHS]}, ["what"], {"hierarchy": ABOVE}),
    "n_labels": ({"x": X, "kind": ["red", "red", "blue"] * 4}, ["kind"], {"n_labels": 1}),
    "decimal": ({"x": X, "kind": KINDS}, ["kind"], {"decimal": "."}),
}
"""Of each option the columns of a table, which of them are labels, and what is said."""
STRINGS = ("all", "body", "who", "when")


def source_of(folder: Path, form: str, columns: dict[str, list], labels: list[str]):
    frame, path = pd.DataFrame(columns), folder / "table"
    if form == "CSV, TSV":
        frame.to_csv(path.with_suffix(".csv"), index=False)
        return path.with_suffix(".csv")
    if form == "Parquet":
        frame.to_parquet(path.with_suffix(".parquet"))
        return path.with_suffix(".parquet")
    if form == "JSON lines":
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        path.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path.with_suffix(".jsonl")
    if form == "pandas, polars":
        return frame if len(labels) > 1 else pl.from_pandas(frame)
    own = frame[labels]
    if form == "(X, Y), tables":
        return frame.drop(columns=labels), own
    if form == "(X, Y), arrays":
        return np.array([X]).T, own[labels[0]].tolist()
    assert form == "ARFF"
    words = {name for name in columns if isinstance(columns[name][0], str) and name not in STRINGS}
    kinds = {name: "{" + ",".join(f"'{c}'" for c in sorted({*columns[name]} - {None})) + "}" for name in words}
    kinds |= {"l3": "{oboe}", "code": "{0,1}"} | dict.fromkeys(STRINGS, "string")
    with path.with_suffix(".arff").open("w", newline="") as file:
        file.write(
            "@relation r\n" + "".join(f"@attribute {n} {kinds.get(n, 'numeric')}\n" for n in columns) + "@data\n"
        )
        rows = zip(*columns.values(), strict=True)
        csv.writer(file, quotechar="'").writerows(["?" if cell is None else cell for cell in row] for row in rows)
    return path.with_suffix(".arff")


def table_of_the_page() -> dict[tuple[str, str], str]:
    """What the page says of each option for each kind of source."""
    text = (Path(__file__).parents[2] / "docs/howto/own_file.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\|.*\|$", text, re.MULTILINE)
    head, _, *rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    names = [re.sub(r"[=`]", "", row[0]) for row in rows]
    return {(form, name): cell for name, row in zip(names, rows, strict=True)
            for form, cell in zip(head[1:], row[1:], strict=True)}  # fmt: skip


CELLS = table_of_the_page()


def test_the_page_has_all_options():
    assert {name for _, name in CELLS} == {*CASES}
    assert {*CELLS.values()} <= {"✓", "–"}


@pytest.mark.whole
@pytest.mark.parametrize(("form", "option"), CELLS)
def test_an_option_means_the_same_for_each_kind_of_source(tmp_path, form, option):
    columns, labels, said = CASES[option]
    source = source_of(tmp_path, form, columns, labels)
    options, expected = dict(said), CELLS[form, option]
    if "classes" in options and "arrays" in form:
        options = {"classes": True}
    elif (
        form == "ARFF"
        and not {"labels", "classes", "tags"} & {*said}
        and option not in ("nothing", "hierarchy, levels")
    ):
        options = {**said, "labels": labels}
    warnings.simplefilter("ignore")
    if expected == "–":
        first = next(iter(options), "which attributes are labels")
        with pytest.raises(ValueError, match=first if option == "nothing" else f"{first}="):
            sl.load(source, **options)
        return
    stream = sl.load(source, **options)
    same = sl.load(source_of(tmp_path, "CSV, TSV", columns, labels), **said)
    a, b = next(stream.chunks()), next(same.chunks())
    if (form, option) != ("(X, Y), arrays", "classes"):  # they are Y=0, Y=1
        assert stream.schema.labels == same.schema.labels
    assert stream.schema.hierarchy == same.schema.hierarchy
    assert stream.schema.classes == same.schema.classes or option == "classes"
    np.testing.assert_array_equal(a.Y, b.Y)
    assert stream.title_of(3) == same.title_of(3)
    np.testing.assert_array_equal(stream.moments, same.moments)
    if "arrays" not in form:
        assert stream.schema.features == same.schema.features
        difference = abs(a.X - b.X)
        assert difference.max() == 0
