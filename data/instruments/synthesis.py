"""A note's sound from the instrument, the player and how it is played: a few lines of physics for each kind."""

from __future__ import annotations

import math
from functools import cache, singledispatch
from typing import NamedTuple

import numpy as np
from scipy.signal import lfilter
from scipy.special import jn_zeros, jv

from instruments._kernels import (
    add_harmonics,
    add_modes,
    plucked_string,
    resonated,
    reverberated,
    white_noise,
)
from instruments.mfcc import RATE
from instruments.orchestra import (
    Bars,
    Blown,
    Bowed,
    Drum,
    Instrument,
    Pitched,
    Plate,
    Plucked,
    StruckString,
    Sustained,
)

MOST_HARMONICS = 60
BAND = 0.95 * RATE / 2  # Hz; partials above it are left out
DYNAMIC_RANGE_DB = 30.0
FADE = 160  # samples, 10 ms


class Player(NamedTuple):
    """A player with an instrument of their own: deviations from the instrument's usual numbers, each in [-1, 1]."""

    body: float = 0.0
    air: float = 0.0
    brightness: float = 0.0
    sustain: float = 0.0
    attack: float = 0.0
    noise: float = 0.0
    vibrato: float = 0.0
    rate: float = 0.0
    tuning: float = 0.0
    position: float = 0.0
    size: float = 0.0
    hardness: float = 0.0


class Note(NamedTuple):
    """How a note is played and recorded: each but the last a share of its range, in [0, 1).

    ``pitch`` from the lowest to the highest semitone, ``force`` from pianissimo to fortissimo, ``length`` from 0.6 to
    1 s; ``style`` is vibrato or none, and which mallets; ``position`` where the string or skin is excited; ``seed`` of
    the noises.
    """

    pitch: float = 0.5
    force: float = 0.5
    length: float = 0.5
    style: float = 0.5
    position: float = 0.5
    attack: float = 0.5
    tuning: float = 0.5
    colour: float = 0.5
    room: float = 0.5
    distance: float = 0.5
    hiss: float = 0.5
    seed: int = 0


def recorded(instrument: Instrument, player: Player, note: Note, wear: int = 0) -> np.ndarray:
    """The note in a room, through a microphone.

    Parameters
    ----------
    instrument
        A value of ``ORCHESTRA``.
    player, note
        Who plays, and how.
    wear
        How often the microphone has been replaced by a worse one; 0 for a good one.

    Returns
    -------
    Array of shape (n,) of float64 in [-1, 1] at ``RATE`` samples per second.
    """
    sound = dry(instrument, player, note)
    sound[-FADE:] *= np.linspace(1.0, 0.0, FADE)  # what still sounds is let go, not cut
    sound *= 10.0 ** (-DYNAMIC_RANGE_DB * (1.0 - note.force) / 20.0) / np.abs(sound).max()
    # from a dry studio to a small hall; further away there is more of the room
    sound = reverberated(sound, 0.2 + 0.6 * note.room, 0.02 + 0.13 * note.distance, float(RATE))
    sound *= 0.7
    return np.clip(_microphone(sound, note, wear), -1.0, 1.0)


def dry(instrument: Instrument, player: Player, note: Note) -> np.ndarray:
    """The note as the instrument gives it, (n,) at ``RATE``, of any amplitude."""
    n = int(RATE * (0.6 + 0.4 * note.length))
    return _sound(instrument, player, note, n)


def pitch(instrument: Pitched, player: Player, note: Note) -> float:
    """The note's fundamental in Hz: a semitone of the range, and how far the player is out of tune (up to 15 cents)."""
    semitone = instrument.low + int(note.pitch * (instrument.high - instrument.low + 1))
    return midi(semitone + 0.10 * player.tuning + 0.05 * (2.0 * note.tuning - 1.0))


def midi(number: float) -> float:
    """The frequency in Hz of a MIDI note number."""
    return 440.0 * 2.0 ** ((number - 69.0) / 12.0)


# ---------------------------------------------------------------------- the kinds of sound


@singledispatch
def _sound(instrument: object, player: Player, note: Note, n: int) -> np.ndarray:
    raise TypeError(f"{instrument!r} is not an instrument of the orchestra")


@_sound.register
def _bowed(it: Bowed, player: Player, note: Note, n: int) -> np.ndarray:
    """Helmholtz motion: the string sticks to the bow and slips once a period, so that its force on the bridge is a
    sawtooth, its corner rounded by a light bow (Cremer); near the bow's nodes harmonics are weak."""
    f = pitch(it, player, note)
    number = np.arange(1, _n_harmonics(f) + 1)
    corner = (12.0 + 30.0 * note.force) * 2.0 ** (0.8 * player.brightness)
    bow = (0.06 + 0.12 * note.position) * 2.0 ** (0.3 * player.position)
    amplitudes = np.exp(-number / corner) / number * (0.35 + 0.65 * np.abs(np.sin(np.pi * bow * number)))
    attack = 0.06 * 2.0 ** (player.attack + 2.0 * note.attack - 1.0)
    envelope = _swell(n, attack, 0.08)
    out = np.zeros(n)
    add_harmonics(_vibrato(f, n, player, note, 18.0), envelope, amplitudes, 0.02, float(RATE), out)
    noise = _lowpass(white_noise(note.seed, n), 3000.0)
    out += _noise_level(it.noise, player, note) * np.sqrt((amplitudes**2).sum()) * envelope * noise
    return _through_body(out, it.body, player, 0.25)


@_sound.register
def _plucked(it: Plucked, player: Player, note: Note, n: int) -> np.ndarray:
    """A burst of noise one period long, softened by the finger or plectrum and combed by where it plucks, in a loop."""
    f = pitch(it, player, note)
    period = RATE / f
    reach = it.plectrum * 2.0 ** (0.8 * player.brightness + 1.6 * (note.force - 0.5))
    burst = _lowpass(white_noise(note.seed, max(int(period), 2)), reach)
    position = it.position * 2.0 ** (0.3 * player.position + 0.8 * (note.position - 0.5))
    away = max(round(position * period), 1)
    excitation = np.zeros(len(burst) + away)
    excitation[: len(burst)] += burst
    excitation[away:] -= burst
    damping = min(it.damping * 2.0 ** (0.5 * (note.colour - 0.5) - 0.4 * player.brightness), 0.5)
    out = np.empty(n)
    plucked_string(excitation, f, _sustain(it, f, player), damping, float(RATE), out)
    return _through_body(out, it.body, player, 0.6)


@_sound.register
def _struck_string(it: StruckString, player: Player, note: Note, n: int) -> np.ndarray:
    """Stiff strings, whose partials are stretched, struck by a felt that is the harder the faster it comes."""
    f = pitch(it, player, note)
    middle = midi((it.low + it.high) / 2)
    stiffness = it.stiffness * f / middle
    number = np.arange(1, _n_harmonics(f) + 1)
    ratios = number * np.sqrt(1.0 + stiffness * number**2)
    contact = 1e-3 * it.contact * (f / middle) ** -0.4 * 2.0 ** (-0.5 * player.hardness - 1.6 * note.force + 0.4)
    position = it.position * 2.0 ** (0.15 * player.position + 0.2 * (note.position - 0.5))
    amplitudes = np.sin(np.pi * position * number) * _contact(f * ratios, contact)
    t60 = _sustain(it, f, player) / (1.0 + (f * ratios / 3000.0))
    out = np.zeros(n)
    for string in range(it.strings):
        # a few tenths of a cent between neighbours, more if the tuner has not been there: slow beats
        cents = (string - (it.strings - 1) / 2) * (0.4 + 1.2 * note.colour)
        add_modes(f * ratios * 2.0 ** (cents / 1200.0), amplitudes, t60, float(RATE), out)
    knock = _lowpass(white_noise(note.seed, n), 800.0) * np.exp(-np.arange(n) / (0.008 * RATE))
    out += 0.15 * it.strings * np.sqrt((amplitudes**2).sum()) * 2.0**player.noise * knock
    return _through_body(out, it.body, player, 0.6)


@_sound.register
def _blown(it: Blown, player: Player, note: Note, n: int) -> np.ndarray:
    """Harmonics that the bore and the bell shape, brighter when blown harder, and the breath beside them."""
    f = pitch(it, player, note)
    number = np.arange(1, _n_harmonics(f) + 1)
    at = f * number
    force = note.force - 0.5
    level = -(it.tilt + 2.0 * player.brightness - 4.0 * (2.0 * it.swell + 0.15) * force) * np.log2(number)
    # tone holes and bells turn resonances off above the cutoff, and with them what tells even from odd
    cutoff = it.cutoff * 2.0 ** (0.25 * player.air + 0.7 * force)
    level -= 5.0 * np.log2(1.0 + (at / cutoff) ** 2)
    level -= np.where(number % 2 == 0, it.even * 2.0 ** (0.2 * player.air) / (1.0 + (at / (1.5 * it.cutoff)) ** 4), 0.0)
    for i, (formant, gain) in enumerate(it.formants):
        middle = formant * 2.0 ** (0.15 * (player.body if i == 0 else player.size))
        level += (gain + 3.0 * player.hardness) * np.exp(-((np.log2(at / middle) / 0.5) ** 2))
    level += 1.0 * (2.0 * note.colour - 1.0) * np.log2(at / 1000.0)  # the embouchure, from note to note
    amplitudes = 10.0 ** (level / 20.0)
    attack = 1e-3 * it.attack * 2.0 ** (0.7 * player.attack + 2.0 * note.attack - 1.0)
    envelope = _swell(n, attack, 0.06)
    out = np.zeros(n)
    add_harmonics(_vibrato(f, n, player, note, it.vibrato), envelope, amplitudes, it.swell, float(RATE), out)
    # the air rushes as broad noise, and the bore answers at its resonances
    noise = _lowpass(white_noise(note.seed, n), 2500.0)
    bore = f * np.arange(1.0, 4.0)
    noise = resonated(noise, bore, 0.05 * bore, np.array([2.0, 1.4, 1.0]), 0.5, float(RATE))
    out += _noise_level(it.breath, player, note) * np.sqrt((amplitudes**2).sum()) * np.sqrt(envelope) * noise
    return out


@_sound.register
def _bars(it: Bars, player: Player, note: Note, n: int) -> np.ndarray:
    """The bending modes of a bar, those reached that the mallet leaves time for."""
    f = pitch(it, player, note)
    ratios = np.array(it.ratios)
    # makers tune the upper modes, players do not: they differ from set to set
    ratios[1:] *= 2.0 ** (0.03 * player.body + 0.02 * player.size * np.arange(len(ratios) - 1))
    amplitudes = _contact(f * ratios, _mallet(it.contact, player, note)) / np.sqrt(ratios)
    # struck off its middle the second mode joins in more
    amplitudes[1:] *= 0.35 + 0.9 * note.position
    amplitudes[0] *= it.resonator * 2.0 ** (0.3 * player.air)
    out = np.zeros(n)
    add_modes(f * ratios, amplitudes, _sustain(it, f, player) * ratios**-it.loss, float(RATE), out)
    knock = white_noise(note.seed, n) * np.exp(-np.arange(n) / (0.004 * RATE))
    reach = 500.0 + 3000.0 * _hardness(player, note)
    out += _noise_level(it.knock, player, note) * np.abs(amplitudes).sum() * _lowpass(knock, reach)
    return out


@_sound.register
def _plate(it: Plate, player: Player, note: Note, n: int) -> np.ndarray:
    """A plate's modes lie evenly dense in frequency; the low ones feed the high, which bloom late and fade soon."""
    lowest = it.lowest * 2.0 ** (0.35 * player.size)
    spacing = it.spacing * 2.0 ** (0.3 * player.body)
    count = int((BAND - lowest) / spacing)
    # the plate's modes are its own: drawn from the player, and the same at every stroke
    own = int(2.0**40 * (player.size + 1.0)) ^ int(2.0**20 * (player.body + 1.0))
    frequencies = lowest + spacing * (np.arange(count) + 0.4 * white_noise(own, count))
    frequencies = np.maximum(frequencies, 0.5 * lowest)
    contact = _mallet(it.contact, player, note)
    spread = 1.0 / (1.0 + (frequencies / (2500.0 * 2.0 ** (player.brightness + 2.0 * (note.force - 0.5)))) ** 2)
    # where it is struck decides how much of each mode is heard: that does change
    weights = np.abs(white_noise(note.seed + 1, count)) * (_contact(frequencies, contact) + 0.6 * note.force * spread)
    t60 = it.sustain * 2.0 ** (0.5 * player.sustain) * (frequencies / lowest) ** -it.loss
    bloom = it.bloom * 2.0 ** (0.5 * player.attack) * frequencies / 1000.0
    out = np.zeros(n)
    add_modes(frequencies, weights, t60, float(RATE), out)
    # a mode that grows is one that fades less another that fades sooner
    add_modes(frequencies, -weights, 1.0 / (1.0 / t60 + 1.0 / (6.9 * np.maximum(bloom, 1e-3))), float(RATE), out)
    time = np.arange(n) / RATE
    crash = white_noise(note.seed, n) * (1.0 - np.exp(-time / max(it.bloom, 1e-3))) * np.exp(-time / (0.1 * it.sustain))
    crash -= _lowpass(crash, 2000.0)
    out += it.crash * (0.3 + note.force) * 2.0 ** (0.5 * player.noise) * np.sqrt((weights**2).sum()) * crash
    return out


@_sound.register
def _drum(it: Drum, player: Player, note: Note, n: int) -> np.ndarray:
    """A membrane's modes, as loud as the skin is free where it is struck; and wires that rattle with it."""
    if it.tunable:
        f = pitch(it, player, note)
    else:
        # the skin was tightened once; a hard stroke stretches it a little
        f = midi((it.low + it.high) / 2 + 0.5 * (it.high - it.low) * player.size + 0.4 * note.force)
    if it.ratios:
        ratios = np.array(it.ratios) * 2.0 ** (0.02 * player.body * np.arange(len(it.ratios)))
        amplitudes = 0.5 + 0.5 * np.cos(np.arange(len(ratios)) * (0.5 + 1.2 * note.position))
        losses = ratios**-it.loss
    else:
        ratios, amplitudes = _membrane(round(0.15 + 0.5 * note.position + 0.1 * player.position, 2))
        losses = ratios**-it.loss
    amplitudes = amplitudes * _contact(f * ratios, _mallet(it.contact, player, note))
    t60 = it.sustain * 2.0 ** (0.5 * player.sustain + 0.4 * (note.colour - 0.5)) * losses
    out = np.zeros(n)
    add_modes(f * ratios, amplitudes, t60, float(RATE), out)
    scale = np.sqrt((amplitudes**2).sum())
    decay = np.exp(-np.arange(n) / (0.004 * RATE))
    out += 0.3 * scale * 2.0 ** (0.7 * player.noise) * _lowpass(white_noise(note.seed, n) * decay, 2000.0)
    if it.wires:
        rattle = white_noise(note.seed + 1, n) * np.exp(-6.9 * np.arange(n) / (RATE * (0.25 + 0.1 * player.air)))
        rattle -= _lowpass(rattle, 900.0 * 2.0 ** (0.4 * player.body))
        out += it.wires * 2.0 ** (0.7 * player.noise) * scale * _lowpass(rattle, 6000.0)
    return out


# ---------------------------------------------------------------------- what they share


def _n_harmonics(frequency: float) -> int:
    return max(1, min(MOST_HARMONICS, int(BAND / frequency)))


def _sustain(it: Sustained, frequency: float, player: Player) -> float:
    """Lower strings and bars sound longer."""
    return it.sustain * (midi((it.low + it.high) / 2) / frequency) ** 0.5 * 2.0 ** (0.4 * player.sustain)


def _hardness(player: Player, note: Note) -> float:
    """Of the mallets chosen, 0 to 1: players have their own, and take others for other styles."""
    return 0.5 + 0.25 * player.hardness + 0.25 * (2.0 * note.style - 1.0)


def _mallet(contact: float, player: Player, note: Note) -> float:
    """Seconds of contact: less for a hard mallet, and for a hard stroke."""
    return 1e-3 * contact * 2.0 ** (1.0 - 2.0 * _hardness(player, note) - 1.0 * (note.force - 0.5))


def _contact(frequencies: np.ndarray, seconds: float) -> np.ndarray:
    """What a half-sine push of that length leaves of each frequency: 1 for low ones, little from 1.5 / seconds on."""
    x = 2.0 * seconds * frequencies
    near = np.abs(x - 1.0) < 1e-6
    x = np.where(near, 0.0, x)
    return np.where(near, math.pi / 4.0, np.abs(np.cos(0.5 * math.pi * x) / (1.0 - x * x)))


def _swell(n: int, attack: float, release: float) -> np.ndarray:
    """A sustained tone's envelope: up within ``attack`` seconds, a slow fall, down within the last ``release``."""
    time = np.arange(n) / RATE
    rise = 1.0 - np.exp(-3.0 * time / attack)
    fall = np.clip((n / RATE - time) / release, 0.0, 1.0)
    return rise * fall * (1.0 - 0.15 * time)


def _vibrato(frequency: float, n: int, player: Player, note: Note, cents: float) -> np.ndarray:
    """The frequency over time: straight in two notes of five, else up and down five to seven times a second."""
    if note.style < 0.4:
        return np.full(n, frequency)
    time = np.arange(n) / RATE
    depth = cents * 2.0 ** (0.7 * player.vibrato) * np.minimum(1.0, time / 0.25)
    wave = np.sin(2.0 * math.pi * ((6.0 + player.rate) * time + note.colour))
    return frequency * 2.0 ** (depth * wave / 1200.0)


def _noise_level(level: float, player: Player, note: Note) -> float:
    """A soft tone has more noise beside it than a loud one."""
    return level * 2.0 ** (0.8 * player.noise - 1.5 * (note.force - 0.5))


def _through_body(signal: np.ndarray, body: tuple[float, ...], player: Player, direct: float) -> np.ndarray:
    """The string's force through the body: no two bodies have their resonances in the same place."""
    shifts = np.array([player.body, player.air, player.size, player.hardness, player.position])[: len(body)]
    frequencies = np.array(body) * 2.0 ** (0.15 * shifts)
    # nor are they as strong: by up to 6 dB either way
    gains = 10.0 ** (0.3 * np.array([player.attack, player.sustain, player.noise, player.brightness, player.rate]))
    gains = gains[: len(body)]
    return resonated(signal, frequencies, 0.18 * frequencies, gains, direct, float(RATE))


def _lowpass(signal: np.ndarray, cutoff: float) -> np.ndarray:
    """A one-pole lowpass: 6 dB an octave from ``cutoff`` Hz on."""
    pole = math.exp(-2.0 * math.pi * min(cutoff, BAND) / RATE)
    return lfilter([1.0 - pole], [1.0, -pole], signal)


@cache
def _membrane(position: float) -> tuple[np.ndarray, np.ndarray]:
    """The ideal membrane's modes up to five diameters and five circles: ratios to the lowest, and how much of each a
    stroke at ``position`` (share of the radius) brings out."""
    zeros = np.array([jn_zeros(m, 5) for m in range(6)])
    order = np.repeat(np.arange(6), 5).reshape(6, 5)
    shape = np.abs(jv(order, zeros * position) / jv(order + 1, zeros))
    ratios, shape = (zeros / zeros[0, 0]).ravel(), (shape * np.where(order == 0, 1.0, math.sqrt(2.0))).ravel()
    ratios.flags.writeable = shape.flags.writeable = False
    return ratios, shape / shape.max()


def _microphone(sound: np.ndarray, note: Note, wear: int) -> np.ndarray:
    """Its noise, and for a worse one less of the highs and lows, more noise, and an early overload."""
    # a good condenser microphone's own noise in a quiet studio to that of a quiet living room, below full scale
    level_db = -85.0 + 20.0 * note.hiss
    for _ in range(wear):
        sound = _lowpass(_lowpass(sound, 2500.0), 4500.0)
        sound = sound - _lowpass(sound, 150.0)
        sound = np.tanh(2.5 * sound) / 2.5
        level_db += 20.0
    hiss = white_noise(note.seed + 2, len(sound))
    return sound + 10.0 ** (level_db / 20.0) * hiss
