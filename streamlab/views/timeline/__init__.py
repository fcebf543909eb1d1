"""Curves and the drift ruler: what happened when."""
