"""Mixed precision of 1.8: the network is changed in place."""

from functools import wraps

from msbridge.nn.cell.cell import Cell
from msbridge.train import amp


@wraps(amp.auto_mixed_precision)
def _auto_mixed_precision(network: Cell, amp_level: str = "O0") -> None:
    _today(network, amp_level)


_today = amp.auto_mixed_precision
OVERRIDES = {"amp.auto_mixed_precision": _auto_mixed_precision}
