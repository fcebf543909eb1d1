"""Figures that others published, as a table of results: compared with one's own by the same tests, or alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from streamlab.streams.fetch import RemoteFile, fetch_file

__all__ = ["published"]

NEVER = 999_999_999_999
"""What the repository writes for the seconds of a cell that did not finish."""
FILES = {
    "subset_accuracy": ("subset_acc.csv", "4aff3cbed3b72ec5af30ae414df74d75077a100a3e6e2e4815bbb328bec79c31", 13938),
    "hamming_loss": ("hamming.csv", "36664b61f3226ae44fc262c93e14b36bc15e811443d5decfb8371db575ad7c0c", 14320),
    "example_precision": (
        "example_prec.csv",
        "b92b20d540dbebe3d04dd7c34b1a2d37085859b4e633c56c22d62d06d2a66d92",
        13546,
    ),
    "example_recall": ("example_rec.csv", "21c032104187f0be46d131642a33c46a2ebadad12c131b63df699b2e9ec79d21", 13777),
    "example_f1": ("example_f1.csv", "12f9ed2ef53857477d70ebe35bd06d2e37caa7a55c16c41deb4f7b1557574e16", 13803),
    "micro_precision": ("micro_prec.csv", "97a7d6c504703b78cfd0e937bde432d19bff585002549f686db289963594591d", 13425),
    "micro_recall": ("micro_rec.csv", "29ddf9666d557e393631b087add72dc532025fee0bc6ae9952305e7f717322c6", 13787),
    "micro_f1": ("micro_f1.csv", "3a3694a06d088b933794e3f00ab1347b6858024f0a82de3a23941a41d402682b", 13745),
    "macro_precision": ("macro_prec.csv", "d1322e40346b67a6fc10612bc88d896adae5a5c987a72d8f2340e84b5f5dec54", 13605),
    "macro_recall": ("macro_rec.csv", "a7a1a04e625bff571a8587e6183996834e87c7114eb27c3114ec398596f06656", 13974),
    "macro_f1": ("macro_f1.csv", "8936732a9ff3b057406ad1fe7d06415e47b356023f0850744ad2c7b6dc1bde91", 13925),
    "seconds": ("time_s.csv", "bc287a803b8a90aef0a634ba59ea7366891ca6a94208ee767c3f7c011175c2a0", 8492),
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
    if name not in ("mlhat", "mlhat-paper"):
        raise ValueError(f"name={name!r}: expected 'mlhat' or 'mlhat-paper'")
    known = list(FILES) if name == "mlhat" else ["example_f1"]
    if measure is not None and measure not in known:
        raise ValueError(f"measure={measure!r} was not published in {name!r}: expected one of {', '.join(known)}")
    if name == "mlhat-paper":
        from streamlab.study.mlhat_table import table_6

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
