"""The shipped lessons: they can be gone through, and every number that they say is so."""

from __future__ import annotations

import pytest

from streamlab.lessons.arrival import arrive, leave, opened, perform
from streamlab.lessons.catalogue import ORDER, lesson_of, read_lesson
from streamlab.lessons.rehearsal import rehearse, wrong_claims
from streamlab.measures import hierarchical_scores
from streamlab.streams import load
from tests.lessons.made import SMALL


@pytest.mark.costly
@pytest.mark.parametrize("name", ORDER)
def test_a_shipped_lesson_says_what_is_so(name):
    lesson = lesson_of(name)
    assert 6 <= len(lesson.steps) <= 9
    assert 5 <= lesson.minutes <= 8
    assert any(step.predict is not None for step in lesson.steps)
    assert sum(len(step.claims) for step in lesson.steps) >= 6
    for part in ("**Aim.**", "**Time.**", "**Questions and answers**", "**What to watch.**"):
        assert part in lesson.teacher
    assert wrong_claims(lesson) == []


def test_a_claim_that_is_not_so_is_told(tmp_path):
    path = tmp_path / "small.md"
    path.write_text(SMALL.replace("0.46", "0.99"), encoding="utf-8")
    (line,) = wrong_claims(read_lesson(path))
    assert line.startswith("small.md, step 2 (A choice): measure micro_f1 of no-change in rows 100 to 200 is 0.")
    assert line.endswith("the text says 0.99")


def test_a_step_that_cannot_be_done_is_named(tmp_path):
    path = tmp_path / "small.md"
    path.write_text(SMALL.replace("row: 500", "row: 9000"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"small.md, step 3 \(Another\): row 9,000: the stream ends after 2,417 rows"):
        list(rehearse(read_lesson(path)))


def test_steps_in_a_row_and_a_step_by_itself_come_to_the_same(tmp_path):
    path = tmp_path / "small.md"
    path.write_text(SMALL, encoding="utf-8")
    lesson = read_lesson(path)
    in_a_row = [(p.run.position, p.run.learner_runs["SMART"].tracker.value("micro_f1")) for p in rehearse(lesson)]
    assert [position for position, _ in in_a_row] == [0, 200, 500, 500, 500]
    by_itself = []
    for i, step in enumerate(lesson.steps):
        ended = leave(step, arrive(lesson, i))
        run = opened(ended)
        perform(run, ended.actions)
        by_itself.append((run.position, run.learner_runs["SMART"].tracker.value("micro_f1") if run.position else 0.0))
    assert by_itself[1:] == in_a_row[1:]
    assert run.learner_runs["SMART"].learner.half_life == 20
    assert [event.kind for event in run.log if event.kind in ("tuned", "put in")] == ["tuned", "put in", "tuned"]


def test_the_scores_of_the_hierarchy_that_a_text_works_out():
    """Lesson "level": violin answered as viola, and as a bowed chordophone; oboe as clarinet, and as reeds."""
    schema = load("instruments").schema

    def f1(truth: str, answer: str) -> float:
        import numpy as np

        rows = np.zeros((2, 1, schema.n_labels), np.uint8)
        for row, name in zip(rows, (truth, answer), strict=True):
            row[0, schema.labels.index(name)] = 1
        closed = [schema.hierarchy.with_ancestors(each).astype(np.uint8) for each in rows]
        return hierarchical_scores(*closed, schema.hierarchy)["hierarchical_f"]

    scores = {pair: f1(*pair) for pair in [("violin", "viola"), ("violin", "bowed"), ("violin", "snare_drum"),
                                           ("oboe", "clarinet"), ("oboe", "reeds")]}  # fmt: skip
    assert {pair: round(float(value), 2) for pair, value in scores.items()} == {
        ("violin", "viola"): 0.67, ("violin", "bowed"): 0.80, ("violin", "snare_drum"): 0.0,
        ("oboe", "clarinet"): 0.5, ("oboe", "reeds"): 0.67,
    }  # fmt: skip
