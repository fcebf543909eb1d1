"""Streams that are computed: concepts that drift, regions."""
