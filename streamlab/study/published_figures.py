"""Figures that others published, as a table of results: compared with one's own by the same tests, or alone."""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from streamlab._checks import checked_choice
from streamlab.streams.fetch import RemoteFile, fetch_file

__all__ = ["published"]

NEVER = 999_999_999_999
"""What the repository writes for the seconds of a cell that did not finish."""


def _shipped(name: str) -> pd.DataFrame:
    """Return a table of this package; its first column names the rows."""
    return pd.read_csv(io.StringIO(files("streamlab").joinpath("data", name).read_text("utf-8")), index_col=0)


FILES = {
    measure: (str(name), str(sha256), int(n_bytes))
    for measure, name, sha256, n_bytes in _shipped("mlhat_files.csv").itertuples()
}
"""The file of each measure in the repository aestebant/mlhat, its SHA-256 and its bytes."""


def published(name: str, measure: str | None = None, *, folder: str | Path | None = None) -> pd.DataFrame:
    """Return the figures of a published study, a row for each learner and stream, as ``compare`` takes them.

    ``"mlhat"``: 17 learners on 41 streams, the figures behind the MLHAT paper (Esteban, Cano, Zafra and Ventura, 2024)
    from the authors' repository, https://github.com/aestebant/mlhat, folder ``results/per_dataset``. They are fetched
    once and checked, or read from a folder. 12 cells did not finish within 200 GB and 360 h.

    ``"mlhat-paper"``: 19 learners on 31 streams, example F1 in three decimals: table 6 of the paper itself, where MLHAT
    was run again and GOCC and GORT take part. 19 cells did not finish.

    Parameters
    ----------
    name
        ``"mlhat"`` or ``"mlhat-paper"``.
    measure
        Of the measures that were published; default: all of them, a column each.
    folder
        Where the CSV files of the repository already are; default: they are fetched into the cache of
        ``streamlab.load``.

    Returns
    -------
    pandas.DataFrame
        Columns ``learner``, ``stream``, ``seed`` (missing: no seeds are given), ``status`` (``"done"`` or
        ``"unfinished"``), and the measures, under their names in ``streamlab.MEASURES`` and ``"seconds"``.

    Raises
    ------
    ValueError
        If there is no such study or measure, or a file is not as published.
    ConnectionError
        If a file is neither there nor to be fetched.

    Examples
    --------
    >>> import streamlab as sl
    >>> table = sl.published("mlhat-paper", "example_f1")
    >>> len(table), table[table.stream == "Emo"].nlargest(2, "example_f1").learner.tolist()
    (589, ['NB', 'HT'])
    """
    checked_choice("name", name, ("mlhat", "mlhat-paper"))
    known = list(FILES) if name == "mlhat" else ["example_f1"]
    checked_choice("measure", measure, known, optional=True)
    if name == "mlhat-paper":
        wide = {"example_f1": table_6()}
        finished = wide["example_f1"].notna()
    else:
        place = None if folder is None else Path(folder)
        asked = known if measure is None else [measure]
        wide = {each: _read(each, place) for each in dict.fromkeys([*asked, "seconds"])}
        # A zero among the scores may be real; the seconds say which cells did not finish.
        finished = wide["seconds"] < NEVER
        wide = {each: wide[each] for each in asked}
    return _long({each: table.where(finished) for each, table in wide.items()}, finished)


def _long(tables: dict[str, pd.DataFrame], finished: pd.DataFrame) -> pd.DataFrame:
    n, k = finished.shape
    figures = {each: table.to_numpy(dtype=float).ravel() for each, table in tables.items()}
    status = np.where(finished.to_numpy().ravel(), "done", "unfinished")
    return pd.DataFrame(
        {
            "learner": np.tile(finished.columns.to_numpy(dtype=object), n),
            "stream": np.repeat(finished.index.to_numpy(dtype=object), k),
            "seed": pd.array([pd.NA] * (n * k), dtype="Int64"),
            "status": status,
            **figures,
        }
    )


def _read(measure: str, folder: Path | None) -> pd.DataFrame:
    name, sha256, n_bytes = FILES[measure]
    if folder is None:
        path = fetch_file(RemoteFile(name, sha256, n_bytes, "mlhat", f"mlhat-{name}"))
    else:
        path = folder / name
        if not path.is_file():
            raise ValueError(f"folder={str(folder)!r} has no file {name!r}, where {measure!r} would be")
    table = pd.read_csv(path, index_col=0)
    if table.shape != (41, 17) or table.isna().to_numpy().any():
        raise ValueError(f"{path}: expected 41 streams and 17 learners, a figure in each cell")
    return table


def table_6() -> pd.DataFrame:
    """Return Table 6 of the MLHAT paper: a row for each stream, a column for each learner; NaN did not finish.

    It is the example F1 of 19 learners on 31 streams. The header of the printed table stands in two rows, to be read
    alternately from the one and the other.

    References
    ----------
    Esteban, Cano, Zafra and Ventura: Hoeffding adaptive trees for multi-label classification on data streams (2024).
    """
    return _shipped("mlhat_table_6.csv")
