"""How hard a character can be pushed: the search for the limit, what counts as survival, and the command that maps it."""

import csv
import io
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from poise import rotation
from poise.cli import main
from poise.errors import BadInput
from poise.robustness import survey as survey_module
from poise.robustness import workers
from poise.robustness.ladder import FINEST, FIRST_RUNG, RISE, SHARE, STRONGEST, Limit, largest_survived
from poise.robustness.survey import RobustnessMap, SettingLimits, survey
from poise.robustness.survival import FARTHEST, HOP, longest_airtime, what_ended
from poise.robustness.trial import OWN_HOPS, STANDS_AFTER, Job, what_ends
from poise.scenario.events import medicine_ball_radius
from poise.scenario.robustness import Robustness
from poise.simulation import perform, prepare

COARSE = 0.004  # s: the largest step that stands, for tests of everything but the numbers
PUSHED_AT = 0.2  # s
GENTLE, BRUTAL = 30.0, 5000.0  # N on the chest for 0.2 s: anybody survives, nobody does


# The search


class Wall:
    """A character that falls where a condition on the force holds; remembers what was tried."""

    def __init__(self, falls):
        self.falls = falls
        self.tried = []

    def __call__(self, force):
        self.tried.append(force)
        return "fell" if self.falls(force) else None


@pytest.mark.parametrize("true_limit", [0.5, 7.0, 20.0, 74.4, 135.0, 999.0, 5000.0])
def test_a_sharp_limit_is_found_to_two_newtons_or_one_percent(true_limit):
    limit = largest_survived(Wall(lambda force: force > true_limit))
    assert limit.force_n <= true_limit < limit.force_n + max(FINEST, SHARE * true_limit * RISE)
    assert limit.ended_by == "fell"


def test_no_force_that_was_tried_below_the_limit_fails():
    def falls(force):  # gaps of failure, each wider than a rung
        return 100 < force < 140 or force > 400

    wall = Wall(falls)
    limit = largest_survived(wall)
    assert limit.force_n == pytest.approx(100, abs=FINEST)
    assert not any(falls(force) for force in wall.tried if force <= limit.force_n)
    assert limit.ntrials == len(wall.tried)


def test_who_falls_without_a_push_has_the_limit_zero_after_one_trial():
    assert largest_survived(Wall(lambda force: True)) == Limit(0.0, "fell", 1)


def test_the_search_ends_where_nothing_helps_against_a_character():
    limit = largest_survived(Wall(lambda force: False))
    assert limit.ended_by is None
    assert STRONGEST / RISE < limit.force_n <= STRONGEST


def test_the_first_rung_is_bisected_down_to_nothing():
    assert largest_survived(Wall(lambda force: force > 0)).force_n == 0.0
    assert largest_survived(Wall(lambda force: force > FIRST_RUNG / 2)).force_n == pytest.approx(FIRST_RUNG / 2, abs=FINEST)


# What counts as survival


@pytest.fixture(scope="module")
def standing():
    """A second of quiet standing, to be tampered with."""
    return perform(prepare(None, controller="balance", duration=1.0))


def with_airtime(take, seconds):
    contact = take.contact.copy()
    contact[(take.times >= 0.5) & (take.times < 0.5 + seconds)] = 0.0
    return replace(take, contact=contact)


def with_left_foot_moved(take, metres, ref_metres=0.0):
    foot = take.character.index(take.character.feet[0])
    position, ref_position = take.position.copy(), take.ref_position.copy()
    late = take.times >= 0.6
    position[late, foot, 1] += metres
    ref_position[late, foot, 1] += ref_metres
    return replace(take, position=position, ref_position=ref_position)


def test_quiet_standing_survives(standing):
    assert what_ended(standing, PUSHED_AT) is None


def test_a_hop_ends_it_but_a_flicker_of_contact_does_not(standing):
    assert what_ended(with_airtime(standing, 3 * HOP), PUSHED_AT) == "hopped at 0.50 s"
    assert what_ended(with_airtime(standing, 0.5 * HOP), PUSHED_AT) is None


def test_a_character_that_leaves_the_ground_by_itself_may_do_so_for_longer(standing):
    airborne = with_airtime(standing, 3 * HOP)
    own = longest_airtime(airborne, PUSHED_AT)
    assert own == pytest.approx(3 * HOP, abs=0.005)  # s, a sample
    assert longest_airtime(standing, PUSHED_AT) == 0.0
    assert what_ended(airborne, PUSHED_AT, hop=OWN_HOPS * own) is None


def test_one_foot_in_the_air_is_no_hop(standing):
    contact = standing.contact.copy()
    contact[50:150, 0] = 0.0
    assert what_ended(replace(standing, contact=contact), PUSHED_AT) is None


def test_a_hop_before_the_push_does_not_count(standing):
    assert what_ended(with_airtime(standing, 3 * HOP), pushed_at=0.7) is None


def test_a_clip_that_jumps_may_leave_the_ground_when_it_does(standing):
    jump = with_airtime(standing, 3 * HOP)
    stance = jump.stance.copy()
    stance[(jump.times >= 0.52) & (jump.times < 0.56)] = False  # a little later and shorter than in the simulation
    assert what_ended(replace(jump, stance=stance), PUSHED_AT) is None


def test_a_foot_that_moves_too_far_ends_it(standing):
    foot = standing.character.feet[0]
    assert what_ended(with_left_foot_moved(standing, 1.1 * FARTHEST), PUSHED_AT) == f"{foot} moved at 0.60 s"
    assert what_ended(with_left_foot_moved(standing, 0.9 * FARTHEST), PUSHED_AT) is None


def test_a_foot_may_go_where_the_clip_takes_it(standing):
    assert what_ended(with_left_foot_moved(standing, 1.0, ref_metres=1.0), PUSHED_AT) is None
    stepping = with_left_foot_moved(standing, 1.0)
    stance = stepping.stance.copy()
    stance[130:140, 0] = False
    assert what_ended(replace(stepping, stance=stance), PUSHED_AT) is None


def test_what_happened_first_is_told_and_where_it_fell_to(standing):
    com = standing.com.copy()
    com[standing.times >= 0.4] -= [0.0, 0.5, 0.6]
    fallen = replace(standing, com=com)
    assert what_ended(fallen, PUSHED_AT) == "fell to the right at 0.40 s"
    assert what_ended(with_left_foot_moved(fallen, 1.0), PUSHED_AT) == "fell to the right at 0.40 s"


# A trial


def job(toward=0.0, at=PUSHED_AT, clip=None, **settings):
    return Job(prepare(clip, controller="balance", dt=COARSE, **settings), "chest", toward, at, 0.2)


def test_a_gentle_push_is_survived_and_a_brutal_one_is_not():
    assert what_ends(job(), GENTLE) is None
    assert what_ends(job(), BRUTAL) is not None


def test_a_trial_lasts_until_five_seconds_after_the_push_or_until_all_is_lost(monkeypatch):
    lengths = []

    def watched(run, until):
        take = perform(run, until=until)
        lengths.append(float(take.times[-1]))
        return take

    monkeypatch.setattr("poise.robustness.trial.perform", watched)
    what_ends(job(), GENTLE)
    what_ends(job(), BRUTAL)
    assert lengths[0] == pytest.approx(PUSHED_AT + 0.2 + STANDS_AFTER)
    assert lengths[1] < 0.5 * lengths[0]


@pytest.mark.parametrize(("toward", "world"), [(0, (1, 0, 0)), (90, (0, -1, 0)), (180, (-1, 0, 0)), (270, (0, 1, 0))])
def test_directions_are_clockwise_from_straight_ahead(monkeypatch, toward, world):
    forces = []

    def stop_at_once(run, until):
        forces.append(run.events[0].force)
        raise KeyboardInterrupt

    monkeypatch.setattr("poise.robustness.trial.perform", stop_at_once)
    with pytest.raises(KeyboardInterrupt):
        what_ends(job(toward), 100.0)
    np.testing.assert_allclose(forces[0], 100.0 * np.array(world), atol=1e-9)


def test_straight_ahead_is_where_the_clips_pelvis_faces(monkeypatch):
    at = 0.5
    turned = job(0.0, at, clip="dance")
    reference = turned.run.reference
    target = reference.target()
    reference.sample(at, target)
    ahead = rotation.rotate(rotation.about_z(rotation.heading(target.rotation[0])), [1.0, 0.0, 0.0])
    forces = []

    def stop_at_once(run, until):
        forces.append(run.events[0].force)
        raise KeyboardInterrupt

    monkeypatch.setattr("poise.robustness.trial.perform", stop_at_once)
    with pytest.raises(KeyboardInterrupt):
        what_ends(turned, 100.0)
    np.testing.assert_allclose(forces[0], 100.0 * ahead, atol=1e-9)


# Many jobs


def test_results_are_the_same_however_many_workers():
    numbers = [4.0, 9.0, 16.0, 25.0]
    alone = dict(workers.in_processes(math.sqrt, numbers, 1))
    assert alone == {0: 2.0, 1: 3.0, 2: 4.0, 3: 5.0}
    assert dict(workers.in_processes(math.sqrt, numbers, 2)) == alone


def test_an_error_in_a_worker_reaches_the_caller():
    with pytest.raises(ValueError, match="math domain error"):
        list(workers.in_processes(math.sqrt, [1.0, -1.0], 2))


def test_ray_that_is_not_installed_is_told_before_anything_runs(monkeypatch, capsys):
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    assert main(["robustness", "--ray"]) == 2
    assert "pip install 'poise[ray]'" in capsys.readouterr().err


def test_ray_gives_the_same_results():
    pytest.importorskip("ray")
    masses = [1.0, 3.0, 5.0]
    alone = dict(workers.in_processes(medicine_ball_radius, masses, 1))
    assert dict(workers.on_ray(medicine_ball_radius, masses, 1)) == alone


# The survey


@pytest.fixture(scope="module")
def small_map():
    return survey(settings=("realistic",), directions=2, dt=COARSE, jobs=1)


def test_a_survey_is_the_same_on_several_cores(small_map):
    assert survey(settings=("realistic",), directions=2, dt=COARSE, jobs=2) == small_map


def test_a_map_in_json_is_as_the_documentation_says(small_map):
    data = json.loads(json.dumps(small_map.to_dict()))
    (setting,) = data["settings"]
    assert {key: data[key] for key in ("clip", "body", "push_s", "at_s", "dt_s")} == {
        "clip": None, "body": "chest", "push_s": 0.2, "at_s": 1.0, "dt_s": COARSE
    }  # fmt: skip
    assert (setting["robustness"], setting["thr_min"], setting["thr_max"]) == ("realistic", 200.0, 200.0)
    assert list(setting["impulse_ns"]) == ["0", "180"]
    assert setting["mean_ns"] == pytest.approx(np.mean(list(setting["impulse_ns"].values())), abs=0.02)


def test_the_middle_of_a_short_clip_is_when_it_is_pushed(monkeypatch):
    monkeypatch.setattr(survey_module, "_results", lambda work, jobs, ray: iter([(0, Limit(work[0].at, None, 1))]))
    found = survey("punch", settings=("realistic",), directions=1)
    duration = prepare("punch").reference.duration
    assert found.at_s == pytest.approx(min(1.0, 0.5 * duration))


@pytest.mark.parametrize(
    ("wrong", "said"), [({"directions": 0}, "directions 0"), ({"body": "nose"}, "'nose' unknown"), ({"body": "random"}, "random")]
)
def test_a_survey_that_cannot_be_is_refused(wrong, said):
    with pytest.raises(BadInput, match=said):
        survey(**wrong)


# The command


def limits(*forces, ended_by="fell forward at 1.50 s"):
    return {90.0 * k: Limit(force, ended_by, 9) for k, force in enumerate(forces)}


def found_map(*settings):
    return RobustnessMap(None, "auto", "chest", 0.2, 1.0, 0.002, (0.0, 90.0), settings)


REALISTIC = SettingLimits("realistic", Robustness.of("realistic"), limits(100.0, 50.0))
STRONG = SettingLimits(0.8, Robustness.of(0.8), limits(1000.0, 700.0))


@pytest.fixture
def faked(monkeypatch):
    """Puts a ready map in the place of the survey, and keeps what the survey was asked."""
    asked = {}

    def put(result):
        def answer(clip, **settings):
            asked.update(settings, clip=clip)
            return result

        monkeypatch.setattr(survey_module, "survey", answer)
        return asked

    return put


def test_the_command_prints_a_table(faked, capsys):
    faked(found_map(REALISTIC, STRONG))
    assert main(["robustness"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("largest push survived, Ns: quiet standing, chest pushed for 0.2 s")
    assert [line.split() for line in lines[1:]] == [
        ["robustness", "thr_min", "thr_max", "0°", "90°", "mean"],
        ["realistic", "200", "200", "20.0", "10.0", "15.0"],
        ["0.8", "8", "680", "200.0", "140.0", "170.0"],
    ]


def test_words_reach_the_survey(faked):
    asked = faked(found_map(REALISTIC))
    words = "punch --settings realistic,0.25 --directions 3 --body head --push-duration 0.1 --at 2 --jobs 2 --dt 0.001"
    assert main(["robustness", *words.split()]) == 0
    wanted = {
        "clip": "punch", "settings": ("realistic", 0.25), "directions": 3, "body": "head", "push_s": 0.1, "at": 2.0, "jobs": 2,
        "dt": 0.001, "ray": False, "progress": None,
    }  # fmt: skip
    assert {key: asked[key] for key in wanted} == wanted


def test_the_command_writes_picture_table_and_json(faked, capsys, tmp_path):
    faked(found_map(REALISTIC, STRONG))
    paths = [tmp_path / f"map{ending}" for ending in (".png", ".csv", ".json")]
    assert main(["robustness", "--json", *(word for path in paths for word in ("-o", str(path)))]) == 0
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(paths[1].read_text())))
    assert [(row["robustness"], row["direction_deg"], float(row["impulse_ns"])) for row in rows] == [
        ("realistic", "0", 20.0), ("realistic", "90", 10.0), ("0.8", "0", 200.0), ("0.8", "90", 140.0)
    ]  # fmt: skip
    assert json.loads(paths[2].read_text()) == json.loads(capsys.readouterr().out)


def test_an_interrupted_survey_keeps_what_is_done_and_says_so(faked, capsys, tmp_path):
    faked(found_map(REALISTIC, replace(STRONG, limits=limits(1000.0))))
    assert main(["robustness", "--json", "-o", str(tmp_path / "map.png"), "-o", str(tmp_path / "map.json")]) == 130
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert not data["complete"]
    assert data["settings"][1]["impulse_ns"] == {"0": 200.0}
    assert data["settings"][1]["mean_ns"] is None
    assert "3 of 4 limits" in err
    assert (tmp_path / "map.png").exists()


def test_an_interruption_between_results_ends_the_survey_with_those_it_has(monkeypatch):
    def interrupted(work, jobs, ray):
        yield 1, Limit(50.0, "fell", 7)
        raise KeyboardInterrupt

    monkeypatch.setattr(survey_module, "_results", interrupted)
    found = survey(settings=("realistic", 0.5), directions=2)
    assert not found.complete
    assert [list(setting.limits) for setting in found.settings] == [[180.0], []]


def test_who_falls_without_a_push_is_told(faked, capsys):
    weak = replace(REALISTIC, limits={0.0: Limit(0.0, "fell to the left at 2.00 s", 1), 90.0: Limit(0.0, "fell", 1)})
    faked(found_map(weak))
    assert main(["robustness"]) == 0
    assert "realistic: fell to the left at 2.00 s without any push" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--settings", "plausibel"], "did you mean 'plausible'?"),
        (["--settings", "0,2"], "[0, 1]"),
        (["--settings", "0,0"], "twice"),
        (["--directions", "many"], "--directions"),
        (["--jobs", "0"], "1 to 1024"),
        (["--push-duration", "0"], "--push-duration"),
        (["--at", "-1"], "--at"),
        (["-o", "map.mp4"], "unknown ending '.mp4'"),
        (["missing.bvh"], "missing.bvh"),
        (["--dt", "1"], "--dt"),
    ],
)
def test_wrong_words_get_one_line_and_exit_two(capsys, words, said):
    assert main(["robustness", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
