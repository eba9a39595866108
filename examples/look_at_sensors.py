"""The loop by hand: a character stands for a second while every sensor is at hand; mechanics says what they must show."""

import numpy as np

import poise
from poise.control.controller import Command
from poise.control.pose import PoseController
from poise.physics.contact import inside_polygon
from poise.physics.world import GRAVITY, World
from poise.reference.reference import still_reference

human = poise.load_character("human")
world, reference = World(human, dt=0.002), still_reference(human)
controller = PoseController()
controller.start(world, reference)
command, target = Command(human.nsegments), reference.target()

# poise.simulate does the same and records it: sense, act, advance.
for step in range(500):
    state = world.sense()
    reference.sample(step * world.dt, target)
    controller.act(state, target, command)
    world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
    world.advance()
state = world.sense()

weight = human.mass * GRAVITY
carried = state.foot_load.sum()
lifted = command.help[:, 2].sum()
pressure, polygon = state.center_of_pressure, state.contacts.of(state.feet).support_polygon
assert pressure is not None
depth = inside_polygon(pressure, polygon)

print(f"weight {weight:.1f} N = {carried:.1f} N under the feet + {lifted:.1f} N of help from the root forces")
print(f"centre of mass at x {100 * state.com[0]:+.1f} cm, moving at {1000 * np.linalg.norm(state.com_velocity):.2f} mm/s")
print(f"centre of pressure at x {100 * pressure[0]:+.1f} cm, {100 * depth:.1f} cm inside the support polygon")
print(f"angular momentum {np.linalg.norm(state.angular_momentum):.4f} kg m²/s")

assert abs(carried + lifted - weight) < 0.01 * weight
assert depth > 0.0
