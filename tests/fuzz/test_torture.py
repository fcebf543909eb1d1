"""Small slices of the trial ``torture``: threads, interrupts and a player's operations."""

from __future__ import annotations

from tests.fuzz.torture import main, torture


def outcome(what: str, learner: str, seed: int = 1, **sizes: float) -> tuple[str, str]:
    # a busy machine takes its time; the benchmark itself allows two seconds
    sizes = {"seconds": 5.0, "askers": 2, "interrupts": 10, "operations": 200, "answer_seconds": 60.0} | sizes
    found = torture({"what": what, "learner": learner, "seed": seed, **sizes})
    return found.kind, found.what


def test_a_learner_of_one_array_lives_through_threads():
    assert outcome("threads", "NoChange", seconds=1.0) == ("ok", "")


def test_balanced_neighbours_live_through_threads():
    assert outcome("threads", "BalancedKNN") == ("ok", "")


def test_a_learner_of_one_array_lives_through_interrupts():
    assert outcome("interrupts", "NoChange") == ("ok", "")


def test_balanced_neighbours_live_through_interrupts():
    assert {outcome("interrupts", "BalancedKNN", seed=seed) for seed in (1, 2, 3)} == {("ok", "")}


def test_a_player_answers_four_threads():
    assert outcome("player", "player", operations=600, seconds=120.0) == ("ok", "")


def test_the_benchmark_tells_by_its_exit_code(capsys):
    assert main(["--what", "threads", "--learners", "NoChange", "--seconds", "0.5"]) == 0
    assert "NoChange" in capsys.readouterr().out
