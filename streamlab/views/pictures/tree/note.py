"""Why a node of a tree is as it is, in sentences and small charts: why it split, who leads, what replaced it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streamlab._checks import counted
from streamlab.views.kit.details import against, number
from streamlab.views.kit.text import MOST_MESSAGE, as_html, roughly

if TYPE_CHECKING:
    from streamlab.lab.events import Event

SPLIT, STARTED, PROMOTED, PRUNED = "split", "alternate_started", "alternate_promoted", "alternate_pruned"


def tie_name(detail: Mapping[str, Any]) -> str:
    """Return what the bound is called below which a tree splits whatever the lead; ``told``: columns, or a story."""
    return f"its tie threshold {'τ·R' if 'share_own' in detail or 'hedge' in detail else 'τ'}"


def why_html(node: int, story: Mapping[str, Any] | None, happened: Sequence[Event]) -> str:
    """Return how a node came to be what it is, and what may come next; "" where nothing is known.

    Parameters
    ----------
    node
        Its id.
    story
        What ``describe_node`` says of it; None: it has gone.
    happened
        The events that name it as ``node`` or ``alternate``, in order, up to the row that is shown.
    """
    sentences = []
    replaced = _newest(happened, PROMOTED)
    if replaced is not None:
        sentences.append(_replacement(node, replaced, _started(happened, replaced)))
    split = _newest(happened, SPLIT)
    if story is None:
        return "".join(sentences)
    if story["is_leaf"]:
        sentences.append(race_html(story["race"], tie_name(story)))
        if not story["depth"] and story["race"] is not None:
            sentences.append(_held(story["race"]))
    elif split is not None:
        sentences.append(split_html(split))
    pruned = _newest(happened, PRUNED)
    if story["duel"] is not None:
        sentences.append(_duel(story["duel"], _newest(happened, STARTED)))
    elif pruned is not None and pruned.detail.get("node") == node:
        sentences.append(_removal(pruned))
    return "".join(sentences)


def split_html(event: Event) -> str:
    """Return why a leaf split: what the best feature gained, what the runner-up, and the bound that decided."""
    detail = event.detail
    if not {"gain", "second_gain", "epsilon"} <= set(detail):
        return f"<p>At row {event.position:,}: {as_html(event.message, MOST_MESSAGE)}.</p>"
    gain, second, bound = (float(detail[name]) for name in ("gain", "second_gain", "epsilon"))
    weight = f", after a weight of {detail['weight']:,.0f}" if "weight" in detail else ""
    lead = f"Its lead of {gain - second:.3f} was more than the bound ε of <b>{bound:.3f}</b>: the choice was safe."
    chart = against("lead", gain - second, "bound ε", 0.0, bound)
    if detail.get("tie"):
        lead = (
            f"Its lead of {gain - second:.3f} was within the bound ε of <b>{bound:.3f}</b>, but so small a bound means "
            "that the two are as good as equal."
        )
        chart = ""
    return (
        f"<p>It split at row <b>{event.position:,}</b>{weight}: its test gained <b>{gain:.3f}</b> bits, the runner-up "
        f"{second:.3f}. {lead}</p>{chart}"
    )


def race_html(race: Mapping[str, Any] | None, tie: str) -> str:
    """Return which feature a leaf may split on next, and how far it is from that.

    ``tie``: what the bound is called below which it splits whatever the lead.
    """
    if race is None:
        return ""
    attempt = race["instances_until_attempt"]
    if race["best"] is None:
        return "" if attempt is None else f"<p>It first compares its features in {counted(attempt, 'row')}.</p>"
    second = f", then <b>{as_html(race['second'])}</b> with {race['second_gain']:.3f}" if race["second"] else ""
    lead = f"<p><b>{as_html(race['best'])}</b> leads: a split on it gains {race['gain']:.3f} bits{second}."
    bound, needed = race["epsilon"], race["instances_until_split"]
    if bound is None:
        return f"{lead} It compares again in {counted(attempt, 'row')}.</p>"
    when = f"it compares again in {counted(attempt, 'row')}"
    if needed is not None:
        when = f"if the lead stays, it splits in about <b>{roughly(needed):,} of its rows</b>"
    goal = max((race["gap"], "lead"), (race["tie"], tie))
    return (
        f"{lead} It splits when the bound ε, now <b>{bound:.3f}</b>, is below the lead, {race['gap']:.3f}, or below "
        f"{tie} = {race['tie']:.3f}: {when}.</p>{against(goal[1], goal[0], 'bound ε', 0.0, bound)}"
    )


def _held(race: Mapping[str, Any]) -> str:
    """Return which setting holds a tree that is one leaf, of a race that says by which ``delta`` it would split."""
    if race.get("delta_needed") is None:
        return ""
    if race["epsilon"] < max(race["gap"], race["tie"]):
        return "<p>The grace period alone holds this only leaf.</p>"
    delta = f", or delta above {race['delta_needed']:.2g}" if 0.0 < race["delta_needed"] < 0.5 else ""
    return (
        "<p>Tau and delta hold this only leaf, not its grace period: when it compares again, it splits with "
        f"<b>tau above {race['epsilon']:.3f}</b>{delta}.</p>"
    )


def _replacement(node: int, event: Event, started: Event | None) -> str:
    """Return why an alternate took the place of a branch, told of either of the two."""
    detail = event.detail
    e, other, bound = (float(detail[name]) for name in ("e", "e_alternate", "epsilon_alt"))
    what = f"It took the place of node {detail['node']}"
    if detail["node"] == node:
        what = f"Node {detail['alternate']}, which had grown beside it, took its place"
    since = ""
    if started is not None:
        before, after = started.detail.get("before"), started.detail.get("after")
        how = "" if before is None else f" from {number(before)} to {number(after)}"
        since = f" It had begun at row {started.position:,}, when the branch's error rose{how}."
    decides = f"a gap of {e - other:.3f} where more than ε = {bound:.3f} decides."
    if e - other <= bound:
        # River's adaptive tree: an alternate that was a leaf, and split
        decides = f"a gap of {e - other:.3f}, less than ε = {bound:.3f}: {as_html(event.message, MOST_MESSAGE)}."
    return (
        f"<p>{what} at row <b>{event.position:,}</b>: error <b>{other:.3f}</b> against {e:.3f}, {decides}{since}</p>"
        f"{against('old branch', e, 'new branch + ε', other, bound)}"
    )


def _duel(duel: Mapping[str, Any], started: Event | None) -> str:
    """Return how a node and the alternate that competes with it stand."""
    since = "" if started is None else f" since row {started.position:,}"
    bound = duel["epsilon"]
    decides = "" if bound is None else f" A gap of more than ε = <b>{bound:.3f}</b> decides."
    chart = "" if bound is None else against("old branch", duel["e"], "alternate + ε", duel["e_alternate"], bound)
    return (
        f"<p>Node {duel['alternate']} competes with node {duel['node']}{since}: error "
        f"<b>{number(duel['e_alternate'])}</b> against <b>{number(duel['e'])}</b>, over a weight of "
        f"{duel['weight_alternate']:,.0f} and {duel['weight']:,.0f}.{decides}</p>{chart}"
    )


def _removal(event: Event) -> str:
    """Return why an alternate of a branch was removed."""
    detail = event.detail
    e, other, bound = (float(detail[name]) for name in ("e", "e_alternate", "epsilon_alt"))
    return (
        f"<p>An alternate, node {detail['alternate']}, was removed at row {event.position:,}: error {other:.3f} "
        f"against {e:.3f}, worse by more than ε = {bound:.3f}.</p>"
    )


def _newest(happened: Sequence[Event], kind: str) -> Event | None:
    return next((event for event in reversed(happened) if event.kind == kind), None)


def _started(happened: Sequence[Event], replaced: Event) -> Event | None:
    """Return when the alternate that took over had begun."""
    found = (event for event in reversed(happened) if event.kind == STARTED)
    return next((event for event in found if event.detail.get("alternate") == replaced.detail["alternate"]), None)
