"""Shared fixtures: where the real clips and rigs are, if they are, and Khronos' validator."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).resolve().parent.parent
_VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
_VALIDATE = """
const fs = require('fs'), validator = require('gltf-validator');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))
  .then(report => console.log(JSON.stringify(report.issues)));
"""


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


@pytest.fixture(scope="session")
def validate(request, tmp_path_factory):
    """What Khronos' validator says of a GLB's bytes; it is fetched once into pytest's cache."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("the glTF validator needs node and npm")
    folder = request.config.cache.mkdir("gltf-validator")
    if not (folder / "node_modules" / "gltf-validator").is_dir():
        fetched = subprocess.run(["npm", "install", "--silent", "--prefix", folder, _VALIDATOR], capture_output=True, text=True)
        if fetched.returncode:
            pytest.skip(f"npm could not fetch {_VALIDATOR}: {fetched.stderr.strip()[-200:]}")

    def issues(data):
        path = tmp_path_factory.mktemp("glb") / "take.glb"
        path.write_bytes(data)
        run = subprocess.run(["node", "-e", _VALIDATE, path], capture_output=True, text=True, cwd=folder, check=True)
        return json.loads(run.stdout)

    return issues
