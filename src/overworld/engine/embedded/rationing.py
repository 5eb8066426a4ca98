"""What the writing of an answer may take: it is part of the time that a caller waits for a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from overworld.engine.embedded.context import Remark, timed_out, used_up
from overworld.engine.embedded.printing import Output, merged, portions

ENDINGS = ("runtime error: Query timed out", "runtime error: Query run out of memory")
"""How the remarks begin that end a run."""


@dataclass(frozen=True, slots=True)
class Ration:
    """Limits of writing. ``seconds``: what is left of the ``timeout_s`` of the query. ``size``: characters."""

    clock: Callable[[], float]
    seconds: float
    timeout_s: float
    size: int


class Portions:
    """Outputs in portions, as long as the ration lasts. Whoever writes them says what he has written.

    The engine looks at the clock while it prints: what is printed until then stays, and a remark ends the answer. It
    has no limit of length, because it keeps nothing; here the answer is held, and counts as memory.
    """

    def __init__(self, outputs: Sequence[Output], ration: Ration) -> None:
        self._outputs = outputs
        self._ration = ration
        self._written = 0
        self.trouble: Remark | None = None
        """What ended the writing, unless a remark of the run itself tells already why the answer ends early."""

    def wrote(self, texts: Sequence[str]) -> None:
        """Count what was written of the last portion."""
        self._written += sum(map(len, texts))

    def __iter__(self) -> Iterator[Output]:
        deadline = self._ration.clock() + self._ration.seconds
        remarks = [one for one in self._outputs if isinstance(one, Remark)]
        for one in merged(self._outputs):
            if isinstance(one, Remark):
                yield remarks.pop(0)
                continue
            for part in portions(one):
                yield part
                trouble = self._trouble(part.line, deadline)
                if trouble is not None:
                    if not any(remark.text.startswith(ENDINGS) for remark in remarks):
                        self.trouble = trouble
                        remarks.append(trouble)
                    yield from remarks
                    return

    def _trouble(self, line: int, deadline: float) -> Remark | None:
        if self._written > self._ration.size:
            return Remark(used_up("print", line, self._written))
        if self._ration.clock() > deadline:
            return Remark(timed_out("print", line, self._ration.timeout_s))
        return None
