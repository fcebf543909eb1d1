"""The one question that a page asks: at the first thing worth one its run pauses, and says where that is explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param

from streamlab.lab import Player
from streamlab.lab.events import CAME_OR_WENT
from streamlab.lab.frame import Frame
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.page.served import guard

COOKIE = "streamlab_asks"
BY_HAND = frozenset({"tuned", "put in", *CAME_OR_WENT})
"""Keeps in the browser whether to ask; the question's JavaScript writes it."""


class Asking(FrameComponent):
    """Asks once what happened, in the sentence's place, unless people have said that they do not want to be asked.

    An answer on rows to come is judged when they were played: the run pauses there once more.

    ``lesson`` returns the address of the lesson that explains a question and what the link says, or None.
    """

    asks = param.Boolean(default=True, doc="Whether people want to be asked.")

    _bundle = bundled("asking")

    def __init__(self, lesson: Callable[[Question], tuple[str, str] | None], **params: Any) -> None:
        served = pn.state.curdoc is not None and pn.state.curdoc.session_context is not None
        cookie = pn.state.cookies.get(COOKIE) if served else None
        super().__init__(**{"asks": cookie != "off", "margin": 0, **params})
        self._lesson = lesson
        self._player: Player | None = None
        self._question: Question | None = None
        self._row = 0
        self._picked: int | None = None
        self._is_held = self.is_open = self._is_judged = False
        self.on_end: Callable[[], None] = lambda: None
        """Called when a question that stood has gone."""
        self.choice = pmui.Checkbox(
            label="Pause once, and ask what happened", value=self.asks, margin=(0, 18), sizing_mode="stretch_width"
        )
        """Whether to ask, for the drawer."""
        guard(self.choice, lambda line: None)
        self.choice.param.watch(lambda event: self.param.update(asks=event.new), "value")
        self._draw()

    def begin(self, player: Player, question: Question | None) -> None:
        """Take the run that begins, and what is to be asked of it; None: nothing."""
        self._player, self._question, self.is_open = player, question, False
        self._row, self._picked, self._is_judged = 0 if question is None else question.row, None, False
        self._draw()
        self._arm()

    def hold(self, on: bool) -> None:
        """Ask nothing for the time being, as on a projector; or ask again."""
        self._is_held = on
        self._end() if on and self.is_open else self._arm()

    def take(self, frame: Frame) -> bool:
        """Return whether the question stands now, after a frame of the run; on the document's thread."""
        if any(event.kind in BY_HAND for event in frame.events):
            # it is of the run as the page begins it: of another it may not be true
            self._end()
        question = self._question
        if self.is_open and (frame.state != "paused" or question is None or frame.position != self._row):
            self._leave()
        elif question is not None and not self.is_open and frame.position > self._row:
            # whoever is past it has no need of it
            self._end()
        elif question is not None and not self.is_open and self._is_due(frame):
            self.is_open = True
            self._draw()
        return self.is_open

    def _is_due(self, frame: Frame) -> bool:
        is_there = frame.state == "paused" and frame.live and frame.position == self._row
        return is_there and self.asks and not self._is_held

    def _leave(self) -> None:
        """It is played on: an answer on rows to come waits for them."""
        question = self._question
        if question is None or question.seen_at is None or self._picked is None or self._is_judged:
            self._end()
            return
        self._row, self._is_judged, self.is_open = question.seen_at, True, False
        self._draw()
        self._arm()
        self.on_end()

    def _end(self) -> None:
        """It has been asked: once is enough, also where the run comes by again."""
        stood, self._question, self.is_open = self.is_open, None, False
        if self._player is not None:
            self._player.stop_at(None)
        self._draw()
        if stood:
            self.on_end()

    @param.depends("asks", watch=True)
    def _arm(self) -> None:
        """Let the run pause where the question is, or not."""
        if self._player is not None and self._question is not None and not self.is_open:
            wanted = self.asks and not self._is_held
            self._player.stop_at(self._row if wanted else None)

    def _draw(self) -> None:
        question = self._question if self.is_open else None
        self._show(
            {
                "question": question.words if question else "", "answers": list(question.answers) if question else [],
                "right": question.right if question else 0, "why": question.why if question else "",
                "lesson": self._lesson(question) if question else None,
                "ahead": question is not None and question.seen_at is not None,
                "judged": self._picked if question is not None and self._is_judged else None,
            }
        )  # fmt: skip

    def _handle_msg(self, data: Any) -> None:
        question = self._question
        if data.get("kind") == "answer" and self.is_open and question is not None and not self._is_judged:
            picked = data.get("answer")
            if picked in range(len(question.answers)):
                self._picked = picked
                # before the run plays on: a fast one would be past it
                if question.seen_at is not None and self._player is not None:
                    self._player.stop_at(question.seen_at)
        elif data.get("kind") == "play" and self.is_open and self._player is not None:
            self._player.play()
        elif data.get("kind") == "off" and self.is_open:
            self.choice.value = False
            if self._player is not None:
                self._player.play()
        else:
            super()._handle_msg(data)


@dataclass(frozen=True)
class Question:
    """What a page asks at a row, a chunk's end: answers, the place of the right one, why, and a step of a lesson.

    ``seen_at``: where it is of rows to come, the row at which they show whether an answer was right, a chunk's end.
    """

    row: int
    words: str
    answers: tuple[str, ...]
    right: int
    why: str
    lesson: str
    step: int = 1
    seen_at: int | None = None


QUESTIONS = {
    "stream_monitor": Question(
        1000,
        "SMART fell at row 900, with fading and without: every label took the next one's name. Which comes back?",
        ("SMART without fading, which keeps more", "SMART, whose old evidence fades", "Both, just as fast"),
        1,
        "What was learned before row 900 answers with the old names. SMART's evidence halves with every 200 rows, so "
        "that the new names soon count more; without fading the old ones are the larger part to the end.",
        "forgetting",
        seen_at=1500,
    ),
    "drift_lab": Question(
        2700,
        "SMART saw the change within 60 rows, with fading and without. Is seeing it enough to come back from it?",
        ("Yes: who sees it learns it", "No: what was learned before has to go, too"),
        1,
        "Both go on learning, and both saw it. Yet old evidence outvotes new as long as there is more of it: SMART's "
        "fades, without fading it stays. Play on, then make a change of your own by the buttons.",
        "forgetting",
    ),
    "mlhat_tree": Question(
        11400,
        "MLHAT and MLHT fell at row 10,000. At row 11,306 MLHAT replaced a branch, and rises; MLHT never takes a split "
        "back. Where will MLHT be 2,000 rows from here?",
        ("Back: it goes on learning", "Still low: it learns below tests of the old rule", "Ahead of MLHAT"),
        1,
        "Leaves learn, but the tests above them stay as they are. In MLHAT a rival grew beside the branch from row "
        "10,051 on, when that was wrong more often than before; when the rival was wrong less often, by more than "
        "chance, it took the place.",
        "branch",
        4,
        seen_at=13400,
    ),
    "hedged_tree": Question(
        4000,
        "HedgedMLHAT splits before it is sure; MLHAT has seen the same rows, and waits. Who is ahead 2,000 rows on?",
        ("MLHAT, as early splits do harm", "HedgedMLHAT, as it risks little", "Neither"),
        1,
        "MLHAT splits when it is sure: the ring of a leaf says how far it is from that. HedgedMLHAT splits early, "
        "at little risk: a branch keeps what it knew, and counts more than what is below while that is worse.",
        "branch",
        2,
        seen_at=6000,
    ),
    "label_hierarchy": Question(
        2800,
        "HierarchicalKNN and FlatKNN fell at note 2,500, where the microphone gets worse. Why do they rise again?",
        ("The microphone becomes better", "Notes of the new microphone are nearer", "All are answered with one family"),
        1,
        "An answer comes from the nearest notes that are remembered. At first all are of the old microphone and sound "
        "otherwise; with each note of the new one nearer ones are found. The picture shows which groups suffer most.",
        "level",
    ),
    "balanced_neighbours": Question(
        1400,
        "At row 1,200 each class moved to where the one before it was. What has to move before the answers fit again?",
        ("The means of the classes, and the remembered rows", "The number of neighbours", "The features"),
        0,
        "A row is answered by its nearest neighbours, and each class remembers its latest 50 rows. As long as these "
        "are from before row 1,200 they vote for the old classes. The names move with them as new rows come.",
        "rare",
        7,
    ),
    "council": Question(
        1400,
        "Since row 1,200, when every label got another name, NoChange has gained most trust: it only repeats the last "
        "row's labels. How does that go on?",
        ("It goes on rising", "It falls again", "It stays as it is"),
        1,
        "NoChange had nothing to unlearn: for a while it was right where those who knew the old names were wrong. They "
        "learn the new ones, and trust moves, row by row, to who was right lately. By row 1,800 it is near 0.",
        "trust",
        3,
        seen_at=1800,
    ),
    "river_models": Question(
        1700,
        "Since row 1,200 each class has the next one's name. The forest is back, the tree and the linear model are "
        "not. What did it do?",
        ("It replaced trees that erred", "Its trees learned faster", "It kept the old names"),
        0,
        "The forest watches each of its trees: where errors rise, another begins beside it, and soon takes its place. "
        "The linear model moves its weights step by step, and the tree's leaves still hold counts of the old names.",
        "forest",
        3,
    ),
}
"""By the last part of the page's address."""
