"""A headless Chromium and a server in a process of its own, for as long as a benchmark looks at them."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from benchmarks.harness import ROOT, NoBrowser

__all__ = [
    "LISTEN", "MONITOR", "PLAYABLE", "Server", "chromium", "flat_out", "free_port", "monitor_on",
    "served", "tab",
]  # fmt: skip

START_TIMEOUT_S = 60.0
MONITOR = ("-c", "from streamlab.cli import main; main()", "monitor", "--port", "{port}", "--address", "127.0.0.1")
"""The command that users give."""
LISTEN = """node => {
    window.latencies = [];
    let clicked;
    node.addEventListener("click", (event) => { clicked = event.timeStamp; }, {capture: true});
    new MutationObserver(() => requestAnimationFrame(() => {
        if (node.ariaLabel === "Play") window.latencies.push(performance.now() - clicked);
    })).observe(node, {attributes: true, attributeFilter: ["aria-label"]});
}"""
"""Of the button: from the browser's own time of a click to the first frame in which it says Play again."""
PLAYABLE = ".sl-play:not([disabled])"


@contextmanager
def chromium() -> Iterator[Any]:
    """Open a headless Chromium; yields Playwright's browser.

    Raises
    ------
    NoBrowser
        If Playwright or Chromium is missing.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("this benchmark takes playwright: the extra test has it") from None
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise NoBrowser("this benchmark takes a Chromium on PATH, or one that CHROMIUM names")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def tab(
    browser: Any,
    url: str = "",
    *,
    width: int = 1400,
    height: int = 900,
    timeout_s: float = 60.0,
    ready: str = PLAYABLE,
    script: str = "",
    errors: list[str] | None = None,
    **context: Any,
) -> Iterator[Any]:
    """Open a page in a context of its own, and yield it once an element is there.

    Parameters
    ----------
    url
        What it opens; "": nothing yet.
    timeout_s
        The page's patience.
    ready
        The selector of the element; "": it is not waited for.
    script
        What runs before the page's own scripts.
    errors
        Gets what the page's console has of errors.
    context
        Further options of Playwright's context.
    """
    own = browser.new_context(viewport={"width": width, "height": height}, **context)
    # a run that is measured or pictured does not pause for a question
    own.add_cookies([{"name": "streamlab_asks", "value": "off", "domain": "127.0.0.1", "path": "/"}])
    page = own.new_page()
    page.set_default_timeout(1000 * timeout_s)
    if script:
        page.add_init_script(script)
    if errors is not None:
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        if url:
            page.goto(url)
            if ready:
                page.wait_for_selector(ready)
        yield page
    finally:
        own.close()


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(
    *command: str, cwd: Path = ROOT, output: IO[str] | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Start Python with a command, in which ``{port}`` stands for a free port; yields the address once it answers.

    Parameters
    ----------
    cwd
        The folder that it begins in.
    output
        Where it writes; None: where this process does.
    environment
        Variables that it has beside those of this process.

    Raises
    ------
    TimeoutError
        If it does not answer in a minute.
    """
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, *(word.format(port=port) for word in command)], cwd=cwd, stdout=output, stderr=output,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                urllib.request.urlopen(f"{address}/favicon.ico").close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise TimeoutError(f"{' '.join(command)} does not answer") from None
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


class Server:
    """A server of ``benchmarks.served``, asked for what it costs."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str) -> bytes:
        with urllib.request.urlopen(self.address + path, timeout=START_TIMEOUT_S) as answer:
            return answer.read()

    def cost(self, collect: bool = False) -> dict[str, float]:
        """Memory, threads, players, sessions and CPU seconds; ``collect``: after the collector has run."""
        return json.loads(self.ask("/cost?collect=1" if collect else "/cost"))

    def until(self, condition: Callable[[dict[str, float]], bool], timeout_s: float = 300) -> dict[str, float]:
        """Return the cost when the condition holds; raises TimeoutError if that does not come."""
        deadline = time.monotonic() + timeout_s
        while not condition(cost := self.cost()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not reached in {timeout_s} s: {cost}")
            time.sleep(0.05)
        return cost


@contextmanager
def monitor_on(stream: str, n_rows: int, most_pages: int = 20) -> Iterator[Server]:
    """Serve the monitor on a long stream, to so many pages at once, and yield the server."""
    command = ("-m", "benchmarks.served", "{port}", stream, str(n_rows))
    limits = {"STREAMLAB_MOST_PAGES": str(most_pages)}
    with (
        open(os.devnull, "w", encoding="utf-8") as quiet,
        served(*command, output=quiet, environment=limits) as address,
    ):
        yield Server(address)


def flat_out(page: Any) -> None:
    """Play as fast as it goes, and wait until the first rows are shown."""
    page.get_by_label("Speed").select_option(label="flat out")
    page.click(".sl-play")
    page.wait_for_function("window.__streamlab_transport.stats().position > 0")
