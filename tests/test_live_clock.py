"""When frames were taken, from when they came."""

from __future__ import annotations

import random

import numpy as np

from poise.live.playout import Playout
from poise.live.sender_clock import SenderClock
from poise.live.world_time import WorldTime

FPS = 120.0
LOOK = 0.001  # s between looks at the socket
EXACT = 2 * LOOK


def arrivals(nframes, late=0.0, share=0.0, seed=0):
    """When frames arrive that are sent at their times: some late, none overtaking another."""
    noise, last, result = random.Random(seed), 0.0, []
    for k in range(nframes):
        delay = noise.expovariate(1.0 / late) if noise.random() < share else 0.0
        last = max(k / FPS + delay, last)
        result.append(float(np.ceil(last / LOOK) * LOOK))
    return result


def test_frames_in_time_are_taken_as_they_come():
    clock = SenderClock()
    moments = [clock.when(arrival) for arrival in arrivals(300)]
    assert np.abs(np.array(moments) - np.arange(300) / FPS).max() < EXACT
    assert abs(clock.period - 1.0 / FPS) < 1e-5 and clock.lateness < EXACT


def test_late_frames_get_the_times_at_which_they_were_sent():
    clock = SenderClock()
    moments = [clock.when(arrival) for arrival in arrivals(600, late=0.03, share=0.1)]
    assert np.median(np.abs(moments - np.arange(600) / FPS)[240:]) < EXACT
    assert 0.01 < clock.lateness < 0.2


def test_a_slower_sender_is_noticed_within_a_few_frames():
    clock = SenderClock()
    for arrival in arrivals(300):
        clock.when(arrival)
    start = 300 / FPS
    moments = [clock.when(start + k / 40.0) for k in range(40)]
    assert np.abs(np.array(moments)[4:] - start - np.arange(40)[4:] / 40.0).max() < 0.005
    assert abs(clock.period - 1.0 / 40.0) < 1e-3


def test_the_sender_s_own_stamps_are_believed_over_the_rate():
    clock, told = SenderClock(), [0.01, 0.02, 0.01, 0.005] * 60
    times = np.cumsum([0.0, *told[1:]])
    moments = [clock.when(time + 0.5, 1, step) for time, step in zip(times, told, strict=True)]
    assert np.abs(np.array(moments) - times - 0.5)[24:].max() < EXACT


def test_after_a_pause_it_begins_anew():
    clock = SenderClock()
    for arrival in arrivals(200):
        clock.when(arrival)
    assert clock.when(100.0) == 100.0


def test_nothing_is_held_back_on_a_good_line_and_late_frames_are_waited_for_gradually():
    playout = Playout()
    playout.adapt(1.0, 0.005)
    assert playout.delay == 0.0
    playout.adapt(0.1, 0.05)
    assert 0.0 < playout.delay < 0.02
    for _ in range(20):
        playout.adapt(0.1, 0.05)
    assert 0.03 < playout.delay < 0.05


def test_simulated_time_lies_beside_the_clock_though_steps_come_in_batches():
    time, keeper = 0.0, WorldTime()
    for batch in range(200):
        now = 50.0 + 0.008 * (batch + 1)
        for _ in range(4):
            keeper.keep(time, now)
            time += 0.002
    assert abs(keeper.simulated(51.0) - (1.0 - 0.002)) < 0.003
