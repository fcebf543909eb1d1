"""What the tests and the measured bars look for on a page: shifts, interactions, widths, keys and the focus."""

from __future__ import annotations

from typing import Any

__all__ = [
    "OBSERVE", "cumulative_shift", "interaction_ms", "is_wider_than_window", "shifted_parts", "stops_to_play",
    "unseen_focus", "words_seen",
]  # fmt: skip

OBSERVE = """() => {
    window.bars = {paint: {}, shifts: [], events: []};
    const hear = (type, take, options = {}) => new PerformanceObserver(list => list.getEntries().forEach(take))
        .observe({type, buffered: true, ...options});
    hear("paint", each => { bars.paint[each.name] = each.startTime; });
    hear("layout-shift", each => { if (!each.hadRecentInput) bars.shifts.push({
        at: each.startTime, value: each.value,
        what: each.sources.map(({node, previousRect: a, currentRect: b}) =>
            `${node?.nodeName ?? "?"}.${node?.className ?? ""} ${[a.x, a.y, a.width, a.height].map(Math.round)} to `
            + `${[b.x, b.y, b.width, b.height].map(Math.round)}`),
    }); });
    hear("event", each => { if (each.interactionId) bars.events.push({name: each.name, ms: each.duration}); },
        {durationThreshold: 16});
}"""
"""Run it before the page's own scripts; what comes is kept in ``window.bars``."""

_ACTIVE = """
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
"""
_WHERE = f"""() => {{
    {_ACTIVE}
    if (!node || node === document.body) return null;
    // of a hidden input people see what is drawn around it
    const box = [node, ...ancestors(node)].map(each => each.getBoundingClientRect?.())
        .find(box => box && box.width >= 8 && box.height >= 8);
    const name = node.ariaLabel || node.labels?.[0]?.innerText || node.innerText || node.title || "";
    return {{key: `${{node.nodeName}} ${{name.trim().slice(0, 60)}}`, isPlay: node.matches(".sl-play"),
             box: [box.x, box.y, box.width, box.height]}};
    function ancestors(from) {{
        const found = [];
        for (let at = from; at; at = at.parentElement ?? at.getRootNode()?.host) found.push(at);
        return found;
    }}
}}"""
_SCROLL = f"""() => {{ {_ACTIVE} node?.scrollIntoView({{block: "center"}}); }}"""
_BLUR = f"""() => {{ {_ACTIVE} node?.blur(); }}"""
_MARK = f"""mark => {{ {_ACTIVE} const seen = node.barsMark === mark; node.barsMark = mark; return seen; }}"""
AROUND = 8
MOST_STOPS = 200


WORDS = """() => {
    const found = [];
    const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;
    const isDrawn = (node) => {
        const style = getComputedStyle(node);
        return style.visibility !== "hidden" && style.display !== "none" && Number(style.opacity) > 0.05;
    };
    const isSeen = (box, from) => {
        let { left, top, right, bottom } = box;
        const cut = (by) => {
            [left, top] = [Math.max(left, by.left), Math.max(top, by.top)];
            [right, bottom] = [Math.min(right, by.right), Math.min(bottom, by.bottom)];
        };
        for (let node = from; node && node !== document.body; node = above(node)) {
            const { overflowX, overflowY, clipPath } = getComputedStyle(node);
            if (overflowX !== "visible" || overflowY !== "visible" || clipPath !== "none")
                cut(node.getBoundingClientRect());
        }
        cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
        return right - left > 3 && bottom - top > 5;
    };
    const take = (text) => found.push(...(text.match(/\\p{L}[\\p{L}\\p{N}'’_-]*/gu) ?? []));
    const takeText = (node) => {
        if (!node.data.trim() || !isDrawn(node.parentElement)) return;
        const range = document.createRange();
        // word by word: a text may be cut below its first lines
        for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if ([...range.getClientRects()].some(box => isSeen(box, node.parentElement))) take(word);
        }
    };
    const go = (node) => {
        if (node.nodeType === 3 && node.parentElement) takeText(node);
        if (node.nodeType === 1) {
            if (/^(STYLE|SCRIPT|TEMPLATE)$/.test(node.nodeName) || !isDrawn(node)) return;
            if (node.nodeName === "SELECT") {
                if (isSeen(node.getBoundingClientRect(), node)) take(node.selectedOptions[0]?.textContent ?? "");
                return;
            }
            node.shadowRoot?.childNodes.forEach(go);
        }
        node.childNodes.forEach(go);
    };
    go(document.body);
    return found;
}"""


def words_seen(page: Any) -> list[str]:
    """Return the words that are drawn in the window and not cut off; those on canvases are not among them."""
    return page.evaluate(WORDS)


def cumulative_shift(page: Any) -> float:
    """Return the cumulative layout shift so far: the worst spell of at most 5 s, its shifts at most 1 s apart."""
    worst = spell = began = last = 0.0
    for each in page.evaluate("bars.shifts"):
        at = each["at"] / 1000
        if not spell or at - last > 1 or at - began > 5:
            spell, began = 0.0, at
        spell, last = spell + each["value"], at
        worst = max(worst, spell)
    return worst


def shifted_parts(page: Any) -> list[str]:
    """Return what was shifted, the largest first."""
    shifts = page.evaluate("bars.shifts.toSorted((a, b) => b.value - a.value).slice(0, 8)")
    return [f"{each['value']:.4f} after {each['at']:.0f} ms: {'; '.join(each['what'])}" for each in shifts]


def interaction_ms(page: Any) -> float | None:
    """Return the longest time from an input to the next paint so far, ms; None if all were below 16."""
    return page.evaluate("bars.events.length ? Math.max(...bars.events.map(each => each.ms)) : null")


def is_wider_than_window(page: Any) -> bool:
    """Whether the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth")


def stops_to_play(page: Any, most: int = 20) -> int | None:
    """Return how often Tab is pressed, from the top, until Play has the focus; None if it has not by then."""
    page.evaluate(_BLUR)
    for stop in range(1, most + 1):
        page.keyboard.press("Tab")
        where = page.evaluate(_WHERE)
        if where is not None and where["isPlay"]:
            return stop
    return None


def unseen_focus(page: Any, mark: str = "1") -> tuple[int, list[str]]:
    """Go through a page by Tab and return how many controls there are, and which look the same with the focus."""
    unseen, controls = [], 0
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(_WHERE) is None:
            # the page's end: the first stop, Play, is in its middle
            continue
        if page.evaluate(_MARK, mark):
            break
        controls += 1
        page.evaluate(_SCROLL)
        where = page.evaluate(_WHERE)
        x, y, width, height = where["box"]
        size = page.viewport_size
        left, top = max(0, x - AROUND), max(0, y - AROUND)
        right, bottom = min(x + width + AROUND, size["width"]), min(y + height + AROUND, size["height"])
        clip = {"x": left, "y": top, "width": max(1, right - left), "height": max(1, bottom - top)}
        with_focus = page.screenshot(clip=clip, animations="disabled")
        page.evaluate(_BLUR)
        without = page.screenshot(clip=clip, animations="disabled")
        if with_focus == without:
            unseen.append(where["key"])
    return controls, unseen


def stop_clock(page: Any) -> None:
    """Stop the page's clock: ``page.clock.run_for`` moves it.

    What is seen amid a motion then depends on no machine: a busy one draws seldom, and a slow one does without motion.
    """
    page.clock.install(time=0)
    page.clock.pause_at(1)
