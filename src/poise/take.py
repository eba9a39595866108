"""A take: what a run leaves behind, as plain arrays. It is measured and exported without a simulator."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from poise.character.character import Character
from poise.motion.clip import Clip
from poise.rotation import Array, Mask


@dataclass(frozen=True)
class Prop:
    """A thing beside the character: a ball, a platform, a stone. Poses (N, 3) and (N, 4); hidden where not visible."""

    name: str
    shape: str  # "sphere", "box", "capsule" (along its z), "plane"
    size: tuple[float, ...]  # radius; full edge lengths; radius and whole length
    position: Array
    rotation: Array
    visible: Mask  # (N,)


@dataclass(frozen=True, eq=False)
class Take:
    """N samples of S segments and two feet. World frame, SI units, quaternions wxyz."""

    character: Character
    clip: Clip | None  # the tidied clip that was tracked; source of everything that was not simulated
    times: Array  # (N,)
    position: Array  # (N, S, 3) joint origins of the simulated segments
    rotation: Array  # (N, S, 4)
    velocity: Array  # (N, S, 6) angular, then linear velocity of the segment's centre of mass
    ref_position: Array  # (N, S, 3) the same of the reference
    ref_rotation: Array  # (N, S, 4)
    com: Array  # (N, 3)
    ref_com: Array  # (N, 3)
    contact: Array  # (N, feet) upward force on each foot from what it stands on, newtons
    stance: Mask  # (N, feet): the reference wants this foot to stand
    joint_torque: Array  # (N,) sum over joints of the torque's magnitude, Nm
    help_torque: Array  # (N,) artificial torque, Nm, mean over the sample
    help_force: Array  # (N,) artificial force, N, mean over the sample
    help_peak: Array  # (N, 2) largest artificial torque and force within the sample
    help_root: Array  # (N, 2) the part of artificial torque and force that acts on the root, mean over the sample
    events: tuple[dict[str, Any], ...] = ()
    props: tuple[Prop, ...] = ()
    info: dict[str, Any] = field(default_factory=dict)  # settings of the run, JSON-able
    realtime_factor: float | None = None  # how much faster than real time the run was; not saved, it differs from run to run

    def save(self, path: str | Path, **options: Any) -> tuple[str, ...]:
        """Write the take in the format of the path's ending: .bvh .glb .npz .mp4 .png .csv; returns notes, see `poise.export`."""
        from poise.export.save import save

        return save(self, path, **options)

    @staticmethod
    def load(path: str | Path) -> Take:
        """Read a take that was saved as .npz."""
        from poise.export.npz import read

        return read(path)
