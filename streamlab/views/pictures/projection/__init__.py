"""Instances and class means in two directions: balanced neighbours."""

from streamlab.views.pictures.projection.picture import ProjectionPicture

__all__ = ["ProjectionPicture"]
