"""Which function opens which kind of file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamlab._checks import shown
from streamlab.plugins import Registry
from streamlab.streams.stream import Stream

__all__ = ["READERS", "ReaderEntry"]

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


def _check(name: str, entry: ReaderEntry) -> None:
    endings = entry.endings if isinstance(entry.endings, tuple) else ()
    if not endings or not all(isinstance(each, str) and each[:1] == "." and each == each.lower() for each in endings):
        raise ValueError(f"the reader {name!r}: endings={shown(entry.endings)}; expected a tuple such as ('.h5',)")
    if not callable(entry.open) or not (entry.sniff is None or callable(entry.sniff)):
        raise ValueError(f"the reader {name!r}: expected functions to open and to sniff")


READERS: Registry[ReaderEntry] = Registry("streamlab.readers", "reader", _check, of=ReaderEntry)
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
    except Exception as error:  # a stranger's function may raise anything; the other readers stay
        logger.warning("a reader of %s is left out: sniff: %s: %s", entry.endings[0], type(error).__name__, error)
        return False
