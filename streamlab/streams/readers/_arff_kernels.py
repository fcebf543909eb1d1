"""Kernels that read rows of ARFF out of bytes; anything unusual is left to the careful reader in ``arff``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamlab.kernels import kernel

__all__ = ["Columns", "Powers", "parse_number", "parse_rows", "powers_of_five", "skip_rows"]

END, FULL, UNUSUAL = 0, 1, 2
LEFT_OUT = -(1 << 40)

TAB, NEWLINE, RETURN, SPACE, PERCENT, COMMA = 9, 10, 13, 32, 37, 44
DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH, QUESTION = 34, 39, 92, 63
PLUS, MINUS, POINT, ZERO, NINE = 43, 45, 46, 48, 57
BIG_E, SMALL_E, OPEN, CLOSE = 69, 101, 123, 125

LOWEST_POWER = -342
HIGHEST_POWER = 308


class Columns(NamedTuple):
    """The attributes of a file, as arrays; A attributes, E categories in all.

    Attributes
    ----------
    nominal
        Array of shape (A,), bool.
    target
        Array of shape (A,), int64: the column of X, or ``-1 - column`` of Y, or ``LEFT_OUT``.
    first
        Array of shape (A + 1,), int64: where each attribute's categories begin, sorted by their bytes.
    offset
        Array of shape (E + 1,), int64: where each category's bytes begin in ``text``.
    text
        Array of uint8: the bytes of all categories.
    value
        Array of shape (E,), float64: what a category stands for in X or Y.
    digit
        Array of shape (A, 10), float64: what a cell of one digit stands for, or -1. Most cells of sparse data are.
    default
        Array of shape (n_labels,), uint8: what a sparse row leaves out.
    """

    nominal: np.ndarray
    target: np.ndarray
    first: np.ndarray
    offset: np.ndarray
    text: np.ndarray
    value: np.ndarray
    digit: np.ndarray
    default: np.ndarray


class Powers(NamedTuple):
    """Five to the powers -342…308, each as the 128 leading bits: ``high`` and ``low``, uint64; ``ten`` is exact."""

    high: np.ndarray
    low: np.ndarray
    ten: np.ndarray


def powers_of_five() -> Powers:
    """Return the table of Lemire, "Number Parsing at a Gigabyte per Second" (2021), section 5."""
    high, low = [], []
    for q in range(LOWEST_POWER, HIGHEST_POWER + 1):
        if q < 0:
            power = 5**-q
            bits = (power - 1).bit_length()
            shift = bits + 127 if q >= -27 else 2 * bits + 128
            entry = (1 << shift) // power + 1
        else:
            entry = 5**q
            entry <<= max(0, 128 - entry.bit_length())
        entry >>= max(0, entry.bit_length() - 128)
        high.append(entry >> 64)
        low.append(entry & 0xFFFFFFFFFFFFFFFF)
    ten = np.array([float(10**q) for q in range(23)])
    return Powers(np.array(high, np.uint64), np.array(low, np.uint64), ten)


@kernel
def multiply(a, b):
    """Return the 128 bits of a product of two uint64 as (high, low); no step overflows, in plain Python either."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a1, a0, b1, b0 = a >> half, a & mask, b >> half, b & mask
    low = a0 * b0
    middle = a1 * b0 + (low >> half)
    other = a0 * b1 + (middle & mask)
    return a1 * b1 + (middle >> half) + (other >> half), ((other & mask) << half) | (low & mask)


@kernel
def scaled(w, q, high, low):
    """``w * 10**q`` rounded to the nearest double, and whether that is certain.

    ``w`` is a uint64 above 0 and ``q`` within the table. Subnormal and infinite results are declined. Eisel and
    Lemire's algorithm: Lemire, "Number Parsing at a Gigabyte per Second" (2021), Algorithm 1.
    """
    one = np.uint64(1)
    zeros = 0
    while w >> np.uint64(63) == 0:
        w = w << one
        zeros += 1
    upper, lower = multiply(w, high[q - LOWEST_POWER])
    if upper & np.uint64(0x1FF) == np.uint64(0x1FF):
        more, _ = multiply(w, low[q - LOWEST_POWER])
        room = np.uint64(0xFFFFFFFFFFFFFFFF) - lower
        if more > room:
            lower = more - room - one
            upper = upper + one
        else:
            lower = lower + more
    if lower == np.uint64(0xFFFFFFFFFFFFFFFF) and (q < -27 or q > 55):
        return 0.0, False
    top = np.int64(upper >> np.uint64(63))
    shift = np.uint64(top + 9)
    mantissa = upper >> shift
    exponent = (((152170 + 65536) * q) >> 16) + 63 + top - zeros + 1023
    if exponent <= 0:
        return 0.0, False
    # Exactly between two doubles: round to even instead of up.
    if lower <= one and -4 <= q <= 23 and mantissa & np.uint64(3) == one and (mantissa << shift) == upper:
        mantissa = mantissa - one
    mantissa = (mantissa + (mantissa & one)) >> one
    if mantissa >> np.uint64(53) != 0:
        mantissa = mantissa >> one
        exponent += 1
    if exponent >= 2047:
        return 0.0, False
    return np.ldexp(np.float64(mantissa), exponent - 1075), True


@kernel
def parse_number(text, at, high, low, ten):
    """Read a decimal number that begins at ``at``: (value, position after it, whether it is exactly Python's float).

    Declines (False) what is not a plain decimal, has more than 19 significant digits, or is out of the doubles' normal
    range. ``text`` must end in a byte that no number contains.
    """
    negative = False
    if text[at] == MINUS:
        negative = True
        at += 1
    elif text[at] == PLUS:
        at += 1
    mantissa = np.uint64(0)
    base = np.uint64(10)
    significant, digits, exponent = 0, 0, 0
    while ZERO <= text[at] <= NINE:
        digit = np.uint64(text[at] - ZERO)
        digits += 1
        if significant > 0 or digit != 0:
            significant += 1
            if significant > 19:
                return 0.0, at, False
            mantissa = mantissa * base + digit
        at += 1
    if text[at] == POINT:
        at += 1
        while ZERO <= text[at] <= NINE:
            digit = np.uint64(text[at] - ZERO)
            digits += 1
            exponent -= 1
            if significant > 0 or digit != 0:
                significant += 1
                if significant > 19:
                    return 0.0, at, False
                mantissa = mantissa * base + digit
            at += 1
    if digits == 0:
        return 0.0, at, False
    if text[at] == SMALL_E or text[at] == BIG_E:
        at += 1
        down = text[at] == MINUS
        if down or text[at] == PLUS:
            at += 1
        if not ZERO <= text[at] <= NINE:
            return 0.0, at, False
        written = 0
        while ZERO <= text[at] <= NINE:
            written = min(written * 10 + (np.int64(text[at]) - ZERO), 100000)
            at += 1
        exponent += -written if down else written
    if mantissa == 0:
        value = 0.0
    elif mantissa < np.uint64(1 << 53) and -22 <= exponent <= 22:
        # Both factors are exact doubles, so one rounding is all there is.
        value = np.float64(mantissa)
        if exponent < 0:
            value /= ten[-exponent]
        else:
            value *= ten[exponent]
    elif exponent < LOWEST_POWER or exponent > HIGHEST_POWER:
        return 0.0, at, False
    else:
        value, sure = scaled(mantissa, exponent, high, low)
        if not sure:
            return 0.0, at, False
    return -value if negative else value, at, True


@kernel
def category_value(text, begin, end, attribute, first, offset, names, meaning):
    """Return the meaning of the category in ``text[begin:end]``, or -1 if the attribute has no such category."""
    low, high = first[attribute], first[attribute + 1]
    while low < high:
        middle = (low + high) // 2
        start, stop = offset[middle], offset[middle + 1]
        order = 0
        i = 0
        while order == 0 and begin + i < end and start + i < stop:
            order = np.int64(text[begin + i]) - np.int64(names[start + i])
            i += 1
        if order == 0:
            order = (end - begin) - (stop - start)
        if order == 0:
            return meaning[middle]
        if order < 0:
            high = middle
        else:
            low = middle + 1
    return -1.0


@kernel
def parse_value(text, at, attribute, nominal, target, first, offset, names, meaning, high, low, ten, X, Y, row):
    """Read one cell into its place: (position after it and the blanks behind it, whether that went well)."""
    column = target[attribute]
    begin = at
    if column == LEFT_OUT:
        quote = text[at]
        if quote in (SINGLE_QUOTE, DOUBLE_QUOTE):
            at += 1
            while text[at] != quote:
                if text[at] == NEWLINE:
                    return at, False
                at += 2 if text[at] == BACKSLASH and text[at + 1] != NEWLINE else 1
            at += 1
        else:
            while text[at] != COMMA and text[at] != CLOSE and text[at] != NEWLINE and text[at] != PERCENT:
                at += 1
    elif text[at] == QUESTION:
        at += 1
        if column < 0:
            return at, False
        X[row, column] = np.nan
    else:
        if nominal[attribute]:
            quote = text[at]
            if quote in (SINGLE_QUOTE, DOUBLE_QUOTE):
                at += 1
                begin = at
                while text[at] != quote:
                    if text[at] == BACKSLASH or text[at] == NEWLINE:
                        return at, False
                    at += 1
                end = at
                at += 1
            else:
                while (
                    text[at] > SPACE
                    and text[at] != COMMA
                    and text[at] != CLOSE
                    and text[at] != BACKSLASH
                    and text[at] != SINGLE_QUOTE
                    and text[at] != DOUBLE_QUOTE
                ):
                    at += 1
                end = at
            value = category_value(text, begin, end, attribute, first, offset, names, meaning)
            if value < 0:
                return at, False
        else:
            value, at, good = parse_number(text, at, high, low, ten)
            if not good:
                return at, False
        if column >= 0:
            X[row, column] = value
        elif value == 0.0:
            Y[row, -1 - column] = 0
        elif value == 1.0:
            Y[row, -1 - column] = 1
        else:
            return at, False
    while text[at] == SPACE or text[at] == TAB or text[at] == RETURN:
        at += 1
    return at, True


@kernel
def parse_rows(text, at, columns, powers, X, Y, row, where):
    """Read rows from ``text[at:]`` into ``X[row:]`` and ``Y[row:]`` until the text or the room ends; return the row.

    ``X`` must hold zeros where it is to be filled, and ``text`` must end in a newline. ``where`` receives the
    position reached (at the beginning of a line), the lines passed, and why it stopped: END, FULL or UNUSUAL, when
    the line there must be read carefully. Such a row may already be partly written.
    """
    nominal, target, first, offset, names, meaning, digit, default = columns
    high, low, ten = powers
    n_attributes = len(nominal)
    n_labels = Y.shape[1]
    stop = len(text)
    lines = 0
    status = END
    while at < stop:
        line = at
        while text[at] == SPACE or text[at] == TAB or text[at] == RETURN:
            at += 1
        if text[at] == NEWLINE:
            at += 1
            lines += 1
            continue
        if text[at] == PERCENT:
            while text[at] != NEWLINE:
                at += 1
            continue
        if row == len(X):
            at = line
            status = FULL
            break
        sparse = text[at] == OPEN
        if sparse:
            for label in range(n_labels):
                Y[row, label] = default[label]
            at += 1
            while text[at] == SPACE or text[at] == TAB:
                at += 1
        good = True
        attribute = -1
        more = not (sparse and text[at] == CLOSE)
        while good and more:
            while text[at] == SPACE or text[at] == TAB:
                at += 1
            if sparse:
                index = 0
                begin = at
                while ZERO <= text[at] <= NINE and at < begin + 10:
                    index = index * 10 + (np.int64(text[at]) - ZERO)
                    at += 1
                good = at > begin and attribute < index < n_attributes and (text[at] == SPACE or text[at] == TAB)
                if not good:
                    break
                attribute = index
                while text[at] == SPACE or text[at] == TAB:
                    at += 1
            else:
                attribute += 1

            # The two commonest cells stand here in full: a call for each cell takes five times as long.
            value = -1.0
            known = False
            begin = at
            if ZERO <= text[at] <= NINE and not (ZERO <= text[at + 1] <= NINE) and text[at + 1] != POINT:
                value = digit[attribute, text[at] - ZERO]
                known = value >= 0
                at += 1
            elif not nominal[attribute]:
                negative = text[at] == MINUS
                if negative:
                    at += 1
                mantissa = 0
                before = at
                while ZERO <= text[at] <= NINE and at - before < 16:
                    mantissa = mantissa * 10 + (np.int64(text[at]) - ZERO)
                    at += 1
                digits = at - before
                places = 0
                if text[at] == POINT:
                    at += 1
                    before = at
                    while ZERO <= text[at] <= NINE and digits + at - before < 16:
                        mantissa = mantissa * 10 + (np.int64(text[at]) - ZERO)
                        at += 1
                    places = at - before
                    digits += places
                # Up to 15 digits and a power of ten up to 15 are exact doubles, so the one division is rightly rounded.
                known = 0 < digits <= 15
                if known:
                    value = np.float64(mantissa) / ten[places]
                    if negative:
                        value = -value
            known = known and (text[at] == COMMA or text[at] == NEWLINE or text[at] == CLOSE)
            column = target[attribute]
            if known and column >= 0:
                X[row, column] = value
            elif known and column > LEFT_OUT and (value == 0.0 or value == 1.0):
                Y[row, -1 - column] = np.uint8(value)
            else:
                at, good = parse_value(
                    text, begin, attribute, nominal, target, first, offset, names, meaning, high, low, ten, X, Y, row
                )

            if sparse:
                more = text[at] == COMMA
                good = good and (more or text[at] == CLOSE)
            else:
                more = attribute < n_attributes - 1
                blank = text[at - 1] == SPACE or text[at - 1] == TAB
                good = good and (text[at] == COMMA or blank or not more)
            if text[at] == COMMA and (more or not sparse):
                # behind the last cell as MOA writes it
                at += 1
        if sparse and good:
            at += 1
        if good:
            while text[at] == SPACE or text[at] == TAB or text[at] == RETURN:
                at += 1
            good = text[at] == NEWLINE
        if not good:
            at = line
            status = UNUSUAL
            break
        at += 1
        lines += 1
        row += 1
    where[0] = at
    where[1] = lines
    where[2] = status
    return row


@kernel
def skip_rows(text, at, n_rows, where):
    """Pass over up to ``n_rows`` rows without reading them; return how many were passed, ``where`` as above."""
    stop = len(text)
    lines = 0
    passed = 0
    while at < stop and passed < n_rows:
        while text[at] == SPACE or text[at] == TAB or text[at] == RETURN:
            at += 1
        if text[at] != NEWLINE and text[at] != PERCENT:
            passed += 1
        while text[at] != NEWLINE:
            at += 1
        at += 1
        lines += 1
    where[0] = at
    where[1] = lines
    where[2] = END
    return passed
