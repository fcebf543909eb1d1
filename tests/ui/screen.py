"""A page with a run on it, in the words of what a user does and sees there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["LOG_FORMAT", "PATIENCE_S", "Screen"]

# errors are told apart from remarks by the level, which Bokeh's own format leaves out
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
PATIENCE_S = 120
"""How long a test waits for what must come: far longer than it takes, as others may have the machine's cores."""


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

    def curves(self) -> dict[str, list[float]]:
        """The columns of the source that the curves are drawn from; Bokeh forgets models that left the page late."""
        return self._source("position", "m0_0")

    def marks(self) -> list[tuple[float, str]]:
        """Position and text of what is dated on the curves."""
        source = self._source("text", "dash")
        return list(zip(source["position"], source.get("text", []), strict=True))

    def _source(self, *columns: str) -> dict[str, list[Any]]:
        return self.page.evaluate(
            """columns => {
                const models = Bokeh.documents[0].all_roots.flatMap(root => [...root.references()]);
                const sources = models.filter(each => each.type === "ColumnDataSource");
                const source = sources.find(each => columns.every(column => column in each.data));
                if (!source) return {position: []};
                return Object.fromEntries(
                    Object.entries(source.data).map(([name, values]) => [name, Array.from(values)]));
            }""",
            columns,
        )

    def figures(self) -> list[str]:
        return self.page.evaluate(
            """() => Bokeh.documents[0].all_roots.flatMap(root => [...root.references()])
                .filter(each => each.type === "Figure").map(each => each.title.text)"""
        )

    def ticks(self) -> list[tuple[float, str, str]]:
        """Position, learner and kind of the ticks of the drift ruler."""
        source = self._source("shape")
        return list(zip(source["position"], source.get("learner", []), source.get("what", []), strict=True))

    def delays(self) -> list[str]:
        """What the drift ruler writes between a drift and who noticed it."""
        return self._source("right", "text").get("text", [])

    def bands(self) -> list[tuple[float, float]]:
        """From where to where the drift ruler shows a change under way."""
        source = self.page.evaluate(
            """() => {
                const models = Bokeh.documents[0].all_roots.flatMap(root => [...root.references()]);
                const sources = models.filter(each => each.type === "ColumnDataSource");
                const data = sources.find(each => "left" in each.data && !("lane" in each.data)).data;
                return [Array.from(data.left), Array.from(data.right)];
            }"""
        )
        return list(zip(*source, strict=True))

    def learners(self) -> list[str]:
        return self.page.locator(".sl-board tbody th").all_inner_texts()

    def events(self) -> list[str]:
        return self.page.get_by_role("region", name="Events").locator("tbody tr").all_inner_texts()

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

    # -------------------------------------------------------------- what the user does

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def slider(self, name: str, nth: int = 0) -> Any:
        return self.page.get_by_role("slider", name=name).nth(nth)

    def play(self) -> None:
        self.button("Play").click()
        self.until("playing")

    def pause(self) -> None:
        self.button("Pause").click()
        self.until("paused")

    def speed(self, name: str) -> None:
        self.page.get_by_label("Speed").select_option(label=name)

    def select(self, label: str, option: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).click()
        # in panel-material-ui's lists the one kind of choice is an option, the other a menu item
        choices = self.page.get_by_role("option", name=option, exact=True)
        choices.or_(self.page.get_by_role("menuitem", name=option, exact=True)).click()

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

    def unfold(self, title: str) -> None:
        opener = self.button(title)
        if opener.get_attribute("aria-expanded") != "true":
            opener.click()
        self.page.locator(".MuiAccordion-root", has=opener).locator(".MuiCollapse-entered").wait_for()
