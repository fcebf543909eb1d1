"""Pruned sets: the frequent label sets of a stream's first rows become the classes of one classifier."""

from streamlab.rivals.pruned_sets.pruned_sets import PrunedSets

__all__ = ["PrunedSets"]
