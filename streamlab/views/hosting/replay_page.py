"""A run as one HTML file that replays it: no server, no address asked, opened from the file system."""

from __future__ import annotations

import json
import logging
import os
import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_count
from streamlab._files import write_whole
from streamlab.lab.history import History
from streamlab.lab.verdict import verdict_of
from streamlab.measures import MEASURES
from streamlab.views.hosting.replay_source import (
    Buffers,
    Recorded,
    Source,
    encoded,
    plain,
    source_of,
    told_along,
)
from streamlab.views.kit.component import FrameComponent, javascript
from streamlab.views.kit.details import STYLE as HELP_STYLE
from streamlab.views.kit.picture import Drawn, Picture
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, shown
from streamlab.views.page.presets import OWN_STREAMS
from streamlab.views.page.screen import GRID
from streamlab.views.page.screen import PAGE as PAGE_OF_GRID
from streamlab.views.recording import key_of
from streamlab.views.timeline.bands import style_of
from streamlab.views.timeline.event_rows import drifts_of, events_of, listed

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.lab.view_log import ViewLog

logger = logging.getLogger("streamlab")

MAX_BYTES = 10_000_000
OWN_OF_PAGE = ("dark", "selected", "pointed", "picture_height")
"""Parameters of a picture's component that the replay's page sets itself."""
FEWEST_ENTRIES = 2
SCREEN = f"{GRID}{PAGE_OF_GRID}".replace(":host", ".sl-screen")
"""The live page's arrangement: its parts stand here in no shadow tree."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="streamlab {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This replay is drawn by JavaScript, which is switched off here.</noscript>
<div id="replay"></div>
<script type="application/octet-stream" id="recorded">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def export_html(
    run: Run,
    path: str | os.PathLike[str],
    *,
    views: ViewLog | None = None,
    title: str | None = None,
    measures: Iterable[str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> Path:
    """Write a run as one HTML file that replays it in a browser, without a server.

    The file holds the curves, the events and what the pictures drew, and the JavaScript of the live page's pictures. It
    asks for no address: a Content-Security-Policy in it forbids that. It is written beside its place and then renamed,
    so that there is the old file or the new one, never a part of one.

    Parameters
    ----------
    run
        The run; it stays where it is. Where a player has it, the player's thread gives what is written, and goes on.
    path
        The file; one that exists is replaced.
    views
        What the pictures drew, as ``recording.record`` returns it; entries beyond the run's position are left out.
        None: the run's own ``views``; where nobody recorded any, the run goes back and through its past once more.
    title
        Of the page, as text. Default: the stream's.
    measures
        Names of ``MEASURES`` that can be chosen, the one shown first in front; default: up to seven that the run has.
    max_bytes
        The file's size at most. Where all entries of ``views`` would exceed it, fewer are kept, evenly spread.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If no instance has passed, for an unknown measure or one without a curve, or if the file would exceed
        ``max_bytes`` even with two entries; no file is written then.
    OSError
        If the file cannot be written.
    """
    if run.position < 1:
        raise ValueError("the run has not begun: there is nothing to replay; call run.advance first")
    checked_count("max_bytes", max_bytes, 1)
    source = source_of(run, views, measures)
    recorded = _drawn(source)
    positions = sorted({at for _, slots, _ in recorded for slot in slots for at in slot.positions})
    head, buffers_of_curves = _head(source, title)
    kept = positions
    while True:
        text = _page(head, buffers_of_curves, recorded, set(kept))
        if len(text) <= max_bytes:
            break
        if len(kept) <= FEWEST_ENTRIES:
            raise ValueError(f"max_bytes={max_bytes:,}: with {len(kept)} entries the replay has {len(text):,} bytes")
        kept = _spread(positions, min(len(kept) - 1, int(len(kept) * 0.93 * max_bytes / len(text))))
    if len(kept) < len(positions):
        logger.info(
            "the replay holds %d of %d entries, so as not to exceed %d bytes", len(kept), len(positions), max_bytes
        )
    write_whole(path, text)
    return Path(path)


def _spread(positions: list[int], n: int) -> list[int]:
    """Return ``n`` of the positions, at least two, evenly spread, the first and the last among them."""
    n = max(FEWEST_ENTRIES, n)
    return [positions[round(i * (len(positions) - 1) / (n - 1))] for i in range(n)]


# ---------------------------------------------------------------------- the parts


def _head(source: Source, title: str | None) -> tuple[dict[str, Any], Buffers]:
    """Return what the page is told beside the pictures, and the buffers of the curves."""
    buffers, measures = Buffers(), source.measures
    texts: dict[str, int] = {}
    names = all_shown(source.learners)
    schema = source.schema
    drifts = drifts_of(source.log, schema.noun)
    starts = [drift["at"] for drift in drifts]
    stream_title = {name: words for words, name in OWN_STREAMS.items()}.get(source.stream, source.stream)
    curves = [
        {
            "positions": buffers.array(each.history.positions, "u4"),
            "values": [buffers.array(each.history.curve(name)) for name in measures],
            "whole": plain([whole[name] for name in measures]) if whole else None,
            "levels": plain([_levels(each.history, name, starts) for name in measures]),
        }
        for each in source.learners.values()
        for whole in [each.history.end_whole(measures, source.chunk)]
    ]
    kinds_of = {name: each.kinds for name, each in source.learners.items()}
    kinds, events, left_out = events_of(source.log, kinds_of, schema.noun)
    head = {
        "version": 1,
        "made_with": f"streamlab {version('streamlab')}",
        "title": shown(stream_title if title is None else title, MOST_MESSAGE),
        "stream": shown(stream_title),
        "rows": source.position,
        "n_rows": source.n_rows,
        "chunk": source.chunk,
        "n_features": int(schema.n_features),
        "n_labels": int(schema.n_labels),
        "learners": [
            dict(zip(("name", "colour", "dash"), (name, *style_of(place)), strict=True))
            for place, name in enumerate(names)
        ],
        "listed": listed(names),
        "measures": [_about(name) for name in measures],
        "curves": curves,
        "drifts": drifts,
        "stories": [_stories(source, name, texts, buffers) for name in measures],
        "texts": [json.loads(text) for text in texts],
        "kinds": kinds,
        "events": plain(events),
        "events_left_out": left_out,
        "help_style": HELP_STYLE,
    }
    return head, buffers


def _levels(history: History, measure: str, starts: list[int]) -> list[float]:
    """Return the level before each drift, as the live page has it."""
    positions, values = history.positions, history.curve(measure)
    before = [max((each for each in starts if each < start), default=None) for start in starts]
    higher = MEASURES[measure].higher_is_better
    return [
        verdict_of(positions, values, row, since=since, higher_is_better=higher).before
        for row, since in zip(starts, before, strict=True)
    ]


def _stories(source: Source, measure: str, texts: dict[str, int], buffers: Buffers) -> dict[str, Any]:
    """Return from which rows on which of ``texts`` is told; new ones are added.

    A text is the drift's mark, then the parts of the sentence, each with the learner's place in the run, -1 for none.
    """
    past = source.pasts[measure]
    names, groups = list(source.learners), list(past.sentence.groups.values())
    at, told = told_along(past)
    written = []
    for each in told:
        parts = [[shown(text), -1 if place is None else names.index(groups[place][0])] for text, place in each.parts]
        written.append(json.dumps([each.mark or "", parts], ensure_ascii=False))
    places = [texts.setdefault(text, len(texts)) for text in written]
    return {"at": buffers.array(at, "u4"), "text": buffers.array(places, "u4")}


def _about(measure: str) -> dict[str, Any]:
    about = MEASURES[measure]
    return {
        "name": measure,
        "title": shown(about.title),
        "words": shown(about.formula, MOST_MESSAGE),
        "higher_is_better": about.higher_is_better,
        "range": plain(about.range),
    }


def _drawn(source: Source) -> list[tuple[Picture, list[Recorded], str | None]]:
    """Return each picture with its packed frames, and its module where the replay's own JavaScript has it not."""
    found = []
    places = {name: place for place, name in enumerate(source.learners)}
    for picture, names in source.pictures:
        try:
            made = [_packed(picture, name, places[name], source) for name in names]
        except Exception:  # a picture of another package may raise anything
            logger.warning("the picture %r is not in the replay", picture.name, exc_info=True)
            continue
        slots = [(slot, module) for slot, module in made if len(slot)]
        if slots:
            own = slots[0][1] == _own_module(picture.name)
            found.append((picture, [slot for slot, _ in slots], None if own else slots[0][1]))
    return found


def _own_module(picture: str) -> str | None:
    try:
        return javascript(picture)
    except FileNotFoundError:
        return None


def _packed(picture: Picture, learner: str, place: int, source: Source) -> tuple[Recorded, str]:
    """Let the picture's component pack every reading of a learner, as it would for the live page."""
    view = picture.view(source.schema)
    if not isinstance(view, FrameComponent):
        raise ValueError(f"its view is {type(view).__name__}; expected a PictureView, whose frames are packed")
    slot = Recorded(place if picture.of_learner else -1)
    key = key_of(picture, learner)
    for entry in source.views:
        reading = entry.readings.get(key)
        if not isinstance(reading, Drawn):
            continue
        try:
            view.show(reading)
        except Exception:
            logger.warning("an entry of %r is not in the replay", key, exc_info=True)
            continue
        frame = view.packed
        assert frame is not None, "a frame was shown"
        parameters = {name: value for name, value in view.set_in_browser.items() if name not in OWN_OF_PAGE}
        slot.add(entry.position, frame, parameters)
    module = view._bundle or view._esm
    return slot, module.read_text(encoding="utf-8") if isinstance(module, Path) else str(module)


def _page(
    head: dict[str, Any], curves: Buffers, recorded: list[tuple[Picture, list[Recorded], str | None]], kept: set[int]
) -> bytes:
    """Return the whole file with the pictures' frames at the positions ``kept``."""
    buffers = curves.copy()
    drawn = [
        {
            "name": picture.name,
            "title": shown(picture.title),
            "help": picture.help,
            "least_width": picture.least_width,
            "linked": [name for name in picture.linked if slots and name in slots[0].names],
            "module": module,
            "slots": [slot.write(kept, buffers) for slot in slots],
        }
        for picture, slots, module in recorded
    ]
    data = encoded({**head, "pictures": drawn}, buffers).decode("ascii")
    script = javascript("replay")
    if re.search("<!--|<script|</script", script, re.IGNORECASE):
        raise ValueError("the replay's JavaScript holds a tag of a script, which would end it")
    # modules of other packages' pictures are loaded out of the file's own data
    loads = " blob:" if any(module is not None for _, _, module in recorded) else ""
    digest = b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'{loads}; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )
    return PAGE.format(
        policy=policy, version=escape(version("streamlab")), title=escape(head["title"]), data=data, script=script,
        style=SCREEN,
    ).encode("utf-8")  # fmt: skip
