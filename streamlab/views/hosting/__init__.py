"""Where a page lives: a notebook cell, a server."""
