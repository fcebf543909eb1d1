"""Rivals of balanced neighbours, in batch form: answers spread over a graph of the rows, and a shared subspace."""

from streamlab.rivals.transductive.learners import MCGF, MLLS, SMSE

__all__ = ["MCGF", "MLLS", "SMSE"]
