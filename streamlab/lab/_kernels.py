"""Faded sums, row by row: what they come to does not depend on how a stream is cut."""

from __future__ import annotations

from streamlab.kernels import kernel

__all__ = ["fade_in", "fade_in_pairs"]


@kernel
def fade_in(rows, fading, sums):
    """Let every row fade the sums, float64 [k], and add itself, bool or number [n, k]."""
    for i in range(rows.shape[0]):
        for j in range(sums.shape[0]):
            sums[j] = sums[j] * fading + rows[i, j]


@kernel
def fade_in_pairs(flags, fading, most, passed, pairs):
    """Add each pair of labels that a row carries, the newest row weighing most.

    Only the pairs of a row are touched: instead of all sums fading, a row weighs ``fading ** -passed``, and after
    ``most`` rows all sums are brought back to scale. The faded sum is ``pairs * fading ** (passed - 1)``.

    ``flags`` uint8 [n, L], ``pairs`` float64 [L, L], ``passed`` the rows since they were last in scale. Returns the new
    ``passed``.
    """
    for i in range(flags.shape[0]):
        if passed == most:
            pairs *= fading**most
            passed = 0
        weight = fading ** (-passed)
        for a in range(flags.shape[1]):
            if flags[i, a]:
                for b in range(flags.shape[1]):
                    if flags[i, b]:
                        pairs[a, b] += weight
        passed += 1
    return passed
