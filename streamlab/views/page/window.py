"""The window that pages have, its notices, and how the parts of a run are arranged in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.util import edit_readonly

from streamlab.views.kit.text import as_html, message_html
from streamlab.views.page.screen import AT_ONCE, HEADER, SIDE
from streamlab.views.page.served import guard

SIDE_BY_SIDE = (
    ":host{display:grid!important;grid-template-columns:1fr 1fr;gap:8px;align-items:start;margin:8px 0 0!important}"
)
WINDOW = """
.mui-light,.mui-dark{width:calc(100vw / var(--streamlab-larger, 1))!important;
  height:calc(100vh / var(--streamlab-larger, 1))!important}
.MuiAppBar-root,.MuiToolbar-root{display:var(--streamlab-aside,flex)!important}
.mui-light,.mui-dark,.main{background:var(--mui-palette-background-default)!important}
"""
"""A page fills the window, also where ``Projector`` enlarges it and leaves its header out."""
BRAND = """
.header .MuiToolbar-root>.MuiBox-root:first-of-type,
.header .MuiToolbar-root>.MuiIconButton-root:first-child{display:none!important}
"""
"""Without the title in the header, which the stream's name takes the place of; its own button opens the drawer."""
TWO_LINES = """
.MuiFormControlLabel-root{align-items:flex-start!important;margin-right:0!important}
.MuiFormControlLabel-label{display:block;padding:9px 0 3px;white-space:pre-line;
  font-size:13px!important;line-height:1.35;color:color-mix(in srgb,currentColor 78%,transparent)}
.MuiFormControlLabel-label::first-line{font-size:14px;font-weight:600;color:var(--mui-palette-text-primary,inherit)}
"""
"""A choice whose name stands above what is said of it."""
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width"}


def fields(least: int) -> str:
    """Return the style of as many controls beside each other as have room, each at least this many px wide."""
    return (
        f":host{{display:grid!important;grid-template-columns:repeat(auto-fill,minmax({least}px,1fr));align-items:end}}"
    )


def _theme(primary: str, paper: str, ink: str, ground: str) -> dict[str, Any]:
    """Return a theme whose header is low and of the page's own colour: nothing but Play is saturated."""
    bar = {
        "padding": "0 !important",
        "backgroundColor": ground,
        "backgroundImage": "none",
        "color": ink,
        "boxShadow": "none",
        # the line of a page that is busy is never seen here, and would take its place
        "& .MuiLinearProgress-root": {"display": "none"},
    }
    tool = {
        "minHeight": f"{HEADER}px !important",
        "height": HEADER,
        "margin": "0 !important",
        "& .MuiTypography-root": {
            **{"fontSize": "17px", "fontWeight": 650, "color": ink, "minWidth": 0, "overflowWrap": "anywhere"},
            "@media (max-width:520px)": {"fontSize": "13px", "lineHeight": 1.2},
        },
        "& .MuiBox-root": {"minWidth": 0, "height": "100%"},
        "& .MuiBox-root:first-of-type": {"flex": "none"},
        # the mark of the last button ends where all else does, its ground 8 px later
        "padding": "0 8px 0 16px !important",
        f"@media {AT_ONCE}": {"padding": f"0 {SIDE - 8}px 0 {SIDE}px !important"},
        "@media (max-width:820px)": {"padding": "0 4px 0 8px !important"},
    }
    return {
        "palette": {"primary": {"main": primary}, "background": {"default": ground, "paper": paper}},
        "components": {
            "MuiAppBar": {"styleOverrides": {"root": bar}},
            "MuiToolbar": {"styleOverrides": {"root": tool}},
        },
    }


THEMES = {
    "light": _theme("#0f5c8c", "#ffffff", "#16191d", "#fbfaf8"),
    "dark": _theme("#90caf9", "#1b1f23", "#eef1f3", "#14171a"),
}
"""Colours of pages, light and dark, as panel-material-ui's ``theme_config`` takes them."""


BESIDE = 1190
"""A page so wide, px, has two pictures beside each other."""


def equal_columns(least: int) -> str:
    """Return the style of as many columns as have room, all of a width, each at least this many px wide."""
    return (
        f":host{{display:grid!important;grid-template-columns:repeat(auto-fit,minmax(min({least}px,100%),1fr));gap:28px;"
        "align-items:start;grid-auto-rows:max-content;height:max-content!important}"
        # Panel's button to scroll a column, which is never seen here, would take a place among the columns
        ".scroll-button{display:none!important}"
        # on a projector nothing scrolls: all stand beside each other, however narrow
        "@container style(--sl-projected:1){:host{grid-template:none/none!important;grid-auto-flow:column!important;"
        "grid-auto-columns:minmax(0,1fr);gap:16px}}"
    )


def columns_of(left: int, right: int) -> str:
    """Return the style of two in ``equal_columns`` that share the width so, where a page has them beside each other."""
    shares = f"minmax(0,{left}fr) minmax(0,{right}fr)"
    return (
        f"@container page (min-width:{BESIDE}px){{:host{{grid-template-columns:{shares}}}}}"
        f"@container style(--sl-projected:1){{:host{{grid-template:none/{shares}!important}}}}"
    )


def settings_section(settings: Sequence[Any]) -> pmui.Accordion:
    """Return settings that open by their title, for a view without a sidebar."""
    content = pn.Column(*settings, stylesheets=[fields(280)], **WIDE)
    return pmui.Accordion(("Settings", content), active=[], title_variant="body2", margin=(6, 2), **WIDE)


def drawer(*sections: tuple[str, Any], active: Sequence[int] = ()) -> pmui.Accordion:
    """Return the sections of a drawer, each made when it is opened; a list of parts stands one below the other."""
    made = [(title, pn.Column(*part, **WIDE) if isinstance(part, list) else part) for title, part in sections]
    look = {"toggle": False, "dynamic": True, "title_variant": "subtitle1", "margin": (6, 8)}
    return pmui.Accordion(*made, active=list(active), **look, **WIDE)


MOST_TOLD = 4


def make_window(
    title: str,
    main: Sequence[Any],
    say: Callable[[str], None],
    *,
    dark: bool,
    sidebar: Sequence[Any] = (),
    brand: bool = False,
    **more: Any,
) -> pmui.Page:
    """Return a page of Panel's with our colours, guarded against what no control of it sends.

    With ``brand`` its title is not in the header, which says ``streamlab`` itself.
    """
    page = pmui.Page(
        title=title, template=OPENING, main=list(main), sidebar=list(sidebar), sidebar_width=330,
        sidebar_variant="temporary", sidebar_open=False, sidebar_resizable=False, dark_theme=dark, theme_config=THEMES,
        stylesheets=[WINDOW, *([BRAND] if brand else [])], busy_indicator=None, **more,
    )  # fmt: skip
    with edit_readonly(page):
        # The page would say busy and idle at every message from the browser, 30 ms of server time each. Another
        # reference, not a plain value: only that ends Panel's own, which would hold the page for ever.
        page.busy = param.rx(False)
    guard(page, say)
    return page


def refused_text(refused: Sequence[str]) -> str:
    """Return what a link asked for and cannot be had, in a sentence; "" if there is nothing."""
    if not refused:
        return ""
    more = f" (and {len(refused) - MOST_TOLD} more)" if len(refused) > MOST_TOLD else ""
    return f"The link asked for what cannot be had here: {'; '.join(refused[:MOST_TOLD])}{more}."


OPENING = """
{% extends "base.html" %}
{% block preamble %}
<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:;
  connect-src 'self' ws: wss: data: blob:">
{{ super() }}
{% endblock %}
{% block loader %}
{{ super() }}
<style>
  #streamlab-opening{position:fixed;inset:0;z-index:2000;background:#fbfaf8;color:#16191d;
    font:15px/1.5 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
  #streamlab-opening b{display:block;padding:12px 24px;font-size:17px;}
  #streamlab-opening p{margin:24px}
  @media (prefers-color-scheme:dark){ #streamlab-opening{background:#14171a;color:#eef1f3}}
</style>
<script>document.querySelector('link[href*="/material-icons.css"]')?.remove();</script>
<div id="streamlab-opening" role="status"><b>{{ title | e }}</b><p>Opening the page …</p></div>
<script>
  {
    const shim = window.importShim;
    const load = (url) => (/^[.\\/]*static\\/extensions\\//.test(url) ? import(url) : shim(url));
    window.importShim = Object.assign(load, shim);
    const opening = document.getElementById("streamlab-opening");
    const look = () => (window.Bokeh?.documents?.[0]?.is_idle ? opening.remove() : setTimeout(look, 30));
    look();
  }
</script>
{% endblock %}
"""
"""A template of panel-material-ui's page. What hides the page goes when it has drawn itself.

Its policy keeps the browser from asking any other host. Panel and Bokeh have addresses of public servers for style
sheets, icons and formulas, and fall back to them where they do not know the page's own.

A file of the server is a module that needs no other, and the browser loads it itself: it keeps what it has compiled,
where Panel's loader makes it another text each time.

The sheet that is taken out declares again what ``panel-material-ui.bundle.css`` does, and Roboto without the letters
that each of its files has: a browser fetches sixteen, one after the other, until it comes to the Latin ones.
"""


WRAP = ":host{overflow-wrap:anywhere;max-width:100%}"
"""A long word is broken instead of widening the page."""


OVER = f"""
@media {AT_ONCE}{{:host{{position:fixed!important;z-index:20;top:{HEADER}px;left:{SIDE}px;right:{SIDE}px;
  margin:0!important;width:auto!important}}}}
.MuiAlert-root{{background:var(--mui-palette-background-paper,Canvas)!important}}"""


class Part(pn.viewable.Viewer):
    """A part of a page that is put together of others: ``_layout`` is what it shows."""

    _layout: Any

    def __panel__(self) -> Any:
        return self._layout


class LateHTML(pn.pane.HTML):
    """HTML that may be written while its tab is closed.

    Panel takes the address of style sheets from the document of what is drawn, which has none then: it would name its
    public host, for everything that is drawn later, too.
    """

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        return super()._get_properties(doc or pn.state.curdoc)


class Notice(pmui.Alert):
    """An alert whose ``object`` is text: whatever a file or a learner wrote into it is shown, not read."""

    def __init__(self, **params: Any) -> None:
        params.setdefault("title", "")
        params.setdefault("object", "")
        super().__init__(**{"stylesheets": [WRAP], **params})

    def _process_param_change(self, params: dict[str, Any]) -> dict[str, Any]:
        text = params.pop("object", None)
        changed = super()._process_param_change(params)
        if text is not None:
            # the browser takes one layer of escapes off before it sets the HTML
            changed["object"] = escape(message_html(text))
        return changed

    def say(self, text: str, severity: str = "error") -> None:
        """Show a text; an empty one hides the notice."""
        self.param.update(object=text, severity=severity, visible=bool(text), closed=False)

    @contextmanager
    def tells(self, severity: str = "error") -> Iterator[None]:
        """Say why what people asked for cannot be done; what was said before is over."""
        self.visible = False
        try:
            yield
        except ValueError as error:
            self.say(str(error), severity)


class PageNotice(Notice):
    """A notice of a page: over the screen where everything is seen at once, so that it pushes nothing out of it."""

    def __init__(self) -> None:
        super().__init__(
            severity="warning", visible=False, closeable=True, margin=(8, 16, 0, 16), stylesheets=[WRAP, OVER], **WIDE
        )


class Heading(pmui.Typography):
    """A line whose ``object`` is text."""

    def __init__(self, text: str, **params: Any) -> None:
        super().__init__(text, **{"stylesheets": [WRAP], **params})

    def _transform_object(self, obj: Any) -> dict[str, Any]:
        return {"object": escape(as_html(obj))}


class Explanation(Heading):
    """Text of some lines."""

    def _transform_object(self, obj: Any) -> dict[str, Any]:
        return {"object": escape(message_html(obj))}
