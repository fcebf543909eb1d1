"""What code of other packages is handed: arrays that it can read, and not change under those who have them too."""

from __future__ import annotations

from typing import Any

import numpy as np

PACKAGE = "streamlab"


def is_foreign(code: Any) -> bool:
    """Return whether a function, a class or an object that is called is another package's, or of a notebook."""
    module = getattr(code, "__module__", None) or type(code).__module__
    return str(module).partition(".")[0] != PACKAGE


def read_only(value: Any) -> Any:
    """Return a view of an array that cannot be written to, a copy of a SciPy matrix; anything else as it is."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view
    return value.copy() if hasattr(value, "tocsr") else value
