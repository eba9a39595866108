"""A take as a table: one row per sample, for a spreadsheet or a notebook."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.files import write_whole
from poise.measure import com_error_m, joint_error_deg
from poise.rotation import Array
from poise.take import Take


def write(take: Take, path: str | Path) -> None:
    """Write time, centre of mass, errors, torques, help and the state of each foot; the head of a column tells its unit."""
    table = columns(take)
    rows = np.stack(list(table.values()), axis=-1)
    lines = [",".join(table), *(",".join(f"{value:.9g}" for value in row) for row in rows + 0.0)]  # + 0.0 turns -0 into 0
    write_whole(path, ("\n".join(lines) + "\n").encode())


def columns(take: Take) -> dict[str, Array]:
    """The columns (N,) of the table by their heads."""
    joint = joint_error_deg(take)
    table = {"time_s": take.times}
    table |= {f"com_{axis}_m": take.com[:, k] for k, axis in enumerate("xyz")}
    table |= {f"ref_com_{axis}_m": take.ref_com[:, k] for k, axis in enumerate("xyz")}
    table |= {
        "com_error_m": com_error_m(take),
        "joint_error_mean_deg": joint.mean(axis=1),
        "joint_error_max_deg": joint.max(axis=1),
        "joint_torque_nm": take.joint_torque,
        "help_torque_nm": take.help_torque,
        "help_force_n": take.help_force,
        "help_torque_peak_nm": take.help_peak[:, 0],
        "help_force_peak_n": take.help_peak[:, 1],
    }
    for k, foot in enumerate(take.character.feet):
        table |= {f"{foot}_contact_n": take.contact[:, k], f"{foot}_stance": take.stance[:, k].astype(float)}
    return table
