"""Tables as streams: where their rows come from, what their columns are, and what a cell of a column means."""
