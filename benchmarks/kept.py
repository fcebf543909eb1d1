"""What the studies of the docs measured, kept in the repository: a Parquet file for each, a row for each cell."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from benchmarks.harness import ROOT

__all__ = [
    "AFTER_DRIFT", "DELAYS", "DRIFT", "NEVER_BELOW", "REFERENCES", "STUDY", "cells_of", "keep", "machine", "read",
    "versions",
]  # fmt: skip

NAMES = ("study", "drift", "after_drift", "references", "never_below", "delays")
STUDY, DRIFT, AFTER_DRIFT, REFERENCES, NEVER_BELOW, DELAYS = (
    ROOT / "docs" / "studies" / f"{name}.parquet" for name in NAMES
)
KEYS = {
    STUDY: ["part", "learner", "stream", "seed"], DRIFT: ["learner", "stream", "seed"],
    AFTER_DRIFT: ["learner", "stream"], REFERENCES: ["stream", "order"], NEVER_BELOW: ["stream", "order", "draw"],
    DELAYS: ["stream", "learner", "delay"],
}  # fmt: skip
"""What a row is known by."""
PACKAGES = ("streamlab", "numpy", "numba", "river")


def machine() -> str:
    """The processor and how many of it; no name of the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} x {names[0] if names else platform.processor() or platform.machine()}"


def versions() -> str:
    """The versions of Python and of the packages that have a part in the figures."""
    return ", ".join([f"python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)])


def cells_of(study, part: str) -> pd.DataFrame:
    """Return a part's cells that have ended, as they are kept."""
    found = study.results().drop(columns=["message", "ended", "key"])
    about = [study.store.about(key) for key in study.results().key]
    answers = [",".join(str(number) for number in each["answers"].values()) for each in about]
    made = {"versions": versions(), "machine": machine(), "ended": [each["ended"][:10] for each in about]}
    return found.assign(part=part, answers=answers, **made)


def read(path: Path) -> pd.DataFrame:
    """Return what is kept in a file, the rows in the order in which they were kept."""
    return pd.read_parquet(path) if path.exists() else pd.DataFrame(columns=KEYS[path])


def keep(found: pd.DataFrame, path: Path) -> None:
    """Keep rows, in place of those of the same cells."""
    kept = read(path)
    rows = pd.concat([kept, found], ignore_index=True) if len(kept) else found
    rows = rows.drop_duplicates(KEYS[path], keep="last", ignore_index=True)
    path.parent.mkdir(exist_ok=True)
    rows.to_parquet(path, index=False, compression="zstd")
