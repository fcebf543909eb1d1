"""A growing Hoeffding tree with its alternates: MLHAT."""

from streamlab.views.pictures.tree.picture import TreePicture

__all__ = ["TreePicture"]
