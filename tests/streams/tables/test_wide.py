"""Tables of thousands of columns are read and guessed as those of a few, many columns at once."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

import streamlab as sl
from streamlab._cells import MISSING
from streamlab.streams.limits import LoadLimits
from streamlab.streams.tables import kinds, source, wide

N_COLUMNS = 600


def made_cells(rng, n_rows):
    """Cells of one column, of a kind that is drawn."""
    makers = [
        lambda: rng.normal(size=n_rows).round(3).tolist(),
        lambda: rng.integers(0, 2, n_rows).tolist(),
        lambda: rng.integers(0, 9, n_rows).astype(float).tolist(),
        lambda: rng.integers(-(10**6), 10**6, n_rows).tolist(),
        lambda: list(range(n_rows)),
        lambda: [0, 1] * (n_rows // 2 - 1) + [1, 2.5],
        lambda: [None if rng.random() < 0.2 else v for v in rng.normal(size=n_rows).tolist()],
        lambda: [None] * n_rows,
        lambda: rng.choice(["a", "b", "c"], n_rows).tolist(),
        lambda: [1.5, *rng.choice(["3", "4.5", "x"], n_rows - 1).tolist()],
        lambda: [7.0] * n_rows,
        lambda: sorted(rng.random(n_rows).tolist()),
    ]
    weights = np.array([40, 10, 10, 10, *[1] * 8])
    return makers[rng.choice(len(makers), p=weights / weights.sum())]()


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("as_texts", [False, True])
def test_many_columns_are_guessed_as_each_alone(as_texts, decimal):
    rng = np.random.default_rng(5)
    names = [*(f"x{j}" for j in range(N_COLUMNS)), "time", "id", "when"]
    head = []
    for _ in names:
        cells = made_cells(rng, 24)
        if as_texts or any(isinstance(cell, str) for cell in cells):
            texts = [None if cell is None else str(cell).replace(".", decimal) for cell in cells]
            head.append(pa.array(texts, pa.string()))
        else:
            head.append(pa.array(cells))
    found = wide.columns_of(names, head, decimal, MISSING, None)
    for guess, name, cells in zip(found, names, head, strict=True):
        alone = kinds.column_of(name, cells, decimal, MISSING, None)
        assert (guess, guess.examples) == (alone, alone.examples), cells


def test_columns_of_numbers_are_not_looked_at_alone(monkeypatch):
    names = [f"x{j}" for j in range(N_COLUMNS)]
    head = [*map(pa.array, np.random.default_rng(0).normal(size=(N_COLUMNS - 1, 9))), pa.array(["a", "b", "c"] * 3)]
    alone = []
    monkeypatch.setattr(
        kinds, "column_of", lambda name, *rest, own=kinds.column_of: alone.append(name) or own(name, *rest)
    )
    wide.columns_of(names, head, ".", MISSING, None)
    assert alone == names[-1:]


OTHERS = {
    "numbers alone": {},
    "words": {"w": ["a", "b: c", '"d":']},
    "flags": {"w": [True, False, True]},
    "gaps": {"w": [None, 1.5, 2]},
    "lists": {"w": [["a"], [], ["b", "c"]]},
    "times": {"w": ["2024-01-01T00:00:00", "2024-01-02T00:00:00", "2024-01-03T00:00:00"]},
    "objects": {"w": [{"u": 1}, {"u": 2}, {"u": 3}]},
    "whole and not": {"w": [1, 2.5, 3], "v": [1, 2, 3], "u": [1.0, 2.0, 3.0]},
    "large": {"w": [2**60 + 1, 1, 2]},
    "larger": {"w": [10**30, 1, 2]},
    "a minus": {"w": [-0.0, 0, -5]},
}


@pytest.mark.parametrize("other", OTHERS)
def test_lines_of_json_are_read_as_by_pyarrow(other):
    rows = np.random.default_rng(1).normal(size=(3, N_COLUMNS)).tolist()
    lines = [
        {**{f"x{j}": cell for j, cell in enumerate(row)}, **{name: own[i] for name, own in OTHERS[other].items()}}
        for i, row in enumerate(rows)
    ]
    block = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    found = wide.columns_of_numbers(block, source._read_json)
    expected, n_rows = source._read_json(block)
    assert (found is None) == (other in ("objects", "large", "larger") or other == "words")
    if found is not None:
        assert n_rows == found[1] == 3
        assert [*found[0]] == [*expected]
        for name, cells in expected.items():
            assert found[0][name].equals(cells), name


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('"x1": 5.5, "x2": NaN', None),
        ('"x1": 5.5, "x1": 6', "specified twice"),
        ('"x1": 5.5, "x2": 1e400', "too big"),
        ('"x1": 5.5, "x2": oops', "no lines of JSON objects"),
        ('"x1": 5.5}, {"x2": 6', "no lines of JSON objects"),
    ],
)
def test_wrong_lines_are_refused_as_those_of_few_columns(tmp_path, wrong, said):
    rest = ", ".join(f'"z{j}": {j}.5' for j in range(N_COLUMNS))
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"x1": 1.5, "x2": 2.5, {rest}, "y": {i % 2}}}\n' for i in range(4)))
    assert sl.load(path, labels=["y"]).schema.n_features == N_COLUMNS + 2
    path.write_text(path.read_text() + f'{{{wrong}, {rest}, "y": 1}}\n')
    if said is None:
        assert np.isnan(next(sl.load(path, labels=["y"]).chunks()).X[4, 1])
        return
    with pytest.raises(ValueError, match=said):
        sl.load(path, labels=["y"])


@pytest.mark.parametrize("form", ["csv", "jsonl", "arff"])
def test_past_the_limit_is_refused_before_columns_are_looked_at(tmp_path, form, monkeypatch):
    names = [f"x{j}" for j in range(700)]
    limits, path = LoadLimits(features=600, labels=50), tmp_path / f"x.{form}"
    cells = ",".join(["1.5"] * 700)
    if form == "jsonl":
        path.write_text(json.dumps(dict.fromkeys(names, 1.5)) + "\n")
    elif form == "csv":
        path.write_text(",".join(names) + "\n" + cells + "\n")
    else:
        path.write_text(
            "@relation r\n" + "".join(f"@attribute {n} numeric\n" for n in names) + "@data\n" + cells + "\n"
        )
    for name in ("column_of", "of_range", "of_parsed"):
        monkeypatch.setattr(kinds, name, None)
    with pytest.raises(ValueError, match=r"columns; expected at most 650"):
        sl.load(path, labels=["x0"], limits=limits)
