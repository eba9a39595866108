"""Features of an actor for a character: causal, without drift, with clean contacts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from poise import rotation
from poise.character.character import Character
from poise.character.from_skeleton import character_from_clip
from poise.character.style import style_of
from poise.character.toml import load_character
from poise.errors import BadCharacter, BadInput
from poise.motion.edit import loop, turn
from poise.motion.load import load_tidied
from poise.reference.actor import Performance, performance_of
from poise.reference.clip_features import ClipFeatures
from poise.reference.feature_tracker import FeatureTracker
from poise.reference.features import ActorFrame, Features, effector_limbs

STEP = 0.004  # s
NOISE = 0.003  # m, of a suit of sensors
SAME_PLACE = 0.02  # m: what smoothing over 17 ms and contacts that hold still may change in a walk
SAME_TURN = np.radians(4.0)
EXACT = 1e-12


@cache
def clip_of(name):
    return load_tidied(name)[0]


@cache
def character_of(name) -> Character:
    return load_character(name)


class Followed:
    """The features of a whole performance, one row per step."""

    def __init__(self, performance, character, style=None, duration=None):
        performance = performance if isinstance(performance, Performance) else performance_of(performance)
        source = ClipFeatures(performance, character, style_of(character, style))
        length = duration or performance.times[-1]
        self.times = np.arange(round(length / STEP)) * STEP
        self.delay, self.source = source.delay, source
        features, rows, contacts = Features(character), [], []
        for t in self.times:
            source.sample(float(t), features)
            rows.append(features.row.copy())
            contacts.append(features.contact.copy())
        self.contact = np.array(contacts)
        e = len(effector_limbs(character))
        table = np.array(rows)
        self.root, self.root_turn, self.root_velocity = table[:, :3], table[:, 3:7], table[:, 7:10]
        self.position = table[:, 13 : 13 + 3 * e].reshape(-1, e, 3)
        self.rotation = table[:, 13 + 3 * e : 13 + 7 * e].reshape(-1, e, 4)
        self.table = table


@cache
def walk_of(name):
    return Followed(clip_of("walk"), character_of(name))


def with_noise(performance, seed=1):
    noise = np.random.default_rng(seed).normal(0.0, NOISE, performance.position.shape)
    return replace(performance, position=performance.position + noise)


def switches(contact):
    return int(np.abs(np.diff(contact.astype(int), axis=0)).sum())


def fixed_points(followed, character, foot):
    """The front edge of a sole in the world (N, 3): what stays where it is while the foot stands, heel lifted or not."""
    edge = followed.source.tracker.edge(foot)
    return followed.position[:, foot] + rotation.rotate(followed.rotation[:, foot], edge)


def test_retargeting_a_human_to_itself_is_nearly_the_identity():
    clip = clip_of("walk")
    character = character_from_clip(clip)
    followed, performance = Followed(clip, character), performance_of(clip)
    frames = np.round(followed.times * clip.fps).astype(int)
    on_frames = np.abs(frames / clip.fps - followed.times) < 0.25 * STEP
    frames = frames[on_frames]
    roles = [performance.actor.index(limb.effector) for limb in effector_limbs(character)]
    root = performance.position[frames, performance.actor.index("pelvis")]
    assert np.abs(followed.root[on_frames] - root).max() < SAME_PLACE
    for k, role in list(enumerate(roles))[2:]:  # arms and head; feet are cleaned
        away = followed.position[on_frames, k] - performance.position[frames, role]
        assert np.linalg.norm(away, axis=-1).max() < SAME_PLACE
        turned = rotation.angle_between(followed.rotation[on_frames, k], performance.rotation[frames, role])
        assert turned.max() < SAME_TURN
    feet = np.linalg.norm(followed.position[on_frames][:, :2] - performance.position[frames][:, roles[:2]], axis=-1)
    assert np.percentile(feet, 90) < 3 * SAME_PLACE


@pytest.mark.parametrize("name", ["human", "raptor", "alien"])
def test_feet_in_contact_do_not_move_at_all(name):
    followed = walk_of(name)
    for foot in range(2):
        stays = followed.contact[1:, foot] & followed.contact[:-1, foot]
        assert stays.sum() > 100
        step = np.diff(fixed_points(followed, character_of(name), foot), axis=0)[stays]
        assert np.abs(step).max() < EXACT


@pytest.mark.parametrize("name", ["human", "raptor", "alien"])
def test_a_walk_always_has_a_foot_on_the_ground_and_feet_take_turns(name):
    contact = walk_of(name).contact[:, :2]
    assert contact.any(axis=1).mean() > 0.98
    assert not contact.all(axis=1).all()


@pytest.mark.parametrize("name", ["human", "raptor", "alien"])
def test_nothing_pops(name):
    followed = walk_of(name)
    speed = np.linalg.norm(np.diff(followed.position, axis=0), axis=-1) / STEP
    assert speed.max() < 8.0  # a foot in a walk swings at 4 to 5 m/s
    assert np.linalg.norm(np.diff(followed.root, axis=0), axis=-1).max() / STEP < 2.5


def test_twenty_walks_in_a_row_do_not_drift():
    clip = loop(clip_of("walk"), 20)
    raptor = character_of("raptor")
    followed = Followed(clip, raptor)
    performance = performance_of(clip)
    frames = np.round(followed.times * clip.fps).astype(int)
    scale = followed.source.tracker.scale
    place = scale * performance.position[frames, performance.actor.index("pelvis"), :2]
    off = np.linalg.norm(followed.root[:, :2] - place, axis=-1)
    cycle = len(off) // 20
    assert off.max() < 0.1
    assert off[-cycle:].max() < off[cycle : 2 * cycle].max() + 0.005


def test_turning_the_actor_turns_the_features():
    raptor, degrees = character_of("raptor"), 70.0
    performance = performance_of(clip_of("walk"))
    about = rotation.about_z(np.radians(degrees))
    turned = replace(
        performance,
        position=rotation.rotate(about, performance.position),
        rotation=rotation.multiply(about, performance.rotation),
    )
    straight, other = Followed(performance, raptor, duration=2.0), Followed(turned, raptor, duration=2.0)
    assert np.allclose(rotation.rotate(about, straight.root), other.root, atol=1e-6)
    assert np.allclose(rotation.rotate(about, straight.position), other.position, atol=1e-6)
    assert np.array_equal(straight.contact, other.contact)


def test_the_same_walk_turned_in_its_file_gives_the_same_contacts():
    clip = turn(clip_of("walk"), 120.0)
    assert switches(Followed(clip, character_of("raptor")).contact) == switches(walk_of("raptor").contact)


@pytest.mark.parametrize("name", ["human", "raptor"])
def test_noise_of_a_suit_does_not_make_contacts_chatter(name):
    performance = performance_of(clip_of("walk"))
    noisy = Followed(with_noise(performance), character_of(name))
    assert switches(noisy.contact) <= switches(walk_of(name).contact) + 2
    still = performance_of(clip_of("stand"))
    assert switches(Followed(with_noise(still), character_of(name), duration=3.0).contact) == 0


def test_noise_is_smaller_in_the_features_than_in_the_actor():
    still = with_noise(performance_of(clip_of("stand")))
    followed = Followed(still, character_of("human"), duration=3.0)
    calm = Followed(performance_of(clip_of("stand")), character_of("human"), duration=3.0)
    assert np.std(followed.root - calm.root) < 0.5 * NOISE


def test_features_are_behind_the_actor_by_the_delay_that_is_stated():
    human, speed = character_of("human"), 1.0
    performance = performance_of(clip_of("stand"))
    times = np.arange(200) / 100.0
    still = np.repeat(performance.position[:1], len(times), axis=0)
    moving = replace(
        performance,
        times=times,
        position=still + speed * times[:, None, None] * [1.0, 0.0, 0.0],
        rotation=np.repeat(performance.rotation[:1], len(times), axis=0),
    )
    tracker = FeatureTracker(performance.actor, human, rate=100.0)
    features, k = Features(human), 0
    for t in np.arange(0.0, 1.9, STEP):
        while times[k] <= t:
            tracker.push(moving.frame(k))
            k += 1
        tracker.sample(float(t), features)
    lag = (moving.position[0, 0, 0] + speed * t - features.root_position[0] / tracker.scale) / speed
    assert lag == pytest.approx(tracker.delay, abs=STEP)
    assert tracker.delay < 0.05
    assert features.root_velocity[0] == pytest.approx(speed, rel=1e-3)


def test_a_sensor_that_flips_for_a_moment_does_not_turn_a_foot_over():
    raptor = character_of("raptor")
    performance = performance_of(clip_of("walk"))
    turns, foot = performance.rotation.copy(), performance.actor.index("left_foot")
    flipped = slice(80, 86)
    turns[flipped, foot] = rotation.multiply(turns[flipped, foot], rotation.from_axis_angle([1.0, 0.0, 0.0], np.array(3.0)))
    followed = Followed(replace(performance, rotation=turns), raptor)
    assert np.array_equal(followed.contact, walk_of("raptor").contact)
    away = rotation.angle_between(followed.rotation[:, 0], walk_of("raptor").rotation[:, 0])
    assert np.degrees(away.max()) < 60.0  # it waits, and then catches up
    assert np.degrees(away[followed.times > performance.times[86] + 0.3].max()) < 1.0


def test_a_joint_that_teleports_for_a_moment_is_not_believed():
    raptor = character_of("raptor")
    performance = performance_of(clip_of("walk"))
    position = performance.position.copy()
    position[80:84, performance.actor.index("pelvis")] += [3.0, 0.0, 0.0]
    followed = Followed(replace(performance, position=position), raptor)
    assert np.linalg.norm(followed.root - walk_of("raptor").root, axis=-1).max() < 0.2


def test_an_actor_that_runs_out_of_frames_goes_on_for_a_moment():
    clip, human = clip_of("walk"), character_of("human")
    source, features = ClipFeatures(clip, human), Features(human)
    speeds = []
    for t in np.arange(0.0, clip.duration, STEP):
        source.sample(float(t), features)
        speeds.append(np.linalg.norm(features.root_velocity[:2]))
    assert min(speeds[-20:]) > 0.8 * np.median(speeds)
    for t in np.arange(clip.duration, clip.duration + 2.0, STEP):
        source.sample(float(t), features)
    assert np.linalg.norm(features.root_velocity) < 0.05


def test_a_clip_that_freezes_in_the_middle_of_a_run_does_not_stop_the_character_dead():
    clip, raptor = clip_of("walk"), character_of("raptor")
    performance = performance_of(clip)
    frozen = performance.times > 2.0
    at = int(np.argmax(frozen)) - 1
    position, turns = performance.position.copy(), performance.rotation.copy()
    position[frozen], turns[frozen] = position[at], turns[at]
    followed = Followed(replace(performance, position=position, rotation=turns), raptor, duration=3.0)
    braking = np.diff(np.linalg.norm(followed.root_velocity[:, :2], axis=-1)) / STEP
    assert np.abs(braking[followed.times[1:] > 1.9]).max() < 12.0  # m/s2; stopped within a frame it would be 50


def test_no_feature_depends_on_a_later_frame():
    raptor, cut = character_of("raptor"), 1.0
    performance = performance_of(clip_of("walk"))
    kept = performance.times <= cut
    changed = performance.position.copy()
    changed[~kept] += np.random.default_rng(0).normal(0.0, 0.3, changed[~kept].shape)
    other = Followed(replace(performance, position=changed), raptor, duration=cut)
    same = walk_of("raptor").times[: len(other.times)] + other.delay <= cut
    assert np.array_equal(other.table[same], walk_of("raptor").table[: len(other.times)][same])


def test_the_actor_at_rest_comes_from_the_first_frame_and_the_skeleton_alone():
    clip = clip_of("walk")
    short = clip.with_(rotations=clip.rotations[:5], translations=clip.translations[:5])
    assert np.array_equal(performance_of(short).actor.rest, performance_of(clip).actor.rest)
    assert np.array_equal(performance_of(short).rotation, performance_of(clip).rotation[:5])


@pytest.mark.parametrize("name", ["human", "raptor", "alien"])
def test_what_stands_can_be_reached(name):
    followed, character = walk_of(name), character_of(name)
    plan = followed.source.tracker._plan
    for k in range(2):
        hip = followed.root + rotation.rotate(followed.root_turn, plan.base[k] - plan.root)
        far = np.linalg.norm(hip - followed.position[:, k], axis=-1) / plan.length[1 + k]
        assert np.percentile(far, 99) < 1.0, character.name


def test_a_style_with_a_hung_head_lowers_and_turns_the_head():
    raptor = character_of("raptor")
    neck = [limb.name for limb in effector_limbs(raptor)].index("neck")
    plain, sad = walk_of("raptor"), Followed(clip_of("walk"), raptor, "sad", duration=1.0)
    n = len(sad.times)
    assert np.mean(plain.position[:n, neck, 2] - sad.position[:, neck, 2]) > 0.2
    assert np.degrees(rotation.angle_between(plain.rotation[:n, neck], sad.rotation[:, neck])).mean() > 30.0
    assert np.array_equal(plain.contact[:n], sad.contact)


def test_a_stream_that_stops_leaves_the_features_still():
    human = character_of("human")
    performance = performance_of(clip_of("walk"))
    tracker, features = FeatureTracker(performance.actor, human, rate=60.0), Features(human)
    for k in range(40):
        tracker.push(performance.frame(k))
        tracker.sample(float(performance.times[k]), features)
    for t in np.arange(0.0, 2.0, 0.01):
        tracker.sample(float(performance.times[39] + t), features)
    assert np.isfinite(features.row).all()
    assert np.abs(features.root_velocity).max() < 0.03  # heights of standing feet are still being learnt


def test_bad_frames_and_late_frames_are_left_out():
    human = character_of("human")
    performance = performance_of(clip_of("stand"))
    tracker, features = FeatureTracker(performance.actor, human), Features(human)
    with pytest.raises(BadInput, match="no frame of the actor"):
        tracker.sample(0.0, features)
    tracker.push(performance.frame(1))
    tracker.push(performance.frame(0))
    tracker.push(ActorFrame(5.0, np.full_like(performance.position[0], np.nan), performance.rotation[0]))
    assert tracker._frames.filled[0] == 1
    tracker.sample(0.0, features)
    assert np.isfinite(features.row).all()


def test_an_actor_without_arms_leaves_the_arms_at_rest():
    human = character_of("human")
    performance = performance_of(clip_of("walk"))
    kept = [k for k, role in enumerate(performance.actor.roles) if "arm" not in role and "hand" not in role]
    actor = replace(performance.actor, roles=tuple(performance.actor.roles[k] for k in kept), rest=performance.actor.rest[kept])
    armless = replace(performance, actor=actor, position=performance.position[:, kept], rotation=performance.rotation[:, kept])
    assert np.isfinite(Followed(armless, human, duration=0.5).table).all()


def test_a_character_without_support_limbs_is_refused():
    human = character_of("human")
    arms = tuple(limb for limb in human.limbs if limb.kind == "targeted")
    with pytest.raises(BadCharacter, match="no support limb"):
        FeatureTracker(performance_of(clip_of("stand")).actor, replace(human, limbs=arms))
