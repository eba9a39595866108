"""What Poise understands of a motion file, guesses and doubts included, without simulating anything."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from poise import rotation
from poise.character.binding import bind
from poise.character.from_skeleton import character_from_clip
from poise.character.roles import Roles
from poise.errors import BadCharacter
from poise.motion.clip import Clip
from poise.motion.load import load_tidied
from poise.motion.tidy import Findings
from poise.reference.reference import Reference, reference_from_clip
from poise.reference.stance import intervals, write_stance


def inspect(clip: str | Path, *, stance_file: Path | None = None, **tidying: Any) -> dict[str, Any]:
    """What was understood of a motion file or built-in clip, as JSON has it: lengths in metres, times in seconds.

    `stance_file` gets the stance of the feet, to be edited by hand. `tidying` are the overrides of `poise.motion.tidy.tidy`. A
    skeleton that cannot be simulated is a warning here.
    """
    tidied, found = load_tidied(clip, **tidying)
    body, doubts = _body(tidied, stance_file)
    return {
        "clip": tidied.name,
        "format": Path(clip).suffix.lstrip(".").lower() or "built-in",
        **_motion(tidied, found),
        **body,
        "repairs": list(found.repairs),
        "warnings": [*found.warnings, *doubts],
    }


def _motion(clip: Clip, found: Findings) -> dict[str, Any]:
    return {
        "frames": clip.nframes,
        "fps": found.fps,
        "stamped_fps": found.stamped_fps,
        "duration_s": clip.duration,
        "joints": clip.skeleton.njoints,
        "units": found.units,
        "metres_per_unit": found.scale,
        "up": found.up,
        "floor_m": found.floor,
        "height_m": found.height_m,
        "dropped_first_frame": found.dropped_first_frame,
    }


def _body(clip: Clip, stance_file: Path | None) -> tuple[dict[str, Any], list[str]]:
    """Roles, segments and stance, and the doubts about them."""
    try:
        binding = bind(clip)
        reference = reference_from_clip(clip, binding, character_from_clip(clip, binding=binding))
    except BadCharacter as problem:
        nothing = {"roles": {}, "roles_by_shape": [], "segments": [], "facing": None, "stance": {}}
        return nothing, [f"cannot be simulated: {problem}"]
    if stance_file is not None:
        write_stance(reference.stance, reference.fps, reference.character.feet, stance_file)
    body = {
        **_roles(clip, binding.roles),
        "segments": list(reference.character.names),
        "facing": _facing(reference),
        "stance": _stance(reference),
    }
    return body, [*binding.roles.doubts, *reference.character.notes]


def _roles(clip: Clip, roles: Roles) -> dict[str, Any]:
    return {
        "roles": {role: clip.skeleton.names[joint] for role, joint in roles.of.items()},
        "roles_by_shape": [role for role, how in roles.how.items() if how != "name"],
    }


def _facing(reference: Reference) -> list[float]:
    """The direction (x, y) on the ground in which the character faces at the start."""
    angle = float(rotation.heading(reference.column("rotation")[0, 0]))
    return [round(math.cos(angle), 3), round(math.sin(angle), 3)]


def _stance(reference: Reference) -> dict[str, Any]:
    """When each foot stands: the share of the clip, and from when to when."""
    return {
        foot: {
            "share": float(reference.stance[:, k].mean()),
            "intervals_s": [list(span) for span in intervals(reference.stance[:, k], reference.fps)],
        }
        for k, foot in enumerate(reference.character.feet)
    }
