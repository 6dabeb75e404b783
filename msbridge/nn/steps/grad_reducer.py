"""DistributedGradReducer: sums or averages gradients over all processes."""

from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import is_int
from msbridge.core.context import context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed import HCCL_WORLD_COMM_GROUP, all_reduce_mean, get_group_size
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.overlapped_all_reduce import OverlappedReduction
from msbridge.nn.cell.cell import Cell

__all__ = ["DistributedGradReducer"]


class DistributedGradReducer(Cell):
    """Sums gradients over all processes, in few messages, and divides them by `degree` if `mean`.

    Args:
        parameters: the parameters that the gradients belong to.
        mean: average; None asks the parallel context for `gradients_mean`.
        degree: by what to divide; None means the number of processes.
        fusion_type: kept for scripts that set it; gradients are always fused into few messages.
        group: the group of processes; the default is all.

    Inputs:
        grads: a sequence of Tensors, one for each parameter.

    Outputs:
        A tuple of Tensors of their shapes and dtypes, the same in all processes.

    Raises:
        ValueError: `degree` is not a positive int.

    Examples:
        >>> net = nn.Dense(2, 1, has_bias=False)
        >>> reduce = nn.DistributedGradReducer(net.trainable_params(), mean=True)
        >>> reduce((Tensor([[2.0, 4.0]]),))  # of one process: the gradients themselves
        (Tensor(shape=[1, 2], dtype=Float32, value=
        [[ 2.00000000e+00,  4.00000000e+00]]),)

    Follows: mindspore.nn.DistributedGradReducer (2.10).
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str | None = None,
    ) -> None:
        super().__init__(auto_prefix=False)
        if degree is not None and (not is_int(degree) or degree <= 0):
            raise ValueError(f"For 'DistributedGradReducer', the 'degree' must be an int > 0, but got {degree!r}.")
        self.degree = degree or get_group_size(_group_name(group))
        self.mean = context.get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.fusion_type = fusion_type
        self.group = group
        self.__dict__["_weights"] = tuple(parameters)
        self._early: OverlappedReduction | None = None

    def around(self, network: Callable[..., Any], owners: Sequence[int] | None = None) -> Callable[..., Any]:
        """Return `network` such that its gradients are reduced while others are computed; this must get them then.

        Args:
            network: returns the loss.
            owners: the only process that gets each gradient; None: all processes get all.
        """
        members = communicator(_group_name(self.group), "DistributedGradReducer")
        if members.size == 1 or self.degree != members.size:
            return network
        self._early = OverlappedReduction(self._weights, members, bool(self.mean), owners)
        return self._early.around(network)

    def construct(self, grads: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the reduced gradients."""
        if self._early is not None and self._early.has_begun:
            return self._early.finish(grads)
        datas: list[Any] = [grad._data for grad in grads]
        of_all = self.degree == get_group_size(_group_name(self.group))
        reduced = all_reduce_mean(datas, bool(self.mean) and of_all, _group_name(self.group))
        if self.mean and not of_all:
            reduced = [data / self.degree for data in reduced]
        return tuple(map(wrap, reduced))


def _group_name(group: str | None) -> str:
    return HCCL_WORLD_COMM_GROUP if group is None else group
