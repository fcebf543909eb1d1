"""Who learns: the contract of a learner, and a module or a folder for each. Names are imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
