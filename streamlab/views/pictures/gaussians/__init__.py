"""What naive Bayes stands on: a Gaussian for each class and feature, where they were, and what one row's values say."""

from streamlab.views.pictures.gaussians.picture import GaussiansPicture

__all__ = ["GaussiansPicture"]
