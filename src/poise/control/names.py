"""The controllers by name, where they can be known without loading them."""

DEFAULT = "balance"  # but "pose" where its root forces are said to be off
CONTROLLERS = ("pose", "balance", "simbicon")
