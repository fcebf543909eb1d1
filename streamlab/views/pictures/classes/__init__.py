"""How frequent each class is, where each row has exactly one."""

from streamlab.views.pictures.classes.picture import ClassesPicture

__all__ = ["ClassesPicture"]
