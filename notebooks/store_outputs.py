"""Run the notebooks and keep what a reader elsewhere can use of their outputs: ``python notebooks/store_outputs.py``.

Text, tables and pictures stay, of a live view the picture of its moment. JavaScript and widgets go: they mean nothing
without their kernel.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
LIVE = ("application/javascript", "application/vnd.holoviews_load.v0+json", "application/vnd.holoviews_exec.v0+json")
PICTURE = re.compile(r'<img [^>]*src="data:image/png;base64,([^"]+)"')
WIDGET = "application/vnd.jupyter.widget-view+json"


def kept(output: nbformat.NotebookNode) -> bool:
    """Whether anything is left of an output once what only a live kernel can use has been taken out of it."""
    data = output.get("data")
    if data is None:
        return True
    if WIDGET in data or data.get("text/plain") == "":
        return False
    if any(kind in data for kind in LIVE):
        picture = PICTURE.search(data.get("text/html", ""))
        if picture is not None:
            data["image/png"] = picture[1] + "\n"
        for kind in (*LIVE, "text/html"):
            data.pop(kind, None)
    for kind in LIVE:
        output.metadata.pop(kind, None)
    return bool(data)


def store(path: Path) -> None:
    """Execute a notebook in its folder and write it back with its outputs."""
    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if kept(output)]
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if len(sys.argv) > 1 else sorted(FOLDER.glob("*.ipynb")):
        store(path)
