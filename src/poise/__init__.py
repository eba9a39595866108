"""Poise: captured motion becomes a character that lives in physics."""

__version__ = "0.1.0"
