"""MLHAT's figure 5 and tables 6 to 8 from published results, tables 3 and 4 from the streams themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import SETS, SHARED, opened
from benchmarks.trees import BASES, CHANGES
from docs.figures.pages import Missing, Pages, dot
from docs.figures.svg import save, save_ranks
from streamlab.study import plot_heat

__all__ = ["MEASURES", "SYNTHETIC", "figure_5", "properties", "table_3", "table_4", "table_6", "tables_7_and_8"]

MEASURES = ("subset_accuracy", "hamming_loss", "example_f1", "micro_f1", "macro_f1", "seconds")
"""What figures 5a to 5f are of."""
PRINTED: dict[str, tuple[float, float, float]] = {
    "subset_accuracy": (0.3323, 4.129, 165.39), "hamming_loss": (0.0745, 6.323, 201.67),
    "example_f1": (0.5306, 3.387, 185.01), "example_precision": (0.7494, 3.548, 205.32),
    "example_recall": (0.5397, 4.290, 143.37), "micro_f1": (0.5342, 3.774, 190.97),
    "micro_precision": (0.6296, 7.710, 224.76), "micro_recall": (0.4910, 4.613, 138.02),
    "macro_f1": (0.4064, 3.839, 187.20), "macro_precision": (0.5899, 3.935, 251.68),
    "macro_recall": (0.3833, 4.161, 145.12), "seconds": (17_355, 6.419, 418.51),
}  # fmt: skip
"""Tables 7 and 8: MLHAT's mean and rank among 19 learners on 31 streams, and Friedman's χ²."""
SYNTHETIC = {f"Syn{Base}{Change}": f"syn-{base}-{change}" for base, Base in BASES.items()
             for change, Change in CHANGES.items()}  # fmt: skip
"""The twelve generated streams: their names in the paper, and here."""
TABLE_3: dict[str, tuple[int, int, int, float, float, float]] = {
    "flags": (194, 19, 7, 3.39, 0.48, 2.255), "water quality": (1_060, 16, 14, 5.07, 0.36, 1.767),
    "emotions": (593, 72, 6, 1.87, 0.31, 1.478), "birds": (645, 260, 19, 1.01, 0.05, 5.407),
    "yeast": (2_417, 103, 14, 4.24, 0.30, 7.197), "scene": (2_407, 294, 6, 1.07, 0.18, 1.254),
    "medical": (978, 1_449, 45, 1.25, 0.03, 89.501), "slashdot": (3_782, 1_079, 22, 1.18, 0.05, 19.462),
    "tmc": (28_596, 500, 22, 2.22, 0.10, 17.134), "20ng": (19_300, 1_006, 20, 1.42, 0.07, 1.007),
}  # fmt: skip
"""Table 3, of the sets that are at hand: instances, features, labels, cardinality, density, mean imbalance ratio."""


def published(pages: Pages) -> pd.DataFrame:
    """The authors' results; raises ``Missing`` where they cannot be had."""
    try:
        return sl.published("mlhat", folder=pages.published)
    except (ConnectionError, ValueError) as error:
        raise Missing(str(error)) from None


def figure_5(pages: Pages) -> None:
    """Draw the average ranks by six measures."""
    figures = published(pages)
    for letter, measure in zip("abcdef", MEASURES, strict=True):
        found = sl.compare(figures, measure, alpha=0.01)
        save_ranks(found, pages.picture(f"mlhat_5{letter}"))
        test = found.friedman
        pages.console.print(
            f"5{letter} {measure}: χ² {test.chi2:.2f} (without ties {test.chi2_plain:.2f}), F {test.F:.3f}"
        )


def table_6(pages: Pages) -> None:
    """Draw example F1 of 19 learners on 31 streams as a table of colours."""
    figures = sl.published("mlhat-paper")
    save(
        lambda theme: plot_heat(figures, "example_f1", theme=theme, width=780, title=""),
        pages.picture("mlhat_6_table"),
    )


def tables_7_and_8(pages: Pages) -> None:
    """Write MLHAT's mean and rank and Friedman's χ² by each measure, printed and from the authors' files."""
    figures = published(pages)
    real = figures[~figures.stream.isin(list(SYNTHETIC))]
    lines = []
    for measure, (mean, rank, chi2) in PRINTED.items():
        found = sl.compare(real, measure, alpha=0.01)
        digits = 0 if measure == "seconds" else 3
        lines.append([
            measure.replace("_", " "), dot(mean, digits), dot(found.means["MLHAT"], digits),
            dot(rank, 2), dot(found.ranks["MLHAT"], 2), f"{found.ranks.index[0]} {found.ranks.iloc[0]:.2f}",
            f"{chi2:.1f}", f"{found.friedman.chi2_plain:.1f}",
        ])  # fmt: skip
    header = ("", "mean, printed", "files", "rank, printed", "files", "first, files", "χ², printed", "files")
    pages.put("mlhat", "7 and 8", header, lines)
    paper = sl.compare(sl.published("mlhat-paper"), "example_f1", alpha=0.01)
    pages.console.print(
        f"from table 6: mean {paper.means['MLHAT']:.3f}, rank {paper.ranks['MLHAT']:.3f}, χ² "
        f"{paper.friedman.chi2_plain:.2f}"
    )


def properties(parts: list[sl.Stream]) -> tuple[int, int, int, float, float, float]:
    """Instances, features, labels, cardinality, density and mean imbalance ratio of a stream in parts.

    The ratio of a label is the number of the commonest label over its own (Charte and others, 2015); labels that never
    occur are left out of the mean.
    """
    counts = np.zeros(parts[0].schema.n_labels)
    n = 0
    for part in parts:
        for chunk in part.chunks(1000):
            counts += chunk.Y.sum(axis=0)
            n += len(chunk.Y)
    cardinality = counts.sum() / n
    seen = counts[counts > 0]
    schema = parts[0].schema
    return n, schema.n_features, schema.n_labels, cardinality, cardinality / schema.n_labels, (seen.max() / seen).mean()


def table_3(pages: Pages) -> None:
    """Write the properties of the real streams at hand, printed and counted."""
    if not SHARED.is_dir():
        raise Missing("the shared data folder is absent")
    lines = []
    for name, printed in TABLE_3.items():
        found = properties(opened(name))
        line = [name]
        for i, digits in enumerate((0, 0, 0, 2, 2, 2)):
            one, other = dot(printed[i], digits), dot(found[i], digits)
            line.append(one if one == other else f"{one} / **{other}**")
        lines.append(line)
    header = ("", "instances", "features", "labels", "cardinality", "density", "mean imbalance ratio")
    pages.put("mlhat", "3", header, lines)
    absent = set(SETS) - set(TABLE_3)
    pages.console.print(f"not in the paper's table: {', '.join(sorted(absent))}")


def table_4(pages: Pages) -> None:
    """Write the properties of the generated streams, with the cardinality of each quarter."""
    lines = []
    for name, ours in SYNTHETIC.items():
        stream = sl.load(ours, seed=1)
        n = stream.n_rows or 0
        quarters = [
            np.concatenate([chunk.Y for chunk in stream.chunks(1000, start=i * n // 4, stop=(i + 1) * n // 4)])
            for i in range(4)
        ]
        schema = stream.schema
        nominal = sum(feature.categories is not None for feature in schema.features)
        told = f"{schema.n_features - nominal} num. + {nominal} cat." if nominal else f"{schema.n_features} numeric"
        cells = [dot(float(quarter.sum(axis=1).mean()), 2) for quarter in quarters]
        lines.append([name, f"`{ours}`", f"{n:,}", told, str(schema.n_labels), *cells])
    header = ("", "here", "instances", "features", "labels", *(f"labels a row, quarter {i}" for i in (1, 2, 3, 4)))
    pages.put("mlhat", "4", header, lines)
