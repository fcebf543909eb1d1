"""How large the house is: code lines by folder, and what three trips through it touch.

``python -m benchmarks house [--root streamlab] [--check]``

Code lines are those without docstrings, comments, blanks and imports. Trips are counted in calls of the package's own
functions, after one trip of the same kind that is not counted. ``--check`` counts code lines alone, and fails where
there are more than ``MOST_CODE``.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import streamlab as sl
from benchmarks.harness import ROOT, Sheet, asked
from tests.outside.packages import BLOCK, TEXT

__all__ = ["code_lines", "main", "sizes", "trips"]

MOST_CODE = 48_713
"""Code lines that the package may have; whoever needs more says why in the commit that raises it."""
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
BASES = ("learners/base", "learners", "rivals", "lab", "streams", "views/page", "views")
"""Folders that are counted with all that is in them, beside those at the top."""


def code_lines(source: str) -> int:
    """Return how many lines of a module are code."""
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        docstrings = [
            each for each in (body if isinstance(body, list) else [])
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str)
        ]  # fmt: skip
        imports: list[Any] = [node] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
        for each in (*docstrings, *imports):
            left_out.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - left_out)


def public_names(source: str) -> int:
    """Return how many names a module's ``__all__`` lists; 0 without one."""
    for node in ast.parse(source).body:
        names = [getattr(target, "id", "") for target in getattr(node, "targets", ())]
        if names == ["__all__"] and isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Tuple)):
            return len(node.value.elts)
    return 0


def sizes(root: Path) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield each folder with its code lines, lines, files and public names: those at the top, some below, and all."""
    counts = {}
    for path in sorted(root.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        counts[path.relative_to(root).as_posix()] = (
            code_lines(source), source.count("\n"), 1, public_names(source)
        )  # fmt: skip
    tops = {name.partition("/")[0] if "/" in name else "" for name in counts}
    for folder in sorted(tops | set(BASES)):
        inside = [
            count
            for name, count in counts.items()
            if ("/" not in name if not folder else name.startswith(f"{folder}/"))
        ]
        if inside:
            yield folder or "(top)", *_summed(inside)
    yield "all", *_summed(counts.values())


def _summed(counts: Any) -> tuple[int, int, int, int]:
    code, lines, files, names = (sum(each) for each in zip(*counts, strict=True))
    return code, lines, files, names


def called(trip: Callable[[], object]) -> tuple[int, int, int]:
    """Return how many calls of the package's functions a trip makes, of how many functions, in how many files."""
    inside, calls = str(ROOT / "streamlab"), Counter[CodeType]()

    def look(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(inside):
            calls[frame.f_code] += 1

    trip()
    sys.setprofile(look)
    try:
        trip()
    finally:
        sys.setprofile(None)
    return sum(calls.values()), len(calls), len({code.co_filename for code in calls})


def trips() -> Iterator[tuple[str, int, int, int]]:
    """Yield the trips: a chunk of SMART through a run, a parameter changed there, a seek."""
    run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=1)}, chunk=100)
    run.advance(600)
    yield "a chunk of SMART in a run", *called(lambda: run.advance(100))
    half_lives = iter((50.0, 60.0))
    yield "its half-life changed", *called(lambda: run.tune("SMART", half_life=next(half_lives)))
    places = iter((350, 250))
    yield "a seek", *called(lambda: run.seek(next(places)))


def beside() -> Iterator[tuple[str, int, int]]:
    """Yield the lines and files of what stands beside the package's Python: JavaScript, tests, an example."""
    kinds = (
        ("JavaScript, sources", "streamlab", "*.js"),
        ("tests", "tests", "*.py"),
        ("their JavaScript", "tests", "*.js"),
    )
    for title, place, pattern in kinds:
        files = [path for path in (ROOT / place).rglob(pattern) if "dist" not in path.parts]
        yield title, sum(path.read_text(encoding="utf-8").count("\n") for path in files), len(files)
    shown = [text for _, name, text in BLOCK.findall(TEXT) if name.endswith((".py", ".js"))]
    filled = sum(bool(line.strip()) for text in shown for line in text.splitlines())
    yield "a learner, picture, measure and stream of docs/contributing, without blank lines", filled, len(shown)


def learner_size() -> Iterator[tuple[str, str]]:
    """Yield what a new SMART is made of: its classes before River's, its attributes."""
    kinds = [kind.__name__ for kind in sl.SMART.__mro__[1:] if kind.__module__.startswith("streamlab")]
    yield "classes above SMART", f"{len(kinds)}: {', '.join(kinds)}"
    yield "attributes of a new SMART", str(len(vars(sl.SMART(seed=1))))


def main(arguments: Sequence[str] = ()) -> None:
    """Print the tables."""
    given = asked("house", arguments, root=str(ROOT / "streamlab"), check=False)
    root = given.root
    if given.check:
        *_, (_, code, *_) = sizes(Path(root))
        sys.exit(f"{code:,} code lines; at most {MOST_CODE:,} are agreed" if code > MOST_CODE else 0)
    tables: dict[str, tuple[list[str], Iterator[tuple[Any, ...]]]] = {
        "Code by folder": (["folder", "code lines", "lines", "files", "public names"], sizes(Path(root))),
        "Beside it": (["what", "lines", "files"], beside()),
        "Trips": (["trip", "calls", "functions", "files"], trips()),
        "A learner": (["what", "now"], learner_size()),
    }
    for title, (header, rows) in tables.items():
        sheet = Sheet(title, header)
        for row in rows:
            sheet.add(*row)
        sheet.show()


if __name__ == "__main__":
    main(sys.argv[1:])
