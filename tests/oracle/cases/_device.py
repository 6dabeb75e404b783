"""A device that sinks. msbridge emulates one; for the real MindSpore on a CPU, what touches the device is replaced.

There `Model`, its callbacks and `DatasetHelper` are MindSpore's own, told that they run on an Ascend. The queue to the
device does nothing, and the network that is connected with it takes its batches from the dataset.
"""

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

import mindspore as ms
from mindspore import nn


@contextlib.contextmanager
def device(mode: str = "graph") -> Iterator[None]:
    """Let Models and DatasetHelpers run on an Ascend in this mode."""
    chosen = ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE
    if hasattr(ms, "install"):
        with importlib.import_module("msbridge.core.context.context").preserve_context():
            ms.set_context(device_target="Ascend", mode=chosen)
            yield
        return
    model, helper = (importlib.import_module(f"mindspore.train.{name}") for name in ("model", "dataset_helper"))
    context = _Context(model.context, {"device_target": "Ascend", "mode": chosen})
    with (
        mock.patch.object(model, "context", context),
        mock.patch.object(helper, "context", context),
        mock.patch.object(helper, "_exec_datagraph", _Queue),
        mock.patch.object(model, "connect_network_with_dataset", lambda *both: _connected(*both, mode == "graph")),
    ):
        yield


class _Context:
    def __init__(self, real: Any, told: dict[str, object]) -> None:
        self._real, self._told = real, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def get_context(self, name: str) -> Any:
        return self._told[name] if name in self._told else self._real.get_context(name)


class _Queue(mock.MagicMock):
    """The queue to the device, whatever it is made with."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()


def _connected(network: nn.Cell, helper: Any, is_graph: bool) -> nn.Cell:
    calls = helper.iter
    if not hasattr(calls, "connected"):
        calls.connected = _Sunk(network, calls.dataset, helper.sink_size() if is_graph else 1)
    return calls.connected


class _Sunk(nn.Cell):
    def __init__(self, network: nn.Cell, dataset: Any, steps: int) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.steps = steps
        self.batches = _endless(dataset)

    def construct(self) -> Any:
        result = None
        for _ in range(self.steps):
            result = self.network(*next(self.batches))
        return result


def _endless(dataset: Any) -> Iterator[Any]:
    while True:
        yield from dataset.create_tuple_iterator(num_epochs=1)
