"""Numbers of a take: tracking, balance, and the receipt of artificial help. Pure functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.measure.balance import fell_at_s
from poise.measure.help import receipt
from poise.measure.tracking import com_error_m, foot_slide_m_s, joint_error_deg
from poise.take import Take

__all__ = ["com_error_m", "fell_at_s", "foot_slide_m_s", "joint_error_deg", "receipt", "summary"]


def summary(take: Take) -> dict[str, Any]:
    """The run in one JSON-able object, as `poise simulate --json` prints it."""
    joint, com = joint_error_deg(take), com_error_m(take)
    fell = fell_at_s(take)
    reached = float(take.times[-1]) >= take.info.get("duration_s", 0.0) - 1e-9
    result = {
        "clip": take.info.get("clip"),
        "character": take.info.get("character"),
        "controller": take.info.get("controller"),
        "robustness": take.info.get("robustness"),
        "feedforward": take.info.get("feedforward"),
        "completed": fell is None and reached,
        "fell_at_s": fell,
        "duration_s": min(float(take.times[-1]), float(take.info.get("duration_s", np.inf))),
        "dt_s": take.info.get("dt_s"),
        "joint_error_deg": {"mean": float(joint.mean()), "p95": float(np.percentile(joint, 95))},
        "com_error_m": {"mean": float(com.mean()), "max": float(com.max())},
        "foot_slide_m_s": foot_slide_m_s(take),
        "help": receipt(take),
        "realtime_factor": take.realtime_factor,
        "warnings": list(take.info.get("warnings", [])),
    }
    return _rounded(result)


def _rounded(value: Any) -> Any:
    """Numbers to five digits: what is beyond them is noise to a reader."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return float(f"{value:.5g}") if isinstance(value, float) else value
