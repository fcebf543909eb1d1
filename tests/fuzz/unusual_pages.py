"""What seldom comes to pages: many tabs at top speed, two uploads at once, and uploads that unpack to gigabytes.

``python -m tests.fuzz unusual_pages [--what uploads tabs] [--tabs 30] [--seconds 30] [--cycles 2] [--n 40] [--seed 1]``

- uploads: two pages take files piece by piece at the same time, of which some are bombs: packed zeros, lines without an
  end, lists within lists, archives of runs that unpack to gigabytes. Each file runs, its columns are asked for, or it
  is refused in a sentence; the other page is not disturbed, and the process takes at most 600 MB more.
- tabs: ``--tabs`` tabs of the monitor play flat out in headless Chromium for ``--seconds``, then are closed; so
  ``--cycles`` times. Then no session, player or thread is left, and the memory is that of the first cycle's end.
"""

from __future__ import annotations

import gzip
import io
import random
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil

from benchmarks.harness import Sheet, asked, console
from tests.fuzz.trials import most_memory

__all__ = ["main"]

MOST_MEGABYTES = 600.0
MORE_MEGABYTES = 100.0
PATIENCE_S = 900.0
PIECE = 1 << 16
TABLE = b"id,a,b,genre\n" + b"".join(b"%d,%d,%d,%s\n" % (i, i, i % 7, b"rock" if i % 2 else b"pop") for i in range(400))


def _zeros(n: int, name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file, file.open(name, "w", force_zip64=True) as member:
        for _ in range(n):
            member.write(bytes(1 << 20))
    return out.getvalue()


def _gzip(head: bytes, body: bytes, times: int) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
        file.write(head)
        for _ in range(times):
            file.write(body)
    return out.getvalue()


def bombs() -> dict[str, bytes]:
    """Return files by name that are small and large when they are read."""
    row = b"1,2,3,rock\n" * 100_000
    return {
        "zeros.csv.gz": _gzip(b"", bytes(1 << 20), 3000),
        "line.csv.gz": _gzip(b"a,b\n", b"1" * (1 << 20), 2000),
        "rows.csv.gz": _gzip(b"id,a,b,genre\n", row, 1500),
        "columns.csv.gz": _gzip(b"", b"a," * (1 << 19), 200),
        "rows.arff.gz": _gzip(
            b"@relation r\n@attribute x numeric\n@attribute l {0,1}\n@data\n", b"1,0\n" * 250_000, 1500
        ),
        "column.svm": b"1 2000000000:1\n" * 1000,
        "words.csv": b"a,genre\n" + b"".join(b"w%d,t%d\n" % (i, i) for i in range(200_000)),
        "quoted.csv": b'a,b\n"' + b"x\n" * 500_000,
        "run.slab": _zeros(2000, "arrays.json"),
        "lists.slab": _zeros(1, "x") + b"[" * 100_000,
        "p.parquet": b"PAR1" + b"\0" * 1000 + struct.pack("<I", 2**31) + b"PAR1",
    }


class Page:
    """A page without a browser: what it loads, it has loaded or refused before it hears of anything else."""

    def __init__(self) -> None:
        from streamlab.views.page.monitor import Monitor

        self.page = Monitor("yeast")
        self.own = self.page.own_data

    def pieces(self, name: str, content: bytes) -> Iterator[None]:
        """Send a file, and start with what is guessed of its columns; yield between its pieces."""
        self.own.upload._handle_msg({"kind": "files", "upload": 1, "files": [[name, len(content)]]})
        for at in range(0, len(content), PIECE):
            yield
            self.own.upload._handle_msg({"kind": "piece", "upload": 1, "data": content[at : at + PIECE]})
        yield
        if self._asked.get("ready"):
            self.own.dialog._handle_msg({"kind": "command", "name": "start", "value": None})

    @property
    def _asked(self) -> dict[str, Any]:
        return self.own.dialog.packed or {}

    @property
    def answer(self) -> str:
        """What has become of the file: ``"runs"``, ``"asks"``, or why it was refused; "" for none of it."""
        if isinstance(self.page._running, Path):
            return "runs"
        note = self.page.note
        against = (note.object if note.visible else "") or self._asked.get("error", "")
        return against or ("asks" if self._asked.get("open") and not self._asked["ready"] else "")


def uploads(n: int, seed: int) -> Iterator[str]:
    draw, files = random.Random(seed), bombs()
    process = psutil.Process()
    for _ in range(n):
        pair = [(name, files[name]) for name in draw.sample(sorted(files), 2)]
        if draw.random() < 0.5:
            pair[0] = ("m.csv", TABLE)
        two = Page(), Page()
        before, most, begun = process.memory_info().rss, most_memory(), time.monotonic()
        wrong = ""
        try:
            waiting = [each.pieces(*file) for each, file in zip(two, pair, strict=True)]
            while waiting:
                which = draw.choice(waiting)
                if next(which, "over") == "over":
                    waiting.remove(which)
            for each, (name, _) in zip(two, pair, strict=True):
                answer = each.answer
                if name == "m.csv" and answer != "runs":
                    wrong = f"the table beside {pair[1][0]} does not run: {answer}"
                elif not answer or "\n" in answer:
                    wrong = f"{name}: neither shown nor refused in a sentence: {answer!r}"
        except Exception as error:
            wrong = f"{pair[0][0]} and {pair[1][0]}: {type(error).__name__}: {error}"
        finally:
            for each in two:
                each.page.close()
        spent = time.monotonic() - begun
        grown = ((most_memory() if most_memory() > most else process.memory_info().rss) - before) / 1e6
        if grown > MOST_MEGABYTES:
            wrong = wrong or f"{pair[0][0]} and {pair[1][0]} take {grown:,.0f} MB"
        if spent > 120:
            wrong = wrong or f"{pair[0][0]} and {pair[1][0]} take {spent:.0f} s"
        yield wrong


def tabs(n: int, seconds: float, cycles: int) -> Iterator[str]:
    from benchmarks.browser import chromium, flat_out, monitor_on, tab

    sheet = Sheet(
        "tabs",
        ("cycle", "s, all open", "s, all play", "rows a tab and second", "MB, most", "MB, closed", "MB, a minute later",
         "sessions", "players", "threads"),
    )  # fmt: skip
    ends: list[float] = []
    with monitor_on("syn-branches", 1_000_000_000, n) as server, chromium() as browser:
        for cycle in range(cycles):
            before, begun, most = server.cost(collect=True), time.monotonic(), 0.0
            with ExitStack() as open_tabs:
                address = f"{server.address}/long"
                pages = [open_tabs.enter_context(tab(browser, address, timeout_s=PATIENCE_S)) for _ in range(n)]
                opened = time.monotonic()
                console.print(f"cycle {cycle + 1}: {n} tabs are open after {opened - begun:.0f} s")
                for page in pages:  # all are open before the first takes the processors
                    flat_out(page)
                playing = time.monotonic()
                console.print(f"cycle {cycle + 1}: they play after {playing - opened:.0f} s more")
                first = [_position(page) for page in pages]
                while time.monotonic() < playing + seconds:  # so crowded a server takes seconds for an answer
                    most = max(most, server.cost()["rss"] / 1e6)
                    time.sleep(1)
                last = [_position(page) for page in pages]
                spent = time.monotonic() - playing
                console.print(f"cycle {cycle + 1}: rows shown after {spent:.0f} s: {sorted(last)}")
            try:
                server.until(lambda cost: not cost["sessions"] and not cost["players"], 120)
            except TimeoutError as error:
                yield f"sessions or players are left: {error}"
            closed = server.cost(collect=True)["rss"] / 1e6
            time.sleep(60)
            gone = server.cost(collect=True)
            ends.append(gone["rss"] / 1e6)
            played = [(now - then) / spent for now, then in zip(last, first, strict=True)]
            sheet.add(
                str(cycle + 1), f"{opened - begun:.0f}", f"{playing - opened:.0f}",
                f"{min(played):,.0f} to {max(played):,.0f}", f"{most:,.0f}", f"{closed:,.0f}", f"{ends[-1]:,.0f}",
                *(f"{gone[key]:.0f}" for key in ("sessions", "players", "threads")),
            )  # fmt: skip
            for rows in played:
                yield "" if rows > 0 else "a tab stands still"
            if cycle and gone["threads"] > before["threads"] + 2:
                yield f"{gone['threads'] - before['threads']:.0f} threads are left"
    sheet.show()
    if ends[-1] > ends[0] + MORE_MEGABYTES:
        yield f"the memory grows: {', '.join(f'{each:,.0f}' for each in ends)} MB"


def _position(page: Any) -> int:
    """The rows that a tab shows."""
    return int(page.evaluate("window.__streamlab_transport.stats().position"))


def main(options: list[str] | None = None) -> int:
    given = asked(
        "tests.fuzz unusual_pages", options, what=["uploads", "tabs"], tabs=30, seconds=30.0, cycles=2, n=40, seed=1
    )
    tried: dict[str, Callable[[], Iterator[str]]] = {
        "uploads": lambda: uploads(given.n, given.seed),
        "tabs": lambda: tabs(given.tabs, given.seconds, given.cycles),
    }
    n_wrong = 0
    for what in given.what:
        found = list(tried[what]())
        wrong = [each for each in found if each]
        n_wrong += len(wrong)
        console.print(f"{what}: {len(found)} tries, {len(wrong)} wrong")
        for each in sorted(set(wrong))[:20]:
            console.print(f"  {each[:300]}", markup=False)
    return int(n_wrong > 0)
