"""A ball on the head, with stiff joints and with feedforward: both follow the clip, only one looks alive when it is hit."""

from pathlib import Path

import numpy as np

import poise
from poise import rotation
from poise.scenario.feedforward import Feedforward

OUT = Path("out")
OUT.mkdir(exist_ok=True)
BALL = poise.Ball(mass=3.0, speed=5.0, target="head", from_deg=90, at=1.5)  # from the right, and it does not see it coming
KINDS = {"stiff": Feedforward(source="none", stiffness_ratio=1.0), "feedforward": Feedforward()}

swings = {}
for name, settings in KINDS.items():
    take = poise.simulate("punch", controller="feedforward", feedforward=settings, events=[BALL], duration=3.0)
    take.save(OUT / f"give_way_{name}.png")
    head = take.character.index("head")
    knocked = np.degrees(rotation.angle_between(take.rotation[:, head], take.ref_rotation[:, head]))
    swings[name] = knocked[(take.times > 1.4) & (take.times < 2.0)].max()
    error = poise.summary(take)["joint_error_deg"]["mean"]
    print(f"{name}: {error:.1f}° joint error, the head is knocked by {swings[name]:.0f}°")

assert swings["feedforward"] > 1.5 * swings["stiff"]
