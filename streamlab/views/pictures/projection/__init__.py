"""A stream in two directions, and the neighbours of an instance."""
