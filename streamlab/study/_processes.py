"""psutil when it is needed, or a sentence that says what to install."""

from __future__ import annotations

from typing import Any

__all__ = ["psutil"]


def psutil() -> Any:
    """Return the module psutil.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import psutil as found
    except ModuleNotFoundError as error:
        raise ImportError(f'running a study needs psutil ({error}): pip install "streamlab[study]"') from None
    return found
