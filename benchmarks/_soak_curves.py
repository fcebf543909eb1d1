"""The samples of ``soak`` as curves in one SVG file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

__all__ = ["LINES", "draw"]

LINES = {
    "rows": "rows passed, millions",
    "megabytes": "memory of the server, MB",
    "threads": "threads",
    "handles": "open files and sockets",
    "click_ms": "click on pause to pause shown, ms",
}
"""The columns drawn, from top to bottom, with their headings."""


def draw(samples: list[dict[str, float]], path: str | Path, title: str = "") -> None:
    """Draw one panel a column over minutes; gaps where a click had no answer.

    Parameters
    ----------
    samples
        Rows of ``soak``, with ``seconds`` and the columns of ``LINES``.
    path
        The file to write; its suffix is the format.
    title
        One line above the panels.
    """
    from matplotlib.figure import Figure

    minutes = np.array([sample["seconds"] for sample in samples]) / 60
    figure = Figure(figsize=(8, 1.5 * len(LINES)), layout="constrained")
    panels = figure.subplots(len(LINES), sharex=True)
    for k, (panel, (column, heading)) in enumerate(zip(panels, LINES.items(), strict=True)):
        values = np.array([sample[column] for sample in samples], float) / (1e6 if column == "rows" else 1)
        panel.plot(minutes, values, lw=1, color=f"C{k}")
        panel.set_title(heading, loc="left", fontsize=9)
        panel.set_ylim(bottom=0)
        panel.spines[["top", "right"]].set_visible(False)
    panel.set_xlabel("minutes")
    if title:
        figure.suptitle(title, fontsize=10)
    figure.savefig(path, metadata={"Date": None} if str(path).endswith("svg") else None)
