"""Sparse streams: their chunks are CSR with the values that arrays have, whatever is put around them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.streams import (
    ArrayStream,
    compose,
    delay_labels,
    feature_noise,
    hide_labels,
    prior_shift,
    rotate_labels,
    swap_features,
    swap_labels,
    vanish_label,
)
from tests.learners.sparse_streams import csr, wide

X, Y = wide(90, 12, missing=0.02)


def pair() -> tuple[ArrayStream, ArrayStream]:
    """The same rows as a sparse stream and as one of arrays."""
    return sl.load((csr(X), Y), sparse=True), sl.load((X, Y))


def assert_same(sparse, dense, *, start: int = 0, size: int = 7) -> None:
    assert sparse.is_sparse
    assert not dense.is_sparse
    both = list(zip(sparse.chunks(size, start=start), dense.chunks(size, start=start), strict=True))
    assert both
    for mine, its in both:
        assert isinstance(mine.X, scipy.sparse.csr_array)
        assert mine.X.has_canonical_format
        assert mine.X.dtype == np.float64
        assert (mine.start, len(mine), mine.stop) == (its.start, len(its), its.stop)
        np.testing.assert_array_equal(mine.X.toarray(), its.X)
        np.testing.assert_array_equal(mine.Y, its.Y)


@pytest.mark.parametrize(("start", "size"), [(0, 7), (13, 5), (0, 200), (89, 1)])
def test_chunks_are_those_of_arrays(start, size):
    assert_same(*pair(), start=start, size=size)


@pytest.mark.parametrize("kind", ["arff", "svm"])
@pytest.mark.parametrize("sparse", [True, False])
def test_files_give_either(tmp_path, kind, sparse):
    values = np.nan_to_num(X)
    path = tmp_path / f"rows.{kind}"
    if kind == "arff":
        names = [f"@attribute y{j} {{0,1}}" for j in range(4)] + [f"@attribute x{j} numeric" for j in range(12)]
        rows = [
            "{" + ",".join(f"{j} {v:g}" for j, v in enumerate([*map(int, y), *x]) if v) + "}"
            for x, y in zip(values, Y, strict=True)
        ]
        path.write_text("\n".join(["@relation 'r: -C 4'", *names, "@data", *rows]) + "\n")
        options = {}
    else:
        rows = [
            ",".join(map(str, np.flatnonzero(y))) + " " + " ".join(f"{j}:{v:g}" for j, v in enumerate(x) if v or not j)
            for x, y in zip(values, Y, strict=True)
        ]
        path.write_text("\n".join(rows) + "\n")
        options = {"first_feature": 0, "first_label": 0, "n_features": 12, "n_labels": 4}
    stream = sl.load(path, sparse=sparse, **options)
    assert stream.is_sparse == sparse
    if sparse:
        assert_same(stream, sl.load(path, **options), start=3)
    got = np.vstack([c.X.toarray() if sparse else c.X for c in stream.chunks(10)])
    np.testing.assert_array_equal(got, values)


def test_wide_and_sparse_sources_give_csr_and_others_arrays(tmp_path):
    path = tmp_path / "wide.svm"
    path.write_text("0 1:1 20000:2\n1 7:1\n")
    stream = sl.load(path)
    assert stream.is_sparse
    assert stream.schema.feature_names[-1] == "x20000"
    assert next(stream.chunks(2)).X.shape == (2, 20000)
    few = scipy.sparse.csr_array((3, 500))
    many = scipy.sparse.csr_array((3, 10_000))
    flags = np.ones((3, 1), int)
    assert not sl.load((few, flags)).is_sparse
    assert sl.load((many, flags)).is_sparse
    assert not sl.load((many, flags), sparse=False).is_sparse
    assert not sl.load((np.zeros((3, 10_000)), flags)).is_sparse
    assert not sl.load((scipy.sparse.csr_array(np.ones((3, 10_000))), flags)).is_sparse


def test_wide_arff_rows_that_are_written_sparse_give_csr(tmp_path):
    path = tmp_path / "wide.arff"
    names = [f"@attribute x{j} numeric" for j in range(10_001)]
    for first, wanted in (("{0 1,10000 2.5}", True), ("1," + "0," * 9_999 + "2.5", False)):
        path.write_text("\n".join(["@relation 'r: -C 1'", *names, "@data", "% a comment", first, "{3 1}"]) + "\n")
        stream = sl.load(path)
        assert stream.is_sparse == wanted
        X = next(stream.chunks(5)).X
        X = X.toarray() if wanted else X
        assert X[0, -1] == 2.5
        assert X[1, 2] == 1.0


@pytest.mark.parametrize(
    "changed",
    [
        lambda s: rotate_labels(s, at=20),
        lambda s: swap_labels(s, "y0", "y1", at=20, width=30),
        lambda s: vanish_label(s, "y0", at=20),
        lambda s: prior_shift(s, "y0", 0.5, at=30),
        lambda s: delay_labels(s, 5),
        lambda s: hide_labels(s, 0.5),
        lambda s: swap_features(s, "x1", "x5", at=20, width=30),
        lambda s: swap_features(s, at=20, share=0.5),
        lambda s: compose([s, rotate_labels(s, at=0)], at=25, n_rows=60),
        lambda s: compose([s, rotate_labels(s, at=0)], at=25, width=20, n_rows=60),
    ],
)
def test_what_is_put_around_a_stream_does_the_same_to_sparse_rows(changed):
    sparse, dense = (changed(stream) for stream in pair())
    assert_same(sparse, dense)
    assert_same(sparse, dense, start=17)


def test_what_would_fill_the_rows_or_mix_kinds_is_refused():
    sparse, dense = pair()
    with pytest.raises(ValueError, match="is sparse: with noise no value would be 0"):
        feature_noise(sparse, at=3)
    with pytest.raises(ValueError, match="one is sparse, the other gives arrays"):
        compose([sparse, dense], at=5)
    with pytest.raises(ValueError, match="sparse=True, and X is an array"):
        sl.load((X, Y), sparse=True)
    with pytest.raises(ValueError, match="sparse='yes': expected True, False or None"):
        sl.load((csr(X), Y), sparse="yes")


def test_bad_values_of_a_matrix_are_named():
    bad = csr(X)
    bad.data[5] = np.inf
    row = int(np.searchsorted(bad.indptr, 5, side="right")) - 1
    with pytest.raises(ValueError, match=rf"X\[{row}, {bad.indices[5]}\] .* is inf; expected a finite number or NaN"):
        sl.load((bad, Y))
    bad = csr(X)
    bad.indices[5] = 400
    with pytest.raises(ValueError, match="is not a valid CSR matrix"):
        sl.load((bad, Y))


def test_values_stored_twice_are_summed_as_scipy_does():
    twice = scipy.sparse.csr_array((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    chunk = next(sl.load((twice, [[1]]), sparse=True).chunks(1))
    assert chunk.X.toarray().tolist() == [[0, 3, 0]]
    assert twice.nnz == 2


def test_previews_and_dictionaries_hold_what_is_not_zero():
    sparse, dense = pair()
    preview = sparse.preview(3)
    names = preview["feature"].columns
    np.testing.assert_array_equal(preview["feature"].to_numpy(), dense.preview(3)["feature"][names])
    for (x, y), (x_too, y_too) in zip(sparse, dense, strict=True):
        assert x == {name: value for name, value in x_too.items() if value}
        assert y == y_too


def test_a_run_says_which_learner_is_too_narrow_for_a_stream():
    wide_rows = sl.load((scipy.sparse.csr_array((20, 1 << 18)), np.ones((20, 1), int)))
    with pytest.raises(ValueError, match=r"HierarchicalKNN keeps every column of a row: 262,144 columns"):
        sl.Run(wide_rows, {"kNN": sl.HierarchicalKNN(), "SMART": sl.SMART(seed=1)})
    result = sl.prequential(wide_rows, {"SMART": sl.SMART(n_trees=2, height=3, seed=1)}, chunk=5)
    assert result.summary.instances["SMART"] == 20


def test_river_gets_dictionaries_of_what_is_not_zero():
    from river import linear_model, multioutput, tree

    values = np.nan_to_num(X)
    streams = sl.load((csr(values), Y), sparse=True), sl.load((values, Y))
    for made in (
        lambda: sl.OnePerLabel(linear_model.LogisticRegression()),
        lambda: sl.RiverMultiLabel(multioutput.ClassifierChain(linear_model.LogisticRegression())),
        lambda: sl.TargetsAsLabels(tree.ISOUPTreeRegressor()),
    ):
        one, other = (sl.prequential(stream, {"river": made()}, chunk=9).summary for stream in streams)
        assert one.micro_f1["river"] == other.micro_f1["river"]
