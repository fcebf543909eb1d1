"""MLHAT: a Hoeffding adaptive tree for multi-label streams (Esteban, Cano, Zafra, Ventura), plain and hedged."""

from streamlab.learners.mlhat.hedged import HedgedMLHAT
from streamlab.learners.mlhat.mlhat import MLHAT

__all__ = ["MLHAT", "HedgedMLHAT"]
