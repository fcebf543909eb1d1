"""Who learns: the contract of a learner, and a module or a folder for each. Names are imported on first use."""

import lazy_loader

from streamlab._moved import with_moved_names

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_moved_names(__name__, _load)
