"""SMART's trees as strips of cells."""
