"""Interruptions end a command in one line wherever they hit, also where Python would swallow them."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

# A callback from C, as numba's compiler has them: an exception in it is printed and then forgotten.
SCRIPT = """
import ctypes, os, signal
from poise import interruption
interruption.watch()
call = ctypes.CFUNCTYPE(None)
def hit():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000): pass
{body}
"""
IN_CALLBACK = """
with interruption.at_once():
    call(hit)()
print("went on")
"""
AFTER_PREPARING = """
with interruption.at_once() as prepared:
    prepared()
    try:
        hit()
    except KeyboardInterrupt:
        print("raised", interruption.was_hit())
"""
AFTERWARDS = """
with interruption.at_once():
    pass
try:
    hit()
except KeyboardInterrupt:
    print("raised", interruption.was_hit())
"""


def run(body):
    return subprocess.run([sys.executable, "-c", SCRIPT.format(body=body)], capture_output=True, text=True)


def test_in_a_callback_of_the_compiler_the_process_ends_with_one_line():
    done = run(IN_CALLBACK)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "poise: interrupted; nothing was written\n")


@pytest.mark.parametrize("body", [AFTER_PREPARING, AFTERWARDS])
def test_once_prepared_an_interruption_is_raised_and_can_be_answered(body):
    done = run(body)
    assert (done.returncode, done.stdout, done.stderr) == (0, "raised True\n", "")


def test_somebody_elses_handler_is_left_alone():
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from poise import interruption

        interruption.watch()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
