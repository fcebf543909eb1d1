"""What leads to the screen, for ``Run.view``, ``Run.export_html`` and results, by the entry points ``streamlab.doors``.

No screen library is imported before one is called; where it is not installed, an ImportError says what to install.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["export_run", "plot_result", "see_run", "view_run"]


def view_run(run: Any, **options: Any) -> Any:
    """Return the view of a run for a notebook cell (``RunView``)."""
    return _of_screen("page.run_view", "RunView", "the view needs Panel", "notebook")(run, **options)


def see_run(run: Any, **options: Any) -> Any:
    """Return the view of a run in a notebook, or serve its page (``page.pages.see_run``)."""
    return _of_screen("page.pages", "see_run", "the page needs Panel", "app")(run, **options)


def export_run(run: Any, path: Any, **options: Any) -> Any:
    """Write a run as one HTML file that replays it (``hosting.replay_page.export_html``); Panel packs its pictures."""
    return _of_screen("hosting.replay_page", "export_html", "a replay needs Panel", "app")(run, path, **options)


def plot_result(result: Any, measure: Any, over: str, **options: Any) -> Any:
    """Return the figure of an evaluation's curves (``on_paper.plot_curves``)."""
    draw = _of_screen("on_paper", "plot_curves", "plotting needs Matplotlib", "notebook")
    return draw(result, measure, over, **options)


def _of_screen(module: str, name: str, what: str, extra: str) -> Any:
    try:
        return getattr(import_module(f"streamlab.views.{module}"), name)
    except ModuleNotFoundError as error:
        raise ImportError(f'{what} ({error}): pip install "streamlab[{extra}]"') from None
