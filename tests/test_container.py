"""The Dockerfile, its commands one by one, and what runs where nothing can be written: as in a container, read-only."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LINES = [
    line
    for line in re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE)).splitlines()
    if line.strip() and not line.startswith("    ")
]
INSTRUCTIONS = [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in LINES)]


def given(instruction: str) -> list[str]:
    return [rest for word, rest in INSTRUCTIONS if word == instruction]


def environment() -> dict[str, str]:
    return dict(part.split("=", 1) for rest in given("ENV") for part in shlex.split(rest))


def test_what_is_copied_is_there_and_let_in():
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [name for rest in given("COPY") for name in shlex.split(rest)[:-1]]
    assert sorted(copied) == sorted(allowed)
    assert all((ROOT / name).exists() for name in copied)


def test_an_ordinary_user_serves():
    users = given("USER")
    assert users == ["monitor"]
    order = [word for word, _ in INSTRUCTIONS]
    assert order.index("USER") > max(i for i, word in enumerate(order) if word == "RUN")
    assert "useradd --uid 1000" in TEXT


def test_all_that_is_written_goes_to_the_file_system_in_memory():
    folders = {name: value for name, value in environment().items() if value.startswith("/")}
    assert set(folders) == {"HOME", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}
    assert {value.split("/")[1] for value in folders.values()} == {"tmp"}
    assert "--read-only --tmpfs /tmp" in TEXT


LOCKED = """
set -e
mount --make-rprivate /
mount --bind / /
while read -r _ folder kind _; do
  case "$kind" in tmpfs|ext*|xfs|overlay) mount -o remount,ro,bind "$folder" 2>/dev/null || true ;; esac
done < <(cat /proc/mounts)
mount -o remount,ro,bind /
"""
"""Every file system that can be is mounted read-only; only the process tree of this shell sees it so."""
SERVING = """
mount -t tmpfs -o mode=1777 tmpfs /mnt
cd /mnt
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""
WITHOUT_A_PLACE = """
for folder in /tmp /var/tmp /dev/shm "$PWD"; do
  if touch "$folder/written" 2>/dev/null; then rm "$folder/written"; echo "$folder can be written to"; exit 77; fi
done
exec "$@"
"""


def locked(
    then: str, *command: str, cwd: Path = ROOT, timeout: float = 300, **names: str
) -> subprocess.CompletedProcess:
    """Run a command behind a script where nothing can be written, with these names added to the environment."""
    if not sys.platform.startswith("linux") or os.getuid() or not all(map(shutil.which, ("unshare", "setpriv"))):
        pytest.skip("only root on Linux can mount its files read-only")
    inside = ["unshare", "-m", "bash", "-c", LOCKED + then, "inside", *command]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=300, env=names, cwd=cwd)
    if done.returncode == 77 or "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"this machine does not let files be mounted read-only: {done.stdout}{done.stderr}"[:300])
    return done


ORDINARY = ("--reuid", "1000", "--regid", "1000", "--clear-groups")
RUNS = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', 'import streamlab.cli, panel']))"
SERVE = """
import os, re, subprocess, sys, time, urllib.request
command = [sys.executable, "-c", "from streamlab.cli import main; main()", *sys.argv[1:]]
log = open("/mnt/log", "w+")
server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=os.environ | {"PYTHONUNBUFFERED": "1"})
port = None
while port is None and server.poll() is None:
    time.sleep(0.1)
    port = re.search(r"http://[\\w.]+:(\\d+)", open("/mnt/log").read())
answers = [
    urllib.request.urlopen(f"http://127.0.0.1:{port[1]}/{page}", timeout=120).status for page in ("", "stream_monitor")
]
server.kill()
said = open("/mnt/log").read()
wrote = []
for folder in ("/", os.path.dirname(os.__file__), "/mnt"):
    try:
        open(f"{folder}/written", "w").close()
        wrote.append(folder)
    except OSError:
        pass
print(json.dumps({"answers": answers, "wrote": wrote, "said": said}))
"""


def test_its_command_serves_from_a_read_only_root():
    """As in the container, except for the file system in memory: ``/mnt``, as this Python may itself be in ``/tmp``."""
    (entry,) = given("ENTRYPOINT")
    command, *arguments = json.loads(entry)
    assert command == "streamlab"
    names = {name: value.replace("/tmp", "/mnt") for name, value in environment().items()}

    def run(*further: str) -> subprocess.CompletedProcess[str]:
        return locked(SERVING, *further, PATH=os.environ["PATH"], TMPDIR="/mnt", **names)

    # where nobody else can read this Python, its owner without any privilege takes the ordinary user's place
    user = ORDINARY if run(*ORDINARY, sys.executable, "-c", RUNS).returncode == 0 else ()
    probed = run(*user, sys.executable, "-c", RUNS)
    if probed.returncode:
        pytest.skip(f"this machine does not let files be mounted read-only: {probed.stderr}"[:300])
    done = run(*user, sys.executable, "-c", "import json" + SERVE, *arguments, "--port", "0")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["answers"] == [200, 200]
    assert told["wrote"] == ["/mnt"]
    assert "Traceback" not in told["said"] + done.stderr


# ---------------------------------------------------------------------- nothing at all can be written


RUN = """
import streamlab as sl
run = sl.Run("movies", {"no change": sl.NoChange()})
assert run.advance(200) == 200
print(len(run.curves()))
"""


def read_only(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command that has no home, no temporary folder and no shared memory either."""
    names = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "TMPDIR", "COVERAGE_FILE")}
    names |= {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    return locked(WITHOUT_A_PLACE, *command, cwd=cwd, **names)


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
