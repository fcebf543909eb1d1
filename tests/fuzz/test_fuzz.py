"""Small seeded slices of the trial ``fuzz``, and that its harness sees what it has to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.fuzz.file_mutants import FORMATS, SOUND, changed, mutant, structural
from tests.fuzz.fuzz import FAILURES, KINDS, Finding, _tells, fuzz, main, subjects, tried, watched
from tests.fuzz.trials import Watched

Try = Callable[..., list[Finding]]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[bool], Watched]]:
    """Workers that all tests share, one of them with ``boundscheck``: to start one takes seconds."""
    with ExitStack() as stack:

        @cache
        def worker(boundscheck: bool) -> Watched:
            folder = str(tmp_path_factory.mktemp("fuzz"))
            made = watched(folder, [] if boundscheck else list(FORMATS), [], boundscheck=boundscheck)
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


def numbered(subject: str, *stories: str) -> list[int]:
    """The numbers of structural mutants."""
    return [structural(subject).index(story) for story in stories]


def random_ones(subject: str, n: int) -> range:
    """The first mutants whose bytes are changed at random."""
    return range(len(structural(subject)), len(structural(subject)) + n)


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("subject", FORMATS)
def test_the_sound_file_is_read(mutants, subject):
    (found,) = mutants(subject, [SOUND])
    assert found.outcome.kind == "ok"


@pytest.mark.parametrize("subject", ["meka", "mulan", "csv", "svm", "parquet", "csv.gz", "svm.gz"])
def test_files_with_changed_bytes_are_read_or_refused(mutants, subject):
    assert failures(mutants(subject, random_ones(subject, 200))) == []


@pytest.mark.parametrize(
    ("subject", "stories"),
    [
        ("svm", ("a feature of 4,301 digits", "a label of 4,301 digits")),
        ("xml", ("unknown encoding", "an encoding of several bytes")),
    ],
)
def test_files_that_cannot_be_decoded_are_refused_by_name(mutants, subject, stories):
    assert failures(mutants(subject, numbered(subject, *stories))) == []


def test_archives_with_changes_of_all_kinds_are_opened_or_refused(mutants):
    bombs = ("a member of 1 GiB in 1 MB", "JSON of 40 million values", "JSON of 3 million values")
    names = [story for story in structural("slab") if story not in bombs]
    assert failures(mutants("slab", [*range(0, len(names), 5), *random_ones("slab", 40)])) == []


@pytest.mark.parametrize("story", ["a member of 1 GiB in 1 MB", "a pickle among the entries"])
def test_an_archive_that_is_a_trap_is_refused(mutants, story):
    (found,) = mutants("slab", numbered("slab", story))
    assert found.outcome.kind == "refused"


def test_entities_in_each_other_are_refused(mutants):
    stories = ("nested entities", "nested entities in the text", "an entity without an end", "a file outside")
    assert failures(mutants("xml", numbered("xml", *stories))) == []


@pytest.mark.parametrize(
    ("subject", "story"),
    [
        ("svm", "feature 10^9"),
        ("svm", "label 10^9"),
        ("svm", "header of three numbers, features"),
        ("csv.gz", "1 MB that holds a line of 1 GiB, first"),
        ("parquet", "256 MiB of text in 8 kB"),
    ],
)
def test_small_files_that_claim_much_are_refused(subject, story):
    # in a worker of its own, in which nothing has left memory behind
    assert failures(list(fuzz(subject, numbered(subject, story), seconds=5.0, megabytes=200.0))) == []


# ---------------------------------------------------------------------- saved learners


@pytest.mark.parametrize("subject", subjects(None, []))
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


def test_a_mutant_depends_on_its_number_and_the_seed_alone():
    number = len(structural("csv")) + 3
    assert mutant("csv", number, 1) == mutant("csv", number, 1)
    assert len({mutant("csv", number, seed).files["m.csv"] for seed in range(5)}) > 1


def test_formats_and_learners_are_known_by_name():
    assert subjects(["csv"], []) == subjects(["csv"], None) == ["csv"]
    assert subjects(None, ["SMART"]) == subjects([], ["SMART"]) == ["SMART.file", "SMART.state"]
    assert subjects([], None) == list(FORMATS)
    assert {*subjects(None, None)} == {*subjects(None, []), *FORMATS}
    with pytest.raises(ValueError, match="no format 'doc'"):
        subjects(["doc"], None)


def test_changes_of_nothing_give_nothing():
    import numpy as np

    assert changed(b"", np.random.default_rng(0))[0] == b""


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


def test_findings_alike_are_put_together():
    from tests.fuzz.trials import Outcome

    one, other = (
        Finding("csv", n, Outcome("unclean", f"ValueError: 1{n} of 12.5 rows", {"phase": "load", "place": "a:b"}))
        for n in (1, 2)
    )
    assert one.group == other.group == ("unclean", "load a:b", "ValueError: N of N rows")


def test_the_benchmark_counts_and_its_exit_code_tells(capsys):
    assert main(["--learners", "NoChange", "--formats", "--n", "3"]) in (0, 1)
    said = capsys.readouterr().out
    assert "NoChange.file" in said
    assert all(kind.split()[0][:3] in said for kind in KINDS)
