"""A controller of one's own: the pose controller, composed with a law that makes the character breathe."""

import numpy as np

import poise
from poise import rotation
from poise.control.controller import Command
from poise.control.pose import PoseController
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import Reference, Target


class Breathing:
    """Bends the chest's target back and forth before the pose controller sees it.

    The contract: a name, whether the robustness dial means anything to it, `start` once, `act` every step.
    """

    name = "breathing"
    tunable = False

    def __init__(self, depth_deg: float = 4.0, seconds: float = 3.0) -> None:
        self.pose = PoseController()
        self.depth, self.rate = np.radians(depth_deg), 2.0 * np.pi / seconds

    def start(self, world: World, reference: Reference) -> None:
        self.chest = world.character.index("chest")
        self.pose.start(world, reference)

    def act(self, state: State, target: Target, command: Command) -> None:
        phase = self.rate * target.time
        # Turns about the segment's own y axis, which points left: positive bends forward.
        breath = rotation.exp([0.0, -self.depth * np.sin(phase), 0.0])
        target.joint_rotation[self.chest] = rotation.multiply(target.joint_rotation[self.chest], breath)
        target.joint_velocity[self.chest, 1] -= self.depth * self.rate * np.cos(phase)
        self.pose.act(state, target, command)


still, breathing = (poise.simulate("stand", controller=law, duration=6.0) for law in ("pose", Breathing()))
chest = breathing.character.index("chest")
away = np.degrees(rotation.angle_between(breathing.rotation[:, chest], still.rotation[:, chest]))
print(f"the chest moves by up to {away.max():.1f}°, and is back at {away[breathing.times > 5.98].max():.1f}° after two breaths")

assert 2.0 < away.max() < 6.0
assert away[breathing.times > 5.98].max() < 1.0
assert poise.summary(breathing)["controller"] == "breathing"
