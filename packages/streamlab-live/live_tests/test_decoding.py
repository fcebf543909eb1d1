"""Messages as rows: every value checked, each refusal with its kind; columns declared, learnt, and kept."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.streams.tables.test_round_trips import check_rows, tables, written

from streamlab_live.columns import BOOLEANS, LiveColumn, declared_columns, inferred_columns
from streamlab_live.decoding import KINDS, LARGEST, Decoding, Refused, parsed

COLUMNS = (
    LiveColumn("id", "ignore"),
    LiveColumn("heat", "number", missing=("off",)),
    LiveColumn("colour", "words", ("green", "red")),
    LiveColumn("hot", "label"),
    LiveColumn("ok", "label", flags=("ja", "nein")),
    LiveColumn("kind", "class", ("a", "b")),
    LiveColumn("tags", "tags", ("jazz", "rock")),
)
GOOD = {"id": 7, "heat": 1.5, "colour": "red", "hot": 1, "ok": "nein", "kind": "b", "tags": ["rock", "jazz"]}


def message(**changed):
    return json.dumps({**GOOD, **changed}).encode()


def test_a_message_becomes_a_row():
    decoding = Decoding(COLUMNS)
    assert decoding.schema.feature_names == ("heat", "colour")
    assert decoding.schema.labels == ("hot", "ok", "kind=a", "kind=b", "tags=jazz", "tags=rock")
    row = decoding.row(message())
    assert (row.x.tolist(), row.y) == ([1.5, 1.0], [1, 0, 0, 1, 1, 1])
    row = decoding.row(message(heat=None, colour=None, hot=False, ok="JA", kind=None, tags="rock; jazz"))
    assert math.isnan(row.x[0])
    assert math.isnan(row.x[1])
    assert row.y == [0, 1, 0, 0, 1, 1]
    assert decoding.row(message(heat="2.5", hot=True)).x[0] == 2.5
    assert math.isnan(decoding.row(message(heat="off")).x[0])
    X, Y = decoding.arrays([row, row])
    assert (X.dtype, X.shape, Y.dtype, Y.shape) == (np.float64, (2, 2), np.uint8, (2, 6))
    assert decoding.arrays([])[0].shape == (0, 2)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"\xff\xfe", "not text"),
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "not JSON"),
        (b"17", "not JSON"),
        (b'{"heat": ' + b"9" * 5000 + b"}", "not JSON"),
        (message(more=1), "unknown column"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "heat"}).encode(), "missing column"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "kind"}).encode(), "missing column"),
        (message(heat="warm"), "wrong type"),
        (message(heat=[1]), "wrong type"),
        (message(heat={"a": 1}), "wrong type"),
        (message(heat=1e101), "wrong type"),
        (message(heat=10**400), "wrong type"),
        (message(heat="1_000"), "wrong type"),
        (message().replace(b"1.5", b"Infinity"), "wrong type"),
        (message(colour="blue"), "unknown word"),
        (message(colour=["red"]), "wrong type"),
        (message(hot=2), "wrong type"),
        (message(hot=None), "wrong type"),
        (message(hot=[1]), "wrong type"),
        (message(ok="yes"), "wrong type"),
        (message(kind="c"), "unknown word"),
        (message(kind=["a"]), "wrong type"),
        (message(tags=["pop"]), "unknown word"),
        (message(tags=[["rock"]]), "wrong type"),
        (message(tags={"rock": 1}), "wrong type"),
        (b" " * (1 << 20) + message(), "too long"),
    ],
)
def test_what_is_no_row_is_refused_with_its_kind(value, kind):
    with pytest.raises(Refused) as found:
        Decoding(COLUMNS).row(value)
    assert found.value.kind == kind
    assert kind in KINDS
    assert 0 < len(str(found.value)) < 400


def test_lenience_is_asked_for():
    decoding = Decoding(COLUMNS, extra="ignore", absent="missing", new_words="missing")
    row = decoding.row(b'{"more": 1, "colour": "blue", "hot": 1, "ok": "ja", "kind": "a", "tags": ""}')
    assert all(map(math.isnan, row.x))
    with pytest.raises(Refused, match="label"):
        decoding.row(b'{"colour": "blue"}')


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.integers(-(2**70), 2**70) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)
WRITTEN = st.builds(
    lambda value, ascii, space: json.dumps(value, ensure_ascii=ascii, separators=(f",{space}", f":{space}")),
    st.dictionaries(st.text(max_size=8), JSON, max_size=6), st.booleans(), st.sampled_from(["", " ", "\n"]),
).map(lambda text: text.encode("utf-8", "surrogatepass"))  # fmt: skip
CUT = st.builds(
    lambda raw, at, byte: raw[:at] + byte + raw[at + 1 :], WRITTEN, st.integers(0, 40), st.binary(max_size=2)
)


@given(WRITTEN | CUT)
@example(b'{"a": NaN, "b": -Infinity, "c": 1e400, "d": -0.0, "e": 18446744073709551616}')
@example(b'{"a": "\\ud800", "a": "\\ud83d\\ude00", "b": 4.9e-324, "c": 0.30000000000000004}')
@example(b'\xef\xbb\xbf{"a": 1}')
@example(b'{"a:b": "c:d", "e\\"": {"f": ":"}, "g": [{"a": 1}]}')
@example(b'{"a:": 1, "\\u0061:": 2}')
@example(b'{"a": [{"b": 1, "b": 2}]}')
@example(b'{"a": [[Infinity]]}')
def test_json_is_what_python_reads(value):
    def members(pairs):
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name occurs twice")
        return dict(pairs)

    def constant(name):
        raise ValueError(name)

    try:
        expected = json.loads(value.decode("utf-8-sig"), object_pairs_hook=members, parse_constant=constant)
    except (ValueError, RecursionError):
        expected = None
    if isinstance(expected, dict):
        # repr tells 1 from 1.0 and from true, and equals itself where NaN does not
        assert repr(parsed(value, "json", ",", (), 10**6)) == repr(expected)
    else:
        with pytest.raises(Refused):
            parsed(value, "json", ",", (), 10**6)


def test_rows_are_the_same_however_their_numbers_are_written():
    columns = [LiveColumn(f"n{j}", "number") for j in range(5)]
    columns.insert(2, LiveColumn("w", "words", ("a", "b")))
    decoding = Decoding([*columns, LiveColumn("y", "label")])
    cells = {"n0": 1, "n1": -0.5, "w": "b", "n2": 1.0, "n3": None, "n4": 2**70, "y": True}
    x = [1.0, -0.5, 1.0, 1.0, math.nan, float(2**70)]
    for changed in ({}, {"n0": "1"}, {"n1": " -0.5 ", "n4": str(2**70)}):
        np.testing.assert_array_equal(decoding.row(json.dumps(cells | changed).encode()).x, x)
    for wrong in (1e101, -(10**400), [1], {}, True, "true", "\u0663", math.nan, math.inf):
        with pytest.raises(Refused, match="the column 'n3' is"):
            decoding.row(json.dumps(cells | {"n3": wrong}).encode())


def test_booleans_are_numbers_where_the_column_is_of_booleans():
    columns = [LiveColumn("n", "number"), LiveColumn("f", "number", flags=BOOLEANS), LiveColumn("y", "label")]
    decoding = Decoding(columns)
    for flag, number in ((True, 1.0), (False, 0.0), ("True", 1.0), (1, 1.0), (None, math.nan)):
        row = decoding.row(json.dumps({"n": 2, "f": flag, "y": 0}).encode())
        np.testing.assert_array_equal(row.x, [2.0, number])
    with pytest.raises(Refused, match="the column 'n' is False; expected a number"):
        decoding.row(b'{"n": false, "f": true, "y": 0}')


@pytest.mark.parametrize("cells", [[True, False, None], ["true", "False", ""]])
def test_a_column_of_booleans_is_learnt_as_one(cells):
    columns = inferred_columns({"f": cells * 9, "x": [0.5, 1.5, 2.5] * 9, "u": [0, 1, 1] * 9}, ["u"], source="here")
    row = Decoding(columns).row(json.dumps({"f": cells[0], "x": 1, "u": 1}).encode())
    np.testing.assert_array_equal(row.x, [1.0, 1.0])
    with pytest.raises(Refused, match="the column 'x' is True"):
        Decoding(columns).row(json.dumps({"f": cells[0], "x": True, "u": 1}).encode())


def test_a_name_that_occurs_twice_is_told():
    for value in (b'{"heat": 1, "hot": 0, "heat": 2}', b'{"heat": "a:b", "h\\u0065at": 2}'):
        with pytest.raises(Refused, match="the column 'heat' occurs twice"):
            Decoding(COLUMNS).row(value)


@given(st.binary(max_size=200) | st.text(max_size=60).map(str.encode) | st.dictionaries(
    st.sampled_from(["heat", "colour", "hot", "ok", "kind", "tags", "id", "more"]),
    st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
                 lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)),
).map(lambda each: json.dumps(each).encode()))  # fmt: skip
def test_any_message_is_a_row_or_refused(value):
    for options in ({}, {"extra": "ignore", "absent": "missing", "new_words": "missing"}, {"format": "csv"}):
        decoding = Decoding(COLUMNS, **options)
        try:
            row = decoding.row(value)
        except Refused:
            continue
        assert len(row.x) == 2
        assert set(row.y) <= {0, 1}
        assert len(row.y) == 6
        assert all(math.isnan(v) or abs(v) <= LARGEST for v in row.x)
        assert math.isnan(row.x[1]) or row.x[1] in (0.0, 1.0)


def test_lines_of_csv():
    decoding = Decoding(
        [LiveColumn("a", "number"), LiveColumn("w", "words", ("x, y", "z")), LiveColumn("u", "label")], format="csv"
    )
    assert decoding.row(b'1.5,"x, y",1\r').x.tolist() == [1.5, 0.0]
    for line, kind in (
        (b"1,z", "missing column"),
        (b"1,z,0,4", "unknown column"),
        (b'1,"z,0', "not CSV"),
        (b"1,z\n,0", "not CSV"),
        (b"", "missing column"),
    ):
        with pytest.raises(Refused) as found:
            decoding.row(line)
        assert found.value.kind == kind
    with pytest.raises(Refused, match="a quote is open at the line's end"):
        decoding.row(b'1,"z,0')


@pytest.mark.parametrize(
    ("cell", "when"),
    [
        (1.7e9, 1.7e9),
        (1.7e12, 1.7e9),
        ("1700000000", 1.7e9),
        ("2023-11-14T22:13:20", 1.7e9),
        ("2023-11-14T23:13:20+01:00", 1.7e9),
    ],
)
def test_keys_and_times(cell, when):
    decoding = Decoding(
        [LiveColumn("a", "number"), LiveColumn("k", "key"), LiveColumn("t", "time"), LiveColumn("u", "label")]
    )
    row = decoding.row(json.dumps({"a": 1, "k": 17, "t": cell, "u": 0}).encode())
    assert (row.key, row.when) == ("17", when)
    for bad in ({"t": "soon"}, {"t": None}, {"t": 1e300}, {"k": None}, {"k": [1]}, {"k": "x" * 2000}):
        with pytest.raises(Refused):
            decoding.row(json.dumps({"a": 1, "k": 1, "t": 0, "u": 0, **bad}).encode())


def test_a_decoding_is_kept_as_json():
    decoding = Decoding(COLUMNS, format="csv", separator=";", extra="ignore")
    again = Decoding.from_json(json.loads(json.dumps(decoding.to_json())))
    assert again.to_json() == decoding.to_json()
    assert again.schema == decoding.schema


REST = [["1", "0"], ";", []]


@pytest.mark.parametrize(
    "columns",
    [
        None,
        [["a"]],
        [["a", "number", [], ["1"], ";", []]],
        [["a", "odd", [], *REST]],
        [[3, "number", [], *REST]],
        [["a", "words", [1], *REST]],
        [["a", "number", [], *REST]] * 2,
    ],
)
def test_altered_columns_are_refused(columns):
    with pytest.raises(ValueError, match=r"column|list"):
        Decoding.from_json({"columns": columns})


@pytest.mark.parametrize(
    "option", [{"format": "xml"}, {"separator": ""}, {"separator": '"'}, {"extra": "drop"}, {"most_bytes": 0}]
)
def test_an_option_that_is_none_is_refused(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        Decoding(COLUMNS, **option)


def test_columns_are_declared():
    columns = declared_columns(
        ["a", "w", "u"], ["u"], words={"w": ["x"]}, tags={"t": ["p", "q"]}, ignore=["i"], key="k", time="s"
    )
    assert [(c.name, c.role) for c in columns] == [
        ("a", "number"), ("w", "words"), ("u", "label"), ("t", "tags"), ("i", "ignore"), ("k", "key"), ("s", "time"),
    ]  # fmt: skip
    for wrong in ({"words": {"u": ["x"]}}, {"words": {"w": []}}, {"ignore": ["u"]}):
        with pytest.raises(ValueError, match=r"'u'|'w'"):
            declared_columns(["a", "w", "u"], ["u"], **wrong)
    with pytest.raises(ValueError, match="occurs twice"):
        declared_columns(["a", "a"], ["u"])
    with pytest.raises(ValueError, match="no column is a feature"):
        declared_columns([], [], ignore=["a"])


def test_columns_are_learnt():
    cells = {
        "id": [f"n-{i}" for i in range(60)],
        "heat": [20.5, None, 21.0] * 20,
        "colour": ["red", "green", ""] * 20,
        "hot": [0, 1, 1] * 20,
        "genres": [["rock"], ["jazz", "rock"], []] * 20,
    }
    columns = inferred_columns(cells, ["hot", "genres"], source="here")
    assert [(c.name, c.role, c.values) for c in columns] == [
        ("id", "ignore", ()), ("heat", "number", ()), ("colour", "words", ("green", "red")), ("hot", "label", ()),
        ("genres", "tags", ("jazz", "rock")),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="did you mean 'heat'"):
        inferred_columns(cells, ["hot"], ignore=["hea"], source="here")
    with pytest.raises(ValueError, match="'hto', which is not a column"):
        inferred_columns(cells, ["hto"], source="here")
    with pytest.raises(ValueError, match="which columns are labels"):
        inferred_columns({"heat": cells["heat"]}, None, source="here")


@pytest.mark.parametrize("text", ["٣", "３.5", "1٣"])
def test_digits_of_another_script_are_refused_as_in_files(text):
    columns = [LiveColumn("a", "number"), LiveColumn("u", "label")]
    for format, message in (("json", json.dumps({"a": text, "u": 0}).encode()), ("csv", f"{text},0".encode())):
        with pytest.raises(Refused, match=r"the column 'a' is .*; expected a number") as found:
            Decoding(columns, format=format).row(message)
        assert (found.value.kind, found.value.column) == ("wrong type", "a")
    learnt = inferred_columns({"a": [text, "2"] * 9, "u": [0, 1] * 9}, ["u"], source="here")
    assert learnt[0] == LiveColumn("a", "number")  # its messages are then refused, and told by name


@pytest.mark.parametrize("name", ["a\0", "\ufeffa"])
def test_names_that_no_file_may_have_are_refused(name):
    with pytest.raises(ValueError, match=r"here: .* holds (the character NUL|a byte-order mark)"):
        inferred_columns({name: [0.5, 1.5], "u": [0, 1]}, ["u"], source="here")


X = [i * 0.5 + 0.25 for i in range(12)]
PAIRS = [{"a", "b"}, {"a"}, {"b", "c d"}] * 4


@pytest.mark.parametrize("format", ["json", "csv"])
@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["['a', 'b']", "['a']", "['b', 'c d']"] * 4, PAIRS),
        (['["a", "b"]', '["a"]', '["b", "c d"]'] * 4, PAIRS),
        (["None", "Insomnia", "Apnea"] * 4, [{"None"}, {"Insomnia"}, {"Apnea"}] * 4),
        (["0", "A", "B"] * 4, [{"y=0"}, {"A"}, {"B"}] * 4),
        (["[0, 1, 0]", "[1, 1, 0]", "[0, 0, 0]"] * 4, [{"y[1]"}, {"y[0]", "y[1]"}, set()] * 4),
    ],
)
def test_cells_mean_the_same_as_in_files(format, cells, expected):
    dates = [f"Sat, {i + 1:02} Mar 2024 23:30:00 -0000" for i in range(12)]
    numbers = [*map(str, X[:11]), "unknown"]
    table = {"": list(map(str, range(12))), "date": dates, "x": numbers, "y": cells}
    columns = inferred_columns(table, ["y"])
    assert [column.name for column in columns if column.is_feature] == ["x"]
    decoding = Decoding(columns, format=format)
    for i, labels in enumerate(expected):
        message = {name: table[name][i] for name in table}
        text = io.StringIO()
        csv.writer(text).writerow(message.values())
        row = decoding.row(json.dumps(message).encode() if format == "json" else text.getvalue().encode())
        assert {name for name, flag in zip(decoding.schema.labels, row.y, strict=True) if flag} == labels
        assert (row.x[0] == X[i]) if i < 11 else np.isnan(row.x[0])


def messages(roles, cells, format):
    """Schema, X and Y of the rows as messages, whose columns are declared."""

    def declared(name, kind):
        words = tuple(sorted({each for each in cells[name] if each is not None})) if kind in ("words", "class") else ()
        if kind == "tags":
            return LiveColumn(name, "tags", tuple(sorted({tag for own in cells[name] for tag in own})))
        if kind == "flag":
            return LiveColumn(name, "label", flags=("true", "false") if format == "csv" else ("1", "0"))
        return LiveColumn(name, kind, words) if words else LiveColumn(name, "number")

    decoding = Decoding([declared(name, kind) for name, kind in roles.items()], format=format)
    found = []
    for row in zip(*cells.values(), strict=True):
        line = io.StringIO()
        csv.writer(line).writerow([written(cell, kind) for cell, kind in zip(row, roles.values(), strict=True)])
        found.append(json.dumps(dict(zip(cells, row, strict=True))) if format == "json" else line.getvalue())
    return decoding.schema, *decoding.arrays([decoding.row(each.encode()) for each in found])


@settings(max_examples=40, deadline=None)
@given(tables())
def test_messages_give_the_rows_of_a_table(table):
    roles, cells = table
    for format in ("json", "csv"):
        check_rows(roles, cells, *messages(roles, cells, format))
