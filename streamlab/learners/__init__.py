"""Who learns: the contract of a learner, and a module or a folder for each."""

from streamlab.learners.balanced import BalancedKNN, BalancedLDA
from streamlab.learners.base.learner import Component, Learner, Tunable, load_model
from streamlab.learners.base.pipeline import Pipeline
from streamlab.learners.baselines import MajorityLabels, NoChange
from streamlab.learners.hierarchical_knn import FlatKNN, HierarchicalKNN
from streamlab.learners.mlhat import MLHAT
from streamlab.learners.mlknn import MLKNN
from streamlab.learners.one_per_label import OnePerLabel
from streamlab.learners.scaler import StandardScaler
from streamlab.learners.smart import SMART

__all__ = [
    "MLHAT",
    "MLKNN",
    "SMART",
    "BalancedKNN",
    "BalancedLDA",
    "Component",
    "FlatKNN",
    "HierarchicalKNN",
    "Learner",
    "MajorityLabels",
    "NoChange",
    "OnePerLabel",
    "Pipeline",
    "StandardScaler",
    "Tunable",
    "load_model",
]
