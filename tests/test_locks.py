"""A thread that forgets a lock fails once in a million rows: so the text of the code is asked, not the clock."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1] / "streamlab"
CHANGING = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
EXEMPT = {
    ("lab/ownership.py", "_lock"): "taken by the run and its player",
    ("plugins.py", "_found"): "set once, whole; looked at again under the lock",
    ("views/hosting/limits.py", "_root"): "at a signal, whose handler must not wait for a lock",
    ("views/page/monitor.py", "_job"): "in the document's thread, which alone sets it",
}
"""What is read without its lock, or taken elsewhere, by file and name, and why that is right."""


class Access(NamedTuple):
    """One place where a function reads, changes or calls a name of its class or module."""

    function: str
    name: str
    kind: str
    held: frozenset[str]
    line: int


def locks_of(node: ast.AST) -> Iterator[str]:
    """Yield the names of the locks that a class or a module makes; one of another name guards no data, but a pipe."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assign) and ast.unparse(each.value).endswith("Lock()"):
            name = ast.unparse(each.targets[0]).removeprefix("self.")
            if name.endswith("lock"):
                yield name


class Part(NamedTuple):
    """A class or the module itself: its functions, the locks that it makes, and the names that its functions share."""

    title: str
    functions: list[ast.FunctionDef]
    locks: set[str]
    shared: set[str]


def parts_of(module: ast.Module) -> Iterator[Part]:
    """Yield the parts of a module."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            yield Part(node.name, functions, set(locks_of(node)), set())
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    set_here = [node for node in module.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    names = {each.id for node in set_here for each in ast.walk(node) if isinstance(each, ast.Name)}
    locks = {lock for node in set_here for lock in locks_of(node)}
    yield Part("", functions, locks, names | {each.name for each in functions})


def accesses(part: Part) -> Iterator[Access]:
    """Yield where the functions reach what they share, with the locks that each place holds."""

    def name_of(node: ast.AST) -> str:
        while isinstance(node, ast.Subscript):
            node = node.value
        if part.title:
            mine = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
            return node.attr if mine and isinstance(node, ast.Attribute) else ""
        return node.id if isinstance(node, ast.Name) and node.id in part.shared else ""

    def within(function: str, node: ast.AST, held: frozenset[str]) -> Iterator[Access]:
        def place(of: ast.AST, kind: str) -> Iterator[Access]:
            if name_of(of):
                yield Access(function, name_of(of), kind, held, getattr(node, "lineno", 0))

        inner = held
        if isinstance(node, ast.With):
            taken = {name_of(item.context_expr) for item in node.items}
            inner = held | {name for name in taken if name in part.locks or name.endswith("_lock")}
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            for target in node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]:
                for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                    yield from place(each, "changes")
        elif isinstance(node, ast.Call):
            yield from place(node.func, "calls")
            if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                yield from place(node.func.value, "changes")
        elif isinstance(node, (ast.Attribute, ast.Name)):
            yield from place(node, "reads")
        for child in ast.iter_child_nodes(node):
            yield from within(function, child, inner)

    for function in part.functions:
        for statement in function.body:
            yield from within(function.name, statement, frozenset())


def unguarded(part: Part, found: Sequence[Access]) -> Iterator[Access]:
    """Yield the places that reach without a lock what is changed, and elsewhere reached, under it."""
    names = {each.name for each in part.functions}
    entered: dict[str, frozenset[str]] = defaultdict(frozenset)
    for name in [name for _ in names for name in names if name.startswith("_") and name != "__init__"]:
        # a private function has the locks that all its callers hold
        held = [each.held | entered[each.function] for each in found if each.kind == "calls" and each.name == name]
        entered[name] = frozenset.intersection(*held) if held else frozenset()
    later = [each._replace(held=each.held | entered[each.function]) for each in found
             if each.function != "__init__" and each.name not in names | part.locks]  # fmt: skip
    for name in names:  # called under a lock in one place, it is not called without it in another
        sites = [each for each in found if each.kind == "calls" and each.name == name and each.function != "__init__"]
        if name.startswith("_") and any(each.held for each in sites):
            yield from (each for each in sites if not (each.held | entered[each.function]))
    guarded = {each.name for each in later if each.held} & {each.name for each in later if each.kind == "changes"}
    yield from (each for each in later if each.name in guarded and not each.held)


def faults(text: str, file: str) -> Iterator[str]:
    """Yield a sentence for each lock of a file that is forgotten somewhere."""
    for part in parts_of(ast.parse(text)):
        found = list(accesses(part))
        for lock in sorted(part.locks - {lock for each in found for lock in each.held}):
            if (file, lock) not in EXEMPT:
                yield f"{file}: nothing in {part.title or 'the module'} takes {lock}"
        for each in unguarded(part, found):
            if each.kind == "changes" or (file, each.name) not in EXEMPT:
                yield f"{file}:{each.line}: {each.function} {each.kind} {each.name} without the lock that guards it"


def test_what_a_lock_guards_is_reached_under_it_alone() -> None:
    for path in sorted(ROOT.rglob("*.py")):
        assert list(faults(path.read_text(), path.relative_to(ROOT).as_posix())) == []


def test_a_lock_that_is_left_out_is_named() -> None:
    text = """
class Seats:
    def __init__(self):
        self._lock = Lock()
        self._taken = 0
    def take(self):
        with self._lock:
            self._taken += 1
    def leave(self):
        with self._lock:
            self._taken -= 1
"""
    assert list(faults(text, "seats.py")) == []
    once = text.replace("with self._lock", "if True", 1)
    assert sorted(faults(once, "seats.py")) == [
        "seats.py:8: take changes _taken without the lock that guards it",
        "seats.py:8: take reads _taken without the lock that guards it",
    ]
    assert list(faults(once.replace("with self._lock", "if True"), "seats.py")) == [
        "seats.py: nothing in Seats takes _lock"
    ]
