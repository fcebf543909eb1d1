"""Who learns: the contract of a learner, and a module or a folder for each."""

from streamlab.learners.baselines import MajorityLabels, NoChange
from streamlab.learners.hierarchical_knn import FlatKNN, HierarchicalKNN
from streamlab.learners.learner import Learner, Tunable, load_model
from streamlab.learners.mlhat import MLHAT
from streamlab.learners.one_per_label import OnePerLabel
from streamlab.learners.smart import SMART

__all__ = [
    "MLHAT",
    "SMART",
    "FlatKNN",
    "HierarchicalKNN",
    "Learner",
    "MajorityLabels",
    "NoChange",
    "OnePerLabel",
    "Tunable",
    "load_model",
]
