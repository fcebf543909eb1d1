"""On random runs the sentence, the table of figures, ``Run.detection`` and the replay say the same of each learner."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate, Frame, FrameMaker
from streamlab.lab.verdict import Verdict, best_of, verdict_of
from streamlab.streams import Drift
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.replay_source import Past, past_of, told_along
from streamlab.views.page.figures_table import figures_html
from streamlab.views.page.sentence import Sentence
from tests.lab.made import made_stream

QUICK, NIGHT = 12, 300
ABOUTS = (
    "every label took the next one's name (what was Class1 is Class2 now)", "", "Class3 became rarer: its odds are 0.2",
    "a further part of the rows: every class took the name of the one 3 places on", "one, two and three",
    "a very long explanation of what has happened to the rows of this stream and to all of its many labels since then",
)  # fmt: skip
RENEWED = (None, 0, 100, 300)
NAMES = ("SMART", "SMART without fading", "no-change", "MLHAT 2", "a learner of which the name is long")


def drawn(rng: np.random.Generator) -> tuple[Sentence, Frame, int]:
    """Return a sentence, the last frame of a run whose curves are random walks that fall at drifts, and its chunk."""
    chunk, n = int(rng.choice([50, 100])), int(rng.integers(4, 80))
    names = list(rng.permutation(NAMES)[: rng.integers(1, 6)])
    at = chunk * np.arange(1, n + 1)
    starts = sorted(rng.integers(0, at[-1], rng.integers(0, 3)).tolist())
    measure = str(rng.choice(["micro_f1", "hamming_loss"]))
    values = {}
    for name in names:
        curve = rng.uniform(0.3, 0.9) + rng.choice([0.0, 0.01, 0.05]) * rng.standard_normal(n)
        for start in starts:
            since = np.maximum(at - start, 0)
            curve -= (since > 0) * rng.choice([0.0, 0.1, 0.4]) * np.exp(-since / rng.choice([100.0, 300.0, 1e5]))
        values[name] = np.clip(curve if measure == "micro_f1" else 1 - curve, 0, 1)
    events = [Event(row, "", "drift", "kind", {"width": 1, "about": str(rng.choice(ABOUTS))}) for row in starts]
    learner = {
        "began": 0,
        "old": None,
        "did": "",
        "seconds": 0.0,
        "instances_per_second": 1.0,
        "bytes": 1,
        "values": {},
    }
    apart = np.random.default_rng(n)
    learners = {
        name: learner | {"parameters": {}, "did": str(rng.choice(["forgot", ""])), "renewed": apart.choice(RENEWED)}
        for name in names
    }
    curves = CurveUpdate(at, {(measure, name): values[name] for name in names}, True, blocks=values)
    frame = Frame(
        0, "playing", "", int(at[-1]), None, 0.0, None, curves, events, learners, {}, end=int(at[-1]), fresh=True
    )
    stream = SimpleNamespace(drifts=[Drift(row) for row in starts], ending=sl.streams.Stream.ending)
    kinds = {name: sl.NoChange() if name == "no-change" else sl.SMART() for name in names}
    sentence = Sentence(stream, kinds, measure)
    return sentence, frame, chunk


def stand_in(past: Past) -> Past:
    """Return the same with a sentence that has taken in nothing."""
    old = past.sentence
    stream = SimpleNamespace(drifts=[None] * old._ahead, ending=sl.streams.Stream.ending)
    return Past(Sentence(stream, dict(old.learners), old.measure), past.frame)


def claims(told, names: list[str]) -> dict[str, str]:
    """Return what a sentence says of whom: ``"back"``, ``"down"`` or ``"spared"``."""
    text = "".join(text if place is None else f"{{{place}}}" for text, place in told.parts)
    found = {}
    if "No learner fell" in text:
        return dict.fromkeys(names, "spared")
    everybody = "".join(f"{{{place}}}" for place in range(len(names)))
    for clause in re.split(r"; |\. ", text.replace("Both ", f"{everybody} ")):
        said = "down" if re.search(r" (not( back)?|fell(, then followed)?|coming back)\.?$", clause) else None
        said = "back" if re.search(r"(?<!not|ing) back(\.|$)| came back (before |first)|} followed", clause) else said
        said = "down" if "followed and is not" in clause or "followed and is coming" in clause else said
        said = "spared" if clause.rstrip(".").endswith(" held") else said
        said = "dipped" if clause.rstrip(".").endswith(" fell only briefly") else said
        said = "recovered" if " recovered, " in clause else said
        said = "follows" if clause.rstrip(".") == "the others follow" else said
        if said is not None:
            found |= {names[int(place)]: said for place in re.findall(r"{(\d+)}", clause)}
        if "the others" in clause and "are not" not in clause:
            found |= dict.fromkeys(set(names) - set(found), said)
    return found


def said_of(verdict: Verdict) -> str:
    return (
        "early"
        if verdict.fell is None
        else "spared"
        if verdict.held
        else "dipped"
        if verdict.dipped
        else "unclear"
        if not verdict.fell
        else "back"
        if verdict.back
        else "down"
    )


def compare(sentence: Sentence, frame: Frame, told) -> dict[str, str]:
    """Check the sentence's form, its claims and those of the figures against the verdicts; return these."""
    names = list(sentence.groups)
    assert len(told.text.split()) <= 20, told.text
    own = [text for text, place in told.parts if place is None]
    about = " ".join(str(event.detail.get("about")) for event in frame.events)
    assert not [each for text in own for each in re.findall(r"\S*\d\S*", text) if each.strip(".,;") not in about]
    verdicts = {name: said_of(each) for name, each in sentence.verdicts(frame.position).items()}
    said, found = claims(told, names), sentence.verdicts(frame.position)
    follow = [name for name, each in said.items() if each == "follows" and (found[name].back or found[name].returning)]
    said |= {name: verdicts[name] for name in follow}
    fine = [name for name, each in said.items() if each == "recovered" and verdicts[name] in ("back", "dipped")]
    said |= {name: verdicts[name] for name in fine}
    assert {name: verdicts[name] for name in said if verdicts[name] != "early"} == {
        name: each for name, each in said.items() if verdicts[name] != "early"
    }, told.text
    assert all(verdicts[name] != "early" or each == "spared" for name, each in said.items())
    if said and "others are" not in told.text:
        fell = {name for name, each in verdicts.items() if each in ("back", "down")}
        assert fell <= set(said), f"{told.text}: of each that fell it is said"
    table = figures_html(frame, sentence).partition("</table>")[0]
    rows = re.findall(r"<tr><th scope='row'.*?</tr>", table)
    words = {
        "back": "row ",
        "down": "not yet",
        "spared": "held",
        "dipped": "fell briefly",
        "unclear": "no clear fall",
        "early": "too early",
    }
    for name, row in zip(names, rows, strict=True):
        cell = re.findall("<td>(.*?)</td>", row)[4]
        assert cell.startswith(words[verdicts[name]] if name in verdicts else "–")
    return verdicts


@pytest.mark.parametrize("night", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.whole
def test_of_drawn_curves_sentence_figures_and_replay_have_one_verdict(night):
    seen: set[str] = set()
    for seed in range(QUICK, NIGHT) if night else range(QUICK):
        rng = np.random.default_rng(seed)
        sentence, whole, chunk = drawn(rng)
        past = stand_in(Past(sentence, whole))
        at, told = told_along(past)
        for position in rng.integers(0, whole.position // chunk + 1, 4) * chunk:
            n = position // chunk
            curves = replace(
                whole.curves,
                positions=whole.curves.positions[:n],
                values={key: values[:n] for key, values in whole.curves.values.items()},
                blocks={key: values[:n] for key, values in whole.curves.blocks.items()},
            )
            events = [event for event in whole.events if event.position < position]
            frame = replace(whole, position=int(position), end=int(position), curves=curves, events=events)
            sentence.take(frame)
            now = sentence.tell(frame)
            verdicts = compare(sentence, frame, now)
            seen |= set(verdicts.values())
            if position < whole.position:
                then = {name: {**each, "did": "", "renewed": None} for name, each in frame.learners.items()}
                frame = replace(frame, learners=then)
                now = sentence.tell(frame)
            assert told[int(np.searchsorted(at, position, "right")) - 1] == now, seed
    assert seen - {"unclear"} == {"early", "spared", "dipped", "back", "down"}


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(3, 75))])
@pytest.mark.whole
def test_of_real_runs_run_detection_says_the_same(seed):
    rng = np.random.default_rng(seed)
    makers = {
        "SMART": lambda: sl.SMART(n_trees=3, half_life=float(rng.choice([50, 200, np.inf])), seed=seed),
        "no-change": sl.NoChange, "MLHAT": lambda: sl.MLHAT(grace_period=50, seed=seed),
        "Online logistic": sl.OnlineLogistic,
    }  # fmt: skip
    names = rng.permutation(list(makers))[: rng.integers(1, 4)].tolist()
    stream = made_stream(1200, seed=seed) if seed % 2 else StreamSpec("syn-regions", n_rows=1200, seed=seed).make()
    stream = sl.rotate_labels(stream, int(rng.integers(200, 900)), width=1)
    measure, chunk = str(rng.choice(["micro_f1", "hamming_loss", "example_f1"])), int(rng.choice([20, 50]))
    run = sl.Run(stream, {name: makers[name]() for name in names}, chunk=chunk)
    over = str(rng.choice(["chunk", "faded", "cumulative"]))
    maker = FrameMaker(run)
    maker.choose(measures=[measure], over=over)
    sentence = Sentence(stream, {name: each.learner for name, each in run.learner_runs.items()}, measure, over)
    for position in sorted({*rng.integers(1, 1200, 4).tolist(), 1200}):
        run.advance(position - run.position)
        frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
        maker.taken(frame)
        sentence.take(frame)
        now = sentence.tell(frame)
        verdicts = compare(sentence, replace(frame, events=[e for e in run.log if e.kind == "drift"]), now)
        starts = [drift.start for drift in stream.drifts if drift.start < position]
        if not starts:
            assert not verdicts
            continue
        table = run.detection(measure=measure, since=starts[-1]).drop_duplicates("learner").set_index("learner")
        for name, said in verdicts.items():
            row = table.loc[name]
            is_down = row.affected and not row.recovered
            assert said == ("early" if row.unjudged else "down" if is_down else "back" if row.affected else said)
            assert (said in ("spared", "dipped", "unclear")) == (not row.unjudged and not row.affected)
        delays = sentence.delays(position)
        for row in run.detection(measure=measure, since=starts[-1]).itertuples():
            delay = delays.get(row.learner, {}).get(row.source, np.nan)
            assert delay == row.mean_time_to_detection or (np.isnan(delay) and not row.detected)
        if over == "chunk":
            _, told = told_along(past_of(run, measure))
            assert told[-1] == now


def test_who_held_is_named_and_who_may_have_fallen_is_not():
    rows, before = range(100, 1700, 100), [0.62, 0.58, 0.66, 0.55, 0.64, 0.57, 0.65, 0.6]
    steady = verdict_of(rows, [*before, *before[::-1]], 800)
    dip = verdict_of(rows, [*before, 0.35, *before[1:]], 800)
    late = verdict_of(rows, [*before, *before[:5], 0.35, *before[6:]], 800)
    assert (steady.fell, steady.held, steady.dipped) == (False, True, False)
    assert (dip.fell, dip.held, dip.dipped) == (False, False, True), "one point is far below the level: no fall"
    assert (late.held, late.dipped) == (False, False), "so long after the drift it may be chance"


def test_a_verdict_in_plain_words():
    rows = range(100, 2100, 100)
    found = verdict_of(rows, [0.6] * 5 + [0.2, 0.4] + [0.6] * 13, 500)
    assert (found.fell, found.back, found.back_at, found.before, found.lowest, found.now) == (
        True,
        True,
        800,
        0.6,
        0.2,
        0.6,
    )
    assert (found.regained, round(found.lost)) == (1.0, 60)
    down = verdict_of(rows, [0.6] * 5 + [0.2] * 14 + [0.3], 500)
    assert (down.fell, down.back, down.back_at, round(down.regained, 2)) == (True, False, None, 0.25)
    rising = verdict_of(rows[:10], [0.6] * 5 + [0.2, 0.3, 0.4, 0.5, 0.56], 500)
    assert (rising.fell, rising.back, rising.returning, down.returning) == (True, False, True, False)
    early = verdict_of(rows[:6], [0.6] * 5 + [0.59], 500)
    assert (early.fell, early.back) == (None, False)
    assert verdict_of(rows, [0.6] * 20, 500).fell is False
    assert verdict_of(rows, [0.6] * 20, 0).fell is None, "there is no level before"


def test_who_is_best_has_to_be_ahead_by_more_than_its_noise():
    rows = np.random.default_rng(1).normal(0.5, 0.05, (3, 20))
    curves = {"a": rows[0], "b": rows[1], "c": rows[2] - 0.2}
    assert best_of(curves) == ["a", "b"]
    assert best_of(curves, higher_is_better=False) == ["c"]
    assert best_of(curves | {"b": rows[1] + 0.2}) == ["b"]
    assert best_of({name: each[:4] for name, each in curves.items()}) == []
    assert best_of({"a": np.tile([0.9, 0.1], 5), "b": np.tile([0.1, 0.75], 5)}) == [], "neither ahead nor as good"
    assert best_of({"a": rows[0]}) == []
