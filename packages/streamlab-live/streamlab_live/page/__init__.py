"""What pages show of live streams and services: the form that opens one, and the page that looks at a service."""
