"""Published learners to compare with, a folder for each; they come in by the registry, as a stranger's package does."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
