"""Training modes of the Cells of a network while graph mode runs it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from msbridge.core.context.graph_mode import is_graph_mode
from msbridge.nn.cell.cell import Cell

__all__ = ["CompiledModes"]

Modes = list[tuple[Cell, bool]]


class CompiledModes:
    """The modes that the Cells of a network had at its first call, for the calls after it in graph mode.

    There the first call compiles the network, and the graph stays until the network itself is set to training or to
    inference. A callback that evaluates a part of it, by a Model of its own, sets this part to inference, and the
    training continues unaffected: its BatchNorm takes the statistics of the batch, its Dropout drops. In PyNative mode
    what is set last counts.
    """

    def __init__(self, network: Cell) -> None:
        self._network = network
        self._is_graph = is_graph_mode()
        self._compiled: dict[bool, Modes] = {}

    def preserve_modes(self) -> AbstractContextManager[None]:
        """Return a context in which a call of the network computes as it was compiled."""
        if not self._is_graph:
            return nullcontext()
        modes = self._compiled.get(self._network.training)
        if modes is None:
            modes = [(cell, cell.training) for _, cell in self._network.cells_and_names()]
            self._compiled[self._network.training] = modes
        changed = [(cell, mode) for cell, mode in modes if cell.training is not mode]
        return _lend_modes(changed) if changed else nullcontext()


@contextmanager
def _lend_modes(modes: Modes) -> Iterator[None]:
    """Set these modes on Cells, and later those that they have now."""
    later = [(cell, cell.training) for cell, _ in modes]
    _give(modes)
    try:
        yield
    finally:
        _give(later)


def _give(modes: Modes) -> None:
    for cell, mode in modes:
        cell.training = mode
