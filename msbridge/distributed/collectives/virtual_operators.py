"""The operators that MindSpore's automatic parallelism puts into a network: they act in the backward pass only.

A script sees them where it takes a parallel network apart. The CPU of MindSpore has no kernels of these; they follow
the gradients that its Python source defines.
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator, get_rank

Back = Callable[[torch.Tensor], torch.Tensor]


class _WithBackward(torch.autograd.Function):
    """The data as it is; its gradient is what `back` makes of it."""

    @staticmethod
    def forward(data: torch.Tensor, _back: Back) -> torch.Tensor:
        return data.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], _output: torch.Tensor) -> None:
        ctx.back = inputs[1]

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        return ctx.back(grad), None


class _WithBackwardOfAll(torch.autograd.Function):
    """The members' data one after another; its gradient is what `back` makes of it."""

    @staticmethod
    def forward(data: torch.Tensor, members: Communicator, _back: Back) -> torch.Tensor:
        return members.all_gather(data)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], _output: torch.Tensor) -> None:
        ctx.back = inputs[2]

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        return ctx.back(grad), None, None


def _with_backward(tensor: Tensor, back: Back) -> Tensor:
    return wrap(_WithBackward.apply(tensor._data, back))  # type: ignore[no-untyped-call]


def identity(tensor: Tensor) -> Tensor:
    """Return the tensor; its gradient is unchanged, too.

    Follows: _VirtualOutput and _VirtualPipelineEnd (2.10).
    """
    return _with_backward(tensor, torch.clone)


def identity_of_all(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return the tensors of a batch.

    Follows: _VirtualDataset (2.10).
    """
    return tensors


def mirror(
    tensor: Tensor, group: str | None = None, dev_num: int | None = None, mean_flag: bool | None = None
) -> Tensor:
    """Return the tensor; its gradients are summed over the group, and divided by `dev_num` if `mean_flag`.

    Follows: _MirrorOperator (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        if dev_num == 1:
            return grad
        members = _communicator_of(group)
        return _mean_of_sum(members.all_reduce(grad, "sum"), dev_num or members.size, mean_flag)

    return _with_backward(tensor, back)


def mirror_mini_step(
    tensor: Tensor,
    sums: Tensor,
    group: str | None = None,
    dev_num: int | None = None,
    mean_flag: bool | None = None,
    grad_accumulation_step: int | None = None,
) -> Tensor:
    """Return the tensor; its gradients are added to `sums`, and the sums are summed over the group.

    Follows: _MirrorMiniStepOperator (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        members = _communicator_of(group)
        return _mean_of_sum(members.all_reduce(sums._data.add_(grad), "sum"), dev_num or members.size, mean_flag)

    return _with_backward(tensor, back)


def mirror_accumulated(
    tensor: Tensor, sums: Tensor, group: str | None = None, dev_num: int | None = None, mean_flag: bool | None = None
) -> Tensor:
    """Return the tensor; the gradients that `sums` holds are summed over the group, in place.

    The gradient that continues is one and means nothing.

    Follows: _MirrorMicroStepOperator (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        members = _communicator_of(group)
        if dev_num != 1:
            sums._data.copy_(_mean_of_sum(members.all_reduce(sums._data, "sum"), dev_num or members.size, mean_flag))
        return torch.ones_like(grad)

    return _with_backward(tensor, back)


def mini_step_all_gather(
    tensor: Tensor,
    sums: Tensor,
    group: str = HCCL_WORLD_COMM_GROUP,
    grad_accumulation_step: int | None = None,
    mean_flag: bool | None = None,
) -> Tensor:
    """Gather along axis 0; the gradients are added to `sums`, summed over the group, and cut to this process's part.

    Follows: _MiniStepAllGather (2.10).
    """
    members = communicator(group, "_MiniStepAllGather")

    def back(grad: torch.Tensor) -> torch.Tensor:
        whole = members.all_reduce(sums._data.add_(grad), "sum")
        return _mean_of_sum(whole.chunk(members.size)[members.rank].clone(), members.size, mean_flag)

    return wrap(_WithBackwardOfAll.apply(tensor._data, members, back))  # type: ignore[no-untyped-call]


def micro_step_all_gather(
    tensor: Tensor, sums: Tensor, group: str = HCCL_WORLD_COMM_GROUP, mean_flag: bool | None = None
) -> Tensor:
    """Gather along axis 0; the gradient is this process's part of what all have in `sums`, together.

    Follows: _MicroStepAllGather (2.10).
    """
    if group == "":
        return _with_backward(tensor, lambda grad: sums._data.clone())
    members = communicator(group, "_MicroStepAllGather")

    def back(grad: torch.Tensor) -> torch.Tensor:
        return _mean_of_sum(members.reduce_scatter(sums._data, "sum"), members.size, mean_flag)

    return wrap(_WithBackwardOfAll.apply(tensor._data, members, back))  # type: ignore[no-untyped-call]


def divide_gradient(tensor: Any, divisor: float | None = None) -> Any:
    """Return the tensor, or the tensors of a tuple or list; their gradients are divided.

    Follows: _VirtualDiv (2.10).
    """
    if isinstance(tensor, tuple | list):
        return type(tensor)(divide_gradient(one, divisor) for one in tensor)
    return _with_backward(tensor, lambda grad: grad if divisor is None else grad / divisor)


def add_to_gradient(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; `sums` is added to its gradient.

    Follows: _VirtualAdd (2.10).
    """
    return _with_backward(tensor, lambda grad: grad + sums._data)


def accumulate_gradient(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; its gradient is added to `sums`, in place, and zero continues.

    Follows: _VirtualAssignAdd (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        sums._data.add_(grad)
        return torch.zeros_like(grad)

    return _with_backward(tensor, back)


def replace_gradient(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; its gradient is `sums`.

    Follows: _VirtualAccuGrad (2.10).
    """
    return _with_backward(tensor, lambda grad: sums._data.clone())


def cache_gradient(tensor: Tensor, sums: Tensor, seq_chunk: Tensor) -> Tensor:
    """Return the tensor; `sums` is added to its gradient and keeps the result, or zero at the first chunk.

    Follows: _VirtualAssignKvCache (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        total = grad + sums._data
        sums._data.copy_(torch.where(seq_chunk._data == 0, 0, total))
        return total

    return _with_backward(tensor, back)


def own_slice(
    tensor: Tensor,
    dev_mat: tuple[int, ...],
    tensor_map: tuple[int, ...],
    slice_shape: tuple[int, ...] | None = None,
    full_shape: tuple[int, ...] | None = None,
) -> Tensor:
    """Return the part of a tensor that a layout assigns to this process; its gradient is zero.

    Args:
        tensor: the whole.
        dev_mat: the devices as an array.
        tensor_map: for each axis the devices' axis that divides it, counted from the last; -1 for none.
        slice_shape: the shape of the part; None where it follows.
        full_shape: the shape in which the whole is divided; None for its own.

    Raises:
        TypeError: `dev_mat` or `tensor_map` is not a tuple.

    Follows: _GetTensorSlice (2.10).
    """
    for name, value in (("dev_mat", dev_mat), ("tensor_map", tensor_map)):
        instance(value, name, "_GetTensorSlice", tuple)
    data = tensor._data.detach()
    part = data if full_shape is None else data.reshape(tuple(full_shape))
    places, rank = [0] * len(dev_mat), get_rank()
    for axis in range(len(dev_mat) - 1, -1, -1):
        rank, places[axis] = divmod(rank, dev_mat[axis])
    for axis, along in enumerate(tensor_map):
        if along >= 0:
            device_axis = len(dev_mat) - 1 - along
            part = part.chunk(dev_mat[device_axis], axis)[places[device_axis]]
    return wrap((part if slice_shape is None else part.reshape(tuple(slice_shape))).clone())


def host_all_gather(tensor: Tensor, group: Any = None) -> Tensor:
    """Refuse, as MindSpore does outside of its automatic parallelism.

    Raises:
        NotImplementedError: always.

    Follows: _HostAllGather (2.10).
    """
    raise NotImplementedError("_HostAllGather is a part of MindSpore's automatic parallelism; use AllGather.")


def host_reduce_scatter(tensor: Tensor, op: str = "sum", group: Any = None) -> Tensor:
    """Refuse, as MindSpore does outside of its automatic parallelism.

    Raises:
        NotImplementedError: always.

    Follows: _HostReduceScatter (2.10).
    """
    raise NotImplementedError("_HostReduceScatter is a part of MindSpore's automatic parallelism; use ReduceScatter.")


def _communicator_of(group: str | None) -> Communicator:
    return communicator(HCCL_WORLD_COMM_GROUP if group is None else group, "_MirrorOperator")


def _mean_of_sum(total: torch.Tensor, count: int, mean_flag: bool | None) -> torch.Tensor:
    return total / count if mean_flag else total
