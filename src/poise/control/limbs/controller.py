"""The limbs controller: any biped follows what an actor asks of it (Çimen et al.)."""

from __future__ import annotations

import numpy as np

from poise.character.character import Character
from poise.character.limbs import support_limbs
from poise.control.controller import Command
from poise.control.limbs import law
from poise.control.limbs.dynamics import set_constraints
from poise.control.limbs.ground_forces import EDGES, ground_of, pushes_of, soles_of
from poise.control.limbs.kinematics import body_of, motion_of
from poise.control.limbs.limits import MOST, Limits
from poise.control.limbs.objectives import Share, Tasks, asked_of
from poise.control.limbs.problem import problem_of
from poise.control.limbs.solver import BoxSolver
from poise.control.limbs.weights import Springs, Strength, Weights, regularisation_weights, support_length
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.reference.features import Features, effector_limbs
from poise.reference.reference import Reference, Target

_REACH = 0.05  # of the support limbs' length: a corner higher above the ground than this carries nothing
_LOOSE = 1e-3  # of the pose's weights in a level that is not about the pose: only so that the problem has one solution


class LimbsController:
    """Follows features by the least squares of (7), exactly within the equations of motion.

    `dynamics` says who moves the body: "forward", MuJoCo with its own contacts, or "generalized", the planned ground forces
    and nothing else, as in the paper. `strict` puts root and support limbs before everything else instead of weighing them.
    """

    name = "limbs"
    tunable = False

    def __init__(
        self,
        dynamics: str = "forward",
        *,
        strict: bool = False,
        weights: Weights | None = None,
        springs: Springs | None = None,
        strength: Strength | None = None,
    ) -> None:
        self.dynamics, self.strict = dynamics, strict
        self.weights, self.springs, self.strength = weights or Weights(), springs or Springs(), strength or Strength()

    def start(self, world: World, reference: Reference) -> None:
        character = world.character
        s, weight = character.nsegments, character.mass * GRAVITY
        support_limbs(character)  # says so where there is none
        effectors, leg = effector_limbs(character), support_length(character)
        world.damping[:] = 0.0
        set_constraints(world, self.dynamics == "forward")
        self._world, self.features = world, Features(character)
        self._effectors = np.array([character.index(limb.effector) for limb in effectors])
        self._foot_effector = np.array([self._effectors.tolist().index(foot) for foot in world.state.feet])
        self._solver = BoxSolver()
        self._body, self._motion, self._asked = body_of(world), motion_of(s), asked_of(len(effectors), s)
        self._tasks = self._find_tasks([limb.kind for limb in effectors])
        self._levels = self._find_levels(character, [limb.kind for limb in effectors])
        self._soles = soles_of(character, effectors)
        self._ground = ground_of(world.terrain, world.friction, _REACH * leg)
        self._pushes = pushes_of(self._soles)
        rows = 6 + 6 + 6 * len(effectors) + MOST
        self._problem = problem_of(3 + 3 * s, rows, EDGES * len(self._soles.segment) + MOST)
        angles = [np.radians(g.limit.angle_deg) if g.limit else np.inf for g in character.segments]
        self._limits = Limits(self.strength.torque * weight * leg, np.array(angles), self.springs.limit)
        share = self.weights.w_max / weight**2
        self._residual = np.array([1.0] * 3 + [leg**2] * 3) / (self.weights.residual * share)
        self._smallest = self.weights.force * share
        n = 3 + 3 * s
        self.outcome = law.Outcome(np.zeros(n), np.zeros(rows), np.zeros((s, 6)), np.zeros(n), np.zeros((s, 3)))
        self.residual = np.zeros(6)  # force and torque at the root's joint
        state = world.state
        self._sensed = law.Sensed(
            state.position, state.rotation, state.root_velocity, state.joint_velocity, state.joint_coordinate
        )

    def act(self, state: State, target: Target, command: Command) -> None:
        self._read_features(target)
        self._count = law.look(
            self._body, self._sensed, self._tasks, self._soles, self._ground, self.features.row, self.features.contact,
            self._motion, self._asked, self._pushes,
        )  # fmt: skip
        if not self._solve():
            return  # the torques of the step before stay
        law.give(
            self._body, self._motion, self.outcome, self.residual, self.dynamics == "generalized", command.joint_torque,
            command.wrench, command.help,
        )  # fmt: skip
        command.felt_torque[:] = command.joint_torque
        if self.dynamics == "generalized":
            state.foot_force[:] = self.outcome.ground[state.feet, :3]
            state.foot_load[:] = state.foot_force[:, 2]
            state.foot_contact[:] = state.foot_load > 0.0

    def _solve(self) -> bool:
        """Solves all levels, the most important first; False where one has no solution."""
        for k, share in enumerate(self._levels):
            shared = (self._body, self._motion, self._tasks, self._asked, share)
            if k == 0:
                law.pose(*shared, self._residual, self._smallest, self._pushes, self._count, self._problem)
            else:
                law.pose_below(
                    *shared, self._levels[0], self.outcome.acceleration.copy(), self.residual, self._smallest, self._pushes,
                    self._count, self._problem,
                )  # fmt: skip
            if not self._solve_within_limits():
                return False
            if k == 0:
                self.residual[:] = self.outcome.missed[:6]
        return True

    def _solve_within_limits(self) -> bool:
        """Solves the problem, and again with the limits that its solution broke."""
        problem = self._problem
        for _ in range(1 + self.strength.rounds):
            n = int(problem.used[1])
            solution = self._solver.solve(
                problem.quadratic[: n * n].reshape(n, n), problem.gradient[:n], problem.lower[:n], problem.upper[:n]
            )
            if solution is None:
                return False
            added = law.conclude(
                self._body, self._motion, self._sensed, self._limits, self._pushes, self._count, self._smallest, solution,
                problem, self.outcome,
            )  # fmt: skip
            if not added:
                break
        return True

    def _read_features(self, target: Target) -> None:
        """What is asked: the reference's own root, effectors and pose."""
        features, at = self.features, self._effectors
        features.root_position[:], features.root_rotation[:] = target.position[0], target.rotation[0]
        features.root_velocity[:], features.root_spin[:] = target.velocity[0], target.angular_velocity[0]
        features.position[:], features.rotation[:] = target.position[at], target.rotation[at]
        features.velocity[:], features.spin[:] = target.velocity[at], target.angular_velocity[at]
        features.pose[:] = target.joint_rotation
        features.contact[self._foot_effector] = target.stance

    def _find_tasks(self, kinds: list[str]) -> Tasks:
        springs = self.springs
        pulls = np.array([springs.root, *(springs.support if kind == "support" else springs.targeted for kind in kinds)])
        planted = springs.planted if self.dynamics == "forward" else springs.support
        return Tasks(
            self._effectors, pulls[:, 0].copy(), pulls[:, 1].copy(), np.array(planted), np.array(springs.pose), springs.momentum
        )

    def _find_levels(self, character: Character, kinds: list[str]) -> list[Share]:
        """The weights of the objectives: of all together, or of balance first and then of the rest."""
        w, joints = self.weights, regularisation_weights(character, self.weights)
        carries = np.array([kind == "support" for kind in kinds])
        effectors = w.w_max * np.array([w.effector["support" if c else "targeted"] for c in carries])
        root, momentum = w.w_max * w.root, w.w_max * w.momentum
        if not self.strict:
            return [Share(root, effectors, momentum, joints)]
        loose = w.w_max * _LOOSE * w.body
        balance = Share(root, effectors * carries, 0.0, _LOOSE * joints)
        return [balance, Share(loose, effectors * ~carries, momentum, joints)]
