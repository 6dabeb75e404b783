"""MindSpore's private modules of training steps: scaled gradients, and overflow checks."""

from collections.abc import Sequence
from typing import Any, NoReturn

from msbridge.core.context.context import get_auto_parallel_context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.sparse.row_tensor import RowTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.steps.loss_scaling import TrainOneStepWithLossScaleCell
from msbridge.nn.steps.wrappers import TrainOneStepCell
from msbridge.ops.framework.composite.functions import HyperMap, MultitypeFuncGraph
from msbridge.ops.operations import AllReduce, Assign, FloatStatus, Reciprocal, ZerosLike

_grad_scale = MultitypeFuncGraph("grad_scale")
_grad_overflow = MultitypeFuncGraph("_grad_overflow")
reciprocal = Reciprocal()
grad_overflow = FloatStatus()


@_grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale: Tensor, grad: Tensor) -> Tensor:
    """Return a gradient divided by the scale of the loss, in its own dtype.

    Follows: mindspore.nn.wrap.loss_scale.tensor_grad_scale (2.10).
    """
    return grad * reciprocal(scale).astype(grad.dtype)


grad_scale = MultitypeFuncGraph("grad_scale")
shard_grad_scale = MultitypeFuncGraph("shard_grad_scale")


@grad_scale.register("Tensor", "Tensor", "Tensor")
def tensor_grad_scale_pipeline(scale: Tensor, grad: Tensor, accu_grad: Tensor) -> Tensor:
    """Return an accumulated gradient divided by the scale of the loss, and set the accumulation to zero.

    Follows: mindspore.nn.wrap.loss_scale.tensor_grad_scale_pipeline (2.10).
    """
    return _clear_and_return(accu_grad, accu_grad * reciprocal(scale))


@shard_grad_scale.register("Tensor", "Tensor", "Tensor")
def tensor_shard_grad_scale_pipeline(scale: Tensor, grad: Tensor, accu_grad: Tensor) -> Tensor:
    """Return a gradient divided by the scale of the loss, and set its accumulation to zero.

    Follows: mindspore.nn.wrap.loss_scale.tensor_shard_grad_scale_pipeline (2.10).
    """
    return _clear_and_return(accu_grad, grad * reciprocal(scale))


def _clear_and_return(accumulation: Tensor, result: Tensor) -> Tensor:
    Assign()(accumulation, ZerosLike()(accumulation))
    return result


@_grad_scale.register("Tensor", "RowTensor")
def tensor_grad_scale_row_tensor(scale: Tensor, grad: RowTensor) -> RowTensor:
    """Return a gradient of rows divided by the scale of the loss, in its own dtype.

    Follows: mindspore.nn.wrap.loss_scale.tensor_grad_scale_row_tensor (2.10).
    """
    return RowTensor(grad.indices, tensor_grad_scale(scale, grad.values), grad.dense_shape)


@_grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad: Tensor) -> Tensor:
    """Return 1 where a gradient has an infinity or a NaN, and 0 else, of shape (1,).

    Follows: mindspore.nn.wrap.loss_scale._tensor_grad_overflow (2.10).
    """
    overflow: Tensor = grad_overflow(grad)
    return overflow


def scale_and_clear(scale: Tensor, grad: Tensor) -> Tensor:
    """Return a gradient times a scale, and set the gradient to zero.

    Follows: mindspore.nn.wrap.cell_wrapper.grad_scale (2.10).
    """
    return _clear_and_return(grad, scale * grad)


class AllreduceGraph(Cell):
    """Adds parameters over the processes of a group, in place.

    Args:
        inputs: the parameters.
        group_name: the group.

    Follows: mindspore.nn.wrap.cell_wrapper.AllreduceGraph (2.10).
    """

    def __init__(self, inputs: Sequence[Parameter], group_name: str) -> None:
        super().__init__()
        self.input_num = len(inputs)
        self.inputs = inputs
        self.allreduces = [AllReduce("sum", group_name) for _ in inputs]

    def construct(self) -> Sequence[Parameter]:
        for reduce, parameter in zip(self.allreduces, self.inputs, strict=True):
            Assign()(parameter, reduce(parameter))
        return self.inputs


def trans_to_tensor(param: Any, is_tuple: bool = False, fp32: bool = True) -> Any:
    """Return a number, or several of a tuple, as Float32 or Float16 Tensors; None and bools stay.

    Follows: mindspore.nn.optim.adafactor.trans_to_tensor (2.10).
    """
    if param is None or isinstance(param, bool):
        return param
    kind = mstype.float32 if fp32 else mstype.float16
    return tuple(Tensor(one, kind) for one in param) if is_tuple else Tensor(param, kind)


def get_squared_device_local_norm_param() -> NoReturn:
    """Refuse to return the sum of squares of this process's gradients, which only an Ascend's graphs add up.

    Raises:
        ValueError: the parallel context does not ask for it.
        NotImplementedError: it does.

    Follows: mindspore.ops._grad_experimental.grad_comm_ops.get_squared_device_local_norm_param (2.10).
    """
    if get_auto_parallel_context("dump_device_local_norm"):
        raise NotImplementedError("dump_device_local_norm: norms of each process's gradients are not added up here.")
    raise ValueError("The parallel config 'dump_device_local_norm' is False.")


class TrainPipelineAccuStepCell(TrainOneStepCell):
    """One step of training with gradients that are accumulated over the micro batches of a pipeline.

    The sum of the micro batches' gradients is what the gradient of their summed loss is, so nothing is kept between
    steps; `accu_grads` is there for scripts that name it.

    Args:
        network: returns the loss, with its micro batches added up (`PipelineCell`).
        optimizer: updates its parameters.
        sens: the gradients are scaled by it.

    Follows: mindspore.nn.wrap.cell_wrapper._TrainPipelineAccuStepCell (1.3 to 2.2).
    """

    def __init__(self, network: Cell, optimizer: Optimizer, sens: float = 1.0) -> None:
        super().__init__(network, optimizer, sens)
        self.accu_grads = self.weights.clone(prefix="accu_grads", init="zeros")
        self.hyper_map = HyperMap()


class _TrainPipelineWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """One step of training with a loss scale, with gradients that are accumulated over micro batches.

    Args:
        network: returns the loss, with its micro batches added up (`PipelineCell`).
        optimizer: updates its parameters.
        scale_sense: the loss scale, a Tensor or a Cell that updates it.

    Follows: mindspore.nn.wrap.loss_scale._TrainPipelineWithLossScaleCell (1.3 to 2.2).
    """

    def __init__(self, network: Cell, optimizer: Optimizer, scale_sense: Any) -> None:
        super().__init__(network, optimizer, scale_sense)
        self.accu_grads = self.weights.clone(prefix="accu_grads", init="zeros")
