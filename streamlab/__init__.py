"""streamlab shows a learner learning: fast multi-label stream learners, their evaluation, a live picture of both.

The public names and their homes are in ``__init__.pyi``. They are imported on first use: ``import streamlab`` is quick,
and the core works without any screen library.
"""

from __future__ import annotations

import lazy_loader

_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [*__all__, "__version__"]


def __dir__() -> list[str]:
    """List what a reader looks for first: the toolkit, without the learners of the wing that it is compared with."""
    from streamlab import rivals

    return [name for name in __all__ if name not in rivals.__all__]


def __getattr__(name: str) -> object:
    if name != "__version__":
        return _load(name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("streamlab")
    except PackageNotFoundError:  # a source tree that was never installed
        found = "0+unknown"
    globals()["__version__"] = found
    return found
