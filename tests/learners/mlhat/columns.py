"""Columns of a tree's plain arrays, and entries of its cursors, by the name of the field in capitals."""

from types import SimpleNamespace

from streamlab.learners.mlhat._tree import DEEPEST, EXACT_VALUES, GONE, HISTORY, OVERFLOWN, RECORDS

arena = SimpleNamespace(
    **{name.upper(): at for kind in RECORDS.values() for at, name in enumerate(kind.names)},
    DEEPEST=DEEPEST, EXACT_VALUES=EXACT_VALUES, GONE=GONE, HISTORY=HISTORY, OVERFLOWN=OVERFLOWN,
)  # fmt: skip
