"""What is seen: from a run's frames to pictures and controls."""
