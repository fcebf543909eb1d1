"""A Hoeffding tree and its background branches."""
