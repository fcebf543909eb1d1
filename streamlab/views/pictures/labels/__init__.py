"""How frequent each label is, and which labels occur together."""

from streamlab.views.pictures.labels.picture import LabelsPicture

__all__ = ["LabelsPicture"]
