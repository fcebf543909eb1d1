"""The folder ``data``: its scripts make the shipped files again, its README names each of them."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import streamlab as sl
from tests.streams.read import rows

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "data" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_names_every_shipped_file():
    text = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    shipped = sorted(p.name for p in (ROOT / "streamlab" / "data").iterdir() if p.is_file())
    assert shipped
    assert [name for name in shipped if f"`{name}`" not in text] == []


@pytest.mark.nightly
def test_shipped_notes_are_what_physics_gives(monkeypatch):
    """So many of each instrument before the microphone got worse, and as many after it."""
    monkeypatch.syspath_prepend(str(ROOT / "data"))
    notes = script("make_instruments")
    for name, start, wear in (("instruments", 0, 0), ("instruments-microphone", notes.MICROPHONE_AT, 1)):
        X, Y = rows(sl.load(name), start)
        played = Y.dot(2.0 ** np.arange(Y.shape[1]))
        sample = np.sort(np.concatenate([np.flatnonzero(played == each)[:12] for each in np.unique(played)]))
        assert len(sample) == 31 * 12
        np.testing.assert_allclose(notes.coefficients(sample + start, wear), X[sample], rtol=0, atol=1e-3)


@pytest.mark.nightly
def test_notes_are_made_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "data"))
    notes = script("make_instruments")
    notes.make(tmp_path, 20, 12)
    names = ("instruments", "instruments_microphone")
    made, shipped = (
        [pq.read_table(folder / f"{name}.parquet") for name in names] for folder in (tmp_path, notes.FOLDER)
    )
    for each, all_of, n in zip(made, shipped, (20, 8), strict=True):
        assert (each.schema, each.schema.metadata, len(each)) == (all_of.schema, all_of.schema.metadata, n)
    assert made[0].select(["instrument", "title"]) == shipped[0].select(["instrument", "title"])[:20]


def test_the_table_of_files_is_made_again(tmp_path):
    sha = "ab" * 32
    (tmp_path / "a.arff").write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha}\nsize 12345\n")
    (tmp_path / "a.xml").write_text("<labels/>")
    (tmp_path / "unlisted.arff").write_text("x")
    table = tmp_path / "table.csv"
    table.write_text("file,sha256,bytes,kind\na.arff,0,0,lfs\na.xml,0,0,plain\n")
    module = script("make_benchmark_files")
    module.make(tmp_path, table)
    plain = hashlib.sha256(b"<labels/>").hexdigest()
    expected = f"file,sha256,bytes,kind\na.arff,{sha},12345,lfs\na.xml,{plain},9,plain\n"
    assert table.read_text() == expected
    (tmp_path / "a.xml").unlink()
    with pytest.raises(ValueError, match=r"expected a\.xml, which the table lists"):
        module.make(tmp_path, table)
    assert table.read_text() == expected
    assert module.TABLE.read_text().splitlines()[0] == ",".join(module.COLUMNS)
