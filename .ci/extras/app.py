"""Serve the pages, and wait in a browser until the monitor has drawn its first frame."""

import asyncio
import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tornado.websocket import websocket_connect

PATIENCE = 300
# the texts and the drawings of a page, those within components too
SHOWN = """
(() => {
  let text = "", drawings = 0;
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE && !/^(STYLE|SCRIPT)$/.test(node.parentNode.tagName)) text += " " + node.data;
    if (node.tagName === "svg" && node.querySelectorAll("*").length > 20) drawings += 1;
    for (const child of [...(node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes]) walk(child);
  };
  walk(document.body);
  return [text, drawings];
})()
"""


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def asked(address: str) -> bytes:
    """Return what is at an address, once its server answers."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return urllib.request.urlopen(address).read()
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


async def first_frame(debugging: int) -> int:
    """Return how many pictures the page shows, once they are of 300 rows."""
    pages = json.loads(asked(f"http://127.0.0.1:{debugging}/json"))
    page = await websocket_connect(next(each for each in pages if each["type"] == "page")["webSocketDebuggerUrl"])
    until = time.monotonic() + PATIENCE
    while True:
        question = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": SHOWN, "returnByValue": True}}
        await page.write_message(json.dumps(question))
        text, drawings = json.loads(await page.read_message())["result"]["result"].get("value") or ("", 0)
        if drawings and re.search(r"\b300\b", text):
            return drawings
        assert time.monotonic() < until, f"no frame came: {drawings} drawings, {text[:2000]!r}"
        await asyncio.sleep(1)


at, debugging, log = free_port(), free_port(), Path("server.log")
server = subprocess.Popen(["streamlab", "monitor", "--port", str(at)], stdout=log.open("w"), stderr=subprocess.STDOUT)
browser = None
try:
    for name in ("", "stream_monitor", "drift_lab"):
        assert b"streamlab" in asked(f"http://127.0.0.1:{at}/{name}")
    browser = subprocess.Popen(
        [shutil.which("chromium") or "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--user-data-dir=browser", f"--remote-debugging-port={debugging}",
         f"http://127.0.0.1:{at}/stream_monitor"],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    drawings = asyncio.run(first_frame(debugging))
finally:
    for process in (browser, server):
        if process is not None:
            process.terminate()
            process.wait()
said = log.read_text()
if "Traceback" in said or "ERROR" in said:
    sys.exit(said)
print(f"the pages answer; the first frame of the monitor has {drawings} drawings")  # noqa: T201
