"""The cepstral coefficients against a plain computation by their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.streams.generated.instruments.mfcc import mean_mfcc, mel_filters


def by_definition(sound):
    """Every sum written out: window, Fourier transform, triangles, logarithm, cosine transform."""
    t = np.arange(512)
    window = 0.5 - 0.5 * np.cos(2 * math.pi * t / 512)
    k = np.arange(257)
    fourier = np.exp(-2j * math.pi * np.outer(k, t) / 512)

    def mel(f):
        return 2595 * math.log10(1 + f / 700)

    edges = [700 * (10 ** (mel(8000) * i / 41 / 2595) - 1) for i in range(42)]
    rows, energies = [], []
    for start in range(0, len(sound) - 511, 256):
        power = np.abs(fourier @ (window * sound[start : start + 512])) ** 2
        bands = []
        for low, middle, high in zip(edges, edges[1:], edges[2:], strict=False):
            total = 0.0
            for line, value in enumerate(power.tolist()):
                f = line * 16000 / 512
                if low < f <= middle:
                    total += value * (f - low) / (middle - low)
                elif middle < f < high:
                    total += value * (high - f) / (high - middle)
            bands.append(math.log(total + 1e-10))
        rows.append(
            [
                math.sqrt(2 / 40) * sum(b * math.cos(math.pi * c * (2 * i + 1) / 80) for i, b in enumerate(bands))
                for c in range(1, 31)
            ]
        )
        energies.append(power.sum())
    return np.array(rows), np.array(energies)


@pytest.fixture(scope="module")
def sound():
    rng = np.random.default_rng(3)
    t = np.arange(5000) / 16000
    tone = np.sin(2 * math.pi * 440 * t) + 0.3 * np.sin(2 * math.pi * 1320 * t)
    return tone * np.exp(-40 * t) + 1e-4 * rng.normal(size=5000)


def test_equal_to_the_definition(sound):
    rows, energies = by_definition(sound)
    assert rows.shape == (1 + (5000 - 512) // 256, 30)
    np.testing.assert_allclose(mean_mfcc(sound[:512]), rows[0], rtol=0, atol=1e-10)
    loud = energies >= energies.max() * 1e-4
    assert 0 < loud.sum() < len(loud), "the sound must have silent frames"
    np.testing.assert_allclose(mean_mfcc(sound), rows[loud].mean(axis=0), rtol=0, atol=1e-10)


def test_louder_is_the_same(sound):
    np.testing.assert_allclose(mean_mfcc(100 * sound), mean_mfcc(sound), atol=1e-3)


def test_bands():
    filters = mel_filters()
    assert filters.shape == (40, 257)
    assert (filters.sum(axis=1) > 0).all(), "no band falls between the lines"
    # neighbours overlap so that every line between the first and the last peak counts once
    inner = slice(filters[0].argmax() + 1, filters[-1].argmax())
    np.testing.assert_allclose(filters.sum(axis=0)[inner], 1.0)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros(511), "at least 512 samples"),
        (np.zeros((2, 600)), "expected one row"),
        (np.r_[np.zeros(600), math.nan], "sample 600 is not finite"),
    ],
)
def test_bad_sounds(bad, message):
    with pytest.raises(ValueError, match=message):
        mean_mfcc(bad)


def test_digital_silence_has_numbers():
    assert np.isfinite(mean_mfcc(np.zeros(1000))).all()
