"""The figures of the pages on ideas: each a run with a seed, drawn by Matplotlib as SVG."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import streamlab as sl
from streamlab.measures import Counts, evaluate
from streamlab.views.timeline.bands import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "NARROW", "draw"]

BLUE, RED, GREEN, PINK = COLOURS[:4]
NARROW, NARROW_INCHES = "-narrow", 4.5
"""How the file of a figure for a phone ends, and its width."""
GREY, INK = "#5F6B76", "#1F2933"
STYLE: Any = {
    "font.size": 10, "font.family": "sans-serif", "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": GREY, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.grid": True,
    "grid.color": "#E3E7EB", "axes.axisbelow": True, "axes.titlesize": 10.5, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "svg.hashsalt": "streamlab", "figure.facecolor": "white",
}  # fmt: skip


def panels(n: int = 1, *, height: float = 3.4, width: float = 7.6, widths: list[float] | None = None) -> Any:
    """Return a figure and its ``n`` axes beside each other."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, n, figsize=(width, height), layout="constrained", squeeze=False, width_ratios=widths
    )
    return figure, list(axes[0])


def stack(figure: Figure) -> None:
    """Put the panels of a figure below each other, and make them as wide as a phone shows them."""
    from matplotlib.gridspec import GridSpec

    axes, height = figure.axes, figure.get_size_inches()[1]
    places = GridSpec(len(axes), 1, figure=figure)
    for each, place in zip(axes, places, strict=True):
        each.set_subplotspec(place)
    figure.set_size_inches(NARROW_INCHES if len(axes) > 1 else 1.15 * NARROW_INCHES, 0.9 * height * len(axes))


def line(axes: Axes, x: Any, y: Any, name: str, colour: str, dash: str = "-", *, lift: float = 0.0) -> None:
    """Draw a curve, and write its name at its right end: a legend could cover the data."""
    axes.plot(x, y, color=colour, linestyle=dash, linewidth=2)
    axes.annotate(
        name, (np.asarray(x)[-1], np.asarray(y)[-1]), (6, lift), textcoords="offset points", color=colour, va="center",
        weight="bold", annotation_clip=False,
    )  # fmt: skip


def drift(axes: Axes, row: float, number: str, name: str) -> None:
    """Mark a drift: a dashed line, its number in a disc above the curves, and its name."""
    axes.axvline(row, color=INK, linestyle="--", linewidth=1)
    disc = {"boxstyle": "circle,pad=0.2", "facecolor": INK, "edgecolor": "none"}
    top = axes.get_xaxis_transform()
    axes.text(
        row, 1.05, number, transform=top, color="white", ha="center", va="center", size=8, weight="bold", bbox=disc
    )
    axes.annotate(name, (row, 1.05), (10, 0), xycoords=top, textcoords="offset points", va="center", color=INK, size=9)


def room(axes: Axes, share: float) -> None:
    """Leave room on the right for the names of the curves."""
    low, high = axes.dataLim.intervalx
    axes.set_xlim(low, high + share * (high - low))
    axes.set_xticks([each for each in axes.get_xticks() if low <= each <= high])


def thousands(axes: Axes) -> None:
    """Write rows as 1,000."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def chunks_of(result: Any, measure: str = "micro_f1") -> Any:
    """Return a table of a measure, a row for each full chunk, a column for each learner."""
    table = result.curves.pivot(index="position", columns="learner", values=measure)
    return table[table.index % 100 == 0]


def streams_and_drift() -> Figure:
    swapped = sl.swap_labels(sl.load("yeast"), "Class12", "Class9", at=800)
    stream = sl.feature_noise(swapped, at=1600, strength=0.5)
    table = chunks_of(sl.prequential(stream, {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()}))
    figure, (axes,) = panels()
    line(axes, table.index, table["SMART"], "SMART", BLUE)
    line(axes, table.index, table["no-change"], "no-change\n(looks at nothing)", GREEN, ":")
    drift(axes, 800, "1", "two labels swap")
    drift(axes, 1600, "2", "noise on every feature")
    axes.set(xlabel="rows so far", ylabel="micro F1 of the last 100 rows", ylim=(0, 0.75))
    room(axes, 0.22)
    thousands(axes)
    return figure


def test_then_train() -> Figure:
    learner = sl.SMART(half_life=math.inf, seed=1)
    at: list[int] = []
    before: list[float] = []
    after: list[float] = []
    for chunk in sl.load("yeast").chunks(100):
        if len(chunk.X) < 100:
            break
        _, first = learner.test_then_train(chunk.X, chunk.Y)
        again = learner.predict_many(chunk.X)
        at.append((len(at) + 1) * 100)
        for scores, answers in ((before, first), (after, again)):
            scores.append(evaluate(Counts.zeros(14).count(chunk.Y, answers), ["micro_f1"])["micro_f1"])
    figure, (axes,) = panels()
    line(axes, at, after, "asked again,\nafter learning", RED, "--", lift=6)
    line(axes, at, before, "asked first,\nthen taught", BLUE, lift=-6)
    axes.set(xlabel="rows so far", ylabel="micro F1 of the last 100 rows", ylim=(0, 1.02))
    room(axes, 0.2)
    thousands(axes)
    return figure


def forgetting() -> Figure:
    lives = {"half-life 50": (50, GREEN, ":"), "half-life 200": (200, BLUE, "-"), "never": (math.inf, RED, "--")}
    learners = {name: sl.SMART(half_life=life, seed=1) for name, (life, _, _) in lives.items()}
    table = chunks_of(sl.prequential("yeast-rotated", learners))
    figure, (left, right) = panels(2, widths=[2, 3.2])
    ages = np.arange(801)
    for name, (life, colour, dash) in lives.items():
        left.plot(ages, 2.0 ** (-ages / life), color=colour, linestyle=dash, linewidth=2)
        lift = {"half-life 50": 9, "half-life 200": -6, "never": 0}[name]
        line(right, table.index, table[name], name, colour, dash, lift=lift)
    left.plot([200], [0.5], "o", color=BLUE)
    left.annotate("200 rows old:\nhalf", (200, 0.5), (14, 10), textcoords="offset points", color=BLUE)
    left.plot([600], [0.125], "o", color=BLUE)
    left.annotate("600: an eighth", (600, 0.125), (-24, 16), textcoords="offset points", color=BLUE)
    left.text(790, 0.94, "never", color=RED, weight="bold", ha="right", va="top")
    left.text(185, 0.06, "half-life 50", color=GREEN, weight="bold")
    left.set(xlabel="age of a row, in rows", ylabel="what it still weighs", ylim=(0, 1.05))
    left.set_title("The weight of a row", pad=20)
    drift(right, 1200, "1", "every label changes its name")
    right.set(xlabel="rows so far", ylabel="micro F1 of the last 100 rows", ylim=(0, 0.75))
    room(right, 0.34)
    thousands(right)
    return figure


def hoeffding() -> Figure:
    run = sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1)}, snapshots=0, alarms=None)
    tree, seen = run.learner_runs["MLHAT"].learner, []
    run.advance(1000)
    while run.advance(20) and run.position <= 13_320:
        nodes = tree.nodes()
        if nodes.is_leaf[3]:
            seen.append((nodes.weight[3], nodes.gap[3], nodes.epsilon_spl[3]))
    weight, gap, epsilon = np.array(seen, float).T
    figure, (left, right) = panels(2, height=3.3)
    crossing(left, weight, gap, epsilon, -14)
    left.annotate(
        "it splits:\nahead by .274,\nε is .268", (weight[-1], epsilon[-1]), (-48, 56), textcoords="offset points",
        ha="center", arrowprops={"arrowstyle": "->", "color": INK},
    )  # fmt: skip
    left.set_title("Generated regions: one leaf")
    run = sl.Run("yeast", {"MLHAT": sl.MLHAT(seed=1)}, snapshots=0, alarms=None)
    tree, seen = run.learner_runs["MLHAT"].learner, []
    while run.advance(20):
        nodes = tree.nodes()
        seen.append((nodes.weight[0], nodes.gap[0], nodes.epsilon_spl[0]))
    weight, gap, epsilon = np.array(seen, float).T
    crossing(right, weight, gap, epsilon, 12)
    right.set_title("Yeast genes: the root, to the last row")
    return figure


def crossing(axes: Axes, weight: Any, gap: Any, epsilon: Any, lift: float) -> None:
    """Draw the bound and the lead of the best feature over the weight of a leaf; the lead's name ``lift`` above it."""
    axes.plot(weight, epsilon, color=RED, linestyle="--", linewidth=2)
    axes.step(weight, gap, color=BLUE, linewidth=2, where="post")
    middle = len(weight) // 2
    axes.annotate(
        "bound ε", (weight[middle], epsilon[middle]), (4, 8), textcoords="offset points", color=RED, weight="bold"
    )
    axes.annotate(
        "lead of the best feature", (weight[middle], gap[middle]), (0, lift), textcoords="offset points", color=BLUE,
        weight="bold", ha="center", va="center",
    )  # fmt: skip
    axes.set(xlabel="weight that the leaf has seen", ylabel="bits", ylim=(0, 1.2))
    axes.set_xlim(0)
    thousands(axes)


def background_trees() -> Figure:
    run = sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1)}, snapshots=0, alarms=None)
    tree = run.learner_runs["MLHAT"].learner
    run.advance(10_060)
    seen: dict[int, list[tuple[float, ...]]] = {4: [], 2: []}
    while run.position < 12_280:
        run.advance(10)
        nodes = tree.nodes()
        for node, rows in seen.items():
            if node in nodes.index and not math.isnan(nodes.error_of_alternate[node]):
                place = nodes.loc[node]
                rows.append((run.position, place.error, place.error_of_alternate, place.epsilon_alt))
    figure, both = panels(2, height=3.5)
    ends = {4: "row 11,306: the rival\ntakes the place", 2: "row 12,283: the rival\nis removed"}
    for axes, (node, title) in zip(both, ((4, "The rival wins"), (2, "The rival loses")), strict=True):
        at, error, rival, epsilon = np.array(seen[node]).T
        axes.fill_between(at, error - epsilon, error + epsilon, color=BLUE, alpha=0.15, linewidth=0)
        axes.plot(at, error, color=BLUE, linewidth=2)
        axes.plot(at, rival, color=RED, linestyle="--", linewidth=2)
        middle = int(len(at) * 0.62)
        up = 1 if node == 4 else -1
        for values, name, colour, lift in ((error, "branch", BLUE, 9 * up), (rival, "rival", RED, -10 * up)):
            axes.annotate(
                name, (at[middle], values[middle]), (0, lift), textcoords="offset points", color=colour,
                weight="bold", ha="center", va="center",
            )  # fmt: skip
        axes.plot(at[-1:], rival[-1:], "o", color=RED)
        axes.annotate(
            ends[node], (at[-1], rival[-1]), (-8, 62 if node == 2 else -34), textcoords="offset points", ha="right",
            va="center", size=9, arrowprops={"arrowstyle": "->", "color": INK},
        )  # fmt: skip
        axes.set(xlabel="rows so far", ylabel="Hamming loss since the drift", ylim=(0, 0.3), title=title)
        thousands(axes)
        axes.locator_params(axis="x", nbins=5)
    both[0].text(10_850, 0.165, "branch ± ε", color=GREY, ha="center", va="center")
    return figure


def label_sets() -> Figure:
    (chunk,) = sl.load("yeast").chunks(3000)
    names = [each.removeprefix("Class") for each in sl.load("yeast").schema.labels]
    sets = [tuple(np.flatnonzero(row)) for row in chunk.Y]
    distinct = [len(set(sets[:n])) for n in range(len(sets) + 1)]
    counts = Counter(sets).most_common()
    figure, (left, right) = panels(2, height=3.5, widths=[1.1, 1])
    left.plot(distinct, color=BLUE, linewidth=2)
    for n in (100, 500, 1000, len(sets)):
        left.plot([n], [distinct[n]], "o", color=BLUE)
        left.annotate(f"{distinct[n]}", (n, distinct[n]), (-2, 7), textcoords="offset points", ha="right", color=BLUE)
    left.set(xlabel="rows so far", ylabel="label sets that have come", ylim=(0, 225))
    left.set_title("New label sets keep coming")
    thousands(left)
    shown = counts[:8]
    right.barh(range(len(shown)), [n for _, n in shown], color=BLUE)
    right.set_yticks(range(len(shown)), ["{" + ", ".join(names[j] for j in each) + "}" for each, _ in shown])
    for i, (_, n) in enumerate(shown):
        right.text(n + 4, i, str(n), va="center")
    right.invert_yaxis()
    right.set(xlabel="rows with just these labels", xlim=(0, 275))
    right.grid(axis="y", visible=False)
    once = sum(n == 1 for _, n in counts)
    right.set_title(f"The commonest 8; {once} came once")
    return figure


def hierarchies() -> Figure:
    settings = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
    names = ("hierarchical_precision", "hierarchical_recall", "hierarchical_f1")
    rows = []
    for reliability in settings:
        learner = sl.HierarchicalKNN(reliability=reliability)
        rows.append(sl.prequential("instruments", {"walk": learner}, measures=names).summary.iloc[0][list(names)])
    table = np.array(rows, float)
    figure, (left, right) = panels(2, height=3.5, widths=[1, 1.35])
    answers = (("viola", (2 / 3, 2 / 3, 2 / 3)), ("bowed", (1, 2 / 3, 0.8)))
    colours = (GREEN, RED, BLUE)
    for place, (_, values) in enumerate(answers):
        bars = left.bar(place + np.array([-0.27, 0, 0.27]), values, 0.24, color=colours)
        left.bar_label(bars, [f"{each:.2f}" for each in values], padding=2)
        left.bar_label(
            bars, ("precision", "recall", "hF"), label_type="center", rotation=90, color="white", weight="bold"
        )
    left.set_xticks((0, 1), ("answered as far as\n“viola”", "stopped at\n“bowed”"))
    left.set(ylim=(0, 1.18))
    left.grid(axis="x", visible=False)
    left.set_title("One note of a violin")
    for j, (name, dash) in enumerate((("precision", "-."), ("recall", "--"), ("hF", "-"))):
        line(right, range(len(settings)), table[:, j], name, colours[j], dash, lift=(0, -5, 6)[j])
    right.set_xticks(range(len(settings)), [f"{each:g}" for each in settings])
    right.set_xlim(-0.2, len(settings) + 0.3)
    right.set(xlabel="reliability δ", ylim=(0, 1.18))
    right.set_title("9,419 notes of instruments")
    return figure


def balanced_neighbours() -> Figure:
    balanced = sl.StandardScaler() | sl.BalancedLDA(half_life=400) | sl.BalancedKNN(seed=1)
    run = sl.prequential("yeast", {"balanced": balanced, "ML-KNN": sl.MLKNN()}).run
    figure, axes = panels(2, height=3.5)
    counted = {name: run.learner_runs[name].tracker.counts() for name in ("balanced", "ML-KNN")}
    counts = counted["balanced"]
    share = (counts.tp + counts.fn) / counts.n
    order = np.argsort(share)
    for axis, title in zip(
        axes, ("Recall: found of those there are", "Precision: right of those answered"), strict=True
    ):
        for name, colour, mark in (("balanced", BLUE, "o"), ("ML-KNN", RED, "s")):
            c = counted[name]
            below = c.tp + (c.fn if axis is axes[0] else c.fp)
            value = np.divide(c.tp, below, out=np.zeros(14), where=below > 0)
            axis.plot(share[order], value[order], mark, color=colour, linestyle="-", linewidth=0.8, markersize=6)
        axis.set(xlabel="share of the rows that carry the class", ylim=(-0.03, 1.0), xlim=(0, 0.8))
        axis.set_title(title)
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes[0].text(0.03, 0.84, "balanced neighbours", color=BLUE, weight="bold")
    axes[0].text(0.31, 0.08, "ML-KNN", color=RED, weight="bold")
    return figure


def measures() -> Figure:
    truth = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]])
    answers = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    counts = Counts.zeros(3).count(truth, answers)
    names = ("example_f1", "micro_f1", "macro_f1", "macro_precision", "subset_accuracy", "hamming_loss")
    figure, (left, right) = panels(2, height=3.5, widths=[1, 1.25])
    words = {
        (1, 1): ("hit", "#CFE3F3"),
        (0, 1): ("false", "#F8D9C4"),
        (1, 0): ("missed", "#FBEBC8"),
        (0, 0): ("", "white"),
    }
    for (i, j), said in np.ndenumerate(answers):
        word, colour = words[int(truth[i, j]), int(said)]
        left.add_patch(plt_rectangle(j, i, colour))
        left.text(j + 0.5, i + 0.5, word, ha="center", va="center")
    left.text(1.5, 3.5, "none true, none answered", ha="center", va="center", color=GREY)
    left.set(xlim=(0, 3), ylim=(4, 0))
    left.set_xticks(np.arange(3) + 0.5, ["a", "b", "c"])
    left.set_yticks(np.arange(4) + 0.5, [f"row {i}" for i in range(1, 5)])
    left.xaxis.tick_top()
    left.tick_params(length=0)
    left.grid(visible=False)
    left.set_title("Four rows, three labels", pad=22)
    places = np.arange(len(names))
    for shift, zero, colour in ((-0.2, 0.0, BLUE), (0.2, 1.0, RED)):
        values = list(evaluate(counts, names, zero_division=zero).values())
        bars = right.barh(places + shift, values, 0.36, color=colour)
        right.bar_label(bars, [f"{each:.2f}" for each in values], padding=3)
    right.set_yticks(places, [each.replace("_", " ") for each in names])
    right.invert_yaxis()
    right.grid(axis="y", visible=False)
    right.set(xlim=(0, 1.0))
    right.text(0.98, 4.9, "0/0 counts 0", color=BLUE, weight="bold", ha="right", va="center")
    right.text(0.98, 5.35, "0/0 counts 1", color=RED, weight="bold", ha="right", va="center")
    right.set_title("Six measures of them", pad=22)
    return figure


def ranks() -> Figure:
    from streamlab.study import nemenyi_distance

    figure, (left, right) = panels(2)
    streams = np.arange(5, 101)
    for k, colour, dash, lift in ((20, RED, "--", 0), (10, GREEN, ":", 4), (5, BLUE, "-", -4)):
        line(left, streams, [nemenyi_distance(k, n) for n in streams], f"{k} learners", colour, dash, lift=lift)
    left.set(xlabel="streams", ylabel="critical distance, in ranks", ylim=(0, None))
    room(left, 0.34)
    table = sl.published("mlhat-paper", "example_f1")
    strongest = [name for name in sl.compare(table, "example_f1").ranks.index if name != "MLBELS"]
    many, by_ranks, alone = list(range(5, len(strongest) + 2)), [], []
    for k in many:
        found = sl.compare(table[table.learner.isin(["MLBELS", *strongest[: k - 1]])], "example_f1")
        by_ranks.append(found.nemenyi.loc["MLHAT", "MLBELS"])
        alone.append(found.pairs.set_index(["learner", "rival"]).p_raw[("MLHAT", "MLBELS")])
    line(right, many, by_ranks, "by ranks\n(Nemenyi)", RED, "--")
    line(right, many, alone, "the pair alone\n(Wilcoxon)", BLUE)
    right.plot([5, 19], [0.05, 0.05], color=GREY, linewidth=1)
    right.annotate("α = .05", (19, 0.05), (0, 4), textcoords="offset points", color=GREY, size=9, ha="right")
    right.set(xlabel="learners in the table", ylabel="p of MLHAT and MLBELS", ylim=(0, 0.5))
    room(right, 0.42)
    return figure


def plt_rectangle(x: float, y: float, colour: str) -> Any:
    """Return a cell of a table."""
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), 1, 1, facecolor=colour, edgecolor=GREY)


def what_matters() -> Figure:
    rng, half = np.random.default_rng(1), 4000
    X = rng.random((2 * half, 8))
    own = np.concatenate([X[:half, :2], X[half:, 2:4]]) > 0.5
    names = ["tempo", "pitch", "loudness", "bass", "reverb", "length", "year", "key"]
    stream = sl.load((X, own.astype(np.uint8)))
    places = [feature.name for feature in stream.schema.features]
    learners = {"SMART": sl.SMART(seed=1), "ranked neighbours": sl.RankedKNN()}
    run = sl.Run(stream, learners, importance={"share": None})
    run.advance()
    figure, axes = panels(2, height=2.9)
    for each, name in zip(axes, learners, strict=True):
        table = run.what_matters(name)
        value, error = (
            table.pivot(index="feature", columns="position", values=v).loc[places] for v in ("value", "error")
        )
        seen = value.where(value > 2 * error, 0.0).to_numpy()
        each.imshow(
            seen, aspect="auto", cmap="Blues", vmin=0, extent=(100, 2 * half, 7.5, -0.5), interpolation="nearest"
        )
        each.set_yticks(range(len(names)), names)
        each.set(xlabel="rows", xticks=[0, half, 2 * half])
        each.grid(visible=False)
        each.set_title(name, pad=18)
        drift(each, half, "1", "two others")
    return figure


FIGURES = {
    each.__name__: each
    for each in (
        streams_and_drift, test_then_train, forgetting, hoeffding, background_trees, label_sets, hierarchies,
        balanced_neighbours, measures, ranks, what_matters,
    )
}  # fmt: skip
"""What draws each figure, by its file's name."""


def draw(folder: Path, names: list[str]) -> dict[str, int]:
    """Draw figures into a folder, each as it is and for a phone; returns the bytes of each file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sizes = {}
    with matplotlib.rc_context(STYLE):
        for name in names:
            figure = FIGURES[name]()
            for ending in ("", NARROW):
                path = folder / f"{name}{ending}.svg"
                if ending:
                    stack(figure)
                figure.savefig(path, metadata={"Date": None})
                sizes[path.name] = path.stat().st_size
            pyplot.close(figure)
    return sizes
