"""The sounds of the notes: kernels against plain Python, modes, corners, microphones.

That pitch, harmonics, decay and envelopes stay as they are is found by the shipped file (test_stream.py).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.streams.generated.instruments import _kernels as kernels
from streamlab.streams.generated.instruments.mfcc import RATE
from streamlab.streams.generated.instruments.orchestra import ORCHESTRA, PARENTS
from streamlab.streams.generated.instruments.synthesis import (
    Note,
    Player,
    _contact,
    _membrane,
    recorded,
)

BY_NAME = {path.rpartition("/")[2]: it for path, it in ORCHESTRA.items()}
PLAYER = Player()


# ---------------------------------------------------------------------- kernels


def test_kernels_equal_plain_python():
    rng = np.random.default_rng(0)
    signal, frequency = rng.normal(size=1500), np.linspace(300, 310, 1500)
    envelope = np.abs(np.sin(np.linspace(0, 3, 1500)))
    three = np.array([500.0, 900.0, 9000.0])
    for name, arguments, fills in (
        ("white_noise", (2**53 + 5, 20), False),
        ("add_harmonics", (frequency, envelope, np.array([1.0, 0.5, 0.2]), 0.3, 16000.0), True),
        ("add_modes", (three, np.array([1.0, -0.4, 1.0]), np.array([0.1, 0.5, 1.0]), 16000.0), True),
        ("plucked_string", (signal[:90], 330.0, 1.0, 0.2, 16000.0), True),
        ("resonated", (signal, three, 0.1 * three, np.ones(3), 0.3, 16000.0), False),
        ("reverberated", (signal, 0.5, 0.2, 16000.0), False),
    ):
        kernel = getattr(kernels, name)
        by_hand = getattr(kernel, "py_func", kernel)  # without compilation they are the same
        if fills:
            compiled, plain = np.zeros(1500), np.zeros(1500)
            kernel(*arguments, compiled)
            by_hand(*arguments, plain)
        else:
            with np.errstate(over="ignore"):
                compiled, plain = kernel(*arguments), by_hand(*arguments)
        assert np.abs(compiled).max() > 0
        np.testing.assert_allclose(compiled, plain, atol=1e-9, err_msg=name)


# ---------------------------------------------------------------------- instruments


def test_the_tree():
    assert len(ORCHESTRA) == 31
    names = [path.rpartition("/")[2] for path in ORCHESTRA]
    assert len(set(names)) == 31
    inner = [label for label in PARENTS if label not in names]
    assert len(inner) == 15
    assert [label for label, above in PARENTS.items() if above is None] == [
        "chordophones", "aerophones", "idiophones", "membranophones",
    ]  # fmt: skip
    for label in inner:
        assert sum(above == label for above in PARENTS.values()) >= 2, f"{label} alone decides nothing"


def centroid(sound):
    power = np.abs(np.fft.rfft(sound)) ** 2
    return np.sum(power * np.fft.rfftfreq(len(sound), 1 / RATE)) / power.sum()


def test_the_ideal_membrane():
    ratios, shape = _membrane(0.3)
    # Rossing's table of the modes (0,1) (1,1) (2,1) (0,2) (3,1) (1,2)
    np.testing.assert_allclose(np.sort(ratios)[:6], [1, 1.593, 2.135, 2.295, 2.653, 2.917], atol=6e-4)
    assert shape.max() == 1.0
    middle = _membrane(0.0)[1].reshape(6, 5)
    assert (middle[0] > 0).all(), "in the middle the modes without diameters sound"
    np.testing.assert_array_equal(middle[1:], 0.0)


def test_a_hard_mallet_leaves_more_of_high_frequencies():
    f = np.array([10.0, 200.0, 499.9999999, 500.0, 1500.0])
    soft = _contact(f, 1e-3)
    assert soft[0] == pytest.approx(1, abs=1e-3)
    assert soft[2] == pytest.approx(math.pi / 4, abs=1e-6)
    assert soft[3] == pytest.approx(math.pi / 4, abs=1e-6)
    assert soft[4] == pytest.approx(0, abs=1e-12)
    assert (_contact(f, 1e-4)[1:] > soft[1:]).all()
    # against the transform of a half-sine push
    t = (np.arange(2000) + 0.5) / 2000 * 1e-3
    push = np.sin(math.pi * t / 1e-3)
    for frequency, value in zip(f, soft, strict=True):
        direct = abs(np.sum(push * np.exp(-2j * math.pi * frequency * t))) / push.sum()
        assert value == pytest.approx(direct, abs=1e-5)


# ---------------------------------------------------------------------- recordings


@pytest.mark.parametrize("name", BY_NAME)
def test_every_corner_of_every_instrument_is_a_sound(name):
    rng = np.random.default_rng(1)
    corners = [(0.0, -1.0), (1 - 1e-12, 1.0)]
    cases = [(Player(*[p] * 12), Note(*[u] * 11, seed=1)) for u, p in corners]
    cases += [(Player(*rng.uniform(-1, 1, 12)), Note(*rng.random(11), seed=2))]
    for player, note in cases:
        for wear in (0, 1, 3):
            sound = recorded(BY_NAME[name], player, note, wear)
            assert 9600 <= len(sound) <= 16_000
            assert np.isfinite(sound).all()
            assert 0.002 < np.abs(sound).max() <= 1.0


def test_a_worse_microphone_is_duller_thinner_and_noisier():
    it = BY_NAME["double_bass"]
    good, worse = (recorded(it, PLAYER, Note(pitch=0.0, force=0.5), wear) for wear in (0, 1))
    power = [np.abs(np.fft.rfft(s)) ** 2 for s in (good, worse)]
    low, middle = slice(30, 70), slice(300, 700)
    scale = power[0][middle].sum() / power[1][middle].sum()
    assert power[1][low].sum() * scale < 0.5 * power[0][low].sum()
    # when a xylophone has faded the noise is left, 20 dB more of it
    note = Note(pitch=0.9, length=1.0, room=0.0)
    left = [recorded(BY_NAME["xylophone"], PLAYER, note, wear)[-1000:].std() for wear in (0, 1)]
    assert left[1] / left[0] == pytest.approx(10, rel=0.02)
    violin = [recorded(BY_NAME["violin"], PLAYER, Note(pitch=0.5, force=0.9, hiss=0.0), wear) for wear in (0, 1)]
    assert centroid(violin[1]) < centroid(violin[0])


def test_no_instrument():
    with pytest.raises(TypeError, match="is not an instrument"):
        recorded("kazoo", PLAYER, Note())
