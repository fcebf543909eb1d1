"""The data sets that are loaded by name: bundled with a package that is installed anyway, or fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab.streams._checks import near
from streamlab.streams.fetch import fetch, is_cached, remote_files

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.streams.stream import Stream

__all__ = ["Entry", "catalogue", "entries", "load_by_name"]


@dataclass(frozen=True)
class Entry:
    """One data set of the catalogue.

    Parameters
    ----------
    name
        What ``load`` calls it.
    what
        What its instances and labels are.
    rows, features, labels
        How many; None where the catalogue does not know before the file is there.
    files
        The files to be fetched, the data first; empty for a bundled set.
    make
        For a bundled set, what returns the stream.
    options
        The names of the options that ``make`` takes; empty where the stream is what it is.
    """

    name: str
    what: str
    rows: int | None = None
    features: int | None = None
    labels: int | None = None
    files: tuple[str, ...] = ()
    make: Callable[..., Stream] | None = None
    options: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """``"bundled"``, ``"cached"`` (fetched before) or ``"fetched"`` (will be, when loaded)."""
        if not self.files:
            return "bundled"
        return "cached" if all(map(is_cached, self.files)) else "fetched"

    @property
    def megabytes(self) -> float | None:
        """Size of the files to be fetched, in 10^6 bytes; None for a bundled set."""
        return round(sum(remote_files()[f].n_bytes for f in self.files) / 1e6, 1) if self.files else None


def catalogue() -> pd.DataFrame:
    """Every data set that ``load`` knows by name; never asks the network.

    Returns
    -------
    pandas.DataFrame
        Columns name, rows, features, labels (missing where not known before fetching), megabytes (to be fetched),
        what, and where: "bundled", "cached" or "fetched".
    """
    import pandas as pd

    table = pd.DataFrame(
        [(e.name, e.rows, e.features, e.labels, e.megabytes, e.what, e.where) for e in entries().values()],
        columns=["name", "rows", "features", "labels", "megabytes", "what", "where"],
    )
    return table.astype({"rows": "Int64", "features": "Int64", "labels": "Int64", "megabytes": "Float64"})


@cache
def entries() -> dict[str, Entry]:
    """The entries by name: bundled sets first, then those that are fetched, in alphabetical order."""
    bundled = (
        Entry("yeast", "genes by micro-array expression; functional classes", 2417, 103, 14, make=_yeast),
        Entry("yeast-rotated", "yeast; from row 1,200 on the labels are rotated", 2417, 103, 14, make=_yeast_rotated),
        Entry("movies", "films by release, 1940 to 2014; genres", 17029, 261, 21, make=_movies),
        Entry("segments", "image segments; seven classes, of nature or built", 2310, 18, 9, make=_segments),
        Entry(
            "instruments",
            "notes of 31 instruments, synthesised; classes of Hornbostel and Sachs",
            9419,
            30,
            46,
            make=_instruments,
            options=("seed", "n_rows", "endless", "new_player", "worse_microphone", "width"),
        ),
        *_synthetic(),
    )
    found = {entry.name: entry for entry in bundled}
    for file in sorted(remote_files()):
        stem, _, kind = file.rpartition(".")
        if kind != "arff" or stem in found:
            continue
        base = stem.removesuffix("_test").removesuffix("_training")
        what = _WHAT.get(base, "multi-label benchmark")
        if stem != base:
            what += f"; its published {stem.removeprefix(base + '_')} part"
        found[stem] = Entry(stem, what, *_SIZES.get(stem, ()), files=(file, f"{base}.xml"))
    return found


def load_by_name(name: str, *, mirror: str | None = None, progress: bool = True, **options: Any) -> Stream:
    """The stream of that name, fetched first where necessary; see ``streamlab.load``.

    ``options`` are those of the entry, for a synthetic stream ``seed``, ``n_rows`` and ``endless``, for ``instruments``
    also the drifts of ``InstrumentGenerator``.

    Raises
    ------
    ValueError
        If the catalogue has no such name (near ones are suggested), or what was fetched is not the published file.
    ConnectionError
        If it has to be fetched and the server cannot be reached.
    """
    entry = entries().get(name)
    if entry is None:
        raise ValueError(f"{name!r} is neither a file nor in the catalogue{near(name, list(entries()))}; {HOW_TO_LIST}")
    if entry.make is not None:
        return entry.make(**options)
    from streamlab.streams.readers.arff import ArffStream

    # The small file first: without a network the answer comes at once.
    xml = fetch(entry.files[1], mirror=mirror, progress=False)
    return ArffStream(fetch(entry.files[0], mirror=mirror, progress=progress), labels=xml)


HOW_TO_LIST = "streamlab.catalogue() lists the names"


def _yeast() -> Stream:
    from importlib.util import find_spec

    # Read from where River keeps it: importing River's data sets takes several times as long as reading the file.
    river = find_spec("river")
    path = Path(river.origin).parent / "datasets" / "yeast.csv.gz" if river is not None and river.origin else None
    if path is not None and path.is_file():
        from streamlab.streams.readers.tables import CsvStream

        return CsvStream(path, labels=[f"Class{i}" for i in range(1, 15)])
    from river import datasets

    from streamlab.streams.readers.river import RiverStream

    return RiverStream(datasets.Yeast(), name="yeast")


def _yeast_rotated() -> Stream:
    from streamlab.streams.changes.label_rotation import rotate_labels

    stream = rotate_labels(_yeast(), at=1200)
    stream.name = "yeast-rotated"
    return stream


def _movies() -> Stream:
    from streamlab.streams.movies import movies

    return movies()


def _segments() -> Stream:
    from river import datasets

    from streamlab.streams.nested import nest_labels
    from streamlab.streams.readers.river import RiverStream

    nature, built = ("foliage", "grass", "sky"), ("brickface", "cement", "path", "window")
    parents = {**dict.fromkeys(nature, "nature"), **dict.fromkeys(built, "built")}
    stream = nest_labels(RiverStream(datasets.ImageSegments(), name="segments"), parents)
    stream.name = "segments"
    return stream


def _instruments(*, n_rows: int | None = 9419, endless: bool = False, **options: Any) -> Stream:
    from streamlab.streams.generated.instruments.stream import InstrumentGenerator

    return InstrumentGenerator(n_rows=None if endless else n_rows, **options)


def _synthetic() -> list[Entry]:
    """The streams of the MLHAT paper, each binary generator with each kind of drift; and one that trees can learn."""
    bases = {"tree": ("random trees", 30, 8), "rbf": ("radial basis functions", 80, 25), "hp": ("hyperplanes", 30, 8)}
    options = ("seed", "n_rows", "endless")
    what = "synthetic, label sets by regions of the feature space; at each tenth a branch gets others"
    regions = Entry("syn-regions", what, 100_000, 10, 8, make=partial(_regions, "labels"), options=options)
    what = "synthetic, label sets by regions of the feature space; at each tenth a branch grows anew, its tests too"
    branches = Entry("syn-branches", what, 100_000, 10, 8, make=partial(_regions, "branch"), options=options)
    papers = [
        Entry(
            f"syn-{base}-{how}",
            f"synthetic, from {what}; {how} drift at each quarter",
            50_000,
            features,
            labels,
            make=partial(_paper_stream, base, how),
            options=options,
        )
        for base, (what, features, labels) in bases.items()
        for how in ("sudden", "gradual", "incremental", "recurrent")
    ]
    return [*papers, regions, branches]


def _regions(change: str, seed: int | None = None, n_rows: int = 100_000, endless: bool = False) -> Stream:
    from streamlab.streams.generated.regions import RegionGenerator

    # an endless stream drifts as long as the others are, then stays
    length = 100_000 if endless else n_rows
    at = [k * length // 10 for k in range(1, 10)] if length >= 10 else ()
    name = "syn-regions" if change == "labels" else "syn-branches"
    if seed is None:
        # the first branch to grow anew in 6 is that of the root's own child, a large change
        seed = 1 if change == "labels" else 6
    return RegionGenerator(at=at, change=change, n_rows=None if endless else n_rows, seed=seed, name=name)


def _paper_stream(base: str, how: str, **options: Any) -> Stream:
    from streamlab.streams.generated.paper_streams import paper_stream

    return paper_stream(base, how, **options)


_WHAT = {
    "20ng": "newsgroup posts; newsgroups",
    "bibtex": "bibliography entries; tags",
    "birds": "sound recordings; bird species",
    "bookmarks": "web bookmarks; tags",
    "cal500": "songs; musical annotations",
    "corel5k": "images; words of their captions",
    "delicious": "web pages; tags",
    "emotions": "pieces of music; emotions",
    "enron": "e-mails; topics",
    "eukaryote-go": "proteins by gene ontology; places in the cell",
    "eukaryote-pse-aac": "proteins by amino acids; places in the cell",
    "eurlex-dc": "European Union law; directory codes",
    "eurlex-ev": "European Union law; EUROVOC descriptors",
    "eurlex-sm": "European Union law; subject matters",
    "flags": "flags of countries; colours",
    "foodtruck": "customers of food trucks; preferred kitchens",
    "genbase": "proteins; functional families",
    "image": "images; scenes",
    "imdb": "plots of films; genres",
    "langlog": "posts of the Language Log; topics",
    "mediamill": "news video; concepts seen in it",
    "medical": "radiology reports; disease codes",
    "nus-wide-cvladplus": "web images; concepts",
    "ohsumed": "medical abstracts; diseases",
    "reuters-k500": "news stories; topics",
    "scene": "images; scenes",
    "slashdot": "news blurbs; subjects",
    "stackex-chemistry": "questions on chemistry; tags",
    "stackex-chess": "questions on chess; tags",
    "stackex-coffee": "questions on coffee; tags",
    "stackex-cooking": "questions on cooking; tags",
    "stackex-cs": "questions on computer science; tags",
    "stackex-philosophy": "questions on philosophy; tags",
    "tmc2007": "aviation safety reports; problems",
    "yahoo-arts": "web pages on arts; subcategories",
    "yahoo-business": "web pages on business; subcategories",
    "yahoo-computers": "web pages on computers; subcategories",
    "yahoo-education": "web pages on education; subcategories",
    "yahoo-entertainment": "web pages on entertainment; subcategories",
    "yahoo-health": "web pages on health; subcategories",
    "yahoo-recreation": "web pages on recreation; subcategories",
    "yahoo-reference": "web pages for reference; subcategories",
    "yahoo-science": "web pages on science; subcategories",
    "yahoo-social": "web pages on society's affairs; subcategories",
    "yahoo-society": "web pages on society; subcategories",
    "yeast": "genes by micro-array expression; functional classes",
}

# Rows, features and labels where they are certain without the file: it is the set that MULAN publishes.
_SIZES = {
    "emotions": (593, 72, 6),
    "scene": (2407, 294, 6),
    "flags": (194, 19, 7),
    "birds": (645, 260, 19),
    "enron": (1702, 1001, 53),
}
