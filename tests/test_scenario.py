"""Scenario files: what the design shows can be read, and what cannot be is refused with file, line and choices."""

import math
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import BadFile, BadInput, BadScenario
from poise.scenario.events import Ball, Pull, Push
from poise.scenario.hold_level import HoldLevel
from poise.scenario.robustness import Robustness
from poise.scenario.scenario import Ground, Scenario, check_bodies, choose_bodies, read_scenario
from poise.scenario.toml_reading import LARGEST

BODIES = ("pelvis", "chest", "head", "left_hand")
EXACT = 1e-9  # only rounding

FULL = """\
clip = "boxing.bvh"            # optional
duration = 10.0
robustness = "plausible"
seed = 7

[ground]
friction = 0.09
slope_deg = 5.0
slope_toward_deg = 90

[[event]]
type = "push"
body = "chest"
force = [250, 0, 0]
at = 1.0
duration = 0.2

[[event]]
type = "ball"
mass = 5.0
target = "head"
from_deg = 90
at = 2.0

[[event]]
type = "pull"
body = "left_hand"
toward = [0.5, 0.0, 0.0]
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "scene.toml"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write


def test_a_full_scenario_is_read_as_written(written):
    path = written(FULL)
    assert read_scenario(path) == Scenario(
        clip=str(path.parent / "boxing.bvh"),
        duration=10.0,
        robustness=Robustness(20, 200),
        seed=7,
        ground=Ground(friction=0.09, slope_deg=5.0, slope_toward_deg=90.0),
        events=(
            Push("chest", (250, 0, 0), 1.0, 0.2),
            Ball(5.0, target="head", from_deg=90, at=2.0),
            Pull("left_hand", (0.5, 0, 0)),
        ),
    )


def test_a_short_scenario_leaves_everything_else_open(written):
    assert read_scenario(written("seed = 1")) == Scenario(seed=1)


def test_a_name_without_an_ending_is_a_built_in_clip(written):
    scenario = read_scenario(written('clip = "punch"\ncharacter = "human"'))
    assert (scenario.clip, scenario.character) == ("punch", "human")


def test_an_absolute_clip_path_stays_as_it_is(written, tmp_path):
    clip = tmp_path / "elsewhere" / "walk.bvh"
    assert read_scenario(written(f"clip = '{clip}'")).clip == str(clip)


def test_thresholds_may_be_given_one_by_one(written):
    assert read_scenario(written("robustness = { thr_min = 10, thr_max = 50 }")).robustness == Robustness(10, 50)
    assert read_scenario(written("robustness = [10, 50]")).robustness == Robustness(10, 50)
    assert read_scenario(written("[robustness]\nthr_min = 10\nthr_max = 50")).robustness == Robustness(10, 50)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("clip = 5", "scene.toml:1: clip = 5 must be the name of a file"),
        ('clip = "a\\u0000.bvh"', "scene.toml:1: clip = 'a\\x00.bvh' must be the name of a file"),
        ("controller = ''", "scene.toml:1: controller = '' must be text"),
        ("\ncontroller = 'balanse'", "scene.toml:2: unknown controller 'balanse'; did you mean 'balance'?"),
        ("\n\ndurration = 5", "scene.toml:3: key 'durration' unknown; did you mean 'duration'?"),
        ("seed = 1.5", "scene.toml:1: seed = 1.5 must be a whole number"),
        ("seed = true", "whole number"),
        ("duration = inf", "scene.toml:1: duration = inf"),
        ("duration = 0", "(0, 3600] s"),
        ("robustness = 2", "[0, 1]"),
        ('robustness = "plausibel"', "did you mean 'plausible'?"),
        ("[robustness]\nthr_min = 30\nthr_max = 20", "scene.toml:1: robustness: thr_min = 30 is greater than thr_max = 20"),
        ("[robustness]\nthr_min = 0\nthr_max = -20", "scene.toml:3: robustness: thr_max = -20"),
        ("ground = 1", "must be a table"),
        ("[ground]\nkind = 'ice'", "scene.toml:2: ground: kind 'ice' unknown (there are: flat, platform, ramp, rubble)"),
        ("[ground]\n# slippery\nfriction = -1", "scene.toml:3: ground: friction = -1 must be a number in [0, 10]"),
        ("[ground]\nfricton = 1", "scene.toml:2: ground: key 'fricton' unknown; did you mean 'friction'?"),
        ("ground.slope_deg = 90", "scene.toml:1: ground: slope_deg = 90"),
        (
            "[ground]\nkind = 'platform'\naxes = ['tilt']",
            "scene.toml:3: ground: axes = ['tilt'] must be some of roll, pitch, yaw",
        ),
        ("[ground]\nkind = 'rubble'\ncount = 0", "scene.toml:3: ground: count = 0 must be a whole number"),
        ("[ground]\nkind = 'ramp'\namplitude_deg = 5", "scene.toml:3: ramp ground: key 'amplitude_deg' unknown"),
        ("[start]\nlean_deg = 90", "scene.toml:2: start: lean_deg = 90 must be a number in [0, 45] degrees"),
        ("start = 5", "must be a table: [start]"),
        ("[[hold_level]]\naxis = [1, 0, 0]", "scene.toml:1: hold_level: key 'body' is missing"),
        ("[[hold_level]]\nbody = 'left_hand'\naxis = [0, 0, 0]", "scene.toml:3: hold_level: axis = [0, 0, 0] points nowhere"),
        ("loop = 0", "scene.toml:1: loop = 0 must be a whole number"),
        ("[[event]]\ntype = 'robustness'\nat = 1\nto = 2", "scene.toml:4: robustness = 2"),
        ("event = 1", "array of tables"),
        ("[event]\ntype = 'ball'", "array of tables"),
        ("event = [1]", "must be a table"),
        ("[[event]]\ntype = 'ball'\n\n[[event]]\n", "scene.toml:4: event: has no type"),
        (
            "[[event]]\ntype = 'ball'\n\n[[event]]\ntype = 'boll'",
            "scene.toml:5: event: type 'boll' unknown; did you mean 'ball'?",
        ),
        ("[[event]]\ntype = 'ball'\n[[event]]\ntype = 'ball'\nmass = 0", "scene.toml:5: ball: mass = 0"),
        ("[[event]]\ntype = 'push'\nbody = 'chest'\nat = 1", "scene.toml:1: push: key 'force' is missing"),
        ("[[event]]\ntype = 'push'\nbody = 'chest'\nat = 1\nforce = [1, 2, 'x']", "scene.toml:5: push: force"),
        ("clip = 'a.bvh'\nclip = 'b.bvh'", "is no valid TOML"),
        ("clip = \n", "scene.toml:1: is no valid TOML"),
        ("seed = " + "9" * 5000, "is no valid TOML"),
        ("clip = " + "[" * 5000, "nested too deep"),
    ],
)
def test_what_cannot_be_is_refused_with_file_line_and_choices(written, text, said):
    with pytest.raises(BadInput) as refusal:
        read_scenario(written(text))
    assert said in str(refusal.value)
    assert str(refusal.value).startswith("scene.toml")
    assert "\n" not in str(refusal.value)


def test_files_that_are_no_text_or_too_large_or_missing_are_refused(tmp_path):
    path = tmp_path / "scene.toml"
    with pytest.raises(BadFile, match="cannot be read"):
        read_scenario(path)
    with pytest.raises(BadFile, match="cannot be read"):
        read_scenario(tmp_path)
    path.write_bytes(b"seed = 1\n\xff\xfe\x00")
    with pytest.raises(BadFile, match=r"scene.toml:2: is not UTF-8"):
        read_scenario(path)
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(BadFile, match="larger"):
        read_scenario(path)


@given(cut=st.integers(0, len(FULL)), put=st.text(max_size=6), gone=st.integers(0, 12))
def test_a_damaged_scenario_is_read_or_clearly_refused(tmp_path_factory, cut, put, gone):
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_bytes((FULL[:cut] + put + FULL[cut + gone :]).encode("utf-8", "surrogatepass"))
    try:
        read_scenario(path)
    except BadInput as refusal:
        assert "\n" not in str(refusal)


def test_bodies_are_checked_against_the_character():
    check_bodies(Scenario(events=(Ball(target="random"), Push("head", (1, 0, 0), 0.0))), BODIES)
    with pytest.raises(BadScenario, match="push at 2 s: body 'chst' unknown; did you mean 'chest'"):
        check_bodies(Scenario(events=(Push("chst", (1, 0, 0), 2.0),)), BODIES)


def test_held_bodies_are_checked_against_the_character():
    check_bodies(Scenario(hold_level=(HoldLevel("left_hand"),)), BODIES)
    with pytest.raises(BadScenario, match="hold_level: body 'pelvis' unknown or without a joint"):
        check_bodies(Scenario(hold_level=(HoldLevel("pelvis"),)), BODIES)


def test_random_bodies_follow_the_seed_and_leave_the_named_ones_alone():
    events = (Ball(target="random"), Push("head", (1, 0, 0), 0.0), *(Push("random", (1, 0, 0), k) for k in range(20)))
    scenario = Scenario(events=events)
    chosen = choose_bodies(scenario, BODIES, seed=3)
    assert chosen == choose_bodies(scenario, BODIES, seed=3)
    assert chosen != choose_bodies(scenario, BODIES, seed=4)
    assert {event.body for event in chosen.events} == set(BODIES)
    assert chosen.events[1] == events[1]
    check_bodies(chosen, BODIES)


def test_the_names_of_robustness_are_the_papers_thresholds():
    assert Robustness.of("plausible") == Robustness.of(0.5) == Robustness.of("0.5") == Robustness(20, 200)
    assert Robustness.of("superhuman") == Robustness.of(1) == Robustness(0, 1000)
    assert Robustness.of("realistic") == Robustness.of(0) == Robustness(200, 200)
    assert not Robustness.of("realistic").helps
    assert Robustness.of((10, 30)) == Robustness.of(Robustness(10, 30)) == Robustness.of({"thr_min": 10, "thr_max": 30})


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_robustness_never_helps_less(a, b):
    low, high = (Robustness.of(dial) for dial in sorted((a, b)))
    assert high.thr_min <= low.thr_min + EXACT
    assert high.thr_max >= low.thr_max - EXACT


@pytest.mark.parametrize(
    "value", [math.nan, "nan", -0.1, 1.5, "strong", True, None, (1, 2, 3), (30, 20), (-1, 5), {"thr_min": 1}]
)
def test_an_impossible_robustness_is_refused(value):
    with pytest.raises(BadScenario, match="robustness"):
        Robustness.of(value)
