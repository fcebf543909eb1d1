"""Where instances come from: streams and chunks, readers, the catalogue, generators, drift put in, late labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from streamlab.streams._sparse import csr_rows, is_csr, stacked
from streamlab.streams.catalogue import catalogue
from streamlab.streams.changes.drift_entry import DRIFTS, LABEL, WIDTH, Amount, Choice, DriftEntry, LabelChoice
from streamlab.streams.compose import ComposedStream, compose
from streamlab.streams.joined import JoinedStream, join
from streamlab.streams.limits import LoadCancelled, LoadLimits
from streamlab.streams.load import load
from streamlab.streams.reader_entry import READERS, ReaderEntry
from streamlab.streams.recipes import from_recipe
from streamlab.streams.registry import STREAMS
from streamlab.streams.stream import Chunk, Drift, Stream
from streamlab.streams.stream_entry import StreamEntry

if TYPE_CHECKING:
    from streamlab.streams.changes.drift_recipe import DriftRecipe
    from streamlab.streams.changes.feature_noise import NoisyFeatures, feature_noise
    from streamlab.streams.changes.feature_swap import SwappedFeatures, swap_features
    from streamlab.streams.changes.label_presence import MaskedLabel, new_label, vanish_label
    from streamlab.streams.changes.label_rotation import RotatedLabels, rotate_labels
    from streamlab.streams.changes.label_swap import SwappedLabels, swap_labels
    from streamlab.streams.changes.late_labels import Labelled, delay_labels, hide_labels
    from streamlab.streams.changes.prior_shift import PriorShift, prior_shift
    from streamlab.streams.changes.shuffled_rows import ShuffledRows, shuffle_rows
    from streamlab.streams.changes.stuck_features import StuckFeatures, stuck_features
    from streamlab.streams.generated.concept import Concept
    from streamlab.streams.generated.generator import MultiLabelGenerator
    from streamlab.streams.generated.instruments.stream import InstrumentGenerator
    from streamlab.streams.generated.regions import RegionGenerator
    from streamlab.streams.labelling import NEVER, Labelling
    from streamlab.streams.nested import NestedLabels, nest_labels
    from streamlab.streams.readers.arff import ArffStream
    from streamlab.streams.readers.arrays import ArrayStream
    from streamlab.streams.readers.libsvm import LibsvmStream
    from streamlab.streams.readers.river import RiverStream
    from streamlab.streams.tables.guess import Guess, guess_table
    from streamlab.streams.tables.kinds import ColumnGuess
    from streamlab.streams.tables.roles import Question
    from streamlab.streams.tables.table_stream import TableStream
    from streamlab.streams.wrapped import WrappedStream

__all__ = [
    "DRIFTS",
    "LABEL",
    "NEVER",
    "READERS",
    "STREAMS",
    "WIDTH",
    "Amount",
    "ArffStream",
    "ArrayStream",
    "Choice",
    "Chunk",
    "ColumnGuess",
    "ComposedStream",
    "Concept",
    "Drift",
    "DriftEntry",
    "DriftRecipe",
    "Guess",
    "InstrumentGenerator",
    "JoinedStream",
    "LabelChoice",
    "Labelled",
    "Labelling",
    "LibsvmStream",
    "LoadCancelled",
    "LoadLimits",
    "MaskedLabel",
    "MultiLabelGenerator",
    "NestedLabels",
    "NoisyFeatures",
    "PriorShift",
    "Question",
    "ReaderEntry",
    "RegionGenerator",
    "RiverStream",
    "RotatedLabels",
    "ShuffledRows",
    "Stream",
    "StreamEntry",
    "StuckFeatures",
    "SwappedFeatures",
    "SwappedLabels",
    "TableStream",
    "WrappedStream",
    "catalogue",
    "compose",
    "csr_rows",
    "delay_labels",
    "feature_noise",
    "from_recipe",
    "guess_table",
    "hide_labels",
    "is_csr",
    "join",
    "load",
    "nest_labels",
    "new_label",
    "prior_shift",
    "rotate_labels",
    "shuffle_rows",
    "stacked",
    "stuck_features",
    "swap_features",
    "swap_labels",
    "vanish_label",
]

# Loaded when first asked for: numba and its kernels take longer to import than everything else.
_HOMES = {
    "NEVER": "labelling",
    "ArffStream": "readers.arff",
    "ArrayStream": "readers.arrays",
    "ColumnGuess": "tables.kinds",
    "Concept": "generated.concept",
    "DriftRecipe": "changes.drift_recipe",
    "Guess": "tables.guess",
    "InstrumentGenerator": "generated.instruments.stream",
    "Labelled": "changes.late_labels",
    "Labelling": "labelling",
    "LibsvmStream": "readers.libsvm",
    "MaskedLabel": "changes.label_presence",
    "MultiLabelGenerator": "generated.generator",
    "NestedLabels": "nested",
    "NoisyFeatures": "changes.feature_noise",
    "PriorShift": "changes.prior_shift",
    "Question": "tables.roles",
    "RegionGenerator": "generated.regions",
    "RiverStream": "readers.river",
    "TableStream": "tables.table_stream",
    "RotatedLabels": "changes.label_rotation",
    "ShuffledRows": "changes.shuffled_rows",
    "StuckFeatures": "changes.stuck_features",
    "SwappedFeatures": "changes.feature_swap",
    "SwappedLabels": "changes.label_swap",
    "WrappedStream": "wrapped",
    "delay_labels": "changes.late_labels",
    "feature_noise": "changes.feature_noise",
    "guess_table": "tables.guess",
    "hide_labels": "changes.late_labels",
    "nest_labels": "nested",
    "new_label": "changes.label_presence",
    "prior_shift": "changes.prior_shift",
    "rotate_labels": "changes.label_rotation",
    "shuffle_rows": "changes.shuffled_rows",
    "stuck_features": "changes.stuck_features",
    "swap_features": "changes.feature_swap",
    "swap_labels": "changes.label_swap",
    "vanish_label": "changes.label_presence",
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
