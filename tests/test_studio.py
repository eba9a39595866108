"""The studio without a browser: a session that is driven by orders, its gate, and the page's server."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest

from browser import find_chromium, opened
from poise import rotation
from poise.cli import main
from poise.controller_names import STEPS
from poise.errors import BadInput
from poise.export.npz import read as read_take
from poise.motion.bvh import read as read_bvh
from poise.scenario.robustness import Robustness
from poise.studio.gate import Gate, is_local
from poise.studio.keeping import FORMATS, as_file, file_name
from poise.studio.pace import Pace
from poise.studio.page import Page
from poise.studio.repertoire import STILL, Repertoire
from poise.studio.session import SPARE_BALLS, Session
from poise.studio.tuning import GAINS, Tuning

STEP_S = 0.002
STANDS_M = 0.85  # the centre of mass of a standing adult is higher
LIES_M = 0.4


@pytest.fixture
def session():
    return Session(Repertoire("stand"))


def test_time_passes_and_the_character_stands(session):
    session.advance(1.0)
    assert session.latest.time == pytest.approx(1.0, abs=2 * STEP_S)
    assert session.latest.com[2] > STANDS_M
    assert not session.latest.down
    assert len(session.latest.support_polygon) > 2


def test_a_reset_starts_over_with_the_same_motion(session):
    session.advance(0.5)
    first = session.latest
    session.push("chest", 300.0, 90.0)
    session.advance(0.3)
    session.reset()
    session.advance(0.5)
    assert session.latest.time == first.time
    np.testing.assert_array_equal(session.latest.position, first.position)


def test_a_push_gives_its_impulse_to_the_character(session):
    session.advance(0.5)
    before = session._stepper.world.state.com_velocity.copy()
    mass = session.latest.character.mass
    session.push("chest", 500.0, toward_deg=0.0, duration=0.1)
    session.advance(0.1)
    gained = session._stepper.world.state.com_velocity - before
    ahead = np.array([np.cos(session.latest.heading), np.sin(session.latest.heading)])
    assert gained[:2] @ ahead > 0.5 * 50.0 / mass  # the feet take back less than half of it so soon
    assert len(session.latest.forces) == 1


def test_the_dial_changes_the_thresholds_of_a_running_character(session):
    session.tune(dial=1.0)
    session.advance(0.1)
    assert session.latest.thresholds == (0.0, Robustness.of("superhuman").thr_max)
    session.tune(dial=0.0)
    session.advance(0.1)
    low, high = session.latest.thresholds
    assert low == high


def test_gains_change_while_it_runs_and_it_keeps_standing(session):
    for gain in GAINS:
        session.tune(**{gain.name: 0.6 * getattr(Tuning(), gain.name)})
        session.advance(0.1)
    session.tune(stiffness=1.5)
    session.advance(0.5)
    assert session._stepper.controller.gains.actuators.momentum == pytest.approx(0.6 * Tuning().momentum)
    assert session.latest.com[2] > STANDS_M


def test_controllers_can_be_exchanged_while_it_runs(session):
    session.tune(controller="pose")
    session.advance(0.5)
    assert session.latest.thresholds is None
    assert session.latest.help_force > 0.0
    session.tune(controller="balance")
    session.advance(0.5)
    assert session.latest.help_force == 0.0
    assert session.latest.com[2] > STANDS_M


@pytest.fixture(scope="module")
def raptors():
    """Prepared once: a run on a creature takes seconds to get ready."""
    return Repertoire("walk", character="raptor")


def test_a_raptor_follows_an_actor_by_its_limbs_and_is_pushed(raptors):
    session = Session(raptors, Tuning(controller="limbs"), looped=False)
    session.advance(0.5)
    calm = session.record(0.5).help_force.max()
    tail, velocity = session.latest.character.index("tail_5"), session._stepper.world.state.com_velocity.copy()
    assert not session.latest.down
    session.push("chest", 400.0, toward_deg=90.0, duration=0.1)
    session.throw("chest", 3.0, 5.0, from_deg=0.0)
    session.advance(0.1)
    gained = session._stepper.world.state.com_velocity - velocity
    right = rotation.rotate(rotation.about_z(session.latest.heading), np.array([0.0, -1.0, 0.0]))
    assert gained @ right > 0.1 * 40.0 / session.latest.character.mass  # the law holds against most of it
    session.grab("somebody", "tail_5", session.latest.position[tail], session.latest.position[tail] + 0.3)
    session.advance(0.7)
    assert len(session.latest.balls) == 1
    assert session.latest.grip is not None
    assert not session.latest.down
    take = session.take()
    assert take.info["controller"] == "limbs"
    assert take.info["robustness"] is None
    assert take.help_force.max() > calm  # the residual on the root is on the receipt
    assert as_file(take, ".glb")


def test_on_a_creature_limbs_starts_the_run_over_and_the_dial_does_not(raptors):
    session = Session(raptors, Tuning(controller="limbs"), looped=False)
    session.advance(0.2)
    law = session._stepper.controller
    session.tune(dial=0.9)
    assert session._stepper.controller is law
    session.tune(controller="balance")
    assert session.latest.time > 0.2 > 10 * session._stepper.time
    session.advance(0.2)
    assert session.latest.thresholds is not None
    session.tune(controller="limbs")
    session.advance(0.2)
    assert session.latest.time == pytest.approx(0.2, abs=2 * STEP_S)
    assert not session.latest.down


def test_style_and_dynamics_of_limbs_are_switched_while_it_runs(raptors):
    session = Session(raptors, Tuning(controller="limbs"), looped=False)
    assert session.styles == ("neutral", "sad", "proud")
    session.advance(0.3)
    neck = session.latest.rotation[session.latest.character.index("head")].copy()
    session.tune(style="sad")
    session.advance(0.3)
    assert rotation.angle_between(neck, session.latest.rotation[session.latest.character.index("head")]) > np.radians(5.0)
    session.tune(dynamics="generalized")
    assert session._stepper.run.dt == STEPS["generalized"]
    session.advance(0.3)
    assert not session.latest.down
    session.tune(controller="balance")  # in a world with contacts again
    session.advance(0.3)
    assert session.styles == ()
    assert session._stepper.world.state.foot_load.max() > 0.0
    with pytest.raises(BadInput, match="no style 'merry'"):
        session.tune(controller="limbs", style="merry").result()


def test_on_a_character_made_from_the_clip_limbs_takes_over_while_it_runs(session):
    session.advance(0.5)
    session.tune(controller="limbs")
    session.advance(0.5)
    assert session.latest.time == pytest.approx(1.0, abs=2 * STEP_S)
    assert session.latest.thresholds is None
    session.tune(controller="balance")
    session.advance(0.5)
    assert session.latest.com[2] > STANDS_M


def test_a_controller_that_cannot_take_over_leaves_the_old_one(session, monkeypatch):
    def refuse(*_):
        raise BadInput("no limb carries it")

    monkeypatch.setattr("poise.control.limbs.controller.LimbsController.start", refuse)
    with pytest.raises(BadInput, match="no limb"):
        session.tune(controller="limbs").result()
    assert session.tuning == Tuning()
    session.advance(0.1)
    assert session.latest.thresholds is not None


@pytest.mark.parametrize("expected", [False, True])
def test_only_expected_balls_hit_the_auxiliary_of_feedforward(session, expected):
    session.tune(controller="feedforward")
    session.advance(0.2)
    session.throw("left_forearm", 3.0, 5.0, 0.0, expected)
    hand = session.latest.character.index("left_forearm")
    before = session.latest.auxiliary[1][hand].copy()
    farthest = 0.0
    for _ in range(80):
        session.advance(0.01)
        farthest = max(farthest, float(rotation.angle_between(session.latest.auxiliary[1][hand], before)))
    assert farthest > 0.05 if expected else farthest < 0.03  # rad: it braces; the clip itself sways
    assert not session.latest.down


def test_feedforward_is_tuned_while_it_runs_and_leaves_no_ghost_behind(session):
    session.tune(controller="feedforward")
    session.advance(0.1)
    world = session._stepper.auxiliary.world
    session.tune(looseness=0.5)
    session.tune(dial=1.0)
    session.advance(0.1)
    assert session._stepper.auxiliary.world is world
    assert session._stepper.controller.feedback.gains.stiffness == pytest.approx(2000.0)
    assert session.latest.thresholds == (0.0, 1000.0)
    session.tune(controller="balance")
    session.advance(0.1)
    assert session.latest.auxiliary is None


def test_a_grip_draws_a_body_to_its_point_and_lets_go(session):
    session.advance(0.3)
    hand = session.latest.character.index("left_hand" if "left_hand" in session.latest.character.names else "left_forearm")
    name, spot = session.latest.character.names[hand], session.latest.position[hand].copy()
    there = spot + np.array([0.15, 0.0, 0.15])
    session.grab("somebody", name, spot, there, stiffness=2000.0)
    session.advance(0.5)
    assert np.linalg.norm(session.latest.position[hand] - there) < 0.5 * np.linalg.norm(spot - there)
    assert session.latest.grip is not None
    session.let_go("somebody")
    session.advance(0.1)
    assert session.latest.grip is None
    assert session.latest.forces == ()


def test_balls_are_thrown_one_after_the_other_and_reused(session):
    for k in range(SPARE_BALLS + 2):
        session.throw("chest", mass=1.0 + k, speed=5.0, from_deg=45.0 * k)
        session.advance(0.05)
    session.advance(0.6)
    assert len(session.latest.balls) == SPARE_BALLS
    assert len({ball.radius for ball in session.latest.balls}) == SPARE_BALLS
    take = session.take()
    assert len(take.props) == SPARE_BALLS


def test_what_falls_can_be_lifted_and_stands_again(session):
    session.advance(0.5)
    session.push("chest", 900.0, 90.0, 0.6)
    session.advance(3.0)
    assert session.latest.down
    assert session.latest.com[2] < LIES_M
    session.get_up()
    session.advance(6.0)
    assert not session.latest.down
    assert session.latest.com[2] > STANDS_M
    assert session.latest.grip is None


def test_where_the_dial_allows_it_what_falls_gets_up_by_itself_and_that_is_help(session):
    session.tune(dial=1.0)
    session.advance(0.5)
    session.push("chest", 3000.0, 90.0, 0.5)
    session.advance(3.0)
    assert session.latest.down
    session.get_up()
    session.advance(4.0)
    assert session.latest.com[2] > STANDS_M
    assert session.latest.grip is None  # no hand
    assert session.record(5.0).help_force.max() > 300.0


def test_another_clip_can_be_chosen_but_not_a_file(session, tmp_path):
    session.choose(clip="walk")
    session.advance(0.2)
    assert session.clip == "walk"
    with pytest.raises(BadInput, match="unknown clip"):
        session.choose(clip=str(tmp_path / "secret.bvh")).result()
    assert session.clip == "walk"
    session.choose(clip=STILL, looped=False)
    session.advance(0.2)
    assert session.take().clip is None


def test_a_looped_clip_goes_on_and_another_is_held(session):
    session.choose(clip="punch")
    length = session._stepper.reference.duration
    assert length > 50.0
    session.choose(looped=False)
    assert session._stepper.reference.duration < 0.2 * length


def test_orders_that_cannot_be_are_told_and_change_nothing(session):
    for order in (
        lambda: session.tune(dial=2.0),
        lambda: session.tune(controller="magic"),
        lambda: session.tune(momentum=float("nan")),
        lambda: session.push("nose", 100.0, 0.0),
        lambda: session.throw("chest", -1.0, 5.0, 0.0),
        lambda: session.set_speed(0.0),
    ):
        with pytest.raises(BadInput):
            order().result()
        assert session.orders.problem
    session.advance(0.1)
    assert session.tuning == Tuning()


def test_the_last_seconds_can_be_saved_in_every_format(session, tmp_path):
    session.push("chest", 100.0, 0.0)
    session.advance(3.0)
    take = session.take(1.5)
    assert take.times[0] == 0.0
    assert take.times[-1] == pytest.approx(1.5, abs=0.03)
    assert take.clip.duration == pytest.approx(take.times[-1], abs=1.0 / take.clip.fps)
    for ending in FORMATS:
        path = tmp_path / f"take{ending}"
        path.write_bytes(as_file(take, ending))
    assert read_take(tmp_path / "take.npz").times[-1] == take.times[-1]
    assert read_bvh(tmp_path / "take.bvh").duration == pytest.approx(1.5, abs=0.05)


def test_a_download_is_named_by_letters_of_the_clip():
    assert file_name("../etc/my walk.bvh", ".glb") == "my_walk_poise.glb"
    assert file_name(None, ".bvh") == "standing_poise.bvh"


def test_the_pace_owes_real_time_and_loses_what_it_cannot_keep():
    pace = Pace()
    assert pace.due(10.0, STEP_S) == 0
    assert pace.due(10.02, STEP_S) in (9, 10)
    assert pace.due(15.02, STEP_S) <= 51  # a tenth of a second at most
    assert pace.figures.lost_s == pytest.approx(4.9, abs=0.01)
    pace.rest()
    assert pace.due(100.0, STEP_S) == 0
    pace.speed = 0.5
    assert pace.due(100.04, STEP_S) in (9, 10)


def test_a_started_session_keeps_real_time_and_can_be_paused(session):
    session.start()
    try:
        began = session.latest.time
        time.sleep(1.0)
        assert session.latest.time - began > 0.3  # of a second; the machine may be busy with other tests
        session.play(False).result(5.0)
        held = session.take(1.0).info, session._stepper.nsteps
        time.sleep(0.2)
        assert session._stepper.nsteps == held[1]
    finally:
        session.stop()


def test_only_this_machine_is_local():
    assert all(is_local(host) for host in ("127.0.0.1", "localhost", "::1"))
    assert not any(is_local(host) for host in ("0.0.0.0", "192.168.1.2", "example.org", "::"))


def test_the_gate_listens_at_this_machine_alone_and_refuses_strangers():
    gate = Gate("127.0.0.1", 0)
    try:
        assert gate.token is None
        assert gate._listener.getsockname()[0] == "127.0.0.1"
        own = f"127.0.0.1:{gate.port}"
        assert gate.answer(_request(own)) is None
        assert gate.answer(_request(own, f"Origin: http://{own}")) is None
        assert b"403" in gate.answer(_request(own, "Origin: http://evil.example"))
        assert b"403" in gate.answer(_request("evil.example"))
        assert b"405" in gate.answer(_request(own).replace(b"GET", b"POST"))
        assert b"400" in gate.answer(b"nonsense\r\n\r\n")
    finally:
        gate.close()


def test_from_outside_only_the_token_opens_the_gate():
    gate = Gate("0.0.0.0", 0)
    try:
        assert gate.token
        assert gate.token in gate.url
        assert b"403" in gate.answer(_request("studio:8080"))
        assert b"403" in gate.answer(_request("studio:8080", path="/?token=guess"))
        welcome = gate.answer(_request("studio:8080", path=f"/?token={gate.token}"))
        assert b"303" in welcome
        cookie = next(line for line in welcome.split(b"\r\n") if line.startswith(b"Set-Cookie")).split(b" ")[1].rstrip(b";")
        assert gate.answer(_request("studio:8080", f"Cookie: {cookie.decode()}")) is None
        assert b"403" in gate.answer(_request("studio:8080", "Cookie: poise_studio=guess"))
    finally:
        gate.close()


def test_a_port_that_is_taken_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = _poise("studio", "--port", f"{port}", "--no-browser")
        _, complaint = done.communicate(timeout=60)
    assert done.returncode == 2
    assert complaint.count("\n") == 1
    assert f"port {port}" in complaint


def test_a_clip_that_is_none_is_one_line_and_nothing_else(capsys):
    assert main(["studio", "nope", "--port", "0", "--no-browser"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("poise: nope: ")
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_the_command_serves_the_page_and_ends_with_ctrl_c():
    studio = _poise("studio", "stand", "--port", "0", "--no-browser")
    try:
        line = studio.stdout.readline()
        assert line.startswith("studio: http://127.0.0.1:")
        url = line.split()[1]
        with urllib.request.urlopen(url, timeout=30) as page:
            assert b"<html" in page.read(10000).lower()
        stranger = urllib.request.Request(url, headers={"Origin": "http://evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(stranger, timeout=30)
        refused.value.close()
    finally:
        studio.send_signal(signal.SIGINT)
    rest, complaint = studio.communicate(timeout=60)
    assert studio.returncode == 0
    assert "studio closed" in rest
    assert "Traceback" not in complaint


def test_the_page_shows_a_session_and_passes_on_what_is_dragged(session):
    page = Page(session)
    try:
        page.show()
        chest = session.latest.position[session.latest.character.index("chest")] - page._drawing.middle
        event = SimpleNamespace(client_id=3, phase="start", start_position=tuple(chest), end_position=tuple(chest + 0.3))
        page._dragged("chest", event)
        session.choose(clip="walk")  # another character: its bodies are made anew
        session.throw("head", 3.0, 5.0, 0.0)
        session.grab("somebody", "head", np.zeros(3), np.ones(3))
        session.push("pelvis", 50.0, 0.0)
        session.advance(0.6)
        page.show()
        event.phase = "update"
        page._dragged("chest", event)
        event.phase = "end"
        page._dragged("chest", event)
        session.tune(controller="pose")
        session.advance(0.1)
        for _ in range(31):
            page.show()
        assert not page._controls._dynamics.visible
        session.tune(controller="limbs")
        page.show()
        page._controls.show(session.latest)
        assert page._controls._dynamics.visible
        assert not page._controls._style.visible  # a character made from the clip has none
    finally:
        page.close()


def test_a_browser_sees_the_character(tmp_path):
    if find_chromium() is None:
        pytest.skip("no Chromium")
    studio = _poise("studio", "stand", "--port", "0", "--no-browser")
    try:
        url = studio.stdout.readline().split()[1]
        with opened(url, tmp_path) as picture:
            end = time.monotonic() + 120.0  # software rendering on a busy machine
            while (seen := _teal(picture())) < 500 and time.monotonic() < end:
                time.sleep(1.0)
    finally:
        studio.send_signal(signal.SIGINT)
        studio.communicate(timeout=60)
    assert seen >= 500


def _teal(picture):
    """How many pixels have the colour of the character's left side; nothing else on the page has it."""
    red, green, blue = np.moveaxis(picture.astype(int), -1, 0)
    return np.sum((green - red > 40) & (blue - red > 40) & (abs(green - blue) < 25))


def _request(host, *headers, path="/"):
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]).encode()


def _poise(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "poise", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
