"""What a page shows, as the query of its address and back: a link opens the page as it was copied.

Nothing in a link is trusted: what is unknown or out of range is left out and told, and the page's default stands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import parse_qsl, quote

from streamlab.learners import Learner, Tunable
from streamlab.measures import MEASURES
from streamlab.views.kit.text import shown
from streamlab.views.page.link_texts import MOST_DRIFTS, MOST_ROW, parse_drift, parse_spec
from streamlab.views.page.transport import RATES
from streamlab.views.timeline.bands import OVER

CHUNK = 100
CHUNKS = (1, 10, 50, 100, 200, 500, 1000)
"""Rows that are predicted together: at first, and as a page offers them."""
SEEDS = (1, 3, 5, 10)
"""How many seeds each learner runs with, as a page offers them."""
LARGEST_SEED = 2**31 - 1
MOST_QUERY, MOST_SETTINGS = 8_000, 100
"""Characters of a query, and settings in it, that are read."""
MOST_TAB, MOST_STEP = 60, 99
NUMBERS = {"seed": (0, LARGEST_SEED), "at": (0, MOST_ROW), "step": (1, MOST_STEP)}
"""Settings that are whole numbers, with their bounds."""
CHOICES: dict[str, Sequence[float]] = {
    "chunk": CHUNKS, "seeds": SEEDS, "speed": [math.inf if rate is None else rate for _, rate in RATES],
}  # fmt: skip
"""Settings that are one of a few numbers."""
OWN = {"theme"}
"""What the browser's side keeps in the address by itself."""


@dataclass(frozen=True)
class Address:
    """What a page shows; None and empty: as the page opens by itself.

    Parameters
    ----------
    stream
        A name that the page offers.
    spec
        A stream that the drift laboratory makes, as ``drift_links.write_spec`` writes it.
    learners, river
        Names that the page offers.
    seed
        Of everything random in the learners.
    seeds
        Of ``SEEDS``: how many each learner runs with.
    chunk
        Of ``CHUNKS``.
    speed
        Instances a second, of ``transport.RATES``; infinity: flat out.
    measures, over
        What is drawn.
    tab
        The title of the tab that is open.
    drifts
        Those that the stream has from the run's beginning, as ``drift_links.drifts_of`` writes them.
    at
        Rows that the run has passed; one more than the stream has: it has ended.
    lesson, step
        The lesson that is open, a name that the page offers, and which of its steps, from 1.
    parameters
        By learner, its tunable parameters that are not as the page makes them when the run begins.
    """

    stream: str | None = None
    spec: str | None = None
    learners: tuple[str, ...] = ()
    river: tuple[str, ...] = ()
    seed: int | None = None
    seeds: int | None = None
    chunk: int | None = None
    speed: float | None = None
    measures: tuple[str, ...] = ()
    over: str | None = None
    tab: str | None = None
    drifts: tuple[str, ...] = ()
    at: int | None = None
    lesson: str | None = None
    step: int | None = None
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def query(self) -> str:
        """Return it as the query of an address, without the question mark; "" if it says nothing."""
        parts = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "parameters" or value is None or value == ():
                continue
            several = value if isinstance(value, tuple) else (value,)
            parts += [f"{each.name}={quote(_text(one), safe='')}" for one in several]
        for learner, parameters in self.parameters.items():
            parts += [f"{quote(f'{learner}.{name}', safe='')}={quote(_text(v))}" for name, v in parameters.items()]
        return "&".join(parts)

    def without(self, other: Address) -> Address:
        """Return it without what the other says too: a link says what is not as the page opens by itself."""
        same: dict[str, Any] = {
            each.name: each.default
            for each in fields(self)
            if each.name != "parameters" and getattr(self, each.name) == getattr(other, each.name)
        }
        if other.river and ("learners" in same) != ("river" in same):
            # a page that is asked for learners has those alone
            same = {name: value for name, value in same.items() if name not in ("learners", "river")}
        return replace(self, **same)


def parse(
    query: str,
    *,
    streams: Sequence[str],
    learners: Sequence[str],
    river: Sequence[str],
    lessons: Sequence[str] = (),
) -> tuple[Address, list[str]]:
    """Return what a query asks for, and a line for everything in it that cannot be had.

    Parameters
    ----------
    query
        The query of an address, with or without the question mark.
    streams, learners, river, lessons
        What the page offers.

    Examples
    --------
    >>> known = dict(streams=["yeast"], learners=["SMART", "MLHAT"], river=[])
    >>> address, refused = parse("?stream=yeast&learners=SMART&learners=Nobody&seed=3&SMART.half_life=50", **known)
    >>> address.stream, address.learners, address.seed, address.parameters
    ('yeast', ('SMART',), 3, {'SMART': {'half_life': '50'}})
    >>> refused
    ['learners=Nobody: not offered here']
    """
    if len(query) > MOST_QUERY:
        return Address(), [f"the link has {len(query):,} characters; expected at most {MOST_QUERY:,}"]
    found: dict[str, Any] = {}
    parameters: dict[str, dict[str, str]] = {}
    refused: list[str] = []
    measures = [name for name, measure in MEASURES.items() if measure.has_curve]
    offered = {"stream": streams, "learners": learners, "river": river, "lesson": lessons, "measures": measures}
    pairs = [pair for pair in query.lstrip("?").split("&") if pair]
    if len(pairs) > MOST_SETTINGS:
        refused.append(f"the link has {len(pairs)} settings; the first {MOST_SETTINGS} are read")
    for name, text in parse_qsl("&".join(pairs[:MOST_SETTINGS]), keep_blank_values=True):
        if name in OWN:
            continue
        learner, _, parameter = name.rpartition(".")
        if learner:
            parameters.setdefault(learner, {})[parameter] = text
            continue
        try:
            value = _read(name, text, offered)
        except ValueError as error:
            refused.append(f"{shown(name, 40)}={shown(text, 60)}: {error}")
            continue
        if name == "drifts":
            found[name] = (*found.get(name, ()), value)[:MOST_DRIFTS]
        elif name in ("learners", "river", "measures"):
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), value)))
        else:
            found[name] = value
    return Address(**found, parameters=parameters), refused


def _read(name: str, text: str, offered: Mapping[str, Sequence[str]]) -> Any:
    """Return the value of a setting; raises a ValueError that says what was expected."""
    if name in offered or name == "over":
        if text not in offered.get(name, OVER):
            raise ValueError("not offered here")
        return text
    if name in NUMBERS:
        (low, high), number = NUMBERS[name], _number(text)
        if number is None or not number.is_integer() or not low <= number <= high:
            raise ValueError(f"expected a whole number from {low} to {high:,}")
        return int(number)
    if name in CHOICES:
        value = next((each for each in CHOICES[name] if each == _number(text)), None)
        if value is None:
            raise ValueError(f"expected {', '.join(map(_text, CHOICES[name]))}")
        return value
    if name == "drifts":
        parse_drift(text)
    elif name == "spec":
        if offered["stream"]:
            raise ValueError("not offered here")
        parse_spec(text)
    elif name != "tab":
        raise ValueError("a page has no such setting")
    return text[:MOST_TAB] if name == "tab" else text


def tuned(made: Mapping[str, Learner], asked: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Set parameters of new learners to values or texts of a link, and return a line for each that cannot be."""
    refused = []
    for name, parameters in asked.items():
        learner = made.get(name)
        known = {} if learner is None else {each.name: each for each in learner.tunables}
        for parameter, value in parameters.items():
            entry = f"{shown(name, 40)}.{shown(parameter, 40)}={shown(value, 40)}"
            if learner is None or parameter not in known:
                refused.append(f"{entry}: no such parameter here")
                continue
            try:
                learner.tune(**{parameter: value_of(known[parameter], value)})
            except ValueError as error:
                refused.append(f"{shown(name, 40)}: {error}")
    return refused


def value_of(tunable: Tunable, value: Any) -> Any:
    """Return a parameter's value from the text that a link has; what is not a text stays."""
    if not isinstance(value, str):
        return value
    for choice in tunable.choices:
        if value == _text(choice):
            return choice
    if value == "None":
        return None
    number = _number(value)
    return value if number is None else number


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == float(f"{value:g}") else str(value)
