"""Servers as streams: Redis, Kafka, HTTP; topics that are joined; a run as a service; a learner for each key on Spark.

It comes into streamlab by entry points. ``KeyedStream`` is what an address with ``label_topic=`` gives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
