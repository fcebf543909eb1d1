"""Faded trees as strips of cells: SMART's ensemble."""

from streamlab.views.pictures.forest.picture import ForestPicture

__all__ = ["ForestPicture"]
