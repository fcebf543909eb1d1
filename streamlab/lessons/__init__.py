"""Guided demonstrations: files of steps that a class goes through on the page."""
