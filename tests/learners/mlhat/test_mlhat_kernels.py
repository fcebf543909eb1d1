"""The kernels of MLHAT one by one, each against a plain twin or a library."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from streamlab.learners import MLHAT
from streamlab.learners.mlhat import _bags as draws
from streamlab.learners.mlhat import _classifiers as classifiers
from streamlab.learners.mlhat import _gains as gains
from streamlab.learners.mlhat import _statistics as statistics
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat._bags import sigmoid, sigmoids
from streamlab.learners.mlhat.storage import Parts
from streamlab.schema import Feature, Schema
from tests.learners.mlhat.by_hand import Gains, Instance, h
from tests.learners.mlhat.columns import arena


def observed(X: np.ndarray, Y: np.ndarray, weights: np.ndarray | None = None, categories: int = 0):
    """The tree of a learner whose root has observed the rows with these weights, without a split."""
    features = tuple(Feature(f"x{j}", tuple(map(str, range(categories))) or None) for j in range(X.shape[1]))
    # room for every row that the counts could take
    tree = growth.new_tree(features, Y.shape[1], Parts(10, 170), math.inf)
    tree = growth.resized(tree, pool=20 * X.size + 64)
    for x, y, w in zip(X, Y, np.ones(len(X)) if weights is None else weights, strict=True):
        touched = np.flatnonzero((x != 0) | np.isnan(x))
        present = np.flatnonzero(y)
        statistics.observe(tree, 0, x, touched, len(touched), present, len(present), w)
    return tree


def evaluate(tree, o: int, f: int, n_points: int, least_share: float):
    """The best split on a feature, whatever its gain: gain, threshold or category, units of work."""
    sums, cuts = gains.new_scratch(tree.seen.shape[1] - 1, n_points)
    gains.prepare(tree, o, sums)
    return gains.evaluate_above(tree, o, f, n_points, least_share, -math.inf, sums, cuts)


def as_instances(X, Y, weights) -> list[Instance]:
    return [
        Instance([None if v != v else v for v in x], y, w)
        for x, y, w in zip(X.tolist(), Y.tolist(), weights.tolist(), strict=True)
    ]


# ---------------------------------------------------------------------- draws


@pytest.mark.parametrize("rate", [0.3, 1.0, 4.0])
def test_draws_are_poisson(rate):
    drawn = np.array([draws.instance_weight(7, i, rate) for i in range(20_000)])
    counts = np.bincount(drawn, minlength=12)[:12]
    expected = stats.poisson.pmf(np.arange(12), rate) * len(drawn)
    keep = expected > 5
    # chi squared: beyond this once in ten thousand
    assert ((counts - expected) ** 2 / expected)[keep].sum() < stats.chi2.ppf(0.9999, keep.sum())


def test_bags_draw_from_a_table_what_inversion_gives():
    drawn = np.random.default_rng(0).integers(0, 2**64, 20_000, np.uint64)
    expected = [draws.poisson(z, 1.0) for z in drawn]
    units = (drawn >> np.uint64(11)) * 2.0**-53
    np.testing.assert_array_equal(np.searchsorted(draws.AT_MOST, units, side="right"), expected)


def test_bags_leaves_and_instances_draw_apart():
    def of(instance, node):
        out = np.zeros(2000, np.int64)
        draws.bag_weights(7, instance, node, out)
        return out

    assert (of(0, 0) == of(0, 0)).all()
    for other in (of(1, 0), of(0, 1)):
        assert abs(np.corrcoef(of(0, 0), other)[0, 1]) < 0.1
    assert of(0, 0).mean() == pytest.approx(1.0, abs=0.1)


# ---------------------------------------------------------------------- entropies and Gaussians


def test_the_normal_distribution_is_scipys():
    z = np.concatenate([np.linspace(-10, 10, 20_001), [-gains.REACH, gains.REACH]])
    mine = np.array([gains.normal_cumulative(v) for v in z])
    np.testing.assert_allclose(mine, stats.norm.cdf(z), rtol=0, atol=1e-12)
    assert ((mine >= 0) & (mine <= 1)).all()


def test_the_cumulative_share_of_a_class_is_an_integral_inside_its_range():
    values = np.random.default_rng(0).normal(3.0, 2.0, 50)
    spread = ((values - values.mean()) ** 2).sum()
    scale = gains.scale_of(50.0, spread)
    for s in np.linspace(values.min(), values.max(), 9)[1:-1]:
        area, _ = integrate.quad(stats.norm(values.mean(), values.std()).pdf, -np.inf, s, epsabs=1e-12)
        mine = gains.cumulative(s, values.mean(), scale, values.min(), values.max())
        assert mine == pytest.approx(area, abs=1e-9)
    assert gains.cumulative(values.min() - 1e-9, values.mean(), scale, values.min(), values.max()) == 0.0
    assert gains.cumulative(values.max(), values.mean(), scale, values.min(), values.max()) == 1.0
    assert gains.cumulative(2.0, 2.0, 0.0, -math.inf, math.inf) == 1.0
    assert gains.cumulative(1.9, 2.0, 0.0, -math.inf, math.inf) == 0.0


# ---------------------------------------------------------------------- observers


@pytest.mark.parametrize(
    ("kind", "distinct", "missing"),
    [("numeric", 2, 0.0), ("numeric", 16, 0.2), ("numeric", 17, 0.2), ("numeric", 200, 0.0), ("nominal", 5, 0.2)],
)
def test_gains_and_shares_equal_the_plain_ones(kind, distinct, missing):
    rng = np.random.default_rng(distinct)
    grid = np.arange(distinct) * 1.0 if kind == "nominal" else np.sort(rng.normal(size=distinct))
    if kind == "numeric":
        grid[0] = 0.0
    X = rng.choice(grid, (260, 3))
    X[:distinct, 0] = grid
    Y = np.column_stack([X[:, 0] > np.median(grid), rng.random(260) < 0.3, X[:, 1] == X[0, 1]]).astype(np.uint8)
    Y ^= (rng.random(Y.shape) < 0.1).astype(np.uint8)
    X[rng.random(X.shape) < missing] = np.nan
    w = rng.integers(1, 4, 260).astype(np.float64)
    tree = observed(X, Y, w, distinct if kind == "nominal" else 0)
    plain = Gains(as_instances(X, Y, w), [kind == "nominal"] * 3, 10, 0.01)
    for f in range(3):
        gain, point, units = evaluate(tree, 0, f, 10, 0.01)
        expected, (expected_point, shares, _) = plain.best(f)
        assert gain == pytest.approx(expected, rel=1e-9, abs=1e-11)
        assert point == pytest.approx(expected_point, rel=1e-12)
        assert units > 0
        assert gain >= 0
        left, right = np.zeros(3), np.zeros(3)
        gains.split_shares(tree, 0, f, point, left, right)
        np.testing.assert_allclose(left, [s[1] for s in shares], rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(right, [s[2] for s in shares], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("kind", ["few values", "Gaussian", "nominal"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_feature_that_can_win_is_evaluated_and_no_other_one_wins(kind, missing):
    rng = np.random.default_rng(8)
    X = np.floor(rng.random((400, 40)) ** 3 * 5) if kind != "Gaussian" else rng.normal(size=(400, 40))
    X[:, 30:] *= rng.random((400, 10)) < 0.01
    Y = (X[:, :6] @ rng.normal(size=(6, 5)) + rng.normal(size=(400, 5)) > 1.0).astype(np.uint8)
    Y[:, 4] = 1
    X[rng.random(X.shape) < missing] = np.nan
    tree = observed(X, Y, rng.integers(1, 4, 400).astype(np.float64), 5 if kind == "nominal" else 0)
    sums, cuts = gains.new_scratch(5, 10)
    gains.prepare(tree, 0, sums)
    whole = [evaluate(tree, 0, f, 10, 0.01) for f in range(40)]
    found = np.array([gain for gain, *_ in whole])
    assert (found > 0).sum() > 20
    skipped = 0
    for floor in (0.0, *np.quantile(found[found > 0], [0.2, 0.6, 0.95]), found.max()):
        for f in range(40):
            gain, point, units = gains.evaluate_above(tree, 0, f, 10, 0.01, floor, sums, cuts)
            assert units == whole[f][2]
            if found[f] > floor:
                assert (gain, point) == whole[f][:2]
            else:
                assert gain <= floor
                skipped += gain != found[f]
    assert skipped > 40


def test_outlines_say_what_moments_and_lists_do():
    rng = np.random.default_rng(4)
    X = np.floor(rng.random((300, 30)) ** 3 * np.array([2, 5, 40])[:, None].repeat(10, 1).ravel())
    X[rng.random(X.shape) < 0.05] = np.nan
    Y = (rng.random((300, 3)) < 0.3).astype(np.uint8)
    weights = rng.integers(1, 4, 300).astype(np.float64)
    for categories in (0, 40):
        tree = observed(X, Y, weights, categories)
        found = tree.plain_outlines[0].copy()
        missing, zero = np.isnan(X), X == 0
        np.testing.assert_array_equal(found[:, arena.AMOUNT], weights @ ~(missing | zero))
        np.testing.assert_array_equal(found[:, arena.ABSENT], weights @ missing)
        distinct = np.array([len(np.unique(x[(x != 0) & (x == x)])) for x in X.T])
        if categories:
            np.testing.assert_array_equal(found[:, arena.LISTED], distinct + missing.any(axis=0))
        else:
            np.testing.assert_array_equal(found[:, arena.LISTED], np.minimum(distinct, arena.EXACT_VALUES + 1))
        tree.plain_outlines[:] = -7.0
        statistics.outline(tree)
        np.testing.assert_array_equal(tree.plain_outlines[0], found)


def test_no_gain_is_above_its_bound():
    rng = np.random.default_rng(9)
    tight = 0
    for _ in range(500):
        total = np.concatenate([[200.0], rng.integers(0, 201, 6)])
        share = rng.random()
        left = rng.binomial(total.astype(int), share if rng.random() < 0.5 else rng.random(7)).astype(float)
        # all rows on the left, and of them those with a label
        left[0] = rng.integers(max(1, left[1:].max()), min(199, 200 - (total - left)[1:].max()) + 1) if (
            max(1, left[1:].max()) <= min(199, 200 - (total - left)[1:].max())
        ) else 0.0  # fmt: skip
        if not 0 < left[0] < 200:
            continue
        parts = np.zeros((3, 7))
        gains.prepare_bound(total, parts)
        gain = sum(
            h(t / 200) - (left[0] * h(a / left[0]) + (200 - left[0]) * h((t - a) / (200 - left[0]))) / 200
            for t, a in zip(total[1:], left[1:], strict=True)
        )
        bound = gains.gain_bound(left, total, parts)
        assert bound >= gain - gains.SLACK
        tight += bound < 2 * gain
        p, q, inside = total[1:] / 200, np.full(6, left[0] / 200), left[1:] / 200
        assert gains.mixture_bound(inside, q, p, 6) >= gain
    assert tight > 50


# ---------------------------------------------------------------------- classifiers


def test_sigmoid_is_scipys_and_does_not_overflow():
    z = np.array([-1e4, -40.0, -1.0, 0.0, 2.0, 50.0, 1e4])
    np.testing.assert_allclose([sigmoid(v) for v in z], special.expit(z), rtol=1e-14)


def test_many_sigmoids_are_those_of_one_at_a_time():
    rng = np.random.default_rng(0)
    z = np.concatenate([rng.normal(0, 4, 20_000), rng.uniform(-800, 800, 20_000), 10 ** rng.uniform(-20, 0, 2_000)])
    z[:9] = 0.0, -0.0, 500.0, -500.0, -745.0, np.nan, 1e300, -np.inf, -747.0
    out = np.full(len(z) + 1, 7.0)
    sigmoids(z, len(z), out)
    # the C library's exp may differ from glibc's in the last place
    np.testing.assert_allclose(out[:-1], [sigmoid(v) for v in z], rtol=3e-16, atol=5e-324)
    assert out[-1] == 7.0


@pytest.mark.parametrize("density", [0.05, 0.9])
def test_distances_of_two_categories_a_feature_count_those_that_differ(density):
    X = (np.random.default_rng(3).random((60, 70)) < density).astype(float)
    schema = Schema(tuple(Feature(f"c{j}", ("0", "1")) for j in range(70)), ("y",))
    model = MLHAT(seed=1, window=50).bind(schema)
    model.learn_many(X, np.zeros((60, 1)))
    touched, out = np.flatnonzero(X[7]), np.zeros(50)
    classifiers.squared_distances(
        model._tree, 0, 50, X[7], touched, len(touched), False, np.zeros(2, np.uint64), out
    )  # fmt: skip
    ring = np.concatenate([X[50:], X[10:50]])
    assert out.tolist() == (ring != X[7]).sum(axis=1).tolist()


# ---------------------------------------------------------------------- tables


def test_a_far_row_takes_a_short_step():
    model = MLHAT(seed=1)
    model.bind(Schema((Feature("x"),), ("y",)))
    model.learn_many(np.ones((1, 1)), np.ones((1, 1)))
    tree, leaf = model._tree, int(model._tree.plain_cursor[arena.ROOT])
    window = int(tree.plain_links[leaf, arena.LEAF])

    def rate(x: float) -> float:
        return classifiers.bounded_rate(tree, leaf, x * x, 0.3)

    tree.plain_links[leaf, arena.FILLED] = 0
    assert rate(3162.0) == 0.3
    assert rate(1e6) == pytest.approx(0.3 * 1e7 / 1e12)
    tree.plain_links[leaf, arena.FILLED] = 4
    tree.window_norms[window, :4] = [0.5, 400.0, 1e30, 300.0]
    assert rate(100.0) == rate(-100.0) == rate(2000.0) == 0.3
    for x in (2001.0, -1e6, 1e99):
        assert rate(x) == pytest.approx(0.3 * 1e4 / x**2)
        assert abs(rate(x) * x) <= 0.3 * 1e4 / 2000
