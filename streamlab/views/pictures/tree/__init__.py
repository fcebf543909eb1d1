"""A growing Hoeffding tree with its background trees: MLHAT."""

from streamlab.views.pictures.tree.picture import TreePicture

__all__ = ["TreePicture"]
