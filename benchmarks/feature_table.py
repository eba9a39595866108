"""What retargeting makes of clips, without physics: `python -m benchmarks.feature_table FILE ... [--character raptor]`.

For each clip: how often contacts switch, as captured and with 3 mm of noise on every joint in every frame; the share of time with
no contact at all; how fast what is in contact moves; how far the root is from the actor's at the character's size; the delay.
Prints a Markdown table, and one JSON line per clip with --json.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.toml import load_character
from poise.motion.load import load_tidied
from poise.reference.actor import Performance, performance_of
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features, effector_limbs
from poise.rotation import Array, Mask

STEP, NOISE_M = 0.002, 0.003


@dataclass(frozen=True)
class Row:
    """One clip: the columns of the table."""

    clip: str
    seconds: float
    switches: int
    switches_with_noise: int
    no_contact: float
    slide_m_s: float
    root_off_m: float
    delay_ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--character", default="raptor")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    character = load_character(options.character)
    if not options.json:
        print("| clip | s | switches | with noise | no contact | slide, m/s | root off, m | delay, ms |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for clip in options.clips:
        row = measure(clip, character)
        print(json.dumps(asdict(row)) if options.json else _line(row), flush=True)


def measure(clip: str, character: Character) -> Row:
    """The row of one clip."""
    performance = performance_of(load_tidied(clip)[0])
    noise = np.random.default_rng(0).normal(0.0, NOISE_M, performance.position.shape)
    noisy = _follow(replace(performance, position=performance.position + noise), character)
    clean = _follow(performance, character)
    scale = clean.source.tracker.scale
    own = scale * performance.position[:, performance.actor.index("pelvis"), :2]
    there = np.stack([np.interp(clean.times, performance.times, own[:, i]) for i in range(2)], axis=-1)
    return Row(
        Path(clip).name,
        float(performance.times[-1]),
        _switches(clean.contact),
        _switches(noisy.contact),
        float(1.0 - clean.contact.any(axis=1).mean()),
        _slide(clean, character),
        float(np.linalg.norm(clean.root[:, :2] - there, axis=-1).max()),
        1e3 * clean.source.delay,
    )


@dataclass(frozen=True, eq=False)
class Followed:
    source: ClipFeatures
    times: Array
    root: Array  # (N, 3)
    position: Array  # (N, E, 3)
    rotation: Array  # (N, E, 4)
    contact: Mask  # (N, E)


def _follow(performance: Performance, character: Character) -> Followed:
    source, features = ClipFeatures(performance, character), Features(character)
    times = np.arange(max(round(performance.times[-1] / STEP), 2)) * STEP
    root, position, turn, contact = [], [], [], []
    for t in times:
        source.sample(float(t), features)
        root.append(features.root_position.copy())
        position.append(features.position.copy())
        turn.append(features.rotation.copy())
        contact.append(features.contact.copy())
    return Followed(source, times, np.array(root), np.array(position), np.array(turn), np.array(contact))


def _switches(contact: Mask) -> int:
    return int(np.abs(np.diff(contact.astype(int), axis=0)).sum())


def _slide(followed: Followed, character: Character) -> float:
    """The fastest that the fixed edge of a standing sole moves, m/s."""
    fastest = 0.0
    for k, limb in enumerate(effector_limbs(character)):
        stays = followed.contact[1:, k] & followed.contact[:-1, k]
        if limb.kind == "support" and stays.any():
            edge = followed.position[:, k] + rotation.rotate(followed.rotation[:, k], followed.source.tracker.edge(k))
            fastest = max(fastest, float(np.linalg.norm(np.diff(edge, axis=0)[stays], axis=-1).max()) / STEP)
    return fastest


def _line(row: Row) -> str:
    return (
        f"| {row.clip} | {row.seconds:.1f} | {row.switches} | {row.switches_with_noise} | {100 * row.no_contact:.0f} % | "
        f"{row.slide_m_s:.0e} | {row.root_off_m:.2f} | {row.delay_ms:.0f} |"
    )


if __name__ == "__main__":
    main()
