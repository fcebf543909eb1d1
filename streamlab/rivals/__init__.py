"""Published learners to compare with, kernels beside each; they come in by the registry, as the package of a user does.

``name.py`` has the learner, ``_name.py`` its kernels.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
