"""How common the labels are, and which come together."""
