"""Draws what an actor asks of a character, beside the actor: `python -m tools.feature_strips CLIP CHARACTER OUT.png`.

The actor's bones stand in front, the character is led by its features alone (no physics). Balls are the features: root and
effectors, red where a support limb is planned to be in contact.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tools.gallery import shrink

from poise import rotation
from poise.character.character import Character
from poise.character.style import style_of
from poise.character.toml import load_character
from poise.control.limbs.puppet import puppet_reference
from poise.motion.clip import Clip
from poise.motion.load import load_tidied
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features
from poise.reference.reference import Reference
from poise.report import palette
from poise.report.clip_scene import clip_scene
from poise.report.filmstrip import draw
from poise.report.scene import Piece, Scene, picked
from poise.report.take_scene import boxes
from poise.rotation import Array, Mask

_ASIDE = 1.3  # m between the actor and the character
_BALL = 0.09  # m


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip")
    parser.add_argument("character")
    parser.add_argument("output", type=Path)
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--style")
    options = parser.parse_args()
    clip = load_tidied(options.clip)[0]
    scene = beside(clip, load_character(options.character), options.frames, options.style)
    draw(scene, options.output, (clip.name, f"the actor, and what it asks of the {options.character}"), -50.0, 1600, None)
    shrink(options.output)


def beside(clip: Clip, character: Character, frames: int, style: str | None = None) -> Scene:
    """The actor, the character led by its features, and the features, at evenly spaced moments."""
    chosen = np.unique(np.round(np.linspace(0, clip.nframes - 1, frames)).astype(int))
    actor = picked(clip_scene(clip), chosen)
    aside = _ASIDE * rotation.rotate(rotation.about_z(actor.facing), [0.0, 1.0, 0.0])
    puppet = puppet_reference(clip, character, style_of(character, style))
    led = _led(puppet, character, actor.times, aside)
    return Scene((*actor.pieces, *led, *_balls(clip, character, style, actor.times, aside)), actor.times, actor.facing)


def _led(puppet: Reference, character: Character, times: Array, aside: Array) -> list[Piece]:
    at = np.minimum(np.round(times * puppet.fps).astype(int), len(puppet.table) - 1)
    return list(boxes(character, puppet.column("position")[at] + aside, puppet.column("rotation")[at]))


def _balls(clip: Clip, character: Character, style: str | None, times: Array, aside: Array) -> list[Piece]:
    """A ball at the root and at every effector, one for contact and one for none."""
    source, features = ClipFeatures(clip, character, style_of(character, style)), Features(character)
    places, contacts = [], []
    for t in np.arange(0.0, times[-1] + 0.005, 0.005):
        source.sample(float(t), features)
        places.append(np.vstack([features.root_position, features.position]))
        contacts.append([False, *features.contact])
    at = np.round(times / 0.005).astype(int)
    where, touching = np.array(places)[at] + aside, np.array(contacts)[at]
    balls = []
    for k in range(where.shape[1]):
        balls.append(_ball(where[:, k], touching[:, k], palette.PUSH))
        balls.append(_ball(where[:, k], ~touching[:, k], palette.BALL))
    return balls


def _ball(where: Array, visible: Mask, color: palette.Color) -> Piece:
    n = len(where)
    return Piece("sphere", np.full((n, 3), _BALL), where, np.tile(rotation.IDENTITY, (n, 1)), color, visible, framed=False)


if __name__ == "__main__":
    main()
