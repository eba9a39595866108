"""Editing: cut, resample, turn, loop, mirror, blend. What goes round comes back; what walks goes on walking."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from people import HIPS_M, person, renamed, standing, walking, with_handle
from poise import rotation
from poise.errors import BadInput
from poise.motion.bvh import read
from poise.motion.edit import blend, cut, loop, mirror, resample, turn
from poise.motion.symmetry import partners
from poise.motion.tidy import tidy
from poise.motion.travel import travel

ROUNDING = 1e-9  # metres and radians; a chain of a few hundred operations on doubles
SEAM_SPEED = 0.05  # of the mean speed: "a few percent"
SEAM_POSE = np.radians(0.5)  # between the poses on both sides of a seam that was blended


def assert_same(a, b, tolerance=ROUNDING):
    assert a.nframes == b.nframes
    assert rotation.angle_between(a.rotations, b.rotations).max() < tolerance * 100  # angles near 0 lose half the digits
    assert np.abs(a.translations - b.translations).max() < tolerance


def lively(seed=3, nframes=121, fps=60.0):
    """A person whose joints all move, each in its own way, along a crooked path."""
    rng = np.random.default_rng(seed)
    t = np.arange(nframes) / fps
    clip = person(np.column_stack([0.8 * t, 0.2 * np.sin(3.0 * t), HIPS_M + 0.03 * np.sin(7.0 * t)]), fps)
    amplitude, pace = rng.uniform(-0.6, 0.6, (clip.skeleton.njoints, 3)), rng.uniform(2.0, 9.0, (clip.skeleton.njoints, 3))
    return clip.with_(rotations=rotation.multiply(rotation.exp(amplitude * np.sin(pace * t[:, None, None])), clip.rotations))


# Cutting


def test_two_cuts_that_meet_make_the_whole():
    clip = lively()
    first, second = cut(clip, 0.0, 0.7), cut(clip, 0.7, clip.duration)
    assert first.duration + second.duration == pytest.approx(clip.duration)
    assert np.array_equal(first.rotations[-1], second.rotations[0])
    assert np.array_equal(np.concatenate([first.rotations, second.rotations[1:]]), clip.rotations)
    assert np.array_equal(np.concatenate([first.translations, second.translations[1:]]), clip.translations)


@pytest.mark.parametrize("start, end", [(-0.1, 1.0), (1.0, 0.5), (0.0, 2.1), (float("nan"), 1.0)])
def test_cuts_outside_the_clip_are_refused_with_its_length(start, end):
    with pytest.raises(BadInput, match=r"within 0 and 2\.000 s"):
        cut(lively(), start, end)


# Another frame rate


@pytest.mark.parametrize("fps", [120.0, 180.0, 240.0])
def test_resampled_up_and_down_again_is_the_same(fps):
    clip = lively()
    up = resample(clip, fps)
    assert up.duration == pytest.approx(clip.duration)
    assert_same(resample(up, clip.fps), clip)


def test_resampling_follows_smooth_motion_better_than_slerp():
    fine = lively(nframes=481, fps=240.0)
    coarse = resample(fine, 24.0)
    assert rotation.angle_between(coarse.rotations[3], fine.rotations[30]).max() < ROUNDING
    smooth = resample(coarse, 240.0)
    share = np.mod(np.arange(smooth.nframes) / 10.0, 1.0)[:, None]
    before = np.minimum(np.arange(smooth.nframes) // 10, coarse.nframes - 2)
    straight = rotation.slerp(coarse.rotations[before], coarse.rotations[before + 1], share)
    inside = slice(10, -20)
    error = rotation.angle_between(smooth.rotations, fine.rotations)[inside].max()
    assert error < 0.3 * rotation.angle_between(straight, fine.rotations)[inside].max()


def test_a_single_frame_can_be_resampled():
    assert resample(cut(lively(), 0.5, 0.5), 30.0).nframes == 1


@pytest.mark.parametrize("fps", [0.0, -30.0, 1e6, float("nan")])
def test_impossible_rates_are_refused_with_the_limits(fps):
    with pytest.raises(BadInput, match=r"between 0\.1 and 10000"):
        resample(lively(), fps)


# Turning


def test_a_full_turn_changes_nothing():
    assert_same(turn(lively(), 360.0), lively())


def test_turning_keeps_distances_heights_and_the_starting_place():
    clip = lively()
    turned = turn(clip, 75.0)
    before, after = clip.world_positions, turned.world_positions
    assert np.abs(after[0, 0] - before[0, 0]).max() < ROUNDING
    assert np.abs(after[..., 2] - before[..., 2]).max() < ROUNDING
    apart = [np.linalg.norm(p[:, :, None] - p[:, None], axis=-1) for p in (before, after)]
    assert np.abs(apart[0] - apart[1]).max() < ROUNDING


def test_a_quarter_turn_goes_to_the_left():
    way = np.diff(turn(walking(), 90.0).world_positions[[0, -1], 0], axis=0)[0]
    assert way[1] > 2.0
    assert abs(way[0]) < ROUNDING


# Looping


def test_a_looped_walk_goes_on_walking():
    clip = walking()
    looped = loop(clip, 4)
    speed = np.linalg.norm(np.diff(looped.world_positions[:, 0, :2], axis=0), axis=-1) * looped.fps
    assert np.abs(speed / speed.mean() - 1.0).max() < SEAM_SPEED
    assert looped.duration == pytest.approx(4 * clip.duration)
    assert rotation.angle_between(looped.rotations[:-1], looped.rotations[1:]).max() < 1.05 * largest_step(clip)


def test_loops_of_a_quarter_bow_close_the_circle():
    looped = loop(walking(3, turn_deg=90.0), 4)
    start, end = looped.world_positions[[0, -1], 0]
    assert np.linalg.norm(end - start) < 0.03 * walking(3).world_positions[-1, 0, 0]  # polygon against circle
    assert rotation.angle_between(looped.world_rotations[0, 0], looped.world_rotations[-1, 0]) < SEAM_POSE


def test_a_clip_that_does_not_end_as_it_starts_is_blended_at_the_seam():
    clip = cut(lively(), 0.0, 1.3)
    looped = loop(clip, 3, blend_s=0.4)
    assert largest_step(looped) < 1.6 * largest_step(clip)
    hard = loop(clip, 3, blend_s=0.0)
    assert largest_step(hard) > 2.0 * largest_step(looped)


def largest_step(clip):
    return rotation.angle_between(clip.rotations[:-1], clip.rotations[1:]).max()


def test_looping_once_is_the_clip_itself():
    assert_same(loop(lively(), 1), lively())


@pytest.mark.parametrize("times, blend_s", [(0, 0.2), (-3, 0.2), (10**9, 0.2), (2, 2.5), (2, -0.1)])
def test_impossible_loops_are_refused_with_the_limits(times, blend_s):
    with pytest.raises(BadInput, match=r"must lie between"):
        loop(lively(), times, blend_s)


def test_the_handle_above_the_hips_stays_while_the_hips_travel_on():
    clip = with_handle(walking())
    looped = loop(clip, 3)
    assert np.ptp(looped.world_positions[:, 0], axis=0).max() == 0.0
    plain = loop(walking(), 3)
    assert np.abs(looped.world_positions[:, 1:] - plain.world_positions).max() < ROUNDING


# Mirroring


@pytest.mark.parametrize("make", [lively, walking, lambda: with_handle(lively()), lambda: turn(lively(), 130.0)])
def test_mirrored_twice_is_the_same_clip(make):
    assert_same(mirror(mirror(make())), make())


def test_a_mirrored_body_is_its_mirror_image():
    clip = turn(lively(), 40.0)
    mirrored = mirror(clip)
    other = list(partners(clip.skeleton))
    left = rotation.rotate(clip.world_rotations[0, 0], [0.0, 1.0, 0.0]) * [1.0, 1.0, 0.0]
    left /= np.linalg.norm(left)
    start = clip.world_positions[0, 0]
    from_start = clip.world_positions[:, other] - start
    expected = start + from_start - 2.0 * (from_start @ left)[..., None] * left
    assert np.abs(mirrored.world_positions - expected).max() < ROUNDING


def test_a_mirrored_clip_starts_at_the_same_place_in_the_same_direction():
    clip = turn(walking(), 25.0)
    mirrored = mirror(clip)
    ways = [c.world_positions[30, 0] - c.world_positions[0, 0] for c in (clip, mirrored)]
    assert np.abs(ways[0] - ways[1]).max() < ROUNDING
    left, right = clip.skeleton.index("LeftLeg"), clip.skeleton.index("RightLeg")
    assert rotation.angle_between(mirrored.rotations[:, right], clip.rotations[:, left]).max() < 1e-7


def test_joints_whose_frames_lie_as_they_like_are_mirrored_too():
    clip = turn(lively(), -70.0)
    crooked = with_crooked_frames(clip)
    assert np.abs(crooked.world_positions - clip.world_positions).max() < ROUNDING
    assert np.abs(mirror(crooked).world_positions - mirror(clip).world_positions).max() < 1e-6
    twice = mirror(mirror(crooked))
    assert np.abs(twice.world_positions - clip.world_positions).max() < 1e-6
    assert rotation.angle_between(twice.world_rotations, crooked.world_rotations).max() < np.radians(0.01)


def with_crooked_frames(clip):
    """The same motion in a skeleton whose joint frames are turned at random, so that its OFFSET pose means nothing."""
    frames = rotation.normalize(np.random.default_rng(5).normal(size=(clip.skeleton.njoints, 4)))
    above = np.concatenate([rotation.IDENTITY[None], frames[list(clip.skeleton.parents[1:])]])
    back = rotation.conjugate(above)
    ends = [(joint, tuple(rotation.rotate(rotation.conjugate(frames[joint]), offset))) for joint, offset in clip.skeleton.ends]
    return clip.with_(
        skeleton=replace(clip.skeleton, offsets=rotation.rotate(back, clip.skeleton.offsets), ends=tuple(ends)),
        rotations=rotation.multiply(back, rotation.multiply(clip.rotations, frames)),
        translations=rotation.rotate(back, clip.translations),
    )


SCHEMES = {
    "words": lambda side, part: f"{side}{part}",
    "spaced": lambda side, part: f"Bip01 {side[0]} {part}",
    "dotted": lambda side, part: f"{part}.{side[0]}",
    "suffix": lambda side, part: f"{part.lower()}_{side[0].lower()}",
    "glued": lambda side, part: f"{side[0].lower()}{part.lower()}",
    "prefix": lambda side, part: f"{side[0].lower()}{part}",
    "end": lambda side, part: f"{part}{side[0]}",
    "namespace": lambda side, part: f"mixamorig:{side}{part}",
    "upper": lambda side, part: f"{side.upper()}_{part.upper()}",
    "inside": lambda side, part: f"J_Bip_{side[0]}_{part}",
    "numbered": lambda side, part: f"b_{side}{part}_{len(side + part) * 7 % 23:02}",
    "kanji": lambda side, part: ("左" if side == "Left" else "右") + part,
}


@pytest.mark.parametrize("scheme", [*SCHEMES, "none"])
def test_sides_are_found_by_names_of_many_schemes_and_by_shape(scheme):
    clip = lively()
    names = []
    for j, name in enumerate(clip.skeleton.names):
        side = next((side for side in ("Left", "Right") if name.startswith(side)), None)
        part = name.removeprefix(side or "")
        names.append(f"joint{j}" if scheme == "none" else SCHEMES[scheme](side, part) if side else part)
    assert partners(renamed(clip, names).skeleton) == partners(clip.skeleton)


def test_a_joint_without_a_counterpart_keeps_its_rotation():
    clip = lively()
    skeleton, sword = clip.skeleton, rotation.exp(np.linspace([0.0, 0.0, 0.0], [1.0, -2.0, 0.5], clip.nframes))[:, None]
    armed = clip.with_(
        skeleton=replace(
            skeleton,
            names=(*skeleton.names, "Sword"),
            parents=(*skeleton.parents, skeleton.index("RightForeArm")),
            offsets=np.concatenate([skeleton.offsets, [[0.0, -0.3, 0.0]]]),
        ),
        rotations=np.concatenate([clip.rotations, sword], axis=1),
        translations=np.concatenate([clip.translations, np.tile([0.0, -0.3, 0.0], (clip.nframes, 1, 1))], axis=1),
    )
    mirrored = mirror(armed)
    assert rotation.angle_between(mirrored.rotations[:, -1], sword[:, 0]).max() < ROUNDING
    assert_same(mirror(mirrored), armed)


def test_a_body_without_sides_cannot_be_mirrored():
    clip = lively()
    chain = clip.with_(
        skeleton=replace(clip.skeleton, names=("a", "b", "c"), parents=(-1, 0, 1), offsets=clip.skeleton.offsets[:3], ends=()),
        rotations=clip.rotations[:, :3],
        translations=clip.translations[:, :3],
    )
    with pytest.raises(BadInput, match="left and a right side"):
        mirror(chain)


# Joining


def test_a_blended_clip_goes_on_where_the_first_ends_and_in_its_direction():
    a, b = turn(walking(), 50.0), turn(walking(3), -120.0)
    joined = blend(a, b, 0.3)
    assert joined.nframes == a.nframes + b.nframes - 1
    path = joined.world_positions[:, 0, :2]
    direction = (path[-1] - path[0]) / np.linalg.norm(path[-1] - path[0])
    assert np.degrees(np.arctan2(direction[1], direction[0])) == pytest.approx(50.0, abs=0.5)
    speed = np.linalg.norm(np.diff(path, axis=0), axis=-1) * joined.fps
    assert np.abs(speed / speed.mean() - 1.0).max() < SEAM_SPEED


def test_a_blend_starts_as_the_first_and_ends_as_the_second():
    a, b = lively(3), lively(8)
    joined = blend(a, b, 0.5)
    assert np.array_equal(joined.rotations[: a.nframes], a.rotations)
    n = b.nframes - round(0.5 * b.fps) - 1
    assert rotation.angle_between(joined.rotations[-n:, 1:], b.rotations[-n:, 1:]).max() < 1e-6
    assert largest_step(joined) < 1.6 * max(largest_step(a), largest_step(b))


def test_a_clip_of_another_rate_is_blended_at_the_first_ones():
    assert blend(walking(fps=60.0), walking(fps=30.0)).fps == 60.0


def test_other_skeletons_are_refused_with_the_joint():
    clip = walking()
    with pytest.raises(BadInput, match="other joints; retarget"):
        blend(clip, renamed(clip, [f"j{k}" for k in range(clip.skeleton.njoints)]))
    longer = clip.skeleton.offsets.copy()
    longer[8, 2] -= 0.05
    with pytest.raises(BadInput, match=r"'LeftLeg' sits 0\.050 m apart"):
        blend(clip, clip.with_(skeleton=replace(clip.skeleton, offsets=longer)))


def test_edits_do_not_change_their_input():
    clip = lively()
    before = clip.rotations.copy(), clip.translations.copy()
    for edited in (cut(clip, 0.2, 1.0), resample(clip, 90.0), turn(clip, 30.0), loop(clip, 2), mirror(clip), blend(clip, clip)):
        assert edited is not clip
    assert np.array_equal(clip.rotations, before[0])
    assert np.array_equal(clip.translations, before[1])


# Real clips


@pytest.mark.parametrize("name", ["cmu/135_07.bvh", "makehuman/walk1.bvh", "bandai_namco_NC/dataset-1_walk_normal_001.bvh"])
def test_real_clips_mirrored_twice_are_the_same(mocap, name):
    clip, _ = tidy(read(mocap / name))
    twice = mirror(mirror(clip))
    assert np.abs(twice.world_positions - clip.world_positions).max() < 1e-6
    assert rotation.angle_between(twice.rotations, clip.rotations).max() < np.radians(0.001)


def test_a_stride_of_a_real_walk_can_be_looped(mocap):
    clip, _ = tidy(read(mocap / "bvh_toolbox/walk01.bvh"))
    ends = range(round(0.8 * clip.fps), round(1.5 * clip.fps))
    start = clip.nframes // 3
    best = min(ends, key=lambda n: rotation.angle_between(clip.rotations[start, 1:], clip.rotations[start + n, 1:]).mean())
    stride = cut(clip, start / clip.fps, (start + best) / clip.fps)
    place, _ = travel(loop(stride, 4))
    speed = np.linalg.norm(np.diff(place[:, :2], axis=0), axis=-1) * clip.fps
    seams = [k * (stride.nframes - 1) for k in (1, 2, 3)]
    assert np.abs(speed[seams] / speed[[seam - 1 for seam in seams]] - 1.0).max() < SEAM_SPEED


def test_standing_can_be_looped_and_mirrored():
    assert mirror(loop(standing(), 2)).duration == pytest.approx(4.0)
