"""A container in which nothing can be written: no home, no temporary folder, no shared memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

INSIDE = """
set -e
mount --make-rprivate /
mount --bind / /
mount -o remount,ro,bind /
while read -r _ folder kind _; do
  case "$kind" in tmpfs|ext*|xfs|overlay) mount -o remount,ro,bind "$folder" 2>/dev/null || true ;; esac
done < <(cat /proc/mounts)
for folder in /tmp /var/tmp /dev/shm "$PWD"; do
  if touch "$folder/written" 2>/dev/null; then rm "$folder/written"; echo "$folder can be written to"; exit 77; fi
done
exec "$@"
"""

RUN = """
import streamlab as sl
run = sl.Run("movies", {"no change": sl.NoChange()})
assert run.advance(200) == 200
print(len(run.curves()))
"""


def read_only(*command: str, cwd: Path = ROOT, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a command where every file system that can be is mounted read-only; only this process tree sees it so."""
    if not sys.platform.startswith("linux") or os.getuid() or not shutil.which("unshare"):
        pytest.skip("only root on Linux can mount its files read-only")
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "TMPDIR", "COVERAGE_FILE")}
    environment |= {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["unshare", "-m", "bash", "-c", INSIDE, "inside", *command],
        capture_output=True, text=True, timeout=timeout, env=environment, cwd=cwd,
    )  # fmt: skip
    if done.returncode == 77 or "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"this machine does not let files be mounted read-only: {done.stdout}{done.stderr}"[:200])
    return done


PAGE = r"""
from streamlab.views.page.monitor import Monitor
monitor = Monitor()
monitor.own_data.upload._handle_msg({"kind": "files", "upload": 1, "files": [["mine.csv", 8]]})
print(monitor.note.object)
monitor.close()
"""


def test_a_run_where_nothing_can_be_written(uncompiled):
    done = read_only(sys.executable, "-c", RUN, cwd=uncompiled)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
    said = [line for line in done.stderr.splitlines() if "kernels" in line]
    assert len(said) == 2, said
    assert "for this process only" in said[0]
    assert "at every start" in said[1]


def test_a_page_where_nothing_can_be_written_opens_and_keeps_no_upload():
    done = read_only(sys.executable, "-c", PAGE)
    assert done.returncode == 0, done.stderr
    assert "the upload cannot be kept" in done.stdout
