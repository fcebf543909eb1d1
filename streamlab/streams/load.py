"""Open any stream: from a name, a path, a data set, arrays or a table; or again, as its recipe says."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from streamlab._checks import call, check_known, check_only, shown
from streamlab._frames import is_frame
from streamlab.schema import Schema
from streamlab.streams.blocks import check_contract
from streamlab.streams.catalogue import fetched_files, find_entry, is_name
from streamlab.streams.changes.drift_entry import DRIFTS, DriftEntry
from streamlab.streams.compose import join
from streamlab.streams.fetch import is_cached
from streamlab.streams.limits import LoadLimits
from streamlab.streams.openers import OPENML, RIVER, opener_of, reader_of
from streamlab.streams.stream import NOT_KEPT, Stream, is_plain, with_source

__all__ = ["from_recipe", "load"]

ALWAYS = ("labels", "limits", "cancel")
"""Options that every reader is asked for by ``load``: passed on where they are given."""


def load(
    source: Any,
    *,
    labels: Any = None,
    limits: LoadLimits | None = None,
    cancel: Callable[[], object] | None = None,
    **options: Any,
) -> Stream:
    """Open a stream.

    Parameters
    ----------
    source
        A name of ``catalogue()``; or the path of a file: ``.arff``, ``.csv``, ``.tsv``, ``.jsonl``, ``.svm``,
        ``.libsvm``, ``.txt`` (LibSVM or a table), each also with ``.gz``, ``.parquet``, or of another of ``READERS``;
        or a ``Stream``, which is returned unchanged; or one of River's data sets, or its name, as ``river:Music``; or
        the number of a set of openml.org, fetched once, as ``openml:40589``; or a pair ``(X, Y)`` of arrays, sparse
        matrices or tables, Y of flags, of classes, or of lists of names; or a table (pandas, polars, pyarrow, or any
        with the dataframe interchange); or the address of rows that come as time goes by, as
        ``tail:rows.csv?labels=a,b`` (a ``GrowingTable``; its options may stand here, too), with streamlab-live also of
        a server, and the folder of a journal.
    labels
        Which columns are labels: names, or a number (the first n columns; negative: the last).
        A column may hold 0 and 1 or yes and no (one label), a few words (a label for each), tags such as
        ``rock;pop`` (a label for each), or vectors of 0 and 1. None for a table: guessed from names and first rows, and
        refused where that is not clear. For ARFF only if the file does not say so itself: also the path of
        an XML file.
    limits
        What reading a file may take: bytes, rows, features, labels, seconds and more; default ``LoadLimits()``. Other
        sources are not limited.
    cancel
        Called without arguments between blocks while a file is opened; opening stops with ``LoadCancelled``, a
        ValueError, if it returns true.
    **options
        Passed on: for files of columns and tables in memory see ``guess_table``, which says how a file is written and
        what its columns are, also ``hierarchy=``, which labels stand below others: what is not given is guessed; of
        texts (``text=``), also ``n_labels``, ``n_features`` and ``vectorizer`` of ``TableStream``. Else see
        ``ArffStream``, ``LibsvmStream``, ``ArrayStream``, ``RiverStream``; of an array Y also ``hierarchy`` and
        ``missing`` of ``guess_table``.
        Of a pair whose Y has a class for each row, ``classes=True`` says so where it holds 0 and 1, or True and False,
        which else is one label. ``title=``, a column of a table or DataFrame, says what people call the rows
        (``Stream.title_of``); it is no feature. ``sparse=`` (ARFF, LibSVM, arrays) says whether chunks are CSR: by
        default where the source is sparse by nature and has 10,000 features or more.
        For a name: those of its entry (``StreamEntry.options``); for a synthetic stream, ``syn-…``, ``seed``,
        ``n_rows`` and ``endless`` (see ``paper_stream``, ``RegionGenerator``). Where a set is fetched from, the
        environment's ``STREAMLAB_MIRROR`` may say (an address).

    Returns
    -------
    Stream

    Raises
    ------
    ValueError
        If there is no such name or file (near names are suggested), the kind of file or source is unknown, an option
        does not fit the source, a limit is passed, or the data are wrong: then with file, line and column.
    ConnectionError
        If the data set has to be fetched, or columns have to be learnt from a live source, and it cannot be reached.

    Examples
    --------
    >>> load(([[1.0, 2.0]], [[0, 1]]))
    <ArrayStream 'arrays': 1 rows, 2 features, 2 labels>

    Posts with tags, as hashed words: ``load("posts.csv", text="body", labels="tags")``.
    """
    if isinstance(options.get("hierarchy"), Mapping):
        # as a recipe keeps it
        options["hierarchy"] = list(map(list, options["hierarchy"].items()))
    if isinstance(source, Stream):
        check_contract(source)
        for given in [*(["labels"] if labels is not None else []), *options]:
            raise ValueError(f"{source.name} is a stream already; {given}= does not go with it")
        return source
    is_named = isinstance(source, str) and is_name(source)
    opener = None if is_named else opener_of(source)
    if opener is not None:
        return opener.open(source, labels=labels, limits=limits, cancel=cancel, **options)
    if isinstance(source, os.PathLike) or (isinstance(source, str) and not is_named and _looks_like_path(source)):
        path = os.fspath(source)
        stream = _load_file(Path(path), {"labels": labels, **options, "limits": limits, "cancel": cancel})
        return with_source(stream, str(path), {"labels": labels, **options}, is_file=True)
    if isinstance(source, str):
        if labels is not None:
            raise ValueError(f"{source}: labels={labels!r} does not go with a name of the catalogue")
        entry = find_entry(source)
        check_only(source, options, entry.options)
        return with_source(entry.load(**options), source, options, is_file=False)
    if isinstance(source, tuple):
        if len(source) != 2:
            raise ValueError(f"a tuple of {len(source)} parts is not a stream; expected (X, Y)")
        return _load_pair(*source, labels, options)
    if is_frame(source):
        from streamlab.streams.tables.opening import open_frame

        return open_frame(source, labels=labels, limits=limits, cancel=cancel, **options)
    is_data = isinstance(source, (list, dict, set, bytes)) or hasattr(source, "shape")
    if hasattr(source, "__iter__") and not is_data:
        from streamlab.streams.readers.river import RiverStream

        if labels is not None:
            raise ValueError(f"{type(source).__name__}: labels={labels!r} does not go with a River data set")
        return call(RiverStream, type(source).__name__, source, **options)
    raise ValueError(
        f"{type(source).__name__} is not a source of a stream; expected a name, a path, a Stream, a River data set, "
        "(X, Y) or a DataFrame"
    )


def _load_file(path: Path, options: dict[str, Any]) -> Stream:
    given = {name: value for name, value in options.items() if value is not None or name not in ALWAYS}
    reader = reader_of(path, given).open
    check_known(reader, str(path), given)
    stream = reader(path, **given)
    check_contract(stream)
    return stream


def _load_pair(X: Any, Y: Any, labels: Any, options: dict[str, Any]) -> Stream:
    from streamlab.streams.readers.arrays import ArrayStream
    from streamlab.streams.tables import opening

    if labels is not None:
        raise ValueError(f"labels={labels!r} does not go with (X, Y), whose second part holds them")
    frames = [is_frame(part) for part in (X, Y)]
    if all(frames):
        return opening.open_pair(X, Y, **options)
    if frames[0]:
        return opening.open_labelled(X, Y, **options)
    if frames[1]:
        raise ValueError("(X, Y) is an array and a DataFrame; expected two of the same kind, or the table first")
    if options.get("schema") is None and (texts := opening.table_of_texts(X)) is not None:
        words = {} if texts.column_names != ["text"] else {"text": "text"}
        return opening.open_labelled(texts, Y, **{"name": "(X, Y)", **words, **options})
    are_classes = options.pop("classes", None) is True
    of_labels = {name: options.pop(name) for name in ("hierarchy", "missing") if options.get(name) is not None}
    if options.get("schema") is not None:
        if of_labels:
            raise ValueError(f"(X, Y): schema= says what the labels are; {next(iter(of_labels))}= does not go with it")
        return call(ArrayStream, "(X, Y)", X, Y, **options)
    found = opening.labels_in(Y, "(X, Y)", are_classes)
    if found is None and not of_labels:
        return call(ArrayStream, "(X, Y)", X, Y, **options)
    table, roles = (opening.table_of_flags(Y), {}) if found is None else found[:2]
    flags, own, labelling = opening.labels_of(table, "(X, Y)", **roles, **of_labels)
    own = own if found is None else found.named(own)
    width = X.shape[1] if hasattr(X, "shape") and len(X.shape) == 2 else np.shape(X)[-1]
    options["schema"] = replace(own, features=Schema.anonymous(width, 0).features)
    stream = call(ArrayStream, "(X, Y)", X, flags, **options)
    stream.labelling = labelling
    return stream


def _looks_like_path(text: str) -> bool:
    """Return whether ``text`` is a path: with a suffix, with a folder, or on the disk."""
    return bool(Path(text).suffix) or "/" in text or os.sep in text or text.startswith("~") or os.path.exists(text)


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
