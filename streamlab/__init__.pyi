"""What ``import streamlab`` offers: read by editors and type checkers, and at run time to find each name's home."""

from .crossval import (
    CrossValidation,
    cross_validate,
    stratified_folds,
)
from .detectors import (
    ADWIN,
)
from .evaluate import (
    PrequentialResult,
    prequential,
)
from .lab import (
    Player,
    Run,
)
from .learners import (
    MLHAT,
    MLKNN,
    SMART,
    BalancedKNN,
    BalancedLDA,
    FlatKNN,
    HierarchicalKNN,
    Learner,
    MajorityLabels,
    NoChange,
    OnePerLabel,
    Pipeline,
    StandardScaler,
    load_model,
)
from .measures import (
    MEASURES,
    Tracker,
)
from .schema import (
    Feature,
    Hierarchy,
    Schema,
)
from .streams import (
    Chunk,
    Concept,
    Drift,
    InstrumentGenerator,
    MultiLabelGenerator,
    RegionGenerator,
    Stream,
    catalogue,
    compose,
    delay_labels,
    feature_noise,
    hide_labels,
    load,
    nest_labels,
    new_label,
    prior_shift,
    rotate_labels,
    swap_features,
    swap_labels,
    vanish_label,
)

__all__ = [
    "ADWIN",
    "MEASURES",
    "MLHAT",
    "MLKNN",
    "SMART",
    "BalancedKNN",
    "BalancedLDA",
    "Chunk",
    "Concept",
    "CrossValidation",
    "Drift",
    "Feature",
    "FlatKNN",
    "HierarchicalKNN",
    "Hierarchy",
    "InstrumentGenerator",
    "Learner",
    "MajorityLabels",
    "MultiLabelGenerator",
    "NoChange",
    "OnePerLabel",
    "Pipeline",
    "Player",
    "PrequentialResult",
    "RegionGenerator",
    "Run",
    "Schema",
    "StandardScaler",
    "Stream",
    "Tracker",
    "__version__",
    "catalogue",
    "compose",
    "cross_validate",
    "delay_labels",
    "feature_noise",
    "hide_labels",
    "load",
    "load_model",
    "nest_labels",
    "new_label",
    "prequential",
    "prior_shift",
    "rotate_labels",
    "stratified_folds",
    "swap_features",
    "swap_labels",
    "vanish_label",
]

__version__: str
