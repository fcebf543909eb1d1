"""The pictures: a folder for each."""
