"""What opens a source that is no name of the catalogue: readers of files by their endings, openers of addresses."""

from __future__ import annotations

import inspect
import logging
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from streamlab._checks import call, check_only, near, shown, within
from streamlab.plugins import Registry
from streamlab.schema import Feature
from streamlab.streams.stream import Stream, with_source

__all__ = ["OPENERS", "READERS", "Opener", "ReaderEntry"]

logger = logging.getLogger("streamlab")


@dataclass(frozen=True)
class ReaderEntry:
    """A kind of file: its endings and the function that opens it.

    A package adds a reader by one line of its ``pyproject.toml``, with a name on the left and the entry on the right::

        [project.entry-points."streamlab.readers"]
        hdf5 = "my_package.readers:HDF5"

    Parameters
    ----------
    endings
        Of file names, in small letters, such as ``(".h5", ".hdf5")``.
    open
        Called with the path and the options of ``load`` that are given, by name (``labels``, ``limits`` and ``cancel``
        among them); returns the stream. Its keyword-only parameters are the options that it takes. It should import
        what it needs when it is called: all entries are imported when the first file is opened.
    sniff
        Called with the path and the options where several readers have the ending: whether this one reads the file.
        Default None: it reads what no other one claims.
    gzipped
        Whether it reads files with ``.gz`` behind the ending, too; default: no.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> def open_bits(path, *, labels=1):
    ...     rows = [[int(bit) for bit in line.strip()] for line in path.open()]
    ...     return ArrayStream([row[:-labels] for row in rows], [row[-labels:] for row in rows], name=path.stem)
    >>> remove = READERS.add("bits", ReaderEntry((".bits",), open_bits))
    >>> import streamlab as sl, tempfile
    >>> path = Path(tempfile.mkdtemp(), "small.bits")
    >>> _ = path.write_text("0011\\n1100\\n")
    >>> sl.load(path, labels=2)
    <ArrayStream 'small': 2 rows, 2 features, 2 labels>
    >>> remove()
    """

    endings: tuple[str, ...]
    open: Callable[..., Stream]
    sniff: Callable[[Path, Mapping[str, Any]], bool] | None = None
    gzipped: bool = False


def _check_reader(name: str, entry: ReaderEntry) -> None:
    endings = entry.endings if isinstance(entry.endings, tuple) else ()
    if not endings or not all(isinstance(each, str) and each[:1] == "." and each == each.lower() for each in endings):
        raise ValueError(f"the reader {name!r}: endings={shown(entry.endings)}; expected a tuple such as ('.h5',)")
    if not callable(entry.open) or not (entry.sniff is None or callable(entry.sniff)):
        raise ValueError(f"the reader {name!r}: expected functions to open and to sniff")


READERS: Registry[ReaderEntry] = Registry("streamlab.readers", "reader", _check_reader, of=ReaderEntry)
"""Readers of files by name: those of the entry points ``streamlab.readers`` and those added in this session."""


def reader_of(path: Path, options: Mapping[str, Any]) -> ReaderEntry:
    """Return the reader of a file.

    Parameters
    ----------
    path
        Of the file, which is not opened unless several readers have its ending.
    options
        Of ``load``, by name.

    Raises
    ------
    ValueError
        If none has its ending; or as a reader's ``sniff`` does.
    """
    suffixes = [each.lower() for each in path.suffixes[-2:]]
    is_gzipped = len(suffixes) == 2 and suffixes[1] == ".gz"
    ending = suffixes[-2 if is_gzipped else -1] if suffixes else ""
    entries = [entry for _, entry in READERS.items()]
    found = [entry for entry in entries if ending in entry.endings and (entry.gzipped or not is_gzipped)]
    if not found:
        known = {each: f"{each}[.gz]" if entry.gzipped else each for entry in entries for each in entry.endings}
        raise ValueError(
            f"{path}: the kind of file {''.join(suffixes) or 'without suffix'!r} is unknown; expected one of "
            f"{', '.join(known.values())}"
        )
    if len(found) == 1:
        return found[0]
    claims = (entry for entry in found if _claims(entry, path, options))
    return next(claims, next((entry for entry in found if entry.sniff is None), found[0]))


def _claims(entry: ReaderEntry, path: Path, options: Mapping[str, Any]) -> bool:
    try:
        return entry.sniff is not None and bool(entry.sniff(path, options))
    except (ValueError, OSError):
        raise  # the file is wrong, a limit is passed, or the user stopped it
    except Exception as error:  # user code may raise anything; the other readers stay
        logger.warning("a reader of %s is left out: sniff: %s: %s", entry.endings[0], type(error).__name__, error)
        return False


@dataclass(frozen=True)
class Opener:
    """Opens what ``load`` is given, where it is one of its own.

    A package adds one by a line of its ``pyproject.toml``, with a name on the left and the opener on the right::

        [project.entry-points."streamlab.openers"]
        archives = "my_package.archives:ARCHIVES"

    Parameters
    ----------
    claims
        Called with a text or a path that is not a name of the catalogue: whether it is one of its own. It is asked for
        every file that is opened, so it should be quick, and import what it needs to open only when it opens.
    open
        Called with the text or path, and with all of ``load``'s options by name: ``labels``, ``limits`` and ``cancel``
        (each None where it is not given) among them. Returns the stream, or raises ValueError for an option that it
        does not know.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> def count(source, *, labels, limits, cancel):
    ...     rows = [[float(n)] for n in range(int(source.partition(":")[2]))]
    ...     return ArrayStream(rows, [[int(x) % 2] for x, in rows], name="numbers")
    >>> remove = OPENERS.add("numbers", Opener(lambda source: str(source).startswith("numbers:"), count))
    >>> import streamlab as sl
    >>> sl.load("numbers:10")
    <ArrayStream 'numbers': 10 rows, 1 features, 1 labels>
    >>> remove()
    """

    claims: Callable[[str | os.PathLike[str]], bool]
    open: Callable[..., Stream]


def _check_opener(name: str, opener: Opener) -> None:
    if not callable(opener.claims) or not callable(opener.open):
        raise ValueError(f"the opener {name!r}: expected functions that say what it opens, and open it")


OPENERS: Registry[Opener] = Registry("streamlab.openers", "opener", _check_opener, of=Opener)
"""Openers by name: those of the entry points ``streamlab.openers`` and those added in this session."""


def opener_of(source: Any) -> Opener | None:
    """Return the first opener that claims a text or path; None: there is none, or it is something else.

    Parameters
    ----------
    source
        What ``load`` was given, if it is not a name of the catalogue.
    """
    if not isinstance(source, (str, os.PathLike)):
        return None
    return next((opener for _, opener in OPENERS.items() if opener.claims(source)), None)


def open_arff(path: Path, **options: Any) -> Stream:
    """Open an ARFF file; options as those of ``ArffStream``."""
    from streamlab.streams.readers.arff import ArffStream

    return call(ArffStream, str(path), path, **options)


def open_libsvm(path: Path, *, labels: Any = None, **options: Any) -> Stream:
    """Open a LibSVM file; options as those of ``LibsvmStream``."""
    from streamlab.streams.readers.libsvm import LibsvmStream

    if labels is not None:
        raise ValueError(f"{path}: labels={labels!r} does not go with LibSVM, whose lines begin with their labels")
    return call(LibsvmStream, str(path), path, **options)


def open_columns(path: Path, *, labels: Any = None, **options: Any) -> Stream:
    """Open a file of rows and columns; options as those of ``guess_table`` and ``TableStream``."""
    from streamlab.streams.tables.opening import TABLE_OPTIONS, open_table

    check_only(str(path), options, TABLE_OPTIONS)
    return open_table(path, labels=labels, **options)


def _is_of_libsvm(path: Path, options: Mapping[str, Any]) -> bool:
    """Return whether a ``.txt`` file is one of LibSVM: not if it is a table, or options of one are given."""
    from streamlab.streams.tables.opening import TABLE_OPTIONS, is_libsvm

    of_tables = {"labels", *TABLE_OPTIONS} - {"limits", "cancel", "n_labels", "n_features", "encoding"}
    if any(name in of_tables and value is not None for name, value in options.items()):
        return False
    return not os.path.isfile(path) or is_libsvm(path, options.get("limits"), options.get("cancel"))


ARFF = ReaderEntry((".arff",), open_arff, gzipped=True)
LIBSVM = ReaderEntry((".svm", ".libsvm", ".txt"), open_libsvm, _is_of_libsvm, gzipped=True)
TABLE = ReaderEntry((".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson"), open_columns, gzipped=True)
PARQUET = ReaderEntry((".parquet",), open_columns)


def _open_river(
    source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any
) -> Stream:
    """Open one of River's data sets by the name of its class; options are its own, and those of ``RiverStream``."""
    from river import datasets
    from river.datasets.base import Dataset

    from streamlab.streams.readers.river import RiverStream

    if labels is not None:
        raise ValueError(f"{source}: labels={labels!r} does not go with a River data set")
    name = source.partition(":")[2]
    known: dict[str, Any] = {
        each: kind
        for module in (datasets, datasets.synth)
        for each, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Dataset)
    }
    if name not in known:
        raise ValueError(f"{source}: River has no data set {shown(name)}{near(name, list(known))}")
    ours = [each for each in inspect.signature(RiverStream).parameters if each != "dataset"]
    own = {each: value for each, value in options.items() if each not in ours}
    check_only(source, own, [*inspect.signature(known[name]).parameters, *ours])
    given = {each: value for each, value in options.items() if each in ours}
    return with_source(RiverStream(known[name](**own), **given), source, options, is_file=False)


def _open_openml(
    source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any
) -> Stream:
    """Fetch a data set of openml.org by its number, once; its targets, or ``labels``, become labels."""
    import pandas as pd
    from sklearn.datasets import fetch_openml

    from streamlab.streams.fetch import cache_folder, reason_of
    from streamlab.streams.readers.arrays import ArrayStream
    from streamlab.streams.tables.opening import labels_of, open_pair

    number = source.partition(":")[2]
    if not number.isdecimal():
        raise ValueError(f"{source}: {shown(number)} is no number of a data set; expected one such as openml:40589")
    named = [labels] if isinstance(labels, str) else labels
    if named is not None and not (isinstance(named, (list, tuple)) and named):
        raise ValueError(f"{source}: labels={shown(labels)}: expected names of columns")
    try:
        with warnings.catch_warnings():
            # of versions, and of a parser that is chosen
            warnings.simplefilter("ignore")
            found = fetch_openml(
                data_id=int(number),
                data_home=cache_folder(),
                target_column="default-target" if named is None else list(named),
                n_retries=1,
                parser="liac-arff",  # the other one fails at TRUE and FALSE, which multi-label sets have
            )
    except OSError as error:
        raise ConnectionError(f"{source}: openml.org could not be reached ({reason_of(error)})") from None
    except (KeyError, ValueError) as error:
        raise ValueError(f"{source}: {error.args[0] if error.args else error}") from None
    if not found.target_names:
        raise ValueError(f"{source}: no column is named as its target there; expected labels=, names of columns")
    Y = pd.DataFrame(found.target)
    Y.columns = pd.Index(found.target_names)
    name = found.details["name"]
    if hasattr(found.data, "columns"):
        with within(source):
            stream = open_pair(found.data, Y, name=name, **options)
    else:
        flags, of_labels, labelling = labels_of(Y, source)
        schema = replace(of_labels, features=tuple(map(Feature, found.feature_names)))
        stream = call(ArrayStream, source, found.data, flags, schema=schema, name=name, **options)
        stream.labelling = labelling
    return with_source(stream, source, {"labels": labels, **options}, is_file=False)


RIVER = Opener(lambda source: isinstance(source, str) and source.startswith("river:"), _open_river)
OPENML = Opener(lambda source: isinstance(source, str) and source.startswith("openml:"), _open_openml)
