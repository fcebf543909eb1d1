"""A picture's module on an otherwise empty page, as the tests of its drawing use it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from streamlab.views.kit.component import javascript
from tests.ui.probes import stop_clock

__all__ = ["Drawing", "opened"]

BEGIN = """async ([source, options, hears]) => {
    const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    const { View } = (await import(address)).render;
    window.root = document.body.appendChild(document.createElement("div"));
    window.said = [];
    const heard = {
        onSelect: (id) => said.push(["select", id]),
        onMessage: ({kind, id}) => said.push([kind, id]),
        onChange: (name, value) => said.push([name, value]),
    };
    window.view = new View(root, {...options, ...Object.fromEntries(hears.map(name => [name, heard[name]]))});
}"""


class Drawing:
    """A page with nothing but the module on it; ``options`` are those of each picture, further ones of a test."""

    name: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    hears: ClassVar[tuple[str, ...]] = ("onSelect",)
    margin: ClassVar[str] = ""

    def __init__(self, page: Any, stopped: bool = False, **options: Any) -> None:
        self.page = page
        if stopped:
            stop_clock(page)
        page.evaluate("margin => { document.body.style.margin = margin; }", self.margin)
        page.evaluate(BEGIN, [javascript(self.name), self.options | options, self.hears])

    @property
    def canvas(self) -> str:
        return f".sl-{self.name} .sl-stage > canvas"

    def stats(self) -> dict[str, Any]:
        return self.page.evaluate(f"root.__{self.name}_stats()")

    def said(self) -> list[list[Any]]:
        """What it told the page since the last call."""
        return self.page.evaluate("said.splice(0)")

    def live(self) -> str:
        return self.page.locator(f".sl-{self.name} [aria-live]").text_content()

    def at(self, call: str) -> tuple[float, float]:
        """What a method of the view such as ``place(3)`` returns, in pixels of the page."""
        box, place = self.page.locator(self.canvas).bounding_box(), self.page.evaluate(f"view.{call}")
        return box["x"] + place["x"], box["y"] + place["y"]

    def pixel(self, x: float, y: float) -> list[int]:
        """Red, green, blue, alpha of the picture at a place on the page."""
        return self.page.evaluate(
            """([x, y, selector]) => {
                const canvas = document.querySelector(selector), box = canvas.getBoundingClientRect();
                const ratio = canvas.width / box.width;
                return [...canvas.getContext("2d").getImageData((x - box.x) * ratio, (y - box.y) * ratio, 1, 1).data];
            }""",
            [x, y, self.canvas],
        )


def opened(kind: type[Drawing], width: int = 1200) -> Any:
    """Return the fixture that opens a drawing: ``view(width, reduced_motion=…, **options)``."""

    @pytest.fixture
    def view(page: Any) -> Any:
        def make(width: int = width, **options: Any) -> Drawing:
            context = {name: options.pop(name) for name in ("reduced_motion", "color_scheme") if name in options}
            # a clock that is stopped stays so
            own = bool(options.get("stopped"))
            return kind(page("about:blank", width=width, own=own, **context), **options)

        return make

    return view
