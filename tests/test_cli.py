"""The command line: light to load, one line for what goes wrong, the right exit code, and JSON that a program can read."""

import json
import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

from poise.cli import main
from poise.cli.clip_options import UNITS
from poise.cli.outputs import ENDINGS
from poise.errors import SimulationDiverged
from poise.scenario.events import Ball, Push
from poise.scenario.robustness import Robustness
from poise.scenario.scenario import Scenario

HEAVY = ("numpy", "numba", "mujoco", "matplotlib", "viser", "rich", "av", "PIL")
STARTUP_LIMIT_S = 0.3  # what the project promises for `poise --help`; the best of several tries, for noise

SUMMARY = {
    "clip": "punch",
    "character": "auto",
    "controller": "pose",
    "robustness": {"thr_min": 20.0, "thr_max": 200.0},
    "completed": False,
    "fell_at_s": 1.25,
    "duration_s": 2.0,
    "dt_s": 0.002,
    "joint_error_deg": {"mean": 1.4, "p95": float("nan")},
    "com_error_m": {"mean": 0.02, "max": None},
    "foot_slide_m_s": 0.01,
    "help": {
        "torque_mean_nm": 31.0,
        "torque_max_nm": 180.0,
        "force_mean_bw": 0.1,
        "active_share": 0.4,
        "root_torque_mean_nm": 11.0,
        "root_force_mean_bw": 0.1,
        "foot_torque_mean_nm": 20.0,
        "foot_force_mean_bw": 0.0,
    },
    "realtime_factor": 9.1,
    "warnings": ["the clip is odd"],
}


class Stage:
    """Stands in for the simulator, the measures and the writers; remembers how it was called."""

    def __init__(self, monkeypatch):
        self.calls = []
        self.raises = None
        self.raises_on = None
        self.take = types.SimpleNamespace(info={}, times=[0.0, 1.5])
        fakes = {
            "poise.simulation": {"simulate": self.simulate},
            "poise.motion.library": {"names": lambda: ("punch", "walk")},
            "poise.measure": {"summary": lambda take: dict(SUMMARY)},
            "poise.export.save": {"save": self.save},
        }
        for name, members in fakes.items():
            module = types.ModuleType(name)
            vars(module).update(members)
            monkeypatch.setitem(sys.modules, name, module)

    def simulate(self, **settings):
        self.calls.append(settings)
        if self.raises:
            raise self.raises
        return self.take

    def save(self, take, path, progress=None):
        if self.raises_on == Path(path).name:
            raise KeyboardInterrupt
        Path(path).write_text("saved")
        return [f"note on {Path(path).name}"]

    @property
    def settings(self):
        return self.calls[-1]

    @property
    def scenario(self):
        return self.settings["scenario"]


@pytest.fixture
def stage(monkeypatch):
    return Stage(monkeypatch)


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text("HIERARCHY")
    return path


def refused(capsys, *words):
    """The one line on standard error of a command that must exit with 2."""
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("poise: ")
    assert err.count("\n") == 1
    return err


# Loading


@pytest.mark.parametrize("words", [["--help"], ["simulate", "--help"], ["inspect", "--help"], ["demo", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(words):
    check = (
        "import sys, atexit\n"
        f"atexit.register(lambda: print('LOADED', [m for m in {HEAVY} if m in sys.modules]))\n"
        f"from poise.cli import main; main({words})"
    )
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "LOADED []" in run.stdout


def test_help_is_quick():
    def seconds():
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "poise", "--help"], capture_output=True, check=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < STARTUP_LIMIT_S


def test_help_has_examples(capsys):
    for words in (["--help"], ["simulate", "--help"], ["inspect", "--help"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        assert "examples:" in capsys.readouterr().out


# Words that cannot be


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "COMMAND"),
        (["simulat"], "simulat"),
        (["simulate", "x.bvh", "--frobnicate"], "--frobnicate"),
        (["simulate"], "give a CLIP, a --scenario"),
        (["simulate", "x.bvh", "--dt", "nan"], "--dt"),
        (["simulate", "x.bvh", "--dt", "fast"], "no number"),
        (["simulate", "x.bvh", "--mass", "-3"], "--mass"),
        (["simulate", "x.bvh", "--seed", "-1"], "seed"),
        (["simulate", "x.bvh", "--seed", "1.5"], "--seed"),
        (["simulate", "x.bvh", "--robustness", "plausibel"], "did you mean 'plausible'?"),
        (["simulate", "x.bvh", "--thr-min", "300"], "thr_min = 300 is greater than thr_max = 200"),
        (["simulate", "x.bvh", "--push", "chest"], "chest:250,0,0@1.0+0.2"),
        (["simulate", "x.bvh", "--ball", "head:5mph@1"], "head:5kg,5m/s,90deg@2.0"),
        (["simulate", "x.bvh", "--up", "w"], "--up"),
        (["simulate", "x.bvh", "--keep-first-frame", "--drop-first-frame"], "not allowed with"),
        (["simulate", "x.bvh", "--scenario", "none.toml"], "none.toml: cannot be read"),
        (["simulate", "x.bvh", "--sce", "x.toml"], "--sce"),
    ],
)
def test_wrong_words_get_one_line_and_exit_two(stage, capsys, words, said):
    assert said in refused(capsys, *words)
    assert stage.calls == []


# Outputs are checked before the run


def test_an_output_that_cannot_be_written_is_found_before_the_run(stage, capsys, clip, tmp_path):
    bad = {
        tmp_path / "out.fbx": "unknown ending '.fbx'",
        tmp_path / "out": "unknown ending ''",
        tmp_path / "missing" / "out.bvh": "there is no folder",
        clip: "is the clip itself",
    }
    for output, said in bad.items():
        assert said in refused(capsys, "simulate", clip, "-o", output)
    (tmp_path / "folder.glb").mkdir()
    assert "is a folder" in refused(capsys, "simulate", clip, "-o", tmp_path / "folder.glb")
    assert "twice" in refused(capsys, "simulate", clip, "-o", tmp_path / "a.glb", "-o", tmp_path / "a.glb")
    assert stage.calls == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_found_before_the_run(stage, capsys, clip, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert "cannot be written" in refused(capsys, "simulate", clip, "-o", locked / "a.glb")
    assert stage.calls == []


# What reaches the simulator


def test_plain_words_reach_the_simulator_with_the_defaults(stage, clip):
    assert main(["simulate", str(clip)]) == 0
    assert stage.scenario == Scenario(clip=str(clip), robustness=Robustness(20, 200))
    wanted = {"dt": None, "root_forces": True, "mass": None, "stance": None}  # not a terminal
    wanted |= {"dynamics": "forward", "style": None}
    assert {key: value for key, value in stage.settings.items() if key not in ("scenario", "progress")} == wanted


def test_all_options_reach_the_simulator(stage, clip):
    words = "--character human --controller pose --robustness 1 --thr-min 5 --seed 4 --duration 3"
    words += " --no-root-forces --dt 0.001 --mass 60 --stance feet.toml --dynamics generalized"
    words += " --units inch --up=-z --floor 2 --fps 60 --drop-first-frame"
    assert main(["simulate", str(clip), *words.split()]) == 0
    assert stage.scenario == Scenario(str(clip), 3.0, Robustness(5, 1000), 4, "pose", "human")
    wanted = {"root_forces": False, "dt": 0.001, "mass": 60.0, "stance": Path("feet.toml"), "dynamics": "generalized"}
    wanted |= {"units": "inch", "up": "-z", "floor": 2.0, "fps": 60.0, "keep_first_frame": False}
    assert {key: stage.settings[key] for key in wanted} == wanted


def test_options_overrule_the_scenario_file_and_add_to_its_events(stage, clip, tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text('clip = "other.bvh"\nrobustness = "superhuman"\nseed = 7\n[[event]]\ntype = "ball"\n')
    assert main(["simulate", "--scenario", str(scene)]) == 0
    assert stage.scenario == Scenario(str(tmp_path / "other.bvh"), robustness=Robustness(0, 1000), seed=7, events=(Ball(),))

    words = ["--scenario", str(scene), "--seed", "1", "--robustness", "realistic", "--push", "chest:1,0,0@1", "--ball", "head@2"]
    assert main(["simulate", str(clip), *words]) == 0
    events = (Ball(), Push("chest", (1, 0, 0), 1.0), Ball(target="head", at=2.0))
    assert stage.scenario == Scenario(str(clip), robustness=Robustness(200, 200), seed=1, events=events)


# Results


def test_json_is_one_object_that_any_program_reads(stage, capsys, clip, tmp_path):
    assert main(["simulate", str(clip), "--json", "-o", str(tmp_path / "a.bvh"), "-o", str(tmp_path / "a.glb")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    result = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert result["completed"] is False
    assert result["joint_error_deg"] == {"mean": 1.4, "p95": None}
    assert [Path(path).name for path in result["outputs"]] == ["a.bvh", "a.glb"]


def test_a_fall_is_told_and_is_no_error(stage, capsys, clip, tmp_path):
    assert main(["simulate", str(clip), "-o", str(tmp_path / "a.bvh")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "fell at 1.25 s" in out
    assert "the clip is odd" in out
    assert "wrote" in out
    assert "note on a.bvh" in out


def test_a_simulation_that_diverged_exits_with_three(stage, capsys, clip):
    stage.raises = SimulationDiverged("energy exploded at 0.3 s")
    assert main(["simulate", str(clip)]) == 3
    assert capsys.readouterr() == ("", "poise: energy exploded at 0.3 s\n")


def test_the_last_second_before_a_divergence_is_kept_beside_the_output(stage, capsys, clip, tmp_path):
    stage.raises = SimulationDiverged("energy exploded at 0.3 s")
    stage.raises.take = stage.take
    assert main(["simulate", str(clip), "-o", str(tmp_path / "a.glb")]) == 3
    kept = tmp_path / "a_diverged.npz"
    told = capsys.readouterr().err
    assert told == f"poise: energy exploded at 0.3 s; the last second is in {kept} (poise.Take.load opens it)\n"
    assert kept.exists()
    assert not (tmp_path / "a.glb").exists()


def test_an_interruption_keeps_and_names_what_was_written(stage, capsys, clip, tmp_path):
    stage.raises_on = "b.glb"
    assert main(["simulate", str(clip), "-o", str(tmp_path / "a.bvh"), "-o", str(tmp_path / "b.glb")]) == 130
    err = capsys.readouterr().err
    assert err.startswith("poise: interrupted; wrote")
    assert "a.bvh" in err
    assert "b.glb" not in err
    assert (tmp_path / "a.bvh").exists()


def test_a_simulation_cut_short_is_saved_and_told(stage, capsys, clip, tmp_path):
    stage.take.info["interrupted"] = True
    assert main(["simulate", str(clip), "-o", str(tmp_path / "a.bvh")]) == 130
    out, err = capsys.readouterr()
    assert "wrote" in out
    assert err.startswith("poise: interrupted after 1.50 s of the simulation; wrote")
    assert (tmp_path / "a.bvh").exists()


def test_a_message_is_one_printable_line_whatever_the_names_hold(stage, capsys, clip):
    stage.raises = OSError("a\nb\x1b[31mc")
    assert main(["simulate", str(clip)]) == 2
    assert capsys.readouterr().err == "poise: a b?[31mc\n"


def test_the_demo_leaves_its_files_in_a_folder(stage, capsys, tmp_path):
    folder = tmp_path / "new" / "out"
    assert main(["demo", "-o", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["demo.bvh", "demo.glb", "demo.json", "demo.png", "demo.txt"]
    assert json.loads((folder / "demo.json").read_text())["fell_at_s"] == 1.25
    assert "fell at" in (folder / "demo.txt").read_text()
    assert stage.settings["events"]


def test_the_demo_refuses_a_folder_that_is_a_file(stage, capsys, clip):
    assert "folder cannot be made" in refused(capsys, "demo", "-o", clip)
    assert stage.calls == []


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path):
    script = "import sys; from poise.cli import main; sys.exit(main(['--help']))"
    run = subprocess.run(f'{sys.executable} -c "{script}" | true', shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in run.stderr
    assert "BrokenPipe" not in run.stderr


# The whole way, with nothing stood in for


def test_the_endings_that_are_offered_are_those_that_can_be_written():
    from poise.export.save import ENDINGS as WRITABLE

    assert set(ENDINGS) == set(WRITABLE)


def test_the_option_for_units_names_those_that_are_known():
    from poise.motion.units import METRES_PER_UNIT

    assert set(UNITS) == set(METRES_PER_UNIT)


def test_a_built_in_clip_goes_all_the_way(capsys, tmp_path):
    outputs = [tmp_path / f"a{ending}" for ending in (".bvh", ".glb", ".npz", ".csv")]
    words = [word for output in outputs for word in ("-o", str(output))]
    assert main(["simulate", "punch", "--duration", "0.5", "--push", "chest:100,0,0@0.1", "--json", *words]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["completed"] is True
    assert result["duration_s"] == pytest.approx(0.5, abs=result["dt_s"])
    assert all(output.stat().st_size > 1000 for output in outputs)


def test_the_same_words_give_the_same_bytes(tmp_path):
    words = ["--duration", "0.3", "--push", "random:100,0,0@0.1", "--ball", "random@0.2", "--seed", "3"]
    for name in ("a.bvh", "b.bvh"):
        assert main(["simulate", "punch", *words, "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.bvh").read_bytes() == (tmp_path / "b.bvh").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "punhc"], "punch"),
        (["simulate", "none.bvh"], "none.bvh"),
        (["simulate", "punch", "--controller", "pos"], "did you mean 'pose'?"),
        (["simulate", "punch", "--character", "humna"], "did you mean 'human'?"),
        (["simulate", "punch", "--push", "chst:1,0,0@1"], "did you mean 'chest'?"),
        (["simulate", "punch", "--units", "parsec"], "units"),
        (["inspect", "none.bvh"], "none.bvh"),
        (["inspect", "punhc"], "punch"),
    ],
)
def test_what_only_the_simulator_can_know_is_refused_in_one_line_too(capsys, words, said):
    assert said in refused(capsys, *words)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_control_c_ends_a_long_run_without_a_traceback(tmp_path):
    words = ["simulate", "stand", "--duration", "3600", "-o", str(tmp_path / "a.csv")]
    run = subprocess.Popen([sys.executable, "-m", "poise", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(6.0)  # in the middle of it, or still loading: both must end well
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert err.startswith("poise: interrupted")
    assert err.count("\n") == 1
