"""Streams that go on: a topic, a growing file, an endpoint; read through a journal, so that a run can go back."""
