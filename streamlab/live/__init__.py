"""Streams that go on: a wing of its own, which comes in by the registries.

A growing file is read through a journal, so that a run can go back; ``Source`` is the protocol of whatever else is
read so. The package streamlab-live has topics, HTTP, a service and a learner for each key. The names and their homes
are in ``__init__.pyi``; they are imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
