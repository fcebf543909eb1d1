"""A live run: learners in lock-step on one stream, their history and events, and the player that drives them."""

from streamlab.lab.events import Event
from streamlab.lab.player import Player
from streamlab.lab.run import Run
from streamlab.lab.see import see
from streamlab.lab.twin import without_drifts

__all__ = ["Event", "Player", "Run", "see", "without_drifts"]
