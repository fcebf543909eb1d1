"""The floors of the house: who may import whom, and that the core comes without a screen."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import PACKAGE, SOURCES, circles, graph, imports

ROOT = PACKAGE.parent

# what each floor may import of streamlab, besides itself; ``streamlab`` itself names homes, and imports on first use
ALLOWED = {
    "_kernel_files": set(),
    "bundle": set(),
    "inner_kernels": set(),
    "kernels": {"_kernel_files", "inner_kernels"},
    "_moved": set(),
    "plugins": set(),
    "hierarchy": set(),
    "schema": {"hierarchy"},
    "detectors": {"kernels"},
    "streams": {"schema", "kernels", "plugins", "_moved", "live"},
    "learners": {"schema", "bundle", "kernels", "detectors", "plugins", "_moved"},
    # a wing: no floor of the core may import it
    "rivals": {"schema", "bundle", "kernels", "detectors", "plugins", "learners"},
    "measures": {"schema", "kernels", "plugins"},
    "evaluate": {"schema", "kernels", "detectors", "streams", "learners", "measures", "lab"},
    "crossval": {"schema", "kernels", "detectors", "streams", "learners", "measures"},
    "lab": {"schema", "kernels", "detectors", "streams", "learners", "measures"},
    "study": {"schema", "kernels", "plugins", "streams", "learners", "measures", "lab", "views"},
    "testing": {"schema", "streams", "learners", "lab"},
    "lessons": {"schema", "streams", "learners", "measures", "lab", "views"},
    "live": {"schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "lab", "study", "views"},
    "views": {
        *("schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "evaluate", "lab"),
        *("study", "live", "lessons"),
    },
    "cli": {
        *("schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "evaluate", "lab", "views"),
        *("study", "live", "lessons"),
    },
}
# what may be imported upwards, but only inside a function that the user calls: ``run.view()``, ``result.plot()``
DOORS = frozenset(
    {
        ("streamlab.lab.run", "streamlab.views.doors"),
        ("streamlab.evaluate", "streamlab.views.doors"),
        ("streamlab.study.comparison", "streamlab.views.doors"),
        ("streamlab.study.plots", "streamlab.views.doors"),
    }
)
ON_DEMAND = {tuple(module.split(".")[1] for module in door) for door in DOORS}
SCREEN = {"panel", "holoviews", "bokeh", "hvplot", "panel_material_ui"}
MOST_LINES = 500


def floor_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_the_parser_sees_what_is_imported():
    pairs = {(each.name, each.in_function) for each in imports(PACKAGE / "learners" / "base" / "columns.py")}
    assert ("numba", False) in {(each.name, each.in_function) for each in imports(PACKAGE / "kernels.py")}
    assert ("streamlab.schema.Schema", False) in pairs
    events = {each.name: each for each in imports(PACKAGE / "lab" / "events.py")}
    assert events["pandas"].in_function or events["pandas"].for_types
    assert {floor_of(path) for path in SOURCES} >= {"kernels", "schema", "streams", "learners", "measures"}


def test_no_floor_imports_a_higher_one():
    for path in SOURCES:
        if floor_of(path) not in {"__init__", "__main__"}:
            check_imports(path)


def check_imports(path):
    floor = floor_of(path)
    assert floor in ALLOWED, f"{path.name} is on no floor: add it to ALLOWED"
    for each in imports(path):
        module, inside = each.name, each.in_function
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


def test_only_views_import_a_screen_library():
    for path in SOURCES:
        floor = floor_of(path)
        for each in imports(path):
            if each.name.split(".")[0] in SCREEN:
                assert has_screen(path) or (floor == "cli" and each.in_function), f"{path.name} imports {each.name}"


def has_screen(path):
    """Whether a file draws: those of the views, and of a wing what its pages show."""
    folders = [PACKAGE / place for place in ("views", "lessons", "study/page", "study/pictures", "live/page")]
    return any(path.is_relative_to(folder) for folder in folders)


def test_no_imports_run_in_a_circle():
    assert circles(graph(DOORS)) == []
    assert circles(graph(DOORS, types=True)) == [], "not even for a type checker"


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    # the doors are the only way up: without them as exceptions the screen and the run would import each other
    (circle,) = circles(graph())
    assert {"streamlab.lab.run", "streamlab.views.doors", "streamlab.views.page.run_view"} <= set(circle)


def test_learners_and_streams_do_not_know_each_other():
    edges = graph(types=True)
    for one, other in (("streamlab.learners", "streamlab.streams"), ("streamlab.streams", "streamlab.learners")):
        known = {(m, target) for m, targets in edges.items() if m.startswith(one) for target in targets}
        assert {pair for pair in known if pair[1].startswith(other)} == set()


def test_doors_are_light():
    run_fresh(f"import sys\nimport streamlab.views.doors\nassert not {SCREEN} & set(sys.modules)\n")


def test_no_file_is_long():
    lines = {path.relative_to(PACKAGE).as_posix(): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    too_long = {name: n for name, n in lines.items() if n > MOST_LINES and "kernels" not in name}
    assert not too_long, "cut them by their ideas"


@pytest.mark.parametrize(
    "name", ["SMART", "MLHAT", "BalancedKNN", "HierarchicalKNN", "ensemble", "forest", "projection", "tree"]
)
def test_the_page_and_the_frames_name_no_learner_and_no_picture(name):
    """But for the presets, which are data: what a page offers and opens with."""
    general = [*(PACKAGE / "lab").rglob("*.py"), *(PACKAGE / "views" / "page").rglob("*.py")]
    general += [*(PACKAGE / "views" / "timeline").rglob("*.py"), *(PACKAGE / "views" / "hosting").rglob("*.py")]
    general = [path for path in general if path.name != "presets.py"]
    assert len(general) > 20
    for path in general:
        named = {each.name for each in imports(path)}
        assert not {each for each in named if f".{name}" in each}, f"{path.name} imports {name}"
        strings = {
            node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
        }
        assert name not in strings, f"{path.name} names {name!r}"


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
