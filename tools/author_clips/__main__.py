"""Writes the clip library: `python -m tools.author_clips [FOLDER]`, by default into the package. Same bytes every time."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.author_clips.balance import balanced
from tools.author_clips.clips import CLIPS
from tools.author_clips.output import DECIMALS, clip_of

from poise.motion.bvh_writer import write

LIBRARY = Path(__file__).resolve().parents[2] / "src" / "poise" / "motion" / "library"


def main(folder: Path = LIBRARY) -> None:
    """Author every clip into the folder and say so, a line each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in CLIPS.items():
        file = folder / f"{name}.bvh"
        write(clip_of(name, balanced(make())), file, decimals=DECIMALS)
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
