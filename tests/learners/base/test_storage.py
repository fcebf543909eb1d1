"""Tables of what a learner keeps: arrays that grow, states that are refused, names that clash, spare rows."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners import Learner
from streamlab.learners.base.storage import (
    LARGE,
    LEAST,
    PAGE,
    SPARE,
    Array,
    Number,
    Storage,
    between,
    index_into,
    lengthened,
    zeros_with_spare_rows,
)
from streamlab.learners.base.storage_rules import length, names_in

LEFT, LEAF = 0, 1


def is_branch(arrays):
    return arrays["links"][:, LEAF] < 0


TABLE = Storage(
    Array(
        "links", ("nodes", 2), np.int64, fill=-1,
        rules=(
            index_into("nodes", columns=LEFT, where=is_branch),
            index_into("leaves", columns=LEAF, none=-1),
        ),
    ),
    Array("totals", ("2*nodes",), finite=True),
    Array("weights", ("leaves", "1+labels"), rules=(between(0),)),
    Array("ticks", ("rows",), np.int64, rising=True),
    Array("values", ("rows", "width")),
    Array("scratch", ("nodes",), saved=False, fill=7),
    Array("extra", ("labels",), optional=True),
    Number("seen", int, low=0),
    Number("young", bool),
    prefix="t.",
)  # fmt: skip
SIZES = {"nodes": 5, "leaves": 4, "labels": 2, "rows": 3, "width": 2}
USED = {"nodes": 3, "leaves": 2}


def values():
    arrays = TABLE.allocate(SIZES)
    arrays["links"][:3] = [[1, -1], [0, 1], [0, 0]]
    arrays["ticks"][:] = [1, 4, 9]
    return {**arrays, "seen": 3, "young": True}


def state():
    return TABLE.state(values(), SIZES, USED)


def restored(state, sizes=None):
    given = {"nodes": 5, "leaves": 4, "labels": 2}
    return TABLE.restore("Thing", state, given if sizes is None else sizes, USED)


def test_dimensions_are_sums_and_products_of_names():
    assert length("2*nodes+1", {"nodes": 4}) == 9
    assert length(3, {}) == 3
    assert names_in("labels * models + 1") == ("labels", "models")
    assert TABLE.names_of("nodes") == ("links", "totals", "scratch")


def test_only_the_used_part_is_saved_and_all_of_it_comes_back():
    saved = state()
    assert {key: np.shape(value) for key, value in saved.items()} == {
        "t.links": (3, 2), "t.totals": (6,), "t.weights": (2, 3), "t.ticks": (3,), "t.values": (3, 2),
        "t.seen": (), "t.young": (),
    }  # fmt: skip
    back = restored(saved)
    for name, value in values().items():
        np.testing.assert_array_equal(back[name], value)
    back["links"][0] = 9
    assert saved["t.links"][0, 0] == 1


def test_growing_keeps_the_old_part_and_fills_the_new():
    before = values()
    changed = TABLE.resize(before, SIZES | {"nodes": 6, "labels": 3})
    assert set(changed) == {"links", "totals", "weights", "scratch"}
    np.testing.assert_array_equal(changed["links"][:3], before["links"][:3])
    assert (changed["links"][3:] == -1).all()
    assert (changed["scratch"] == 7).all()
    assert changed["weights"].shape == (4, 4)


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32])
def test_a_large_array_grows_to_what_it_held(dtype):
    table = Storage(Array("sums", ("rows", "columns"), dtype))
    sizes = {"rows": 20, "columns": LARGE // 40}
    old = table.allocate(sizes)["sums"]
    assert old.nbytes >= LARGE
    rng = np.random.default_rng(0)
    old[rng.integers(0, 20, 50), rng.integers(0, LARGE // 40, 50)] = rng.normal(size=50) * 100
    # bits alone say whether a stretch was written to
    old[-1, -1] = -0.0 if dtype != np.int64 else 1
    for changed in ({"rows": 33}, {"rows": 7}, {"rows": 33, "columns": LARGE // 40 + 1}):
        new = table.resize({"sums": old}, sizes | changed)["sums"]
        part = (slice(0, min(20, len(new))), slice(0, old.shape[1]))
        np.testing.assert_array_equal(new[part].view(f"i{new.itemsize}"), old[part].view(f"i{new.itemsize}"))
        assert np.count_nonzero(new) == np.count_nonzero(new[part])


@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("t.links", lambda a: np.full_like(a, 9), "links row 0, column 1 is 9; expected an index into the 2 leaves in"),
        ("t.links", lambda a: np.where(a == 1, 3, a), "links row 0, column 0 is 3; .* into the 3 nodes in use"),
        ("t.links", lambda a: a.astype(np.int32), "links is int32; expected int64"),
        ("t.links", lambda a: a[:2], r"links has the shape \(2, 2\); expected \(nodes=3, 2\)"),
        ("t.links", lambda a: a.tolist(), "links is a list; expected int64"),
        ("t.totals", lambda a: a + np.nan, "totals row 0 is nan; expected a finite number"),
        ("t.weights", lambda a: a - 1, "weights row 0, column 0 is -1.0; expected at least 0"),
        ("t.weights", lambda a: a[0], r"weights has the shape \(3,\)"),
        ("t.ticks", lambda a: a[::-1].copy(), "ticks row 1 is 4; expected more than the one before"),
        ("t.values", lambda a: a[:2], r"values has the shape \(2, 2\); expected \(rows=3, width=2\)"),
        ("t.seen", lambda a: -1, "seen is -1; expected a whole number, at least 0"),
        ("t.seen", lambda a: True, "seen is True; expected a whole number"),
        ("t.young", lambda a: 1, "young is 1; expected True or False"),
    ],
)
def test_an_altered_state_is_refused_in_words(key, change, message):
    altered = state()
    altered[key] = change(altered[key])
    with pytest.raises(ValueError, match=f"the state of Thing contradicts itself: .*{message}"):
        restored(altered)


def test_a_state_that_lacks_something_is_refused():
    altered = state()
    del altered["t.totals"]
    with pytest.raises(ValueError, match=r"it lacks 't\.totals'"):
        restored(altered)


def test_an_index_rule_is_about_the_rows_of_its_mask_alone():
    altered = state()
    altered["t.links"][1, LEFT] = 99  # a leaf: its left child is not read
    restored(altered)
    altered["t.links"][0, LEFT] = 99
    with pytest.raises(ValueError, match="links row 0, column 0 is 99"):
        restored(altered)


def test_no_state_asks_for_much_more_memory_than_it_holds():
    with pytest.raises(ValueError, match=r"nodes=1000000000000.* would take .* bytes; expected at most"):
        restored(state(), {"nodes": 10**12, "leaves": 4, "labels": 2})
    with pytest.raises(ValueError, match="3 nodes in use; expected 0 to 2"):
        restored(state(), {"nodes": 2, "leaves": 4, "labels": 2})


# ---------------------------------------------------------------------- what a table may not say


def define(*entries, **more) -> type[Learner]:
    return type("Mine", (Learner,), {"storage": Storage(*entries), **more})


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Array("labels", ("labels",)), r"Array\('labels'\) would be the attribute _labels, which every learner has"),
        (Array("names", ("labels",)), r"Array\('names'\) would be the attribute _names"),
        (Array("predict", ("labels",)), r"Array\('predict'\) would be the attribute _predict"),
        (Array("features", ("labels",)), r"Array\('features'\) would be the attribute _features"),
        (Number("bound", bool), r"Number\('bound'\) would be the attribute _bound"),
        (Number("lock"), r"Number\('lock'\) would be the attribute _lock"),
        (Number("schema"), r"Number\('schema'\) would be the entry 'schema'"),
        (Number("parameters", float), r"Number\('parameters'\) would be the entry 'parameters', which every state has"),
        (Number("rate", float, key="learner"), r"Number\('rate'\) would be the entry 'learner'"),
        (Number("object"), r"Number\('object'\) would be the entry 'object'"),
        (Array("w", ("label", 2)), r"Array\('w'\), axis 0, is 'label', .*; did you mean 'labels'"),
        (Array("w", (2, "1+2*feature")), r"Array\('w'\), axis 1, is '1\+2\*feature', .*; did you mean 'features'"),
        (Array("w", ("rows*labels",)), r"Array\('w'\), axis 0, is 'rows\*labels', and nothing says how long 'rows' is"),
        (
            Array("w", (2, "features+1")),
            r"Array\('w'\), axis 1, is 'features\+1', .*; expected .* such as '1\+features'",
        ),
        (
            Array("w", ("labels+features",)),
            r"Array\('w'\), axis 0, is 'labels\+features', .* when labels or features are",
        ),
        (
            Array("w", ("features*labels",)),
            r"Array\('w'\), axis 0, is 'features\*labels', which does not grow at its end",
        ),
    ],
)
def test_what_clashes_or_is_mistyped_is_refused_with_its_class(entry, said):
    with pytest.raises(ValueError, match=rf"Mine\.storage: {said}"):
        define(Number("n_seen"), entry)


@pytest.mark.parametrize("more", [(("labels"),), ((),), (("labels",), "U5"), (("labels",), object)])
def test_an_entry_that_no_state_can_have_is_refused_where_it_is_written(more):
    with pytest.raises(ValueError, match=r"Array\('w'\).*expected a tuple of dimensions"):
        Array("w", *more)


def test_names_of_other_lengths_are_taken():
    kind = define(
        Array("w", ("levels", "2*features", 3)), Array("rows", ("rows", "1+labels"), np.bool_), Number("share", float)
    )  # fmt: skip
    assert list(kind.storage.arrays) == ["w", "rows"]
    by_itself = define(Array("w", ("labels+1",)), _grown=lambda self, n_features, n_labels: None)
    assert by_itself.storage.arrays["w"].full_shape({"labels": 2}) == (3,)
    own = define(Array("w", ("label",)), _sizes=lambda self: {"label": 3})
    assert own.storage.arrays["w"].full_shape({"label": 3}) == (3,)


# ---------------------------------------------------------------------- arrays that are lengthened where they are


def test_what_is_lengthened_shares_memory_and_goes_on_with_zeros():
    old = zeros_with_spare_rows((3, 2), np.dtype(float))
    old[:] = 7.0
    new = lengthened(old, (5, 2))
    assert new is not None
    assert np.shares_memory(old, new)
    np.testing.assert_array_equal(new, np.repeat([[7.0, 7.0], [0.0, 0.0]], [3, 2], axis=0))
    assert new.flags.c_contiguous
    assert lengthened(new, (LEAST // 16, 2)) is not None


def test_one_row_is_lengthened_along_its_columns_and_two_are_not():
    old = zeros_with_spare_rows((1, 3, 2), np.dtype(float))
    old[:] = 7.0
    new = lengthened(old, (1, 5, 2))
    assert new is not None
    assert np.shares_memory(old, new)
    np.testing.assert_array_equal(new[0], np.repeat([[7.0, 7.0], [0.0, 0.0]], [3, 2], axis=0))
    assert lengthened(new, (2, 6, 2)) is None
    two = lengthened(new, (2, 5, 2))
    assert two is not None
    np.testing.assert_array_equal(two, np.stack([new[0], np.zeros((5, 2))]))
    assert lengthened(two, (2, 6, 2)) is None


def test_a_large_array_has_room_for_several_of_its_size_and_begins_with_a_large_page():
    made = zeros_with_spare_rows((3, LEAST), np.dtype(np.uint8))
    assert made.__array_interface__["data"][0] % PAGE == 0
    assert lengthened(made, (3 * SPARE + 1, LEAST)) is None
    assert lengthened(made, (3 * SPARE, LEAST)) is not None


def test_rows_that_were_given_out_are_not_given_out_again():
    old = zeros_with_spare_rows((3, 2), np.dtype(float))
    new = lengthened(old, (5, 2))
    new[:] = 1.0
    assert lengthened(old, (5, 2)) is None
    assert lengthened(new, (LEAST // 16 + 1, 2)) is None
    assert lengthened(new, (4, 2)) is None
