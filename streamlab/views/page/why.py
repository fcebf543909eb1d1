"""The one panel of why: it opens beside what was clicked, says what is known of it, and closes with the next click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import panel as pn
import param

from streamlab.views.kit.component import CommandComponent, bundled, is_nothing
from streamlab.views.page.screen import PLAIN, Area
from streamlab.views.page.window import WIDE, Part

PANEL = """
:host{position:fixed!important;z-index:40;left:var(--sl-why-left,12px);top:var(--sl-why-top,56px);
  width:min(330px,calc(100vw / var(--streamlab-larger,1) - 16px))!important;
  max-height:calc(100vh / var(--streamlab-larger,1) - var(--sl-why-top,56px) - 12px)!important;
  overflow-y:auto!important;  box-sizing:border-box;padding:12px 14px!important;scrollbar-width:thin;
  border:1px solid var(--mui-palette-divider,rgba(128,128,128,.35));border-radius:12px;
  background:var(--mui-palette-background-paper,Canvas);color:var(--mui-palette-text-primary,CanvasText);
  box-shadow:0 8px 28px rgba(0,0,0,.16);font:14px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
@media (max-width:520px){:host{left:8px;right:8px;top:auto;bottom:72px;width:auto!important;max-height:60vh!important}}
"""
BAR = ":host{position:absolute!important;top:6px;right:6px;z-index:2;width:max-content!important}"


class WhyBar(CommandComponent):
    """What closes the panel, and puts it where the last click was."""

    figures = param.Boolean(default=False, doc="Whether the table of figures is docked; the browser remembers it.")

    commands: ClassVar = {"close": is_nothing, "figures": is_nothing}

    _bundle = bundled("why")


class Why(Part):
    """The panel.

    ``closed`` is called with what it was about when it closes; ``figures`` where people want the table of figures.
    """

    def __init__(self, closed: Callable[[Any], None], figures: Callable[[], None]) -> None:
        super().__init__()
        self._closed = closed
        self.about: Any = None
        """What it is about, as ``open`` was told; None: it is closed."""
        self.content = pn.Column(stylesheets=[PLAIN], margin=0, **WIDE)
        acts = {"close": self.close, "figures": figures}
        self.bar = WhyBar(lambda name, _: acts[name](), sizing_mode=None, margin=0, stylesheets=[BAR])
        self._layout = Area(self.bar, self.content, area="note", visible=False, stylesheets=[PANEL], sizing_mode=None)

    def open(self, content: Sequence[Any], about: Any) -> None:
        """Show this, about that."""
        if list(content) != list(self.content.objects):
            self.content[:] = list(content)
        self.about = about
        self._layout.visible = True

    def close(self) -> None:
        """Close it; what it was about hears of it."""
        about, self.about = self.about, None
        self._layout.visible = False
        if about is not None:
            self._closed(about)
