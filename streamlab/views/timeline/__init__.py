"""The timeline of a run: curves, and what happened when."""
