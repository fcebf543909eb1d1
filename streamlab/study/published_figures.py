"""Figures that others published, as a table of results: compared with one's own by the same tests, or alone."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd

from streamlab._checks import checked_choice
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


PRINTED = """\
Stream MLHAT KNN NB AMR HT HAT EFDT SGT MT ARF AMF ABALR ABOLR GOCC GORT MLHT MLHTPS iSOUPT MLBELS
Flags 0.605 0.619 0.635 0.554 0.696 0.677 0.696 0.634 0.613 0.694 0.617 0.561 0.557 0.553 0.557 0.615 0.628 0.554 0.450
WQ 0.533 0.524 0.525 0.528 0.394 0.406 0.430 0.259 0.330 0.503 0.480 0.524 0.528 0.530 0.517 0.239 0.361 0.522 0.428
Emo 0.446 0.445 0.601 0.291 0.544 0.542 0.492 0.318 0.019 0.461 0.338 0.273 0.283 0.294 0.288 0.333 0.477 0.291 0.514
Virus 0.730 0.702 0.095 0.561 0.196 0.439 0.196 0.355 0.428 0.373 0.841 0.539 0.561 0.577 0.537 0.337 0.164 0.547 0.520
Birds 0.482 0.062 0.000 0.089 0.000 0.000 0.038 0.026 0.023 0.039 0.041 0.072 0.070 0.377 0.380 0.000 0.000 0.089 0.134
Yeast 0.588 0.562 0.533 0.464 0.582 0.575 0.570 0.422 0.454 0.548 0.461 0.463 0.465 0.563 0.503 0.519 0.551 0.476 0.591
Scene 0.948 0.811 0.611 0.916 0.419 0.533 0.646 0.193 0.538 0.803 0.812 0.913 0.912 0.933 0.933 0.184 0.622 0.876 0.786
Gneg 0.913 0.724 0.682 0.948 0.623 0.632 0.621 0.205 0.678 0.728 0.865 0.947 0.946 0.953 0.953 0.392 0.628 0.950 0.696
CAL500 0.351 0.349 0.348 0.327 0.314 0.305 0.314 0.280 0.305 0.317 0.325 0.330 0.325 0.327 0.322 0.338 0.297 0.327 0.318
Human 0.885 0.588 0.348 0.896 0.358 0.478 0.410 0.095 0.209 0.672 0.467 0.890 0.894 0.904 0.904 0.295 0.234 0.862 0.678
Yelp 0.836 0.631 0.373 0.705 0.552 0.617 0.650 0.388 0.453 0.758 0.616 0.741 0.743 0.770 0.771 0.438 0.510 0.723 0.666
Med 0.539 0.419 0.002 0.199 0.375 0.395 0.525 0.129 0.196 0.135 0.453 0.130 0.121 0.212 0.166 0.231 0.002 0.217 0.667
Eukar 0.912 0.726 0.317 0.903 0.509 0.682 0.617 0.038 0.403 0.786 0.579 0.912 0.911 0.922 0.922 0.260 0.207 0.882 0.790
Slashdot 0.361 0.149 0.000 0.018 0.060 0.108 0.159 0.049 0.007 0.085 0.175 0.007 0.006 0.058 0.077 0.150 0.006 0.045 0.421
HS 0.855 0.846 0.401 0.839 0.726 0.873 0.820 0.324 0.587 0.867 0.614 0.853 0.853 0.892 0.879 0.501 0.562 0.689 -
HC 0.993 0.994 0.966 0.981 0.906 0.963 0.915 0.015 0.994 0.993 0.995 0.987 0.987 0.993 0.993 0.786 0.806 0.909 0.987
Langlog 0.221 0.047 0.000 0.030 0.000 0.000 0.054 0.013 0.006 0.002 0.006 0.018 0.019 0.198 0.199 0.001 0.029 0.033 0.125
Stackex 0.222 0.098 0.001 0.082 0.009 0.018 0.120 0.030 0.014 0.028 0.033 0.097 0.096 0.094 0.100 0.144 0.000 0.103 0.309
Reuters 0.034 0.165 0.000 0.001 0.113 0.129 0.171 0.012 0.047 0.066 0.092 0.000 0.000 0.035 0.027 0.069 0.002 0.000 0.460
Tmc 0.628 0.451 0.294 0.590 0.489 0.489 0.425 0.288 0.389 0.482 0.480 0.600 0.590 0.609 0.619 0.215 0.446 0.580 0.633
Ohsum 0.398 0.042 0.233 0.144 0.286 0.309 0.257 0.142 0.017 0.104 0.004 0.188 0.180 0.283 0.260 0.142 0.294 0.174 0.378
D20ng 0.600 0.090 0.000 0.079 0.329 0.307 0.375 0.124 0.067 0.108 0.066 0.208 0.185 0.367 0.327 0.083 0.259 0.162 0.530
Media 0.633 0.564 0.170 0.528 0.491 0.498 0.492 0.294 0.450 0.553 0.504 0.532 0.531 0.624 0.623 0.426 0.357 0.500 0.548
Corel5k 0.197 0.111 0.012 0.016 0.059 0.114 0.121 0.012 0.108 0.259 0.163 0.013 0.014 0.467 0.467 0.043 0.012 0.014 0.204
Corel16k 0.226 0.165 0.010 0.029 0.054 0.132 0.141 0.016 0.059 0.285 0.099 0.012 0.011 0.510 0.511 0.059 0.082 0.015 0.225
Bibtex 0.310 0.019 0.000 0.159 0.171 0.183 0.190 0.145 0.095 0.120 0.111 0.144 0.145 0.124 0.129 0.067 0.088 0.159 0.289
NWC 0.404 0.258 0.219 0.049 0.125 0.172 0.160 - - 0.162 - 0.041 0.040 0.394 0.403 0.008 0.138 0.050 -
Imdb 0.192 0.141 0.175 0.017 0.029 0.035 0.060 - - 0.023 - 0.039 0.042 0.198 0.196 0.252 0.006 0.027 0.347
NWB 0.431 0.247 0.106 0.060 0.085 0.174 0.177 - - 0.173 - 0.058 0.057 - 0.387 0.006 0.050 0.048 -
YahooS 0.450 0.205 0.367 0.387 0.202 0.257 0.214 - - 0.216 - 0.443 0.430 0.410 0.403 0.401 0.019 0.413 0.483
Eurlex 0.527 0.205 0.091 0.478 0.334 0.348 0.234 - 0.085 0.271 - 0.588 0.572 0.535 0.536 0.090 0.018 0.553 -
"""  # noqa: E501


def table_6() -> pd.DataFrame:
    """Return Table 6 of the MLHAT paper: a row for each stream, a column for each learner; NaN did not finish.

    It is the example F1 of 19 learners on 31 streams. The header of the printed table stands in two rows, to be read
    alternately from the one and the other.

    References
    ----------
    Esteban, Cano, Zafra and Ventura: Hoeffding adaptive trees for multi-label classification on data streams (2024).
    """
    return pd.read_csv(io.StringIO(PRINTED), sep=" ", index_col="Stream", na_values="-").astype(float)
