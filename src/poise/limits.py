"""Limits of settings that several rooms check, the command line among them, before anything heavy is loaded."""

from __future__ import annotations

STEP_S = (1e-5, 0.01)  # of a step of the simulation: shorter ones take for ever, longer ones do not hold
MASS_KG = (1.0, 5000.0)  # of a body that walks on two legs
