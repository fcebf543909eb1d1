"""Counting in compiled loops: what each instance contributes, and adding it to running counts."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

# Columns of an instance's terms, in the order of `streamlab.measures.counts.TERMS`.
_N, _SCORED, _EXACT, _WRONG = 0, 1, 2, 3
_PRECISION, _NO_PRECISION, _RECALL, _NO_RECALL, _F1, _NO_F1 = 4, 5, 6, 7, 8, 9
_RANKING_LOSS, _AVERAGE_PRECISION, _RANKED = 10, 11, 12
N_TERMS = 13

# Up to about this many relevant labels, comparing each with every score beats bisection (measured: 1,000 to 4,000
# labels), whose comparisons cannot be guessed.
_MOST_PAIRS = 256

# Faded counts below this are zero: subnormal numbers, slow on some processors, must not linger in the loop.
_TINY = 1e-290


@kernel
def order_by_pairs(scores, relevant):
    """Compare each relevant label's score with every score of the instance.

    ``scores`` float64 [L] without NaN, ``relevant`` float64 [k] the scores of the relevant labels. Changes nothing.
    Returns the number of (relevant, irrelevant) pairs with f_relevant <= f_irrelevant, and the sum over the relevant
    labels of (relevant labels at or above it) / (labels at or above it). Cost: O(k L).
    """
    pairs = 0
    precision = 0.0
    for r in range(relevant.shape[0]):
        score = relevant[r]
        above = 0
        for label in range(scores.shape[0]):
            above += scores[label] >= score
        hits = 0
        for q in range(relevant.shape[0]):
            hits += relevant[q] >= score
        pairs += above - hits
        precision += hits / above
    return pairs, precision


@kernel
def order_by_search(truth, scores, relevant, beaten):
    """The same as ``order_by_pairs`` for many relevant labels: each irrelevant one is placed among them by bisection.

    ``truth`` uint8 [L] tells the irrelevant labels. Sorts ``relevant`` [k] in place and overwrites ``beaten``
    int64 [k + 1] or longer, scratch. Cost: O(L log k).
    """
    k = relevant.shape[0]
    # Shell's sort, with the gaps of Gonnet and Baeza-Yates: numba's takes a second to compile
    gap = k // 2
    while gap > 0:
        for i in range(gap, k):
            score, j = relevant[i], i
            while j >= gap and relevant[j - gap] > score:
                relevant[j] = relevant[j - gap]
                j -= gap
            relevant[j] = score
        gap = 1 if gap == 2 else gap * 5 // 11
    for place in range(k + 1):
        beaten[place] = 0
    pairs = 0
    for label in range(scores.shape[0]):
        if truth[label] == 0:
            low = 0
            rest = k
            while rest > 0:  # without branches: the outcome of a comparison cannot be guessed
                half = (rest + 1) // 2
                low += half * (relevant[low + half - 1] <= scores[label])
                rest -= half
            pairs += low
            beaten[low] += 1  # this irrelevant label is at or above the `low` lowest relevant ones
    precision = 0.0
    irrelevant_above = 0
    last = k
    while last > 0:
        first = last - 1
        while first > 0 and relevant[first - 1] == relevant[last - 1]:
            first -= 1
        for place in range(first + 1, last + 1):
            irrelevant_above += beaten[place]
        hits = k - first
        precision += (last - first) * (hits / (hits + irrelevant_above))
        last = first
    return pairs, precision


@kernel(arrays=True)
def instance_terms(Y, Z, scores, low, high, terms):
    """Write what each instance contributes to every measure, checking the values on the way.

    ``Y``, ``Z`` uint8 [n, L]; ``scores`` float64 [n, L], or [0, 0] where there are none; overwrites ``terms``
    float64 [n, N_TERMS] and nothing else. Returns -1, or for the first bad row ``3 * row + kind``: kind 0 a value in
    ``Y`` other than 0 and 1, 1 the same in ``Z``, 2 a score that is NaN or outside ``low`` to ``high``.
    Cost: O(L |Y|) an instance of up to 256 relevant labels, else O(L log |Y|).
    """
    n, n_labels = Y.shape
    scored = scores.shape[0] == n and scores.shape[1] == n_labels
    relevant = np.empty(n_labels)
    beaten = np.empty(n_labels + 1, dtype=np.int64)
    for i in range(n):
        n_true = 0
        n_predicted = 0
        n_hits = 0
        true_bits = 0
        predicted_bits = 0
        for label in range(n_labels):
            y = np.int64(Y[i, label])
            z = np.int64(Z[i, label])
            n_true += y
            n_predicted += z
            n_hits += y & z
            true_bits |= y
            predicted_bits |= z
        if true_bits > 1:
            return 3 * i
        if predicted_bits > 1:
            return 3 * i + 1
        row = terms[i]
        row[:] = 0.0
        wrong = n_true + n_predicted - 2 * n_hits
        row[_N] = 1.0
        row[_EXACT] = wrong == 0
        row[_WRONG] = wrong
        if n_predicted > 0:
            row[_PRECISION] = n_hits / n_predicted
        else:
            row[_NO_PRECISION] = 1.0
        if n_true > 0:
            row[_RECALL] = n_hits / n_true
        else:
            row[_NO_RECALL] = 1.0
        if n_true + n_predicted > 0:
            row[_F1] = 2.0 * n_hits / (n_true + n_predicted)
        else:
            row[_NO_F1] = 1.0
        if not scored:
            continue
        inside = 0
        for label in range(n_labels):
            inside += (scores[i, label] >= low) & (scores[i, label] <= high)
        if inside != n_labels:
            return 3 * i + 2
        row[_SCORED] = 1.0
        if 0 < n_true < n_labels:
            k = 0
            for label in range(n_labels):
                relevant[min(k, n_true - 1)] = scores[i, label]  # overwritten until a relevant label moves k on
                k += np.int64(Y[i, label])
                if k == n_true:
                    break
            if n_true <= _MOST_PAIRS:
                pairs, precision = order_by_pairs(scores[i], relevant[:n_true])
            else:
                pairs, precision = order_by_search(Y[i], scores[i], relevant[:n_true], beaten)
            row[_RANKING_LOSS] = pairs / (n_true * (n_labels - n_true))
            row[_AVERAGE_PRECISION] = precision / n_true
            row[_RANKED] = 1.0
    return -1


@kernel
def accumulate(Y, Z, terms, fading, per_label, sums):
    """Add instances to running counts, each weighing ``fading`` times the next.

    ``Y``, ``Z`` uint8 [n, L] of 0 and 1, ``terms`` as written by ``instance_terms``, ``0 < fading <= 1``. Adds to
    ``per_label`` float64 [3, L] (tp, fp, fn) and ``sums`` float64 [N_TERMS] instance by instance, in order, so that
    the result does not depend, to the last bit, on how a stream is cut. Cost: O(L) an instance.
    """
    n, n_labels = Y.shape
    tp = per_label[0]
    fp = per_label[1]
    fn = per_label[2]
    for i in range(n):
        if fading != 1.0:
            for label in range(n_labels):
                hit = tp[label] * fading
                tp[label] = hit if hit > _TINY else 0.0
                false_alarm = fp[label] * fading
                fp[label] = false_alarm if false_alarm > _TINY else 0.0
                miss = fn[label] * fading
                fn[label] = miss if miss > _TINY else 0.0
            for term in range(N_TERMS):
                total = sums[term] * fading
                sums[term] = total if total > _TINY else 0.0
        for label in range(n_labels):
            y = Y[i, label]
            z = Z[i, label]
            tp[label] += y & z
            fp[label] += z & (1 - y)
            fn[label] += y & (1 - z)
        for term in range(N_TERMS):
            sums[term] += terms[i, term]


@kernel(arrays=True)
def level_terms(Y, Z, first, above, depth, terms):
    """Write what each instance contributes at each level of a hierarchy, its label sets closed under ancestors.

    ``Y``, ``Z`` uint8 [n, L] of 0 and 1; label l and its ancestors are ``above[first[l]:first[l + 1]]``, ``depth[l]``
    its level, both int64; overwrites ``terms`` float64 [n, levels, 4]: labels true and predicted, predicted, true, and
    1 at the first level where the two sets differ. Cost: O(L + |Y| depth) an instance.
    """
    n, n_labels = Y.shape
    n_levels = terms.shape[1]
    true = np.zeros(n_labels, np.uint8)
    predicted = np.zeros(n_labels, np.uint8)
    for i in range(n):
        true[:] = 0
        predicted[:] = 0
        for label in range(n_labels):
            if Y[i, label]:
                for j in range(first[label], first[label + 1]):
                    true[above[j]] = 1
            if Z[i, label]:
                for j in range(first[label], first[label + 1]):
                    predicted[above[j]] = 1
        row = terms[i]
        row[:] = 0.0
        for label in range(n_labels):
            level = row[depth[label]]
            level[0] += true[label] & predicted[label]
            level[1] += predicted[label]
            level[2] += true[label]
        for k in range(n_levels):
            if row[k, 0] < row[k, 1] or row[k, 0] < row[k, 2]:
                row[k, 3] = 1.0
                break


@kernel
def accumulate_terms(terms, fading, total):
    """Add ``terms`` float64 [n, k] to ``total`` [k], each instance weighing ``fading`` times the next.

    Instance by instance, as ``accumulate``; terms may be negative.
    """
    for i in range(terms.shape[0]):
        for j in range(terms.shape[1]):
            faded = total[j] * fading
            total[j] = (faded if abs(faded) > _TINY else 0.0) + terms[i, j]


@kernel
def bin_scores(Y, scores, fading, histograms):
    """Add scores to each label's two histograms, each instance weighing ``fading`` times the next.

    ``Y`` uint8 [n, L], ``scores`` float64 [n, L] in 0 to 1, unchecked. Adds to ``histograms`` float64
    [2, L, n_bins]: scores of the label where it is absent, where it is present; bin k holds the scores nearest to
    k / (n_bins - 1). Cost: O(n L), and with fading O(L n_bins) a call.
    """
    n, n_labels = Y.shape
    steps = histograms.shape[2] - 1
    if fading != 1.0:
        weight = fading**n
        for side in range(2):
            for label in range(n_labels):
                for place in range(steps + 1):
                    faded = histograms[side, label, place] * weight
                    histograms[side, label, place] = faded if faded > _TINY else 0.0
    weight = 1.0
    for i in range(n - 1, -1, -1):
        for label in range(n_labels):
            place = int(scores[i, label] * steps + 0.5)
            histograms[Y[i, label], label, place] += weight
        weight *= fading


@kernel
def average_precision_of_histograms(histograms, out):
    """Write each label's average precision from its histograms (see ``bin_scores``) to ``out`` float64 [L].

    The scores in one bin count as equal. NaN for a label that was never present. Cost: O(L n_bins).
    """
    for label in range(histograms.shape[1]):
        hits = 0.0
        above = 0.0
        area = 0.0
        for place in range(histograms.shape[2] - 1, -1, -1):
            present = histograms[1, label, place]
            hits += present
            above += present + histograms[0, label, place]
            if present > 0.0:
                area += present * (hits / above)
        out[label] = area / hits if hits > 0.0 else np.nan


@kernel(arrays=True)
def average_precision_of_columns(Y, scores, out):
    """Write each label's exact average precision over the rows to ``out`` float64 [L].

    ``Y`` uint8 [n, L], ``scores`` float64 [n, L] without NaN. NaN for a label that is never present.
    Cost: O(L n log n).
    """
    n, n_labels = Y.shape
    column = np.empty(n)
    for label in range(n_labels):
        for i in range(n):
            column[i] = scores[i, label]
        order = np.argsort(column)
        hits = 0
        area = 0.0
        last = n
        while last > 0:
            first = last
            present = 0
            while first > 0 and column[order[first - 1]] == column[order[last - 1]]:
                first -= 1
                present += np.int64(Y[order[first], label])
            hits += present
            area += present * (hits / (n - first))
            last = first
        out[label] = area / hits if hits > 0 else np.nan
