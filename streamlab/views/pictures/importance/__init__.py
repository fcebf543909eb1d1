"""What a learner answers by, and since when: a line for each feature, the darker the more it matters."""

from streamlab.views.pictures.importance.picture import ImportancePicture

__all__ = ["ImportancePicture"]
