"""MLHTPS: the plain multi-label Hoeffding tree with pruned sets in its leaves."""

from streamlab.learners.mlhtps.mlhtps import MLHTPS

__all__ = ["MLHTPS"]
