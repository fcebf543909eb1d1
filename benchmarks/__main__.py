"""``python -m benchmarks NAME... [OPTIONS]`` runs the benchmarks named; without a name it lists those there are.

Options are for a single benchmark that takes some: ``python -m benchmarks fuzz --help``.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks._browser import NoBrowser

HERE = Path(__file__).parent


def available() -> dict[str, str]:
    """The benchmarks' names, each with the first line of its docstring."""
    return {
        path.stem: (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        for path in sorted(HERE.glob("*.py"))
        if not path.stem.startswith("_")
    }


def main(arguments: list[str]) -> int:
    console = Console()
    at = next((i for i, each in enumerate(arguments) if each.startswith("-")), len(arguments))
    names, options = arguments[:at], arguments[at:]
    known = available()
    unknown = [name for name in names if name not in known]
    if unknown:
        console.print(f"no benchmark {', '.join(map(repr, unknown))}; there are: {', '.join(known)}")
        return 2
    if not names:
        table = Table("benchmark", "what it measures", title="python -m benchmarks NAME...")
        for name, purpose in known.items():
            table.add_row(name, purpose)
        console.print(table)
    mains = [import_module(f"benchmarks.{name}").main for name in names]
    takes = ["options" in signature(each).parameters for each in mains]
    if options and takes != [True]:
        console.print(f"{' '.join(options)}: expected one benchmark that takes options before them")
        return 2
    worst = 0
    for each, takes_some in zip(mains, takes, strict=True):
        try:
            worst = max(worst, (each(options) if takes_some else each()) or 0)
        except NoBrowser as missing:
            console.print(str(missing))
            worst = max(worst, 1)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
