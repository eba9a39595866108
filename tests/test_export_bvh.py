"""A take exported as BVH has the source's skeleton; only what was simulated has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.errors import BadInput
from poise.export import bvh
from poise.export.source_motion import source_clip
from poise.motion.bvh import read
from poise.motion.clip import Placement
from poise.motion.tidy import tidy, untidy

EXACT = 1e-12  # nothing but rounding: no file in between
FILE = 1e-6  # metres and quaternion components after eight decimals of degrees and of file units
MOST_FRAMES = 700  # longer clips say nothing new here
FAITHFUL = 1e-9  # metres; samples fall on frames, so interpolation adds nothing
Y_UP_INCHES = Placement(
    scale=0.0254, turn=tuple(rotation.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)), shift=(0.3, 0.1, 0.05)
)


def angles(one, other):
    return rotation.angle_between(one, other).max()


def test_perfect_tracking_gives_the_captured_clip_back():
    take = handmade.take(lean_deg=0.0)
    back = source_clip(take)
    assert back.nframes == take.clip.nframes
    assert np.abs(back.translations - take.clip.translations).max() < EXACT
    assert np.abs(back.rotations - take.clip.rotations).max() < EXACT


def test_every_joint_turns_with_its_segment():
    take = handmade.take(lean_deg=30.0, rate=60.0)
    back, owners = source_clip(take), np.array(take.info["joint_segment"])
    simulated = owners >= 0
    away = rotation.multiply(take.rotation, rotation.conjugate(take.ref_rotation))[::2][:, owners[simulated]]
    wanted = rotation.multiply(away, take.clip.world_rotations[:, simulated])
    assert angles(back.world_rotations[:, simulated], wanted) < 1e-7  # radians; arccos loses half the digits near 0


def test_joints_of_the_character_land_where_they_were_simulated():
    take = handmade.take(lean_deg=30.0, rate=60.0)
    back = source_clip(take)
    for name in ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "Chest", "RightForeArm"):
        joint = back.skeleton.index(name)
        segment = take.info["joint_segment"][joint]
        assert np.abs(back.world_positions[:, joint] - take.position[::2, segment]).max() < FAITHFUL


def test_joints_that_were_not_simulated_keep_their_captured_rotation():
    take = handmade.take(lean_deg=30.0)
    back = source_clip(take)
    for name in ("World", "LeftToe", "LeftHand", "Head"):
        joint = back.skeleton.index(name)
        assert np.array_equal(back.rotations[:, joint], take.clip.rotations[:, joint])


def test_only_the_travelling_joint_is_moved():
    take = handmade.take(lean_deg=30.0)
    back = source_clip(take)
    moved = np.abs(back.translations - take.clip.translations).max(axis=(0, 2)) > 0
    assert [name for name, m in zip(back.skeleton.names, moved, strict=True) if m] == ["Hips"]


def test_a_segment_that_hangs_under_the_extra_root_follows_its_simulated_place():
    take = handmade.take(lean_deg=30.0, rate=60.0)
    clip = take.clip
    names = clip.skeleton.names
    foot = names.index("RightFoot")
    # The foot hangs under the extra root instead of the shin, as handles of game rigs do.
    loose = replace(clip.skeleton, parents=tuple(0 if j == foot else p for j, p in enumerate(clip.skeleton.parents)))
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, foot], translations[:, foot] = clip.world_rotations[:, foot], clip.world_positions[:, foot]
    take = handmade.take(
        lean_deg=30.0, rate=60.0, clip=clip.with_(skeleton=loose, rotations=rotations, translations=translations)
    )
    segment = take.info["joint_segment"][foot]
    assert np.abs(source_clip(take).world_positions[:, foot] - take.position[::2, segment]).max() < FAITHFUL


def test_a_take_that_ends_early_has_the_frames_it_reached():
    take = handmade.take(clip=handmade.source_clip(seconds=4.0), seconds=1.0)
    assert source_clip(take).nframes == 31


def test_a_take_that_lasts_longer_holds_the_last_captured_frame():
    clip = handmade.source_clip(seconds=1.0)
    take = handmade.take(clip=clip, seconds=2.0, lean_deg=0.0)
    back = source_clip(take)
    assert back.nframes == 61
    assert np.abs(back.world_positions[40:] - clip.world_positions[-1]).max() < FAITHFUL


@pytest.mark.parametrize("last", [1.99, 1.996, 2.0, 2.004, 2.01])
def test_a_take_that_ends_a_sample_off_the_clips_end_has_exactly_its_frames(last):
    clip = handmade.source_clip(seconds=2.0, fps=120.0)
    take = handmade.take(clip=clip, rate=125.0)
    assert source_clip(handmade.take(clip=clip, rate=125.0, times=take.times * last / 2.0)).nframes == clip.nframes


def test_the_file_has_the_hierarchy_names_units_and_rate_of_the_source(tmp_path):
    clip = handmade.source_clip().with_(placement=Y_UP_INCHES)
    take = handmade.take(clip=clip, lean_deg=0.0)
    bvh.write(take, tmp_path / "out.bvh")
    file = read(tmp_path / "out.bvh")
    assert file.skeleton.names == clip.skeleton.names
    assert file.skeleton.parents == clip.skeleton.parents
    assert file.fps == pytest.approx(clip.fps)
    # p_clip = scale * turn(p_file) + shift
    placed = 0.0254 * rotation.rotate(np.array(Y_UP_INCHES.turn), file.world_positions) + Y_UP_INCHES.shift
    assert np.abs(placed - clip.world_positions).max() < FILE


def test_frames_cut_off_the_front_are_written_back(tmp_path):
    whole = handmade.source_clip()
    pose = whole.with_(rotations=whole.rotations[:1], translations=whole.translations[:1])
    clip = whole.with_(rotations=whole.rotations[1:], translations=whole.translations[1:], lead_in=pose)
    bvh.write(handmade.take(clip=clip, seconds=clip.duration, lean_deg=0.0, rate=60.0), tmp_path / "out.bvh")
    file = read(tmp_path / "out.bvh")
    assert file.nframes == whole.nframes
    assert np.abs(file.world_positions - whole.world_positions).max() < FILE


def test_without_a_clip_the_characters_own_skeleton_is_written_in_centimetres_y_up(tmp_path):
    take = replace(handmade.take(rate=60.0), clip=None)
    bvh.write(take, tmp_path / "out.bvh")
    file = read(tmp_path / "out.bvh")
    assert sorted(file.skeleton.names) == sorted(take.character.names)
    order = [file.skeleton.index(name) for name in take.character.names]
    ours = 0.01 * file.world_positions[:, order][..., [2, 0, 1]]
    assert np.abs(ours - take.position).max() < FILE


def test_real_clips_that_were_tracked_perfectly_come_back_as_their_files(mocap, tmp_path):
    """In every dialect: units, axes, offsets, channels, and the pose in front."""
    for path in sorted(mocap.rglob("*.bvh")):
        source = read(path)
        if source.nframes < 2 or source.nframes > MOST_FRAMES:
            continue
        clip, _ = tidy(source)
        bvh.write(tracked_perfectly(clip), tmp_path / "out.bvh")
        back = read(tmp_path / "out.bvh")
        size = np.ptp(source.world_positions[-1], axis=0).max()
        # Not the source's own motion: tidying may have mended it.
        front = source.world_positions[: source.nframes - clip.nframes]
        wanted = np.concatenate([front, untidy(clip).world_positions])
        assert back.skeleton.names == source.skeleton.names, path.name
        assert back.nframes == source.nframes, path.name
        assert np.abs(back.world_positions - wanted).max() < FILE * size, path.name


def tracked_perfectly(clip):
    """A take whose one segment, which all joints belong to, never leaves its reference."""
    n = clip.nframes
    still = {"position": np.zeros((n, 14, 3)), "rotation": np.tile(rotation.IDENTITY, (n, 14, 1))}
    same = {f"ref_{name}": values for name, values in still.items()}
    owners = {"joint_segment": [0] * clip.skeleton.njoints}
    return replace(handmade.take(), times=clip.times, clip=clip, **still, **same, info=owners)


def test_a_take_whose_joints_belong_to_nothing_is_refused():
    with pytest.raises(BadInput, match="joint_segment"):
        source_clip(handmade.take(info={}))


def test_the_same_take_gives_the_same_bytes(tmp_path):
    for name in ("one.bvh", "two.bvh"):
        bvh.write(handmade.take(), tmp_path / name)
    assert (tmp_path / "one.bvh").read_bytes() == (tmp_path / "two.bvh").read_bytes()
