"""How hard a character can be pushed: the largest push it survives per direction and setting of the dial (docs/robustness.md)."""
