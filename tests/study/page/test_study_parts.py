"""The parts of a study's page: what a link may ask for, what the table says, ranks, curves and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.study.page.board import StudyBoard, average_ranks, board_of, comparison_of, complete
from streamlab.study.page.choice import Choice, Offered, parse_choice
from streamlab.study.page.reader import Reader, counts_sentence, entry_of, written
from streamlab.study.page.run_page import RunPage
from streamlab.study.page.sentence import Standing, groups_of, surpassed, tell
from tests.study.made import study

OFFERED = Offered(["micro_f1", "seconds"], ["A, or <b>", "B&C=1"], ["one", "two"], {"ab": 300, "cd": 20})


@pytest.mark.parametrize(
    "choice",
    [
        Choice(),
        Choice(measure="seconds", over="tenth", learners=("A, or <b>",), streams=("two",), curves="two", cell="cd"),
        Choice(run="ab", at=300, learners=("B&C=1", "A, or <b>")),
    ],
)
def test_a_query_comes_back_as_it_was(choice):
    assert parse_choice(choice.query(), OFFERED) == (choice, [])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("measure=nonsense", "measure=nonsense: not offered here"),
        ("run=../../etc/passwd", "run=../../etc/passwd: not in this study"),
        ("cell=<script>", "cell=<script>: not in this study"),
        ("run=ab&at=301", "at=301: expected a whole number from 0 to 300, the rows of this stream"),
        ("run=ab&at=-1", "at=-1: expected a whole number from 0 to 300, the rows of this stream"),
        ("run=ab&at=1e2", "at=1e2: expected a whole number from 0 to 300, the rows of this stream"),
        ("run=ab&at=" + "9" * 5000, "expected a whole number from 0 to 300"),
        ("at=5", "at=5: a row goes with a run"),
        ("file=/etc/passwd", "file=/etc/passwd: the page has no such setting"),
        ("learners=%00%ff", "not in this study"),
        ("x" * 30_000, "the link has 30,000 characters"),
    ],
)
def test_what_a_link_cannot_have_is_said_and_left_out(query, said):
    choice, refused = parse_choice(query, OFFERED)
    assert said in refused[0]
    assert choice == (Choice(run="ab") if query.startswith("run=ab") else Choice())


def test_the_way_back_from_a_run_marks_its_cell():
    choice = Choice(measure="seconds", streams=("two",), run="ab", at=7)
    assert choice.back == Choice(measure="seconds", streams=("two",), cell="ab")


def cell(status="done", value=math.nan, seed=1, message="", rows=100, key="k"):
    return {"status": status, "value": value, "seed": seed, "message": message, "rows": rows, "key": key}


def test_an_entry_is_the_mean_of_what_is_done_and_says_what_is_missing():
    some = [
        cell(value=0.5),
        cell(value=0.7, seed=2),
        cell("seconds", seed=3, message="it took more than 5 CPU seconds"),
    ]
    entry = entry_of("micro_f1", some)
    assert (entry.value, entry.text, entry.has_ended) == (0.6, "0.600", True)
    assert entry.lines == [
        "Mean over 2 seeds, from 0.500 to 0.700.", "Seed 3: over the time limit: it took more than 5 CPU seconds.",
    ]  # fmt: skip
    failed = entry_of("micro_f1", [cell("failed", message="ValueError: no", rows=150, seed=None)])
    assert (failed.text, failed.at, failed.lines, failed.has_ended) == (
        "failed",
        150,
        ["Failed: ValueError: no."],
        True,
    )
    assert math.isnan(failed.value)
    open_ = entry_of("micro_f1", [cell("running", rows=math.nan), cell("open", seed=2, rows=math.nan)])
    assert (open_.text, open_.at, open_.has_ended) == ("running", None, False)


def test_figures_have_units_and_counts_are_a_sentence():
    assert [written(*each) for each in (("micro_f1", 0.1), ("seconds", 2_345.6), ("bytes", 5e9))] == [
        "0.100", "2,346 s", "5,000 MB",
    ]  # fmt: skip
    # three digits each, so that they can be compared
    assert [written("seconds", each) for each in (0.0013, 0.00134, 0.000776, 0.0, 1.0)] == [
        "1.30 ms", "1.34 ms", "0.776 ms", "0 ms", "1.00 s",
    ]  # fmt: skip
    assert counts_sentence(["done"] * 3) == "All 3 runs are done."
    assert counts_sentence(["running", "memory", "done"]) == "3 runs: 1 done, 1 running, 1 out of memory."


def test_a_stream_counts_for_ranks_once_all_have_ended():
    values = {"A": [0.9, 0.5, 0.1], "B": [0.9, math.nan, 0.2], "C": [0.1, 0.6, 0.3]}
    assert average_ranks(values, [True, True, False], higher_is_better=True) == ({"A": 1.75, "B": 2.25, "C": 2.0}, 2)
    assert average_ranks(values, [False, False, True], higher_is_better=False)[0] == {"A": 1.0, "B": 2.0, "C": 3.0}
    ranks, counted = average_ranks(values, [False] * 3, higher_is_better=True)
    assert counted == 0
    assert all(math.isnan(rank) for rank in ranks.values())


def standing(values, measure="micro_f1", total=None, **more):
    streams = len(next(iter(values.values())))
    ended = [True] * streams
    ranks, counted = average_ranks(values, ended, higher_is_better=measure not in ("seconds", "bytes"))
    found = comparison_of(values, ended, measure)
    given = {"done": 4, "total": total or 4, "is_running": False} | more
    return Standing(measure, ranks, counted, found=found, **given)


def said(now):
    return "".join(text for text, _ in tell(now))


NONE = {"A": math.nan, "B": math.nan}
CLEAR = {"A": [0.9] * 9, "B": [0.5] * 9, "C": [0.1] * 9}


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (Standing("micro_f1", NONE, 0, 0, 4, True), "0 of 4 runs are done: the first ranks follow."),
        (Standing("micro_f1", NONE, 0, 1, 4, False), "1 of 4 runs are done."),
        (Standing("bytes", {"A": 1.0, "B": 2.0}, 2, 2, 4, True), "2 of 4 runs are done. On 2 streams A leads so far."),
        (Standing("micro_f1", {"A": 1.5, "B": 1.5}, 1, 2, 4, True), "2 of 4 runs are done: nobody leads yet."),
        (
            Standing("bytes", {"A": 1.5, "B": 1.5, "C": 3}, 1, 2, 9, True),
            "2 of 9 runs are done. On 1 stream A and B lead so far.",
        ),
        (Standing("micro_f1", NONE, 0, 4, 4, False), "No run ended with a figure."),
        (standing({"A": [0.9, 0.8]}), "A has no rivals here."),
        (standing({"A": [0.9, 0.1], "B": [0.1, 0.9]}), "Nobody is ahead: all share the first place."),
        (standing({"A": [0.9, 0.1], "B": [0.1, 0.9], "C": [0.0, 0.0]}), "A and B share the first place."),
        (standing({"A": [0.9], "B": [0.1]}), "A is first on the one stream; that may be chance."),
        (standing({"A": [0.9, 0.8, 0.7], "B": [0.1, 0.2, 0.3]}), "A is first, but that may be chance."),
        (standing(CLEAR), "A is first, and not by chance."),
        (standing(CLEAR, shares_rows=True), "A is first, but streams share their rows: chance is not ruled out."),
        (standing(CLEAR, "seconds"), "C is fastest, and not by chance."),
        (standing(CLEAR | {"A": [0.9] * 5 + [0.4] * 4}), "A is first, but its lead over B may be chance."),
        (
            standing(CLEAR | {"A": [0.9] * 5 + [0.4] * 4, "D": [0.95, 0.6, 0.3, 0.6, 0.6, 0.6, 0.6, 0.3, 0.3]}),
            "A is first; only its lead over C is more than chance.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_says_what_the_tests_say(now, sentence):
    assert said(now) == sentence
    assert len(sentence.split()) <= 20


@pytest.mark.parametrize(
    ("now", "names"),
    [
        (standing({"A": [0.9, 0.8, 0.7], "B": [0.1, 0.2, 0.3]}), []),
        (standing({"A": [0.9, 0.1], "B": [0.1, 0.9], "C": [0.0, 0.0]}), []),
        (standing(CLEAR), ["B", "C"]),
        (standing(CLEAR, total=5), []),
        (standing(CLEAR, shares_rows=True), []),
        (standing(CLEAR, "seconds"), ["B", "A"]),
        (standing(CLEAR | {"A": [0.9] * 5 + [0.4] * 4}, shares_rows=True), ["C"]),
    ],
)
def test_a_bracket_joins_the_first_with_those_it_leads_by_more_than_chance(now, names):
    assert surpassed(now) == names


def test_not_by_chance_is_said_where_every_test_says_so_and_no_bar_joins_the_first():
    rng = np.random.default_rng(7)
    seen = set()
    for _ in range(60):
        k, n = rng.integers(2, 6), rng.integers(2, 14)
        values = {f"L{i}": list(rng.normal(size=n) + 2 * i * rng.random()) for i in range(k)}
        now = standing(values)
        ruled_out = said(now).endswith("not by chance.")
        seen.add(ruled_out)
        first = now.found.ranks.index[0]
        if ruled_out:
            assert now.found.friedman.p < now.found.alpha
            assert not any(first in group for group in groups_of(now.found))
            by_pairs = now.found.pairs[(now.found.pairs.learner == first) | (now.found.pairs.rival == first)]
            assert now.found.pair_test == "nemenyi" or by_pairs.differs.all()
    assert seen == {True, False}


def test_the_tests_wait_until_all_have_ended():
    values = {"A": [0.9, 0.8, 0.7], "B": [0.1, 0.2, 0.3]}
    assert comparison_of(values, [True, True, False], "micro_f1") is None
    assert comparison_of(values, [True] * 3, "micro_f1").ranks.to_dict() == {"A": 1.0, "B": 2.0}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    found = study(tmp_path_factory.mktemp("study"), learners={"NoChange": {}, "usual <b>": "MajorityLabels"})
    found.run(workers=1)
    return found


@pytest.fixture
def reader(made):
    return Reader(made, "study: small")


def test_the_table_has_the_figures_of_the_study(made, reader):
    choice = complete(Choice(), reader)
    board = board_of(reader, reader.look(), choice)
    table = made.table("example_f1")
    assert [[each["value"] for each in row["cells"]] for row in board["rows"]] == table.to_numpy().tolist()
    best = table.to_numpy().argmax(axis=0)
    assert [[row["cells"][i]["best"] for row in board["rows"]].index(True) for i in range(2)] == best.tolist()
    assert board["why"][0] == "All 4 runs are done."
    first = [row["learner"] for row in board["rows"] if row["rank"] == min(row["rank"] for row in board["rows"])]
    assert {who for _, who in board["sentence"] if who is not None} == (set(first) if len(first) == 1 else set())
    assert [[each["rank"] for each in row["cells"]] for row in board["rows"]] == (3 - table.rank()).to_numpy().tolist()
    # nobody chose a stream: the ranks; and first among curves is that of the widest lead
    leads = (table.max() - table.min()) * (-1) ** (best != best[0])
    assert (choice.curves, board["curves"], board["widest"]) == ("", None, int(leads.argmax()))
    along = board_of(reader, reader.look(), complete(Choice(curves="s2"), reader))
    assert [line["positions"][-1] for line in along["curves"]["lines"]] == [300, 300]
    last = board_of(reader, reader.look(), Choice("seconds", "tenth", ("NoChange",), ("s2",), "s2"))
    assert (last["columns"], len(last["rows"]), last["has_overs"]) == ([1], 1, False)
    assert not last["rows"][0]["cells"][0]["best"]  # alone it is not the best
    assert "Time: what the learner took of a processor for the whole stream; less is better." in last["why"]
    assert last["curves"]["unit"] == "ms"


def test_a_look_reads_again_only_what_is_new(reader):
    first = reader.look()
    reader._looked = -math.inf
    assert reader.look() is first


def test_the_board_takes_what_the_page_offers_and_nothing_else(reader, caplog):
    chosen = []
    board = StudyBoard(lambda what, indices: chosen.append((what, indices)))
    board._handle_msg({"kind": "choose", "what": "measure", "indices": [0]})
    assert chosen == []  # nothing was shown yet
    board.show(board_of(reader, reader.look(), complete(Choice(), reader)), "")
    board._handle_msg({"kind": "choose", "what": "learners", "indices": [1]})
    board._handle_msg({"kind": "choose", "what": "curves", "indices": []})
    for what, indices in [
        ("learners", []), ("learners", [2]), ("learners", [-1]), ("learners", [True]), ("learners", [0, 1, 0]),
        ("measure", [0, 1]), ("measure", []), ("curves", [0, 1]),
        ("measure", ["0"]), ("measure", 0), ("file", [0]), (["x"], [0]), (None, None),
    ]:  # fmt: skip
        board._handle_msg({"kind": "choose", "what": what, "indices": indices})
    assert chosen == [("learners", [1]), ("curves", [])]
    board._process_events({"query": "evil", "dark": True})
    assert (board.query, board.dark) == ("", True)
    assert "the browser sent what the page does not" in caplog.text


def test_a_run_of_the_page_passes_the_same_rows_as_the_study(made, reader):
    row = made.results().iloc[0]
    curve = made.curves("micro_f1", "cumulative", row.stream)
    for at in (50, 150):
        page = RunPage(reader, Choice(run=row.key, at=at), [])
        try:
            run = page.view.run
            assert run.position == at
            tracker = run.learner_runs[row.learner].tracker
            expected = curve[(curve.learner == row.learner) & (curve.position == at)].value.item()
            assert tracker.values("cumulative", ["micro_f1"])["micro_f1"] == expected
        finally:
            page.close()


def test_names_are_text_on_the_page_of_a_run(made, reader):
    key = made.results().set_index("learner").key["usual <b>"].iloc[0]
    page = RunPage(reader, Choice(run=key, at=0), [])
    try:
        assert "usual &lt;b&gt;" in page.words.object
        assert "usual <b>" not in page.words.object
        assert f"cell={key}" in page.way.object
    finally:
        page.close()


def test_a_study_gives_runs_of_its_own_keys_alone(made):
    with pytest.raises(ValueError, match="the study has no such cell"):
        made.run_of("0" * 64)
    with pytest.raises(ValueError, match="stream='s9': expected 's1', 's2' or None"):
        made.curves("micro_f1", stream="s9")
    assert set(made.curves("micro_f1", stream="s2").stream) == {"s2"}
