"""How common each label is, and which come together."""

from streamlab.views.pictures.labels.picture import LabelsPicture

__all__ = ["LabelsPicture"]
