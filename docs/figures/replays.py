"""The replays of the gallery and of the pages on learners, and the pictures taken of them in a browser."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlab as sl
from benchmarks.browser import chromium, tab
from streamlab.views.hosting.replay_page import export_html
from streamlab.views.recording import record

__all__ = ["DARK", "LESSONS", "REPLAYS", "SHOTS", "record_all", "take"]

MOST_BYTES = 760_000
"""Of a replay: pages on a telephone load it as well."""
DARK = "-dark"
"""How the file of a picture in the dark theme ends."""
WORDS_MS = 600
"""The words beside a picture are written at most four times a second: they follow its rest."""
AT_REST = """part => {
    return [...document.querySelectorAll(`${part} .sl-place-of`)].every(node => {
        const name = Object.keys(node).find(key => key.endsWith("_stats"));
        if (!name) return false;
        const { waiting, moving, frames_received, frames_drawn } = node[name]();
        return !waiting && !moving && frames_received > 0 && frames_drawn > 0;
    });
}"""
"""The pictures in a part of the page have drawn the playhead's entry, and nothing in them moves."""


HIDDEN = ".sl-transport-area, .sl-search, .sl-zoom, .sl-paper, .sl-slot details { display: none !important }"
"""What pictures do without: that which can only be pressed."""


@dataclass(frozen=True)
class Replay:
    """A run, the parts of it that are recorded as (rows or None for all, entries), and the title of its page."""

    make: Callable[[], sl.Run]
    parts: tuple[tuple[int | None, int], ...]
    title: str


def demonstration() -> sl.Run:
    forgetless = sl.SMART(half_life=math.inf, seed=1)
    learners = {"SMART": sl.SMART(seed=1), "SMART without fading": forgetless, "no-change": sl.NoChange()}
    return sl.Run("yeast-rotated", learners, alarms="label")


def trees() -> sl.Run:
    return sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1), "HedgedMLHAT": sl.HedgedMLHAT(seed=1)})


def forest() -> sl.Run:
    learners = {
        "SMART": sl.SMART(n_trees=8, seed=1),
        "SMART without fading": sl.SMART(n_trees=8, half_life=math.inf, seed=1),
    }
    return sl.Run("yeast-rotated", learners)


def tree() -> sl.Run:
    return sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1)})


def hedged() -> sl.Run:
    return sl.Run("syn-branches", {"HedgedMLHAT": sl.HedgedMLHAT(seed=1)})


def plain() -> sl.Run:
    return sl.Run("syn-branches", {"MLHT": sl.MLHT()})


def ensemble() -> sl.Run:
    return sl.Run("yeast-rotated", {"ML-BELS": sl.MLBELS(seed=1)})


def memory() -> sl.Run:
    return sl.Run("yeast-rotated", {"ARkNN": sl.ARkNN(), "MLSAMPkNN": sl.MLSAMPkNN()})


def hierarchy() -> sl.Run:
    return sl.Run("instruments", {"HierarchicalKNN": sl.HierarchicalKNN(reliability=0.02), "FlatKNN": sl.FlatKNN()})


def projection() -> sl.Run:
    balanced = sl.StandardScaler() | sl.BalancedLDA(half_life=400) | sl.BalancedKNN(seed=1)
    return sl.Run("yeast", {"Balanced neighbours": balanced, "ML-KNN": sl.MLKNN()})


def labels() -> sl.Run:
    stream = sl.vanish_label(sl.swap_labels(sl.load("yeast"), "Class12", "Class9", at=800), "Class1", at=1600)
    return sl.Run(stream, {"ML-KNN": sl.MLKNN(), "no-change": sl.NoChange()})


def timeline() -> sl.Run:
    stream = sl.feature_noise(sl.rotate_labels(sl.load("yeast"), at=800), at=1600, strength=2)
    learners = {"SMART": sl.SMART(n_trees=3, seed=1), "no-change": sl.NoChange(), "majority": sl.MajorityLabels()}
    return sl.Run(stream, learners, alarms="label")


REPLAYS = {
    "forest": Replay(forest, ((1000, 3), (1417, 22)), "A forest forgets what is out of date"),
    "tree": Replay(tree, ((9900, 12), (1500, 60), (1600, 20)), "MLHAT replaces a branch"),
    "hedged": Replay(hedged, ((9900, 12), (4100, 60)), "HedgedMLHAT: who is trusted, branch or leaf"),
    "plain": Replay(plain, ((4000, 80),), "A plain tree: one label set a leaf"),
    "ensemble": Replay(ensemble, ((2417, 49),), "An ensemble: who answers, since when, and how well"),
    "memory": Replay(memory, ((2417, 49),), "A memory that chooses: who stays, and who answers"),
    "hierarchy": Replay(hierarchy, ((9419, 95),), "Notes on their way down a hierarchy"),
    "projection": Replay(projection, ((2417, 97),), "Classes in two directions, and balanced neighbours"),
    "labels": Replay(labels, ((2417, 97),), "Two labels swap names, and one disappears"),
    "timeline": Replay(timeline, ((2417, 25),), "Two drifts, three learners, and who noticed"),
}


@dataclass(frozen=True)
class Shot:
    """A picture of a replay: the row, the part of its page, the width in pixels."""

    replay: str
    row: int
    part: str = ".sl-pair"
    width: int = 860


SHOTS = {
    "smart": Shot("forest", 1500, width=1000),
    "mlhat": Shot("tree", 10_600),
    "hedged": Shot("hedged", 12_000),
    "mlht": Shot("plain", 1150, width=1000),
    "mlbels": Shot("ensemble", 1500),
    "memory": Shot("memory", 900, ".sl-slot"),
    "hierarchy": Shot("hierarchy", 3300, ".sl-slot"),
    "projection": Shot("projection", 1500),
    "labels": Shot("labels", 1100),
    "timeline": Shot("timeline", 2000, ".sl-timeline"),
}
"""What is taken of each replay, by the file's name."""


LESSONS = {
    "forgetting": Replay(demonstration, ((None, 15),), "SMART forgets, and recovers"),
    "hedged_tree": Replay(trees, ((16_000, 160),), "A branch of two trees is replaced"),
}
"""Those of the first page and of the page on replays, beside the gallery's."""


def record_all(folder: Path, replays: Mapping[str, Replay]) -> dict[str, int]:
    """Write replays into a folder; returns the bytes of each file."""
    sizes = {}
    for name, replay in replays.items():
        run = replay.make()
        views = None
        for rows, entries in replay.parts:
            views = record(run, rows, entries=entries, views=views)
        path = export_html(run, folder / f"{name}.html", views=views, title=replay.title, max_bytes=MOST_BYTES)
        sizes[path.name] = path.stat().st_size
    return sizes


def take(replays: Path, folder: Path, names: list[str]) -> dict[str, int]:
    """Take pictures of the replays in a folder, light and dark; returns the bytes of each file."""
    sizes = {}
    with chromium() as browser:
        for name in names:
            for ending, theme in (("", "light"), (DARK, "dark")):
                path = folder / f"{name}{ending}.png"
                path.write_bytes(smaller(picture(browser, replays, SHOTS[name], theme)))
                sizes[path.name] = path.stat().st_size
    return sizes


def picture(browser: Any, replays: Path, shot: Shot, theme: str) -> bytes:
    """Open a replay in a theme, go to the row, and return what its pictures show there, as PNG."""
    address = (replays / f"{shot.replay}.html").resolve().as_uri()
    options: dict[str, Any] = {"color_scheme": theme, "device_scale_factor": 2, "offline": True}
    with tab(browser, address, width=shot.width, height=1000, ready=".sl-slot canvas", **options) as page:
        page.add_style_tag(content=HIDDEN)
        page.evaluate("row => window.__streamlab_replay.playhead.jump(row)", shot.row)
        part = page.locator(shot.part).first
        part.scroll_into_view_if_needed()
        page.wait_for_function(AT_REST, arg=shot.part)
        page.wait_for_timeout(WORDS_MS)
        return part.screenshot()


def smaller(taken: bytes) -> bytes:
    """Return a PNG in 256 colours, which lines, text and flat areas do not exceed by much."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(256).save(out, "PNG", optimize=True)
    return out.getvalue()
