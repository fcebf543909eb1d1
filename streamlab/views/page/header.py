"""What stands in a page's header, in one line: the stream and its size, the lists of links, and quiet buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param

from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import as_html

BAR = """
:host{display:flex!important;flex:1 1 auto!important;flex-wrap:nowrap!important;align-items:center!important;gap:2px;
  min-width:0!important;height:48px!important;scrollbar-width:none}
:host>*{flex:none!important;align-self:center!important;margin:0!important} :host>.sl-grow{flex:1 1 auto!important}
.scroll-button{display:none!important}
@media (max-width:760px){:host>.sl-roomy{display:none!important}}
"""
IN_DRAWER = ":host{padding:8px 8px 0!important} @media (min-width:761px){:host{display:none!important}}"
"""Style of what the drawer has in place of what a narrow header has no room for."""
BRAND = """
:host{font:600 14px/1.3 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;max-width:100%}
a{display:inline-block;margin:0 4px 0 -4px;padding:8px 4px;border-radius:8px;color:inherit;text-decoration:none;
  font:650 14px/1 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
a:hover{background:rgba(128,128,128,.14)} a:focus-visible{outline:2px solid currentColor;outline-offset:-2px}
@media (max-width:520px){a{display:none} span:not(:empty){padding-left:8px}}
"""
PICKER = """
:host{width:max-content!important;min-width:0!important;max-width:min(34vw,420px)}
:host>div{width:auto!important;min-width:0!important}
.MuiFormLabel-root{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.MuiInputBase-root{margin:0!important;border-radius:8px;color:inherit!important}
.MuiInputBase-root:hover{background:rgba(128,128,128,.14)}
.MuiInputBase-root::before,.MuiInputBase-root::after{display:none!important}
.MuiSelect-select{padding:5px 26px 5px 8px!important;
  font:600 14px/1.3 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif!important}
.MuiSelect-icon{color:inherit!important}
.MuiSelect-select:focus-visible{outline:2px solid currentColor!important;outline-offset:-2px;border-radius:8px}
@media (max-width:760px){:host{max-width:calc(100vw - 136px)}}
"""


def _palette(primary: str, paper: str, ink: str) -> dict[str, Any]:
    """Return the colours of a list that opens from the header, where Panel would take those of its own header."""
    colours = {"background": {"default": paper, "paper": paper}, "text": {"primary": ink}}
    return {"palette": {"primary": {"main": primary}, "default": {"main": ink}, **colours}}


PICKED: dict[str, Any] = {
    "variant": "standard", "sizing_mode": None, "margin": 0, "stylesheets": [PICKER],
    "theme_config": {
        "light": _palette("#0f5c8c", "#ffffff", "#1b1f24"), "dark": _palette("#90caf9", "#1e1e1e", "#f2f4f7"),
    },
}  # fmt: skip
"""How the choice of a stream looks in the header."""
QUIET = """
.MuiButtonBase-root{min-height:32px!important;min-width:0!important;padding:0 10px!important;border-radius:8px;
  font:400 13px/1.4 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif!important;
  letter-spacing:0!important;text-transform:none!important;
  color:inherit!important;white-space:nowrap}
:is(.MuiButton-icon,.MuiTouchRipple-root){display:none!important}
.MuiButtonBase-root:focus-visible{outline:2px solid currentColor!important;outline-offset:-2px}
"""
"""Style of a button of Panel's that stands in the header."""


UPLOAD = """
:host{position:relative}
.sl-view.sl-upload .sl-drop{position:relative;width:32px;padding:0;border:0;border-radius:8px;color:inherit}
.sl-view.sl-upload .sl-drop::before{content:"+";font-size:20px;line-height:1}
.sl-drop span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-view.sl-upload .sl-going{position:absolute;left:0;top:40px;z-index:1300;width:min(280px,70vw);margin:0;padding:10px;
  border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);box-shadow:var(--sl-shadow)}
"""
"""Style of the choice of a file that stands in the header: it takes what is dropped anywhere on the page."""


def header_bar(*parts: Any, buttons: Sequence[Any], roomy: Sequence[Any] = ()) -> pn.Row:
    """Return the line of a header: some parts at its left, buttons at its right, before them those of a wide window."""
    grow = pn.Spacer(css_classes=["sl-grow"])
    for each in roomy:
        each.css_classes = [*(each.css_classes or []), "sl-roomy"]
    return pn.Row(
        *parts, grow, *roomy, *buttons, css_classes=["sl-scroll"], stylesheets=[BAR], margin=0,
        sizing_mode="stretch_width",
    )  # fmt: skip


def drawer_bar(close: Callable[[], object], *buttons: Any) -> pn.Row:
    """Return the buttons that a narrow header has no room for, as a line of the drawer, which they close."""

    def pressed(_: Any) -> None:
        close()

    for each in buttons:
        if isinstance(each, pmui.Button):
            each.on_click(pressed)
    return pn.Row(*buttons, stylesheets=[IN_DRAWER], margin=0, sizing_mode="stretch_width")


def brand(name: str = "") -> pn.pane.HTML:
    """Return whose page it is, as a link to where the server's pages begin, and what it is of."""
    html = f'<a href="./">streamlab</a><span>{as_html(name, 100)}</span>'
    return pn.pane.HTML(html, stylesheets=[BRAND], margin=0, sizing_mode=None)


def header_button(label: str, act: Callable[[], object], title: str = "") -> pmui.Button:
    """Return a quiet button of the header."""
    about = {"description": title} if title else {}
    button = pmui.Button(label=label, variant="text", sizing_mode=None, margin=0, stylesheets=[QUIET], **about)

    def pressed(_: Any) -> None:
        act()

    button.on_click(pressed)
    return button


class LinkMenu(FrameComponent):
    """A button that opens a list of links; without a link there is no button.

    In Panel's MenuButton a link has a label alone, without a remark or a sentence.
    """

    label = param.String(default="", doc="What the button says.")

    links = param.List(default=[], doc="Of each its address, title, a remark beside the title, and a sentence.")

    current = param.String(default="", doc="The address of the link that is open; or an empty text.")

    _bundle = bundled("menu")

    def __init__(self, label: str, links: Sequence[Sequence[str]] = (), **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, "label": label, "links": [list(each) for each in links], **params})


class CopyLink(FrameComponent):
    """Copies a link that opens the run of the page as it stands.

    ``asked`` returns the link's query, on a page on a thread of its own, or raises what is said in place of a link.
    """

    _bundle = bundled("copy_link")

    def __init__(self, asked: Callable[[], str], **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._asked = asked

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") == "link":
            self._answer(lambda: {"kind": "link", "query": self._asked()})
        else:
            super()._handle_msg(data)


class Projector(FrameComponent):
    """Enlarges the whole page, with text of at least 20 px, by its button or the key P, and says whether it is on."""

    _bundle = bundled("projector")

    def __init__(self, on_turn: Callable[[bool], None], **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._on_turn = on_turn

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") != "projector":
            super()._handle_msg(data)
        elif isinstance(data.get("on"), bool):
            self._on_turn(data["on"])
        else:
            self._refusals.report("the projector", data)
