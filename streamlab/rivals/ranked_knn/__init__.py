"""RankedKNN: the nearest of the latest rows vote, the nearer the more."""

from streamlab.rivals.ranked_knn.ranked_knn import RankedKNN

__all__ = ["RankedKNN"]
