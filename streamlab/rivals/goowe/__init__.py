"""GOOWE-ML: an ensemble of multi-label members whose weights bring their votes nearest to the truth."""

from streamlab.rivals.goowe.goowe import GOOWE

__all__ = ["GOOWE"]
