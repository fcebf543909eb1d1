"""Trials of what is altered, killed, cut or interrupted: ``python -m tests.fuzz`` lists them, tests run small ones."""
