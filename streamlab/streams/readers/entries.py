"""The package's readers of files: each imports what it needs when it opens one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlab._checks import call, check_only
from streamlab.streams.reader_entry import ReaderEntry
from streamlab.streams.stream import Stream

__all__ = ["ARFF", "LIBSVM", "PARQUET", "TABLE"]


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
