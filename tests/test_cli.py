"""The command line: what works writes tables and files, what does not says so in one line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import streamlab as sl
from streamlab.cli import app, main
from streamlab.measures import DEFAULT_MEASURES


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
    for name in ("streams", "run", "monitor"):
        assert name in done.stdout


def test_streams():
    done = streamlab("streams")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + len(sl.catalogue()), "one line for each, also where there is no terminal"
    assert lines[0].split() == sl.catalogue().columns.tolist()
    rows = {line.split()[0]: line.split() for line in lines[1:]}
    assert rows["yeast"][1:4] == ["2417", "103", "14"]
    assert rows["yeast"][-1] == "bundled"


@pytest.mark.parametrize("command", ["streams", "run", "monitor"])
def test_help(command):
    result = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    assert result.exit_code == 0
    options = set(re.findall(r"--[a-z][a-z-]*", result.stdout))
    assert options >= {
        "streams": set(),
        "run": {"--learner", "--half-life", "--measure", "--out", "--chunk", "--seed", "--labels", "--quiet"},
        "monitor": {"--port", "--address", "--show", "--allow-origin"},
    }[command] | {"--help"}


def test_no_argument_shows_the_help():
    result = CliRunner().invoke(app, [])
    assert "Commands" in result.output


# ---------------------------------------------------------------------- run


def test_the_line_of_the_readme(tmp_path):
    out = tmp_path / "curves.parquet"
    done = streamlab(
        "run", "yeast", "--learner", "SMART", "--half-life", 400, "--measure", "micro_f1", "--out", out
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2417/2417" in done.stderr, "the bar is on standard error"
    expected = sl.prequential("yeast", sl.SMART(half_life=400, seed=1), measures=["micro_f1"])
    heading, row = done.stdout.splitlines()
    assert "F1 (micro)" in heading
    assert row.split()[:3] == ["SMART", f"{expected.summary.micro_f1['SMART']:.4f}", "2,417"]
    pd.testing.assert_frame_equal(pd.read_parquet(out), expected.curves)


def test_csv_several_learners_and_measures(tmp_path, call):
    out = tmp_path / "curves.csv"
    code, stdout, stderr = call(
        "run", "yeast", "-l", "NoChange", "-l", "SMART-static", "-l", "MajorityLabels", "-m", "macro_f1",
        "-m", "hamming_loss", "--n", 450, "--chunk", 150, "--over", "cumulative", "--out", out, "--quiet",
    )  # fmt: skip
    assert code == 0, stderr
    assert [line.split()[0] for line in stdout.splitlines()] == [
        "learner",
        "NoChange",
        "SMART-static",
        "MajorityLabels",
    ]
    assert "━" not in stderr, "no bar"
    assert "9 rows" in stderr
    table = pd.read_csv(out)
    assert table.columns.tolist() == ["position", "learner", "macro_f1", "hamming_loss"]
    learners = {"NoChange": sl.NoChange(), "SMART-static": sl.SMART(half_life=float("inf"), seed=1)}
    expected = sl.prequential("yeast", learners, n=450, chunk=150).curves_over("cumulative")
    for name in learners:
        for measure in ("macro_f1", "hamming_loss"):
            mine = table[table.learner == name][measure].to_numpy()
            assert mine == pytest.approx(expected[expected.learner == name][measure].to_numpy(), abs=1e-12)


def test_three_learners_if_none_is_named(call):
    code, stdout, _ = call("run", "yeast", "--n", 100, "-q")
    assert code == 0
    assert [line.split()[0] for line in stdout.splitlines()[1:]] == ["SMART", "NoChange", "MajorityLabels"]


def test_every_measure_can_be_shown(call):
    measures = (*DEFAULT_MEASURES, "macro_average_precision")
    chosen = [text for measure in measures for text in ("-m", measure)]
    code, stdout, stderr = call("run", "yeast", "--n", 100, "-l", "MajorityLabels", "-q", *chosen)
    assert code == 0, stderr
    assert len(re.findall(r"\b\d\.\d{4}\b", stdout)) == len(measures)


def test_the_settings_reach_smart(call):
    tables = [
        call("run", "yeast", "--n", 600, "-l", "SMART", "-q", *options)[1].split()
        for options in ((), ("--half-life", "inf"), ("--n-trees", 2), ("--height", 3), ("--seed", 7))
    ]
    place = tables[0].index("SMART") + 1
    assert len({tuple(table[place : place + 1]) for table in tables}) == 5
    static = call("run", "yeast", "--n", 600, "-l", "SMART-static", "-q", "--half-life", 3)[1].split()
    assert static[place] == tables[1][place]


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
    "an unknown measure": (["run", "yeast", "--measure", "micro_f2"], r"unknown measure 'micro_f2'; did you mean"),
    "an unknown learner": (["run", "yeast", "--learner", "SMRT"], r"--learner SMRT: unknown; choose among .*SMART"),
    "no learner": (["run", "yeast", "--learner", "Stream"], r"--learner Stream: unknown"),
    "half-life": (["run", "yeast", "--half-life", "-1"], r"half_life=-1.0: expected"),
    "trees": (["run", "yeast", "--n-trees", "0"], r"n_trees=0: expected"),
    "seed": (["run", "yeast", "--seed", "-1"], r"seed=-1: expected"),
    "chunk": (["run", "yeast", "--chunk", "0"], r"chunk=0: expected"),
    "n": (["run", "yeast", "--n", "-3"], r"n=-3 must not be negative"),
    "over": (["run", "yeast", "--over", "week"], r"--over week: expected chunk, faded or cumulative"),
    "zero-division": (["run", "yeast", "--zero-division", "0.5"], r"zero_division=0.5"),
    "suffix": (["run", "yeast", "--out", "curves.txt"], r"--out curves.txt: expected .* .parquet or .csv"),
    "no folder": (["run", "yeast", "--out", "nowhere/at/all.csv"], r"--out nowhere/at/all.csv: there is no folder"),
    "a folder": (["run", "yeast", "--out", "FOLDER.csv"], r"--out .*FOLDER.csv: .* this is a folder"),
    "no curve": (
        ["run", "yeast", "-m", "macro_average_precision", "--out", "x.csv"],
        r"'macro_average_precision' has no curve",
    ),
    "ragged": (["run", "RAGGED", "--labels", "l"], r"ragged.csv, line 3, column 3: expected 3 cells"),
    "missing": (["run", "missing.csv", "--labels", "l"], r"missing.csv does not exist"),
    "no labels": (["run", "RAGGED"], r"ragged.csv.*label"),
    "wrong labels": (["run", "RAGGED", "--labels", "k"], r"ragged.csv.*'k'"),
    "labels of a name": (["run", "yeast", "--labels", "k"], r"labels=.*catalogue"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_told_in_one_line(case, call, tmp_path, ragged, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FOLDER.csv").mkdir()
    arguments, message = WRONG[case]
    code, stdout, stderr = call(*(str(ragged) if a == "RAGGED" else a for a in arguments))
    assert code == 2
    assert stdout == ""
    assert re.match(rf"streamlab: .*{message}", stderr), stderr
    assert stderr.count("\n") == 1
    assert stderr.endswith("\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["FOLDER.csv", "ragged.csv"], "nothing was written"


@pytest.mark.parametrize("case", ["an unknown stream", "half-life", "ragged"])
def test_wrong_input_in_the_shell(case, ragged):
    arguments, message = WRONG[case]
    done = streamlab(*(ragged if a == "RAGGED" else a for a in arguments))
    assert done.returncode == 2
    assert re.fullmatch(rf"streamlab: .*{message}.*\n", done.stderr), done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments", [["run"], ["run", "yeast", "--chunk", "many"], ["run", "yeast", "--nonsense"], ["nonsense"]]
)
def test_wrong_usage(arguments, call):
    code, stdout, stderr = call(*arguments)
    assert code == 2
    assert stdout == ""
    assert "Usage" in stderr
    assert "Traceback" not in stderr


def test_bytes_that_are_no_text(tmp_path, call):
    path = tmp_path / "strange.csv"
    path.write_bytes(b"a,l\n1,1\n\xff\xfe\xff,0\n")
    code, _, stderr = call("run", path, "--labels", "l")
    assert code == 2
    assert "strange.csv" in stderr
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["broken.arff.gz", "broken.csv.gz", "broken.parquet", "broken.arff", "broken.svm"])
def test_files_that_are_not_what_their_name_says(name, tmp_path, call):
    path = tmp_path / name
    for content in (b"", b"\x1f\x8b\x08\x00nonsense", b"PAR1nonsensePAR1", b"\x00" * 100):
        path.write_bytes(content)
        code, _, stderr = call("run", path, *(() if name.endswith("svm") else ("--labels", "1")), "-q")
        assert code == 2, content
        assert stderr.startswith("streamlab: "), stderr
        assert name in stderr
        assert stderr.count("\n") == 1, stderr


def test_a_stream_with_known_drift_is_told_with_who_noticed(call):
    code, out, _ = call("run", "yeast-rotated", "-q", "-l", "SMART", "-l", "NoChange")
    assert code == 0
    drifts = out.splitlines()
    drifts = drifts[next(i for i, line in enumerate(drifts) if line.startswith("drifts")) :]
    assert [line.split()[:5] for line in drifts[2:]] == [
        ["SMART", "errors", "1", "of", "1"],
        ["NoChange", "errors", "0", "of", "1"],
    ]
    assert "drifts" not in call("run", "yeast", "-q", "--n", 300)[1]


def test_the_monitor_command_serves_every_page(call, monkeypatch):
    pn = pytest.importorskip("panel")
    pytest.importorskip("panel_material_ui")
    served = {}
    monkeypatch.setattr(pn, "serve", lambda pages, **options: served.update(pages=pages, **options))
    assert call("monitor", "--port", "0") == (0, "", "")
    apps = Path(__file__).resolve().parents[1] / "apps"
    assert sorted(served["pages"]) == sorted(path.stem for path in apps.glob("*.py"))
    assert next(iter(served["pages"])) == "stream_monitor"
    assert served["title"]["label_hierarchy"] == "streamlab · label hierarchy"
    assert served["compress_response"]


def test_a_pipeline_by_the_names_of_its_steps(call):
    name = "StandardScaler | BalancedLDA|BalancedKNN"
    code, out, err = call("run", "yeast", "--learner", name, "--n", "300", "-q")
    assert (code, err) == (0, "")
    assert name in out
    for name, said in (
        ("SMART|SMART", "'SMART' is no transformer; choose among BalancedLDA, StandardScaler"),
        ("StandardScaler|Nobody", "unknown; choose among BalancedKNN"),
        ("BalancedLDA", "unknown; choose among"),
        ("Pipeline", "unknown; choose among"),
    ):
        code, out, err = call("run", "yeast", "--learner", name, "-q")
        assert code == 2
        assert f"--learner {name}: {said}" in err


def test_labels_in_a_hierarchy_are_measured_so(call):
    code, out, err = call("run", "segments", "--learner", "HierarchicalKNN", "--n", "300", "-q")
    assert (code, err) == (0, "")
    assert "Hierarchical F1" in out
