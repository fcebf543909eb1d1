"""What people write in files, checked against a struct: each fault is named by its place, and what was expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct, field

from streamlab.validation import read_toml, validated


class Part(Struct, forbid_unknown_fields=True):
    size: Annotated[int, Meta(ge=1, le=9)]
    share: Annotated[float, Meta(gt=0)] = 1.0

    def __post_init__(self) -> None:
        if self.size == 7:
            raise ValueError("seven is taken")


class Whole(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=5)]
    part: Part | None = None
    parts: list[Part] | Part = field(default_factory=list, name="put in")
    by_name: dict[str, Part] = field(default_factory=dict)
    kind: Literal["a", "b"] = "a"
    texts: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    rate: Annotated[float, Meta(gt=0, description="seconds, above 0")] = 1.0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"name": ""}, "file.name='': expected a text of at most 5 characters"),
        ({"part": 3}, "file.part=3: expected a table"),
        ({"part": {}}, "file.part.size is missing: expected a whole number from 1 to 9"),
        ({"part": {"size": True}}, "file.part.size=True: expected a whole number from 1 to 9"),
        ({"part": {"size": 1, "share": 0}}, "file.part.share=0: expected a number, above 0"),
        ({"part": {"size": 7}}, "file.part: seven is taken"),
        ({"part": {"siz": 1, "size": 1}}, "file.part.siz is unknown: expected size, share; did you mean 'size'?"),
        ({"put in": [{"size": 1}, {"size": 0}]}, "file.put in[1].size=0: expected a whole number from 1 to 9"),
        ({"put in": {"size": 0}}, "file.put in.size=0: expected a whole number from 1 to 9"),
        ({"put in": 1}, "file.put in=1: expected a list of tables or a table"),
        ({"by_name": {"x": {"size": 0}}}, "file.by_name[...].size: expected a whole number from 1 to 9"),
        ({"kind": "c"}, "file.kind='c': expected one of a, b"),
        ({"texts": ["a", "b", "c"]}, "file.texts=['a', 'b', 'c']: expected a list of at most 2 texts"),
        ({"texts": [1]}, "file.texts[0]=1: expected a text"),
        ({"rate": "x"}, "file.rate='x': expected seconds, above 0"),
        ({"rate": float("nan")}, "file.rate=nan: expected seconds, above 0"),
        ({"kind": "\u202e\n" * 50}, "file.kind='" + r"\u202e\n" * 5),
    ],
)
def test_what_is_wrong_is_named(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(told)}") as error:
        validated({"name": "x", **more}, Whole, "file")
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()


def test_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    with pytest.raises(ValueError, match=r"some\.toml: it cannot be read \(No such file"):
        read_toml(path, Whole)
    path.write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"some\.toml: it is not valid TOML"):
        read_toml(path, Whole)
    path.write_text(f"texts = {'[' * 5000}{']' * 5000}")
    with pytest.raises(ValueError, match=r"some\.toml: it is (nested too deep|not valid TOML)"):
        read_toml(path, Whole)
    path.write_text("name = 3")
    with pytest.raises(ValueError, match=r"some\.toml: name=3: expected a text of at most 5 characters$"):
        read_toml(path, Whole)
    path.write_text('name = "x"\n[part]\nsize = 2\n')
    assert read_toml(path, Whole).part == Part(2)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(["size", "share"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["name", "part", "put in", "by_name", "kind", "texts", "rate"]), plain))
def test_anything_is_taken_or_refused_in_a_line(given: dict[str, Any]) -> None:
    told = ""
    try:
        found = validated(given, Whole)
    except ValueError as error:
        told = str(error)
    else:
        assert 1 <= len(found.name) <= 5
    assert told == "" or (told.isprintable() and ("expected" in told or "taken" in told))
