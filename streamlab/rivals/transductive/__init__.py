"""Rivals of balanced neighbours, in batch form: answers spread over a graph of the rows, and a shared subspace."""

from streamlab.rivals.transductive.graphs import MCGF, SMSE
from streamlab.rivals.transductive.subspace import MLLS

__all__ = ["MCGF", "MLLS", "SMSE"]
