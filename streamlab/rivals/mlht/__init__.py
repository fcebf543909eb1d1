"""MLHT: a Hoeffding tree for multi-label streams (Read, Bifet, Holmes, Pfahringer) with MLHAT's exact statistics."""

from streamlab.rivals.mlht.mlht import MLHT

__all__ = ["MLHT"]
