"""Recursion without Python's recursion limit: queries nest as deep as their writers like."""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any


def run(request: Any, serve: Callable[[Any], Any]) -> Any:
    """The result of serving ``request``.

    ``serve`` answers at once, or gives the steps to the answer: a generator that yields requests for parts, gets each
    part's result sent, and returns its own.
    """
    stack: list[Generator[Any, Any, Any]] = []
    answer = serve(request)
    while True:
        result = None
        if isinstance(answer, GeneratorType):
            stack.append(answer)
        elif not stack:
            return answer
        else:
            result = answer
        try:
            answer = serve(stack[-1].send(result))
        except StopIteration as done:
            stack.pop()
            answer = done.value
