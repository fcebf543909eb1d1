"""The folder ``data``: its scripts make the shipped files again, its README names each of them."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from streamlab.streams.generated.instruments.stream import NOTES_FILE

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


def test_notes_are_made_again(tmp_path):
    path = tmp_path / "notes.npy"
    script("make_instruments").make(path, 20)
    np.testing.assert_allclose(np.load(path), np.load(NOTES_FILE)[:20], rtol=0, atol=1e-3)


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
