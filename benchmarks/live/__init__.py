"""Live streams and services: topics, keys, pages that look at a service."""
