"""Random numbers of rows: one stream of them for each key, alike from run to run."""

from __future__ import annotations

import numpy as np

from streamlab.streams.draws import key_base, uniform


def test_wrappers_of_one_seed_draw_apart():
    rows = np.arange(50_000)
    keys = [key_base(kind) for kind in ("label swap", "feature swap", "feature noise", "new label", "label vanishing")]
    draws = np.array([uniform(0, key, rows) for key in [0, *keys]])
    assert (abs(np.corrcoef(draws) - np.eye(6)) < 0.02).all()
