"""Where instances come from: streams and chunks, readers, the catalogue, generators, drift put in, late labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from streamlab.streams.catalogue import catalogue
from streamlab.streams.compose import ComposedStream, compose
from streamlab.streams.load import load
from streamlab.streams.stream import Chunk, Drift, Stream

if TYPE_CHECKING:
    from streamlab.streams.arff import ArffStream
    from streamlab.streams.arrays import ArrayStream, FrameStream
    from streamlab.streams.changes import (
        MaskedLabel,
        NoisyFeatures,
        SwappedFeatures,
        SwappedLabels,
        feature_noise,
        new_label,
        swap_features,
        swap_labels,
        vanish_label,
    )
    from streamlab.streams.drift import Changed, RotatedLabels, rotate_labels
    from streamlab.streams.generator import Concept, MultiLabelGenerator
    from streamlab.streams.instruments import InstrumentGenerator
    from streamlab.streams.labelling import NEVER, Labelled, Labelling, delay_labels, hide_labels
    from streamlab.streams.libsvm import LibsvmStream
    from streamlab.streams.nested import NestedLabels, nest_labels
    from streamlab.streams.prior import PriorShift, prior_shift
    from streamlab.streams.regions import RegionGenerator
    from streamlab.streams.river_data import RiverStream
    from streamlab.streams.tables import CsvStream, ParquetStream

__all__ = [
    "NEVER",
    "ArffStream",
    "ArrayStream",
    "Changed",
    "Chunk",
    "ComposedStream",
    "Concept",
    "CsvStream",
    "Drift",
    "FrameStream",
    "InstrumentGenerator",
    "Labelled",
    "Labelling",
    "LibsvmStream",
    "MaskedLabel",
    "MultiLabelGenerator",
    "NestedLabels",
    "NoisyFeatures",
    "ParquetStream",
    "PriorShift",
    "RegionGenerator",
    "RiverStream",
    "RotatedLabels",
    "Stream",
    "SwappedFeatures",
    "SwappedLabels",
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
]

# Loaded when first asked for: numba and its kernels take longer to import than everything else.
_HOMES = {
    "NEVER": "labelling",
    "ArffStream": "arff",
    "ArrayStream": "arrays",
    "Changed": "drift",
    "Concept": "generator",
    "CsvStream": "tables",
    "FrameStream": "arrays",
    "InstrumentGenerator": "instruments",
    "Labelled": "labelling",
    "Labelling": "labelling",
    "LibsvmStream": "libsvm",
    "MaskedLabel": "changes",
    "MultiLabelGenerator": "generator",
    "NestedLabels": "nested",
    "NoisyFeatures": "changes",
    "ParquetStream": "tables",
    "PriorShift": "prior",
    "RegionGenerator": "regions",
    "RiverStream": "river_data",
    "RotatedLabels": "drift",
    "SwappedFeatures": "changes",
    "SwappedLabels": "changes",
    "delay_labels": "labelling",
    "feature_noise": "changes",
    "hide_labels": "labelling",
    "nest_labels": "nested",
    "new_label": "changes",
    "prior_shift": "prior",
    "rotate_labels": "drift",
    "swap_features": "changes",
    "swap_labels": "changes",
    "vanish_label": "changes",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
