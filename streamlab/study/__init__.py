"""Many runs: learners x streams x seeds as cells that resume, on one machine or many, and their statistics.

The names and their homes are in ``__init__.pyi``; they are imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
