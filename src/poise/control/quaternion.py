"""Quaternion arithmetic inside compiled laws: the names of `poise.quaternion` that control laws use."""

from poise.quaternion import Quat, inverse, log_of_difference, product, rotate, turn_between

__all__ = ["Quat", "inverse", "log_of_difference", "product", "rotate", "turn_between"]
