"""TSID (whole-body control in C++, https://github.com/stack-of-tasks/tsid) on a Poise character, to compare speeds with.

    pip install pin==4.0.0 libpinocchio==4.0.0 tsid==1.10.0      (1.10.0 crashes with pin 4.1)

The body is the same: masses, lengths, and as many velocities, each ball joint as three hinges. So are the kinds of objectives:
root, tips of the targeted limbs, angular momentum, pose; standing feet are rigid contacts with friction pyramids at four
corners. The body stands on both feet and sways, so that the problem changes from step to step.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from poise.character.character import Character
from poise.character.limbs import limbs_of
from poise.character.soles import sole_corners
from poise.control.limbs.weights import Settings
from poise.physics.world import GRAVITY

_SWAY, _RATE = 0.03, 4.0  # m, rad/s
_HELD = (900.0, 80.0)  # 1/s2, 1/s: of a foot that stands
_HINGED = ("shin", "forearm")  # in a body with simple knees and elbows


def is_installed() -> bool:
    """Whether TSID can be timed here."""
    return bool(importlib.util.find_spec("tsid") and importlib.util.find_spec("pinocchio"))


class TsidBody:
    """A character that TSID lets stand and sway; `solve` is what is timed. With `hinged` its knees and elbows are hinges."""

    def __init__(self, character: Character, dt: float, *, hinged: bool = False) -> None:
        import pinocchio
        import tsid

        self._pin, self._dt, self._time, self._settings = pinocchio, dt, 0.0, Settings()
        self.model = _model(pinocchio, character, _HINGED if hinged else ())
        self.robot = tsid.RobotWrapper(self.model, tsid.RootJointType.FLOATING_BASE_SYSTEM, False)
        self.formulation = tsid.InverseDynamicsFormulationAccForce("body", self.robot, False)
        self.q, self.v = pinocchio.neutral(self.model), np.zeros(self.model.nv)
        self.q[:3] = character.joints[0]
        self.formulation.computeProblemData(0.0, self.q, self.v)
        self._alive: list[Any] = []  # TSID does not keep what it is given
        self._add_objectives(tsid, character)
        self._solver = tsid.SolverHQuadProgFast("solver")
        self._solver.resize(self.formulation.nVar, self.formulation.nEq, self.formulation.nIn)

    def solve(self) -> None:
        """Kinematics, assembly and solution of one step; the solution gives the accelerations and torques."""
        self._answer = self._solver.solve(self.formulation.computeProblemData(self._time, self.q, self.v))

    def advance(self) -> None:
        """Moves the body by the accelerations found, and the goal of its root."""
        if self._answer.status != 0:
            raise RuntimeError(f"TSID found no solution at {self._time:.3f} s (status {self._answer.status})")
        acceleration = self.formulation.getAccelerations(self._answer)
        self.v = self.v + self._dt * acceleration
        self.q = self._pin.integrate(self.model, self.q, self._dt * self.v)
        self._time += self._dt
        goal = self._root.translation + np.array([0.0, _SWAY * np.sin(_RATE * self._time), 0.0])
        self._lead(self._root_task, self._pin.SE3(self._root.rotation, goal))

    def _add_objectives(self, tsid: Any, character: Character) -> None:
        """The objectives of the limbs controller with its weights and springs."""
        w, springs = self._settings.weights, self._settings.springs
        self._root_task = self._pull(tsid, character.names[0], springs.root, w.w_max * w.root)
        self._root = self._placed(character.names[0])
        for limb in limbs_of(character):
            if limb.kind == "targeted":
                self._pull(tsid, limb.effector, springs.targeted, w.w_max * w.effector["targeted"])
            elif limb.kind == "support":
                self._stand(tsid, character, limb.effector)
        calm = tsid.TaskAMEquality("momentum", self.robot)
        calm.setKp(springs.momentum * np.ones(3))
        calm.setReference(tsid.TrajectoryEuclidianConstant("momentum", np.zeros(3)).computeNext())
        self._add(calm, w.w_max * w.momentum)
        pose = tsid.TaskJointPosture("pose", self.robot)
        pose.setKp(springs.pose[0] * np.ones(self.model.nv - 6))
        pose.setKd(springs.pose[1] * np.ones(self.model.nv - 6))
        pose.setReference(tsid.TrajectoryEuclidianConstant("pose", self.q[7:]).computeNext())
        self._add(pose, w.w_max * w.body)

    def _pull(self, tsid: Any, name: str, spring: tuple[float, float], weight: float) -> Any:
        """An objective for the place and the turn of a segment."""
        task = tsid.TaskSE3Equality(name, self.robot, name)
        task.setKp(spring[0] * np.ones(6))
        task.setKd(spring[1] * np.ones(6))
        self._add(task, weight)
        self._lead(task, self._placed(name))
        return task

    def _stand(self, tsid: Any, character: Character, foot: str) -> None:
        """A rigid contact at the lowest corners of a foot."""
        corners = sole_corners(character.segments[character.index(foot)])
        points = np.ascontiguousarray(corners[np.argsort(corners[:, 2], kind="stable")[:4]].T)
        most = 10.0 * character.mass * GRAVITY
        contact = tsid.Contact6d(f"{foot} stands", self.robot, foot, points, np.array([0.0, 0.0, 1.0]), 1.0, 0.0, most)
        contact.setKp(_HELD[0] * np.ones(6))
        contact.setKd(_HELD[1] * np.ones(6))
        contact.setReference(self._placed(foot))
        self.formulation.addRigidContact(contact, 1e-5)
        self._alive.append(contact)

    def _add(self, task: Any, weight: float) -> None:
        self.formulation.addMotionTask(task, weight, 1, 0.0)
        self._alive.append(task)

    def _placed(self, name: str) -> Any:
        return self.robot.framePosition(self.formulation.data(), self.model.getFrameId(name))

    def _lead(self, task: Any, goal: Any) -> None:
        import tsid

        task.setReference(tsid.TrajectorySE3Constant(task.name, goal).computeNext())


def _model(pinocchio: Any, character: Character, hinged: tuple[str, ...]) -> Any:
    """The character for TSID: a free root, and hinges about x, y and z at every joint; those in `hinged` have the one about y."""
    model, joints = pinocchio.Model(), []
    for k, segment in enumerate(character.segments):
        joint = 0 if k == 0 else joints[character.parents[k]]
        place = pinocchio.SE3(np.eye(3), character.offsets[k] if k else np.zeros(3))
        axes = "Y" if segment.name.endswith(hinged) and hinged else "XYZ"
        for axis in axes if k else ("",):
            kind = getattr(pinocchio, f"JointModelR{axis}") if k else pinocchio.JointModelFreeFlyer
            joint = model.addJoint(joint, kind(), place, f"{segment.name}{axis}")
            place = pinocchio.SE3.Identity()
        inertia = pinocchio.Inertia(segment.mass, character.coms[k], character.inertias[k])
        model.appendBodyToJoint(joint, inertia, pinocchio.SE3.Identity())
        model.addFrame(pinocchio.Frame(segment.name, joint, 0, pinocchio.SE3.Identity(), pinocchio.FrameType.OP_FRAME))
        joints.append(joint)
    return model
