"""Execute a notebook with a view of a run and its curves, and render it for a reader without a kernel."""

import subprocess
import sys

import nbformat

CELLS = (
    "import streamlab as sl\nrun = sl.Run('yeast', {'SMART': sl.SMART(seed=1)})\nrun.advance(600)",
    "run.view()",
    "sl.prequential('yeast', sl.SMART(seed=1), n=300).plot()",
)
nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS]), "it.ipynb")
convert = [sys.executable, "-m", "nbconvert", "--to"]
subprocess.run([*convert, "notebook", "--execute", "--inplace", "it.ipynb"], check=True)
kinds = [{kind for out in cell.outputs for kind in out.get("data", {})} for cell in nbformat.read("it.ipynb", 4).cells]
assert "text/html" in kinds[1], kinds
assert "image/png" in kinds[2], kinds
subprocess.run([*convert, "html", "it.ipynb"], check=True)
print("a notebook with a view and a plot is executed and rendered")  # noqa: T201
