"""MLHAT: a Hoeffding adaptive tree for multi-label streams (Esteban, Cano, Zafra, Ventura)."""

from streamlab.learners.mlhat.mlhat import MLHAT

__all__ = ["MLHAT"]
