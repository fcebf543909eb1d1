"""``python -m benchmarks NAME... [OPTIONS]`` runs the benchmarks named; without a name, or with --list, it lists them.

Options are for a single benchmark: ``python -m benchmarks fuzz --help``. ``python -m benchmarks all`` runs every one
with its defaults, which takes days, and writes their tables into docs/benchmarks.md.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.browser import NoBrowser
from benchmarks.harness import Sheet, console

HERE = Path(__file__).parent
DOC = HERE.parent / "docs" / "benchmarks.md"
MACHINE_MADE = "<!-- Made by `python -m benchmarks all`: do not edit below. -->"
FILES: dict[str, tuple[str, ...]] = {
    "speed": ("smart", "mlhat", "memory", "states", "arff", "generators", "startup"),
    "sparse": ("sparse",),
    "programs": (
        "mlht",
        "pruned_sets",
        "hoeffding_trees",
        "isoupt",
        "remembered",
        "ensembles",
        "mlbels",
        "river_recipes",
        "rivals",
    ),
    "trees": ("mlhat_table", "drift"),
    "neighbours": ("balanced", "transductive", "hierarchical"),
    "page": ("monitor", "upload", "drag", "time_machine", "replay"),
    "soak": ("soak",),
    "bars": ("bars",),
    "first_minute": ("first_minute",),
    "visits": ("visits",),
    "live.joined": ("live",),
    "live.attached": ("attached",),
    "live.spark": ("spark",),
    "study.sets": ("study",),
    "study.killed": ("study_killed",),
    "study.scale": ("study_scale",),
    "study.shards": ("shards",),
    "robust.fuzz": ("fuzz",),
    "robust.torture": ("torture",),
    "robust.outliers": ("outliers",),
    "robust.killed": ("killed",),
    "figures.papers": ("papers",),
    "figures.book": ("book",),
    "figures.pictures": ("pictures",),
}
"""The benchmarks of each file; the function of a benchmark has its name, or is ``main``."""


def available() -> dict[str, str]:
    """The benchmarks' names, each with the first line of the docstring of its function, or of its file."""
    found = {}
    for file, names in FILES.items():
        tree = ast.parse((HERE.joinpath(*file.split(".")).with_suffix(".py")).read_text(encoding="utf-8"))
        functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        for name in names:
            found[name] = (ast.get_docstring(tree if "main" in functions else functions[name]) or "").partition("\n")[0]
    return found


def loaded(name: str) -> Callable[[Sequence[str]], int | None]:
    """Import a benchmark's file, and return its function."""
    module = import_module(f"benchmarks.{next(file for file, names in FILES.items() if name in names)}")
    return getattr(module, "main", None) or getattr(module, name)


def main(arguments: list[str]) -> int:
    at = next((i for i, each in enumerate(arguments) if each.startswith("-")), len(arguments))
    names, options = arguments[:at], arguments[at:]
    known = available()
    unknown = [name for name in names if name not in known and name != "all"]
    if unknown:
        console.print(f"no benchmark {', '.join(map(repr, unknown))}; there are: {', '.join(known)}")
        return 2
    if not names and options in ([], ["--list"]):
        for name, purpose in known.items():
            console.print(f"{name:15} {purpose}")
        return 0
    if options and len(names) != 1:
        console.print(f"{' '.join(options)}: expected one benchmark before them")
        return 2
    if names == ["all"]:
        return max(run(name, [], into=DOC) for name in known)
    return max(run(name, options) for name in names)


def run(name: str, options: Sequence[str], into: Path | None = None) -> int:
    """Run a benchmark; write its tables into a page of the docs, if there is one. Returns its exit code."""
    Sheet.shown_so_far.clear()
    try:
        code = loaded(name)(options) or 0
    except NoBrowser as missing:
        console.print(str(missing))
        return 1
    if into is not None and Sheet.shown_so_far:
        page = into.read_text(encoding="utf-8")
        into.write_text(with_tables(page, name, [sheet.text() for sheet in Sheet.shown_so_far]), encoding="utf-8")
    return code


def with_tables(page: str, name: str, tables: Sequence[str]) -> str:
    """Return a page with the tables of a benchmark in its machine-made part, in place of its former ones."""
    written, _, made = page.partition(MACHINE_MADE)
    parts = dict(re.findall(r"^## (\w+)\n\n(.*?)\n*(?=^## |\Z)", made, re.MULTILINE | re.DOTALL))
    parts[name] = "\n\n".join(tables)
    sections = (f"## {each}\n\n{parts[each]}" for each in sorted(parts))
    return "\n\n".join([written.rstrip(), MACHINE_MADE, *sections]) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
