"""A small service over a file that grows."""

from __future__ import annotations

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
