"""Learners on sets that this repository has not seen: ``python -m benchmarks sealed FOLDER [--out FILE]``.

Each data file of the folder is a set (``NAME-train`` and ``NAME-test`` one, the training rows first), read as
``sl.load`` reads it. What it cannot know stands in ``sealed.toml`` beside the files: options of ``load``, in a table
for each set.

The rule is the same for all, and fixed before a set is seen: the learners of ``FROZEN``, all answering by expected F1
but the two baselines; ten random orders of the rows, the learner's seed that of the order; each row answered, then
learned; 0/0 = 0. A set is a block of the tests, an order is not. Council is the one that is compared with each other.

The table names the commit, the checksum of each file, and says whether a set's name or its rows stand in our catalogue
or in the study: what is there was known to who made the learners. It goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import MISSING, ROOT, asked, console, figure, markdown
from benchmarks.kept import versions
from benchmarks.study_sets import EXPECTED, LEARNERS, SETS
from streamlab.streams import STREAMS
from streamlab.streams.fetch import is_cached
from streamlab.study.definition import sources_of, stream_of

__all__ = ["FROZEN", "Told", "sealed", "sets_in", "standing"]

CONTROL = "Council"
NAMES = (
    *("MLHAT", "HedgedMLHAT", "SMART", "ARkNN", "MLSAMPkNN", "MLSAkNN", "MLBELS", "HoeffdingTrees", "MLHT"),
    *("PrunedSets", "MLKNN"),
)
FROZEN = {
    **{name: LEARNERS[name] for name in (CONTROL, "OnlineLogistic", "RankedKNN")},
    **{name: LEARNERS[f"{name}, {EXPECTED}"] for name in NAMES},
    **{name: LEARNERS[name] for name in ("NoChange", "MajorityLabels")},
}
"""The learners, each with its parameters; whoever changes this says so in CHANGELOG.md."""
MEASURES = {"example_f1": "Example F1", "micro_f1": "Micro F1"}
LIMITS = {"seconds": 3600, "gigabytes": 6}
OPTIONS = "sealed.toml"
NO_DATA = {".md", ".toml", ".xml"}
PARTS = ("train", "test")


class Told(Exception):
    """What is wrong with the folder or with one of its files, in one line."""


def sealed(options: Sequence[str]) -> int:
    """The frozen list of learners on any folder of data sets, ten orders, with the commit's hash: sealed FOLDER."""
    given = asked("sealed", options, folder=Path, out=None, orders=10, learners=list(FROZEN), workers=0, results=None)
    commit = _commit()
    try:
        sets = sets_in(given.folder)
        about = pd.DataFrame([_about(name, each, given.folder) for name, each in sets.items()])
    except Told as told:
        console.print(str(told))
        return 2
    found, failures = [], []
    learners = {name: FROZEN[name] for name in given.learners}
    for order in range(1, given.orders + 1):
        changes = [{"put": "shuffle_rows", "seed": order}]
        study = sl.Study(
            {name: each | {"changes": changes} for name, each in sets.items()}, learners, seeds=[order],
            measures=list(MEASURES), limits=LIMITS, results=(given.results or Path("build/sealed")) / _as_name(commit),
            name=f"order {order}", folder=given.folder,
        )  # fmt: skip
        study.run(given.workers or None, progress=False)
        # a learner that takes no seed has a cell for each order all the same
        found.append(study.results().assign(seed=order))
        failures += [f"{row.learner} on {row.stream}: {row.status}" for row in study.failures().itertuples()]
        console.print(f"order {order} of {given.orders} has ended")
    text = _page(commit, about, pd.concat(found, ignore_index=True), given.orders, failures)
    path = given.out or Path(f"sealed-{given.folder.resolve().name}-{_as_name(commit)}.md")
    path.write_text(text, encoding="utf-8")
    console.print(f"\n{text}\nwritten to {path}")
    return 0


def _commit() -> str:
    """Return the hash of the commit, with a checksum of what was changed since; or that there is none."""
    git = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=True)
    try:
        head, changed = (git(["git", *words]).stdout for words in (["rev-parse", "HEAD"], ["diff", "HEAD"]))
    except (OSError, subprocess.CalledProcessError):
        return "none: this is no clone"
    since = f" and changes that are not committed ({hashlib.sha256(changed.encode()).hexdigest()[:8]})"
    return head.strip() + (since if changed else "")


def _as_name(commit: str) -> str:
    return "-".join([commit[:12], *re.findall(r"\((\w+)\)", commit)]) if commit[:4] != "none" else "no-clone"


# ---------------------------------------------------------------------- the sets


def sets_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the sets of a folder by name, as ``Study`` takes them.

    Raises
    ------
    Told
        If the folder is not there or has no data, or ``sealed.toml`` is wrong.
    """
    if not folder.is_dir():
        raise Told(f"{folder}: there is no such folder")
    path, said = folder / OPTIONS, {}
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise Told(f"{path}: {_one_line(error)}") from None
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name[0] != "." and _has_data(path))
    groups: dict[str, list[str]] = {}
    for file in files:
        stem, _, rest = file.name.partition(".")
        name, _, part = stem.rpartition("-")
        other = f"{name}-{PARTS[1 - PARTS.index(part)]}.{rest}" if name and part in PARTS else ""
        # "test" comes before "train"
        groups.setdefault(name if other and (folder / other).is_file() else stem, []).insert(0, file.name)
    if not groups:
        raise Told(f"{folder}: there is no data file in it")
    if unknown := [name for name in said if name not in groups or not isinstance(said[name], Mapping)]:
        raise Told(f"{path}: {unknown[0]!r} is no set's table; there are: {', '.join(groups)}")
    return {name: {"files": names, **_labels(folder, name), **said.get(name, {})} for name, names in groups.items()}


def _has_data(path: Path) -> bool:
    return not NO_DATA & {each.lower() for each in path.suffixes}


def _labels(folder: Path, name: str) -> dict[str, str]:
    """Return which file names the labels, where there is one for the set."""
    return {"labels": f"{name}.xml"} if (folder / f"{name}.xml").is_file() else {}


def _about(name: str, given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Read a set whole, and return what the table says of it.

    Raises
    ------
    Told
        If it cannot be read; names the file.
    """
    paths = [folder / file for file in given["files"]]
    try:
        (source,) = sources_of({name: given}, folder).values()
        stream = stream_of(source.recipe, source.identity)
        # refuses what has no order of its own
        rows = _rows_of(sl.shuffle_rows(stream))
    except (ValueError, OSError) as error:
        said = re.sub(r"^streams\[.*?\]: ", "", _one_line(error))
        named = any(str(path) in said for path in paths)
        raise Told(said if named else f"{', '.join(map(str, paths))}: {said}") from None
    sums = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths]
    size = f"{len(rows):,} × {len(stream.schema.features):,}, {stream.schema.n_labels}"
    return {"set": name, "size": size, "sums": ", ".join(sums), "standing": standing(name, rows, stream.schema)}


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _rows_of(stream: sl.Stream) -> list[bytes]:
    """Return each row's features as they are compared: 32 bits each, what is missing alike."""
    rows: list[bytes] = []
    for chunk in stream.chunks(1000):
        X = np.array(chunk.X.toarray() if scipy.sparse.issparse(chunk.X) else chunk.X, np.float32)
        # 0 and -0 are alike, too
        X = np.where(np.isnan(X), np.float32(np.nan), X + np.float32(0.0))
        rows += [row.tobytes() for row in X]
    return rows


def standing(name: str, rows: Sequence[bytes], schema: Any) -> str:
    """Return, in words, whether a set's name, its rows or its size stand in the catalogue or in the study."""
    plain = _plain(name)
    said = [f"the name of {each}" for each in sorted({*STREAMS.names(), *SETS}) if _plain(each) == plain]
    own, size = set(rows), (len(schema.features), schema.n_labels)
    for known, stream in _at_hand(len(schema.features)):
        there = own.intersection(_rows_of(stream))
        if there:
            said.append(f"{len(there):,} of {len(own):,} different rows in {known}")
    for known, entry in STREAMS.items():
        if entry.rows == len(rows) and (entry.features, entry.labels) == size:
            said.append(f"the size of {known}")
    return "; ".join(said) or "neither"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"[-_](train|training|test|f|500)$", "", name.lower()))


def _at_hand(n_features: int) -> Iterator[tuple[str, sl.Stream]]:
    """The sets of the study and of the catalogue with so many features, if their rows are here, or come with packages.

    What is generated has no rows that somebody could have seen.
    """
    for name, given in SETS.items():
        files = given.get("files", [given["use"]] if "use" in given else [])
        if files and all((SHARED / file).is_file() for file in files):
            (source,) = sources_of({name: given}, SHARED).values()
            if source.size[1] == n_features:
                yield name, stream_of(source.recipe, source.identity)
    for name, entry in STREAMS.items():
        is_here = all(is_cached(file) for file in entry.files) and not name.startswith("syn-")
        if is_here and entry.features in (None, n_features):
            try:
                stream = entry.load()
            except ImportError:
                continue
            if len(stream.schema.features) == n_features:
                yield name, stream


# ---------------------------------------------------------------------- the page


def _page(commit: str, about: pd.DataFrame, found: pd.DataFrame, orders: int, failures: Sequence[str]) -> str:
    """Return what was found, in Markdown."""
    rows = about[["set", "size", "sums", "standing"]].to_numpy().tolist()
    parts = [
        "# Sealed sets",
        f"Commit {commit}; {versions()}.",
        f"{found.learner.nunique()} learners, all by expected F1 but no-change and majority labels; {orders} random "
        "orders of the rows; a set is a block. Each row is answered, then learned; 0/0 = 0.",
        markdown(("set", "rows × features, labels", "SHA-256 begins", "in our catalogue or study"), rows),
    ]
    for measure, title in MEASURES.items():
        parts += [f"## {title}", *_compared(found, measure)]
    if failures:
        parts.append("Did not finish: " + "; ".join(failures) + ".")
    return "\n\n".join(parts) + "\n"


def _compared(found: pd.DataFrame, measure: str) -> list[str]:
    sets, names = list(found.stream.unique()), set(found.learner)
    if len(sets) < 2 or len(names) < 2:
        means = found.groupby(["learner", "stream"])[measure].mean().unstack()
        order = means.mean(axis=1).sort_values(ascending=False).index
        rows = [[str(name), *(figure(means.loc[name, each]) for each in sets)] for name in order]
        return [markdown(("", *sets), rows), "No test: that takes two sets and two learners."]
    compared = sl.compare(found, measure, control=CONTROL if CONTROL in names else None)
    p = compared.pairs.set_index("rival").p if CONTROL in names else {}
    rows = []
    for name, rank in compared.ranks.items():
        cells = (figure(compared.scores.loc[each, name]) for each in sets)
        mean = figure(compared.means[name])
        rows.append([str(name), *cells, mean, figure(rank, 2), figure(p[name]) if name in p else MISSING])
    heads = ("", *sets, "mean", "rank", f"p against {CONTROL} (Wilcoxon, Holm)")
    return [markdown(heads, rows), compared.sentence]
