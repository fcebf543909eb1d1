"""A small service over a file that grows."""

from __future__ import annotations

import random

HEAD = "heat,load,alarm,late\n"
DEFINITION = """
stream = "tail:rows.csv?labels=alarm,late&columns=heat,load,alarm,late"
chunk = 20
[learners]
SMART = { half_life = 100, n_trees = 3 }
"no-change" = { use = "NoChange" }
[snapshots]
every_seconds = 0.2
keep = 2
"""


def lines(n: int, seed: int = 1) -> str:
    draw = random.Random(seed)
    pairs = ((draw.random(), draw.random()) for _ in range(n))
    return "".join(f"{a:.4f},{b:.4f},{int(a > 0.6)},{int(a + b > 1)}\n" for a, b in pairs)
