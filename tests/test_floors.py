"""The floors of the house: who may import whom, and that the core comes without a screen."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

from tests.imports import PACKAGE, SOURCES, circles, graph, imports

ROOT = PACKAGE.parent

CORE = {
    "_kernel_files": set(),
    "bundle": set(),
    "workers": set(),
    "compiling": {"_side_by_side", "inner_kernels", "workers"},
    "_arrays": {"_cells"},
    "_cells": set(),
    "_checks": set(),
    "_files": set(),
    "_frames": {"_arrays", "_cells"},
    "_tables": set(),
    "_lock": set(),
    "_side_by_side": {"_lock"},
    "_packed": set(),
    "inner_kernels": set(),
    "kernels": {"_kernel_files", "inner_kernels"},
    "papers": set(),
    "plugins": set(),
    "validation": set(),
    "hierarchy": {"_frames"},
    "schema": {"hierarchy", "validation"},
    "detectors": {"kernels"},
    "streams": {"_files", "schema", "kernels", "papers", "plugins", "_frames", "_arrays", "_cells"},
    "learners": {"_files", "_lock", "_side_by_side", "schema", "bundle", "_frames", "kernels", "detectors"}
    | {"papers", "plugins", "_arrays", "_cells"},
    "measures": {"schema", "kernels", "papers", "plugins"},
    "lab": {
        "_files",
        "_lock",
        "_packed",
        "_side_by_side",
        "schema",
        "validation",
        "compiling",
        "kernels",
        "plugins",
        "detectors",
        "streams",
    }
    | {"learners", "measures"},
    "evaluate": {"_tables", "schema", "kernels", "plugins", "detectors", "streams", "learners", "measures", "lab"},
    "crossval": {"_side_by_side", "_tables", "schema", "kernels", "detectors", "streams", "learners", "measures"},
    "testing": {"schema", "streams", "learners", "lab"},
    "views": {"_files", "schema", "kernels", "plugins", "streams", "learners", "measures", "evaluate", "lab"},
    "cli": {"_tables", "compiling", "plugins", "streams", "learners", "measures", "evaluate", "lab", "views"},
}
"""What each floor may import of streamlab, besides itself and ``_checks``, also inside a function."""
WINGS = ("lessons", "rivals", "study")
"""Each may import the core, and neither another wing nor the commands; the core imports none of them."""
ALLOWED = CORE | {wing: set(CORE) - {"cli"} for wing in WINGS}
SCREEN = {"panel", "bokeh", "panel_material_ui"}
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
    assert floor in ALLOWED, f"{path.name} is on no floor: add it to CORE"
    for each in imports(path):
        parts = each.name.split(".")
        if parts[0] != "streamlab" or len(parts) == 1 or each.name == "streamlab.__version__":
            continue
        target = parts[1]
        if target not in ALLOWED:
            # a public name of the package, taken on first use: only where a circle would close otherwise
            assert each.in_function, f"{path.name} imports {each.name} when it is loaded"
            continue
        assert target in {floor, "_checks", *ALLOWED[floor]}, f"{floor} imports {each.name} in {path.name}"


def test_the_core_imports_no_wing_and_a_wing_no_other():
    """Also not through a public name of a lazy package, whose home is in its stub."""
    for module, targets in graph(types=True).items():
        floor = module.split(".")[1] if "." in module else ""
        wings = {target.split(".")[1] for target in targets if target.split(".")[1:2] and target.split(".")[1] in WINGS}
        # the package itself names the homes of its public names
        assert wings <= {floor} or not floor, f"{module} imports {', '.join(wings)}"


def test_only_views_import_a_screen_library():
    for path in SOURCES:
        floor = floor_of(path)
        for each in imports(path):
            if each.name.split(".")[0] in SCREEN:
                assert has_screen(path) or (floor == "cli" and each.in_function), f"{path.name} imports {each.name}"


def has_screen(path):
    """Whether a file draws: those of the views, and of a wing what its pages show."""
    folders = [PACKAGE / place for place in ("views", "lessons", "study/page", "study/pictures")]
    return any(path.is_relative_to(folder) for folder in folders)


def test_no_imports_run_in_a_circle():
    """Imports inside functions count."""
    assert circles(graph()) == []
    assert circles(graph(types=True)) == [], "not even for a type checker"


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert "streamlab.streams.readers.arff" in graph()["streamlab.streams.openers"], (
        "imports inside a function are seen"
    )


def test_learners_and_streams_do_not_know_each_other():
    edges = graph(types=True)
    for one, other in (("streamlab.learners", "streamlab.streams"), ("streamlab.streams", "streamlab.learners")):
        known = {(m, target) for m, targets in edges.items() if m.startswith(one) for target in targets}
        assert {pair for pair in known if pair[1].startswith(other)} == set()


def test_hooks_are_light():
    run_fresh(f"import sys\nimport streamlab.views.hooks\nassert not {SCREEN} & set(sys.modules)\n")


def test_no_file_is_long():
    lines = {path.relative_to(PACKAGE).as_posix(): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    too_long = {name: n for name, n in lines.items() if n > MOST_LINES and "kernels" not in name}
    assert not too_long, "cut them by their ideas"


NAMES = {"SMART", "MLHAT", "BalancedKNN", "HierarchicalKNN", "ensemble", "forest", "projection", "tree"}


def test_the_page_and_the_frames_name_no_learner_and_no_picture():
    """But for presets and questions, which are data: what a page offers, opens with and asks."""
    general = [*(PACKAGE / "lab").rglob("*.py"), *(PACKAGE / "views" / "page").rglob("*.py")]
    general += [*(PACKAGE / "views" / "timeline").rglob("*.py"), *(PACKAGE / "views" / "hosting").rglob("*.py")]
    general = [path for path in general if path.name not in ("presets.py", "asking.py")]
    assert len(general) > 20
    for path in general:
        named = {part for each in imports(path) for part in each.name.split(".")[1:]}
        assert not named & NAMES, f"{path.name} imports {named & NAMES}"
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not strings & NAMES, f"{path.name} names {strings & NAMES}"


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
    floors = ("schema", "streams", "learners", "measures", "evaluate", "lab", "cli", "rivals", "study")
    run_fresh(
        "import sys\n"
        + "".join(f"import streamlab.{floor}\n" for floor in floors)
        + f"assert not {SCREEN} & set(sys.modules), {SCREEN} & set(sys.modules)\n"
    )


def test_what_compiles_kernels_begins_without_what_takes_long_to_import():
    run_fresh("import sys\nimport streamlab.lab.preparing\nassert not {'pandas', 'scipy.stats'} & set(sys.modules)\n")


def test_an_unknown_name_is_an_attribute_error():
    run_fresh("import streamlab\nassert not hasattr(streamlab, 'nonsense')")
