"""The twelve synthetic streams of the MLHAT paper: three binary generators, each with four kinds of drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamlab._checks import checked_choice, checked_count, checked_flag

if TYPE_CHECKING:
    from streamlab.streams.generated.generator import MultiLabelGenerator

N_PAPER_ROWS = 50_000
PAPER_BASES = {"tree": (30, 8), "rbf": (80, 25), "hp": (30, 8)}
"""The paper's binary generators: how many features and labels their streams have."""

WIDTHS = {"sudden": 1, "gradual": 500, "incremental": 275, "recurrent": 1}


def paper_stream(
    base: str, how: str, *, seed: int = 1, n_rows: int = N_PAPER_ROWS, endless: bool = False
) -> MultiLabelGenerator:
    """One of the twelve synthetic streams of the MLHAT paper; ``streamlab.load("syn-rbf-gradual")`` is this too.

    Drifts begin at a quarter, the half and three quarters of ``n_rows``, from (cardinality, dependency) (1.5, 0.25) to
    (1.5, 0.15), (3.0, 0.15) and (1.5, 0.25). Each changes the underlying concept: the four have seeds of their own,
    so that also priors, feature map and the binary generator's concept are new. Recurrent: the first and the third of
    them in turn, twice, and what comes back is the same in everything.

    Parameters
    ----------
    base
        ``"tree"`` (20 numeric and 10 nominal features, 8 labels), ``"rbf"`` (80 numeric, 25 labels) or ``"hp"``, the
        rotating hyperplane (30 numeric, 8 labels; 10 drifting weights, 5 % noise).
    how
        ``"sudden"`` (width 1), ``"gradual"`` (500), ``"incremental"`` (275) or ``"recurrent"`` (1).
    seed
        Which concepts and which rows; default 1.
    n_rows
        Length, default 50,000; at least four times the width.
    endless
        Whether the stream goes on after ``n_rows``, which then only place the drifts; the last concept stays,
        in a recurrent stream too. Default no.

    Returns
    -------
    MultiLabelGenerator

    Raises
    ------
    ValueError
        If there is no such base or kind of drift, or a parameter is out of range.

    References
    ----------
    The MLHAT paper (Multi-Label Hoeffding Adaptive Tree), section 4.1.2 and Table 4. What it leaves open, the
    magnitude of the hyperplane's drift and the depths of trees, is as in ``MultiLabelGenerator``.

    Examples
    --------
    >>> paper_stream("hp", "recurrent", n_rows=400).drifts[1]
    Drift(start=200, width=1, kind='recurrent')
    """
    from streamlab.streams.generated.concept import Concept
    from streamlab.streams.generated.generator import MultiLabelGenerator

    checked_choice("base", base, tuple(PAPER_BASES))
    checked_choice("how", how, tuple(WIDTHS))
    checked_count("seed", seed, 0)
    width = WIDTHS[how]
    checked_count("n_rows", n_rows, 4 * width)
    checked_flag("endless", endless)
    concepts = [
        Concept(cardinality, dependency, 4 * int(seed) + i)
        for i, (cardinality, dependency) in enumerate(((1.5, 0.25), (1.5, 0.15), (3.0, 0.15), (1.5, 0.25)))
    ]
    if how == "recurrent":
        concepts = [concepts[0], concepts[2]] * 2
    n_features, n_labels = PAPER_BASES[base]
    return MultiLabelGenerator(
        "hyperplane" if base == "hp" else base,
        concepts,
        n_features=n_features,
        n_labels=n_labels,
        n_nominal=10 if base == "tree" else None,
        at=[n_rows // 4, n_rows // 2, 3 * n_rows // 4],
        width=width,
        how="sudden" if how == "recurrent" else how,
        n_rows=None if endless else n_rows,
        seed=seed,
        name=f"syn-{base}-{how}",
    )
