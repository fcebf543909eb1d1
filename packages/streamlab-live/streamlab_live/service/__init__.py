"""A run as a service: it learns from a live stream without a page, keeps itself, and reports its status."""
