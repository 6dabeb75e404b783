"""What stands in for a CUDA graph on the CPU: the calls of the tape run again, into the same memory.

Like a graph it repeats what was noted with the numbers of then, runs nothing of the script's Python code, and leaves
its results where they were the first time.
"""

from typing import Any

from msbridge.device.capture.recorders import Graph
from msbridge.device.capture.tape import Tape
from msbridge.device.capture.trial import flat


class Replay(Graph):
    """A tape as a graph."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.replays = 0

    @property
    def results(self) -> Any:
        return self._results

    def replay(self) -> None:
        self.replays += 1
        results, _ = self._tape.run()
        if self.replays == 1:
            self._results = results
        for kept, data in zip(flat(self._results), flat(results), strict=True):
            kept.copy_(data)
