"""Old import paths of what has moved. They warn for one release (0.3), then this file goes."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["MOVED", "with_moved_names"]

RIVALS = (
    *("arknn", "ensembles", "goowe", "hoeffding", "isoupt", "mlbels", "mlht", "mlhtps", "mlsampknn"),
    *("online_bagging", "pruned_sets", "transductive"),
)
LAB = {
    **{"answered": "ownership", "named_learners": "learners", "table_files": "tables"},
    **{"archive_members": "archive_writer", "packing": "archive_values"},
    **{"alarms": "learner_run", "class_stats": "label_stats", "reported": "events"},
}
MOVED = {f"streamlab.learners.{name}": f"streamlab.rivals.{name}" for name in RIVALS}
MOVED |= {f"streamlab.lab.{old}": f"streamlab.lab.{new}" for old, new in LAB.items()}
MOVED |= {
    "streamlab.keyed": "streamlab.live.keyed",
    "streamlab.live.message": "streamlab.live.source",
    "streamlab.service": "streamlab.live.service",
    "streamlab.streams.live": "streamlab.live",
    "streamlab.study.described": "streamlab.lab.described",
    "streamlab.views.hosting.attached": "streamlab.live.page.attached",
    "streamlab.views.lessons": "streamlab.lessons",
    "streamlab.views.page.live_form": "streamlab.live.page.live_form",
    "streamlab.views.studies": "streamlab.study.pictures",
    # what is more special comes first: the window is not only of studies
    "streamlab.views.study_page.shell": "streamlab.views.page.window",
    "streamlab.views.study_page": "streamlab.study.page",
}
"""The new path of each module or package, by the old one; what is in a package moved with it."""
NAMES = {"streamlab.learners": "streamlab.rivals", "streamlab.streams": "streamlab.live"}
"""Packages whose public names moved, and where to."""


def with_moved_names(package: str, load: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__`` that finds its moved names in their new home, with a warning."""

    def load_or_warn(name: str) -> Any:
        try:
            return load(name)
        except AttributeError:
            home = importlib.import_module(NAMES[package])
            if name not in home.__all__:
                raise
        _warn(f"{package}.{name}", f"{home.__name__}.{name}", 3)
        return getattr(home, name)

    return load_or_warn


def _warn(old: str, new: str, level: int) -> None:
    warnings.warn(f"{old} has moved to {new}; the old path goes with 0.4", DeprecationWarning, level)


def _new_path(name: str) -> str | None:
    old = next((each for each in MOVED if name == each or name.startswith(f"{each}.")), None)
    return None if old is None else MOVED[old] + name[len(old) :]


class _OldPaths(MetaPathFinder, Loader):
    """Imports a module by its old path: the module of the new path itself, so that classes are the same."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        new = _new_path(name)
        return None if new is None else ModuleSpec(name, self, loader_state=new)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(spec.loader_state)
        _warn(spec.name, spec.loader_state, 2)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        alias = module.__spec__
        if alias is not None:
            module.__spec__ = alias.loader_state


if not any(isinstance(each, _OldPaths) for each in sys.meta_path):
    sys.meta_path.append(_OldPaths())
