"""Notes of musical instruments, synthesised and described."""
