"""MLHTPS: the plain multi-label Hoeffding tree with pruned sets in its leaves."""

from streamlab.rivals.mlhtps.mlhtps import MLHTPS

__all__ = ["MLHTPS"]
