"""The instruments: where each is in the tree of Hornbostel and Sachs, and the numbers its sound is made from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bowed:
    """A bowed string. ``low``, ``high``: the range as MIDI note numbers (60: middle C), here and below.

    body
        Resonances of the body in Hz: the air, the plates, and the hill at the bridge.
    noise
        The bow's scratch beside the tone, as a ratio of amplitudes.
    """

    low: int
    high: int
    body: tuple[float, ...]
    noise: float


@dataclass(frozen=True)
class Plucked:
    """A plucked string.

    sustain
        Seconds in which the middle of the range fades by 60 dB; lower notes sound longer, higher ones shorter.
    damping
        How much sooner high partials fade, 0 to 0.5.
    position
        Where it is plucked, as a share of its length from the bridge.
    plectrum
        How sharp the plectrum is: the partials in Hz up to which the pluck reaches in full.
    body
        Resonances of the body in Hz.
    """

    low: int
    high: int
    sustain: float
    damping: float
    position: float
    plectrum: float
    body: tuple[float, ...]


@dataclass(frozen=True)
class StruckString:
    """Strings struck by a hammer, ``strings`` to a note and not quite in tune with each other.

    sustain, body
        As of ``Plucked``.
    stiffness
        B in f_n = n f sqrt(1 + B n^2), in the middle of the range; it doubles with each octave.
    contact
        Milliseconds that the hammer stays on the middle string when struck softly.
    position
        Where it strikes, as a share of the length.
    """

    low: int
    high: int
    sustain: float
    stiffness: float
    contact: float
    position: float
    strings: int
    body: tuple[float, ...]


@dataclass(frozen=True)
class Blown:
    """An air column kept sounding by an edge, a reed or the lips.

    even
        By how many dB even harmonics are weaker, well below ``cutoff``: a closed cylinder has odd ones alone.
    tilt
        By how many dB harmonics fall per octave.
    cutoff
        Hz from which on the tone holes or the bell let the sound out, so that there is no resonance: a further fall.
    formants
        Pairs (Hz, dB): ranges that the bore favours whatever the note.
    breath
        Noise of the air beside the tone, as a ratio of amplitudes.
    attack
        Milliseconds until the tone has its full strength.
    swell
        How much the n-th harmonic grows faster than the tone when it is blown harder (see ``add_harmonics``).
    vibrato
        Cents up and down, where the player uses it.
    """

    low: int
    high: int
    even: float
    tilt: float
    cutoff: float
    formants: tuple[tuple[float, float], ...]
    breath: float
    attack: float
    swell: float
    vibrato: float


@dataclass(frozen=True)
class Bars:
    """A tuned bar on its nodes.

    ratios
        Its bending modes by frequency, as ratios to the lowest: 1, 2.76, 5.40, 8.93 of an even bar, others if undercut.
    sustain
        As of ``Plucked``.
    loss
        The modes fade in ``sustain * ratio ** -loss``: wood loses much, metal little.
    contact
        Milliseconds that the mallet stays on the bar when struck softly.
    resonator
        Gain of a tube tuned to the lowest mode, 1 for none.
    knock
        Amplitude of the mallet's own noise.
    """

    low: int
    high: int
    ratios: tuple[float, ...]
    sustain: float
    loss: float
    contact: float
    resonator: float
    knock: float


@dataclass(frozen=True)
class Plate:
    """A cymbal or a gong: many modes, evenly dense in frequency, the high ones fed by the low.

    lowest, sustain, loss, contact
        Hz of the lowest mode, and as of ``Bars``.
    spacing
        Mean distance in Hz between modes.
    bloom
        Seconds in which a mode at 1,000 Hz grows; others in proportion to their frequency.
    crash
        Amplitude of the noise of modes too dense to be told apart.
    """

    lowest: float
    spacing: float
    sustain: float
    loss: float
    contact: float
    bloom: float
    crash: float


@dataclass(frozen=True)
class Drum:
    """A membrane.

    low, high
        Range of the lowest mode that is heard, as MIDI note numbers: of the notes if ``tunable``, else of the sizes.
    ratios
        The modes as ratios to it; empty for an ideal membrane, whose modes are the zeros of Bessel functions.
    sustain, loss, contact
        As of ``Bars``.
    wires
        Amplitude of the snares' noise.
    tunable
        Whether the player tunes it to the note.
    """

    low: int
    high: int
    ratios: tuple[float, ...]
    sustain: float
    loss: float
    contact: float
    wires: float
    tunable: bool


Instrument = Bowed | Plucked | StruckString | Blown | Bars | Plate | Drum
"""Any instrument."""
Pitched = Bowed | Plucked | StruckString | Blown | Bars | Drum
"""An instrument that plays the note it is asked for."""
Sustained = Plucked | StruckString | Bars
"""An instrument whose notes fade, the higher ones sooner."""

_TIMPANI = (1.0, 1.5, 1.99, 2.44, 2.89)  # the preferred modes (1,1), (2,1), … under the load of the air

# Paths from the family down. Ranges are the instruments' usual ones; body resonances, formants and mode ratios follow
# Fletcher and Rossing, "The Physics of Musical Instruments" (2nd ed., 1998), and Meyer, "Acoustics and the Performance
# of Music" (5th ed., 2009), rounded; losses, contact times and noises are of the right order.
ORCHESTRA: dict[str, Instrument] = {
    #                                     low high  body (Hz)                                 noise
    "chordophones/bowed/violin": Bowed(55, 100, (275.0, 460.0, 550.0, 1000.0, 2600.0), 0.050),
    "chordophones/bowed/viola": Bowed(48, 91, (230.0, 350.0, 430.0, 800.0, 2000.0), 0.055),
    "chordophones/bowed/cello": Bowed(36, 76, (105.0, 175.0, 220.0, 400.0, 1500.0), 0.060),
    "chordophones/bowed/double_bass": Bowed(28, 67, (60.0, 98.0, 160.0, 300.0, 900.0), 0.080),
    #                                           low high  s  damping pos. plectrum  body (Hz)
    "chordophones/plucked/guitar": Plucked(40, 83, 3.0, 0.15, 0.22, 2500.0, (100.0, 200.0, 400.0, 650.0)),
    "chordophones/plucked/banjo": Plucked(48, 86, 0.9, 0.06, 0.12, 5000.0, (280.0, 550.0, 900.0, 1500.0)),
    "chordophones/plucked/harp": Plucked(28, 96, 3.5, 0.30, 0.40, 1800.0, (150.0, 250.0, 420.0, 700.0)),
    "chordophones/plucked/harpsichord": Plucked(29, 89, 4.0, 0.03, 0.14, 7000.0, (130.0, 300.0, 500.0, 1100.0)),
    #                                              low high  s  stiffness ms  pos. strings body (Hz)
    "chordophones/struck/piano": StruckString(21, 108, 6.0, 4.0e-4, 2.2, 0.12, 3, (95.0, 180.0, 350.0, 1000.0)),
    "chordophones/struck/dulcimer": StruckString(43, 86, 3.0, 1.5e-4, 0.8, 0.16, 4, (180.0, 350.0, 700.0, 1300.0)),
    #                                      low high even tilt cutoff  formants (Hz, dB)        breath ms swell cents
    "aerophones/edge-blown/flute": Blown(60, 96, 0.0, 10.0, 2000.0, ((700.0, 3.0),), 0.060, 60.0, 0.10, 20.0),
    "aerophones/edge-blown/piccolo": Blown(74, 108, 0.0, 12.0, 4000.0, ((1500.0, 3.0),), 0.080, 45.0, 0.10, 18.0),
    "aerophones/edge-blown/recorder": Blown(65, 91, 9.0, 13.0, 1600.0, ((900.0, 2.0),), 0.045, 30.0, 0.02, 8.0),
    "aerophones/reeds/single/clarinet": Blown(
        50, 94, 26.0, 5.0, 1500.0, ((1600.0, 3.0), (3400.0, 5.0)), 0.012, 45.0, 0.12, 3.0
    ),
    "aerophones/reeds/single/saxophone": Blown(
        49, 87, 1.0, 4.5, 1100.0, ((620.0, 6.0), (1800.0, 5.0)), 0.030, 40.0, 0.15, 22.0
    ),
    "aerophones/reeds/double/oboe": Blown(
        58, 91, 0.0, 2.0, 1300.0, ((1100.0, 9.0), (2900.0, 8.0)), 0.010, 30.0, 0.08, 15.0
    ),
    "aerophones/reeds/double/english_horn": Blown(
        52, 81, 0.0, 2.5, 950.0, ((930.0, 9.0), (2300.0, 6.0)), 0.010, 35.0, 0.08, 15.0
    ),
    "aerophones/reeds/double/bassoon": Blown(
        34, 72, 0.0, 3.0, 500.0, ((500.0, 11.0), (1150.0, 6.0)), 0.015, 40.0, 0.09, 12.0
    ),
    "aerophones/brass/trumpet": Blown(54, 86, 0.0, 2.0, 1500.0, ((1200.0, 6.0), (2200.0, 3.0)), 0.012, 35.0, 0.30, 6.0),
    "aerophones/brass/horn": Blown(34, 77, 0.0, 3.5, 700.0, ((340.0, 8.0), (750.0, 3.0)), 0.015, 50.0, 0.35, 2.0),
    "aerophones/brass/trombone": Blown(40, 74, 0.0, 2.5, 800.0, ((520.0, 7.0), (1500.0, 3.0)), 0.014, 45.0, 0.30, 5.0),
    "aerophones/brass/tuba": Blown(28, 60, 0.0, 4.5, 400.0, ((230.0, 8.0), (450.0, 3.0)), 0.020, 60.0, 0.35, 2.0),
    #                                       low high ratios                           s  loss  ms  tube knock
    "idiophones/bars/xylophone": Bars(65, 108, (1.0, 3.0, 6.1, 9.8), 0.55, 1.2, 0.5, 1.5, 0.20),
    "idiophones/bars/marimba": Bars(48, 96, (1.0, 4.0, 9.9, 16.5), 1.2, 1.4, 1.6, 3.0, 0.12),
    "idiophones/bars/vibraphone": Bars(53, 89, (1.0, 4.0, 10.0, 17.0), 6.0, 0.9, 1.2, 3.0, 0.04),
    "idiophones/bars/glockenspiel": Bars(79, 108, (1.0, 2.756, 5.404, 8.933), 3.5, 0.7, 0.3, 1.0, 0.05),
    #                                      lowest spacing s  loss  ms bloom crash
    "idiophones/plates/cymbal": Plate(220.0, 60.0, 3.0, 0.3, 0.4, 0.02, 0.25),
    "idiophones/plates/gong": Plate(80.0, 45.0, 6.0, 0.4, 4.0, 0.12, 0.04),
    #                                  low high ratios   s  loss  ms wires tunable
    "membranophones/timpani": Drum(40, 57, _TIMPANI, 1.6, 0.4, 5.0, 0.0, True),
    "membranophones/tubular/snare_drum": Drum(52, 58, (), 0.35, 0.6, 1.5, 0.6, False),
    "membranophones/tubular/bass_drum": Drum(28, 36, (), 0.9, 0.7, 7.0, 0.0, False),
}
"""Every instrument by its path in the tree, with the parameters of its sound."""


def _tree() -> dict[str, str | None]:
    parents: dict[str, str | None] = {}
    for path in ORCHESTRA:
        above = None
        for label in path.split("/"):
            if parents.setdefault(label, above) != above:
                raise ValueError(f"{path}: {label!r} has the parent {parents[label]!r} already")
            above = label
    return parents


PARENTS = _tree()
"""Each class, families before the classes below them, and its parent; None for a family."""
