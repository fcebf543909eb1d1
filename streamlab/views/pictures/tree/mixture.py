"""The two answers that a node of a hedged tree mixes, as columns and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streamlab.views.kit.details import bars

__all__ = ["MIXING", "mixture_columns", "mixture_html"]

MIXING = ("knn", "bagging")
"""How leaves answer that mix; the others have nothing to mix yet."""
MIXING_CODES = (2, 3)


def mixture_columns(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return what two answers each node mixes, out of the ``node_columns`` of a learner.

    Parameters
    ----------
    columns
        Columns of ``HedgedMLHAT``; of a learner that mixes nothing, those without ``share_own``.

    Returns
    -------
    columns
        ``share_first``, ``loss_first`` and ``loss_second`` per node: in a branch the first answer is its own and the
        second the one from below, in a leaf the first is that of its neighbours and the second that of its
        regressions. NaN where nothing is mixed. Empty for a learner that mixes nothing.
    """
    if "share_own" not in columns:
        return {}
    is_leaf = np.asarray(columns["is_leaf"])
    mixes = ~is_leaf | np.isin(columns["regime"], MIXING_CODES)

    def of(leaf: str, branch: str) -> NDArray[Any]:
        return np.where(mixes, np.where(is_leaf, columns[leaf], columns[branch]), np.nan)

    return {
        "share_first": of("share_neighbours", "share_own"),
        "loss_first": of("loss_neighbours", "loss_own"),
        "loss_second": of("loss_regressions", "loss_below"),
    }


def mixture_html(story: Mapping[str, Any]) -> str:
    """Return what ``describe_node`` of a hedged tree says of the two answers, as HTML; "" where nothing is mixed."""
    if "hedge" not in story or (story["is_leaf"] and story["regime"] not in MIXING):
        return ""
    hedge = story["hedge"]
    if hedge is None:
        return "<p>It keeps no regressions of its own: it passes on what is below.</p>"
    if story["is_leaf"]:
        share, losses = hedge["share_neighbours"], (hedge["loss_neighbours"], hedge["loss_regressions"])
        says = "It mixes its neighbours, <b>{}</b>, with its regressions, <b>{}</b>"
        parts = ("neighbours", "regressions")
    else:
        share, losses = hedge["share_own"], (hedge["loss_own"], hedge["loss_below"])
        says = "It trusts itself <b>{}</b>, what is below <b>{}</b>"
        parts = ("itself", "what is below")
    first = round(100 * share)
    sentence = says.format(f"{first} %", f"{100 - first} %")
    return (
        f"<p>{sentence}; losses <b>{losses[0]:.2f}</b> and <b>{losses[1]:.2f}</b> (1 − F1 of recent instances; "
        f"the less an answer loses, the more it counts).</p>{bars([(parts[0], share), (parts[1], 1 - share)])}"
    )
