"""ML-BELS: ensembles of ridge regressions on broad features, one for each label, learned chunk by chunk."""

from streamlab.rivals.mlbels.mlbels import MLBELS

__all__ = ["MLBELS"]
