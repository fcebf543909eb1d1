"""Nearest neighbours in a hierarchy of classes, and the flat ones that they are compared with."""

from streamlab.learners.hierarchical_knn.flat_knn import FlatKNN
from streamlab.learners.hierarchical_knn.hierarchical_knn import HierarchicalKNN

__all__ = ["FlatKNN", "HierarchicalKNN"]
