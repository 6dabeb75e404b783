"""The operators that MindSpore's automatic parallelism puts into a network: they act in the backward pass alone.

A script sees them where it takes a parallel network apart. The CPU of MindSpore has no kernels of these; they follow
the gradients that its Python source defines.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.communicator import Communicator
from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP, communicator, get_rank

Back = Callable[[torch.Tensor], torch.Tensor]


class _Marked(torch.autograd.Function):
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


class _Whole(torch.autograd.Function):
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


def _marked(tensor: Tensor, back: Back) -> Tensor:
    return wrap(_Marked.apply(tensor._data, back))  # type: ignore[no-untyped-call]


def unchanged(tensor: Tensor) -> Tensor:
    """Return the tensor; its gradient is unchanged, too.

    Follows: _VirtualOutput and _VirtualPipelineEnd (2.10).
    """
    return _marked(tensor, torch.clone)


def data_unchanged(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return the tensors of a batch.

    Follows: _VirtualDataset (2.10).
    """
    return tensors


def mirrored(
    tensor: Tensor, group: str | None = None, dev_num: int | None = None, mean_flag: bool | None = None
) -> Tensor:
    """Return the tensor; its gradients are summed over the group, and divided by `dev_num` if `mean_flag`.

    Follows: _MirrorOperator (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        if dev_num == 1:
            return grad
        members = _members(group)
        return _mean(members.all_reduce(grad, "sum"), dev_num or members.size, mean_flag)

    return _marked(tensor, back)


def mirrored_at_last(
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
        members = _members(group)
        return _mean(members.all_reduce(sums._data.add_(grad), "sum"), dev_num or members.size, mean_flag)

    return _marked(tensor, back)


def mirrored_into(
    tensor: Tensor, sums: Tensor, group: str | None = None, dev_num: int | None = None, mean_flag: bool | None = None
) -> Tensor:
    """Return the tensor; the gradients that `sums` holds are summed over the group, in place.

    The gradient that continues is one and means nothing.

    Follows: _MirrorMicroStepOperator (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        members = _members(group)
        if dev_num != 1:
            sums._data.copy_(_mean(members.all_reduce(sums._data, "sum"), dev_num or members.size, mean_flag))
        return torch.ones_like(grad)

    return _marked(tensor, back)


def gathered_at_last(
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
        return _mean(whole.chunk(members.size)[members.rank].clone(), members.size, mean_flag)

    return wrap(_Whole.apply(tensor._data, members, back))  # type: ignore[no-untyped-call]


def gathered_from_sums(
    tensor: Tensor, sums: Tensor, group: str = HCCL_WORLD_COMM_GROUP, mean_flag: bool | None = None
) -> Tensor:
    """Gather along axis 0; the gradient is this process's part of what all have in `sums`, together.

    Follows: _MicroStepAllGather (2.10).
    """
    if group == "":
        return _marked(tensor, lambda grad: sums._data.clone())
    members = communicator(group, "_MicroStepAllGather")

    def back(grad: torch.Tensor) -> torch.Tensor:
        return _mean(members.reduce_scatter(sums._data, "sum"), members.size, mean_flag)

    return wrap(_Whole.apply(tensor._data, members, back))  # type: ignore[no-untyped-call]


def divided(tensor: Any, divisor: float | None = None) -> Any:
    """Return the tensor, or the tensors of a tuple or list; their gradients are divided.

    Follows: _VirtualDiv (2.10).
    """
    if isinstance(tensor, tuple | list):
        return type(tensor)(divided(one, divisor) for one in tensor)
    return _marked(tensor, lambda grad: grad if divisor is None else grad / divisor)


def added(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; `sums` is added to its gradient.

    Follows: _VirtualAdd (2.10).
    """
    return _marked(tensor, lambda grad: grad + sums._data)


def added_to(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; its gradient is added to `sums`, in place, and zero continues.

    Follows: _VirtualAssignAdd (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        sums._data.add_(grad)
        return torch.zeros_like(grad)

    return _marked(tensor, back)


def taken_from(tensor: Tensor, sums: Tensor) -> Tensor:
    """Return the tensor; its gradient is `sums`.

    Follows: _VirtualAccuGrad (2.10).
    """
    return _marked(tensor, lambda grad: sums._data.clone())


def kept_in_cache(tensor: Tensor, sums: Tensor, seq_chunk: Tensor) -> Tensor:
    """Return the tensor; `sums` is added to its gradient and keeps the result, or zero at the first chunk.

    Follows: _VirtualAssignKvCache (2.10).
    """

    def back(grad: torch.Tensor) -> torch.Tensor:
        total = grad + sums._data
        sums._data.copy_(torch.where(seq_chunk._data == 0, 0, total))
        return total

    return _marked(tensor, back)


def own_slice(
    tensor: Tensor,
    dev_mat: tuple[int, ...],
    tensor_map: tuple[int, ...],
    slice_shape: tuple[int, ...] | None = None,
    full_shape: tuple[int, ...] | None = None,
) -> Tensor:
    """Return the part of a tensor that a layout gives to this process; its gradient is zero.

    Args:
        tensor: the whole.
        dev_mat: the devices as an array.
        tensor_map: for each axis the devices' axis that divides it, counted from the last; -1 for none.
        slice_shape: the shape of the part; None where it follows.
        full_shape: the shape in which the whole is divided; None for its own.

    Raises:
        TypeError: `dev_mat` or `tensor_map` is no tuple.

    Follows: _GetTensorSlice (2.10).
    """
    for name, value in (("dev_mat", dev_mat), ("tensor_map", tensor_map)):
        if not isinstance(value, tuple):
            raise TypeError(f"For '_GetTensorSlice', {name} must be a tuple, got {type(value).__name__}.")
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


def gathered_on_hosts(tensor: Tensor, group: Any = None) -> Tensor:
    """Refuse, as MindSpore does outside of its automatic parallelism.

    Raises:
        NotImplementedError: always.

    Follows: _HostAllGather (2.10).
    """
    raise NotImplementedError("_HostAllGather is a part of MindSpore's automatic parallelism; use AllGather.")


def reduce_scattered_on_hosts(tensor: Tensor, op: str = "sum", group: Any = None) -> Tensor:
    """Refuse, as MindSpore does outside of its automatic parallelism.

    Raises:
        NotImplementedError: always.

    Follows: _HostReduceScatter (2.10).
    """
    raise NotImplementedError("_HostReduceScatter is a part of MindSpore's automatic parallelism; use ReduceScatter.")


def _members(group: str | None) -> Communicator:
    return communicator(HCCL_WORLD_COMM_GROUP if group is None else group, "_MirrorOperator")


def _mean(total: torch.Tensor, count: int, mean_flag: bool | None) -> torch.Tensor:
    return total / count if mean_flag else total
