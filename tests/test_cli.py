"""The command line: what works writes tables and files, what does not says so in one line."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import streamlab as sl
from streamlab.cli import main
from streamlab.learners.from_text import parse_learner


def streamlab(*arguments: str) -> subprocess.CompletedProcess:
    """The command as the shell starts it."""
    command = [sys.executable, "-c", "from streamlab.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def call(monkeypatch, capsys):
    """``main`` in this process, as the command calls it: exit code, standard output, standard error."""

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["streamlab", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code or 0, *capsys.readouterr()

    return called


# ---------------------------------------------------------------------- the command itself


def test_the_installed_command():
    command = shutil.which("streamlab", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("the package is not installed: no streamlab beside this Python")
    done = subprocess.run([command, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    for name in ("streams", "learners", "run", "warm", "replay", "monitor"):
        assert name in done.stdout


def rows_of(done: subprocess.CompletedProcess[str]) -> dict[str, list[str]]:
    assert (done.returncode, done.stderr) == (0, "")
    return {line.split()[0]: line.split() for line in done.stdout.splitlines()}


def test_streams_are_short_unless_all_are_asked_for():
    rows = rows_of(streamlab("streams"))
    table = sl.catalogue()
    at_hand = table[~table["where"].isin(["fetched", "cached"])]
    assert len(rows) == 2 + len(at_hand), "a line for each, also where there is no terminal; names above, more below"
    assert rows["name"] == ["name", "kind", "rows", "features", "labels", "licence", "what"]
    assert rows["yeast"][1:5] == ["shipped", "2,417", "103", "14"]
    assert rows["movies"][5] == "CC0-1.0"
    assert "streamlab[movies])" in rows["movies"], "brackets are not markup"
    assert [row[1] for row in rows.values()][1:-1] == sorted(
        (r[1] for r in rows.values() if r[1] in KINDS), key=KINDS.index
    )
    assert rows["and"][1] == str(len(table) - len(at_hand))
    assert len(rows_of(streamlab("streams", "--all"))) == 1 + len(table)


KINDS = ["shipped", "generated"]


@pytest.mark.parametrize("options", [["--address", "0.0.0.0"], ["--allow-origin", "lab.example:443"]])
def test_pages_open_live_streams_on_this_machine_alone(call, options):
    code, out, stderr = call("monitor", "--live", *options)
    assert (code, out) == (2, "")
    assert stderr.startswith("streamlab: --live, or STREAMLAB_LIVE=1, works on this machine only")


# ---------------------------------------------------------------------- run


def test_csv_several_learners_and_measures(tmp_path, call):
    out = tmp_path / "curves.csv"
    code, stdout, stderr = call(
        "run", "yeast", "-l", "NoChange", "-l", "SMART(half_life=inf)", "-l", "MajorityLabels", "-m", "macro_f1",
        "-m", "hamming_loss", "--n", 450, "--chunk", 150, "--over", "cumulative", "--out", out, "--quiet",
    )  # fmt: skip
    assert code == 0, stderr
    assert [line.split()[0] for line in stdout.splitlines()] == [
        "learner",
        "NoChange",
        "SMART(half_life=inf)",
        "MajorityLabels",
    ]
    assert "━" not in stderr, "no bar"
    assert "9 rows" in stderr
    table = pd.read_csv(out)
    assert table.columns.tolist() == ["position", "learner", "macro_f1", "hamming_loss"]
    learners = {"NoChange": sl.NoChange(), "SMART(half_life=inf)": sl.SMART(half_life=float("inf"), seed=1)}
    expected = sl.prequential("yeast", learners, n=450, chunk=150).curves_over("cumulative")
    for name in learners:
        for measure in ("macro_f1", "hamming_loss"):
            mine = table[table.learner == name][measure].to_numpy()
            assert mine == pytest.approx(expected[expected.learner == name][measure].to_numpy(), abs=1e-12)


def test_learners(call):
    code, out, err = call("learners")
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines()[1:]}
    assert {"SMART", "MLHAT", "StandardScaler"} <= set(rows)
    assert not {"Pipeline", "OnePerLabel"} & set(rows), "they are made of other learners"
    assert "n_trees=20, height=15, half_life=200" in rows["SMART"]
    assert "ensemble of random trees" in rows["SMART"]
    assert "HT one per label" in out
    assert "iSOUPT" in rows


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("SMART( half_life = inf , seed=3)", {"smart": {"half_life": math.inf, "seed": 3}}),
        (" SMART(n_trees=-0 + 1)", r"n_trees=-0 \+ 1: expected a number"),
        ("SMART(seed=open('x'))", r"seed=open\('x'\): expected a number"),
        ("SMART(seed=[].__class__)", "expected a number"),
        ("SMART(**{})", "expected parameters by name"),
        ("SMART(1)", "expected parameters by name"),
        ("SMART(seed=1, seed=2)", "the parameter 'seed' occurs twice"),
        ("SMART(seed=1) + 1", r"expected parameters as \(name=value, …\)"),
        ("SMART(seed=1", r"expected parameters as \(name=value, …\)"),
        ("", "expected the name of a learner"),
        (
            "StandardScaler | BalancedLDA(half_life=400)|BalancedKNN(seed=2)",
            {"balancedlda": {"half_life": 400}, "balancedknn": {"seed": 2}},
        ),
        ("MLHAT(alternate_on='drift')", {"mlhat": {"alternate_on": "drift", "seed": 5}}),
    ],
)
def test_a_learner_is_read_and_nothing_is_executed(text, steps):
    if isinstance(steps, str):
        with pytest.raises(ValueError, match=steps):
            parse_learner(text, {"seed": 5})
        return
    made = parse_learner(text, {"seed": 5})
    parts = made.steps if isinstance(made, sl.Pipeline) else {type(made).__name__.lower(): made}
    for name, parameters in steps.items():
        for key, value in parameters.items():
            assert getattr(parts[name], key) == value


def test_a_file_and_its_labels(tmp_path, call):
    path = tmp_path / "little.csv"
    path.write_text("a,b,first,second\n" + "1,2,0,1\n2,1,1,0\n" * 60, encoding="utf-8")
    for labels in ("first,second", "-2", " first , second"):
        code, stdout, stderr = call("run", path, "--labels", labels, "-l", "NoChange", "-q")
        assert code == 0, stderr
        assert " 120 " in stdout


# ---------------------------------------------------------------------- one line for what is wrong


@pytest.fixture
def ragged(tmp_path) -> Path:
    path = tmp_path / "ragged.csv"
    path.write_text("a,b,l\n1,2,1\n1,2\n", encoding="utf-8")
    return path


WRONG = {
    "an unknown stream": (["run", "yeasst"], r"'yeasst' is neither a file nor in the catalogue.*yeast"),
    "an unknown measure": (
        ["run", "yeast", "--measure", "micro_f2"],
        r"--measure: unknown measure 'micro_f2'; did you mean",
    ),
    "an unknown learner": (
        ["run", "yeast", "--learner", "SMRT"],
        r"--learner SMRT: unknown learner .SMRT.; did you mean SMART",
    ),
    "half-life": (
        ["run", "yeast", "-l", "SMART(half_life=-1)"],
        r"--learner SMART\(half_life=-1\): half_life=-1: expected",
    ),
    "trees": (["run", "yeast", "-l", "SMART(n_trees=0)"], r"--learner SMART\(n_trees=0\): n_trees=0: expected"),
    "a parameter": (
        ["run", "yeast", "-l", "SMART(halflife=3)"],
        r"SMART has no parameter 'halflife'; did you mean half_life",
    ),
    "seed": (["run", "yeast", "--seed", "-1"], r"--seed -1: expected"),
    "chunk": (["run", "yeast", "--chunk", "0"], r"--chunk 0: expected"),
    "n": (["run", "yeast", "--n", "-3"], r"--n -3: expected a whole number, at least 0"),
    "over": (["run", "yeast", "--over", "week"], r"--over 'week': expected 'chunk', 'faded' or 'cumulative'"),
    "zero-division": (["run", "yeast", "--zero-division", "0.5"], r"--zero-division 0.5"),
    "suffix": (["run", "yeast", "--out", "curves.txt"], r"--out curves.txt: expected .* .parquet or .csv"),
    "no folder": (["run", "yeast", "--out", "nowhere/at/all.csv"], r"--out nowhere/at/all.csv: there is no folder"),
    "a folder": (["run", "yeast", "--out", "FOLDER.csv"], r"--out .*FOLDER.csv: .* this is a folder"),
    "no curve": (
        ["run", "yeast", "-m", "macro_average_precision", "--out", "x.csv"],
        r"'macro_average_precision' has no curve",
    ),
    "ragged": (["run", "RAGGED", "--labels", "l"], r"ragged.csv, line 3, column 3: expected 3 cells"),
    "missing": (["run", "missing.csv", "--labels", "l"], r"missing.csv does not exist"),
    "no labels": (["run", "PLAIN"], r".*plain.csv: which columns are labels\? expected --labels \(names"),
    "wrong labels": (["run", "PLAIN", "--labels", "k"], r".*plain.csv: --labels names 'k', which is not a column"),
    "labels of a name": (["run", "yeast", "--labels", "k"], r"yeast: --labels \['k'\] does not go .*catalogue"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_told_in_one_line(case, call, tmp_path, ragged, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FOLDER.csv").mkdir()
    arguments, message = WRONG[case]
    plain = ragged.with_name("plain.csv")
    if "PLAIN" in arguments:
        plain.write_text("a,b\n1.5,2.5\n3.5,4.5\n")
    files = {"RAGGED": str(ragged), "PLAIN": str(plain)}
    code, stdout, stderr = call(*(files.get(a, a) for a in arguments))
    plain.unlink(missing_ok=True)
    assert code == 2
    assert stdout == ""
    assert re.match(rf"streamlab: .*{message}", stderr), stderr
    assert stderr.count("\n") == 1
    assert stderr.endswith("\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["FOLDER.csv", "ragged.csv"], "nothing was written"


@pytest.mark.parametrize(
    "arguments", [["run"], ["run", "yeast", "--chunk", "many"], ["run", "yeast", "--nonsense"], ["nonsense"]]
)
def test_wrong_usage(arguments, call):
    code, stdout, stderr = call(*arguments)
    assert code == 2
    assert stdout == ""
    assert "Usage" in stderr
    assert "Traceback" not in stderr


@pytest.mark.nightly
def test_warm_names_each_part_and_its_seconds(call):
    code, out, _ = call("warm", "NoChange", "MajorityLabels")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split() == ["part", "processor", "clock"]
    found = {re.fullmatch(r"(\w+) +\d+\.\d s +\d+\.\d s", line)[1] for line in lines[1:3]}
    assert found == {"NoChange", "MajorityLabels"}
    assert re.fullmatch(r"2 parts are ready after \d+\.\d s", lines[3])
    code, out, stderr = call("warm", "SMRT")
    assert (code, out) == (2, "")
    assert re.match(r"streamlab: .*SMRT.*SMART", stderr), stderr


def test_a_stream_with_known_drift_is_told_with_who_noticed(call):
    code, out, _ = call("run", "yeast-rotated", "-q", "-l", "SMART", "-l", "NoChange")
    assert code == 0
    drifts = out.splitlines()
    drifts = drifts[next(i for i, line in enumerate(drifts) if line.startswith("drifts")) :]
    assert [line.split()[:5] for line in drifts[2:]] == [
        ["SMART", "errors", "1", "of", "1"],
        ["NoChange", "errors", "0", "of", "1"],
    ], "who does best after the drift stands first"
    assert drifts[3].split()[-2:] == ["clear", "fall"]
    assert "drifts" not in call("run", "yeast", "-q", "--n", 300)[1]


def test_the_monitor_command_serves_every_page(call, monkeypatch):
    import panel as pn

    served = {}
    monkeypatch.setattr(pn, "serve", lambda pages, **options: served.update(pages=pages, **options))
    assert call("monitor", "--port", "0") == (0, "", "")
    apps = Path(__file__).resolve().parents[1] / "apps"
    assert sorted(served["pages"]) == sorted(path.stem for path in apps.glob("*.py"))
    assert next(iter(served["pages"])) == "stream_monitor"
    assert served["title"]["label_hierarchy"] == "streamlab · label hierarchy"
    assert [path for path, _ in served["extra_patterns"]] == ["/"]


# ---------------------------------------------------------------------- replay


def test_replay_says_whether_it_is_identical(call, tmp_path):
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    run.advance(150)
    run.tune("SMART", half_life=20)
    run.advance(100)
    run.save(tmp_path / "x.slab")
    code, said, _ = call("replay", tmp_path / "x.slab")
    assert (code, said.partition(",")[0]) == (0, "identical: 250 instances")
    run.log.add(250, "SMART", "tuned", "by hand")
    run.save(tmp_path / "x.slab")
    code, said, _ = call("replay", tmp_path / "x.slab")
    assert (code, said) == (1, "different after 250 instances: SMART: the event 'tuned' (by hand)\n")


def test_replay_needs_the_data_of_a_file(call, tmp_path):
    table = pd.DataFrame({"a": range(60), "l": [0, 1] * 30})
    table.to_csv(tmp_path / "a.csv", index=False)
    run = sl.Run(sl.load(tmp_path / "a.csv", labels=["l"]), sl.NoChange(), chunk=10)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    code, _, said = call("replay", tmp_path / "x.slab")
    assert (code, "the rows of the run are needed" in said) == (2, True)
    assert call("replay", tmp_path / "x.slab", "--stream", tmp_path / "a.csv", "--labels", "l")[0] == 0
    code, _, said = call("replay", tmp_path / "a.csv")
    assert (code, "a.csv: it is not an archive of a run" in said) == (2, True)


def test_check_says_what_columns_are_taken_for(call, tmp_path):
    path = tmp_path / "films.csv"
    rows = "".join(f"{i},{i * 0.5},{'NA' if i % 4 else 'rock'},{i % 2}\n" for i in range(20))
    path.write_text(f",tempo,style,genre\n{rows}")
    code, out, _ = call("check", path, "--labels", "style")
    assert code == 0
    words = [line.split() for line in out.splitlines()]
    assert ["name", "role", "why", "examples"] in words
    (row,) = (line for line in words if line[:3] == ["column", "1", "ignore"])
    assert row[-7:] == ["numbers", "of", "the", "rows", "0,", "1,", "2"]
    assert " ".join(out.split()).count("15 of 'style'") == 1
    path.write_text("a,b\n" + "".join(f"{i * 0.3},{i * 0.7}\n" for i in range(20)))
    code, out, err = call("check", path)
    assert code != 0
    assert "which columns are labels" in err
    assert "Which columns are the labels?" in out
