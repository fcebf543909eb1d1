"""Names of files that are not UTF-8: read, kept and written, or refused by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import streamlab as sl

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are bytes on Linux alone")

ROWS = {
    ".csv": "a,l\n" + "".join(f"{i / 200},{i % 2}\n" for i in range(200)),
    ".svm": "".join(f"{i % 2} 1:{i / 200}\n" for i in range(200)),
    ".arff": "@relation 'x: -C 1'\n@attribute l {0,1}\n@attribute a numeric\n@data\n"
    + "".join(f"{i % 2},{i / 200}\n" for i in range(200)),
}


def named(folder: Path, ending: str) -> Path:
    path = folder / (os.fsdecode(b"caf\xe9") + ending)
    path.write_text(ROWS.get(ending, ""))
    return path


def load(path: Path) -> sl.Stream:
    return sl.load(path, labels="l") if path.suffix == ".csv" else sl.load(path)


@pytest.mark.whole
@pytest.mark.parametrize("ending", ROWS)
def test_a_run_is_saved_and_opened_and_written(tmp_path, ending):
    stream = load(named(tmp_path, ending))
    assert stream.name == "caf\N{REPLACEMENT CHARACTER}"
    run = sl.Run(stream, {"SMART": sl.SMART(seed=1)})
    run.advance(100)
    run.save(tmp_path / "run.slab")
    assert sl.Run.open(tmp_path / "run.slab", stream).advance(50) == 50
    for face in (run.save, run.to_script, run.to_notebook, run.export_html):
        face(tmp_path / os.fsdecode(b"\xe9.out"))
    sl.prequential(stream, sl.NoChange(), n=100)._repr_html_().encode()
    space: dict[str, sl.Run] = {}
    run.to_script(tmp_path / "run.py")
    exec((tmp_path / "run.py").read_text(), space)
    assert space["run"].curves().equals(run.curves())


def test_pyarrow_and_studies_take_no_such_name_and_say_so(tmp_path):
    (path := named(tmp_path, ".parquet")).write_bytes(b"PAR1")
    with pytest.raises(ValueError, match="no Parquet file that can be read"):
        sl.load(path, labels=["l"])
    with pytest.raises(ValueError, match=r"caf.\.csv: the name of the file is not UTF-8"):
        sl.Study({"x": load(named(tmp_path, ".csv"))}, ["NoChange"], results=tmp_path / "results")
