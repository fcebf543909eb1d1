"""What a model says of itself, as text: for models that have no other picture."""

from streamlab.views.pictures.text.picture import TextPicture

__all__ = ["TextPicture"]
