"""Sums of what servers have changed that keep what they agree on once."""

from collections.abc import Iterable, Sequence

import torch

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.nn.cell.cell import Cell

__all__ = ["AdaSum"]

MIN_NORM = 1e-12  # so that nothing is divided by 0


class AdaSum(Cell):
    """Joins the changes of weights on several servers: orthogonal ones are added, parallel ones averaged.

    Of two changes a and b the joint one is (1 - a·b / 2|a|²) a + (1 - a·b / 2|b|²) b, by weight; single numbers are
    averaged. Servers join in pairs, then pairs of pairs, and so on; every process talks to those of its place in the
    other servers. MindSpore passes halves of each weight around, and gets the same numbers.

    A call takes the changes (tuple of Tensors), the weights and their values before; it sets the weights to these less
    the joint changes, and returns them.

    Args:
        rank: this process's number.
        device_number: how many processes a server has.
        group_number: how many servers there are, a power of two.
        parameter_tuple: the weights.

    Raises:
        ValueError: `group_number` is not a power of two.

    Follows: mindspore.boost.AdaSum (2.10).
    """

    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple: Iterable[Parameter]) -> None:
        super().__init__()
        if group_number < 1 or group_number & (group_number - 1):
            raise ValueError(f"For 'AdaSum', 'group_number' must be a power of two, but got {group_number}.")
        self.rank, self.device_number, self.group_number = rank, device_number, group_number
        self.parameter_tuple = tuple(parameter_tuple)
        self.calc_times = group_number.bit_length() - 1
        # Whether this process is in the first half of those that join, by step.
        self.send_node = [not rank // (device_number << step) % 2 for step in range(self.calc_times)]

    def construct(
        self, delta_weights: Sequence[Tensor], parameters: Sequence[Parameter], old_parameters: Sequence[Tensor]
    ) -> tuple[Parameter, ...]:
        with torch.no_grad():
            changes = [one._data for one in delta_weights]
            for step, is_first in enumerate(self.send_node):
                distance = self.device_number << step
                others = self._exchange_changes(changes, self.rank + distance if is_first else self.rank - distance)
                pairs = zip(changes, others, strict=True)
                changes = [_joint(*(pair if is_first else pair[::-1])) for pair in pairs]
            for parameter, old, change in zip(parameters, old_parameters, changes, strict=True):
                parameter._data.copy_(old._data - change.reshape(old.shape))
        return tuple(parameters)

    def _exchange_changes(self, changes: Sequence[torch.Tensor], partner: int) -> list[torch.Tensor]:
        """Send this process's changes to another one, and return its changes."""
        sent = [one.contiguous() for one in changes]
        received = [torch.empty_like(one) for one in sent]
        works = communicator(HCCL_WORLD_COMM_GROUP).exchange(
            [(one, partner) for one in sent], [(one, partner) for one in received]
        )
        for work in works:
            work.wait()
        return received


def _joint(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    if first.numel() == 1:
        return (first + second) / 2
    product = (first * second).sum() + MIN_NORM
    shares = (1 - product / (2 * ((one * one).sum() + MIN_NORM)) for one in (first, second))
    return sum((share * one for share, one in zip(shares, (first, second), strict=True)), torch.zeros_like(first))
