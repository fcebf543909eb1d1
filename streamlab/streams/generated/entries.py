"""The generated streams as the catalogue offers them, by the names that ``pyproject.toml`` gives them.

A generator is imported when its stream is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_choice, checked_count, checked_flag
from streamlab.streams.catalogue import StreamEntry, described
from streamlab.streams.stream import Stream

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
        n_nominal=10 if base == "tree" else 0,
        at=[n_rows // 4, n_rows // 2, 3 * n_rows // 4],
        width=width,
        how="sudden" if how == "recurrent" else how,
        n_rows=None if endless else n_rows,
        seed=seed,
        name=f"syn-{base}-{how}",
    )


N_REGION_ROWS = 100_000


def _regions(
    name: str,
    change: str,
    default_seed: int,
    /,
    *,
    seed: int | None = None,
    n_rows: int = N_REGION_ROWS,
    endless: bool = False,
) -> Stream:
    from streamlab.streams.generated.regions import RegionGenerator

    # an endless stream drifts as long as the others are, then stays
    length = N_REGION_ROWS if endless else n_rows
    at = [k * length // 10 for k in range(1, 10)] if length >= 10 else ()
    rows = None if endless else n_rows
    return RegionGenerator(at=at, change=change, n_rows=rows, seed=default_seed if seed is None else seed, name=name)


SONGS = ("loudness", "tempo", "warmth", "brightness", "echo", "rhythm", "bass", "length", "voice", "strings")
MOODS = ("calm", "happy", "sad", "angry", "tender", "festive", "dreamy", "tense")
IN_SONGS = {
    "regions": "songs",
    "were divided in another way, with other labels": "changed moods",
    "carry other labels now; their borders stayed as they were": "have other moods now",
}
"""What is said of regions, and of songs."""


def _as_songs(regions: Callable[..., Stream]) -> Callable[..., Stream]:
    """Return what makes the stream of regions, equal to the bit, under names that mean something in a class."""

    @wraps(regions)
    def songs(**settings: Any) -> Stream:
        stream = regions(**settings)
        features = (replace(feature, name=song) for feature, song in zip(stream.schema.features, SONGS, strict=True))
        stream.schema = replace(stream.schema, features=tuple(features), labels=MOODS)
        for old, new in IN_SONGS.items():
            stream.drifts = tuple(replace(drift, about=drift.about.replace(old, new)) for drift in stream.drifts)
        return stream

    return songs


def _of_paper(base: str, how: str) -> StreamEntry:
    return described(f"syn-{base}-{how}", partial(paper_stream, base, how))


SYN_REGIONS = described("syn-regions", partial(_regions, "syn-regions", "labels", 1))
# the first branch that this seed replaces is that of the root's own child, a large change
SYN_BRANCHES = described("syn-branches", partial(_regions, "syn-branches", "branch", 6))
SONGS_MOODS = described("songs", _as_songs(partial(_regions, "songs", "labels", 1)))
SONGS_BRANCHES = described("songs-branches", _as_songs(partial(_regions, "songs-branches", "branch", 6)))
SYN_TREE_SUDDEN = _of_paper("tree", "sudden")
SYN_TREE_GRADUAL = _of_paper("tree", "gradual")
SYN_TREE_INCREMENTAL = _of_paper("tree", "incremental")
SYN_TREE_RECURRENT = _of_paper("tree", "recurrent")
SYN_RBF_SUDDEN = _of_paper("rbf", "sudden")
SYN_RBF_GRADUAL = _of_paper("rbf", "gradual")
SYN_RBF_INCREMENTAL = _of_paper("rbf", "incremental")
SYN_RBF_RECURRENT = _of_paper("rbf", "recurrent")
SYN_HP_SUDDEN = _of_paper("hp", "sudden")
SYN_HP_GRADUAL = _of_paper("hp", "gradual")
SYN_HP_INCREMENTAL = _of_paper("hp", "incremental")
SYN_HP_RECURRENT = _of_paper("hp", "recurrent")
