"""What a page costs and how soon it answers: playing, uploads, drags of the slider, its history, replays in a file."""

from __future__ import annotations

import inspect
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks.browser import LISTEN, PLAYABLE, Server, chromium, flat_out, monitor_on, tab
from benchmarks.harness import CHUNK, Sheet, asked
from benchmarks.served import NUMBERS, stream_of
from streamlab.views.hosting.replay_page import export_html
from streamlab.views.recording import readers_of, record

FADING = """() => {
    const find = (root) => {
        for (const node of root.querySelectorAll("*")) {
            const found = node.__fading_stats ?? (node.shadowRoot && find(node.shadowRoot));
            if (found) return found;
        }
    };
    return {...find(document)(), ...window.__streamlab_transport.stats(), now: performance.now() / 1000};
}"""
POSITION = "window.__streamlab_transport.stats().position"


# ---------------------------------------------------------------------- the monitor


def monitor(options: Sequence[str]) -> None:
    """What the monitor costs: the learner's speed beside a page, pause, frames, pages gone (paints: bars)."""
    quick = asked("monitor", options, quick=False).quick
    sheet = Sheet(f"the monitor, one headless Chromium, {os.cpu_count()} cores", ("", "measured", "allowed"))
    with chromium() as browser:
        with monitor_on(NUMBERS, 30_000 if quick else 600_000) as server:
            # imports, kernels and the browser's code: once, and not part of what is measured
            with tab(browser, f"{server.address}/long", height=1700):
                pass
            if not quick:
                speed(sheet, browser, server, repeats=5, seconds=5.0)
            pause_and_frames(sheet, browser, server, clicks=3 if quick else 15, seconds=0.3 if quick else 10.0)
        with monitor_on(NUMBERS, 30_000) as server:
            with tab(browser, f"{server.address}/stream_monitor"):
                pass
            held(sheet, browser, server, pages=2 if quick else 10)
            come_and_go(sheet, browser, server, pages=2 if quick else 20)
    sheet.show()


def speed(sheet: Sheet, browser: Any, server: Server, repeats: int, seconds: float) -> None:
    """The same run flat out, by turns without a page and with one."""

    def rates() -> dict[str, float]:
        server.until(lambda cost: cost.get("position", 0) > 20_000)
        before, start = server.cost(), time.perf_counter()
        time.sleep(seconds)
        after, stop = server.cost(), time.perf_counter()
        rows = after["position"] - before["position"]
        return {
            "CPU second of the learners": rows / (after["learning"] - before["learning"]),
            "CPU second of the player's thread": rows / (after["thread"] - before["thread"]),
            "second by the clock": rows / (stop - start),
        }

    without, with_page = [], []
    for _ in range(repeats):
        server.ask("/alone?on=1")
        without.append(rates())
        server.ask("/alone?on=0")
        with tab(browser, f"{server.address}/long", height=1700) as page:
            flat_out(page)
            with_page.append(rates())
        server.until(lambda cost: cost["players"] == 0)
    for per in without[0]:
        a, b = (statistics.median(each[per] for each in runs) for runs in (without, with_page))
        what = f"instances per {per}: without a page, with one, ratio"
        sheet.add(what, f"{a:,.0f}  {b:,.0f}  {b / a:.2f}", ">= 0.85" if "learners" in per else "")


def pause_and_frames(sheet: Sheet, browser: Any, server: Server, clicks: int, seconds: float) -> None:
    """From a click on pause until it shows; then the frames a second, flat out."""
    with tab(browser, f"{server.address}/long", height=1700) as page:
        page.locator(".sl-play").evaluate(LISTEN)
        page.get_by_label("Speed").select_option(label="flat out")
        for number in range(clicks):
            before = page.evaluate(POSITION)
            page.click(".sl-play")
            page.wait_for_function(f"{POSITION} > {before}")
            page.click(".sl-play")
            page.wait_for_function(f"window.latencies.length > {number}")
        latencies = sorted(page.evaluate("window.latencies"))
        median, ninth = statistics.median(latencies), latencies[int(0.9 * (len(latencies) - 1))]
        sheet.add(f"pause until it shows, ms: median, 9 of 10 (of {clicks})", f"{median:.0f}  {ninth:.0f}", "<= 200")
        page.click(".sl-play")
        page.wait_for_function("window.__streamlab_transport.stats().state === 'playing'")
        start = page.evaluate(FADING)
        page.wait_for_timeout(1000 * seconds)
        end = page.evaluate(FADING)
        spell = end["now"] - start["now"]
        rates = [end["frames_per_second"]]
        rates += [(end[key] - start[key]) / spell for key in ("frames_received", "frames_drawn")]
        shown = "  ".join(f"{rate:.1f}" for rate in rates)
        sheet.add("frames a second: of the bar; of the pictures, come and drawn", shown, ">= 10")


def held(sheet: Sheet, browser: Any, server: Server, pages: int) -> None:
    """Pages that are open at once, as they open and played for 1,000 rows: what each adds to the server's memory."""
    server.until(lambda cost: cost["sessions"] == 0)
    looks = [server.cost(collect=True)["rss"]]
    with ExitStack() as tabs:
        opened = [tabs.enter_context(tab(browser, f"{server.address}/stream_monitor")) for _ in range(pages)]
        looks.append(server.cost(collect=True)["rss"])
        for page in opened:
            page.get_by_label("Speed").select_option(label="flat out")
            page.click(".sl-play")
            page.wait_for_function(f"{POSITION} > 1000")
            page.click(".sl-play")
        looks.append(server.cost(collect=True)["rss"])
    shown = "  ".join(f"{(look - looks[0]) / pages / 1e6:.1f}" for look in looks[1:])
    sheet.add(f"server's memory a page, MB, {pages} open at once: as they open, 1,000 rows played", shown, "<= 12")


def come_and_go(sheet: Sheet, browser: Any, server: Server, pages: int) -> None:
    """Rounds of pages that come, play and go.

    Threads and live objects return to what one page left. Memory comes to a level in the first round, since the
    allocator cannot give back what is broken up, and further rounds must not raise it.
    """

    def visit() -> None:
        with tab(browser, f"{server.address}/stream_monitor") as page:
            page.click(".sl-play")
            # a page opens with 300 rows played
            page.wait_for_function(f"{POSITION} > 300")

    def gone() -> dict[str, float]:
        server.until(lambda cost: cost["sessions"] == cost["players"] == 0)
        return server.cost(collect=True)

    visit()
    looks = [gone()]
    for _ in range(3):
        for _ in range(pages):
            visit()
        looks.append(gone())
    where = f"before, after {pages}, {2 * pages}, {3 * pages} pages"
    # one page may still be held: Panel remembers the document it worked on last
    for key, unit, allowed in (("threads", 1, "no more"), ("objects", 1e3, "+ 10 %"), ("rss", 1e6, "+ 5 % on 2nd")):
        words = {"threads": "threads", "objects": "live objects, thousands", "rss": "server's memory, MB"}[key]
        sheet.add(f"{words}: {where}", "  ".join(f"{look[key] / unit:,.0f}" for look in looks), allowed)


# ---------------------------------------------------------------------- a file of one's own

N_FEATURES, N_LABELS, PIECE_ROWS = 90, 10, 2000


def write_table(path: Path, megabytes: float) -> int:
    """Write a CSV file of numbers and labels of 0 and 1; returns how many rows it has."""
    rng = np.random.default_rng(1)
    names = [*(f"f{j}" for j in range(N_FEATURES)), *(f"label_{j}" for j in range(N_LABELS))]
    rows = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        while file.tell() < megabytes * 1e6:
            X = rng.normal(size=(PIECE_ROWS, N_FEATURES))
            form = ["%.6f"] * N_FEATURES + ["%d"] * N_LABELS
            np.savetxt(file, np.hstack([X, X[:, :N_LABELS] > 0.5]), form, delimiter=",")
            rows += PIECE_ROWS
    return rows


def upload(options: Sequence[str]) -> None:
    """A file of 100 MB brought to a learner by clicks: until its rows are shown, it is read, and learned from."""
    given = asked("upload", options, megabytes=100)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder) / "large.csv"
        rows = write_table(path, given.megabytes)
        title = f"{path.stat().st_size / 1e6:,.0f} MB, {rows:,} rows, by clicks"
        sheet = Sheet(title, ("", "seconds", "processor's, server", "server's memory, MB"))
        with (
            monitor_on(NUMBERS, 1000) as server,
            tab(browser, f"{server.address}/stream_monitor", timeout_s=300) as page,
        ):
            opener = page.get_by_role("button", name="A stream of your own", exact=True)
            if opener.get_attribute("aria-expanded") != "true":
                opener.click()
            before, began = server.cost(), time.perf_counter()

            def show(what: str) -> None:
                now = server.cost()
                spent, grown = now["cpu"] - before["cpu"], (now["rss"] - before["rss"]) / 1e6
                sheet.add(what, f"{time.perf_counter() - began:.1f}", f"{spent:.1f}", f"{grown:+.0f}")

            page.get_by_label("Upload a stream").set_input_files(path)
            page.locator(".sl-upload .sl-going").wait_for()
            show("progress is shown")
            talk = page.locator("dialog.sl-own")
            talk.get_by_role("heading", name=path.name).wait_for()
            show("it is there, and its first rows are shown")
            page.evaluate("window.__streamlab_transport.left = true")
            talk.get_by_role("button", name="Start").click()
            page.wait_for_function("!window.__streamlab_transport.left")
            page.wait_for_selector(PLAYABLE)
            show("it is read and a run begins")
            page.get_by_role("button", name="Step one chunk", exact=True).click()
            page.wait_for_function(f"{POSITION} === 100")
            show("a chunk of it is learned")
    sheet.show()


# ---------------------------------------------------------------------- the past of a run

PAST = ("syn-regions", "movies")
DRAG = """async ([n, from, to, pause]) => {
    const find = (root, wanted) => {
        for (const node of root.querySelectorAll("*")) {
            const found = wanted(node) ?? (node.shadowRoot && find(node.shadowRoot, wanted));
            if (found) return found;
        }
    };
    const slider = find(document, node => node.matches("input[type=range][aria-label^=Position]") ? node : null);
    const stats = find(document, node => node.__fading_stats);
    const end = Number(slider.max), took = [];
    for (let i = 0; i < n; i++) {
        const before = JSON.stringify(stats()), begun = performance.now();
        slider.value = String(Math.round((from + (to - from) * Math.random()) * end));
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        let drawn = false;
        for (let frame = 0; frame < 300 && !drawn; frame++) {
            await new Promise(requestAnimationFrame);
            drawn = JSON.stringify(stats()) !== before;
        }
        took.push(drawn ? performance.now() - begun : Infinity);
        await new Promise(done => setTimeout(done, pause));
    }
    return took;
}"""
"""Set the slider to random positions; milliseconds each time until SMART's picture has drawn another state."""


def drag(options: Sequence[str]) -> None:
    """A drag of the time slider in Chromium: how soon the picture shows the instant under the hand."""
    given = asked("drag", options, streams=list(PAST), rows=100_000, drags=300)
    sheet = Sheet("drags in Chromium", ("stream", "rows played", "drags", "drawn", "median, ms", "99 of 100, ms"))
    with chromium() as browser:
        for name in given.streams:
            with (
                monitor_on(name, given.rows) as server,
                tab(browser, f"{server.address}/long", height=1000, timeout_s=120) as page,
            ):
                flat_out(page)
                page.wait_for_function("window.__streamlab_transport.stats().state === 'finished'")
                page.wait_for_timeout(1000)
                took = sorted(page.evaluate(DRAG, [given.drags, 0.02, 0.98, 60]))
                drawn = sum(math.isfinite(each) for each in took)
                late = took[max(int(0.99 * len(took)) - 1, 0)]
                played = page.evaluate(POSITION)
                sheet.add(name, played, len(took), drawn, f"{took[len(took) // 2]:.0f}", f"{late:.0f}")
    sheet.show()


def lived(stream: Any, learner: str, seed: int, *, history: bool) -> tuple[sl.Run, float]:
    """Let a run go through a stream; returns it, and the processor seconds it took."""
    model = getattr(sl, learner)(seed=seed)
    # as the page has it: alarms of each label, which the plain run has too
    run = sl.Run(stream, {learner: model}, chunk=CHUNK, alarms="label", **({} if history else {"snapshots": 0}))
    readers = readers_of(run)
    at = 0.0
    begun = time.process_time()
    while run.advance(CHUNK):
        if history and time.monotonic() >= at and run.views.wants(run.position):
            took = time.monotonic()
            run.views.add(run.position, {name: read(run) for name, read in readers.items()})
            took = time.monotonic() - took
            at = time.monotonic() + max(0.2, took / 0.03)
    return run, time.process_time() - begun


def time_machine(options: Sequence[str]) -> None:
    """The time machine: how soon a drag is answered and a run stands in its past, and what its history costs."""
    learners = ["SMART", "MLHAT", "HedgedMLHAT"]
    given = asked(
        "time_machine", options, streams=list(PAST), learners=learners, rows=100_000, seeks=30, rounds=3, seed=1
    )  # fmt: skip
    heads = ("speed with history", "learning, s", "snapshots", "MB of them", "views", "MB of them")
    ends = ("drag, ms: 99 of 100", "seek, s: median", "slowest")
    sheet = Sheet(f"{given.rows:,} rows; processor seconds", ("stream", "learner", *heads, *ends))
    for name in given.streams:
        stream = stream_of(name, given.rows, given.seed)
        for learner in given.learners:
            lived(stream_of(name, 500, given.seed), learner, given.seed, history=True)
            with_history, without = [], []
            for _ in range(given.rounds):
                without.append(lived(stream, learner, given.seed, history=False)[1])
                run, seconds = lived(stream, learner, given.seed, history=True)
                with_history.append(seconds)
            rng = np.random.default_rng(given.seed)
            drags = [clocked(run.views.at, int(at), time.perf_counter) for at in rng.integers(0, run.end, 1000)]
            seeks = [clocked(run.seek, int(at), time.process_time) for at in rng.integers(0, run.end, given.seeks)]
            alone, store = statistics.median(without), run._machine.store
            sheet.add(
                name, learner, alone / statistics.median(with_history), alone, len(store), store.n_bytes / 2**20,
                len(run.views), run.views.n_bytes / 2**20, 1000 * float(np.quantile(drags, 0.99)),
                statistics.median(seeks), max(seeks),
            )  # fmt: skip
    sheet.show()


def archive(options: Sequence[str]) -> None:
    """How long it takes to save a run, and to open it: done again from its recipe."""
    learners = ["SMART", "MLHAT", "HedgedMLHAT", "ARkNN", "OnlineLogistic", "NoChange"]
    given = asked("archive", options, learners=learners, rows=100_000, seed=1)
    heads = ("learner", "learning, s", "saving, s", "MB", "opening, s")
    sheet = Sheet(f"syn-regions, {given.rows:,} rows; processor seconds", heads)
    stream = sl.load("syn-regions", n_rows=given.rows, seed=given.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.slab"
        for learner in given.learners:
            kind = getattr(sl, learner)
            seed = {"seed": given.seed} if "seed" in inspect.signature(kind).parameters else {}
            run = sl.Run(stream, {learner: kind(**seed)}, chunk=CHUNK)
            learning = clocked(run.advance, given.rows, time.process_time)
            saving = clocked(run.save, path, time.process_time)
            opening = clocked(sl.Run.open, path, time.process_time)
            sheet.add(learner, learning, saving, path.stat().st_size / 1e6, opening)
    sheet.show()


def clocked(act: Callable[[Any], object], at: Any, clock: Callable[[], float]) -> float:
    """Return the seconds that it takes, such as to go to a row."""
    begun = clock()
    act(at)
    return clock() - begun


# ---------------------------------------------------------------------- replays

JUMP = """async (jumps) => {
    const { playhead } = window.__streamlab_replay, times = [];
    document.querySelector(".sl-pair").scrollIntoView();
    for (let i = 0; i < jumps; i++) {
        await new Promise(requestAnimationFrame);
        const begun = performance.now();
        playhead.seek(Math.floor(Math.random() * playhead.end));
        times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b);
}"""
"""Milliseconds of jumps to places by chance, in order: the page's own work, before the pictures draw."""


def demonstration() -> dict[str, Any]:
    forgetless = sl.SMART(half_life=math.inf, seed=1)
    return {"SMART": sl.SMART(seed=1), "SMART without fading": forgetless, "no-change": sl.NoChange()}


def longer() -> sl.Run:
    """The default demonstration on 10,000 rows of yeast genes, their labels rotated four times."""
    yeast = stream_of("yeast", 10_000)
    return sl.Run(sl.rotate_labels(yeast, at=[2000, 4000, 6000, 8000]), demonstration(), alarms="label")


def trees() -> sl.Run:
    return sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1), "HedgedMLHAT": sl.HedgedMLHAT(seed=1)})


def projected() -> sl.Run:
    balanced = sl.StandardScaler() | sl.BalancedLDA(half_life=400) | sl.BalancedKNN(seed=1)
    return sl.Run("yeast-rotated", {"Balanced neighbours": balanced, "ML-KNN": sl.MLKNN()})


CASES: dict[str, tuple[Callable[[], sl.Run], int | None]] = {
    "the default demonstration, made longer": (longer, None),
    "the default demonstration": (lambda: sl.Run("yeast-rotated", demonstration(), alarms="label"), None),
    "MLHAT and HedgedMLHAT, regions": (trees, 10_000),
    "HierarchicalKNN and FlatKNN, instruments": (
        lambda: sl.Run("instruments", {"HierarchicalKNN": sl.HierarchicalKNN(), "FlatKNN": sl.FlatKNN()}), None,
    ),
    "balanced neighbours and ML-KNN": (projected, None),
}  # fmt: skip
"""What is recorded: a function that makes a run, and rows (None: all)."""


def replay(options: Sequence[str]) -> None:
    """Replays in one HTML file: their size, and how long recording, writing and opening them takes."""
    given = asked("replay", options, keep=None)
    heads = ("", "rows", "entries", "MB", "recorded, s", "written, s", "opened, s", "a jump, ms")
    sheet = Sheet("replays", heads)
    with tempfile.TemporaryDirectory() as spare, chromium() as browser:
        folder = given.keep or Path(spare)
        folder.mkdir(parents=True, exist_ok=True)
        for number, (what, (make, rows)) in enumerate(CASES.items(), 1):
            run = make()
            times = [time.process_time()]
            views = record(run, rows)
            times.append(time.process_time())
            path = export_html(run, folder / f"replay-{number}.html", views=views)
            times.append(time.process_time())
            spent = (f"{seconds:.1f}" for seconds in np.diff(times))
            size = f"{path.stat().st_size / 1e6:.2f}"
            sheet.add(what, run.position, len(views), size, *spent, *in_a_browser(browser, path))
    sheet.show()


def in_a_browser(browser: Any, path: Path) -> tuple[str, str]:
    """Return the median seconds until a file is open, and the median and the 99th of 100 jumps in milliseconds."""
    opened, times = [], []
    for _ in range(5):
        begun = time.perf_counter()
        with tab(browser, path.resolve().as_uri(), ready=".sl-slot canvas", offline=True) as page:
            opened.append(time.perf_counter() - begun)
            times += page.evaluate(JUMP, 200)
    times.sort()
    return f"{statistics.median(opened):.1f}", f"{statistics.median(times):.1f}, {times[len(times) * 99 // 100]:.0f}"
