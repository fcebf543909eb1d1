"""The floors of the house: who may import whom, and that the core comes without a screen."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "streamlab"

# what each floor may import of streamlab, besides itself; ``streamlab`` itself names homes, and imports on first use
ALLOWED = {
    "kernels": set(),
    "plugins": set(),
    "hierarchy": set(),
    "schema": {"hierarchy"},
    "detectors": {"kernels"},
    "streams": {"schema", "kernels", "plugins"},
    "learners": {"schema", "kernels", "detectors", "plugins"},
    "measures": {"schema", "kernels", "plugins"},
    "evaluate": {"schema", "kernels", "detectors", "streams", "learners", "measures", "lab"},
    "crossval": {"schema", "kernels", "detectors", "streams", "learners", "measures"},
    "lab": {"schema", "kernels", "detectors", "streams", "learners", "measures"},
    "views": {"schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "evaluate", "lab"},
    "cli": {"schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "evaluate", "lab", "views"},
}
# what may be imported upwards, but only inside a function that the user calls: ``run.view()``, ``result.plot()``
ON_DEMAND = {("lab", "views"), ("evaluate", "views")}
SCREEN = {"panel", "holoviews", "bokeh", "hvplot", "panel_material_ui"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def floor_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> list[tuple[str, bool]]:
    """Every module that a file imports, in full, and whether it does so inside a function."""
    package = ("streamlab", *path.relative_to(PACKAGE).parent.parts)
    found: list[tuple[str, bool]] = []

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            found.extend((f"{module}.{alias.name}", inside) for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            found.extend((arg.value, inside) for arg in node.args[:1] if isinstance(arg, ast.Constant))
        inside = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(path.read_text(encoding="utf-8")), False)
    return found


def test_the_parser_sees_what_is_imported():
    assert ("numba", False) in imports(PACKAGE / "kernels.py")
    assert ("streamlab.schema.Schema", False) in imports(PACKAGE / "learners" / "learner.py")
    assert ("pandas", True) in imports(PACKAGE / "learners" / "learner.py")
    assert {floor_of(path) for path in SOURCES} >= {"kernels", "schema", "streams", "learners", "measures"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_floor_imports_a_higher_one(path):
    floor = floor_of(path)
    if floor in {"__init__", "__main__"}:
        return
    assert floor in ALLOWED, f"{path.name} is on no floor: add it to ALLOWED"
    for module, inside in imports(path):
        parts = module.split(".")
        if parts[0] != "streamlab" or len(parts) == 1:
            continue
        if module == "streamlab.__version__":
            continue
        target = parts[1]
        if target not in ALLOWED:
            # a public name of the package, taken on first use: only where a cycle would close otherwise
            assert inside, f"{path.name} imports {module} when it is loaded"
            continue
        on_demand = inside and (floor, target) in ON_DEMAND
        assert target == floor or target in ALLOWED[floor] or on_demand, f"{floor} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_only_views_import_a_screen_library(path):
    floor = floor_of(path)
    for module, inside in imports(path):
        if module.split(".")[0] in SCREEN:
            assert floor == "views" or (floor == "cli" and inside), f"{path.name} imports {module}"


FRESH = """
import sys, time
start = time.process_time()
import streamlab
seconds = time.process_time() - start
assert not {screen} & set(sys.modules), {screen} & set(sys.modules)
print(seconds)
"""


def run_fresh(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_is_quick_and_brings_no_screen_library():
    seconds = [float(run_fresh(FRESH.format(screen=SCREEN))) for _ in range(3)]
    assert statistics.median(seconds) < 1.0


def test_the_core_at_work_brings_no_screen_library():
    floors = [f for f in ("schema", "streams", "learners", "measures", "evaluate", "lab") if _exists(f)]
    run_fresh(
        "import sys\n"
        + "".join(f"import streamlab.{floor}\n" for floor in floors)
        + f"assert not {SCREEN} & set(sys.modules), {SCREEN} & set(sys.modules)\n"
    )


def _exists(floor: str) -> bool:
    return (PACKAGE / f"{floor}.py").exists() or any((PACKAGE / floor).glob("*.py"))


def test_an_unknown_name_is_an_attribute_error():
    run_fresh("import streamlab\nassert not hasattr(streamlab, 'nonsense')")
