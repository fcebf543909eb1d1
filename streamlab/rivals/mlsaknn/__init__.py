"""MLSAkNN: nearest neighbours that vote for some labels only, with a number of votes for each label."""

from streamlab.rivals.mlsaknn.mlsaknn import MLSAkNN

__all__ = ["MLSAkNN"]
