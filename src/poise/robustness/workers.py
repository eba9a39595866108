"""Many jobs on all cores, or on Ray; what comes back does not depend on where it was computed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from typing import Any, TypeVar

from poise.errors import BadInput

J = TypeVar("J")
R = TypeVar("R")


def in_processes(work: Callable[[J], R], jobs: Sequence[J], nworkers: int) -> Iterator[tuple[int, R]]:
    """The number of each job and its result, as they are done; with one worker in this process, one after the other."""
    nworkers = min(nworkers, len(jobs))
    if nworkers <= 1:
        yield from ((k, work(job)) for k, job in enumerate(jobs))
        return
    context = multiprocessing.get_context("spawn")  # a forked MuJoCo or numba is not safe
    mine = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(nworkers, context, initializer=_leave_interruptions_to_the_parent)
    try:
        numbers = {pool.submit(work, job): k for k, job in enumerate(jobs)}
        for done in as_completed(numbers):
            yield numbers[done], done.result()
    except BaseException:
        for worker in set(multiprocessing.active_children()) - mine:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def on_ray(work: Callable[[J], R], jobs: Sequence[J], nworkers: int | None = None) -> Iterator[tuple[int, R]]:
    """The same on Ray: on the cluster of RAY_ADDRESS, or on this machine with `nworkers` cores (None: all)."""
    ray = _ray()
    started_here = not ray.is_initialized()
    if started_here:
        own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": nworkers, "include_dashboard": False}
        ray.init(log_to_driver=False, logging_level="error", **own)
    try:
        remote = ray.remote(work)
        numbers = {remote.remote(job): k for k, job in enumerate(jobs)}
        waiting = list(numbers)
        while waiting:
            done, waiting = ray.wait(waiting)
            for ref in done:
                yield numbers[ref], ray.get(ref)
    finally:
        if started_here:
            ray.shutdown()


def check_ray() -> None:
    """Raises where Ray is not installed."""
    if find_spec("ray") is None:
        raise BadInput("Ray is not installed; pip install 'poise[ray]', or run on this machine's cores without --ray")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ray() -> Any:
    check_ray()
    import ray  # pyright: ignore[reportMissingImports]

    return ray


def _leave_interruptions_to_the_parent() -> None:
    """Ctrl-C reaches every process of the terminal; only the parent shall answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
