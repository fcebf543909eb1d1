"""``python -m tests.fuzz NAME [OPTIONS]`` runs a trial at its full size; without a name it lists them."""

from __future__ import annotations

import sys

from benchmarks.harness import Command

NAMES = ("fuzz",)
TRIALS = Command(
    "tests.fuzz",
    {name: (name,) for name in NAMES},
)

if __name__ == "__main__":
    sys.exit(TRIALS(sys.argv[1:]))
