"""Rivals of balanced neighbours, in batch form: answers spread over a graph of the rows, and a shared subspace."""

from streamlab.learners.transductive.graphs import MCGF, SMSE
from streamlab.learners.transductive.subspace import MLLS

__all__ = ["MCGF", "MLLS", "SMSE"]
