"""What a picture draws of a run, and what of it travels to the browser, read back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import streamlab as sl
from streamlab.views.kit.component import FrameComponent
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject


def drawn_of(
    picture: Picture, run: sl.Run, selected: Any = None, budget: Budget | None = None, name: str = "it"
) -> Drawn:
    """What a picture draws of a learner, which it fits."""
    subject = Subject(name, run.learner_runs[name].learner, run)
    assert picture.fits(subject)
    return picture.columns(subject, selected, budget or Budget())


def sent(picture: Picture, run: sl.Run, drawn: Drawn) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The frame that a new view of a picture sends, and its columns."""
    view: Any = picture.view(run.stream.schema)
    view.show(drawn)
    return view.packed, received(view)


def received(view: FrameComponent) -> dict[str, NDArray[Any]]:
    """The columns of a view's frame, as the browser unpacks them."""
    frame = view.packed
    assert frame is not None
    return unpack(frame["spec"], frame["buffer"])


def unpack(spec: list[list[Any]], buffer: bytes) -> dict[str, NDArray[Any]]:
    """Read what :func:`pack` wrote, as the browser does: scaled columns as floats, each flag as a column of its own."""
    columns: dict[str, NDArray[Any]] = {}
    offset = 0
    for name, kind, length, scale in spec:
        item = np.dtype(f"<{kind}")
        if offset % item.itemsize:
            raise ValueError(f"spec: {name} begins at {offset}, which is not a multiple of its {item.itemsize} bytes")
        values = np.frombuffer(buffer, item, length, offset)
        offset += values.nbytes
        if isinstance(scale, list):
            columns |= {flag: (values >> i & 1).astype(bool) for i, flag in enumerate(scale)}
        else:
            columns[name] = values if scale == 1 else values / scale
    return columns
