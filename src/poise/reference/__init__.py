"""The clip on a character, at any time."""
