"""Small seeded slices of the trial ``fuzz``, and that its harness sees what it has to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.fuzz.fuzz import FAILURES, Finding, _tells, subjects, tried, watched
from tests.fuzz.slab_mutants import SOUND, structural
from tests.fuzz.trials import Watched

Try = Callable[..., list[Finding]]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[bool], Watched]]:
    """Workers that all tests share, one of them with ``boundscheck``: to start one takes seconds."""
    with ExitStack() as stack:

        @cache
        def worker(boundscheck: bool) -> Watched:
            folder = str(tmp_path_factory.mktemp("fuzz"))
            made = watched(folder, not boundscheck, [], boundscheck=boundscheck)
            return stack.enter_context(made)

        yield worker


@pytest.fixture
def mutants(workers: Callable[[bool], Watched], tmp_path: Path) -> Try:
    """Try mutants, whose files are in a folder of this test's."""

    def found(subject: str, numbers: range | list[int], boundscheck: bool = False) -> list[Finding]:
        return list(tried(workers(boundscheck), subject, numbers, keep=str(tmp_path)))

    return found


def failures(found: list[Finding]) -> list[str]:
    """What went wrong, each with what repeats it."""
    bad = [each for each in found if each.outcome.kind in FAILURES]
    return [f"--only {each.subject}:{each.number}: {each.outcome.kind} {each.outcome.what}" for each in bad]


# ---------------------------------------------------------------------- archives


def test_the_sound_archive_is_opened(mutants):
    (found,) = mutants("slab", [SOUND])
    assert found.outcome.kind == "ok"


def test_archives_with_changes_of_all_kinds_are_opened_or_refused(mutants):
    bombs = ("a member of 1 GiB in 1 MB", "JSON of 40 million values", "JSON of 3 million values")
    numbers = [number for number, story in enumerate(structural()) if story not in bombs]
    at_random = range(len(structural()), len(structural()) + 40)
    assert failures(mutants("slab", [*numbers[::5], *at_random])) == []


@pytest.mark.parametrize("story", ["a member of 1 GiB in 1 MB", "a pickle among the entries"])
def test_an_archive_that_is_a_trap_is_refused(mutants, story):
    (found,) = mutants("slab", [structural().index(story)])
    assert found.outcome.kind == "refused"


# ---------------------------------------------------------------------- saved learners


@pytest.mark.parametrize("subject", subjects(False, None))
def test_altered_learners_are_used_or_refused(mutants, subject):
    assert failures(mutants(subject, range(60))) == []


# found once: places that links of other trees lead to, categories that there are not, divisions by no weight
@pytest.mark.parametrize(
    ("subject", "numbers"),
    [
        ("SMART.state", [36, 412, 904, 1470, 2394, 3964]),
        ("SMART.file", [863]),
        ("MLHAT.state", [128, 284]),
        ("BalancedLDA.state", [19, 87, 275]),
        ("Pipeline.state", [167, 564, 866]),
        ("StandardScaler.state", [118]),
    ],
)
def test_what_was_found_once_is_refused_or_used(mutants, subject, numbers):
    assert failures(mutants(subject, numbers)) == []


@pytest.mark.parametrize("name", ["BalancedKNN", "SMART"])
def test_altered_learners_stay_within_their_arrays(mutants, name):
    assert failures(mutants(f"{name}.state", range(100), boundscheck=True)) == []


def test_a_refusal_must_tell_file_learner_entry_and_what_was_expected():
    keys = ("format", "learner", "sums")
    sums = "the state of SMART contradicts itself: sums row 0 is nan; expected a finite number"
    assert _tells(sums, "", "SMART", keys)
    assert _tells(f"/m: {sums}", "/m: ", "SMART", keys)
    assert not _tells(sums, "/m: ", "SMART", keys)
    assert not _tells("operands could not be broadcast; expected sums", "", "SMART", keys)
    assert not _tells("the state of SMART contradicts itself: expected another", "", "SMART", keys)
    assert not _tells("the state of SMART contradicts itself: it cannot be read (sums expected)", "", "SMART", keys)


# ---------------------------------------------------------------------- the harness


@pytest.mark.parametrize(
    ("what", "kind"),
    [("answers", "ok"), ("dies", "crash"), ("hangs", "hang"), ("grows", "memory"), ("raises", "unclean")],
)
def test_a_worker_is_watched_and_started_again(what, kind):
    with Watched("tests.fuzz.misbehaving", {}, seconds=1.0, megabytes=100.0) as worker:
        assert worker.run({"what": what}).kind == kind
        assert worker.run({"what": "answers"}).kind == "ok"


def test_a_worker_that_cannot_start_says_why():
    with Watched("tests.fuzz.misbehaving", {"fail": True}) as worker, pytest.raises(RuntimeError, match="on purpose"):
        worker.run({"what": "answers"})
