"""A live run: learners in lock-step on one stream, their history and events, and the player that drives them."""

from streamlab.lab.events import Event
from streamlab.lab.importance import Importance
from streamlab.lab.player import Player
from streamlab.lab.replay import without_drifts
from streamlab.lab.run import Run
from streamlab.lab.seeing import see

__all__ = ["Event", "Importance", "Player", "Run", "see", "without_drifts"]
