"""The hierarchy of the labels, by how well each class is answered."""
