"""A page that looks at a service, in a real browser: it follows, goes back, and the service does not notice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from live_tests.made import HEAD, lines
from live_tests.service.made import DEFINITION
from streamlab_live.service.service import listed

MAIN = (sys.executable, "-c", "from streamlab.cli import main; main()")
PATIENCE = 180.0
INSIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def service(tmp_path_factory: Any) -> Any:
    """Yield the folder of a service that is at work, and its process."""
    folder: Path = tmp_path_factory.mktemp("attached")
    (folder / "rows.csv").write_text(HEAD + lines(1000))
    (folder / "run.toml").write_text(DEFINITION)
    process = subprocess.Popen([*MAIN, "watch", str(folder / "run.toml")], stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while not (found := listed(folder / "run")) or found[0][0] < 1000:
        assert process.poll() is None
        assert time.monotonic() < end, "the service saves"
        time.sleep(0.05)
    yield folder, process
    process.terminate()
    process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(service: Any, start_server: Any) -> Any:
    file = service[0] / "run.toml"
    return start_server(*MAIN, "attach", str(file), "--port", "{port}", "--address", "127.0.0.1")


@pytest.mark.parametrize("width", [1400, 420])
def test_a_page_follows_goes_back_and_leaves(service, server, page, width):
    folder, process = service
    faults = len(server.faults())
    opened = page(f"{server.address}/service", width=width, height=900)
    opened.get_by_text("waiting for rows").first.wait_for(timeout=PATIENCE * 1000)
    if sys.platform.startswith("linux"):
        assert os.getpriority(os.PRIO_PROCESS, server._process.pid) >= 10, "the service goes first"
    before = int(listed(folder / "run")[0][0])
    with (folder / "rows.csv").open("a") as file:
        file.write(lines(400, seed=width))
    opened.get_by_text(f"{before + 400:,}").first.wait_for(timeout=PATIENCE * 1000)
    assert opened.evaluate(INSIDE)
    # back in time, on the page alone
    opened.get_by_role("slider", name="Position in the stream").focus()
    opened.keyboard.press("Home")
    opened.get_by_text("waiting for rows").first.wait_for(state="hidden", timeout=PATIENCE * 1000)
    opened.close()
    with (folder / "rows.csv").open("a") as file:
        file.write(lines(200, seed=width + 1))
    end = time.monotonic() + PATIENCE
    while listed(folder / "run")[0][0] < before + 600:
        assert process.poll() is None
        assert time.monotonic() < end, "the service goes on"
        time.sleep(0.05)
    assert server.faults()[faults:] == []
