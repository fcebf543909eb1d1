"""The council: experts that answer together, and how far each is trusted."""

from streamlab.learners.council.council import Council

__all__ = ["Council"]
