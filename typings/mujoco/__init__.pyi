# mujoco-core ships no type information; everything in it is Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
