"""Shared fixtures: where the real clips and rigs are, if they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).resolve().parent.parent


def _folder(variable: str, beside: str) -> Path:
    folder = Path(os.environ.get(variable) or _REPOSITORY.parent / "shared" / beside)
    if not folder.is_dir():
        pytest.skip(f"no {beside} folder; set {variable}")
    return folder


@pytest.fixture(scope="session")
def mocap() -> Path:
    """The folder of real clips: POISE_MOCAP, or ../shared/mocap beside the repository."""
    return _folder("POISE_MOCAP", "mocap")


@pytest.fixture(scope="session")
def rigs() -> Path:
    """The folder of real rigs: POISE_RIGS, or ../shared/rigs beside the repository."""
    return _folder("POISE_RIGS", "rigs")
