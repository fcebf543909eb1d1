"""Which class is answered as which: the confusion matrix of a learner."""

from streamlab.views.pictures.confusion.picture import ConfusionPicture

__all__ = ["ConfusionPicture"]
