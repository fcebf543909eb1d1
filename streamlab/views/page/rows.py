"""Rows as a page shows them: the first of a stream, and the latest one with every learner's answer and its sound."""

from __future__ import annotations

import io
import math
import wave
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab._checks import counted
from streamlab.lab import Run
from streamlab.lab.frame import ReadingFailed
from streamlab.streams import Stream
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import as_html, shown
from streamlab.views.timeline.bands import styles_of

WITHOUT_DATA = "<p>The data of this run are missing: you can look at the run, but it cannot continue.</p>"
MOST_HEAD, MOST_CELL, MOST_CARRIED = 30, 24, 30


def first_rows_html(stream: Stream, table: Any) -> str:
    """Return the first rows as HTML: at most six features, and the labels that each row carries.

    Parameters
    ----------
    stream
        Where they come from.
    table
        What its ``preview`` returned; None: the data are not here.
    """
    if table is None:
        return WITHOUT_DATA
    schema = stream.schema
    rows = "unknown length" if stream.n_rows is None else counted(stream.n_rows, "instance")
    shown = [column for column in table.columns if column[0] == "feature"][:6]
    head = "".join(f"<th>{as_html(name, MOST_HEAD)}</th>" for _, name in shown)
    body = ""
    for _, row in table.iterrows():
        cells = "".join(f"<td>{as_html(_brief(row[column]), MOST_CELL)}</td>" for column in shown)
        carried = [label for label in schema.labels if row["label", label]]
        names = ", ".join(as_html(label) for label in carried[:MOST_CARRIED]) or "–"
        body += f"<tr><td class='labels'>{names}</td>{cells}</tr>"
    more = schema.n_features - len(shown)
    unseen = f" ({counted(more, 'more feature')})" if more > 0 else ""
    return (
        f"<p>{rows}, {counted(schema.n_features, 'feature')}, {counted(schema.n_labels, 'label')}. First rows"
        f"{unseen}:</p>"
        f"<div tabindex='0' role='region' aria-label='First rows'>"
        f"<table><tr><th>labels</th>{head}</tr>{body}</table></div>"
    )


def _brief(value: Any) -> str:
    if value is None or value != value:
        return "?"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


FIRST_ROWS_STYLE = """
:host{font:12px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
p{margin:6px 0}div{overflow-x:auto;max-width:100%}table{border-collapse:collapse}
th,td{padding:2px 8px 2px 0;text-align:right;white-space:nowrap;font-weight:400}th{opacity:.75}
th:first-child,.labels{text-align:left;max-width:150px;overflow:hidden;text-overflow:ellipsis}
"""


MOST_VALUES = 60
"""Maximum number of values of a row that are shown: the largest ones."""
MOST_LABELS = 60
MOST_TITLE = 200


@dataclass(frozen=True)
class LatestRow:
    """The last row that a run has passed; nothing in it is shared with the run.

    Parameters
    ----------
    row
        Its position in the stream, counted from 0.
    title
        What people call it, or "".
    stream
        The run's stream, which is asked for the sound.
    truth
        Names of its labels.
    answers
        By learner the names of the labels that it answered; None where it did not.
    values
        Names of features and their values as texts.
    told
        How many of the features these are, and what the others hold.
    """

    row: int
    title: str
    stream: Stream
    truth: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...] | None]
    values: tuple[tuple[str, str], ...]
    told: str


def read_latest(run: Run) -> LatestRow | None:
    """Return the last row that a run has passed, or None before the first: a reader of ``FrameMaker.choose``.

    Call it on the thread that owns the run.
    """
    if run.last is None or run.position == 0:
        return None
    X, Y = run.last
    row, schema = run.position - 1, run.stream.schema
    values, told = _values(run, X)
    answers = {
        name: None
        if each.last_labels is None
        else tuple(schema.labels[j] for j in np.flatnonzero(each.last_labels) if j < schema.n_labels)
        for name, each in run.learner_runs.items()
    }
    truth = tuple(schema.labels[j] for j in np.flatnonzero(Y))
    return LatestRow(row, run.stream.title_of(row), run.stream, truth, answers, values, told)


def _values(run: Run, X: Any) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return what a row holds, as names and texts, and a sentence about what is left out."""
    features = run.stream.schema.features
    n = len(features)
    if hasattr(X, "indices"):
        places, numbers = X.indices.astype(np.int64), X.data
        rest = "the others are 0"
    else:
        numbers = np.asarray(X, np.float64).ravel()
        places = np.arange(len(numbers))
        rest = "the others are closer to 0"
        if len(numbers) > MOST_VALUES:
            kept = np.flatnonzero(numbers != 0)
            rest = "the others are 0" if len(kept) <= MOST_VALUES else rest
            places, numbers = kept, numbers[kept]
    if len(places) > MOST_VALUES:
        largest = np.sort(np.argsort(-np.abs(np.nan_to_num(numbers)), kind="stable")[:MOST_VALUES])
        places, numbers, rest = places[largest], numbers[largest], "the others are closer to 0"
    found = []
    for j, value in zip(places.tolist(), numbers.tolist(), strict=True):
        feature = features[j]
        if math.isnan(value):
            text = "missing"
        elif feature.categories is not None and 0 <= int(value) < len(feature.categories):
            text = shown(feature.categories[int(value)])
        else:
            text = f"{value:.5g}"
        found.append((shown(feature.name), text))
    told = f"{n:,} features" if len(found) == n else f"{len(found):,} of {n:,} features; {rest}"
    return tuple(found), told


def wav_of(sound: np.ndarray, rate: int) -> bytes:
    """Return a sound as a WAV file of 16 bits, one channel.

    Parameters
    ----------
    sound
        Array of shape (n,) in [-1, 1]; what lies outside is cut off.
    rate
        Samples a second.
    """
    samples = np.round(np.clip(np.asarray(sound, np.float64), -1.0, 1.0) * 32767).astype("<i2")
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return written.getvalue()


class LatestRowPane(FrameComponent):
    """Shows the latest row; where the stream's rows can be heard, a button plays it, and nothing else does."""

    _bundle = bundled("latest_row")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._latest: LatestRow | None = None

    def show(self, latest: LatestRow | ReadingFailed | None) -> None:
        """Draw what ``read_latest`` returned; on the document's thread."""
        if isinstance(latest, ReadingFailed):
            self._latest = None
            self._show({"error": f"The row cannot be shown: {shown(latest.message, 300)}"})
            return
        if latest is None or (self._latest is not None and _same(latest, self._latest)):
            return
        self._latest = latest
        styles = styles_of(latest.answers)
        truth = set(latest.truth)
        self._show(
            {
                "error": "",
                "row": latest.row,
                "title": shown(latest.title, MOST_TITLE),
                "has_sound": latest.stream.has_sound,
                "truth": [shown(label) for label in latest.truth[:MOST_LABELS]],
                "more": max(0, len(latest.truth) - MOST_LABELS),
                "answers": [
                    {
                        "name": shown(name),
                        "colour": styles[name][0],
                        "labels": None
                        if labels is None
                        else [[shown(label), label in truth] for label in labels[:MOST_LABELS]],
                        "missed": [shown(each) for each in latest.truth if labels is not None and each not in labels],
                    }
                    for name, labels in latest.answers.items()
                ],
                "values": [list(pair) for pair in latest.values],
                "told": latest.told,
            }
        )

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") != "sound":
            super()._handle_msg(data)
            return
        latest, row = self._latest, data.get("row")
        # the row that is heard is one that was shown: the run may have gone on since the click
        if latest is None or isinstance(row, bool) or not isinstance(row, int) or not 0 <= row <= latest.row:
            self._refusals.report("a row to hear", data)
            return
        # the first sound may compile kernels: neither the page nor the run waits for it
        self._answer(lambda: _sound(latest.stream, row))


def _same(first: LatestRow, second: LatestRow) -> bool:
    return first.row == second.row and first.stream is second.stream and first.answers == second.answers


def _sound(stream: Stream, row: int) -> dict[str, Any]:
    """Return the message that plays a row."""
    try:
        sound, rate = stream.sound(row)
        return {"kind": "sound", "row": row, "wav": wav_of(sound, rate), "error": ""}
    except Exception as error:  # a stream of another package may raise anything
        return {"kind": "sound", "row": row, "wav": b"\0", "error": shown(str(error) or type(error).__name__, 300)}
