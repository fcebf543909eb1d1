"""A page with a run on it, in the words of what a user does and sees there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from streamlab.views.page.presets import line_of

__all__ = ["LOG_FORMAT", "PATIENCE_S", "Screen", "choose_view"]

# errors are told apart from remarks by the level, which Bokeh's own format leaves out
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
PATIENCE_S = 120
"""How long a test waits for what must come: far longer than it takes, as others may have the machine's cores."""

RIGHTMOST = """() => {
    let right = 0;
    const visit = (root) => {
        for (const node of root.querySelectorAll("*")) {
            const box = node.getBoundingClientRect();
            const reached = box.width > 2 && getComputedStyle(node).visibility !== "hidden";
            const scrolled = ".sl-scroll, .MuiTabs-scroller, .sl-tip, .MuiDrawer-root, .bk-CanvasPanel, .bk-Canvas";
            if (reached && !node.closest(scrolled))
                right = Math.max(right, box.right);
            if (node.shadowRoot && !node.closest(".MuiDrawer-root, .sl-scroll")) visit(node.shadowRoot);
        }
    };
    visit(document);
    return right;
}"""

IN_MENU = ("Step one chunk", "Start again")
"""Buttons of the bar that stand in its menu."""
BY_HAND = ("tuned", "forked", "joined")


def choose_view(page: Any, title: str) -> None:
    """Choose what stands on the stage: by its word, or in the list of what has none."""
    word = page.locator(".sl-views").get_by_role("button", name=title, exact=True)
    if word.count():
        word.click()
    else:
        page.get_by_label("More", exact=True).select_option(label=title)


class Screen:
    """A page with the monitor on it, in the words of what a user does and sees there."""

    def __init__(self, page: Any, wait_until: Callable[..., Any]) -> None:
        self.page = page
        self._wait_until = wait_until
        self.until_ready()

    def wait(self, condition: Callable[[], Any], timeout_s: float = PATIENCE_S) -> Any:
        return self._wait_until(condition, self.page, timeout_s)

    def until_ready(self) -> None:
        self.page.wait_for_selector(".sl-play:not([disabled])", timeout=1000 * PATIENCE_S)

    # -------------------------------------------------------------- what stands there

    @property
    def state(self) -> str:
        return self.page.evaluate("window.__streamlab_transport.stats().state")

    @property
    def position(self) -> int:
        return self.page.evaluate("window.__streamlab_transport.stats().position")

    def until(self, state: str, timeout_s: float = PATIENCE_S) -> None:
        self.wait(lambda: self.state == state, timeout_s)

    def timeline(self) -> dict[str, Any]:
        """What the timeline draws: points, events, drifts, and the rows that are seen."""
        return self.page.evaluate("window.__streamlab_timeline.stats()")

    def curves(self) -> dict[str, list[float]]:
        """The points that the curves are drawn from: ``position``, and a column for each measure and learner."""
        drawn = self.timeline()
        return {"position": drawn["position"], **drawn["columns"]}

    def marks(self) -> list[tuple[float, str]]:
        """Row and text of drifts and of what the user did."""
        drawn = self.timeline()
        kinds, learners = [kind["name"] for kind in drawn["kinds"]], drawn["learners"]
        told = [
            (at, f"{learners[who]} {message}" if who >= 0 else message)
            for at, who, kind, message, *_ in drawn["events"]
            if kinds[kind] in BY_HAND
        ]
        return sorted([*told, *((drift["at"], drift["name"]) for drift in drawn["drifts"])])

    def drawn(self) -> tuple[list[str], str]:
        """Titles of the measures that have curves, and how they are averaged."""
        drawn = self.timeline()
        return drawn["measures"], drawn["over"]

    def ticks(self) -> list[tuple[float, str, str]]:
        """Row, learner and kind of what learners reported, on the timeline."""
        drawn = self.timeline()
        return [
            (at, drawn["learners"][who], drawn["kinds"][kind]["title"])
            for at, who, kind, *_ in drawn["events"]
            if who >= 0 and drawn["kinds"][kind]["is_marked"] and drawn["kinds"][kind]["shape"] != "bar"
        ]

    def delays(self) -> list[int]:
        """Rows between a drift and who noticed it."""
        return [event[5] for event in self.timeline()["events"] if event[5] is not None]

    def bands(self) -> list[tuple[float, float]]:
        """From where to where the timeline shows a change that takes more than one row."""
        return [(d["at"], d["at"] + d["width"]) for d in self.timeline()["drifts"] if d["width"] > 1]

    def learners(self) -> list[str]:
        """Names of the run's learners in its order, as at the curves' ends; heads of pictures have no others."""
        heads = self.page.locator(".sl-head-name:visible").filter(has_text=re.compile(r"\S"))
        self.wait(lambda: self.page.evaluate("window.__streamlab_timeline?.head") and self.timeline()["learners"])
        # a fork has its head and its line one after the other
        self.wait(lambda: set(heads.all_inner_texts()) <= set(self.timeline()["learners"]))
        return self.timeline()["learners"]

    def events(self) -> list[str]:
        """What happened, the newest first: row, who, kind and words."""
        drawn = self.timeline()
        who = [*drawn["learners"], ""]
        told = [
            (at, f"{who[by]} {drawn['kinds'][kind]['name']}: {words}") for at, by, kind, words, *_ in drawn["events"]
        ]
        told += [(drift["at"], f"drift: {drift['name']}") for drift in drawn["drifts"]]
        return [f"{at:,.0f} {words}" for at, words in sorted(told, key=lambda each: -each[0])]

    def stats(self, view: str) -> dict[str, float] | None:
        """The counts of the fading or the label view; Panel draws them in nested shadow roots."""
        return self.page.evaluate(
            """name => {
                const find = (root) => {
                    for (const node of root.querySelectorAll("*")) {
                        const found = node[`__${name}_stats`] ?? (node.shadowRoot && find(node.shadowRoot));
                        if (found) return found;
                    }
                };
                return find(document)?.() ?? null;
            }""",
            view,
        )

    def rightmost(self) -> float:
        """How far to the right anything reaches that the user cannot scroll to in a box of its own, px."""
        page = "document.documentElement"
        return max(self.page.evaluate(RIGHTMOST), self.page.evaluate(f"{page}.scrollWidth"))

    # -------------------------------------------------------------- what the user does

    def button(self, name: str) -> Any:
        """A button of a name; of one that stands in the bar's menu, that is opened."""
        if name in IN_MENU:
            self._open_menu()
        return self.page.get_by_role("button", name=name, exact=True)

    def _open_menu(self) -> None:
        menu = self.page.locator(".sl-transport .sl-menu")
        if menu.get_attribute("open") is None:
            menu.locator("summary").click()

    def slider(self, name: str, nth: int = 0) -> Any:
        return self.page.get_by_role("slider", name=name).nth(nth)

    def play(self) -> None:
        self.button("Play").click()
        # flat out it may have ended before it is looked at
        self.wait(lambda: self.state in ("playing", "finished"))

    def pause(self) -> None:
        self.button("Pause").click()
        self.until("paused")

    def speed(self, name: str) -> None:
        speed = self.page.get_by_label("Speed")
        # on a phone it stands in the menu
        if not speed.is_visible():
            self._open_menu()
        speed.select_option(label=name)

    def select(self, label: str, option: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).click()
        # in panel-material-ui's lists the one kind of choice is an option, the other a menu item
        choices = self.page.get_by_role("option", name=option, exact=True)
        choices = choices.or_(self.page.get_by_role("menuitem", name=option, exact=True))
        # not those of the browser's own lists, which are not elements of a list
        choices.and_(self.page.locator("li")).click()

    def close_list(self) -> None:
        """Leave a list of several choices; a key pressed while it still takes the last one in is not heard."""
        box = self.page.locator(".MuiPopover-root:visible")

        def closed() -> bool:
            if box.count():
                self.page.keyboard.press("Escape")
            return box.count() == 0

        self.wait(closed)

    def renewed(self, action: Callable[[], Any]) -> None:
        """Do what makes the page begin another run, and wait until that one is there."""
        self.page.evaluate("window.__streamlab_transport.left = true")
        action()
        self.wait(lambda: self.page.evaluate("!window.__streamlab_transport.left"))
        self.until_ready()

    def open_drawer(self) -> None:
        """Open the drawer with the settings; it lies over the page, whose controls are out of reach then."""
        paper = self.page.locator(".MuiDrawer-paper")
        if not paper.count():
            self.button("Data, learners, settings").click()
        paper.wait_for()

    def close_drawer(self) -> None:
        drawer = self.page.locator(".MuiDrawer-root")

        def closed() -> bool:
            # a list that is open in it takes the first key
            if drawer.count():
                self.page.keyboard.press("Escape")
            return drawer.count() == 0

        self.wait(closed)

    def set(self, label: str, option: str) -> None:
        """Choose in a list of the drawer, and close that; the stream stands in the header."""
        if label != "Stream":
            self.open_drawer()
        self.select(label, option)
        self.close_drawer()

    def learner(self, name: str) -> Any:
        """The box of a learner in the drawer's list."""
        return self.page.get_by_role("checkbox", name=f"{name} {line_of(name)}", exact=True)

    def more(self, learner: str) -> Any:
        """Open all that can be set of a learner by a click on its name, and return the panel that holds it."""
        head = self.page.locator(".sl-head-name:visible", has_text=re.compile(f"^{re.escape(learner)}$"))
        (head if head.count() else self.at_end(learner)).click()
        panel = self.panel
        panel.get_by_role("heading", name=learner, exact=True).wait_for()
        return panel

    @property
    def panel(self) -> Any:
        """The one panel of why."""
        return self.page.locator("[data-area=note]:visible")

    def head(self, learner: str) -> Any:
        """The head of a learner's picture."""
        name = self.page.locator(".sl-head-name", has_text=re.compile(f"^{re.escape(learner)}$"))
        return self.page.locator(".sl-pane-head:visible", has=name)

    def at_end(self, learner: str) -> Any:
        """The name at the end of a learner's curve."""
        named = self.page.locator("title", has_text=re.compile(f"^{re.escape(learner)}$"))
        return self.page.locator(".sl-curves .sl-name", has=named)

    def control(self, learner: str) -> Any:
        """The number of a learner's head, which can be dragged, stepped and typed."""
        return self.head(learner).get_by_role("spinbutton")

    def view(self, title: str) -> None:
        """Choose what stands on the stage: by its word, or in the list of what has none."""
        choose_view(self.page, title)
        self.wait(lambda: self.viewed == title)

    def views(self) -> list[str]:
        """Titles of all that may stand on the stage; none where a step of a lesson is about the curve alone."""
        offered = self.page.locator(".sl-views:visible")
        return (
            offered.locator("button").all_inner_texts() + offered.locator("option:not([value=''])").all_text_contents()
        )

    @property
    def viewed(self) -> str:
        """Title of what stands on the stage."""
        return self.page.locator(".sl-views .sl-on").evaluate(
            "node => node.selectedOptions?.[0].text ?? node.textContent"
        )

    def unfold(self, title: str) -> None:
        """Open a section of the drawer."""
        self.open_drawer()
        opener, opened = self.button(title), self.page.locator(".MuiAccordion-root .MuiCollapse-entered")
        if "drift_lab" not in self.page.url:
            # one opens with the drawer: a click that comes first would be undone, or undo it
            opened.first.wait_for()
        if opener.get_attribute("aria-expanded") != "true":
            opener.click()
        self.page.locator(".MuiAccordion-root", has=opener).locator(".MuiCollapse-entered").wait_for()
