"""From a score to joint rotations: trunk, then legs to their feet, then arms, then what drags behind."""

from __future__ import annotations

import numpy as np
from tools.author_clips import layers, limbs
from tools.author_clips.body import HIP_HALF_WIDTH, HIPS_OVER_LEGS, JOINT, SIDES, SKELETON, STANDING_HIPS, Motion, side_sign
from tools.author_clips.curves import FPS
from tools.author_clips.feet import Foot
from tools.author_clips.limbs import Arm, Leg
from tools.author_clips.score import ArmScore, Score
from tools.author_clips.turns import attitude, chain, level, relative, turn

from poise import rotation
from poise.rotation import Array

SPINE_SHARE = 0.45  # of the bend between pelvis and chest, taken by the lower joint
NECK_SHARE = 0.45  # of the bend between chest and head
KNEE_FOLLOWS_FOOT = 0.6  # share of the foot's direction in the knee's; the rest is the pelvis'
STANDING_EASE, SWINGING_EASE = 0.0005, 0.006  # metres before full reach in which a leg slows down
COLLAR_UP, COLLAR_FROM = 0.25, 35.0  # share of the arm's lift that the shoulder adds, from so many degrees on
COLLAR_FORWARD = 14.0  # degrees that a shoulder comes forward with an arm straight ahead


def perform(score: Score, shift: Array, sink: Array) -> Motion:
    """The motion of a score whose hips stand at `shift` (F, 2), `sink` (F,) metres lower than over straight legs."""
    nframes = len(score.clock.times)
    root = np.column_stack([shift, STANDING_HIPS - sink])
    world = np.empty((nframes, SKELETON.njoints, 4))
    _set_trunk(score, world)
    _set_legs(score, root, world)
    rotations = _against_parents(world)
    motion = Motion(root, rotations, FPS, score.clock.loop, np.array(score.travel))
    return _with_arms(score, motion, world)


def _set_trunk(score: Score, world: Array) -> None:
    """Fill in the trunk; arms go along with the chest until they have their turn."""
    pelvis = layers.pelvis_angles(score)
    chest = layers.chest_angles(score, pelvis)
    head = layers.head_angles(score, chest)
    pelvis_q, chest_q, head_q = attitude(pelvis), attitude(chest), attitude(head)
    world[:, JOINT["Hips"]] = pelvis_q
    world[:, JOINT["Spine"]] = rotation.slerp(pelvis_q, chest_q, np.full(len(world), SPINE_SHARE))
    world[:, JOINT["Spine1"]] = chest_q
    world[:, JOINT["Neck"]] = rotation.slerp(chest_q, head_q, np.full(len(world), NECK_SHARE))
    world[:, JOINT["Head"]] = head_q
    for side in SIDES:
        for joint in ("Shoulder", "Arm", "ForeArm", "Hand"):
            world[:, JOINT[side + joint]] = chest_q


def _set_legs(score: Score, root: Array, world: Array) -> None:
    """Fill in both legs, from the hips to where the feet are."""
    pelvis = world[:, JOINT["Hips"]]
    for k, side in enumerate(SIDES):
        hip, foot = _hip(root, pelvis, side), score.feet[k]
        ankle, foot_q = _foot_target(score, k, hip, pelvis)
        swings = 1.0 - score.clock.soften(score.clock.widen(foot.standing, 0.05), 0.02)
        leg = limbs.leg_to(hip, ankle, _knee_hinge(score, k, pelvis), STANDING_EASE + SWINGING_EASE * swings)
        world[:, JOINT[f"{side}UpLeg"]], world[:, JOINT[f"{side}Leg"]] = leg.thigh, leg.shin
        world[:, JOINT[f"{side}Foot"]] = foot_q
        world[:, JOINT[f"{side}ToeBase"]] = rotation.multiply(foot_q, turn("y", foot.toes))


def _hip(root: Array, pelvis: Array, side: str) -> Array:
    """(F, 3) a hip joint in the world."""
    return root + rotation.rotate(pelvis, [0.0, HIP_HALF_WIDTH * side_sign(side), -HIPS_OVER_LEGS])


def _foot_target(score: Score, k: int, hip: Array, pelvis: Array) -> tuple[Array, Array]:
    """Ankle (F, 3) and foot rotation (F, 4): on the foot's way, or where the free leg holds it."""
    foot: Foot = score.feet[k]
    free = score.free[k]
    if free is None:
        return foot.ankle, foot.turn
    leg: Leg = limbs.leg_by_angles(pelvis, SIDES[k], free.angles[:, :4])
    share = free.share[:, None]
    ankle = foot.ankle + (limbs.leg_tip(hip, leg) - foot.ankle) * share
    held = rotation.multiply(leg.shin, turn("y", free.angles[:, 4]))
    return ankle, rotation.slerp(foot.turn, held, free.share)


def _knee_hinge(score: Score, k: int, pelvis: Array) -> Array:
    """(F, 3) the way the knee's hinge points: left, between foot and pelvis, knees a little out."""
    foot = score.feet[k]
    toward = rotation.slerp(level(pelvis), turn("z", foot.yaw), np.full(len(pelvis), KNEE_FOLLOWS_FOOT))
    out = np.broadcast_to(score.knees_out, foot.yaw.shape) * side_sign(SIDES[k])
    return rotation.rotate(chain(toward, turn("z", out)), [0.0, 1.0, 0.0])


def _against_parents(world: Array) -> Array:
    parents = list(SKELETON.parents[1:])
    return np.concatenate([world[:, :1], relative(world[:, parents], world[:, 1:])], axis=1)


def _with_arms(score: Score, motion: Motion, world: Array) -> Motion:
    """The motion with shoulders and arms, which hang on a trunk that is already in place."""
    position, _ = motion.world()
    chest = world[:, JOINT["Spine1"]]
    for k, side in enumerate(SIDES):
        s, plan = side_sign(side), score.arms[k]
        plain = _arm(score, plan, side, chest, position, position[:, JOINT[f"{side}Arm"]])
        collar = chain(chest, _collar(score, k, relative(chest, plain.upper)))
        base = position[:, JOINT[f"{side}Shoulder"]]
        shoulder = base + rotation.rotate(collar, SKELETON.offsets[JOINT[f"{side}Arm"]])
        arm = _arm(score, plan, side, chest, position, shoulder)
        twist, wrist = plan.angles[:, 4], plan.angles[:, 5]
        forearm = chain(arm.upper, turn("z", -s * arm.elbow), turn("y", 0.5 * twist))
        world[:, JOINT[f"{side}Shoulder"]] = collar
        world[:, JOINT[f"{side}Arm"]] = arm.upper
        world[:, JOINT[f"{side}ForeArm"]] = forearm
        trail = layers.wrist_drag(score.clock, forearm, np.broadcast_to(plan.loose, len(chest)))
        world[:, JOINT[f"{side}Hand"]] = chain(forearm, trail, turn("y", 0.5 * twist), turn("x", s * wrist))
    return Motion(motion.root, _against_parents(world), motion.fps, motion.loop, motion.travel)


def _arm(score: Score, plan: ArmScore, side: str, chest: Array, position: Array, shoulder: Array) -> Arm:
    """The arm at a shoulder (F, 3): hanging and dragging behind, or on its way to what it reaches for."""
    frame = rotation.slerp(chest, level(chest), np.broadcast_to(plan.upright, len(chest)))
    drag = layers.arm_drag(score.clock, shoulder - score.march, chest) * np.broadcast_to(plan.loose, len(chest))[:, None]
    angles = plan.angles[:, :4].copy()
    angles[:, 0] += drag[:, 0]
    angles[:, 1] += drag[:, 1] * side_sign(side)
    angles[:, 3] += 0.35 * np.maximum(drag[:, 0], -8.0)
    hanging = limbs.arm_by_angles(frame, side, angles)
    if plan.wrist is None or plan.pole is None:
        return hanging
    target = position[:, JOINT["Neck"]] + plan.wrist
    reaching = limbs.arm_to(shoulder, target, plan.pole, side)
    return limbs.blend_arms(hanging, reaching, np.broadcast_to(plan.reach, len(chest)))


def _collar(score: Score, k: int, upper: Array) -> Array:
    """(F, 4) the collar bone in the chest: it follows the upper arm up and forward, and breathes."""
    s = side_sign(SIDES[k])
    bone = rotation.rotate(upper, [0.0, s, 0.0])
    raised = np.degrees(np.arcsin(np.clip(bone[:, 2], -1.0, 1.0))) + 90.0
    up = COLLAR_UP * np.maximum(raised - COLLAR_FROM, 0.0) - 3.0 + layers.shoulder_raise(score, k)
    forward = COLLAR_FORWARD * np.clip(bone[:, 0], -0.5, 1.0)
    return chain(turn("z", -s * forward), turn("x", s * up))
