"""Settings given in Python: wrong types, unknown names and numbers out of range are one line, never a traceback."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import poise
from poise.cli import main
from poise.errors import BadInput
from poise.export.save import save
from poise.limits import MASS_KG, STEP_S
from poise.motion import library
from poise.scenario.feedforward import Feedforward
from poise.scenario.ground import Ground
from poise.simulation import prepare, simulate

WRONG = {
    "dt": ["x", True, [], float("nan"), 0.5, 0.0],
    "mass": ["heavy", True, {}, 0.0, 1e9, float("inf")],
    "seed": ["x", 1.5, None, -1, [], True],
    "duration": ["long", -1.0, 0.0, float("nan"), []],
    "controller": [5, ["pose"], "posse", {"pose": 1}],
    "robustness": [7, None, "huge", (1, 2, 3), []],
    "scenario": [5, [], ""],
    "stance": [5, [], ""],
    "character": [5, [], None, "humna"],
    "events": [5, "x", [1]],
    "units": [[], "parsec", -1.0],
    "up": [5, [], "w"],
    "floor": [[], "deep", 1e9],
    "fps": ["x", [], -1.0, True],
    "keep_first_frame": ["no", 5],
    "keep_jumps": ["no", 5],
    "animation": [5, "Walk"],
    "root_forces": ["no", 5],
    "dynamics": [5, "backward"],
    "style": [5, [], ""],
    "feedforward": [5, "none", {}],
    "dt_s": [0.002],
    "contoller": ["pose"],
}
CASES = [(key, value) for key, values in WRONG.items() for value in values]


@pytest.mark.parametrize(("key", "value"), CASES, ids=[f"{key}={value!r}"[:40] for key, value in CASES])
def test_a_wrong_setting_is_one_line_that_names_it(key, value):
    with pytest.raises(BadInput) as caught:
        prepare("stand", **{key: value})
    message = str(caught.value)
    assert "\n" not in message
    assert any(word in message for word in (key, key.replace("fps", "frame rate"), str(value)))


def test_an_unknown_keyword_comes_with_the_nearest_that_there_is():
    with pytest.raises(BadInput, match="did you mean 'controller'"):
        simulate("stand", contoller="pose")


def test_tidying_a_file_that_was_not_read_is_refused():
    with pytest.raises(BadInput, match=r"read the file first, with poise\.read"):
        poise.tidy("walk.bvh")


def test_numbers_of_numpy_are_numbers():
    run = prepare("stand", dt=np.float64(0.002), seed=np.int64(3), mass=np.float32(80.0), duration=np.float32(1.0))
    assert run.reference.character.mass == pytest.approx(80.0)


@pytest.mark.parametrize(("option", "limits"), [("--mass", MASS_KG), ("--dt", STEP_S)])
@pytest.mark.parametrize("command", ["simulate", "robustness"])
def test_command_line_and_python_state_the_same_limits(command, option, limits, capsys):
    with pytest.raises(BadInput) as caught:
        prepare("stand", **{option[2:]: 2.0 * limits[1]})
    for beyond in (0.5 * limits[0], 2.0 * limits[1]):
        assert main([command, "stand", option, str(beyond)]) == 2
        told = capsys.readouterr().err
        for limit in limits:
            assert f"{limit:g}" in told
            assert f"{limit:g}" in str(caught.value)


@pytest.mark.parametrize("words", [["--robustness", "7"], ["--seed", "-1"]])
def test_what_came_from_the_command_line_is_not_blamed_on_a_scenario(words, capsys):
    assert main(["simulate", "stand", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"poise: {words[0][2:]} = ")
    assert "scenario" not in told


def test_an_animation_is_only_chosen_from_a_file_that_holds_some(capsys, tmp_path):
    assert main(["simulate", "stand", "--animation", "Walk"]) == 2
    assert "holds one motion" in capsys.readouterr().err
    file = tmp_path / "stand.bvh"
    file.write_bytes(Path(library.path("stand")).read_bytes())
    assert main(["inspect", str(file), "--animation", "Walk"]) == 2
    assert "holds one motion" in capsys.readouterr().err
    with pytest.raises(BadInput, match="has been read already"):
        prepare(poise.read(file), animation="Walk")


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
@pytest.mark.parametrize("option", ["--scenario", "--stance"])
def test_files_that_say_nothing_are_refused(option, text, capsys, tmp_path):
    file = tmp_path / "empty.toml"
    file.write_text(text)
    assert main(["simulate", "stand", option, str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("poise: empty.toml: ")
    assert told.count("\n") == 1


def test_a_mass_without_an_automatic_character_is_refused():
    with pytest.raises(BadInput, match="for automatic characters"):
        prepare(None, mass=80.0)


@pytest.mark.parametrize("settings", [{"dynamics": "generalized"}, {"style": "sad"}])
def test_settings_of_limbs_are_refused_where_another_controller_acts(settings):
    with pytest.raises(BadInput, match="limbs"):
        prepare("stand", **settings)


def test_a_dial_that_the_controller_does_not_have_is_told(capsys):
    assert main(["simulate", "stand", "--controller", "pose", "--robustness", "realistic", "--duration", "0.1"]) == 0
    assert "means nothing to the pose controller" in capsys.readouterr().out


@pytest.mark.parametrize("given", [5, None, [], "", "a\0b", np.zeros((30, 30))], ids=str)
@pytest.mark.parametrize("call", ["read", "load", "load_character"])
def test_a_file_that_is_no_name_is_one_line(call, given):
    reader = poise.Take.load if call == "load" else getattr(poise, call)
    with pytest.raises(BadInput, match="must be the name of a file") as caught:
        reader(given)
    assert "\n" not in str(caught.value)


def test_a_take_is_not_saved_to_a_number():
    with pytest.raises(BadInput, match="5 must be the name of a file"):
        save(SimpleNamespace(), 5)


@pytest.mark.parametrize("key", ["events", "ground", "start", "hold_level", "feedforward"])
def test_a_scenario_made_of_the_wrong_things_is_one_line_that_names_it(key):
    with pytest.raises(BadInput, match=key) as caught:
        poise.Scenario(**{key: 5})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("controller", ["balance", "pose", "limbs", "feedforward"])
def test_whoever_expects_nothing_says_so(controller):
    run = prepare("stand", controller=controller, events=[poise.Ball(expected=True)])
    told = any("nothing is expected" in warning for warning in run.info["warnings"])
    assert told == (controller != "feedforward")


@pytest.mark.parametrize(
    "settings, held",
    [
        ({"controller": "balance"}, False),
        ({"controller": "pose"}, True),
        ({"controller": "pose", "root_forces": False}, False),
        ({"controller": "feedforward"}, False),
        ({"controller": "feedforward", "feedforward": Feedforward(strategy="root-forces")}, True),
    ],
)
def test_root_forces_that_know_no_slope_are_told(settings, held):
    told = {
        slope: any("root forces" in w for w in prepare("stand", scenario=on(slope), **settings).info["warnings"])
        for slope in (0.0, 5.0)
    }
    assert told == {0.0: False, 5.0: held}


def on(slope):
    return poise.Scenario(ground=Ground(slope_deg=slope))
