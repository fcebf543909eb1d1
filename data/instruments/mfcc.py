"""Mel-frequency cepstral coefficients of a note: what it sounds like, in thirty numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.fft import dct, rfft
from scipy.sparse import csr_array

RATE = 16_000  # samples per second
FRAME = 512  # samples, 32 ms
HOP = 256  # samples, 16 ms
N_BANDS = 40
N_COEFFICIENTS = 30
FLOOR = 1e-10  # added to the bands' energies before the logarithm
SILENCE_DB = 40.0


def mean_mfcc(sound: np.ndarray) -> np.ndarray:
    """Return the mean of the coefficients of a sound's frames, of those that are not silent.

    Silent is what has 40 dB less energy than the sound's loudest frame: the pause behind a short note.

    Parameters
    ----------
    sound
        Array of shape (n,) at ``RATE`` samples per second, n at least ``FRAME``.

    Returns
    -------
    Array of shape (N_COEFFICIENTS,) of float64: coefficients 1 to 30. The zeroth, the loudness, is left out: it says
    more of the distance to the microphone than of the instrument.

    Raises
    ------
    ValueError
        If the sound is shorter than a frame or no row of numbers.

    Notes
    -----
    Frames of 32 ms every 16 ms under a Hann window; power spectrum; 40 triangular bands evenly spaced in mel from 0 to
    8,000 Hz; natural logarithm of their energies; orthonormal discrete cosine transform (DCT-II).

    References
    ----------
    Davis and Mermelstein, "Comparison of parametric representations for monosyllabic word recognition" (1980); Logan,
    "Mel frequency cepstral coefficients for music modeling" (ISMIR 2000). Mel as in O'Shaughnessy (1987):
    2595 log10(1 + f / 700).
    """
    power = _frames(sound)
    energy = power.sum(axis=1)
    loud = energy >= energy.max() * 10.0 ** (-SILENCE_DB / 10.0)
    # the transform is linear: the mean of the logarithms first, then one transform
    bands = np.log(_banded(power[loud]) + FLOOR).mean(axis=0)
    return dct(bands, norm="ortho")[1 : N_COEFFICIENTS + 1]


@cache
def mel_filters() -> np.ndarray:
    """Return the triangular bands, (N_BANDS, FRAME // 2 + 1): each rises from the peak before to its own, 1."""
    edges = 700.0 * (10.0 ** (np.linspace(0.0, _mel(RATE / 2), N_BANDS + 2) / 2595.0) - 1.0)
    lines = np.arange(FRAME // 2 + 1) * RATE / FRAME
    low, middle, high = (edges[k : k + N_BANDS, None] for k in range(3))
    filters = np.maximum(0.0, np.minimum((lines - low) / (middle - low), (high - lines) / (high - middle)))
    filters.flags.writeable = False
    return filters


@cache
def _sparse_filters() -> csr_array:
    return csr_array(mel_filters())


def _banded(power: np.ndarray) -> np.ndarray:
    # a spectral line lies in two bands at most; and unlike a product of dense matrices this one starts no threads
    return (_sparse_filters() @ power.T).T


@cache
def _window() -> np.ndarray:
    return np.hanning(FRAME + 1)[:-1]  # periodic, as spectra want it


def _mel(frequency: float) -> float:
    return 2595.0 * np.log10(1.0 + frequency / 700.0)


def _frames(sound: np.ndarray) -> np.ndarray:
    """Return the power spectra of the frames, (n_frames, FRAME // 2 + 1)."""
    sound = np.asarray(sound, np.float64)
    if sound.ndim != 1 or len(sound) < FRAME:
        raise ValueError(f"sound has the shape {sound.shape}; expected one row of at least {FRAME} samples")
    if not np.isfinite(sound).all():
        raise ValueError(f"sound: sample {int(np.argmin(np.isfinite(sound)))} is not finite; expected numbers")
    frames = np.lib.stride_tricks.sliding_window_view(sound, FRAME)[::HOP]
    spectra = rfft(frames * _window(), axis=1)
    return spectra.real**2 + spectra.imag**2
