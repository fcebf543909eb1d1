"""Why cards: what happened to a tree, and the rule and the numbers that made it happen."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from streamlab.lab.events import Event

__all__ = ["NO_CARDS", "RULES", "STYLE", "why_html"]

RULES = {
    "split": (
        "A leaf splits",
        "It may when its best feature gains more than the second best by over the Hoeffding bound ε, or when ε has "
        "sunk below τ and there is something to gain: more instances would hardly change the choice.",
    ),
    "alternate_started": (
        "A background tree begins",
        "A detector saw the error of this branch rise. A fresh tree grows beside it, learns the same instances, and "
        "competes.",
    ),
    "alternate_promoted": (
        "The background tree takes over",
        "It does when its error e′ is below the branch's e by more than the bound ε of both weights: what was there "
        "goes, with all below it.",
    ),
    "alternate_pruned": (
        "The background tree is given up",
        "It is when its error e′ is above the branch's e by more than the bound ε: the old branch was the better one.",
    ),
    "warning": ("A warning", "The more watchful of the node's two detectors (ADWIN) saw its error change."),
    "drift": ("A drift in a branch", "The stricter of the node's two detectors (ADWIN) saw its error change."),
    "deactivated": (
        "A leaf stops growing",
        "It has reached the depth allowed, or promises least where memory is short.",
    ),
    "memory_limit": ("The memory bound is reached", "From here on the least promising leaves no longer grow."),
    "label_new": ("A new label", "It was never seen before; every statistic has room for it now."),
    "feature_new": ("A new feature", "It was never seen before; from here on leaves may split on it."),
}
"""By kind of event: what it is called, and the rule behind it."""

NUMBERS = {
    "gain": "gain of the best feature, bits",
    "second_gain": "gain of the second best, bits",
    "epsilon": "Hoeffding bound ε",
    "before": "error before",
    "after": "error after",
    "e": "error e of the branch",
    "e_alternate": "error e′ of the background tree",
    "epsilon_alt": "bound ε",
    "weight": "weight seen",
    "nodes_lost": "nodes lost",
    "nodes_gained": "nodes gained",
}
"""Numbers of an event that a card shows, in this order."""

MOST_CARDS = 8
NO_CARDS = (
    '<p class="sl-why-hint">Nothing has happened to the tree yet. When a leaf splits or a background tree takes over, '
    "it is said here, with the numbers that decided it.</p>"
)


def why_html(events: Iterable[Event]) -> str:
    """Cards of the latest structural events, the newest first, as HTML; other events are passed over."""
    told = [event for event in events if event.kind in RULES][-MOST_CARDS:]
    return "".join(map(_card, reversed(told))) or NO_CARDS


def _card(event: Event) -> str:
    title, rule = RULES[event.kind]
    numbers = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{_number(event.detail[key])}</dd></div>"
        for key, name in NUMBERS.items()
        if event.detail.get(key) is not None
    )
    return (
        f'<article class="sl-why-{escape(event.kind)}"><h4>{escape(title)}<span>at {event.position:,}</span></h4>'
        f"<p>{escape(event.message)}</p>{f'<dl>{numbers}</dl>' if numbers else ''}"
        f'<p class="sl-why-hint">{escape(rule)}</p></article>'
    )


def _number(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 100 else f"{value:.3g}"


STYLE = """
:host{font:12px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:block}
:host>div{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));gap:12px}
article{border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-left:4px solid #7F7F7F;
  border-radius:6px;padding:8px 12px}
.sl-why-split{border-left-color:#009E73}.sl-why-alternate_promoted{border-left-color:#0072B2}
.sl-why-alternate_started{border-left-color:#56B4E9}.sl-why-alternate_pruned{border-left-color:#CC79A7}
.sl-why-warning{border-left-color:#E69F00}.sl-why-drift{border-left-color:#D55E00}
h4{font-size:13px;margin:0 0 2px;display:flex;justify-content:space-between;gap:8px}
h4 span{font-weight:400;opacity:.75;white-space:nowrap}p{margin:0 0 4px}
dl{display:grid;grid-template-columns:1fr;margin:4px 0;gap:1px}
dl div{display:flex;justify-content:space-between;gap:8px}
dd{margin:0;font-variant-numeric:tabular-nums}dt{opacity:.8}
.sl-why-hint{opacity:.78}
"""
