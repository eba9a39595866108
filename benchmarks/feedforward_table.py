"""All tables of docs/feedforward.md, as Markdown.

    python benchmarks/feedforward_table.py [follow|hits|expected|sources|cost ...] [--mocap ../shared/mocap/cmu] [--dt 0.002]

Without a folder of real clips only the built-in ones are run. `follow`: the mean joint error with high gains, low gains alone and
low gains with feedforward, nothing happening, over the whole body and over the joints that are soft. `hits`: how far a struck arm
and head give way with high gains and with it, and how far off they are after a second. `expected`: how far a struck knee moves.
`sources`: where feedforward may come from. `cost`: microseconds of processor time per step, in slices that take turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from poise import rotation
from poise.control.support import legs_of
from poise.measure import fell_at_s, joint_error_deg
from poise.rotation import Array, Mask
from poise.scenario.events import Ball, Event
from poise.scenario.feedforward import SOURCES, STRATEGIES, Feedforward
from poise.scenario.scenario import Scenario
from poise.simulation import Stepper, prepare, simulate
from poise.take import Take

FED = Feedforward()
LOW = replace(FED, source="none")
HIGH = replace(LOW, stiffness_ratio=1.0)
OWN = ("punch", "front_kick")
REAL = ("143_23", "79_08", "143_24", "135_04", "74_03")  # of the issue
HELD_OUT_OWN = ("ginga", "dance", "walk")
HELD_OUT_REAL = ("07_01", "111_17", "69_16", "16_17", "138_05")  # not looked at while gains were chosen
ARM, HEAD = ("left_upper_arm", "left_forearm"), ("head",)
AT_ARM, AT_HEAD = 1.0, 2.6  # s, or earlier in short clips
BACK, WATCHED = 1.0, 0.3  # s after a hit until the limb should be back, and how long it is then looked at
LIGHT, HARD = (3.0, 5.0), (10.0, 10.0)  # kg and m/s of balls
KNEES = (  # clip, strategy, leg, from where, when, ball: a leg that swings, with root forces any, or one that stands
    ("stand", "root-forces", "left", 0.0, 1.0, LIGHT),
    ("punch", "root-forces", "left", 0.0, 1.2, LIGHT),
    ("front_kick", "root-forces", "right", 0.0, 2.05, LIGHT),
    ("one_leg_balance", "balance", "right", 0.0, 3.5, LIGHT),
    ("one_leg_balance", "balance", "right", 90.0, 3.5, LIGHT),
    ("front_kick", "balance", "right", 0.0, 2.05, LIGHT),
    ("stand", "balance", "left", 0.0, 1.0, LIGHT),
    ("stand", "balance", "left", 0.0, 1.0, HARD),
    ("stand", "balance", "left", 90.0, 1.0, HARD),
    ("stand", "balance", "left", 180.0, 1.0, LIGHT),
    ("stand", "balance", "left", 180.0, 1.0, HARD),
    ("punch", "balance", "left", 0.0, 1.2, LIGHT),
    ("punch", "balance", "right", 0.0, 1.2, LIGHT),
    ("ginga", "balance", "right", 0.0, 2.0, LIGHT),
    ("dance", "balance", "left", 0.0, 1.2, LIGHT),
    ("walk", "balance", "left", 0.0, 2.0, LIGHT),
)
SLICE, ROUNDS = 50, 40  # steps timed in one go, and how often


def main() -> None:
    tables = {"follow": follow, "hits": hits, "expected": expected, "sources": sources, "cost": cost}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="*", help=", ".join(tables))
    parser.add_argument("--mocap", type=Path)
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--robustness", default="plausible")
    options = parser.parse_args()
    for name in options.table or tables:
        print(f"\n{name}, {1000 * options.dt:g} ms, {options.robustness}\n")
        tables[name](options)


def follow(options: argparse.Namespace) -> None:
    """Mean joint errors and their ratios for both strategies, each until the first of the runs that it compares falls."""
    print("| clip | strategy | high gains | low alone | fed forward | alone / high | of soft joints | fed / high |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for clip in clips(options, OWN + HELD_OUT_OWN, REAL + HELD_OUT_REAL):
        for strategy in STRATEGIES:
            high, low, fed = takes = [_take(options, clip, replace(s, strategy=strategy)) for s in (HIGH, LOW, FED)]
            everywhere, soft = np.ones_like(joint_error_deg(high), bool), _soft_joints(high, strategy)
            ratios = (_ratio(low, high, everywhere), _ratio(low, high, soft), _ratio(fed, high, everywhere))
            cells = [f"{joint_error_deg(t)[_until_fall(t)].mean():.2f}°{_fell(t)}" for t in takes]
            ratios = f"{ratios[0]:.1f} | {ratios[1]:.1f} | {ratios[2]:.2f}"
            print(f"| {clip.stem} | {strategy} | {' | '.join(cells)} | {ratios} |", flush=True)


def hits(options: argparse.Namespace) -> None:
    """How far struck limbs give way with high gains and with feedforward, degrees, and what is left after a second."""
    print("| clip | strategy | arm: high, fed | times | after 1 s | head: high, fed | times | after 1 s | falls |")
    print("|---|---|--:|--:|--:|--:|--:|--:|---|")
    for clip in clips(options, ("stand", *OWN, *HELD_OUT_OWN), REAL + HELD_OUT_REAL):
        blows = _blows(clip)
        length = blows[1].at + BACK + WATCHED
        for strategy in STRATEGIES:
            cells = []
            for names, blow in zip((ARM, HEAD), blows, strict=True):
                (high, _), (fed, after) = (
                    swing(options, clip, replace(s, strategy=strategy), blows, names, blow, length) for s in (HIGH, FED)
                )
                cells += [f"{high:.1f}°, {fed:.1f}°", f"{fed / high:.2f}", f"{after:.1f}°"]
            fell = _fell(_take(options, clip, replace(FED, strategy=strategy), blows, length)) or "no"
            print(f"| {clip.stem} | {strategy} | {' | '.join(cells)} | {fell} |", flush=True)


def expected(options: argparse.Namespace) -> None:
    """How far a blow moves the knee, unexpected and expected: by itself, and while another hits the head from behind.

    Each is compared with a run that is left alone.
    """
    print("| clip | strategy | leg, from | ball | unexpected | expected | share | and the head: unexpected | expected | share |")
    print("|---|---|---|---|--:|--:|--:|--:|--:|--:|")
    for name, strategy, leg, source, at, (mass, speed) in KNEES:
        head = Ball(mass=3.0, speed=5.0, target="head", from_deg=180.0, at=at)
        shin = Ball(mass=mass, speed=speed, target=f"{leg}_shin", from_deg=source, at=at)
        balls = (shin, replace(shin, expected=True))
        cells = [f"{name} | {strategy} | {leg}, {source:g}° | {mass:g} kg, {speed:g} m/s"]
        for others in ((), (head,)):
            far, less = (knee_moves(options, Path(name), replace(FED, strategy=strategy), ball, others) for ball in balls)
            cells.append(f"{far:.1f}° | {less:.1f}° | {less / far:.2f}")
        print(f"| {' | '.join(cells)} |", flush=True)


def knee_moves(
    options: argparse.Namespace, clip: Path, settings: Feedforward, ball: Ball, others: tuple[Ball, ...] = ()
) -> float:
    """How far a ball, and perhaps others, move the joint above the segment that it hits, degrees."""
    take, calm = (_take(options, clip, settings, events, ball.at + 0.8) for events in ((ball, *others), ()))
    return _farthest(_angles(take, calm, (ball.target,)), take.times - ball.at)


def sources(options: argparse.Namespace) -> None:
    """Mean joint errors in the last cycle of clips that are looped ten times."""
    print(f"| clip, ten times | strategy | {' | '.join(SOURCES)} |\n|---|---|" + "--:|" * len(SOURCES))
    for name in ("walk_in_place", "ginga", "march"):
        for strategy in STRATEGIES:
            cells = []
            for source in SOURCES:
                settings = replace(FED, source=source, strategy=strategy)
                scene = Scenario(loop=10, controller="feedforward", feedforward=settings)
                take = simulate(name, scenario=scene, dt=options.dt, robustness=options.robustness)
                cells.append(f"{joint_error_deg(take)[-len(take.times) // 10 :].mean():.2f}°{_fell(take)}")
            print(f"| {name} | {strategy} | {' | '.join(cells)} |", flush=True)


def cost(options: argparse.Namespace) -> None:
    """Medians of microseconds per step, and of the ratio to the same law without its auxiliary world and to balance."""
    kinds = {"balance": None, "high gains alone": HIGH, "feedforward": FED}
    print("| strategy | " + " | ".join(kinds) + " | to high gains alone | to balance |\n|---|--:|--:|--:|--:|--:|")
    for strategy in STRATEGIES:
        runs = [_prepared(options, settings, strategy) for settings in kinds.values()]
        spent = np.array([_seconds_per_step(runs) for _ in range(2)][1])  # the first time compiles
        us, ratio = 1e6 * np.median(spent, axis=0), np.median(spent[:, 2:] / spent[:, :2], axis=0)
        print(f"| {strategy} | " + " | ".join(f"{u:.0f} µs" for u in us) + f" | {ratio[1]:.2f} | {ratio[0]:.2f} |")


def clips(options: argparse.Namespace, own: Sequence[str], real: Sequence[str]) -> list[Path]:
    """Built-in clips, and real ones where there is a folder of them."""
    return [Path(name) for name in own] + ([options.mocap / f"{name}.bvh" for name in real] if options.mocap else [])


def swing(
    options: argparse.Namespace,
    clip: Path,
    settings: Feedforward,
    events: tuple[Event, ...],
    names: tuple[str, ...],
    blow: Ball,
    length: float,
) -> tuple[float, float]:
    """How far the joints are from those of a run without this blow, degrees: at most within 0.6 s, and from 1 s to 1.3 s.

    Both runs have the blows before it, and none after it.
    """
    before = tuple(event for event in events if event.at < blow.at)
    take, calm = _take(options, clip, settings, (*before, blow), length), _take(options, clip, settings, before, length)
    angle, since = _angles(take, calm, names), take.times - blow.at
    return _farthest(angle, since), float(angle[(since > BACK) & (since < BACK + WATCHED)].max())


def _farthest(angle: Array, since: Array) -> float:
    """The largest of the angles (N,) in the time after a blow in which it moves what it hits."""
    return float(angle[(since > -0.1) & (since < 0.6)].max())


@cache
def _blows(clip: Path) -> tuple[Ball, Ball]:
    """The balls on arm and head; a short clip gets them earlier, so that it does not end before the head should be back."""
    at_head = min(AT_HEAD, prepare(str(clip)).duration - BACK - WATCHED)
    return (
        Ball(mass=3.0, speed=5.0, target="left_upper_arm", from_deg=270.0, at=min(AT_ARM, at_head / 2)),
        Ball(mass=3.0, speed=5.0, target="head", from_deg=0.0, at=at_head),
    )


def _ratio(take: Take, other: Take, where: Mask) -> float:
    """The mean joint error of a take to that of another, over joints and moments (N, S - 1), until one of them falls."""
    where = where & (_until_fall(take) & _until_fall(other))[:, None]
    return float(joint_error_deg(take)[where].mean() / joint_error_deg(other)[where].mean())


def _until_fall(take: Take) -> Mask:
    return take.times < (fell_at_s(take) or np.inf)


def _soft_joints(take: Take, strategy: str) -> Mask:
    """Which joints (N, S - 1) have low gains: on balance all but those of legs that stand in the clip."""
    legs = legs_of(take.character)[1:]
    stands = (legs >= 0) & take.stance[:, legs]
    return ~stands if strategy == "balance" else np.ones_like(stands)


def _angles(take: Take, calm: Take, names: tuple[str, ...]) -> Array:
    parents = np.array(take.character.parents)
    k = np.array([take.character.index(name) for name in names])
    own, other = (rotation.multiply(rotation.conjugate(t.rotation[:, parents[k]]), t.rotation[:, k]) for t in (take, calm))
    return np.degrees(rotation.angle_between(own, other)).max(axis=1)


def _take(
    options: argparse.Namespace, clip: Path, settings: Feedforward, events: tuple[Event, ...] = (), length: float | None = None
) -> Take:
    return _simulated(str(clip), settings, events, length, options.dt, options.robustness)


@cache
def _simulated(
    clip: str, settings: Feedforward, events: tuple[Event, ...], length: float | None, dt: float, robustness: str
) -> Take:
    return simulate(
        clip, controller="feedforward", feedforward=settings, events=events, duration=length, dt=dt, robustness=robustness
    )


def _fell(take: Take) -> str:
    fell = fell_at_s(take)
    return "" if fell is None else f" falls at {fell:.1f} s"


def _prepared(options: argparse.Namespace, settings: Feedforward | None, strategy: str) -> Stepper:
    if settings is None:
        return Stepper(prepare("punch", controller="balance" if strategy == "balance" else "pose", dt=options.dt))
    return Stepper(prepare("punch", controller="feedforward", feedforward=replace(settings, strategy=strategy), dt=options.dt))


def _seconds_per_step(runs: list[Stepper]) -> list[list[float]]:
    """Seconds per step (rounds, runs), in slices that take turns."""
    spent = []
    for _ in range(ROUNDS):
        spent.append([])
        for stepper in runs:
            began = time.thread_time()  # not the clock on the wall: others may have the processor in between
            for _ in range(SLICE):
                stepper.step()
            spent[-1].append((time.thread_time() - began) / SLICE)
    return spent


if __name__ == "__main__":
    main()
