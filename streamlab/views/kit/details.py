"""What the texts about a selected node share: their style, bars, lists and numbers. Every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from streamlab.views.kit.text import MOST_MESSAGE, as_html, with_minus

__all__ = ["hint", "how_to_read"]


MOST_TEST = 120
"""Characters of a test that are displayed: a feature's name, and what it is compared with."""


def how_to_read(title: str, *paragraphs: str, act: str = "") -> str:
    """Return what is seen where nothing is selected: a heading and paragraphs, which may hold HTML of our own.

    ``act`` says what a click does; a replay, in which nothing can be asked of the learner, leaves it out.
    """
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    text += f'<p class="sl-details-act">{act}</p>' if act else ""
    return f'<div class="sl-details-hint"><h3>{as_html(title)}</h3>{text}</div>'


def hint(text: str) -> str:
    """Return a remark in place of details, such as that the node has gone."""
    return f'<p class="sl-details-hint">{as_html(text, MOST_MESSAGE)}</p>'


def number(value: float | None) -> str:
    """Return a number with three decimals; a dash where it is not known."""
    return "–" if value is None or value != value else with_minus(f"{value:.3f}")


def facts(entries: Mapping[str, str]) -> str:
    """Return a list of what is known, each with its name; both are texts."""
    rows = (f"<dt>{as_html(name)}</dt><dd>{as_html(value)}</dd>" for name, value in entries.items())
    return f"<dl>{''.join(rows)}</dl>"


def tests(rule: Iterable[str]) -> str:
    """Return the list of tests on the way to a node; without any it is the root."""
    return "".join(f"<li>{as_html(test, MOST_TEST)}</li>" for test in rule) or "<li>every instance (the root)</li>"


def bars(shares: Sequence[tuple[str, float]]) -> str:
    """Return a bar for each of the first six names with their shares, 0 to 1."""
    rows = (
        f'<div class="sl-details-bar"><span>{as_html(name)}</span><i style="width:{100 * share:.1f}%"></i>'
        f"<b>{100 * share:.0f} %</b></div>"
        for name, share in shares[:6]
    )
    return "".join(rows) or "<p>none</p>"


def against(first: str, value: float, second: str, other: float, bound: float) -> str:
    """Return two bars: a value, and below it another with the open box of a bound behind it.

    The first has won where its bar reaches beyond the box; the second number is where that ends. Names are texts;
    numbers that are not known count as 0.
    """
    value, other, bound = (max(each, 0.0) if math.isfinite(each) else 0.0 for each in (value, other, bound))
    most = max(value, other + bound, 1e-9)
    boxes = (f"width:{100 * value / most:.1f}%", f"width:{100 * other / most:.1f}%", f"width:{100 * bound / most:.1f}%")
    return (
        f'<div class="sl-details-race"><div><span>{as_html(first)}</span><p><i style="{boxes[0]}"></i></p>'
        f"<b>{value:.3f}</b></div><div><span>{as_html(second)}</span>"
        f'<p><i style="{boxes[1]}"></i><u style="{boxes[2]}"></u></p><b>{other + bound:.3f}</b></div></div>'
    )


STYLE = """
:host{font:13px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;overflow:auto}
:host{padding-top:4px;box-sizing:border-box;overflow-wrap:anywhere;container-type:inline-size}
h3{font-size:13px;margin:0 0 2px}p{margin:0 0 4px}ol{margin:0;padding-left:20px}
.sl-details-parts{display:grid;grid-template-columns:1fr 1fr;gap:16px}
dl{display:grid;grid-template-columns:auto 1fr;gap:2px 14px;margin:0}dd{margin:0}
@container (max-width:520px){.sl-details-parts{grid-template-columns:1fr}}
.sl-details-hint{opacity:.8;max-width:60em}
.sl-details-bar{display:grid;grid-template-columns:minmax(60px,35%) 1fr 44px;gap:8px;align-items:center;font-size:13px}
.sl-details-bar i{height:8px;background:#3D93C4;border-radius:2px;min-width:1px}
.sl-details-bar span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-details-bar b{text-align:right;font-weight:400}
.sl-details-race{margin:2px 0 6px;font-size:13px}
.sl-details-race>div{display:grid;grid-template-columns:minmax(60px,35%) 1fr 40px;gap:8px;align-items:center}
.sl-details-race span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-details-race p{display:flex;margin:0;height:10px} .sl-details-race b{text-align:right;font-weight:400}
.sl-details-race i{background:#3D93C4;min-width:1px} .sl-details-race div+div i{background:#D55E00}
.sl-details-race u{box-sizing:border-box;border:1px dashed currentColor;border-left:0;min-width:1px}
.sl-details-bar.sl-own{font-weight:600}.sl-details-bar.sl-own i{background:#D55E00}
.sl-details-meter{height:8px;border:1px solid #7F7F7F;border-radius:3px;margin:0 0 6px;max-width:320px}
.sl-details-meter i{display:block;height:100%;background:#3D93C4;min-width:1px}
"""
"""For the pane that shows details."""
