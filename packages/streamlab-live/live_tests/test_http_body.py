"""The body of a request: what is counted as it comes, whatever its parts; and what it costs to refuse."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamlab_live import http_source
from streamlab_live.http_source import MOST_CELLS, MOST_DEPTH, MOST_ROWS, Body

PART = 65_536


def body_of(raw, size=PART):
    body = Body()
    for at in range(0, len(raw), size):
        body.add(raw[at : at + size])
    return body


ROWS = st.lists(
    st.dictionaries(st.text(max_size=6), st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=4)),
    min_size=1,
)


@given(rows=ROWS, size=st.integers(1, 40), indent=st.sampled_from([None, 1]), ascii=st.booleans())
def test_a_list_is_counted_the_same_in_whatever_parts_it_comes(rows, size, indent, ascii):
    raw = json.dumps(rows, indent=indent, ensure_ascii=ascii).encode()
    body = body_of(raw, size)
    assert [json.loads(each) for each in body.rows(10**6)] == rows
    assert body._n_rows == len(rows)
    assert body._depth == 0
    assert not body._in_text


@given(rows=ROWS, size=st.integers(1, 40))
def test_limits_are_kept_exactly(rows, size):
    raw = json.dumps(rows).encode()
    widest = max(sum(max(1, len(v)) if isinstance(v, list) else 1 for v in row.values()) for row in rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_source, "MOST_ROWS", len(rows))
        patch.setattr(http_source, "MOST_CELLS", max(1, widest))
        body_of(raw, size)
        patch.setattr(http_source, "MOST_ROWS", len(rows) - 1)
        if len(rows) > 1:
            with pytest.raises(ValueError, match="rows"):
                body_of(raw, size)
        patch.setattr(http_source, "MOST_ROWS", len(rows))
        patch.setattr(http_source, "MOST_CELLS", widest - 1)
        if widest > 1:
            with pytest.raises(ValueError, match="cells"):
                body_of(raw, size)


HOSTILE = {
    "rows": (b"[" + b"{}," * 2_700_000 + b"{}]", "rows"),
    "numbers": (b"[" + b"1," * 4_000_000 + b"1]", "rows"),
    "texts": (b"[" + b'"",' * 2_700_000 + b"1]", "rows"),
    "depth": (b"[" * 8_000_000, "within"),
    "deep rows": (b'[{"a":' + b'[{"a":' * 30 + b"1", "within"),
    "cells": (b"[{" + b'"a":1,' * 1_300_000 + b'"a":1}]', "cells"),
    "cells of a line": (b"{" + b'"a":1,' * 1_300_000 + b'"a":1}', "cells"),
    "lists": (b'[{"a":[' + b"[]," * 2_700_000 + b"[]]}]", "cells"),
    "lines": (b"{}\n" * 2_700_000, "rows"),
    "empty lines": (b"{}" + b"\n" * 8_000_000 + b"{", "JSON|rows"),
    "blanks": (b" " * 8_000_000, "no rows"),
    "backslashes": (b'["' + b"\\" * 8_000_000, "JSON"),
    "no end": (b'["' + b"a" * 8_000_000, "JSON"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_refused_cheaply(name):
    raw, why = HOSTILE[name]
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=why):
            body_of(raw).rows(1 << 20)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 48 << 20
    begun = time.process_time()
    with pytest.raises(ValueError, match=why):
        body_of(raw).rows(1 << 20)
    assert time.process_time() - begun < 1.0


def test_what_is_just_within_the_limits_is_taken():
    rows = body_of(b"[" + b",".join([b'{"a": "\\"[[[,,"}'] * MOST_ROWS) + b"]").rows(100)
    assert len(rows) == MOST_ROWS
    (row,) = body_of(b"[{" + b'"a":1,' * (MOST_CELLS - 1) + b'"a":1}]').rows(1 << 20)
    assert row.count(b",") == MOST_CELLS - 1
    assert body_of(b"[" * MOST_DEPTH + b"]" * MOST_DEPTH).rows(100) == [
        b"[" * (MOST_DEPTH - 1) + b"]" * (MOST_DEPTH - 1)
    ]
