"""What blows at many moments do to characters with feedforward on balance: three counts of docs/feedforward.md.

    python benchmarks/many_blows.py [arms|any|legs ...] [--mocap ../shared/mocap/cmu] [--dt 0.002]

`arms`: a ball of 3 kg at 5 m/s on the left arm at twelve moments of each real clip of the table of hits; how far the arm is off
after a second. `any`: the same ball on arms and heads at moments and from sides that a seed picks; how far they give way, to high
gains. `legs`: blows on either shin at moments, from sides and by balls that a seed picks; how far the knee moves if the blow is
expected, to how far it moves if it is not. Robustness is `plausible`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from feedforward_table import ARM, BACK, FED, HARD, HIGH, LIGHT, REAL, WATCHED, clips, knee_moves, swing
from feedforward_table import OWN as OWN_HIT

from poise.measure import fell_at_s
from poise.scenario.events import Ball
from poise.simulation import prepare, simulate

LONGEST, MOMENTS, NEAR_DEG = 6.0, 12, 5.0
OWN = ("punch", "ginga", "dance", "front_kick", "stand", "march", "walk", "one_leg_balance")
WALKS = ("143_23", "79_08", "135_04", "07_01")
BALLS = (LIGHT, LIGHT, (5.0, 6.0), HARD)
BLOWS, HITS, SEED = 96, 64, 1
SHARE, FARTHER = 0.6, 2.0
MISSED_DEG = 3.0  # what moves less was missed by the ball, which struck the trunk


def main() -> None:
    counts = {"arms": arms, "any": anywhere, "legs": legs}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="*", help=", ".join(counts))
    parser.add_argument("--mocap", type=Path)
    parser.add_argument("--dt", type=float, default=0.002)
    options = parser.parse_args()
    options.robustness = "plausible"
    for name in options.count or counts:
        counts[name](options)


def arms(options: argparse.Namespace) -> None:
    """Of how many blows the arm is back, clip by clip."""
    for clip in clips(options, (), REAL):
        length, left, falls = min(prepare(str(clip)).duration, LONGEST), [], 0
        for at in np.linspace(0.3, length - BACK - WATCHED - 0.05, MOMENTS):
            blow = Ball(mass=3.0, speed=5.0, target="left_upper_arm", from_deg=270.0, at=float(at))
            end = blow.at + BACK + WATCHED + 0.05
            left.append(swing(options, clip, FED, (blow,), ARM, blow, end)[1])
            take = simulate(str(clip), controller="feedforward", events=[blow], duration=end, dt=options.dt)
            falls += fell_at_s(take) is not None
        back = sum(angle < NEAR_DEG for angle in left)
        print(f"{clip.stem}: back within 5° in {back} of {MOMENTS}, at most {max(left):.1f}°, {falls} fall", flush=True)


def anywhere(options: argparse.Namespace) -> None:
    """How many struck limbs give way twice as far as with high gains, of those that the ball does not miss."""
    pick, ratios, back = np.random.default_rng(SEED), [], 0
    chosen = clips(options, ("stand", *OWN_HIT), REAL)
    for number in range(HITS):
        clip, side = chosen[number % len(chosen)], ("left", "right")[pick.integers(2)]
        target = (f"{side}_upper_arm", f"{side}_forearm", "head")[pick.integers(3)]
        source, latest = float(pick.choice(np.arange(0, 360, 45))), min(prepare(str(clip)).duration, LONGEST) - BACK - WATCHED
        blow = Ball(mass=3.0, speed=5.0, target=target, from_deg=source, at=round(float(pick.uniform(0.5, latest - 0.1)), 2))
        names = ("head",) if target == "head" else (f"{side}_upper_arm", f"{side}_forearm")
        end = blow.at + BACK + WATCHED + 0.05
        (high, _), (fed, left) = (swing(options, clip, law, (blow,), names, blow, end) for law in (HIGH, FED))
        print(f"{clip.stem} {target} at {blow.at} s from {source:g}°: {high:.1f}°, {fed:.1f}°, after 1 s {left:.1f}°", flush=True)
        back += left < NEAR_DEG
        ratios += [fed / high] if fed > MISSED_DEG else []
    far = sum(ratio >= FARTHER for ratio in ratios)
    print(
        f"back within 5° in {back} of {HITS}; {far} of {len(ratios)} give way twice as far, in the median {np.median(ratios):.2f}"
    )


def legs(options: argparse.Namespace) -> None:
    """The shares of blows that are expected."""
    pick, shares = np.random.default_rng(SEED), []
    chosen = clips(options, OWN, WALKS)
    for number in range(BLOWS):
        clip, leg = chosen[number % len(chosen)], ("left", "right")[pick.integers(2)]
        at, source = round(float(pick.uniform(0.6, 2.2)), 2), float(pick.choice(np.arange(0, 360, 45)))
        mass, speed = BALLS[pick.integers(len(BALLS))]
        few, many = (
            knee_moves(options, clip, FED, Ball(mass, speed, target=f"{leg}_shin", from_deg=source, at=at, expected=expected))
            for expected in (True, False)
        )
        shares.append(few / many)
        print(f"{clip.stem} {leg} at {at} s from {source:g}°, {mass:g} kg: {many:.1f}°, expected {few:.1f}°", flush=True)
    print(f"below {SHARE} in {sum(share < SHARE for share in shares)} of {BLOWS}, in the median {np.median(shares):.2f}")


if __name__ == "__main__":
    main()
