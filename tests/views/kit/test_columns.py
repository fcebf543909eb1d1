"""One description of columns: what it checks, what travels, and what comes out again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamlab.views.kit.columns import UNIT, Column, ColumnTable, pack
from tests.views.wire import unpack

CELLS = ColumnTable(
    "cell",
    Column("depth", "u1", "levels below the root"),
    Column("share", "u2", "0..1", scale=UNIT),
    Column("top", "i2", "or -1"),
    Column("id", "id", "never reused"),
    Column("extra", "f4", "sometimes known", optional=True),
    Column("x", "f4", "where it is drawn", made=True),
    Column("new", "flag", "first seen now"),
    Column("gone", "flag", "seen no more"),
)


def cells(count: int = 2, **changes) -> dict[str, np.ndarray]:
    made = {
        "depth": np.arange(count),
        "share": np.linspace(0, 1, count),
        "top": np.arange(count) - 1,
        "id": np.arange(count) * 7,
        "x": np.linspace(-1, 1, count),
        "new": np.arange(count) % 2 == 0,
        "gone": np.arange(count) % 3 == 0,
    }
    return made | changes


def test_what_is_needed_is_neither_optional_nor_made():
    assert CELLS.needed == ("depth", "share", "top", "id", "new", "gone")
    assert CELLS.flags == ("new", "gone")
    assert CELLS.check(cells(5)) == 5


@given(st.integers(0, 50), st.booleans())
def test_what_is_packed_comes_out_again(count, has_extra):
    given = cells(count) | ({"extra": np.linspace(0, 9, count)} if has_extra else {})
    spec, buffer = pack((CELLS, given))
    back = unpack(spec, buffer)
    assert set(back) == set(given)
    for name in ("depth", "top", "id", "new", "gone"):
        assert back[name].tolist() == given[name].tolist()
    for name in set(given) - {"depth", "top", "id", "new", "gone"}:
        np.testing.assert_allclose(back[name], given[name], atol=1e-4)
    assert [int(kind[1]) for _, kind, _, _ in spec] == sorted((int(kind[1]) for _, kind, _, _ in spec), reverse=True)


def test_the_message_names_its_flags():
    spec, _ = pack((CELLS, cells()))
    assert ["flags", "u1", 2, ["new", "gone"]] in spec
    many = ColumnTable("row", *(Column(f"f{i}", "flag", "") for i in range(9)))
    spec, buffer = pack((many, {f"f{i}": [i % 2] for i in range(9)}))
    assert spec[0][1] == "u2"
    assert [bool(values[0]) for values in unpack(spec, buffer).values()] == [i % 2 == 1 for i in range(9)]


def test_large_ids_travel_as_doubles_and_values_out_of_range_are_clipped():
    spec, buffer = pack((CELLS, cells(id=np.array([5, 2**33]), depth=np.array([300, -2]), top=np.array([40_000, -1]))))
    assert ["id", "f8", 2, 1] in spec
    back = unpack(spec, buffer)
    assert back["id"].tolist() == [5, 2**33]
    assert back["depth"].tolist() == [255, 0]
    assert back["top"].tolist() == [32_767, -1]


def test_tables_of_different_lengths_share_a_message():
    other = ColumnTable("pair", Column("together", "f4", ""))
    spec, buffer = pack((CELLS, cells(3)), (other, {"together": np.ones(7)}))
    back = unpack(spec, buffer)
    assert (len(back["id"]), len(back["together"])) == (3, 7)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.pop("share"), "columns: missing share; a row per cell needs depth, share"),
        (lambda c: c.update(new=[True]), "columns: lengths differ: .*'new': 1"),
    ],
)
def test_what_is_wrong_is_named(change, words):
    given = cells()
    change(given)
    with pytest.raises(ValueError, match=words):
        CELLS.check(given)
    with pytest.raises(ValueError, match="recent: "):
        CELLS.check(given, what="recent")


def test_a_wrong_description_is_refused():
    with pytest.raises(ValueError, match="'a': kind='f2': expected"):
        Column("a", "f2", "")
    with pytest.raises(ValueError, match="a name is used more than once"):
        ColumnTable("row", Column("a", "f4", ""), Column("a", "u1", ""))
    with pytest.raises(ValueError, match="17 flags, at most 16"):
        ColumnTable("row", *(Column(f"f{i}", "flag", "") for i in range(17)))
    with pytest.raises(ValueError, match="missing x; a row per cell cannot travel without it"):
        pack((CELLS, {name: values for name, values in cells().items() if name != "x"}))


def test_copies_are_copies():
    given = cells()
    copied = CELLS.copy(given | {"unknown": np.zeros(2)})
    given["depth"][:] = 9
    assert copied["depth"].tolist() == [0, 1]
    assert "unknown" not in copied
