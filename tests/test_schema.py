"""What an instance looks like: checked when made, equal when read back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamlab._checks import check_unique
from streamlab.schema import Feature, Hierarchy, NumberedNames, NumberedPlaces, Schema

NAMES = st.lists(st.text(st.characters(exclude_characters="\0\ufeff"), max_size=6), unique=True, max_size=6)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def features(draw, name: str) -> Feature:
    if draw(st.booleans()):
        return Feature(name, tuple(draw(NAMES)))
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    return Feature(name, None, draw(st.sampled_from([None, low])), draw(st.sampled_from([None, high])))


@st.composite
def schemas(draw) -> Schema:
    labels = draw(NAMES)
    # a parent stands before its child: a forest
    parents = [draw(st.integers(-1, i - 1)) for i in range(len(labels))]
    hierarchy = Hierarchy(tuple(parents)) if draw(st.booleans()) else None
    return Schema(tuple(draw(features(name)) for name in draw(NAMES)), tuple(labels), hierarchy)


@given(schema=schemas())
def test_json_reads_back_equal(schema):
    twin = Schema.from_json(schema.to_json())
    assert twin == schema
    assert hash(twin) == hash(schema)
    assert twin.difference(schema) is None
    assert pickle.loads(pickle.dumps(schema)) == schema


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Feature("colour", ("red", "green", "red")), "'colour': category 'red' occurs twice"),
        (lambda: Feature("size", None, 2.0, 1.0), r"'size': low=2.0 must not be above high=1.0"),
        (lambda: Feature("size", None, float("nan"), 1.0), "low=nan"),
        (lambda: Schema((Feature("a"), Feature("a")), ()), "feature 'a' occurs twice"),
        (lambda: Schema((), ("l", "k", "l")), "label 'l' occurs twice"),
        (lambda: Schema((), ("l",), Hierarchy((-1, 0))), "the hierarchy has 2 labels, the schema 1"),
        (lambda: Hierarchy((0,)), "cycle"),
        (lambda: Hierarchy((1, 2, 0)), "the ancestors of label 0 form a cycle"),
        (lambda: Hierarchy((-1, 3, 2, 1)), "cycle"),
        (lambda: Hierarchy((-2,)), "label 0 has the parent -2; expected -1 or 0..0"),
        (lambda: Hierarchy((-1, 2)), "label 1 has the parent 2"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_long_chain_is_no_trouble():
    chain = Hierarchy(tuple(range(-1, 20_000)))
    assert chain.depth(20_000) == 20_000


BASE = Schema((Feature("a"), Feature("b", ("x", "y"))), ("l", "k"), Hierarchy((-1, 0)))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (BASE, None),
        (Schema(BASE.features[:1], BASE.labels, BASE.hierarchy), "2 features against 1"),
        (Schema(BASE.features, ("l",)), "2 labels against 1"),
        (Schema((Feature("a"), Feature("b", ("y", "x"))), BASE.labels, BASE.hierarchy), r"features[1]: "),
        (Schema((Feature("a", None, 0.0), BASE.features[1]), BASE.labels, BASE.hierarchy), r"features[0]: "),
        (Schema(BASE.features, ("l", "m"), BASE.hierarchy), "labels[1]: 'k' against 'm'"),
        (Schema(BASE.features, BASE.labels), "the hierarchies of the labels differ"),
        (Schema(BASE.features, BASE.labels, Hierarchy((-1, -1))), "the hierarchies of the labels differ"),
    ],
)
def test_the_first_difference_in_words(other, words):
    found = BASE.difference(other)
    assert found == words if words is None else found.startswith(words)
    assert (other == BASE) == (words is None)


def test_the_first_name_that_occurs_twice_is_named():
    for names in ("abcb", (c for c in "abba")):
        with pytest.raises(ValueError, match="the name 'b' occurs twice"):
            check_unique("the name", names)
    check_unique("the name", ["a", "b"])


def test_places_of_numbered_columns_know_which_names_there_are():
    places = NumberedPlaces(NumberedNames(3, "h"))
    assert [name in places for name in ("h0", "h2", "h3", "x0", 1)] == [True, True, False, False, False]
    assert places["h2"] == 2
