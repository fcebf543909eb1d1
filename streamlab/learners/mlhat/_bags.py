"""What the bags of regressions are made with: Poisson draws, and the logistic function of many numbers at once.

Draws are pure functions of (seed, instance, node, bag), so that the chunk size has no effect on them.

The logistic function equals that of one number at a time to the bit. A compiler calls the C library's ``exp`` for one
number after the other, and guesses the sign of each. Here it is the library's own algorithm (Arm's optimized routines,
in glibc since 2.28, with fused multiplications) on -|z|, without a branch, so that eight numbers are taken at a time: a
sixth of the time.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix, unit

# exp(x) = 2^(k/128) exp(r): a table of 2^(k/128) and a polynomial in r, within .51 of the last place
BITS = 7
N_ENTRIES = 1 << BITS
ENTRIES_PER_UNIT = float.fromhex("0x1.71547652b82fep0") * N_ENTRIES
UNIT_HIGH, UNIT_LOW = -float.fromhex("0x1.62e42fefa0000p-8"), -float.fromhex("0x1.cf79abc9e3b39p-47")
# added to a number, it leaves the nearest integer in the lowest bits
ROUNDER = float.fromhex("0x1.8p52")
C2, C3 = float.fromhex("0x1.ffffffffffdbdp-2"), float.fromhex("0x1.555555555543cp-3")
C4, C5 = float.fromhex("0x1.55555cf172b91p-5"), float.fromhex("0x1.1111167a4d017p-7")
# beyond it exp may lie below the normal range, and is 0 below -NOTHING
FARTHEST, NOTHING = 500.0, 746.0
# no draw is larger
MOST = 1000


def _table() -> tuple[np.ndarray, np.ndarray]:
    """Return of each 2^(k/128) the bits, less those that k adds to the exponent, and what rounding left, relative."""
    bits, tails = np.zeros(N_ENTRIES, np.int64), np.zeros(N_ENTRIES)
    with localcontext() as context:
        context.prec = 60
        unit = Decimal(2).ln() / N_ENTRIES
        for k in range(N_ENTRIES):
            exact = (unit * k).exp()
            near = float(exact)
            bits[k] = np.float64(near).view(np.int64) - (k << (52 - BITS))
            tails[k] = float((exact - Decimal(near)) / Decimal(near))
    return bits, tails


HEAD_BITS, TAILS = _table()


@intrinsic
def fused(typingctx, a, b, c):
    """Return a * b + c, rounded once."""
    signature = types.float64(types.float64, types.float64, types.float64)
    return signature, lambda context, builder, signature, arguments: builder.fma(*arguments)


@intrinsic
def float_of(typingctx, bits):
    """Return the float64 of these bits (int64)."""
    signature = types.float64(types.int64)
    return signature, lambda context, builder, signature, arguments: builder.bitcast(arguments[0], ir.DoubleType())


@intrinsic
def bits_of(typingctx, value):
    """Return the bits (int64) of a float64."""
    signature = types.int64(types.float64)
    return signature, lambda context, builder, signature, arguments: builder.bitcast(arguments[0], ir.IntType(64))


@intrinsic
def count_of_bits(typingctx, word):
    """Return how many bits of a word (uint64) are 1."""
    return types.uint64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def lowest_bit(typingctx, word):
    """Return the place of the lowest bit of a word (uint64, not 0) that is 1."""

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


@kernel(inner=True)
def sigmoid(z):
    """Return 1 / (1 + exp(-z)), without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


@kernel(inner=True, error_model="numpy")
def sigmoids(z, n, out):
    """Fill the first ``n`` entries of ``out`` with ``sigmoid`` of those of ``z``."""
    far = False
    for j in range(n):
        x = -abs(z[j])
        far |= x < -FARTHEST
        rounded = fused(ENTRIES_PER_UNIT, x, ROUNDER)
        k = bits_of(rounded)
        rounded -= ROUNDER
        r = fused(rounded, UNIT_LOW, fused(rounded, UNIT_HIGH, x))
        # without a sign: numba would ask whether an index counts from the end
        place = np.uint64(k) & np.uint64(N_ENTRIES - 1)
        head = float_of(HEAD_BITS[place] + (k << (52 - BITS)))
        square = r * r
        rest = fused(square, fused(r, C3, C2), TAILS[place] + r)
        e = fused(head, fused(square * square, fused(r, C5, C4), rest), head)
        out[j] = (1.0 if z[j] >= 0.0 else e) / (1.0 + e)
    if not far:
        return
    # of rows that were never scaled most are so far that the result is 0 or 1
    between = False
    for j in range(n):
        out[j] = (1.0 if z[j] > 0.0 else 0.0) if abs(z[j]) > FARTHEST else out[j]
        between |= (z[j] < -FARTHEST) & (z[j] > -NOTHING)
    if between:
        for j in range(n):
            if -NOTHING < z[j] < -FARTHEST:
                out[j] = sigmoid(z[j])


# ---------------------------------------------------------------------- Poisson draws


def _shares() -> np.ndarray:
    """Return the probabilities that a Poisson(1) variate is at most 0, 1, …, summed up as ``poisson`` does."""
    share = math.exp(-1.0)
    sums = [share]
    for k in range(1, 20):
        share *= 1.0 / k
        sums.append(sums[-1] + share)
    return np.array(sums)


AT_MOST = _shares()
LAST = AT_MOST[-1]


@kernel(inner=True)
def poisson(z, rate):
    """Return the Poisson variate of mean ``rate`` for the upper 53 bits of ``z`` (uint64), by inversion."""
    u = unit(z)
    share = math.exp(-rate)
    below = share
    k = 0
    while u >= below and k < MOST:
        k += 1
        share *= rate / k
        below += share
    return k


@kernel(inner=True)
def instance_weight(seed, instance, rate):
    """Return how often online bootstrapping learns instance number ``instance``: a Poisson draw of mean ``rate``."""
    z = mix(np.uint64(seed) + GOLDEN)
    return poisson(mix(z + np.uint64(instance + 1) * GOLDEN), rate)


@kernel(inner=True)
def bag_weights(seed, instance, node_id, out):
    """Fill ``out`` (int64 [bags]) with the Poisson(1) draws of the bags of a leaf for an instance."""
    z = mix(np.uint64(seed) + GOLDEN)
    z = mix(z + np.uint64(instance + 1) * GOLDEN)
    z = mix(z + np.uint64(node_id + 1) * GOLDEN)
    for m in range(out.shape[0]):
        drawn = mix(z + np.uint64(m + 1) * GOLDEN)
        u = unit(drawn)
        if u >= LAST:
            out[m] = poisson(drawn, 1.0)
            continue
        k = 0
        for j in range(AT_MOST.shape[0]):
            k += np.int64(u >= AT_MOST[j])
        out[m] = k
