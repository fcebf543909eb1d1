"""The story: what is said at each stage of a run, from its own events and curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.frame import FrameMaker
from streamlab.streams import ArrayStream, Drift
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.replay_page import _levels
from streamlab.views.kit.text import numbered
from streamlab.views.page.after_drift import TOO_EARLY
from streamlab.views.page.story import Story, StoryBar, story_html
from tests.lab.made import made_stream


class Teller:
    """A run, its frames and its story."""

    def __init__(self, run: sl.Run, measure: str = "micro_f1") -> None:
        self.run, self.maker = run, FrameMaker(run)
        self.maker.choose(measures=[measure])
        self.story = Story(run.stream, {name: each.learner for name, each in run.learner_runs.items()}, measure)

    def told(self, state: str = "playing"):
        frame = self.maker.make(self.maker.cursor(), state, "", None, 0.0)
        self.maker.taken(frame)
        self.story.take(frame)
        return self.story.tell(frame)


def test_what_learners_changed_in_themselves_since_a_drift_is_counted():
    learners = {"MLHAT": sl.MLHAT(grace_period=50, seed=1), "MLHT": sl.MLHT(grace_period=50)}
    run = sl.Run(StreamSpec("syn-branches", n_rows=40_000).make(), learners)
    run.advance(3900)
    teller = Teller(run, "example_f1")
    assert "Since then" not in teller.told().text
    run.advance(3900)
    said = teller.told().text
    row = max(drift.start for drift in run.stream.drifts if drift.start <= run.position)
    log = [each for each in run.events.itertuples() if each.position > row and not each.message.startswith("alternate")]
    found = {
        (name, kind): [each.position for each in log if (each.learner, each.kind) == (name, kind)]
        for name in learners for kind in ("split", "alternate_promoted", "alternate_started")
    }  # fmt: skip
    assert found["MLHT", "split"]
    for (name, kind), rows in found.items():
        noun = learners[name].events[kind].noun if kind in learners[name].events else "branch replacement"
        clause = next((each for each in said.partition("Since then, ")[2].split(";") if noun and noun in each), "")
        words = clause.partition(f"{name} ")[2].removeprefix("made ")
        # where something was replaced, that alone is told
        is_told = kind == "alternate_promoted" or not any(found[each, "alternate_promoted"] for each in learners)
        assert words.startswith(f"{len(rows)}") == bool(noun and rows and is_told)
        if kind == "alternate_promoted" and rows:
            assert f"row {rows[0]:,})" in words


def test_of_a_loop_of_ones_own_it_is_the_loop_that_ended():
    run = sl.Run(sl.load("yeast"), {"no-change": sl.NoChange()})
    run.stream.ending = "your loop ended"
    run.advance()
    assert Teller(run).told("finished").headline.startswith("Your loop ended after 2,417 rows.")


@pytest.fixture(scope="module")
def demonstration():
    learners = {"SMART": sl.SMART(seed=1), "SMART without fading": sl.SMART(half_life=float("inf"), seed=1)}
    return sl.Run(sl.load("yeast-rotated"), {**learners, "no-change": sl.NoChange()}, alarms="label")


def test_from_the_first_row_to_the_last(demonstration):
    run = demonstration
    teller = Teller(run)
    told = teller.told("paused")
    assert told.headline == "yeast-rotated: 2,417 rows, 103 features, 14 labels."
    assert told.text.startswith("Genes by micro-array expression; functional classes, rotated from row 1,200 on. Every")
    assert "One change is built in" in told.text

    run.advance(500)
    # in its first chunk a learner knows nothing: that makes no one level
    assert "level" not in teller.told().headline

    run.advance(300)
    told = teller.told()
    ends = {name: run.learner_runs[name].history.curve("micro_f1", "chunk")[-1] for name in run.learner_runs}
    assert told.headline.startswith(
        "SMART and SMART without fading are level over the latest 500 rows. F1 (micro) of rows 701 to 800: SMART 0."
    )
    for end in ends.values():
        assert f" {end:.2f}" in told.headline
    assert {name: band.middle for name, band in teller.story.latest(800).items()} == ends

    run.advance(410)
    told = teller.told()
    assert told.headline == "① At row 1,200 every label took the next one's name (what was Class1 is Class2 now)."
    assert told.text.startswith(TOO_EARLY)
    run.advance(90)
    assert "No clear fall" not in teller.told().text, "one point says of nobody that it did not fall"

    run.advance(1010)
    told = teller.told()
    # the figures of the curves themselves
    curve = run.learner_runs["SMART"].history.curve("micro_f1", "chunk")
    where = run.learner_runs["SMART"].history.positions
    fall, after = sl.measures.recovery_of(where, curve, 1200), curve[np.asarray(where) > 1200]
    said = (
        f"F1 (micro) before → lowest → now: SMART {fall.level:.2f} → {after.min():.2f} → {after[-1]:.2f}; SMART without"
    )
    assert told.figures.startswith(said), "who recovers comes first"
    shares = [
        f"{name} {round(100 * np.divide(*run.learner_runs[name].learner.evidence()[::-1]))} %"
        for name in ("SMART", "SMART without fading")
    ]
    curve = run.learner_runs["SMART without fading"].history.curve("micro_f1", "chunk")
    fall, since = sl.measures.recovery_of(where, curve, 1200), curve[np.asarray(where) > 1200]
    now, low, level = (round(float(each), 2) for each in (since[-1], since.min(), fall.level))
    regained = round(100 * (now - low) / (level - low))
    assert told.text == (
        f"SMART is back at its level; SMART without fading regained {regained} % of its fall; no-change (a baseline) "
        f"stayed within its noise; SMART answers best. Evidence from before ①: {', '.join(shares)}."
    )
    fall = sl.measures.recovery_of(where, run.learner_runs["SMART"].history.curve("micro_f1", "chunk"), 1200)
    assert after[-1] - after.min() > 0.15
    # the dotted line of the curves is the level that the sentence says
    assert teller.story.levels(2310)["SMART"] == (1200, fall.level)
    assert teller.story.levels(1100) == {}
    # SMART is ahead of the baseline again; who never forgets is level with it
    assert "Behind no-change" not in told.text

    run.advance()
    told = teller.told("finished")
    assert told.headline.startswith("The stream ended after 2,417 rows. Over all of them SMART answered best")
    assert told.text.startswith("After ①: ")
    assert len(told.ideas) == 3

    run.seek(500)
    told = teller.told("paused")
    assert told.headline == "You look back at row 500."
    assert "The run has come to row 2,417." in told.text


def test_sentence_faint_line_table_and_replay_have_one_level_and_one_judgement():
    learners = {"SMART": sl.SMART(seed=1), "kept": sl.SMART(half_life=math.inf, seed=1), "no-change": sl.NoChange()}
    run = sl.Run(sl.load("yeast-rotated"), learners)
    teller = Teller(run)
    run.advance(1500)
    run.put_drift(sl.DriftRecipe("rotate_labels", width=1))
    seen = set()
    for row in (1600, 1700, 1800, 2417):
        run.advance(row - run.position)
        teller.told()
        story = {name: fall for name, (fall, _) in teller.story._recoveries(1500, row).items()}
        table = run.detection(since=1500).set_index("learner")
        for name, fall in story.items():
            found = table.loc[name]
            judged = (
                fall.is_affected,
                fall.is_judged,
                not fall.is_judged,
                fall.is_unclear,
                fall.is_brief,
                fall.is_usual,
            )
            same = found[["affected", "judged", "unjudged", "unclear", "brief", "usual"]]
            assert tuple(map(bool, same)) == judged, (row, name)
            assert teller.story.levels(row)[name] == (1500, fall.level)
            assert _levels(run.learner_runs[name].history, "chunk", "micro_f1", [1200, 1500])[1] == fall.level
            if fall.is_affected:
                assert (found.level, found.lost) == (fall.level, fall.lost)
            seen.add(judged)
    assert len(seen) > 2, "among them too early, fell, and did not"
    before = run.learner_runs["kept"].history.curve("micro_f1")
    assert story["kept"].level == pytest.approx(np.median(before[12:15])), "of the rows since the drift before"


def test_what_is_answered_before_anything_is_learned_does_not_say_who_is_ahead():
    stream = sl.rotate_labels(sl.load("digits"), 900, width=1)
    run = sl.Run(stream, {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()})
    run.advance()
    first, *later = (run.learner_runs["no-change"].history.curve("micro_f1", "chunk")
                     - run.learner_runs["SMART"].history.curve("micro_f1", "chunk"))  # fmt: skip
    assert first > 0.5 > max(later)
    assert "SMART answered better" in Teller(run).told("finished").headline


def test_who_is_best_has_to_be_ahead_by_more_than_its_noise(demonstration):
    story = Teller(demonstration).story
    rows = np.random.default_rng(1).normal(0.5, 0.05, (3, 20))
    blocks = dict(zip(("SMART", "SMART without fading", "no-change"), [rows[0], rows[1], rows[2] - 0.2], strict=True))

    def best(blocks: dict[str, np.ndarray]) -> str:
        values = {name: each.mean() for name, each in blocks.items()}
        return story._best("Then", sorted(values, key=lambda name: -values[name]), values, blocks)

    assert best(blocks).startswith("Then SMART and SMART without fading were level: ")
    assert best(blocks | {"SMART without fading": rows[1] + 0.2}).startswith(
        "Then SMART without fading answered best: "
    )
    assert " is: " in best({name: each[:3] for name, each in blocks.items()})


def test_one_learner_alone_is_not_the_best():
    run = sl.Run(sl.load("yeast"), {"SMART": sl.SMART(seed=1, n_trees=2)})
    run.advance(300)
    value = run.learner_runs["SMART"].history.curve("micro_f1", "chunk")[-1]
    assert Teller(run).told().headline == f"F1 (micro) of rows 201 to 300: SMART {value:.2f}."


def test_a_fork_is_not_told_of_where_it_was_not():
    run = sl.Run(made_stream(600, drifts=(Drift(200),)), {"SMART": sl.SMART(seed=1, n_trees=2)}, chunk=20)
    run.advance(400)
    run.fork("SMART", "fork", half_life=20)
    teller = Teller(run)
    run.advance(100)
    told = teller.told()
    assert "SMART" in told.text
    assert "fork" not in told.text


def test_a_last_point_of_few_rows_is_not_concluded_from():
    run = sl.Run(made_stream(117), {"no-change": sl.NoChange()}, chunk=50)
    teller = Teller(run)
    run.advance()
    told = teller.told()
    assert told.headline.startswith("F1 (micro) of rows 51 to 117: ")
    whole = run.learner_runs["no-change"].history.end_whole(("micro_f1",), 50)["micro_f1"]
    assert teller.story.latest(117)["no-change"].middle == whole
    assert f" {whole:.2f}." in told.headline


def test_a_loss_is_told_as_a_loss(demonstration):
    demonstration.seek(demonstration.end)
    teller = Teller(demonstration, "hamming_loss")
    assert teller.told("playing").figures.startswith("Hamming loss before → highest → now: ")


def test_a_change_of_a_parameter_is_news_for_a_while():
    run = sl.Run(made_stream(1000), {"SMART": sl.SMART(seed=1)}, chunk=20)
    teller = Teller(run)
    run.advance(200)
    run.tune("SMART", half_life=33)
    assert "At row 200 you changed SMART: half_life: 200 → 33." in teller.told().text
    run.advance(300)
    assert "changed" not in teller.told().text


def test_who_was_still_down_when_the_next_drift_began_is_named():
    stream = sl.rotate_labels(sl.load("yeast-rotated"), 1500, width=1)
    learners = {"SMART": sl.SMART(seed=1), "kept": sl.SMART(half_life=math.inf, seed=1), "no-change": sl.NoChange()}
    run = sl.Run(stream, learners)
    teller = Teller(run)
    run.advance(1450)
    assert "not back" not in teller.told().text
    run.advance(450)
    told = teller.told()
    assert told.headline.startswith("② At row 1,500")
    assert "SMART and kept were not back from ① when ② began: the level is of then." in told.text


def test_where_no_drift_is_known_an_alarm_is_told():
    rows = next(sl.rotate_labels(sl.load("digits"), 900, width=1).chunks(1500))
    run = sl.Run(ArrayStream(rows.X, rows.Y), {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()})
    teller = Teller(run)
    run.advance(900)
    assert "Errors rose" not in teller.told().text
    run.advance(100)
    (row,) = run.events.position[(run.events.kind == "alarm") & (run.events.learner == "SMART")]
    assert f"Errors rose by more than chance: alarm of SMART at row {row:,}" in teller.told().text
    run.advance(400)
    assert "Errors rose" not in teller.told().text


def test_drifts_are_numbered_and_wide_ones_told_with_their_width():
    stream = made_stream(600, drifts=(Drift(100), Drift(300, 50, "gradual")))
    run = sl.Run(stream, {"no-change": sl.NoChange()}, chunk=20)
    teller = Teller(run)
    run.advance(150)
    assert teller.told().headline.startswith("① At row 100: sudden")
    run.advance(200)
    assert teller.told().headline.startswith("② From row 300, over 50 rows: gradual")
    assert numbered(21) == "(21)"


def test_drifts_that_begin_at_one_row_are_told_together():
    stream = made_stream(600, drifts=(Drift(100), Drift(300), Drift(300, 50, "gradual")))
    run = sl.Run(stream, {"no-change": sl.NoChange()}, chunk=20)
    teller = Teller(run)
    run.advance(350)
    headline = teller.told().headline
    assert headline.startswith("②③ From row 300, over 50 rows: ")
    assert "sudden" in headline
    assert "; gradual" in headline


def test_what_comes_from_outside_is_text():
    run = sl.Run(made_stream(100), {"<img src=x onerror=alert(1)>": sl.NoChange()}, chunk=20)
    teller = Teller(run)
    run.advance(60)
    html = story_html(teller.told())
    assert "<img" not in html
    assert "&lt;img" in html


def test_of_several_seeds_their_mean_is_told():
    learners = {"SMART": sl.SMART(seed=1, n_trees=2), "no-change": sl.NoChange()}
    run = sl.Run(made_stream(600), learners, chunk=20, seeds=3)
    teller = Teller(run)
    run.advance(400)
    told = teller.told()
    curves = [each.history.curve("micro_f1")[-1] for name, each in run.learner_runs.items() if name != "no-change"]
    assert "SMART" in told.headline
    assert f"{sum(curves) / 3:.2f}" in told.headline
    band = teller.story.latest(400)["SMART"]
    assert (band.low, band.high) == (min(curves), max(curves))
    assert "seed" not in told.headline
    run.advance()
    told = teller.told("finished")
    each = [run.summary.loc[name, "micro_f1"] for name in run.learner_runs if name != "no-change"]
    assert f"{sum(each) / 3:.2f}" in told.headline


def test_while_the_playhead_is_moved_the_sentence_says_of_which_row_the_picture_is():
    bar = StoryBar(None)
    bar.look_back(2000, 1907)
    assert "Row 2,000." in bar.__panel__().object
    assert "picture is of row 1,907" in bar.__panel__().object
    bar.look_back(1907, 1907)
    assert "picture" not in bar.__panel__().object
