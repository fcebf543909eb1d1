"""Uploaded files: where they are kept, under which names, how many bytes, and that none stays behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from streamlab.views.hosting import limits
from streamlab.views.hosting.limits import Limits, Seats, path_for

KEEPS = """
import sys, time
from streamlab.views.hosting.limits import new_folder, path_for, remove_at_exit_signal
{before}
remove_at_exit_signal()
path = path_for(new_folder(), "a.csv")
path.write_bytes(b"1")
print(path, flush=True)
{then}
"""
CHAINED = "import signal; signal.signal(signal.SIGTERM, lambda *_: (print('chained', flush=True), sys.exit(3)))"

AS_PROCESS_1 = "import os; os.kill = lambda *_: None"
"""The kernel ignores a signal's default action for process 1, as a container's is."""


def keeper(folder: Path, before: str = "", then: str = "time.sleep(60)") -> tuple[subprocess.Popen, Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", KEEPS.format(before=before, then=then)],
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    path = Path(process.stdout.readline().strip())
    return process, path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to hear")
@pytest.mark.parametrize(("before", "code"), [("", -signal.SIGTERM), (CHAINED, 3), (AS_PROCESS_1, 143)])
def test_sigterm_removes_them_and_does_what_it_did(tmp_path, before, code):
    process, path = keeper(tmp_path, before)
    assert path.read_bytes() == b"1"
    process.terminate()
    assert process.wait(30) == code
    assert ("chained" in process.stdout.read()) == (before == CHAINED)
    assert list(tmp_path.iterdir()) == []


def test_the_next_start_removes_what_a_killed_process_left_and_nothing_else(tmp_path, monkeypatch):
    process, path = keeper(tmp_path)
    other = tmp_path / "streamlab-notes"
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    limits.remove_left_behind()
    assert path.exists(), "its process lives"
    process.kill()
    process.wait(30)
    limits.remove_left_behind()
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a.csv", "a.csv"),
        ("Yeast.ARFF", "Yeast.arff"),
        ("labels.XML", "labels.xml"),
        ("x.svm.GZ", "x.svm.gz"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\a.csv", "a.csv"),
        ("..", "upload"),
        ("", "upload"),
        ("a\x00\n.csv", "a.csv"),
        ("x" * 5000 + ".csv", "x" * 196 + ".csv"),
        ("ü" * 5000 + ".csv", "ü" * 98 + ".csv"),
        ("<img src=x onerror=alert(1)>.arff", "<img src=x onerror=alert(1)>.arff"),
        ("\u202efdp.csv", "\u202efdp.csv"),
        ("\ud800.csv", "?.csv"),
    ],
)
def test_any_name_is_kept_inside_the_folder(tmp_path, name, kept):
    path = path_for(tmp_path, name)
    path.write_bytes(b"1")
    assert path.parent == tmp_path
    assert path.name == kept
    assert path.read_bytes() == b"1"


class Page:
    pass


def test_seats():
    seats, first, second = Seats(), Page(), Page()
    assert seats.take(first, 1)
    assert seats.take(first, 1)
    assert not seats.take(second, 1)
    seats.leave(first)
    assert seats.take(second, 1)
    del second
    gc.collect()
    assert seats.take(first, 1), "a page that failed while it was made keeps no place"


def test_limits_of_the_environment(monkeypatch):
    monkeypatch.setenv("STREAMLAB_MOST_PAGES", "3")
    assert Limits.of_environment().pages == 3
    monkeypatch.setenv("STREAMLAB_MOST_PAGES", "many")
    with pytest.raises(ValueError, match="STREAMLAB_MOST_PAGES='many': expected a whole number"):
        Limits.of_environment()
