"""Make ``streamlab/data/benchmark_files.csv`` again: names, checksums and sizes of the files that can be fetched.

Reads a clone of https://github.com/mrapp-ke/Boomer-Datasets without the large files themselves, whose pointers hold
checksum and size::

    GIT_LFS_SKIP_SMUDGE=1 git clone --depth 1 https://github.com/mrapp-ke/Boomer-Datasets.git clone
    python data/make_benchmark_files.py clone

The table keeps its choice of files: those that it lists are looked up, those that are gone are named in an error.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from pathlib import Path

TABLE = Path(__file__).parents[1] / "streamlab" / "data" / "benchmark_files.csv"
COLUMNS = ("file", "sha256", "bytes", "kind")
POINTER = re.compile(rb"version https://git-lfs\S*\noid sha256:([0-9a-f]{64})\nsize (\d+)\n")


def described(path: Path) -> tuple[str, int, str]:
    """Return the SHA-256 of a file, its size in bytes, and how it is served: ``"lfs"`` or ``"plain"``."""
    content = path.read_bytes()
    pointer = POINTER.match(content)
    if pointer is not None:
        return pointer[1].decode(), int(pointer[2]), "lfs"
    return hashlib.sha256(content).hexdigest(), len(content), "plain"


def make(clone: Path, table: Path = TABLE) -> None:
    """Look up every file of the table in the clone and write the table again.

    Raises
    ------
    ValueError
        If the clone lacks one of the files; nothing is written then.
    """
    with table.open(encoding="utf-8", newline="") as file:
        names = [row["file"] for row in csv.DictReader(file)]
    missing = [name for name in names if not (clone / name).is_file()]
    if missing:
        raise ValueError(f"{clone}: expected {', '.join(missing)}, which the table lists")
    rows = [(name, *described(clone / name)) for name in names]
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} CLONE")
    make(Path(sys.argv[1]))
