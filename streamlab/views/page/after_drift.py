"""What learners did since a drift, in words: who is back at its level, who is not, and what changed in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from streamlab._checks import percent, plural
from streamlab.learners.base.registry import EventKind
from streamlab.measures import Measure, Recovery
from streamlab.measures.recovery import TOGETHER
from streamlab.views.kit.text import score_text

MOST_NAMED = 4
"""Learners that one sentence names."""
TOO_EARLY = "Too few rows have passed since then to say who fell."
CLEARLY = 0.05
"""By how much a figure is better or worse, at least, where that is said."""
REPLACED = "star"
"""The mark of kinds of events that say that something took the place of what erred."""
VERDICTS = {
    "better": ("does better than before", "do better than before"),
    "back": ("is back at its level", "are back at their levels"),
    "brief": ("{fell} briefly and is back", "{fell} briefly and are back"),
    "down": ("", ""),
    "chance": ("{fell}, perhaps by chance", "{fell}, perhaps by chance"),
    "early": ("{fell}", "{fell}"),
    "spared": ("stayed within its noise", "stayed within their noise"),
}
"""What a drift did to one learner, and to several, in the order in which it is told; who is down has a share."""


class Fallen(NamedTuple):
    """What is seen of one learner's curve since a drift."""

    fall: Recovery
    after: np.ndarray
    """Its points since, at least one."""

    def verdict(self, sign: float) -> str:
        """Return the key of ``VERDICTS``, for a curve that is seen to have fallen; ``sign`` is -1 for a loss."""
        fall = self.fall
        if sign * (float(self.after[-TOGETHER:].mean()) - fall.level) > CLEARLY:
            return "better"
        if fall.is_brief:
            return "brief"
        if fall.is_usual:
            return "chance"
        if fall.points < TOGETHER:
            return "early"
        return "back" if np.isfinite(fall.time) else "down"

    def regained(self, sign: float) -> str:
        """Return which share of its fall the last point regained from the worst one, of the numbers that are shown."""
        level, now = self.fall.level, float(self.after[-1])
        level, worst, now = (round(each, 2) for each in (level, level - sign * self.fall.deepest, now))
        return percent(min(max((now - worst) / (level - worst), 0.0), 1.0) if level != worst else 0.0)


def falls_sentence(
    found: Mapping[str, Fallen],
    measure: Measure,
    *,
    called: Callable[[str], str] = str,
    baselines: Collection[str] = (),
    alarms: Mapping[str, int] | None = None,
    best: str = "",
) -> tuple[str, str]:
    """Return what a drift did to learners, and the same in numbers (empty where nobody fell).

    ``called``: what a learner is called; ``baselines``: names of those that are one; ``alarms``: rows of first alarms,
    by learner; ``best``: who answers best since.
    """
    if not found:
        return TOO_EARLY, ""
    falls = {name: each.fall for name, each in found.items()}
    sign = 1.0 if measure.higher_is_better else -1.0
    worst = {name: fall.level - sign * fall.deepest for name, fall in falls.items()}
    won_back = {name: sign * (float(after[-TOGETHER:].mean()) - fall.low) for name, (fall, after) in found.items()}
    fell = sorted((name for name in falls if falls[name].is_affected), key=lambda name: -won_back[name])
    named = [*fell, *(name for name in falls if name not in fell and falls[name].is_seen)][:MOST_NAMED]
    # who came back furthest first: where there is room for little, that is what is read
    named.sort(key=lambda name: -won_back[name])
    if not named and not all(fall.is_judged for fall in falls.values()):
        return TOO_EARLY, ""
    if not named:
        most = max(falls, key=lambda name: falls[name].deepest)
        none = f"No learner's {measure.title} {'fell' if sign > 0 else 'rose'}"
        if falls[most].deepest < 0.005:
            return f"{none}.", ""
        which = f"{called(most)} most, from {score_text(falls[most].level)} to {score_text(worst[most])}"
        return f"{none} by more than it varies: that of {which}.{_alarms_of(falls, called, alarms)}", ""
    others = [called(name) for name in found if name != best]
    ahead = f"; {called(best)} answers {f'better than {others[0]}' if len(others) == 1 else 'best'}" if best else ""
    sentence = f"{_verdicts(found, named, called, sign)}{ahead}."
    late = {name: won_back[name] + sign * fall.low for name, fall in falls.items()}
    bar = max((name for name in late if name in baselines), key=late.__getitem__, default="")
    behind = [called(name) for name in named if bar and late[name] < late[bar] - CLEARLY]
    sentence += f" Behind {bar} now: {listed(behind)}." if behind else ""
    calm = [name for name, fall in falls.items() if fall.is_judged and (fall.is_usual or name not in named)]
    numbers = ((falls[name].level, worst[name], float(found[name].after[-1])) for name in named)
    rows = [f"{called(name)} {' → '.join(map(score_text, each))}" for name, each in zip(named, numbers, strict=True)]
    figures = f"{measure.title} before → {'lowest' if sign > 0 else 'highest'} → now: {'; '.join(rows)}."
    return sentence + _alarms_of(calm, called, alarms), figures


def _verdicts(found: Mapping[str, Fallen], named: Sequence[str], called: Callable[[str], str], sign: float) -> str:
    """Return a sentence, without its full stop: who is back at its level, who is not, and who never fell."""
    grouped: dict[str, list[str]] = {verdict: [] for verdict in VERDICTS}
    for name in named:
        grouped[found[name].verdict(sign)].append(name)
    grouped["spared"] = [name for name in found if name not in named and found[name].fall.is_judged]
    words = {"fell": "fell", "fall": "fall"} if sign > 0 else {"fell": "rose", "fall": "rise"}
    verdicts = []
    for verdict, (first, *others) in ((verdict, names) for verdict, names in grouped.items() if names):
        if verdict == "down":
            share = f"{called(first)} regained {found[first].regained(sign)} of its {words['fall']}"
            verdicts.append(", ".join([share, *(f"{called(name)} {found[name].regained(sign)}" for name in others)]))
        else:
            verdicts.append(
                f"{listed(map(called, [first, *others]))} {VERDICTS[verdict][bool(others)].format(**words)}"
            )
    return "None is back at its level: " * (1 < len(grouped["down"]) == len(named)) + "; ".join(verdicts)


def _alarms_of(names: Iterable[str], called: Callable[[str], str], alarms: Mapping[str, int] | None) -> str:
    """Tell which learners raised an alarm though their measure did not fall: alarms are of another one."""
    alarmed = [f"{called(name)} at row {alarms[name]:,}" for name in names if name in alarms] if alarms else []
    return f" All the same an error alarm, of Hamming loss: {listed(alarmed)}." if alarmed else ""


def changes_sentences(
    done: Mapping[str, Mapping[str, Sequence[int]]], kinds: Mapping[str, Mapping[str, EventKind]]
) -> tuple[list[str], bool]:
    """Return how often which change took place in whom, and whether these are replacements.

    That something took the place of what erred says more than all that led to it: where it did, that alone is told,
    with its first row, and in whom it did not, of those that change at all.

    ``done``: rows by learner and kind; ``kinds``: kinds of events by learner.
    """
    by_noun: dict[tuple[str, bool], dict[str, Sequence[int]]] = {}
    for learner, each in done.items():
        for name, rows in each.items():
            kind = kinds[learner][name]
            if kind.noun:
                by_noun.setdefault((kind.noun, kind.shape == REPLACED), {})[learner] = rows
    replaced = {key: each for key, each in by_noun.items() if key[1]}
    counts = [_counted(noun, each, at=bool(replaced)) for (noun, _), each in (replaced or by_noun).items()]
    if replaced:
        may = [name for name, own in kinds.items() if any(kind.noun for kind in own.values())]
        none = [name for name in may if not any(name in each for each in replaced.values())]
        counts[-1] += f", {none[0] if len(none) == 1 else 'the others'} none" if none else ""
    return counts, bool(replaced)


def _counted(noun: str, rows: Mapping[str, Sequence[int]], *, at: bool) -> str:
    parts: list[str] = []
    for name, own in list(rows.items())[:MOST_NAMED]:
        what = "" if parts else f" {noun if len(own) == 1 else plural(noun)}"
        first = f" ({'row' if len(own) == 1 else 'the first at row'} {own[0]:,})" * at
        parts.append(f"{name} {'' if parts else 'made '}{len(own):,}{what}{first}")
    return ", ".join(parts)


def best_of(learners: Collection[str]) -> str:
    """Return what the best one of so many is called."""
    return "better" if len(learners) == 2 else "best"


def listed(names: Iterable[str]) -> str:
    """Return names as they stand in a sentence: ``"a, b and c"``, at most ``MOST_NAMED``; empty without one."""
    names = list(names)[:MOST_NAMED]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
