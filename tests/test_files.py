"""Files are written whole or not at all, and no device, pipe or folder is replaced by one."""

from __future__ import annotations

import ast
import errno
import os
import re
import stat
from collections import Counter
from pathlib import Path

import pytest

import streamlab as sl
from streamlab import _files
from streamlab._files import replacing, write_whole

ROOT = Path(sl.__file__).parent
IN_PLACE = {
    "_files.py": {"open": 1, "os.replace": 1},
    "kernels.py": {"os.open": 1},  # a lock, without content
    "lab/tables.py": {"to_csv": 1, "to_parquet": 1},  # to what `replacing` gives
    "study/store.py": {"open": 1, "os.replace": 1, "os.rename": 1},  # a lock; locks and results moved aside
    "views/on_paper.py": {"savefig": 2},  # Matplotlib's own, which it extends
    "views/page/upload.py": {"open": 1},  # in a folder of the page's own, which goes with it
}
"""Every place that writes a file without ``_files``, and why it may."""
WRITERS = {"write_text", "write_bytes", "savefig", "tofile", "savetxt", "savez", "save_file", "to_pickle", "touch",
           "to_csv", "to_parquet"}  # fmt: skip


MAY_WRITE = re.compile(r"\bopen\(|\bos\.(replace|rename|write)|" + "|".join(WRITERS))
"""What a module that writes files has in its text: to read the others as code takes longer."""


def writes(path: Path) -> Counter[str]:
    """Return what a module calls that writes files, and how often."""
    found: Counter[str] = Counter()
    text = path.read_text()
    for node in ast.walk(ast.parse(text)) if MAY_WRITE.search(text) else ():
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        name = called.rpartition(".")[2]
        given = [each.value for each in node.args + [k.value for k in node.keywords] if isinstance(each, ast.Constant)]
        if called == "os.open":
            found["os.open"] += "O_WRONLY" in ast.unparse(node) or "O_RDWR" in ast.unparse(node)
        elif name == "open":
            found["open"] += any(re.fullmatch("[wxa]b?|r.?[+]", str(c)) for c in given)
        elif name in WRITERS:
            found[name] += 1
        elif called in ("os.replace", "os.rename", "os.write"):
            found[called] += 1
    return +found


def test_every_place_that_writes_a_file_in_place_is_known():
    found = {path.relative_to(ROOT).as_posix(): dict(writes(path)) for path in ROOT.rglob("*.py")}
    assert {name: each for name, each in found.items() if each} == IN_PLACE


class FullDisk:
    """Lets writers have so many bytes, then no more."""

    def __init__(self, file, room: int) -> None:
        self.file, self.room = file, room

    def write(self, raw) -> int:
        self.room -= len(raw)
        if self.room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.file.write(raw)

    def writelines(self, pieces) -> None:
        for piece in pieces:
            self.write(piece)

    def __getattr__(self, name: str):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()


@pytest.fixture(scope="module")
def run() -> sl.Run:
    made = sl.Run("movies", {"no change": sl.NoChange(), "SMART": sl.SMART(seed=1)})
    made.advance(200)
    return made


FACES = {
    "model.safetensors": lambda run, path: run.learner_runs["SMART"].learner.save(path),
    "run.py": lambda run, path: run.to_script(path),
    "curves.csv": lambda run, path: run.write_curves(path),
    "curves.parquet": lambda run, path: run.write_curves(path),
    "events.csv": lambda run, path: run.write_events(path),
    "run.slab": lambda run, path: run.save(path),
    "replay.html": lambda run, path: run.export_html(path),
}


@pytest.mark.whole
@pytest.mark.parametrize("name", FACES)
def test_a_full_disk_leaves_the_file_of_before(run, tmp_path, monkeypatch, name):
    path, write = tmp_path / name, FACES[name]
    path.write_text("the file of before")
    monkeypatch.setattr(_files, "open", lambda *given: FullDisk(open(*given), 30), raising=False)  # noqa: SIM115
    with pytest.raises(OSError, match="No space left"):
        write(run, path)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert path.read_text() == "the file of before"
    monkeypatch.undo()
    write(run, path)
    assert path.read_bytes() != b"the file of before"
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.whole
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
@pytest.mark.parametrize("name", FACES)
def test_no_pipe_and_no_folder_is_replaced(run, tmp_path, name):
    pipe, folder = tmp_path / name, tmp_path / "folder" / name
    os.mkfifo(pipe)
    folder.mkdir(parents=True)
    for path in (pipe, folder):
        with pytest.raises(ValueError, match=name):
            FACES[name](run, path)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["folder", name])


def test_a_device_is_never_renamed_over():
    with pytest.raises(ValueError, match="/dev/null"):
        write_whole("/dev/null", b"1")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_what_a_link_leads_to_is_replaced_and_keeps_its_permissions(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"1")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"2")
    assert link.is_symlink()
    assert path.read_bytes() == b"2"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_the_process_gives(tmp_path):
    plain, whole = tmp_path / "plain", tmp_path / ("n" * 250)
    plain.touch()
    with replacing(whole) as file:
        file.write(b"1")
    assert whole.stat().st_mode == plain.stat().st_mode
