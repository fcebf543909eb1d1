"""The story of a run: one live sentence on what happens, and the bar over the curves that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import panel as pn

from streamlab._checks import counted
from streamlab.lab.events import ALARM, DETECTION, RUN_EVENTS, Event
from streamlab.lab.frame import CurveUpdate, Frame
from streamlab.lab.seeds import Band, banded, groups_of
from streamlab.learners import Learner
from streamlab.learners.base.registry import EventKind
from streamlab.measures import MEASURES, Difference, difference_of, recovery_of
from streamlab.measures.recovery import TOGETHER
from streamlab.streams import STREAMS, Stream
from streamlab.views.kit.text import MOST_MESSAGE, as_html, numbered, score_text
from streamlab.views.page.after_drift import MOST_NAMED, Fallen, best_of, changes_sentences, falls_sentence, listed
from streamlab.views.page.asking import Asking
from streamlab.views.page.learner_cards import main_tunable
from streamlab.views.page.screen import at_once
from streamlab.views.page.window import Part
from streamlab.views.timeline.event_rows import as_it_was, is_of_alternate

LATEST_BLOCKS = 5
"""Points of the curves by which it is judged who is ahead now."""
AHEAD = (
    "Best: its mean difference from each other learner, over {}, is more than its noise covers: the 95 % interval of "
    "that mean lies above 0. Who is not behind the best one by so much is level with it."
)
RECENT_SHARE, RECENT_ROWS = 0.05, 100
"""How long an event of a learner is news: a share of the rows so far, and at least this many rows."""


@dataclass(frozen=True)
class StoryText:
    """The text of the story bar: what happened, what follows for the learners, and what to try.

    ``figures``: what the text says, in numbers. ``rule`` says by what the headline tells "best" or "level".
    """

    headline: str
    text: str = ""
    ideas: tuple[str, ...] = ()
    figures: str = ""
    rule: str = ""


class Story:
    """Takes in the frames of a run and tells what happens, by one measure; of several seeds their mean is told."""

    def __init__(self, stream: Stream, learners: Mapping[str, Learner], measure: str, over: str = "chunk") -> None:
        self._schema, self._n_rows = stream.schema, stream.n_rows
        self._name, self._ahead = stream.name, len(stream.drifts)
        self._ending = f"{stream.ending[:1].upper()}{stream.ending[1:]}"
        self._what = STREAMS.load(stream.name).what if stream.name in STREAMS.names() else ""
        self._groups = groups_of(learners)
        self._learners = {group: learners[members[0]] for group, members in self._groups.items()}
        self._kinds: dict[str, Mapping[str, EventKind]] = {name: each.events for name, each in learners.items()}
        self._drifts: list[Event] = []
        self._news: Event | None = None
        self._done: dict[str, dict[str, list[int]]] = {}
        self._alarms: dict[str, int] = {}
        self._latest_alarms: dict[str, int] = {}
        self._began = dict.fromkeys(self._groups, 0)
        self.choose(measure, over)

    def choose(self, measure: str, over: str = "chunk") -> None:
        """Tell another measure; the next frame is expected to hold all points of its curves."""
        self._measure, self._over = measure, over
        self._positions = np.zeros(0, np.int64)
        self._bands: dict[str, np.ndarray] = {name: np.zeros((3, 0)) for name in self._learners}
        self._blocks: dict[str, np.ndarray] = {name: np.zeros(0) for name in self._learners}
        self._end_whole: dict[str, np.ndarray] = {}

    def take(self, frame: Frame) -> None:
        """Take in the points and events of a frame."""
        self._take_points(frame.curves)
        self._began = {
            group: max(frame.learners[name]["began"] for name in members if name in frame.learners)
            for group, members in self._groups.items()
            if set(members) & set(frame.learners)
        }
        if frame.fresh:
            self._drifts, self._news, self._alarms, self._latest_alarms, self._done = [], None, {}, {}, {}
        for event in frame.events:
            if event.kind == "drift" and not event.learner:
                self._drifts.append(event)
                self._news, self._alarms, self._done = None, {}, {}
            elif event.kind == ALARM:
                self._alarms.setdefault(event.learner, event.position)
                self._latest_alarms[event.learner] = event.position
            elif self._is_news(event):
                self._news = event
                if event.kind in self._kinds.get(event.learner, {}) and not is_of_alternate(event):
                    done = self._done.setdefault(event.learner, {})
                    done.setdefault(event.kind, []).append(event.position)

    def _is_news(self, event: Event) -> bool:
        if event.detail.get("rising") is False:
            # that errors fell tells nothing of a drift
            return False
        if event.kind == DETECTION:
            return event.learner in self._kinds and bool(event.detail.get("rising"))
        return event.kind == "tuned" or event.kind in self._kinds.get(event.learner, {}).keys() - {"expert"}

    def _take_points(self, new: CurveUpdate) -> None:
        names = [name for members in self._groups.values() for name in members]
        if not {(self._measure, name) for name in names} <= set(new.values):
            return
        keep = not new.reset
        self._positions = np.concatenate([self._positions[: len(self._positions) * keep], new.positions])
        for group, band in banded({name: new.values[self._measure, name] for name in names}).items():
            old = self._bands[group]
            self._bands[group] = np.hstack([old[:, : old.shape[1] * keep], np.vstack(band)])
        for group, band in banded({name: new.blocks[name] for name in names}).items():
            old = self._blocks[group]
            self._blocks[group] = np.concatenate([old[: len(old) * keep], band.middle])
        whole = {name: np.array([new.end_whole.get((self._measure, name), np.nan)]) for name in names}
        self._end_whole = {group: np.vstack(band) for group, band in banded(whole).items()} if new.end_whole else {}

    def _points(self, position: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the rows and the bands of the points up to a row, one of few rows joined with the point before it."""
        n = int(np.searchsorted(self._positions, position, "right"))
        if self._end_whole and n == len(self._positions):
            ends = self._end_whole
            joined = {name: np.hstack([band[:, : n - 2], ends[name]]) for name, band in self._bands.items()}
            return np.delete(self._positions, n - 2), joined
        return self._positions[:n], {name: band[:, :n] for name, band in self._bands.items()}

    def latest(self, position: int) -> dict[str, Band]:
        """Return the last point of each curve up to a row, by learner; NaN where there is none.

        The curve's end, the card and the sentence all show this one figure. Of several seeds it is their mean, with
        the least and the greatest.
        """
        found = {}
        for name, band in self._points(position)[1].items():
            known = np.flatnonzero(~np.isnan(band[0]))
            found[name] = Band(*(band[:, known[-1]] if len(known) else np.full(3, np.nan)))
        return found

    def levels(self, position: int) -> dict[str, tuple[int, float]]:
        """Return the row of the latest drift up to a row, and each learner's level before it, where that is known."""
        row = next((drift.position for drift in reversed(self._drifts) if drift.position <= position), None)
        if row is None:
            return {}
        found = self._recoveries(row, position)
        return {name: (row, each.level) for name, (each, _) in found.items() if np.isfinite(each.level)}

    def _recoveries(self, row: int, position: int) -> dict[str, Fallen]:
        """Return what a drift at a row did to each learner up to another row, and its points since."""
        positions, bands = self._points(position)
        before = max((drift.position for drift in self._drifts if drift.position < row), default=None)
        higher = MEASURES[self._measure].higher_is_better
        return {
            name: Fallen(
                recovery_of(positions, middle, row, since=before, higher_is_better=higher),
                middle[(positions > row) & ~np.isnan(middle)],
            )
            for name, (middle, _, _) in bands.items()
            # of a fork made since, what its curve shows before is another's
            if self._began.get(name, 0) <= row
        }

    def window(self, position: int) -> str:
        """Return in words which rows the figures of ``latest`` are of: ``"rows 801 to 900"``."""
        points = self._points(position)[0].tolist()
        if not points:
            return "no rows yet"
        first, last = [0, *points][-2:]
        if self._over == "cumulative":
            return f"all {last:,} rows"
        return f"recent rows, at row {last:,}" if self._over == "faded" else f"rows {first + 1:,} to {last:,}"

    # ------------------------------------------------------------------ what is told

    def tell(self, frame: Frame) -> StoryText:
        """Return what there is to say of this frame, which was taken in."""
        if frame.position == 0:
            return self._beginning(frame)
        if not frame.live:
            return StoryText(
                f"You look back at row {frame.position:,}.",
                f"The run has come to row {frame.end:,}. Play goes on from here as it went before; change something, "
                "and a new branch begins. Live returns to the newest row.",
            )
        drifts = [drift for drift in self._drifts if drift.position <= frame.position]
        if frame.state == "finished":
            return self._end(frame, drifts)
        return self._since(drifts, frame) if drifts else self._ranking(frame)

    def _beginning(self, frame: Frame) -> StoryText:
        rows = "an endless stream of rows" if self._n_rows is None else counted(self._n_rows, "row")
        changes = "One change is" if self._ahead == 1 else f"{self._ahead} changes are"
        ahead = f" {changes} built in: watch who falls, and who comes back." if self._ahead else ""
        what = f"{self._what[:1].upper()}{self._what[1:]}. " if self._what else ""
        own = "labels" if self._schema.classes is None else "class"
        return StoryText(
            f"{self._name}: {rows}, {counted(self._schema.n_features, 'feature')}, "
            f"{counted(self._schema.n_labels, self._schema.noun)}.",
            f"{what}Every learner answers rows before it is told their {own}, and then learns.{ahead}"
            f"{'' if frame.state == 'failed' else ' Press Play.'}",
        )

    def _ranking(self, frame: Frame) -> StoryText:
        latest = {name: float(band.middle) for name, band in self.latest(frame.position).items()}
        known = self._ordered(latest)
        if not known:
            return StoryText(f"Row {frame.position:,}: the first answers are being counted.")
        title, window = MEASURES[self._measure].title, self.window(frame.position)
        if len(known) == 1:
            line = f"{title} of {window}: {self._called(known[0])} {score_text(latest[known[0]])}."
            return StoryText(line, self._news_of(frame))
        # in its first block a learner knows nothing yet: that says nothing of who answers better
        began = max((self._began.get(name, 0) for name in known), default=0)
        here = np.flatnonzero((self._positions > began) & (self._positions <= frame.position))[1:][-LATEST_BLOCKS:]
        ahead = self._ahead_of_others(known, latest, {name: values[here] for name, values in self._blocks.items()})
        # while a run plays learners keep their places in a sentence, whoever does better
        named = [name for name in self._learners if name in known[:MOST_NAMED]]
        line = f"{title} of {window}: {', '.join(self._figures(named, latest))}."
        if ahead:
            who = listed(self._called(name) for name in self._learners if name in ahead)
            rows = f"the latest {counted(int(self._positions[here[-1]] - self._positions[here[0] - 1]), 'row')}"
            line = f"{who} {'are level' if len(ahead) > 1 else f'answers {best_of(known)}'} over {rows}. {line}"
        text = " ".join(filter(None, [self._unexplained(frame), self._news_of(frame)]))
        return StoryText(line, text, rule=AHEAD.format(f"those {len(here)} points"))

    def _unexplained(self, frame: Frame) -> str:
        """Tell whose errors rose a short while ago, where nobody knows of a drift: it may be its first sign."""
        alarms = {name: row for name, row in self._latest_alarms.items() if self._is_recent(row, frame)}
        alarms_named = [f"{self._called(name)} at row {row:,}" for name, row in alarms.items()]
        return f"Errors rose by more than chance: alarm of {listed(alarms_named)}." if alarms_named else ""

    def _since(self, drifts: Sequence[Event], frame: Frame) -> StoryText:
        # those that began at one row came together: what was seen since is of all of them
        last = [each for each in drifts if each.position == drifts[-1].position]
        marks, drift = _marks(drifts), last[-1]
        width = max(int(each.detail.get("width", 1)) for each in last)
        when = f"At row {drift.position:,}" if width <= 1 else f"From row {drift.position:,}, over {width:,} rows,"
        what = "; ".join(each.detail.get("about") or each.message.partition(", over")[0] for each in last)
        # one of another package may say nothing but a kind
        says = f"{when} {what}" if drift.detail.get("about") else f"{when.rstrip(',')}: {what}"
        found = self._recoveries(drift.position, frame.position)
        text, figures = falls_sentence(
            {name: each for name, each in found.items() if np.isfinite(each.fall.fell)},
            MEASURES[self._measure],
            called=self._called,
            baselines=[name for name, each in self._learners.items() if each.is_baseline],
            alarms=self._alarms,
            best=self._best_since(drift.position, frame.position),
        )
        text += self._still_down([each for each in drifts if each.position < drift.position], drift.position, marks)
        done = self._done_since(frame, marks)
        # what learners did is counted; what the user did is told beside it
        is_news = not self._done or (self._news is not None and self._news.kind == "tuned")
        text = " ".join(filter(None, [text, done, self._news_of(frame) * is_news]))
        return StoryText(f"{marks} {says}.", text, figures=figures, rule=AHEAD.format("the latest points"))

    def _still_down(self, earlier: Sequence[Event], row: int, marks: str) -> str:
        """Tell who had not come back from the drift before when the next began: its level is of that time."""
        found = self._recoveries(earlier[-1].position, row) if earlier else {}
        down = [self._called(name) for name, (fall, _) in found.items() if fall.is_affected and np.isinf(fall.time)]
        if not down:
            return ""
        were = "was" if len(down) == 1 else "were"
        return f" {listed(down)} {were} not back from {_marks(earlier)} when {marks} began: the level is of then."

    def _best_since(self, row: int, position: int) -> str:
        """Return who answers best since a drift, over the latest points, by more than its noise; else nothing."""
        latest = {name: float(band.middle) for name, band in self.latest(position).items()}
        known = self._ordered(latest)
        began = max([row, *(self._began.get(name, 0) for name in known)])
        here = np.flatnonzero((self._positions > began) & (self._positions <= position))[-LATEST_BLOCKS:]
        if len(known) < 2 or len(here) < TOGETHER:
            return ""
        ahead = self._ahead_of_others(known, latest, {name: values[here] for name, values in self._blocks.items()})
        return ahead[0] if len(ahead) == 1 else ""

    def _end(self, frame: Frame, drifts: Sequence[Event]) -> StoryText:
        each = {name: numbers["values"].get(self._measure, np.nan) for name, numbers in frame.learners.items()}
        overall = {
            group: _mean(np.array([each[name] for name in members if name in each], float))
            for group, members in self._groups.items()
        }
        known = self._ordered(overall)
        when = f"{self._ending} after {frame.position:,} rows. Over all of them"
        began = max((self._began.get(name, 0) for name in known), default=0)
        # in its first block a learner knows nothing yet: that says nothing of who answers better
        blocks = {name: values[self._positions > began][1:] for name, values in self._blocks.items()}
        verdict = self._best(when, known, overall, blocks)
        text = ""
        if drifts and known:
            since = self._since(drifts, frame)
            text = f"After {_marks(drifts)}: {since.text} {since.figures}".rstrip()
        return StoryText(verdict, text, self._ideas(drifts, known), rule=AHEAD.format("all their points but the first"))

    def _ideas(self, drifts: Sequence[Event], known: Sequence[str]) -> tuple[str, ...]:
        ideas = []
        name, main = next(((n, t) for n in known if (t := main_tunable(self._learners[n])) is not None), ("", None))
        if main is not None:
            what = (main.title or main.name.replace("_", " ")).lower()
            ideas.append(f"Set the {what} of {name} to another value, and play again.")
        if drifts:
            mark = _marks(drifts)
            ideas.append(f"Click on the curves before {mark}, fork a learner there, and play on.")
        ideas.append("Let a change of your own begin: click on the curves (tab Drift says which).")
        if len(ideas) < 3:
            ideas.append("Choose another learner to compare with.")
        return tuple(ideas[:3])

    def _best(
        self, when: str, known: Sequence[str], values: Mapping[str, float], blocks: Mapping[str, np.ndarray]
    ) -> str:
        """Tell who was ahead of all others by more than its noise, or who were level; ``known`` in order of values."""
        if not known:
            return f"{when} no learner has answered."
        title, best = MEASURES[self._measure].title, known[0]
        if len(known) == 1:
            return f"{when} {self._called(best)} had {title} {score_text(values[best])}."
        ahead = self._ahead_of_others(known, values, blocks)
        if not ahead:
            return f"{when} {title} is: {', '.join(self._figures(known[:MOST_NAMED], values))}."
        others = [name for name in known if name not in ahead][: max(0, MOST_NAMED - len(ahead))]
        who, scores = listed(map(self._called, ahead)), listed(score_text(values[name]) for name in ahead)
        sentence = f"{when} {who} {'were level' if len(ahead) > 1 else f'answered {best_of(known)}'}: {title} {scores}"
        return f"{sentence}; {', '.join(self._figures(others, values))}." if others else f"{sentence}."

    def _figures(self, names: Iterable[str], values: Mapping[str, float]) -> list[str]:
        return [f"{self._called(name)} {score_text(values[name])}" for name in names]

    def _ahead_of_others(
        self, known: Sequence[str], values: Mapping[str, float], blocks: Mapping[str, np.ndarray]
    ) -> list[str]:
        """Return the best learner and those that are level with it, in order of values; none where it is not known."""
        best = known[0]
        apart = {name: difference_of(blocks[best], blocks[name]) for name in known[1:]}
        level = [best, *(name for name in known[1:] if not self._is_behind(apart[name], values[best], values[name]))]
        return level if len(level) == 1 or all(each.is_known for each in apart.values()) else []

    def _is_behind(self, apart: Difference, best: float, other: float) -> bool:
        """Whether a learner answers worse than the best one, by more than what is by chance and what is read."""
        sign = 1 if MEASURES[self._measure].higher_is_better else -1
        return apart.sign == sign and score_text(best) != score_text(other)

    def _done_since(self, frame: Frame, marks: str) -> str:
        """Tell what changed in learners since the drift, or count it: why one comes back, another not."""
        moved: dict[str, list[str]] = {}
        for group, members in self._groups.items():
            changed = frame.learners.get(members[0], {}).get("changed")
            if changed and self._began.get(group, 0) <= self._drifts[-1].position:
                moved.setdefault(changed[0], []).append(f"{group} {changed[1]}")
        counts, is_replaced = changes_sentences(self._done, self._kinds)
        sentences = [f"Since then, {'; '.join(counts)}."] if counts else []
        if moved and not is_replaced:
            # of learners of other kinds the pictures tell
            what, each = next(iter(moved.items()))
            sentences.append(f"{what[:1].upper()}{what[1:].replace('{mark}', marks)}: {', '.join(each[:MOST_NAMED])}.")
        return " ".join(sentences)

    def _news_of(self, frame: Frame) -> str:
        """Tell the latest thing that a learner reported, or that was changed, if it is recent."""
        event = self._news
        if event is None or not self._is_recent(event.position, frame):
            return ""
        if event.kind == "tuned":
            return f"At row {event.position:,} you changed {event.learner}: {event.message}."
        if event.kind == DETECTION:
            return f"Row {event.position:,}, {event.learner}, {event.message}."
        kinds = {**RUN_EVENTS, **self._kinds[event.learner]}
        title = _lower(as_it_was(event, kinds[event.kind]).title)
        return f"Row {event.position:,}, {event.learner}: {title}."

    def _is_recent(self, row: int, frame: Frame) -> bool:
        return row <= frame.position <= row + max(RECENT_ROWS, RECENT_SHARE * frame.position)

    def _ordered(self, values: Mapping[str, float]) -> list[str]:
        sign = -1 if MEASURES[self._measure].higher_is_better else 1
        return sorted((name for name in values if np.isfinite(values[name])), key=lambda name: sign * values[name])

    def _called(self, name: str) -> str:
        learner = self._learners.get(name)
        return f"{name} (a baseline)" if learner is not None and learner.is_baseline else name


def _marks(drifts: Sequence[Event]) -> str:
    """Return the marks of the drifts at the row of the latest one."""
    return "".join(numbered(n) for n, each in enumerate(drifts, 1) if each.position == drifts[-1].position)


def _mean(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


def _lower(title: str) -> str:
    """Return a title as it stands within a sentence; one that begins with capitals stays."""
    is_name = title[:2].isalpha() and title[:2].isupper()
    return title if is_name else title[:1].lower() + title[1:]


STYLE = """
:host{font:15px/1.33 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;min-height:40px;overflow-wrap:anywhere}
p{margin:0;max-width:140ch} b{font-weight:650} abbr{cursor:help}
ul{margin:4px 0 0;padding-left:18px;font-size:13px;display:flex;flex-wrap:wrap;gap:0 30px}
@media (max-width:520px){:host{font-size:14px;min-height:58px} p>span{display:none}}
"""


TWO_LINES = at_once(
    ":host{height:40px!important;overflow:hidden} ul{display:none}"
    "p{max-width:none} section{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}"
    # numbers that have no room are left out whole: one that is cut off would be missed. A float is no line that is cut
    "p>span{float:right;padding-left:1em}"
)
FOR_A_CLASS = (
    "@container style(--sl-projected:1){:host{height:auto!important;font-size:17.3px;line-height:1.25}"
    "p{max-width:none} section{display:-webkit-box;-webkit-line-clamp:var(--sl-story-lines,3);"
    "-webkit-box-orient:vertical;overflow:hidden}"
    "ul,p>span{display:none}}"
)


SHEETS = [STYLE, TWO_LINES, FOR_A_CLASS]


class StoryBar(Part):
    """Shows what a ``Story`` tells; for once what ``asking`` asks stands in its place."""

    def __init__(self, asking: Asking | None) -> None:
        super().__init__()
        # a region by its name: read on request, not aloud with every change
        self._layout = pn.pane.HTML("", stylesheets=SHEETS, sizing_mode="stretch_width", margin=(0, 2))
        self._asking = asking
        self.parts = [self._layout] if asking is None else [self._layout, asking]
        """What stands in its place."""
        if asking is not None:
            # also where no frame comes, as on the way to the projector
            asking.on_end = lambda: self._layout.param.update(visible=True)

    def take(self, frame: Frame) -> None:
        """Take in each frame, drawn here or not: what is done in one of them may end the question."""
        self._layout.visible = self._asking is None or not self._asking.take(frame)

    def show(self, story: Story, frame: Frame) -> None:
        """Tell this frame, which the story has taken in; on the document's thread."""
        self._layout.object = story_html(story.tell(frame))

    def look_back(self, position: int, drawn: int) -> None:
        """Say of which row the picture is, while the playhead is moved to another; on the document's thread."""
        then = "" if drawn == position else f" The picture is of row {drawn:,}; let go, and all is of row {position:,}."
        self._layout.object = story_html(StoryText(f"Row {position:,}.", then.strip()))


def story_html(story: StoryText) -> str:
    """Return what is told as HTML; names of learners, labels and streams in it come from outside."""
    text = f" {as_html(story.text, MOST_MESSAGE)}" if story.text else ""
    # before a class and on a phone the curve alone shows the numbers
    text += f" <span>{as_html(story.figures, MOST_MESSAGE)}</span>" if story.figures else ""
    ideas = "".join(f"<li>{as_html(idea, MOST_MESSAGE)}</li>" for idea in story.ideas)
    body = f"<p><b>{as_html(story.headline, MOST_MESSAGE)}</b>{text}</p>"
    if story.rule:
        rule = rf"<abbr title='{escape(story.rule)}'>\1</abbr>"
        body = re.sub(r"\b(be(?:st|tter)(?=:|\.| over | than )|(?<!its )level(?=:| over ))", rule, body, count=1)
    if ideas:
        body += f"<ul aria-label='To try next'>{ideas}</ul>"
    return f"<section aria-label='What happens'>{body}</section>"
