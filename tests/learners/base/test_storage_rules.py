"""Tables that clash with what every learner has, or are mistyped, are refused when their class is defined."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners import Array, Learner, Number, Storage


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
