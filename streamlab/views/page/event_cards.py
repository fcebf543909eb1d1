"""Cards of what learners report: what happened, when, and the numbers that decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from streamlab.lab.events import Event
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.text import MOST_MESSAGE, as_html, number_text
from streamlab.views.timeline.event_rows import as_it_was

MOST_CARDS = 8


def cards_html(learner: str, events: Iterable[Event], kinds: Mapping[str, EventKind]) -> str:
    """Return cards of a learner's latest events of these kinds, the newest first, as HTML."""
    known = [event for event in events if event.kind in kinds][-MOST_CARDS:]
    if not known:
        return (
            f'<p class="sl-card-hint">{as_html(learner)} has reported nothing yet. What it reports appears here, with '
            "the numbers that decided it; an alarm about its error is a mark on the curves.</p>"
        )
    return "".join(_event_card(learner, event, kinds[event.kind]) for event in reversed(known))


def _event_card(learner: str, event: Event, kind: EventKind) -> str:
    kind = as_it_was(event, kind)
    numbers = "".join(
        f"<div><dt>{as_html(words)}</dt><dd>{as_html(number_text(event.detail[key]))}</dd></div>"
        for key, words in kind.numbers.items()
        if event.detail.get(key) is not None
    )
    rule = f'<p class="sl-card-hint">{as_html(kind.rule, MOST_MESSAGE)}</p>' if kind.rule else ""
    return (
        f"<article><h4>{as_html(learner)}: {as_html(kind.title)}<span>at {event.position:,}</span></h4>"
        f"<p>{as_html(event.message, MOST_MESSAGE)}</p>"
        f"{f'<dl>{numbers}</dl>' if numbers else ''}{rule}</article>"
    )


EVENT_STYLE = """
:host{font:12px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;display:block}
:host>div{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(270px,100%),1fr));gap:12px}
article{border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-left:4px solid #7F7F7F;
  border-radius:6px;padding:8px 12px;overflow-wrap:anywhere;min-width:0}
h4{font-size:13px;margin:0 0 2px;display:flex;justify-content:space-between;gap:8px}
h4 span{font-weight:400;opacity:.75;white-space:nowrap}p{margin:0 0 4px}
dl{display:grid;grid-template-columns:1fr;margin:4px 0;gap:1px}
dl div{display:flex;justify-content:space-between;gap:8px}
dd{margin:0;font-variant-numeric:tabular-nums}dt{opacity:.8}
.sl-card-hint{opacity:.78}
"""
