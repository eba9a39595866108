"""Every example runs from top to bottom, in a process and a folder of its own, and its own assertions hold."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.py"))
LONGEST_LINES = 80
TIME_LIMIT = 300  # s; each takes a few seconds, the first ever run also compiles


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_checks_itself(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", example], cwd=tmp_path, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert any(c.isdigit() for c in done.stdout), "an example ends with a printed number"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_ends_with_a_check(example):
    text = example.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) < LONGEST_LINES
    assert ast.get_docstring(tree), "an example says first what it shows"
    assert isinstance(tree.body[-1], ast.Assert)


def test_there_are_examples():
    assert len(EXAMPLES) >= 5
