"""The doors to the screen, for ``Run.view``, ``Run.export_html`` and results, by the entry points ``streamlab.doors``.

No screen library is imported before one is gone through.
"""

from __future__ import annotations

from typing import Any

__all__ = ["export_run", "plot_result", "see_run", "view_run"]


def view_run(run: Any, **options: Any) -> Any:
    """Return the view of a run for a notebook cell (``RunView``).

    Raises
    ------
    ImportError
        If Panel is not installed.
    """
    try:
        from streamlab.views.page.run_view import RunView
    except ModuleNotFoundError as error:
        raise ImportError(f'the view needs Panel ({error}): pip install "streamlab[notebook]"') from None
    return RunView(run, **options)


def see_run(run: Any, **options: Any) -> Any:
    """Return the view of a run in a notebook, or serve its page (``page.pages.see_run``).

    Raises
    ------
    ImportError
        If Panel is not installed.
    """
    try:
        from streamlab.views.page.pages import see_run
    except ModuleNotFoundError as error:
        raise ImportError(f'the page needs Panel ({error}): pip install "streamlab[app]"') from None
    return see_run(run, **options)


def export_run(run: Any, path: Any, **options: Any) -> Any:
    """Write a run as one HTML file that replays it (``hosting.replay_page.export_html``).

    Raises
    ------
    ImportError
        If Panel, whose components pack the pictures, is not installed.
    """
    try:
        from streamlab.views.hosting.replay_page import export_html
    except ModuleNotFoundError as error:
        raise ImportError(f'a replay needs Panel ({error}): pip install "streamlab[app]"') from None
    return export_html(run, path, **options)


def plot_result(result: Any, measure: Any, over: str, **options: Any) -> Any:
    """Return the figure of an evaluation's curves (``on_paper.plot_curves``).

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    """
    try:
        from streamlab.views.on_paper import plot_curves
    except ModuleNotFoundError as error:
        raise ImportError(f'plotting needs Matplotlib ({error}): pip install "streamlab[notebook]"') from None
    return plot_curves(result, measure, over, **options)
