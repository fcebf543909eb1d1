"""A learner for each key of a stream, on an engine that keeps the states: Spark Structured Streaming.

The names and their homes are in ``__init__.pyi``; they are imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
