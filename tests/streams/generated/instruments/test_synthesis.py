"""The physics of the notes: pitch, harmonics, decay, envelopes; kernels against plain Python and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.signal import freqz

from streamlab.streams.generated.instruments import _kernels as kernels
from streamlab.streams.generated.instruments.mfcc import RATE
from streamlab.streams.generated.instruments.orchestra import ORCHESTRA, PARENTS, Bars, Drum, Plate
from streamlab.streams.generated.instruments.synthesis import (
    Note,
    Player,
    _contact,
    _membrane,
    dry,
    midi,
    pitch,
    recorded,
)

BY_NAME = {path.rpartition("/")[2]: it for path, it in ORCHESTRA.items()}
PLAYER = Player()
STRAIGHT = Note(style=0.0)  # no vibrato


def spectrum_at(sound, frequency, rate=RATE):
    t = np.arange(len(sound)) / rate
    window = np.blackman(len(sound))
    return abs(np.sum(window * sound * np.exp(-2j * math.pi * frequency * t)))


def fundamental(sound, near):
    """Hz: the top of the windowed autocorrelation nearest to the period expected, by maximising it between samples."""
    sound = sound - sound.mean()
    power = np.abs(np.fft.rfft(sound * np.blackman(len(sound)), 4 * len(sound))) ** 2
    angles = 2 * math.pi * np.arange(len(power)) / (4 * len(sound))

    def against(frequency):
        return -np.sum(power * np.cos(angles * RATE / frequency))

    span = 2 ** (0.7 / 12)
    return minimize_scalar(against, bounds=(near / span, near * span), method="bounded", options={"xatol": 1e-5}).x


def cents(a, b):
    return 1200 * math.log2(a / b)


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


def test_noise_is_white():
    noise = kernels.white_noise(7, 100_000)
    assert noise.mean() == pytest.approx(0, abs=0.02)
    assert noise.var() == pytest.approx(1, abs=0.01)
    for lag in (1, 2, 17):
        assert np.mean(noise[lag:] * noise[:-lag]) == pytest.approx(0, abs=0.015)
    assert abs(np.corrcoef(noise[:50_000], kernels.white_noise(8, 50_000))[0, 1]) < 0.02


def test_harmonics_by_their_formula():
    t = np.arange(800) / RATE
    frequency, envelope = 200 + 500 * t, 0.2 + 10 * t
    phase = np.cumsum(2 * math.pi * frequency / RATE)
    amplitudes = np.array([1.0, 0.3, 0.0, 0.7])
    out = np.ones(800)
    kernels.add_harmonics(frequency, envelope, amplitudes, 0.4, float(RATE), out)
    expected = 1 + sum(a * envelope ** (1 + 0.4 * i) * np.sin((i + 1) * phase) for i, a in enumerate(amplitudes))
    np.testing.assert_allclose(out, expected, atol=1e-9)


def test_modes_by_their_formula():
    t = np.arange(4000) / RATE
    out = np.zeros(4000)
    f, a, t60 = np.array([441.0, 1234.5, 8000.0]), np.array([1.0, -0.5, 3.0]), np.array([0.3, 0.1, 1.0])
    kernels.add_modes(f, a, t60, float(RATE), out)
    # the third lies at half the rate and is left out
    expected = sum(a[m] * 10 ** (-3 * t / t60[m]) * np.sin(2 * math.pi * f[m] * t) for m in range(2))
    np.testing.assert_allclose(out, expected, atol=1e-8)


def test_resonances_have_their_gain():
    impulse = np.zeros(16_000)
    impulse[0] = 1.0
    gains = np.array([2.0, 0.5])
    response = kernels.resonated(impulse, np.array([500.0, 3000.0]), np.array([20.0, 30.0]), gains, 0.0, float(RATE))
    for f, gain in zip((500, 3000), gains, strict=True):
        _, at = freqz(response, worN=[2 * math.pi * f / RATE])
        assert abs(at[0]) == pytest.approx(gain, rel=0.02)


def test_the_room_fades_in_its_time():
    impulse = np.zeros(16_000)
    impulse[0] = 1.0
    room = kernels.reverberated(impulse, 0.6, 1.0, float(RATE))
    assert room[0] == 1.0
    left = 10 * np.log10(np.cumsum(room[:0:-1] ** 2)[::-1])  # Schroeder's backward integration
    early, late = 2000, 6000
    slope = (left[late] - left[early]) / ((late - early) / RATE)
    # highs fade sooner, so that the whole fades a little sooner too
    assert 0.35 < -60 / slope < 0.62


def filter_t60(frequency, damping):
    """Seconds in which the loss filter alone makes the fundamental fade."""
    gain, _ = kernels.loop_filter_gain(damping, 2 * math.pi * frequency / RATE)
    return -3 / (frequency * math.log10(gain)) if gain < 1 else math.inf


# those that last long enough for their pitch to be measured to half a cent
STRINGS = [
    (frequency, damping)
    for frequency in (41.2, 110.0, 329.6, 739.99, 1318.5, 2093.0)
    for damping in (0.0, 0.05, 0.3, 0.5)
    if filter_t60(frequency, damping) > 0.4
]


@pytest.mark.parametrize(("frequency", "damping"), STRINGS)
def test_a_string_is_in_tune_and_fades_in_its_time(frequency, damping):
    period = int(RATE / frequency)
    out = np.zeros(RATE)
    kernels.plucked_string(kernels.white_noise(1, period), frequency, 1.5, damping, float(RATE), out)
    t = np.arange(len(out)) / RATE
    turned = out * np.exp(-2j * math.pi * frequency * t)
    # the fundamental's phase and size in two windows
    n = 4000
    window = np.blackman(n)
    early, late = (np.sum(window * turned[at : at + n]) for at in (2000, 10_000))
    off = np.angle(late / early) / (2 * math.pi * 8000 / RATE)
    assert abs(cents(frequency + off, frequency)) < 0.5
    assert 20 * math.log10(abs(late / early)) == pytest.approx(
        -60 * 0.5 / min(1.5, filter_t60(frequency, damping)), abs=0.6
    )


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


TUNED = [name for name, it in BY_NAME.items() if not isinstance(it, (Plate, Drum))]


@pytest.mark.parametrize("name", TUNED)
@pytest.mark.parametrize("share", [0.1, 0.6])
def test_notes_are_in_tune(name, share):
    it = BY_NAME[name]
    note = STRAIGHT._replace(pitch=share, seed=5, force=0.7)
    expected = pitch(it, PLAYER, note)
    assert expected == pytest.approx(midi(it.low + int(share * (it.high - it.low + 1))), rel=1e-12)
    sound = dry(it, PLAYER, note)[1600:]
    if isinstance(it, Bars):  # their modes are not harmonics: the lowest by itself
        found = minimize_scalar(
            lambda f: -spectrum_at(sound, f), bounds=(0.98 * expected, 1.02 * expected), method="bounded"
        )
        assert abs(cents(found.x, expected)) < 2
        return
    assert abs(cents(fundamental(sound, expected), expected)) < (12 if name in ("piano", "dulcimer") else 5)


def test_ranges_and_intonation():
    for it in BY_NAME.values():
        if isinstance(it, Plate):
            continue
        lowest, highest = (pitch(it, PLAYER, Note(pitch=share)) for share in (0.0, 1 - 1e-9))
        assert (lowest, highest) == (pytest.approx(midi(it.low)), pytest.approx(midi(it.high)))
        off = cents(pitch(it, Player(tuning=1.0), Note(tuning=1.0)), pitch(it, PLAYER, Note()))
        assert off == pytest.approx(15)
    assert midi(69) == 440
    assert midi(60) == pytest.approx(261.6256, abs=1e-4)


def odd_over_even_db(name, midi_number):
    it = BY_NAME[name]
    share = (midi_number - it.low + 0.5) / (it.high - it.low + 1)
    sound = dry(it, PLAYER, STRAIGHT._replace(pitch=share))[3000:9000]
    f = pitch(it, PLAYER, STRAIGHT._replace(pitch=share))
    levels = [spectrum_at(sound, n * f) for n in range(1, 7)]
    return 20 * math.log10(sum(levels[::2]) / sum(levels[1::2]))


def test_the_clarinet_has_odd_harmonics_low_down():
    assert odd_over_even_db("clarinet", 52) > 15
    # above the cutoff of the tone holes the even ones return
    assert odd_over_even_db("clarinet", 52) > odd_over_even_db("clarinet", 82) + 5
    for other in ("saxophone", "english_horn", "trombone"):
        assert odd_over_even_db(other, 53) < 8, other


def envelope_db(sound, at, n=1600):
    part = sound[int(at * RATE) : int(at * RATE) + n]
    return 10 * math.log10(np.mean(part**2))


@pytest.mark.parametrize("pair", [("violin", "banjo"), ("cello", "guitar"), ("flute", "xylophone")])
def test_a_driven_tone_lasts_and_a_struck_one_fades(pair):
    driven, free = (dry(BY_NAME[name], PLAYER, STRAIGHT._replace(pitch=0.4, seed=3)) for name in pair)
    assert abs(envelope_db(driven, 0.5) - envelope_db(driven, 0.2)) < 3
    assert envelope_db(free, 0.5) < envelope_db(free, 0.05) - 6
    # and it begins at once
    assert np.argmax(np.abs(free)) < 0.05 * RATE
    assert envelope_db(driven, 0.0, 160) < envelope_db(driven, 0.2) - 6


def centroid(sound):
    power = np.abs(np.fft.rfft(sound)) ** 2
    return np.sum(power * np.fft.rfftfreq(len(sound), 1 / RATE)) / power.sum()


@pytest.mark.parametrize("name", ["trumpet", "horn", "trombone", "tuba", "flute", "oboe", "piano", "guitar", "violin"])
def test_louder_is_brighter(name):
    soft, loud = (centroid(dry(BY_NAME[name], PLAYER, STRAIGHT._replace(force=f, pitch=0.4))) for f in (0.05, 0.95))
    assert loud > soft * (1.2 if name in ("trumpet", "horn", "trombone") else 1.02)


def test_brass_brightens_as_the_tone_swells():
    sound = dry(BY_NAME["trumpet"], PLAYER, Note(style=0.0, attack=0.9, force=0.8))
    assert centroid(sound[:400]) < 0.8 * centroid(sound[3000:6000])


def test_a_gong_blooms_and_a_cymbal_does_not():
    def high_share(name, at):
        sound = dry(BY_NAME[name], PLAYER, Note(force=0.8, seed=2))
        part = sound[int(at * RATE) : int(at * RATE) + 1024]
        power = np.abs(np.fft.rfft(part * np.hanning(1024))) ** 2
        return power[96:].sum() / power.sum()  # from 1,500 Hz on

    assert high_share("gong", 0.25) > 2 * high_share("gong", 0.0)
    assert high_share("cymbal", 0.5) < high_share("cymbal", 0.05)


def test_the_ideal_membrane():
    ratios, shape = _membrane(0.3)
    # Rossing's table of the modes (0,1) (1,1) (2,1) (0,2) (3,1) (1,2)
    np.testing.assert_allclose(np.sort(ratios)[:6], [1, 1.593, 2.135, 2.295, 2.653, 2.917], atol=6e-4)
    assert shape.max() == 1.0
    middle = _membrane(0.0)[1].reshape(6, 5)
    assert (middle[0] > 0).all(), "in the middle the modes without diameters sound"
    np.testing.assert_array_equal(middle[1:], 0.0)


def test_undercut_bars_have_their_second_mode_two_octaves_up():
    it = BY_NAME["marimba"]
    assert isinstance(it, Bars)
    note = Note(pitch=0.2, force=0.9, style=0.9)
    sound, f = dry(it, PLAYER, note), pitch(it, PLAYER, note)
    assert spectrum_at(sound, 4 * f) > 10 * spectrum_at(sound, 3.5 * f)
    assert spectrum_at(sound, f) > spectrum_at(sound, 4 * f)


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


def test_vibrato_moves_the_pitch_and_style_stops_it():
    it = BY_NAME["flute"]
    straight, moved = (dry(it, PLAYER, Note(style=style, pitch=0.4)) for style in (0.1, 0.9))
    f = pitch(it, PLAYER, Note(pitch=0.4))
    assert spectrum_at(moved[4000:], f) < 0.95 * spectrum_at(straight[4000:], f)


# ---------------------------------------------------------------------- recordings


@pytest.mark.parametrize("name", BY_NAME)
def test_every_corner_of_every_instrument_is_a_sound(name):
    rng = np.random.default_rng(1)
    corners = [(0.0, -1.0), (1 - 1e-12, 1.0)]
    cases = [(Player(*[p] * 12), Note(*[u] * 11, seed=1)) for u, p in corners]
    cases += [(Player(*rng.uniform(-1, 1, 12)), Note(*rng.random(11), seed=2)) for _ in range(3)]
    for player, note in cases:
        for wear in (0, 1, 3):
            sound = recorded(BY_NAME[name], player, note, wear)
            assert 9600 <= len(sound) <= 16_000
            assert np.isfinite(sound).all()
            assert 0.002 < np.abs(sound).max() <= 1.0


def test_soft_notes_are_thirty_decibels_softer():
    it = BY_NAME["oboe"]
    levels = [np.abs(recorded(it, PLAYER, Note(force=f, room=0, distance=0, hiss=0))).max() for f in (0.0, 1.0)]
    assert 20 * math.log10(levels[1] / levels[0]) == pytest.approx(30, abs=1)


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


def test_a_player_is_another_sound():
    it = BY_NAME["violin"]
    one, other = (recorded(it, Player(body=b, size=b), Note()) for b in (-1.0, 1.0))
    assert np.abs(one - other).max() > 0.01
    np.testing.assert_array_equal(one, recorded(it, Player(body=-1.0, size=-1.0), Note()))


def test_no_instrument():
    with pytest.raises(TypeError, match="is not an instrument"):
        recorded("kazoo", PLAYER, Note())


def test_lowpass_is_three_decibels_down():
    from streamlab.streams.generated.instruments.synthesis import _lowpass

    impulse = np.zeros(8000)
    impulse[0] = 1.0
    response = _lowpass(impulse, 500.0)
    _, at = freqz(response, worN=[0.0, 2 * math.pi * 500 / RATE])
    assert abs(at[0]) == pytest.approx(1)
    assert 20 * math.log10(abs(at[1])) == pytest.approx(-3, abs=0.3)
    np.testing.assert_allclose(response[1:50] / response[:49], math.exp(-2 * math.pi * 500 / RATE), rtol=1e-9)
