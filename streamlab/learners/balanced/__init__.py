"""Class-balanced learning (Wang, Ding, Huang): the discriminant projection BLDA and the neighbours BKNN."""

from streamlab.learners.balanced.bknn import BalancedKNN
from streamlab.learners.balanced.blda import BalancedLDA

__all__ = ["BalancedKNN", "BalancedLDA"]
