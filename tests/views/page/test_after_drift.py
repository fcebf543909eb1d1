"""What learners did since a drift, in words: verdicts, numbers, and what changed in them."""

from __future__ import annotations

import math

import numpy as np

from streamlab.learners import MLHAT
from streamlab.measures import MEASURES, Recovery
from streamlab.views.page.after_drift import Fallen, changes_sentences, falls_sentence

USUAL = Recovery(0.4, 0.06, 0.38, 0.4, 0.02, False, math.nan, 0.0, points=3, deepest=0.02)
SPARED = Fallen(Recovery(0.5, 0.1, 0.51, 0.5, 0.0, False, math.nan, 0.0, points=3), np.array([0.5, 0.52]))
DOWN = Fallen(Recovery(0.5, 0.02, 0.3, 0.3, 0.2, True, math.inf, 30.0, points=3, deepest=0.2), np.array([0.3]))


def told(found: dict[str, Fallen], measure: str = "micro_f1", **options: object) -> tuple[str, str]:
    return falls_sentence(found, MEASURES[measure], **options)


def test_where_nobody_fell_it_says_so_and_whose_alarm_is_of_another_measure():
    found = {"a": Fallen(USUAL, np.array([0.38, 0.4])), "b": SPARED}
    none = "No learner's F1 (micro) fell by more than it varies: that of a most, from 0.40 to 0.38."
    assert told(found) == (none, "")
    alarm = " All the same an error alarm, of Hamming loss: a at row 130."
    assert told(found, alarms={"a": 130}) == (none + alarm, "")
    assert told({"b": SPARED}) == ("No learner's F1 (micro) fell.", "")


def test_each_kind_of_fall_has_its_verdict_and_its_three_numbers():
    brief = Recovery(0.4, 0.06, 0.38, 0.4, 0.02, False, math.nan, 0.0, points=3, deepest=0.2)
    after = np.array([0.2, 0.39, 0.41])
    found = {"a": Fallen(brief, after), "b": SPARED, "no-change": DOWN}
    said, figures = told(found, called=lambda name: name.upper())
    assert said == "A fell briefly and is back; NO-CHANGE regained 0 % of its fall; B stayed within its noise."
    assert figures == "F1 (micro) before → lowest → now: NO-CHANGE 0.50 → 0.30 → 0.30; A 0.40 → 0.20 → 0.41."
    by_chance = Recovery(0.4, 0.09, 0.38, 0.4, 0.02, False, math.nan, 0.0, points=3, deepest=0.2)
    alarms = {"a": 130, "no-change": 140}
    said, _ = told({**found, "a": Fallen(by_chance, after)}, alarms=alarms)
    assert said.startswith("no-change regained 0 % of its fall; a fell, perhaps by chance; b stayed")
    assert said.endswith("All the same an error alarm, of Hamming loss: a at row 130.")
    early = Fallen(DOWN.fall.__class__(0.5, 0.02, 0.3, 0.3, 0.2, True, math.inf, 30.0, points=1, deepest=0.2), after)
    assert told({"a": early, "c": DOWN})[0] == "c regained 0 % of its fall; a fell."
    partly = Fallen(DOWN.fall, np.array([0.3, 0.35]))
    assert told({"a": partly, "c": DOWN}, best="a")[0] == (
        "None is back at its level: a regained 25 % of its fall, c 0 %; a answers better than c."
    )
    # of a loss the highest is the worst
    loss = Recovery(0.2, 0.02, 0.4, 0.2, 0.2, True, 300.0, 30.0, points=6, deepest=0.25)
    said, figures = told({"a": Fallen(loss, np.array([0.45, 0.21])), "b": SPARED}, "hamming_loss")
    assert said == "a is back at its level; b stayed within its noise."
    assert figures == "Hamming loss before → highest → now: a 0.20 → 0.45 → 0.21."


def test_who_is_better_than_before_and_who_is_behind_a_baseline():
    risen = Recovery(0.4, 0.02, 0.1, 0.5, 0.1, True, 2.0, 0.0, points=6, deepest=0.3)
    found = {"a": Fallen(risen, np.array([0.1, 0.2, 0.5, 0.5, 0.5, 0.5])), "no-change": DOWN}
    said, _ = told(found, baselines=["no-change"])
    assert said == "a does better than before; no-change regained 0 % of its fall."
    found["a"] = Fallen(risen, np.array([0.1, 0.2, 0.1, 0.1, 0.1, 0.1]))
    assert told(found, baselines=["no-change"])[0].endswith("Behind no-change now: a.")


def test_replacements_are_told_before_splits_and_who_made_none():
    kinds = {**dict.fromkeys("abc", MLHAT(seed=1).events), "no trees": {}}
    splits = {"a": {"split": [10, 20]}, "b": {"split": [30]}}
    assert changes_sentences(splits, kinds) == (["a made 2 splits, b 1"], False)
    replaced = {"a": {"split": [10], "alternate_promoted": [40]}, "b": {"split": [30]}}
    assert changes_sentences(replaced, kinds) == (["a made 1 branch replacement (row 40), the others none"], True)
    of_all = {name: {"alternate_promoted": [40, 50]} for name in "abc"}
    first = "2 (the first at row 40)"
    said = f"a made 2 branch replacements (the first at row 40), b {first}, c {first}"
    assert changes_sentences(of_all, kinds) == ([said], True)
    assert changes_sentences({}, kinds) == ([], False)
