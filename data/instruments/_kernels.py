"""Kernels of sound: noise, harmonics, decaying modes, the plucked string, resonances, a room.

All signals are float64 of shape (n,), ``rate`` is in samples per second, frequencies in Hz, times in seconds. A time
``t60`` is that in which a sound fades by 60 dB.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.streams.generated._kernels import draw_many

ROOT_OF_12 = math.sqrt(12.0)
# delays of the room's four lines in samples at 16 kHz, without a common factor: some 20 to 40 ms
LINES = (331, 419, 523, 641)


@kernel(arrays=True)
def white_noise(seed, n):
    """``n`` independent uniform numbers of mean 0 and variance 1, by SplitMix64 (Steele, Lea and Flood, 2014).

    ``seed`` from 0 to 2**63 - 1.
    """
    out = np.empty(n)
    draw_many(np.full(1, np.uint64(seed)), out)
    return (out - 0.5) * ROOT_OF_12


@kernel
def add_harmonics(frequency, envelope, amplitudes, sharpness, rate, out):
    """Add the harmonics of a tone to ``out``.

    The n-th one has ``amplitudes[n - 1] * envelope ** (1 + sharpness * (n - 1))``: with a positive sharpness a tone
    that swells brightens, the mark of brass (Risset and Mathews, 1969). ``frequency`` and ``envelope`` run in time.
    """
    phase = 0.0
    for t in range(len(out)):
        phase += 2.0 * math.pi * frequency[t] / rate
        if envelope[t] <= 0.0:
            continue
        # sin(n p) = 2 cos(p) sin((n - 1) p) - sin((n - 2) p): one sine and one cosine for all harmonics
        before, now, twice = 0.0, math.sin(phase), 2.0 * math.cos(phase)
        gain, step = envelope[t], envelope[t] ** sharpness
        total = 0.0
        for n in range(len(amplitudes)):
            total += amplitudes[n] * gain * now
            before, now = now, twice * now - before
            gain *= step
        out[t] += total


@kernel
def add_modes(frequencies, amplitudes, t60s, rate, out):
    """Add to ``out`` the free vibration of modes struck at once: exponentially decaying sines; silent above rate/2."""
    for m in range(len(frequencies)):
        if frequencies[m] >= 0.5 * rate or amplitudes[m] == 0.0:
            continue
        angle = 2.0 * math.pi * frequencies[m] / rate
        decay = 10.0 ** (-3.0 / (t60s[m] * rate))
        first, second = 2.0 * decay * math.cos(angle), decay * decay
        before, now = -amplitudes[m] * math.sin(angle) / decay, 0.0
        for t in range(len(out)):
            out[t] += now
            before, now = now, first * now - second * before


@kernel
def loop_filter_gain(damping, angle):
    """Gain and phase delay in samples of ``(1 - damping) + damping * z**-1`` at ``angle`` radians a sample."""
    real, imaginary = 1.0 - damping + damping * math.cos(angle), damping * math.sin(angle)
    return math.hypot(real, imaginary), math.atan2(imaginary, real) / angle


@kernel(arrays=True)
def plucked_string(excitation, frequency, t60, damping, rate, out):
    """The extended Karplus-Strong string (Jaffe and Smith, 1983): a delay line in a loop with two filters.

    ``damping`` in [0, 0.5] is the share of the previous sample in the loss filter: the more, the sooner high partials
    fade. The loop is lossy by what makes the fundamental fade in ``t60`` (sooner, if the loss filter alone takes more),
    and an allpass filter adds the fraction of a sample that makes its period exact.
    """
    angle = 2.0 * math.pi * frequency / rate
    loss, late = loop_filter_gain(damping, angle)
    # at most 1: a loop cannot give back what its filter takes
    feedback = min(10.0 ** (-3.0 / (t60 * frequency)) / loss, 1.0)
    rest = rate / frequency - late
    # the allpass filter's delay lies in [0.3, 1.3), where it is well-behaved
    n_line = int(rest - 0.3)
    fraction = rest - n_line
    tuning = math.sin(0.5 * (angle - angle * fraction)) / math.sin(0.5 * (angle + angle * fraction))
    line = np.zeros(n_line)
    at = 0
    last_line = last_loss = last_tuned = 0.0
    for t in range(len(out)):
        new = line[at]
        lossy = feedback * ((1.0 - damping) * new + damping * last_line)
        tuned = tuning * lossy + last_loss - tuning * last_tuned
        last_line, last_loss, last_tuned = new, lossy, tuned
        value = tuned + (excitation[t] if t < len(excitation) else 0.0)
        line[at] = value
        at = at + 1 if at + 1 < n_line else 0
        out[t] = value


@kernel(arrays=True)
def resonated(signal, frequencies, bandwidths, gains, direct, rate):
    """``direct`` times the signal plus that of parallel resonances, each of its gain at its frequency; those above
    rate/2 are left out."""
    out = direct * signal
    for m in range(len(frequencies)):
        if frequencies[m] >= 0.5 * rate:
            continue
        radius = math.exp(-math.pi * bandwidths[m] / rate)
        angle = 2.0 * math.pi * frequencies[m] / rate
        first, second = 2.0 * radius * math.cos(angle), radius * radius
        # zeros at 0 and rate/2: the peak's gain is 1 - radius**2 over 2, whatever the frequency
        gain = gains[m] * 0.5 * (1.0 - second)
        before = now = 0.0
        x1 = x2 = 0.0
        for t in range(len(out)):
            new = first * now - second * before + gain * (signal[t] - x2)
            x1, x2 = signal[t], x1
            before, now = now, new
            out[t] += new
    return out


@kernel(arrays=True)
def reverberated(signal, t60, wet, rate):
    """The signal plus ``wet`` times its sound in a room: a feedback delay network (Jot and Chaigne, 1991).

    Four lines feed each other through a Hadamard matrix, which loses nothing, and fade by their length so that the
    whole fades in ``t60``; a one-pole filter in each makes high frequencies fade sooner, as air and walls do. Meant for
    16 kHz.
    """
    lengths = np.array(LINES)
    lines = np.zeros((4, lengths.max()))
    at = np.zeros(4, np.int64)
    gains = 10.0 ** (-3.0 * lengths / (t60 * rate))
    smooth = np.zeros(4)
    out = np.empty_like(signal)
    for t in range(len(signal)):
        a, b, c, d = lines[0, at[0]], lines[1, at[1]], lines[2, at[2]], lines[3, at[3]]
        smooth[0] += 0.7 * (gains[0] * a - smooth[0])
        smooth[1] += 0.7 * (gains[1] * b - smooth[1])
        smooth[2] += 0.7 * (gains[2] * c - smooth[2])
        smooth[3] += 0.7 * (gains[3] * d - smooth[3])
        out[t] = signal[t] + wet * 0.5 * (a + b + c + d)
        p, q = smooth[0] + smooth[1], smooth[0] - smooth[1]
        r, s = smooth[2] + smooth[3], smooth[2] - smooth[3]
        lines[0, at[0]] = signal[t] + 0.5 * (p + r)
        lines[1, at[1]] = signal[t] + 0.5 * (q + s)
        lines[2, at[2]] = signal[t] + 0.5 * (p - r)
        lines[3, at[3]] = signal[t] + 0.5 * (q - s)
        for k in range(4):
            at[k] = at[k] + 1 if at[k] + 1 < lengths[k] else 0
    return out
