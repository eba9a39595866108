"""Bytes to frames and back: Axis Neuron's two forms, VMC, OSC; and what garbage does, which is nothing."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from poise import rotation
from poise.live import axis_neuron, axis_neuron_binary, axis_neuron_text, osc, vmc_bones
from poise.live.axis_neuron_binary import BinaryReader
from poise.live.axis_neuron_text import TextReader
from poise.live.vmc import VmcReader
from poise.live.vmc_packets import pose_packets
from poise.motion.bvh import read

SINGLE = 1e-5  # of 32-bit floats: a hundredth of a millimetre, a thousandth of a degree
FOUR_DIGITS = 1e-4  # of the text form as we write it


def a_pose(seed=0, njoints=axis_neuron.NBONES):
    rng = np.random.default_rng(seed)
    return rotation.exp(0.5 * rng.normal(size=(njoints, 3))), 10.0 * rng.normal(size=(njoints, 3))


def test_the_bones_are_those_of_the_files_that_axis_neuron_exports(mocap):
    skeleton = read(mocap / "axis_neuron" / "displacement.bvh").skeleton
    assert sorted(skeleton.names) == sorted(axis_neuron.BONES)
    for name, parent in zip(axis_neuron.BONES, axis_neuron.PARENTS, strict=True):
        above = skeleton.parents[skeleton.index(name)]
        assert (parent < 0 and above < 0) or axis_neuron.BONES[parent] == skeleton.names[above]


@pytest.mark.parametrize("displacement", [True, False])
def test_a_frame_written_as_text_reads_back(displacement):
    turns, places = a_pose()
    record = axis_neuron_text.write(0, "Char00", axis_neuron.numbers_of(turns, places, displacement))
    (frame,) = TextReader(joined=False).feed(record)
    assert frame.actor == "0 Char00"
    assert rotation.angle_between(frame.rotations, turns).max() < FOUR_DIGITS
    assert np.abs(frame.positions - places)[frame.placed].max() < FOUR_DIGITS
    assert frame.placed.sum() == (axis_neuron.NBONES if displacement else 1)


@pytest.mark.parametrize("displacement", [True, False])
def test_a_frame_written_as_bytes_reads_back_however_it_is_cut(displacement):
    turns, places = a_pose()
    data = axis_neuron_binary.write(0, "Char00", 7, axis_neuron.numbers_of(turns, places, displacement), displacement)
    for cut in (1, 63, 64, 200, len(data) - 1):
        reader = BinaryReader()
        frames = reader.feed(data[:cut]) + reader.feed(data[cut:] + data)
        assert [frame.index for frame in frames] == [7, 7], f"cut at {cut}"
        assert rotation.angle_between(frames[0].rotations, turns).max() < SINGLE
        assert reader.bad == 0


def test_the_header_is_laid_out_as_the_fact_sheet_says():
    data = axis_neuron_binary.write(3, "Anna", 41, np.zeros(354), True)
    assert len(data) == 1480 and data[:2] == b"\xff\xdd" and data[62:64] == b"\xff\xee" and data[2:6] == b"\0\0\1\1"
    assert struct.unpack_from("<HBBI", data, 6) == (354, 1, 0, 3) and struct.unpack_from("<I", data, 46) == (41,)


def test_the_reference_bone_in_front_is_passed_over():
    numbers = axis_neuron.numbers_of(*a_pose(), True)
    (plain,) = TextReader(False).feed(axis_neuron_text.write(0, "a", numbers))
    (with_reference,) = TextReader(False).feed(axis_neuron_text.write(0, "a", np.concatenate([np.ones(6), numbers])))
    assert np.allclose(plain.rotations, with_reference.rotations)


def test_text_over_tcp_is_put_together_from_pieces_and_a_half_first_record_is_dropped():
    record = axis_neuron_text.write(0, "a", axis_neuron.numbers_of(*a_pose(), True))
    reader = TextReader(joined=True)
    stream = record[500:] + record + record
    frames = [frame for k in range(0, len(stream), 700) for frame in reader.feed(stream[k : k + 700])]
    assert len(frames) == 2 and reader.bad == 1


def test_half_a_datagram_and_its_lost_other_half_cost_one_frame():
    data = axis_neuron_binary.write(0, "a", 1, np.zeros(354), True)
    reader = BinaryReader()
    frames = reader.feed(data[:1024]) + reader.feed(data) + reader.feed(data)
    assert len(frames) == 2 and reader.bad == 1


def test_a_pose_sent_as_vmc_comes_back_as_soon_as_its_last_bone_is_there():
    turns, places = a_pose(njoints=vmc_bones.NBONES)
    packets = pose_packets(vmc_bones.BONES, vmc_bones.to_unity(turns, 0.1 * places), 1.5)
    assert len(packets) > 1 and max(map(len, packets)) < 1500
    reader = VmcReader()
    frames = [frame for packet in packets for frame in reader.feed(packet)]
    (frame,) = frames
    assert rotation.angle_between(frame.rotations, turns).max() < SINGLE and np.allclose(
        frame.positions, 0.1 * places, atol=SINGLE
    )
    assert frame.stamp == 1.5 and frame.known.all()


def test_a_vmc_pose_with_bones_left_out_is_complete_when_the_hips_come_again():
    names, poses = ("Hips", "Spine", "Head"), np.tile([0, 0, 0, 0, 0, 0, 1.0], (3, 1))
    reader = VmcReader()
    assert reader.feed(pose_packets(names, poses, 0.0)[0]) == []  # nothing is known yet about which bones there are
    assert len(reader.feed(pose_packets(names, poses, 0.1)[0])) == 2
    assert len(reader.feed(pose_packets(names, poses, 0.2)[0])) == 1


def test_a_vmc_pose_that_lacks_a_datagram_is_left_out_and_one_that_comes_late_harms_no_other():
    poses = [np.tile([0, 0, 0, 0, 0, 0, 1.0], (vmc_bones.NBONES, 1)) + 0.01 * k * np.eye(1, 7, 1) for k in range(6)]
    sent = [pose_packets(vmc_bones.BONES, pose, 0.1 * k) for k, pose in enumerate(poses)]
    late, sent[2] = sent[2][1], [sent[2][0], *sent[2][2:]]
    reader = VmcReader()
    frames = [frame for k in (0, 1, 2) for packet in sent[k] for frame in reader.feed(packet)]
    frames += reader.feed(late)  # completes the pose of its own time
    assert [round(frame.positions[0, 1], 2) for frame in frames] == [0.0, 0.01, 0.02]
    sent[3].pop(1)
    frames = [frame for k in (3, 4) for packet in sent[k] for frame in reader.feed(packet)]
    frames += reader.feed(late) + [frame for packet in sent[5] for frame in reader.feed(packet)]
    for frame, place in zip(frames, (0.04, 0.05), strict=True):
        body = [k for k, name in enumerate(vmc_bones.BONES) if name.endswith(("Leg", "Foot", "Spine", "Arm", "Head"))]
        assert np.allclose(frame.positions[body, 1], place, atol=SINGLE)  # all of one moment


def test_bones_that_come_no_more_are_not_waited_for():
    names, poses = vmc_bones.BONES, np.tile([0, 0, 0, 0, 0, 0, 1.0], (vmc_bones.NBONES, 1))
    fewer = [k for k, name in enumerate(names) if not name.endswith("Shoulder")]
    reader = VmcReader()
    for packet in pose_packets(names, poses, 0.0):
        reader.feed(packet)
    counts = []
    for step in range(60):
        packets = pose_packets([names[k] for k in fewer], poses[fewer], 0.1 * (1 + step))
        counts.append(sum(len(reader.feed(packet)) for packet in packets))
    assert sum(counts[:20]) == 0 and min(counts[-20:]) == 1


def test_poses_of_a_model_that_is_not_loaded_or_not_calibrated_are_not_used():
    reader = VmcReader()
    reader.feed(pose_packets(("Hips", "Spine"), np.tile([0, 0, 0, 0, 0, 0, 1.0], (2, 1)), 0.0)[0])
    for state in ((0,), (1, 2, 0)):
        reader.feed(osc.encode("/VMC/Ext/OK", *state))
        bones = osc.bundle([osc.encode("/VMC/Ext/Bone/Pos", n, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0) for n in ("Hips", "Spine")])
        assert reader.feed(bones) == []


def test_unity_is_left_handed():
    """A turn to the right about the vertical is positive there and negative here; its left is at -x, ours at +x."""
    half = np.sin(np.pi / 4)
    turn, place = vmc_bones.from_unity(np.array([1.0, 2.0, 3.0, 0.0, half, 0.0, half]))
    assert np.allclose(turn, rotation.from_axis_angle([0.0, 1.0, 0.0], -np.pi / 2)) and place.tolist() == [-1.0, 2.0, 3.0]


def test_osc_passes_over_what_it_does_not_know():
    known = osc.encode("/a", 1, 2.5, "drei")
    blob = b"/b\0\0,b\0\0\0\0\0\4abcd"
    nested = osc.bundle([blob, osc.bundle([known]), b"junk"])
    assert [message for message in osc.messages(nested) if message[0] == "/a"] == [("/a", (1, 2.5, "drei"))]


@pytest.mark.parametrize("make", [BinaryReader, lambda: TextReader(True), lambda: TextReader(False), VmcReader])
def test_garbage_is_counted_and_never_raises_or_piles_up(make):
    noise, good = random.Random(1), axis_neuron_binary.write(0, "a", 1, np.zeros(354), True)
    reader = make()
    for k in range(400):
        data = bytearray(good if k % 3 else b"#bundle\0" + noise.randbytes(200))
        for _ in range(noise.randrange(1, 20)):
            data[noise.randrange(len(data))] = noise.randrange(256)
        reader.feed(bytes(data[: noise.randrange(len(data))]))
        reader.feed(noise.randbytes(noise.randrange(300)))
    assert reader.bad > 0
    assert len(getattr(reader, "_rest", b"")) <= 64 * 1024


@pytest.mark.parametrize("word", ["nan", "inf", "1e30"])
def test_numbers_that_no_body_has_make_no_frame(word):
    record = axis_neuron_text.write(0, "a", np.zeros(354)).replace(b"0.0000", word.encode(), 1)
    reader = TextReader(False)
    assert reader.feed(record) == [] and reader.bad == 1
