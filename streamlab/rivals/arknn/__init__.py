"""ARkNN: nearest neighbours that age, and are young again where they vote right."""

from streamlab.rivals.arknn.arknn import ARkNN

__all__ = ["ARkNN"]
