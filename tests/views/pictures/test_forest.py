"""Layout algebra and message size of the forest view, without a browser."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("panel")

from bokeh.core.json_encoder import serialize_json
from bokeh.core.serialization import Serializer
from bokeh.document import Document

from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.forest.layout import layout
from streamlab.views.pictures.forest.view import ForestView

TOLERANCE = 1e-9


def grow(
    rng: np.random.Generator, n_trees: int, depths: int, split: float = 0.9, ends: float = 0.1
) -> dict[str, np.ndarray]:
    """Random trees: each node splits with some chance, and some of its weight may end in it."""
    rows = []
    for tree in range(n_trees):
        total = rng.uniform(1, 500)
        level = [(0, -1, total)]
        for depth in range(depths):
            below = []
            for node, parent, weight in level:
                rows.append((len(rows), tree, node, parent, depth, weight, weight / total))
                if rng.random() < split:
                    left = rng.beta(0.7, 0.7) * weight * (1 - rng.uniform(0, ends))
                    right = (weight - left) * (1 - rng.uniform(0, ends))
                    below += [(2 * node + 1, len(rows) - 1, left), (2 * node + 2, len(rows) - 1, right)]
            level = below
    names = ("id", "tree", "node", "parent", "depth", "weight", "share")
    columns = {name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}
    count = len(rows)
    return columns | {
        "age": rng.integers(0, 1000, count),
        "retained": rng.random(count),
        "cardinality": rng.uniform(0, 4, count),
        "top": rng.integers(-1, 6, count),
    }


@st.composite
def tables(draw: st.DrawFn) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = grow(rng, draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.floats(0, 1)), draw(st.floats(0, 1)))
    order = rng.permutation(len(columns["id"]))
    # ids are given once and never reused, so those at hand have gaps and no order.
    ids = np.append(rng.choice(10 * len(order), len(order), replace=False) + draw(st.sampled_from([0, 2**40])), -1)
    columns |= {"id": ids[columns["id"]], "parent": ids[columns["parent"]]}
    return {name: values[order] for name, values in columns.items()}


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 6), st.integers(0, 60))
def test_cells_are_shares_within_their_parents(columns: dict[str, np.ndarray], max_depth: int, max_cells: int) -> None:
    cells = layout(columns, max_depth=max_depth, max_cells=max_cells)
    rows = cells["row"]
    assert len(rows) == min(max_cells, int((columns["depth"] <= max_depth).sum()))
    np.testing.assert_allclose(cells["x1"] - cells["x0"], columns["share"][rows], atol=TOLERANCE)
    place = {int(node_id): i for i, node_id in enumerate(cells["id"])}
    for i, row in enumerate(rows):
        if columns["parent"][row] < 0:
            assert cells["x0"][i] == 0
            continue
        above = place[int(columns["parent"][row])]  # a KeyError here: an ancestor is missing
        assert cells["x0"][above] - TOLERANCE <= cells["x0"][i] <= cells["x1"][i] <= cells["x1"][above] + TOLERANCE
        if columns["node"][row] % 2:
            assert cells["x0"][i] == cells["x0"][above]
        else:
            assert cells["x1"][i] == cells["x1"][above]


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 60))
def test_the_widest_are_kept_in_drawing_order(columns: dict[str, np.ndarray], max_cells: int) -> None:
    cells = layout(columns, max_depth=6, max_cells=max_cells)
    left_out = np.setdiff1d(np.arange(len(columns["id"])), cells["row"])
    if len(left_out):
        assert columns["share"][cells["row"]].min() >= columns["share"][left_out].max() - TOLERANCE
    for before, after in zip(range(len(cells["id"])), range(1, len(cells["id"])), strict=False):
        assert tuple(cells[name][before] for name in ("tree", "depth", "x0")) <= tuple(
            cells[name][after] for name in ("tree", "depth", "x0")
        )


def test_orphans_are_left_out() -> None:
    columns = grow(np.random.default_rng(3), 2, 4, split=1.0)
    keep = columns["id"] != 1
    cells = layout({name: values[keep] for name, values in columns.items()})
    below = set(columns["id"][(columns["tree"] == 0) & np.isin((columns["node"] - 1) // 2, [1])].tolist())
    assert below
    assert not below & set(cells["id"].tolist())
    assert (cells["tree"] == 1).sum() == 15


def test_siblings_never_overlap_and_gaps_are_weight_that_ended() -> None:
    columns = grow(np.random.default_rng(4), 1, 2, split=1.0, ends=0.5)
    cells = layout(columns)
    first, second = (int(np.flatnonzero(cells["row"] == row)[0]) for row in (1, 2))
    ended = 1 - columns["share"][1] - columns["share"][2]
    assert cells["x0"][second] - cells["x1"][first] == pytest.approx(ended)
    assert ended > 0


def test_empty_table_gives_no_cell() -> None:
    columns = {name: values[:0] for name, values in grow(np.random.default_rng(0), 1, 1).items()}
    assert all(len(values) == 0 for values in layout(columns).values())


def test_wrong_input_is_named() -> None:
    columns = grow(np.random.default_rng(0), 1, 2)
    with pytest.raises(ValueError, match="missing share"):
        layout({name: values for name, values in columns.items() if name != "share"})
    with pytest.raises(ValueError, match="lengths differ"):
        layout(columns | {"age": columns["age"][1:]})
    with pytest.raises(ValueError, match="max_depth"):
        layout(columns, max_depth=-1)
    with pytest.raises(ValueError, match="max_cells"):
        layout(columns, max_cells=-1)


def test_layout_of_5000_rows_takes_a_few_milliseconds() -> None:
    columns = grow(np.random.default_rng(1), 20, 8, split=1.0)
    assert len(columns["id"]) == 5100
    times = []
    for _ in range(7):
        begun = time.thread_time()
        layout(columns)
        times.append(time.thread_time() - begun)
    # 3 ms on an idle machine; the test allows for a busy one.
    assert min(times) < 0.03


def drawn(columns: dict[str, np.ndarray], now: int, half_life: float | None, n_trees: int, height: int) -> Drawn:
    return Drawn("SMART", now, columns, {"half_life": half_life, "n_trees": n_trees, "height": height})


def message(view: ForestView) -> tuple[int, list[bytes]]:
    """Bytes of the JSON part and the binary parts of the view's frame, as Bokeh's serializer makes them."""
    serialized = Serializer(deferred=True).serialize(view._frame)
    return len(serialize_json(serialized.content)), [buffer.to_bytes() for buffer in serialized.buffers]


def test_frame_is_one_binary_buffer_under_25_kilobytes_for_800_cells() -> None:
    columns = grow(np.random.default_rng(1), 20, 7, split=0.95)
    view = ForestView(max_cells=800)
    view.show(drawn(columns, 5000, 200, 20, 15))
    head, buffers = message(view)
    assert len(buffers) == 1
    assert sum(item[2] for item in view._frame["spec"] if item[0] == "id") == 800
    assert head + len(buffers[0]) < 25_000


@pytest.mark.parametrize(("half_life", "sent"), [(200, 200.0), (None, None), (np.inf, None)])
def test_half_life_travels_as_number_or_nothing(half_life: float | None, sent: float | None) -> None:
    view = ForestView()
    view.show(drawn(grow(np.random.default_rng(0), 2, 3), 10, half_life, 3, 4))
    assert view._frame["half_life"] == sent
    assert view._frame["drawn_depth"] == 4
    assert view._frame["n_trees"] == 3


def test_layout_parameters_stay_in_python() -> None:
    root = ForestView(max_depth=5).get_root(Document())
    assert "max_depth" not in root.data.properties_with_values()
    assert root.data.selected is None
