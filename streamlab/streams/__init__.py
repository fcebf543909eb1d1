"""Where instances come from: streams and chunks, readers, the catalogue, generators, drift put in, late labels.

The names and their homes are in ``__init__.pyi``; they are imported on first use, but for functions that are called as
their module is.
"""

import lazy_loader

from streamlab.streams.catalogue import catalogue as catalogue
from streamlab.streams.compose import compose as compose
from streamlab.streams.load import load as load

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
