"""What ``streamlab watch --check`` prints of a stream's columns, and of what would be refused."""

from __future__ import annotations

import json
import re

from streamlab.cli import app
from typer.testing import CliRunner


def checked(tmp_path, stream):
    (tmp_path / "run.toml").write_text(f'stream = "{stream}"\n[learners]\n"no-change" = {{ use = "NoChange" }}\n')
    said = CliRunner().invoke(app, ["watch", str(tmp_path / "run.toml"), "--check"])
    assert said.exit_code == 0, said.output
    return said.output


def line_of(output, name):
    return next(line.split() for line in output.splitlines() if line.startswith(f"  {name} "))


def test_columns_are_shown_with_range_examples_and_what_is_refused(tmp_path):
    rows = [f"r{i},{i % 7 / 2},{'red' if i % 3 else 'green'},{i % 2},{'a;b' if i % 2 else 'b'}" for i in range(60)]
    rows[5] = "r5,much,red,0,a"
    (tmp_path / "rows.csv").write_text("id,heat,colour,hot,tags\n" + "\n".join(rows) + "\n")
    said = checked(tmp_path, "tail:rows.csv?labels=hot,tags&ignore=id&learn_seconds=0.5")
    assert line_of(said, "id") == ["id", "ignore", "left", "out"]
    assert line_of(said, "heat") == ["heat", "number", "0", "to", "3", "0,", "0.5,", "1"]
    assert line_of(said, "colour") == ["colour", "words", "green,", "red", "green,", "red,", "red"]
    assert line_of(said, "hot") == ["hot", "label", "1", "or", "0", "in", "49%", "of", "the", "rows"]
    assert line_of(said, "tags")[:4] == ["tags", "tags", "a,", "b"]
    assert "in columns of numbers: a word, but for ?, N/A, NA, NULL, NaN, nan, null (missing= names" in said
    assert "'colour': another word than green, red (new_words=missing takes it as missing)" in said
    assert "in 'hot': what is neither 1 nor 0" in said
    assert "refused: 1 (wrong type: heat); the last: the column 'heat' is 'much'; expected a number" in said
    assert (tmp_path / "run" / "journal" / "dead_letters.jsonl").is_file()


def test_both_sides_of_a_join_are_shown_with_their_keys(tmp_path):
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({"id": f"r{i}", "x": i / 4}) + "\n" for i in range(40)))
    (tmp_path / "labels.csv").write_text("id,hot\n" + "".join(f"{i},{i % 2}\n" for i in range(40)))
    address = "tail:rows.jsonl?label_topic=labels.csv&key=id&labels=hot&within_rows=5&learn_seconds=0.5"
    said = checked(tmp_path, address)
    keys = [line.split() for line in said.splitlines() if line.startswith("  id ")]
    assert keys == [["id", "key", "r0,", "r1,", "r2"], ["id", "key", "0,", "1,", "2"]]
    assert "joined by key: of 40 rows 0 are in the stream with their labels, " in said


def test_the_groups_of_a_join_add_up_and_what_checking_leaves_is_told(tmp_path, monkeypatch):
    monkeypatch.delenv("STREAMLAB_WEBHOOK", raising=False)
    (tmp_path / "rows.csv").write_text("id,at,x\n" + "".join(f"{i},{1000 + i},{i / 4}\n" for i in range(217)))
    marked = [i for i in range(200) if i % 50]
    (tmp_path / "labels.csv").write_text("id,at,hot\n" + "".join(f"{i},{1003 + i},{i % 2}\n" for i in marked))
    address = "tail:rows.csv?label_topic=labels.csv&key=id&labels=hot&time=at&label_time=at&within_seconds=20"
    said = checked(tmp_path, address)
    groups = re.search(r"of (\d+) rows (\d+) are in the stream.*, (\d+) got none in time.*, (\d+) are held", said)
    n, given, left_out, held = map(int, groups.groups())
    assert (n, left_out) == (217, 4)  # rows 0, 50, 100, 150
    assert given + left_out + held == n
    assert f"held: {held} rows wait for labels" in said
    assert "alarms are told here alone: STREAMLAB_WEBHOOK is not set" in said
    assert f"what came was read into {tmp_path / 'run'}, where watch goes on" in said


def test_a_stream_that_is_not_live_is_shown_too(tmp_path):
    assert line_of(checked(tmp_path, "yeast"), "Att1")[1:5] == ["number", "-0.23701", "to", "0.509949"]
