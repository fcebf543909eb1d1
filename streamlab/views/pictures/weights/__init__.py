"""What a linear model stands on: weights of features for each label, what moved, and one row's sum."""

from streamlab.views.pictures.weights.picture import WeightsPicture

__all__ = ["WeightsPicture"]
