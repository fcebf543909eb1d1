"""Where instances come from: streams and chunks, readers, the catalogue, generators, drift put in, late labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from streamlab.streams.catalogue import catalogue
from streamlab.streams.compose import ComposedStream, compose
from streamlab.streams.load import load
from streamlab.streams.stream import Chunk, Drift, Stream

if TYPE_CHECKING:
    from streamlab.streams.changes.changes import (
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
    from streamlab.streams.changes.drift import Changed, RotatedLabels, rotate_labels
    from streamlab.streams.changes.labelling import NEVER, Labelled, Labelling, delay_labels, hide_labels
    from streamlab.streams.changes.prior_shift import PriorShift, prior_shift
    from streamlab.streams.generated.generator import Concept, MultiLabelGenerator
    from streamlab.streams.generated.instruments.stream import InstrumentGenerator
    from streamlab.streams.generated.regions import RegionGenerator
    from streamlab.streams.nested import NestedLabels, nest_labels
    from streamlab.streams.readers.arff import ArffStream
    from streamlab.streams.readers.arrays import ArrayStream, FrameStream
    from streamlab.streams.readers.libsvm import LibsvmStream
    from streamlab.streams.readers.river import RiverStream
    from streamlab.streams.readers.tables import CsvStream, ParquetStream

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
    "NEVER": "changes.labelling",
    "ArffStream": "readers.arff",
    "ArrayStream": "readers.arrays",
    "Changed": "changes.drift",
    "Concept": "generated.generator",
    "CsvStream": "readers.tables",
    "FrameStream": "readers.arrays",
    "InstrumentGenerator": "generated.instruments.stream",
    "Labelled": "changes.labelling",
    "Labelling": "changes.labelling",
    "LibsvmStream": "readers.libsvm",
    "MaskedLabel": "changes.changes",
    "MultiLabelGenerator": "generated.generator",
    "NestedLabels": "nested",
    "NoisyFeatures": "changes.changes",
    "ParquetStream": "readers.tables",
    "PriorShift": "changes.prior_shift",
    "RegionGenerator": "generated.regions",
    "RiverStream": "readers.river",
    "RotatedLabels": "changes.drift",
    "SwappedFeatures": "changes.changes",
    "SwappedLabels": "changes.changes",
    "delay_labels": "changes.labelling",
    "feature_noise": "changes.changes",
    "hide_labels": "changes.labelling",
    "nest_labels": "nested",
    "new_label": "changes.changes",
    "prior_shift": "changes.prior_shift",
    "rotate_labels": "changes.drift",
    "swap_features": "changes.changes",
    "swap_labels": "changes.changes",
    "vanish_label": "changes.changes",
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
