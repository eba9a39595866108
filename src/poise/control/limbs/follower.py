"""Features to torques for one character in one world: the whole of problem (1), from state to command."""

from __future__ import annotations

import numpy as np

from poise.character.character import Character
from poise.character.limbs import limbs_of, support_limbs
from poise.control.controller import Command
from poise.control.limbs import law
from poise.control.limbs.dynamics import set_constraints
from poise.control.limbs.ground_forces import EDGES, REACH, SLOW, ground_of, pushes_of, soles_of
from poise.control.limbs.hinges import hinges_of
from poise.control.limbs.kinematics import body_of, motion_of
from poise.control.limbs.limits import MOST, limits_of
from poise.control.limbs.objectives import Share, Tasks, asked_of
from poise.control.limbs.parts import Parts, outcome_of, pin, sensed_of
from poise.control.limbs.price import price_of
from poise.control.limbs.problem import problem_of
from poise.control.limbs.solver import BoxSolver
from poise.control.limbs.weights import Settings, joint_strength, regularisation_weights, support_length
from poise.physics.state import State
from poise.physics.world import GRAVITY, SLIP, World
from poise.reference.features import Features, effector_limbs

_GRIP = 0.6  # share of the friction of real contacts that is planned with: they also carry what was not planned
_INNER = 0.7  # share of a sole on which loads are planned in real contacts: one that is loaded at its rim rocks and slips
_BY_HAND = 100.0, 0.0  # prices of loads on corners above the ground, and above the lowest corner of their sole
_REAL = 1e4, 1e6  # the same in real contacts: a load planned on a corner in the air slaps the sole down
_LOOSE = 1e-3  # of the pose's weights in a level that is not about the pose: only so that the problem has one solution


class Follower:
    """Follows features by the least squares of (7), exactly within the equations of motion.

    `by_hand` says who moves the body: False for MuJoCo with its own contacts, True for the planned ground forces and nothing
    else, as in the paper. `strict` puts root and support limbs before everything else instead of weighing them.
    """

    def __init__(self, world: World, settings: Settings, *, by_hand: bool, strict: bool = False) -> None:
        character = world.character
        s, weight = character.nsegments, character.mass * GRAVITY
        support_limbs(character)  # says so where there is none
        limbs, leg = effector_limbs(character), support_length(character)
        kinds = [limb.kind for limb in limbs]
        world.damping[:] = 0.0
        set_constraints(world, not by_hand)
        self.settings, self.by_hand, self.strict = settings, by_hand, strict
        self.effectors = np.array([character.index(limb.effector) for limb in limbs])
        self.solver = BoxSolver()
        self.failures = 0  # steps without a solution
        self.body, self.motion, self.asked = body_of(world), motion_of(s), asked_of(len(limbs), s)
        soles = soles_of(character, limbs, 1.0 if by_hand else _INNER)
        grip, slip = (1.0, 1.0) if by_hand else (_GRIP, SLIP)
        friction = grip * world.friction, slip * world.friction
        ground = ground_of(world.terrain, friction, _BY_HAND if by_hand else _REAL, REACH * leg, SLOW * leg)
        nrows = 6 + 6 * (1 + len(limbs)) + MOST
        self.problem = problem_of(3 + 3 * s, nrows, EDGES * len(soles.segment) + MOST)
        give = 1.0 / (settings.weights.limit * settings.weights.w_max)
        torque, most = settings.strength.torque * weight * leg, settings.strength.residual * weight
        limits = limits_of(character, torque, settings.springs.limit, give, angles=by_hand)
        self.outcome, self.leeway, self.residual = outcome_of(s, nrows), np.zeros(6), np.zeros(6)
        parts = Parts(
            self.body, sensed_of(world.state), self.motion, self._tasks(character, kinds, world.dt), self.asked, soles, ground,
            pushes_of(soles), *self._levels(character, kinds), price_of(settings.weights, weight, leg, by_hand=by_hand), limits,
            self.problem, self.outcome, np.zeros(1, np.int64), np.ones(len(limbs), np.bool_), self.leeway, self.residual,
            settings.weights.force * settings.weights.w_max / weight**2,
            joint_strength(character, torque, settings.strength), most, most * leg,
        )  # fmt: skip
        self._pinned = pin(parts)
        self._where = self._pinned.where

    def follow(self, state: State, features: Features, command: Command) -> None:
        """Sets the command for this step; where the problem has no solution, the one before stays."""
        law.pose(self._where, features.row, features.contact)
        if not self._solve():
            self.failures += 1
            return
        law.give(self._where, command.joint_torque, command.wrench, command.help)
        command.felt_torque[:] = command.joint_torque
        if self.by_hand:
            state.foot_force[:] = self.outcome.ground[state.feet, :3]
            state.foot_load[:] = state.foot_force[:, 2]
            state.foot_contact[:] = state.foot_load > 0.0

    def match_velocities(self, state: State, features: Features) -> None:
        """Makes the body move as the features move, in place."""
        spins = np.zeros(3 + 3 * len(state.joint_velocity))
        law.velocities(self._where, features.row, spins)
        state.root_velocity[:] = spins[:3]
        state.joint_velocity[:] = np.einsum("kji,kj->ki", self.motion.turn, spins[3:].reshape(-1, 3))

    def _solve(self) -> bool:
        """Solves the levels, the most important first; False where one has no solution."""
        if not self._solve_within_limits():
            return False
        self.residual[:] = self.outcome.missed[:6]
        if not self.strict:
            return True
        law.pose_below(self._where)
        return self._solve_within_limits()

    def _solve_within_limits(self) -> bool:
        """Solves the posed problem, and again with the limits that its solution broke, as long as there is a solution."""
        problem = self.problem
        for solved in range(1 + self.settings.strength.rounds):
            n = int(problem.used[1])
            solution = self.solver.solve(
                problem.quadratic[: n * n].reshape(n, n), problem.gradient[:n], problem.lower[:n], problem.upper[:n]
            )
            if solution is None:
                return solved > 0
            if not law.conclude(self._where, solution):
                break
        return True

    def _tasks(self, character: Character, kinds: list[str], dt: float) -> Tasks:
        springs, hinges = self.settings.springs, hinges_of(character)
        free = {name for limb in limbs_of(character) if limb.kind == "free" for name in limb.segments}
        steers = np.repeat([1.0, *(0.0 if segment.name in free else 1.0 for segment in character.segments)], 3)
        pulls = np.array([springs.root, *(springs.support if kind == "support" else springs.targeted for kind in kinds)])
        pose = np.tile([*springs.pose, 0.0], (self.body.parent.shape[0], 1))
        limbs = {name for limb in limbs_of(character) for name in limb.segments}
        pose[[segment.name not in limbs for segment in character.segments], :2] = springs.trunk
        pose[[segment.name in free for segment in character.segments]] = [*springs.free, 1.0 / springs.supple]
        pose[hinges.segment, :2] = springs.hinge
        return Tasks(
            self.effectors, pulls[:, 0].copy(), pulls[:, 1].copy(), np.array(springs.planted), pose, steers, springs.momentum,
            self.settings.weights.firm, self.by_hand, dt, hinges,
        )  # fmt: skip

    def _levels(self, character: Character, kinds: list[str]) -> tuple[Share, Share]:
        """The weights of the objectives: of balance first and then of the rest, or of all together, with nothing left below."""
        w, joints = self.settings.weights, regularisation_weights(character, self.settings.weights)
        carries = np.array([kind == "support" for kind in kinds])
        effectors = w.w_max * np.array([w.effector["support" if c else "targeted"] for c in carries])
        root, com, momentum, hinge = (w.w_max * weight for weight in (w.root, w.com, w.momentum, w.hinge))
        if not self.strict:
            everything = Share(root, com, effectors, momentum, joints, hinge)
            return everything, everything
        balance = Share(root, com, effectors * carries, 0.0, _LOOSE * joints, _LOOSE * hinge)
        return balance, Share(_LOOSE * root, com, effectors * ~carries, momentum, joints, hinge)
