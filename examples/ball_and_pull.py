"""A ball against the head and a hand that is dragged aside, as a scenario file; events leave their mark when they should."""

from pathlib import Path

import numpy as np

import poise

OUT = Path("out")
OUT.mkdir(exist_ok=True)
SCENE = """
clip = "stand"
duration = 4.0

[[event]]
type = "ball"
target = "head"
mass = 3.0
speed = 6.0
from_deg = 90                  # from the right
at = 1.0

[[event]]
type = "pull"
body = "left_forearm"
toward = [0.4, 0.0, 0.2]       # metres, world frame
speed = 0.4
at = 2.0
duration = 1.2
"""
(OUT / "ball_and_pull.toml").write_text(SCENE, encoding="utf-8")

# On the command line: poise simulate --scenario out/ball_and_pull.toml -o out/ball_and_pull.png
take = poise.simulate(scenario=OUT / "ball_and_pull.toml")
take.save(OUT / "ball_and_pull.png", ghost=True)  # the ghost is where the captured motion is

head, hand = take.character.index("head"), take.character.index("left_forearm")
aside = np.linalg.norm(take.position - take.ref_position, axis=-1)  # (N, S) metres off the clip
struck = aside[(take.times > 1.0) & (take.times < 1.6), head].max()
dragged = aside[(take.times > 2.5) & (take.times < 3.2), hand].max()
print(f"the head is knocked {100 * struck:.0f} cm aside, the forearm dragged {100 * dragged:.0f} cm")

assert struck > 2 * aside[take.times < 0.9, head].max()
assert dragged > 0.05
assert aside[-1, hand] < 0.5 * dragged, "once let go, the arm comes back"
