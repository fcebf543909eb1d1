"""``python -m benchmarks NAME...`` runs the benchmarks named; without a name it lists those there are."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent


def available() -> dict[str, str]:
    """The benchmarks' names, each with the first line of its docstring."""
    return {
        path.stem: (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        for path in sorted(HERE.glob("*.py"))
        if not path.stem.startswith("_")
    }


def main(names: list[str]) -> int:
    console = Console()
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
    for name in names:
        import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
