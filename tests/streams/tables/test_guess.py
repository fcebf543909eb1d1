"""Files of thirty habits become streams by guess; what is unclear is asked; what cannot be is refused by place."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import LoadLimits, guess_table
from tests.streams.read import rows as everything
from tests.streams.read import written
from tests.streams.tables.habits import GENRES, HABITS, Habit, N


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.name)
def test_each_habit_by_load(tmp_path: Path, habit: Habit):
    path = written(tmp_path, habit.made(), habit.name)
    if habit.refused:
        with pytest.raises(ValueError, match=r"\.csv") as caught:
            sl.load(path, **habit.options)
        said = str(caught.value)
        assert said.startswith(str(path))
        assert "\n" not in said
        assert habit.refused in said or "labels" in said
        return
    stream = sl.load(path, **habit.options)
    assert (stream.schema.n_features, stream.schema.n_labels) == (habit.features, habit.labels)
    assert stream.schema.labels[: len(habit.first)] == habit.first
    assert stream.n_rows == N
    if not stream.is_sparse:
        X, Y = everything(stream)
        assert (len(X), len(Y)) == (N, N)
        assert Y.any()
        assert not Y.all()
        assert np.isfinite(X).any()
    model = sl.NoChange()
    sl.prequential(stream, {"NoChange": model}, chunk=50)


@pytest.mark.parametrize("habit", [h for h in HABITS if not h.refused], ids=lambda habit: habit.name)
def test_the_line_of_python_gives_the_same_stream(tmp_path: Path, habit: Habit):
    path = written(tmp_path, habit.made(), habit.name)
    guess = guess_table(path).with_roles(habit.roles)
    assert guess.is_ready
    stream = guess.stream()
    again = eval(guess.python(str(path)), {"sl": sl})
    assert again.schema.labels == stream.schema.labels
    assert tuple(again.schema.features[:300]) == tuple(stream.schema.features[:300])
    assert json.loads(json.dumps(again.recipe))["options"]["labels"] == guess.options()["labels"]
    if not stream.is_sparse:
        for one, other in zip(everything(stream), everything(again), strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_is_in_the_cells_is_in_the_stream(tmp_path):
    rows = (
        "Größe;Genre;Datum;Käufer;id\n1.234,5;rock;01.02.2024;ja;1\n2,25;pop;02.02.2024;nein;2\n;rock;03.02.2024;ja;3\n"
    )
    stream = sl.load(written(tmp_path, rows.encode("cp1252"), "m.csv"))
    assert [f.name for f in stream.schema.features] == ["Größe", "Käufer"]
    assert stream.schema.labels == ("pop", "rock"), "it is called Genre"
    X, _ = everything(stream)
    np.testing.assert_array_equal(X, [[1234.5, 0], [2.25, 1], [np.nan, 0]])
    stream = sl.load(written(tmp_path, rows.encode("cp1252"), "m.csv"), labels=["Käufer"], ignore=["id", "Datum"])
    assert [(f.name, f.categories) for f in stream.schema.features] == [("Größe", None), ("Genre", ("pop", "rock"))]
    np.testing.assert_array_equal(everything(stream)[1], [[1], [0], [1]])


def test_tags_are_ordered_by_their_rows_and_split_in_any_way(tmp_path):
    cells = ["rock;pop", "pop", "", "jazz;pop", "rock;pop"]
    text = "a,tags\n" + "".join(f"{i * 0.5},{cell}\n" for i, cell in enumerate(cells))
    stream = sl.load(written(tmp_path, text, "m.csv"), labels="tags")
    assert stream.schema.labels == ("pop", "rock", "jazz")
    np.testing.assert_array_equal(everything(stream)[1], [[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 0, 1], [1, 1, 0]])
    other = sl.load(written(tmp_path, text.replace(";", "/"), "m.csv"), labels="tags", tags=["tags"], tag_separator="/")
    assert other.schema.labels == stream.schema.labels
    one = sl.load(written(tmp_path, text, "m.csv"), labels="tags", classes=["tags"])
    assert one.schema.labels == ("jazz;pop", "pop", "rock;pop")


def test_labels_that_would_be_called_alike_are_told_apart(tmp_path):
    text = "x,first,second\n" + "".join(f"{i * 0.5},{GENRES[i % 3]},{GENRES[i // 3 % 3]}\n" for i in range(30))
    stream = sl.load(written(tmp_path, text, "m.csv"), labels=["first", "second"])
    assert stream.schema.labels == tuple(f"{c}={g}" for c in ("first", "second") for g in GENRES)


def test_a_table_of_rs_is_read_as_it_is_meant_when_roles_change(tmp_path):
    text = "id,age,vip,note\n" + "".join(f"{i},{i * 1.5},{'yn'[i % 2]},{GENRES[i % 3]}\n" for i in range(40))
    guess = guess_table(written(tmp_path, text, "m.csv"))
    assert [column.role for column in guess.columns] == ["ignore", "feature", "label", "feature"]
    changed = guess.with_roles({"vip": "feature", "note": "class", "id": "feature"})
    assert changed.options() == {"labels": "note", "features": ["id"]}
    assert changed.stream().schema.n_features == 3
    assert guess.columns[0].role == "ignore", "the guess itself stays"
    with pytest.raises(ValueError, match="roles names 'agge', which is not a column; did you mean 'age'"):
        guess.with_roles({"agge": "label"})
    with pytest.raises(ValueError, match=r"column 'age': it holds numbers from 0 to 58.5, which cannot be 'label'"):
        guess.with_roles({"age": "label"})
    with pytest.raises(ValueError, match="role='lable': expected"):
        guess.with_roles({"vip": "lable"})


def test_columns_with_gaps_are_named_where_they_are_learned_from(tmp_path):
    rows = "".join(
        f"{'' if i % 4 else i},{'NA' if i % 2 else i},{i},note {i * i} of {i},{'x' if i % 3 else ''}\n"
        for i in range(40)
    )
    guess = guess_table(written(tmp_path, f"a,b,c,said,tall\n{rows}", "m.csv"))
    told = [each.text for each in guess.questions if "no value" in each.text]
    assert told == [
        "“a” and “b” have no value in up to 30 of the rows looked at: it is missing there for the learners, and no row "
        "is left out."
    ]
    told = [each.text for each in guess.with_roles({"a": "ignore"}).questions]
    assert sum(text.startswith("“b” has no value in 20 of the rows") for text in told) == 1


def test_what_is_unclear_is_asked(tmp_path):
    text = "id,age,note\n" + "".join(f"{i},{'unknown' if i == 3 else i * 1.5},{i * 0.25}\n" for i in range(40))
    guess = guess_table(written(tmp_path, text, "m.csv"))
    assert not guess.is_ready
    texts = [question.text for question in guess.questions]
    assert texts[0].startswith("Which columns are the labels?")
    assert any("“unknown” there means a missing value" in each for each in texts)
    assert any("“id” is left out" in each for each in texts)
    with pytest.raises(ValueError, match="which columns are labels"):
        guess.stream()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a;l\n1,5;ja\n2,5;nein\n3,5;vielleicht\n", {"labels": "l"}, None),
        (
            "a;l\n" + "1,5;ja\n2,5;nein\n" * 600 + "1,5;doch\n",
            {"labels": "l"},
            "line 1202, column 2 ('l'): expected the label to be nein or ja, found 'doch'",
        ),
        (
            "a;l\n" + "1,5;ja\n2,5;nein\n" * 600 + "1.5;ja\n",
            {"labels": "l"},
            "line 1202, column 1 ('a'): expected a number with a decimal comma",
        ),
        ("a;l\n" + "1,5;ja\n2,5;nein\n" * 600 + "inf;ja\n", {"labels": "l"}, "line 1202, column 1 ('a'): expected a"),
        (
            "a,b,l\n1,1,0\n2,1,1\n3,1,2\n",
            {"labels": ["b", "l"]},
            "expected the label to be 0 or 1 as in the others, found '2'",
        ),
        ("a,l\n1.5,0.5\n2,0.7\n", {"labels": "l"}, "column 'l': expected labels"),
        ("a;l\n1;ja\n2;nein\n", {"labels": 2}, "labels=2: expected 1 to 1"),
        ("a;l\n1;ja\n2;nein\n", {"labels": "l", "decimal": ";"}, "decimal=';': expected '.', ',' or None"),
        ("a;l\n1;ja\n2;nein\n", {"labels": "l", "hedaer": False}, "there is no option hedaer=; did you mean 'header'?"),
        ("a;l\n1;ja\n2;nein\n", {"labels": "l", "skip_lines": -1}, "skip_lines=-1"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path, text, options, message):
    path = written(tmp_path, text, "m.csv")
    if message is None:
        assert sl.load(path, **options).schema.labels == ("ja", "nein", "vielleicht")
        return
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        sl.load(path, **options)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("limits", "option"),
    [
        (LoadLimits(rows=100), "rows"),
        (LoadLimits(bytes=200), "bytes"),
        (LoadLimits(line_bytes=8), "line_bytes"),
        (LoadLimits(features=1), "features"),
        (LoadLimits(labels=2), "labels"),
        (LoadLimits(categories=2), "categories"),
        (LoadLimits(names_bytes=130), "names_bytes"),
        (LoadLimits(seconds=1e-9), "seconds"),
    ],
)
def test_limits_hold_for_files_that_are_guessed(tmp_path, limits, option):
    text = "a;b;word;tags\n" + "".join(f"{i};1,5;{GENRES[i % 3]};{GENRES[i % 3]}|{GENRES[i % 2]}\n" for i in range(300))
    path = written(tmp_path, text, "m.csv")
    assert sl.load(path, labels="tags").n_rows == 300
    with pytest.raises(ValueError, match=rf"LoadLimits\({option}=\.\.\.\)"):
        sl.load(path, labels="tags", limits=limits)


def test_letters_that_come_late_say_the_encoding(tmp_path):
    plain = "name;a;l\n" + "abc;1,5;1\ndef;2,5;0\n" * 20_000
    path = written(tmp_path, (plain + "Müller;1,5;1\n").encode("cp1252"), "m.csv")
    stream = sl.load(path, labels="l")
    assert stream.schema.features[0].categories == ("Müller", "abc", "def")


@pytest.mark.parametrize(
    ("words", "encoding", "expected"),
    [
        ("Größe Länge Straße", "cp1252", "cp1252"),
        ("été garçon — “bon”", "cp1252", "cp1252"),
        ("Иван Мария возраст улица большая город", "cp1251", "cp1251"),
        ("Größe", "utf-16-le", "utf-16-le"),
        ("Größe", "utf-16-be", "utf-16-be"),
        ("Größe", "utf-16", "utf-16"),
        ("Größe", "utf-8-sig", "utf-8"),
    ],
)
def test_encodings(tmp_path, words, encoding, expected):
    text = f"a;{words.split()[0]};l\n" + "".join(f"1;{word};{i % 2}\n" for i, word in enumerate(words.split() * 5))
    guess = guess_table(written(tmp_path, text.encode(encoding), "m.csv"))
    assert guess.layout.encoding == expected
    assert guess.columns[1].name == words.split()[0]


def test_a_nul_amid_numbers_with_commas_is_named(tmp_path):
    rows = "1,5;1\n2,5;0\n" * 600
    path = written(tmp_path, f"a;l\n{rows}3,\x005;1\n", "m.csv")
    with pytest.raises(ValueError, match=r"line 1202, column 1 \('a'\): expected a number"):
        sl.load(path, labels="l")


def test_hostile_cells_do_not_break_the_guess(tmp_path):
    for content in (b"\0" * 5000, b"\xff\xfe", b'"' * 5000, b"," * 5000 + b"\n" + b"1," * 5000, bytes(range(256)) * 20,
                    "a,l\n=1+1,\u202e1\n<script>,0\n".encode(), b"sep=\n\n", b"sep=,", b"\n" * 5000):  # fmt: skip
        path = written(tmp_path, content, "m.csv")
        said = ""
        try:
            sl.load(path)
        except ValueError as error:
            said = str(error)
        assert said == "" or said.startswith(str(path))
        assert len(said) < 600 + len(str(path))


@pytest.mark.parametrize("first", ["x", ""])
def test_a_mark_may_come_before_the_first_empty_cell_or_after_it(tmp_path: Path, first: str):
    second = "" if first else "x"
    # more rows than one block holds: the later block knows only what the first one held
    rows = [f"{i},{i % 7},{first if i < 30_000 else second}" for i in range(60_000)]
    rows[1] = f"1,1,{second}"
    path = written(tmp_path, "a,b,seen\n" + "\n".join(rows), "m.csv")
    stream = sl.load(path, labels=["seen"])
    assert int(sum(chunk.Y.sum() for chunk in stream.chunks(10_000))) == (30_001 if not first else 29_999)


def test_a_text_that_is_left_out_is_said(tmp_path: Path):
    rows = [f"{i},{i / 10},{i} grains of sand on the beach,so it was told on day {i},{i % 2}" for i in range(60)]
    path = written(tmp_path, "no,size,body,remark,l\n" + "\n".join(rows), "m.csv")
    with pytest.warns(UserWarning, match=r"m.csv: left out: 'no' .*'body' .*'remark'") as caught:
        assert sl.load(path).schema.n_features == 1
    said = str(caught[0].message)
    assert "ignore=['no', 'body', 'remark']" in said
    assert "text='body'" in said
    assert "features=['no']" in said
    assert [each.filename for each in caught] == [__file__], "the line that calls load"
    with warnings.catch_warnings(action="error"):
        assert sl.load(path, ignore=["no", "body", "remark"]).schema.n_features == 1
        assert sl.load(path, text="body", labels=["l"]).is_sparse


def test_a_column_that_is_yes_or_no_but_for_one_row_is_a_feature_and_the_row_is_named(tmp_path):
    path = tmp_path / "kites.csv"
    path.write_text("wind,kite,boat\n" + "".join(f"{i * 1.5},{2 if i == 29 else i % 2},{i // 20}\n" for i in range(40)))
    guess = guess_table(path)
    assert [column.role for column in guess.columns] == ["feature", "feature", "label"]
    told = [question.text for question in guess.questions if question.column == "kite"]
    assert told == ["“kite” is 0 or 1 but for a few rows, such as row 30, which has 2: it is taken as a feature."]
    assert not [q for q in guess.with_roles({"kite": "class"}).questions if q.column == "kite"]
    # a second such row: whole numbers
    path.write_text("wind,kite,boat\n" + "".join(f"{i * 1.5},{2 if i > 37 else i % 2},{i // 20}\n" for i in range(40)))
    assert not [question for question in guess_table(path).questions if question.column == "kite"]
