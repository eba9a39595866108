"""The arrows between rooms, and what loads when."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "poise"

# Each room may import the rooms listed with it, and itself. Rooms lower in the design see only rooms above them.
GROUND = {"errors", "rotation", "files", "controller_names", "limits", "pinned", "quaternion"}
MAY_IMPORT = {
    "errors": set(),
    "rotation": {"errors"},
    "files": {"errors"},
    "limits": set(),
    "controller_names": {"errors"},
    "pinned": set(),
    "quaternion": set(),
    "motion": GROUND,
    "character": GROUND | {"motion"},
    "reference": GROUND | {"motion", "character"},
    "physics": GROUND | {"motion", "character", "reference"},
    "control": GROUND | {"motion", "character", "reference", "physics"},
    "scenario": GROUND | {"motion", "character", "reference", "physics"},
    "take": GROUND | {"motion", "character", "export"},
    "measure": GROUND | {"motion", "character", "take"},
    "export": GROUND | {"motion", "character", "take", "measure", "report"},
    "report": GROUND | {"motion", "character", "take", "measure", "export"},
}
SEES_NO_SIMULATOR = ("take", "measure", "export", "report", "motion", "character")
DRAWS_WITH_MUJOCO = {"report", "character"}  # the renderer, and the compiler of characters; imported where they are used

LIGHT_IMPORTS = """
import json, sys, time
began = time.perf_counter()
{statement}
heavy = [m for m in ("numba", "matplotlib", "mujoco", "viser", "av", "rich", "PIL") if m in sys.modules]
print(json.dumps({{"heavy": heavy, "seconds": time.perf_counter() - began}}))
"""


def imports_of(path: Path) -> set[str]:
    """The rooms of poise that a module imports, wherever in it, other than for its annotations."""
    rooms = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))]
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "poise" else [node.module]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("poise.") and "__" not in name}
    return rooms


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_imports_go_one_way(room):
    files = [SOURCE / f"{room}.py"] if (SOURCE / f"{room}.py").exists() else sorted((SOURCE / room).rglob("*.py"))
    for path in files:
        wrong = imports_of(path) - MAY_IMPORT[room] - {room}
        assert not wrong, f"{path.name} imports {wrong}"


@pytest.mark.parametrize("room", SEES_NO_SIMULATOR)
def test_a_take_is_measured_and_exported_without_a_simulator(room):
    files = [SOURCE / f"{room}.py"] if (SOURCE / f"{room}.py").exists() else sorted((SOURCE / room).rglob("*.py"))
    for path in files:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                assert not any(n.split(".")[0] == "mujoco" for n in names), f"{path.name} imports mujoco when loaded"
        if room not in DRAWS_WITH_MUJOCO:
            assert "import mujoco" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize(
    "statement", ["import poise", "from poise.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"]
)
def test_importing_poise_loads_nothing_heavy(statement):
    script = LIGHT_IMPORTS.format(statement=statement)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.strip().splitlines()[-1])
    assert result["heavy"] == []
