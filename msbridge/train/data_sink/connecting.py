"""Networks whose inputs come from a sink."""

import weakref
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.device.sink import SinkExecutor
from msbridge.nn.cell.cell import Cell
from msbridge.train.data_sink.calls import Calls
from msbridge.train.data_sink.helper import DatasetHelper

__all__ = ["SunkNetwork", "connect_network_with_dataset"]


class SunkNetwork(Cell):
    """A network whose inputs come from a sink.

    Args:
        network: called with the batches.
        calls: how often this one is called, and what brings the batches.
    """

    def __init__(self, network: Cell, calls: Calls) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.training = network.training
        self._calls = calls
        self._executor = SinkExecutor(network, calls.feed, calls.plan.call_steps, list(network.get_parameters()))

    def construct(self) -> Any:
        """Run one sink, or in PyNative mode one step, and return the last step's result."""
        if self._calls.plan.waits:
            return self._executor.run(self._calls.next_steps)
        return self._executor.run_step()

    @property
    def losses(self) -> Tensor:
        """The loss of each step of the last sink, in order; on the device."""
        return self._executor.losses


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> SunkNetwork:
    """Join a network to the sink of a DatasetHelper.

    Args:
        network: called with the batches of the dataset.
        dataset_helper: made with `dataset_sink_mode=True`.

    Returns:
        A network without inputs. A call runs `sink_size` steps (in PyNative mode one), and continues in the data where
        the last call ended. Connecting the same two again returns the same network.

    Raises:
        RuntimeError: the helper has no sink.
        ValueError: the helper is connected with another network.

    Follows: mindspore.connect_network_with_dataset (2.10).
    """
    calls = dataset_helper.iter
    if not isinstance(calls, Calls):
        raise RuntimeError("The API 'connect_network_with_dataset' should be called in dataset sink mode.")
    connected: SunkNetwork | None = calls.connected()
    if connected is None:
        connected = SunkNetwork(network, calls)
        calls.connected = weakref.ref(connected)
    if network is not connected and network is not connected.network:
        raise ValueError("The dataset has been connected to other network, please check the code.")
    return connected
