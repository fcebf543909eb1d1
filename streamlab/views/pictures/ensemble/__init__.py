"""An ensemble's members over time: when each came, how good it was since, when it went."""

from streamlab.views.pictures.ensemble.picture import EnsemblePicture

__all__ = ["EnsemblePicture"]
