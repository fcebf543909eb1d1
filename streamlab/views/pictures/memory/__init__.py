"""A memory of rows by age and standing: nearest neighbours that age, or are punished."""

from streamlab.views.pictures.memory.picture import MemoryPicture

__all__ = ["MemoryPicture"]
