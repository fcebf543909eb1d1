"""Drift put into any stream, and labels that come late or never."""
