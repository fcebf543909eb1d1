"""A council of experts: whom it trusts, since when, for which labels, and who said what of the latest row."""

from streamlab.views.pictures.council.picture import CouncilPicture

__all__ = ["CouncilPicture"]
