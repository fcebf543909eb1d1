"""Make a stream again as its recipe says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlab._checks import shown
from streamlab.streams.catalogue import fetched_files, find_entry
from streamlab.streams.changes.drift_entry import DRIFTS, DriftEntry
from streamlab.streams.compose import join
from streamlab.streams.fetch import is_cached
from streamlab.streams.load import load
from streamlab.streams.openers import OPENML, RIVER
from streamlab.streams.stream import NOT_KEPT, Stream, is_plain

__all__ = ["from_recipe"]

MOST_CHANGES = 1000


def from_recipe(recipe: Any, *, files: bool | Path = False, fetch: bool = False, **given: Any) -> Stream:
    """Make a stream again.

    Parameters
    ----------
    recipe
        ``Stream.recipe`` of a stream, perhaps from a file of somebody else's: it can name streams of the catalogue and
        drifts of ``DRIFTS`` alone.
    files
        Whether it may name a file, which is opened; or the file that is opened in place of the one that it names.
    fetch
        Whether it may name a data set that has to be fetched first.
    **given
        Of ``load``, for files: ``limits``, ``cancel``.

    Raises
    ------
    ValueError
        If it is no recipe, or names what is not there or not allowed; or as ``load`` and the changes do.

    Examples
    --------
    >>> import streamlab as sl
    >>> stream = sl.swap_labels(sl.load("syn-regions", n_rows=500), 0, 1, at=100)
    >>> from_recipe(stream.recipe)
    <SwappedLabels 'syn-regions, labels swapped': 500 rows, 10 features, 8 labels>
    """
    changes: list[tuple[DriftEntry, dict[str, Any]]] = []
    while isinstance(recipe, Mapping) and "change" in recipe:
        name, parameters = recipe["change"], recipe.get("parameters")
        if not isinstance(name, str) or name not in DRIFTS:
            known = ", ".join(DRIFTS.names())
            raise ValueError(f"a stream's recipe names the change {shown(name)}; expected one of {known}")
        if not isinstance(parameters, Mapping) or "stream" in parameters:
            raise ValueError(f"a stream's recipe: the parameters of {name} are {shown(parameters)}")
        entry = DRIFTS.load(name)
        for key, value in parameters.items():
            if key not in entry.parameters or not is_plain(value):
                raise ValueError(f"a stream's recipe: {name} has no parameter {shown(key)} with {shown(value)}")
        changes.append((entry, {key: _again(value) for key, value in parameters.items()}))
        recipe = recipe.get("stream")
        if len(changes) > MOST_CHANGES:
            raise ValueError(f"a stream's recipe has more than {MOST_CHANGES:,} changes")
    if isinstance(recipe, Mapping) and "parts" in recipe:
        stream = _joined(recipe, files, fetch, given)
    else:
        stream = _source(recipe, files, fetch, given)
    for entry, parameters in reversed(changes):
        stream = entry.put(stream, **parameters)
    return stream


def _joined(recipe: Mapping[str, Any], files: bool | Path, fetch: bool, given: Mapping[str, Any]) -> Stream:
    parts, rows = recipe["parts"], recipe.get("rows")
    if not isinstance(parts, list) or not 1 <= len(parts) <= MOST_CHANGES:
        raise ValueError(f"a stream's recipe: its parts are {shown(parts)}; expected a list of recipes")
    if any(isinstance(part, Mapping) and "parts" in part for part in parts):
        raise ValueError("a stream's recipe: a part has parts of its own")
    made = [from_recipe(part, files=files, fetch=fetch, **given) for part in parts]
    return join(made, rows, recipe.get("start", 0))


def _source(recipe: Any, files: bool | Path, fetch: bool, given: Mapping[str, Any]) -> Stream:
    if not isinstance(recipe, Mapping) or ("source" in recipe) == ("file" in recipe):
        raise ValueError(f"a stream's recipe is {shown(recipe)}; expected a source or a file, and its options")
    is_file = "file" in recipe
    source, options = recipe["file" if is_file else "source"], recipe.get("options", {})
    if not isinstance(source, str) or not isinstance(options, Mapping) or not all(isinstance(k, str) for k in options):
        raise ValueError(f"a stream's recipe names {shown(source)}; expected a text, and options by name")
    if any(key in NOT_KEPT or not is_plain(value) for key, value in options.items()):
        raise ValueError(f"a stream's recipe: options of {shown(source)} that a recipe cannot have")
    if is_file:
        if not files:
            raise ValueError(f"the stream is the file {shown(source)}: open it with sl.load, and give it")
        if isinstance(files, Path):
            # a file of labels is not looked for where somebody else had it
            labels = options.get("labels")
            is_foreign = isinstance(labels, str) and Path(labels).suffix.lower() == ".xml"
            named = {name: value for name, value in options.items() if name != "labels" or not is_foreign}
            return load(files, **named, **given)
        return load(Path(source), **options, **given)
    if RIVER.claims(source) or OPENML.claims(source):
        if not fetch:
            raise ValueError(f"the stream {source!r} is of a repository: open it with sl.load, and give it")
        return load(source, **options)
    entry = find_entry(source)
    if not fetch and not all(map(is_cached, fetched_files(entry))):
        raise ValueError(f"the stream {source!r} has to be fetched first: sl.load({source!r})")
    return load(source, **options)


def _again(value: Any) -> Any:
    # functions take pairs as tuples
    return tuple(map(_again, value)) if isinstance(value, list) else value
