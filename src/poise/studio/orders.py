"""Orders to a thread: put in by anybody, carried out where and when that thread likes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Orders:
    """A queue of functions. `problem` is what the last order that could not be carried out has to say."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self._waiting: SimpleQueue[tuple[Callable[[], object], Future]] = SimpleQueue()

    def put(self, what: Callable[[], T]) -> Future[T]:
        """Asks for something; the answer comes when it has been carried out."""
        answer: Future[T] = Future()
        self._waiting.put((what, answer))
        return answer

    def carry_out(self) -> None:
        """Does all that was asked for, in its order. Errors go to whoever asked, the thread goes on."""
        while True:
            try:
                what, answer = self._waiting.get_nowait()
            except Empty:
                return
            try:
                answer.set_result(what())
            except Exception as problem:
                self.problem = str(problem)
                answer.set_exception(problem)
