"""Control laws, one per file."""
