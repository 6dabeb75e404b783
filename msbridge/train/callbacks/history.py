"""A callback that keeps the results of all epochs."""

from typing import Any

from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.callbacks.callback import first_output


class History(Callback):
    """Keeps what the network returned at the end of each epoch, and the metrics of its evaluation.

    Attributes:
        epoch: {"epoch": numbers of the epochs}.
        history: {"net_output": the last loss of each epoch, and the metrics by name}.

    Follows: mindspore.train.History (2.10).
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: Any = None  # until a training begins

    def begin(self, run_context: RunContext) -> None:
        """Begin to count epochs; what was collected stays."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep the results of this epoch."""
        cb_params = run_context.original_args()
        self.epoch["epoch"].append(cb_params.get("cur_epoch_num", 1))
        output = first_output(cb_params.get("net_outputs"))
        if isinstance(output, Tensor):
            array = output.asnumpy()
            output = array if array.ndim else array[()]
        for name, value in {"net_output": output, **(cb_params.get("metrics") or {})}.items():
            self.history.setdefault(name, []).append(value)
