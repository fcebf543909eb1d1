"""Hoeffding trees for one class attribute, compiled: many roots in one arena; one tree for each label."""

from streamlab.rivals.hoeffding.hoeffding_trees import HoeffdingTrees

__all__ = ["HoeffdingTrees"]
