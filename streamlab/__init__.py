"""streamlab shows a learner learning: fast multi-label stream learners, their evaluation, a live picture of both."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

# Public names by the module they live in. They are imported on first use, so that `import streamlab` is quick and the
# core works without any screen library.
_HOMES = {
    "streamlab.schema": ("Feature", "Hierarchy", "Schema"),
    "streamlab.detectors": ("ADWIN",),
    "streamlab.streams": (
        "Chunk",
        "Concept",
        "Drift",
        "InstrumentGenerator",
        "MultiLabelGenerator",
        "RegionGenerator",
        "Stream",
        "catalogue",
        "compose",
        "delay_labels",
        "feature_noise",
        "hide_labels",
        "load",
        "nest_labels",
        "new_label",
        "prior_shift",
        "rotate_labels",
        "swap_features",
        "swap_labels",
        "vanish_label",
    ),
    "streamlab.learners": (
        "MLHAT",
        "MLKNN",
        "SMART",
        "BalancedKNN",
        "BalancedLDA",
        "FlatKNN",
        "HierarchicalKNN",
        "Learner",
        "MajorityLabels",
        "NoChange",
        "OnePerLabel",
        "Pipeline",
        "StandardScaler",
        "load_model",
    ),
    "streamlab.crossval": ("CrossValidation", "cross_validate", "stratified_folds"),
    "streamlab.evaluate": ("PrequentialResult", "prequential"),
    "streamlab.lab": ("Player", "Run"),
    "streamlab.measures": ("MEASURES", "Tracker"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*sorted(_HOME), "__version__"]

try:
    __version__ = version("streamlab")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'streamlab' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
