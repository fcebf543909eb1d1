"""Streams that go on, and learners beside them: a wing of its own, which comes in by the registries.

A topic, a growing file or an endpoint is read through a journal, so that a run can go back. ``service`` is a run
without a page, ``keyed`` a learner for each key on Spark. The names and their homes are in ``__init__.pyi``; they are
imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
