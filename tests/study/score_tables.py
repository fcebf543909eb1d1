"""Tables of scores that hypothesis makes."""

from __future__ import annotations

import pandas as pd
from hypothesis import strategies as st

__all__ = ["tables"]


@st.composite
def tables(draw, *, unfinished: bool = True, streams: tuple[int, int] = (2, 8), learners: tuple[int, int] = (2, 6)):
    """A wide table: few different scores, so that there are ties; in each stream somebody finished."""
    n, k = draw(st.integers(*streams)), draw(st.integers(*learners))
    score = st.integers(0, 6).map(lambda i: i / 6)
    cell = st.one_of(score, score, score, st.none()) if unfinished else score
    rows = [
        draw(st.lists(cell, min_size=k, max_size=k).filter(lambda row: any(each is not None for each in row)))
        for _ in range(n)
    ]
    names = [f"L{j}" for j in range(k)]
    return pd.DataFrame(rows, index=[f"s{i}" for i in range(n)], columns=names, dtype=float)
