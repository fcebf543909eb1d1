"""Where instances come from: streams and chunks, readers, the catalogue, drift put into a stream."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from streamlab.streams.catalogue import catalogue
from streamlab.streams.load import load
from streamlab.streams.stream import Chunk, Drift, Stream

if TYPE_CHECKING:
    from streamlab.streams.arff import ArffStream
    from streamlab.streams.arrays import ArrayStream, FrameStream
    from streamlab.streams.drift import RotatedLabels, rotate_labels
    from streamlab.streams.libsvm import LibsvmStream
    from streamlab.streams.river_data import RiverStream
    from streamlab.streams.tables import CsvStream, ParquetStream

__all__ = [
    "ArffStream",
    "ArrayStream",
    "Chunk",
    "CsvStream",
    "Drift",
    "FrameStream",
    "LibsvmStream",
    "ParquetStream",
    "RiverStream",
    "RotatedLabels",
    "Stream",
    "catalogue",
    "load",
    "rotate_labels",
]

# Loaded when first asked for: numba and its kernels take longer to import than everything else.
_HOMES = {
    "ArffStream": "arff",
    "ArrayStream": "arrays",
    "CsvStream": "tables",
    "FrameStream": "arrays",
    "LibsvmStream": "libsvm",
    "ParquetStream": "tables",
    "RiverStream": "river_data",
    "RotatedLabels": "drift",
    "rotate_labels": "drift",
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
