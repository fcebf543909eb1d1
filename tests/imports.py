"""What the files of the package import, read from their text: for the tests of floors and of circles."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["PACKAGE", "SOURCES", "Import", "circles", "graph", "imports", "module_of"]

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "streamlab"
SOURCES = sorted(PACKAGE.rglob("*.py"))


@dataclass(frozen=True)
class Import:
    """One imported name.

    Parameters
    ----------
    name
        In full, such as ``"streamlab.schema.Schema"``.
    in_function
        Whether it is imported only when a function is called.
    for_types
        Whether only a type checker imports it.
    """

    name: str
    in_function: bool = False
    for_types: bool = False


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Return everything that a file imports, in the order of its text."""
    package = (PACKAGE.name, *path.relative_to(PACKAGE).parent.parts)
    found: list[Import] = []

    def visit(node: ast.AST, in_function: bool, for_types: bool) -> None:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            names = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            names = [str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)]
        found.extend(Import(name, in_function, for_types) for name in names)
        in_function = in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        checked = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for child in ast.iter_child_nodes(node):
            visit(child, in_function, for_types or checked)

    visit(ast.parse(path.read_text(encoding="utf-8")), False, False)
    return tuple(found)


def module_of(path: Path) -> str:
    """Return a file's module, such as ``"streamlab.lab.run"``; of a package's ``__init__`` the package."""
    parts = (PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _homes(stub: Path) -> dict[str, str]:
    """Return by name what a lazy package imports when it is first used."""
    return {each.name.rpartition(".")[2]: each.name for each in imports(stub)}


def _target(name: str, modules: dict[str, Path]) -> str | None:
    """Return the module that an imported name comes from; a lazy package's names have their home in its stub."""
    if name in modules:
        return name
    module, _, last = name.rpartition(".")
    if not module:
        return None
    if module in modules:
        stub = modules[module].with_suffix(".pyi")
        home = _homes(stub).get(last) if stub.name == "__init__.pyi" and stub.exists() else None
        return module if home is None or home == name else _target(home, modules)
    return _target(module, modules)


def graph(types: bool = False) -> dict[str, set[str]]:
    """Return by module the modules of the package that it imports, also inside its functions.

    Parameters
    ----------
    types
        Whether imports for type checkers count.
    """
    modules = {module_of(path): path for path in SOURCES}
    edges: dict[str, set[str]] = {module: set() for module in modules}
    for module, path in modules.items():
        for each in imports(path):
            target = _target(each.name, modules)
            if target in edges and target != module and (types or not each.for_types):
                edges[module].add(target)
    return edges


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of two or more modules that import each other in a circle (Tarjan's components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for target in sorted(edges[module]):
            if target not in index:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], index[target])
        if low[module] == index[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(edges):
        if module not in index:
            visit(module)
    return found
