"""Guess how a table is written, what its columns hold, and which of them are labels."""
