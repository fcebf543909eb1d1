"""iSOUPT: one regression tree for all labels at once, whose leaves have a model for each label."""

from streamlab.rivals.isoupt.isoupt import ISOUPT

__all__ = ["ISOUPT"]
