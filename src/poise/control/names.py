"""The controllers by name, where they can be known without loading them."""

CONTROLLERS = ("pose", "balance", "simbicon")
