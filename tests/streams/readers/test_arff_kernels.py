"""The kernels under the ARFF reader, each against plain Python."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.streams.readers._arff_kernels import (
    LOWEST_POWER,
    multiply,
    parse_number,
    powers_of_five,
    scaled,
    skip_rows,
)

POWERS = powers_of_five()
U64 = st.integers(0, 2**64 - 1)


def parsed(text: str):
    return parse_number(np.frombuffer((text + ",").encode(), np.uint8), 0, *POWERS)


@settings(max_examples=300, deadline=None)
@given(a=U64, b=U64)
def test_product_of_128_bits(a, b):
    high, low = multiply(np.uint64(a), np.uint64(b))
    assert (int(high) << 64) + int(low) == a * b


@pytest.mark.parametrize("q", [-342, -300, -28, -27, -1, 0, 1, 27, 28, 55, 56, 308])
def test_table_holds_the_leading_bits(q):
    entry = (int(POWERS.high[q - LOWEST_POWER]) << 64) + int(POWERS.low[q - LOWEST_POWER])
    assert 2**127 <= entry < 2**128
    exact = Fraction(5) ** q
    scale = Fraction(2) ** (math.floor(math.log2(exact)) - 127)
    assert abs(Fraction(entry) * scale / exact - 1) < Fraction(1, 2**126)


@settings(max_examples=500, deadline=None)
@given(w=st.integers(1, 2**64 - 1), q=st.integers(-342, 308))
def test_scaling_rounds_as_float_does(w, q):
    value, sure = scaled(np.uint64(w), q, POWERS.high, POWERS.low)
    if sure:
        assert value == float(f"{w}e{q}")


@settings(max_examples=500, deadline=None)
@given(bits=U64, form=st.sampled_from(["{!r}", "{:.16e}", "{:.17g}", "{:.6g}"]))
def test_numbers_of_any_magnitude(bits, form):
    value = struct.unpack("d", struct.pack("Q", bits))[0]
    if not math.isfinite(value):
        return
    text = form.format(value)
    got, at, good = parsed(text)
    if good:
        assert struct.pack("d", got) == struct.pack("d", float(text))
        assert at == len(text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        *(
            (text, True)
            for text in ("1", "-0", "+1.", ".5", "1e5", "1e-5", "9007199254740993", "1.7976931348623157e308")
        ),
        *((text, False) for text in ("", ".", "-", "e5", "1e", "1e+", "x", "nan", "inf", "1" * 20, "1e400", "5e-324")),
    ],
)
def test_what_is_accepted(text, good):
    value, _, accepted = parsed(text)
    assert accepted == good
    if good:
        assert math.copysign(1, value) == math.copysign(1, float(text))
        assert value == float(text)


def test_skipping_counts_rows_not_lines():
    text = np.frombuffer(b"1\n\n % c\n2\n \t\r\n3\n", np.uint8)
    where = np.zeros(3, np.int64)
    assert skip_rows(text, 0, 2, where) == 2
    assert where[:2].tolist() == [10, 4]
    assert skip_rows(text, 10, 9, where) == 1
    assert where[:2].tolist() == [len(text), 2]
