"""The receipt: how much artificial help a take really used."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.take import Take

_GRAVITY = 9.81
_TORQUE_COUNTS, _FORCE_COUNTS = 0.1, 0.1  # Nm, N: below this help is numerical dust


def receipt(take: Take) -> dict[str, Any]:
    """Means and maxima of artificial torque and force, as they are and as shares of body weight and joint torque.

    Magnitudes are summed over the segments that are helped, so that opposite helps do not cancel. Help on the root (root forces,
    a torque in flight, a hand that raises) and on the feet (foot forces, the topple-free torque) are told apart.
    """
    weight = take.character.mass * _GRAVITY
    active = (take.help_torque > _TORQUE_COUNTS) | (take.help_force > _FORCE_COUNTS)
    joint = float(take.joint_torque.mean())
    torque = float(take.help_torque.mean())
    return {
        "torque_mean_nm": torque,
        "torque_max_nm": float(take.help_peak[:, 0].max(initial=0.0)),
        "torque_share_of_joints": torque / joint if joint > 0 else 0.0,
        "force_mean_bw": float(take.help_force.mean()) / weight,
        "force_max_bw": float(take.help_peak[:, 1].max(initial=0.0)) / weight,
        "active_share": float(np.mean(active)),
        "root_torque_mean_nm": float(take.help_root[:, 0].mean()),
        "root_force_mean_bw": float(take.help_root[:, 1].mean()) / weight,
        "foot_torque_mean_nm": float((take.help_torque - take.help_root[:, 0]).mean()),
        "foot_force_mean_bw": float((take.help_force - take.help_root[:, 1]).mean()) / weight,
    }
