"""A run on a page or in a notebook cell."""
