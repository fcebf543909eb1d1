"""MLSAMPkNN: nearest neighbours that are punished, in a memory that adjusts its own size."""

from streamlab.rivals.mlsampknn.mlsampknn import MLSAMPkNN

__all__ = ["MLSAMPkNN"]
