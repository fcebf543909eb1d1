"""The classes of a hierarchy, coloured by how well they are answered."""

from streamlab.views.pictures.hierarchy.picture import HierarchyPicture

__all__ = ["HierarchyPicture"]
