"""The actor leads, the character follows: over good and bad networks, with every controller, in and out."""

from __future__ import annotations

import socket
import time
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from live_network import Network, perform, replayed
from poise import rotation
from poise.character.toml import load_character
from poise.cli import main
from poise.errors import BadInput
from poise.live.axis_neuron_binary import START
from poise.live.humanoid import Humanoid
from poise.live.intake import Intake, Packet
from poise.live.notices import Notices
from poise.live.protocols import axis_neuron_protocol
from poise.live.replay import ReplayedPackets, axis_neuron_motion, binary_frames
from poise.live.sender import TcpSender, UdpSender, send
from poise.live.sockets import TcpSocket, UdpSocket
from poise.live.vmc import VmcReader
from poise.live.vmc_out import VmcOut
from poise.measure import summary
from poise.motion.bvh_writer import write
from poise.motion.load import load
from poise.scenario.events import Heading, Push

FOLLOWS = 6.0  # degrees: the mean joint error of a live run; an offline one of the same clips has 2 to 3


@pytest.mark.parametrize("form", ["binary", "text", "vmc"])
def test_a_clip_that_is_replayed_live_is_followed_on_both_feet(form):
    take, lines = perform(replayed("punch", form, seconds=4.0), seconds=2.0, form=form)
    assert summary(take)["completed"] and lines == []
    assert summary(take)["joint_error_deg"]["mean"] < FOLLOWS


@pytest.mark.parametrize("controller", ["pose", "balance", "feedforward", "limbs", "simbicon"])
def test_every_controller_can_be_driven_live(controller):
    take, _ = perform(replayed("reach"), seconds=2.0, controller=controller)
    assert summary(take)["fell_at_s"] is None
    # simbicon has steps of its own, limbs poses of its own: hands and feet are asked for, elbows and knees are not
    assert summary(take)["joint_error_deg"]["mean"] < {"limbs": 10.0, "simbicon": 90.0}.get(controller, FOLLOWS)
    assert rotation.angle_between(take.rotation[0], take.rotation[-1]).max() > 0.3  # rad: it does move


@pytest.mark.parametrize("controller", ["pose", "balance", "feedforward", "limbs"])
def test_every_controller_heeds_the_events_of_a_scenario_live(controller):
    """A push moves the body by its impulse, less what the controller does about it; a heading turns the actor."""
    events = [Push("chest", (120.0, 0.0, 0.0), at=0.5, duration=0.2), Heading(40.0, at=0.5, over=1.5)]
    take, _ = perform(replayed("walk_in_place"), seconds=2.5, events=events, controller=controller)
    calm, _ = perform(replayed("walk_in_place"), seconds=2.5, events=events[1:], controller=controller)
    assert summary(take)["fell_at_s"] is None and take.events[0]["type"] == "push"
    pushed = (take.times > 0.5) & (take.times < 0.9)
    assert (take.com - calm.com)[pushed, 0].max() > 0.004  # m
    turned = np.degrees(rotation.heading(take.ref_rotation[-1, 0]) - rotation.heading(take.ref_rotation[0, 0]))
    assert abs((turned + 180.0) % 360.0 - 180.0 + 40.0) < 15.0  # a heading is to the right; the hips sway while they march


def lost(_seconds, packet, noise):
    return [] if noise.random() < 0.1 else [(0.0, packet)]


def late(_seconds, packet, noise):
    return [(noise.expovariate(1 / 0.02) if noise.random() < 0.1 else 0.0, packet)]


def repeated(_seconds, packet, noise):
    return [(0.0, packet), (0.003, packet)] if noise.random() < 0.2 else [(0.0, packet)]


def half(_seconds, packet, noise):
    return [(0.0, replace(packet, data=packet.data[: len(packet.data) // 2]) if noise.random() < 0.1 else packet)]


def garbage(_seconds, packet, noise):
    return [(0.0, packet), (0.001, replace(packet, data=noise.randbytes(noise.randrange(400))))]


def out_of_order(_seconds, packet, noise):
    return [(0.02 if noise.random() < 0.1 else 0.0, packet)]


def other_actor(_seconds, packet, _noise):
    return [(0.0, packet), (0.0, replace(packet, data=packet.data[:10] + b"\1\0\0\0" + packet.data[14:]))]


TOLD = {
    lost: "missing", late: "late", repeated: "more than once", half: "half", garbage: "no frame", out_of_order: "out of order",
    other_actor: "second actor",
}  # fmt: skip


@pytest.mark.parametrize("trouble", TOLD, ids=lambda trouble: trouble.__name__)
def test_the_character_keeps_its_feet_on_a_bad_network_and_one_line_says_what_happened(trouble):
    take, lines = perform(replayed("punch", seconds=4.0), seconds=2.0, trouble=trouble)
    assert summary(take)["completed"]
    assert sum(TOLD[trouble] in line for line in lines) == 1


def test_a_sender_that_stops_for_five_seconds_leaves_the_character_standing():
    def stops(seconds, packet, _noise):
        return [] if 1.5 < seconds < 6.5 else [(0.0, packet)]

    take, lines = perform(replayed("punch", seconds=9.0), seconds=7.0, trouble=stops)
    assert summary(take)["completed"]
    still = (take.times > 3.5) & (take.times < 5.0)
    assert np.abs(take.velocity[still]).max() < 0.3 and take.stance[still].all()
    assert len(lines) == 2 and "nothing heard" in lines[0] and "back after 5.0 s" in lines[1]


def test_a_sender_that_begins_anew_elsewhere_is_followed_from_where_the_character_is():
    first, again = replayed("walk_in_place"), replayed("walk_in_place", sender="actor")

    class Restarting:
        began = None

        def poll(self, now):
            self.began = now if self.began is None else self.began
            if now - self.began < 1.8:
                return first.poll(now)
            return again.poll(now) if now - self.began > 2.3 else []

    take, lines = perform(Restarting(), seconds=3.0)
    assert summary(take)["completed"] and any("began anew" in line for line in lines)
    assert np.linalg.norm(np.diff(take.ref_com[:, :2], axis=0), axis=1).max() < 0.02  # m within 4 ms: nothing jumps


def test_of_two_senders_the_first_is_followed_until_it_is_silent():
    first, other = replayed("punch"), replayed("punch", sender="other")

    class Both:
        began = None

        def poll(self, now):
            self.began = now if self.began is None else self.began
            return (first.poll(now) if now - self.began < 2.0 else []) + (other.poll(now) if now - self.began > 1.0 else [])

    take, lines = perform(Both(), seconds=3.0)
    assert summary(take)["fell_at_s"] is None
    assert any("second sender, other, is ignored" in line for line in lines)
    assert any("now following other" in line for line in lines)


def test_another_rate_is_followed():
    fast, slow = replayed("weight_shift"), replayed("weight_shift", fps=40.0)

    class Changing:
        began, sent = None, 0

        def poll(self, now):
            self.began = now if self.began is None else self.began
            early, later = fast.poll(now), slow.poll(now)
            packets = early if now - self.began < 2.0 else later
            for packet in packets:
                self.sent += 1
                yield replace(packet, data=packet.data[:46] + self.sent.to_bytes(4, "little") + packet.data[50:])

    take, lines = perform(Changing(), seconds=4.0)
    assert summary(take)["completed"] and any("from 120 to 40 frames/s" in line for line in lines)


def test_a_flood_of_datagrams_takes_no_memory():
    class Flood:
        def poll(self, now):
            return [Packet(now, f"stranger:{k}", START + bytes(60_000)) for k in range(20)]

    intake = Intake(Network(Flood()), axis_neuron_protocol(False).new_reader, Notices(lambda line: None))
    intake.take(0.0)
    tracemalloc.start()
    for k in range(100):
        assert intake.take(0.01 * k) == []
    assert tracemalloc.get_traced_memory()[0] < 1 << 20
    tracemalloc.stop()


def test_udp_sockets_keep_the_newest_of_a_flood_and_listen_on_this_machine_alone():
    listener = UdpSocket("127.0.0.1", 0)
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for k in range(2000):
        out.sendto(k.to_bytes(4, "little"), ("127.0.0.1", listener.port))
    packets = listener.poll(time.perf_counter())
    assert 0 < len(packets) <= 256
    assert [p.data for p in packets] == sorted((p.data for p in packets), key=lambda d: int.from_bytes(d, "little"))
    listener.close()
    out.close()


@pytest.mark.parametrize("way", ["udp", "tcp"])
def test_frames_come_over_real_sockets(way):
    motion = axis_neuron_motion("punch", 240.0)
    if way == "udp":
        receiver = UdpSocket("127.0.0.1", 0)
        sender = UdpSender("127.0.0.1", receiver.port)
    else:
        sender = TcpSender("127.0.0.1", 0)
        receiver = TcpSocket("127.0.0.1", sender.port)
        receiver.poll(time.perf_counter())  # connects
    intake = Intake(receiver, axis_neuron_protocol(joined=way == "tcp").new_reader, Notices(lambda line: None))
    send(sender, binary_frames(motion), 24, motion.fps)
    time.sleep(0.02)
    frames = intake.take(time.perf_counter())
    assert [timed.frame.index for timed in frames] == list(range(24))
    sender.close()
    receiver.close()


def test_the_simulated_character_goes_out_as_vmc_at_a_steady_rate():
    listener = UdpSocket("127.0.0.1", 0)
    reader, seen = VmcReader(), []

    class Sending:
        out = None

        def after(self, stepper):
            self.out = self.out or VmcOut(stepper, "127.0.0.1", listener.port, rate=100.0)
            self.out.after(stepper)
            for packet in listener.poll(0.0):
                seen.extend((frame.stamp, frame.positions[0]) for frame in reader.feed(packet.data))

    sending = Sending()
    take, _ = perform(replayed("punch"), seconds=1.0, afters=[sending])
    stamps = np.array([stamp for stamp, _ in seen])
    assert len(seen) > 90 and np.abs(np.diff(stamps) - 0.01).max() < 0.0021  # one step of 2 ms
    _, hips = seen[-1]
    assert abs(hips[1] - take.position[-1, 0, 2]) < 0.05  # Y is up there
    sending.out.close()
    listener.close()


def test_a_character_in_its_rest_pose_lets_an_avatar_s_arms_hang():
    human = load_character("human")
    humanoid = Humanoid(human)
    poses = humanoid.poses(human.joints, np.tile(rotation.IDENTITY, (human.nsegments, 1)))
    turn = dict(zip(humanoid.names, poses[:, 3:], strict=True))
    assert np.allclose(turn["Hips"], [0, 0, 0, 1]) and np.allclose(turn["LeftLowerArm"], [0, 0, 0, 1])
    half = np.sin(np.pi / 4)  # about Unity's z, forward, which for a left-handed frame turns the left arm at -x down
    assert np.allclose(np.abs(turn["LeftUpperArm"]), [0, 0, half, half])
    assert turn["LeftUpperArm"][2] * turn["RightUpperArm"][2] < 0.0


def test_replayed_packets_arrive_when_they_are_due_however_late_anybody_looks_and_endless_ones_begin_anew():
    packets = ReplayedPackets(lambda k: [bytes([k])], 10, 100.0, endless=True)
    packets.poll(5.0)
    assert [round(p.arrival - 5.0, 3) for p in packets.poll(5.045)] == [0.01, 0.02, 0.03, 0.04]
    packets.poll(5.2)
    assert [p.data[0] for p in packets.poll(5.2)] == list(range(10)) and not packets.over


def test_an_actor_who_waits_stands_still_while_nobody_looks():
    packets = ReplayedPackets(lambda k: [bytes([k])], 10, 100.0, waits=True)
    assert [p.data[0] for p in packets.poll(5.0)] == [0]
    assert [p.data[0] for p in packets.poll(5.02)] == [1, 2]
    assert packets.poll(35.02) == [] and not packets.over  # half a minute, as long as laws may be compiled
    assert [(p.data[0], round(p.arrival, 3)) for p in packets.poll(35.03)] == [(3, 35.03)]


def test_a_clip_too_short_to_be_performed_is_refused_instead_of_waited_for(tmp_path, capsys):
    clip = load("stand")
    write(clip.with_(rotations=clip.rotations[:5], translations=clip.translations[:5]), tmp_path / "short.bvh")
    words = ["live", "--from", "replay", "--clip", str(tmp_path / "short.bvh"), "--to", str(tmp_path / "out.bvh")]
    assert main(words) == 2
    assert "too short to be performed" in capsys.readouterr().err


def test_a_name_that_is_no_machine_is_told_before_anything_is_sent():
    with pytest.raises(BadInput, match=r"cannot send to 'no\.such\.invalid'"):
        UdpSender("no.such.invalid", 7002)
