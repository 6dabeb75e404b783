"""Cells around a network: with its loss, with its gradients, with its training step."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.autograd import grad
from msbridge.core.autograd.grad import GradOperation
from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.context import context
from msbridge.core.context.context import ParallelMode
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import float16
from msbridge.nn.cell.cell import Cell, replaceable
from msbridge.nn.layers.dense import Identity
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.steps.grad_reducer import DistributedGradReducer

__all__ = [
    "ForwardValueAndGrad",
    "ParameterUpdate",
    "TrainOneStepCell",
    "VirtualDatasetCellTriple",
    "WithEvalCell",
    "WithGradCell",
    "WithLossCell",
]


class WithLossCell(Cell):
    """A network and its loss: `(data, label) → loss`.

    Args:
        backbone: the network.
        loss_fn: called with the network's output and the label.

    Inputs:
        data: the network's input.
        label: what the loss compares its output with.

    Outputs:
        The loss, a Tensor.

    Follows: mindspore.nn.WithLossCell (2.10).
    """

    def __init__(self, backbone: Cell, loss_fn: Callable[..., Tensor]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn
        self._compile_like(backbone)

    @replaceable
    def construct(self, data: Any, label: Any) -> Tensor:
        """Return the loss."""
        return self._loss_fn(self._backbone(data), label)

    backbone_network: Cell = read_only("_backbone", "The network without its loss.")


class WithEvalCell(Cell):
    """A network for evaluation: `(data, label) → (loss, output, label)`.

    Args:
        network: the network.
        loss_fn: called with the network's output and the label.
        add_cast_fp32: cast output and label from Float16 to Float32 first.

    Inputs:
        data: the network's input.
        label: what the loss compares its output with.

    Outputs:
        A tuple of the loss, a Tensor, the network's output, and `label`.

    Follows: mindspore.nn.WithEvalCell (2.10).
    """

    def __init__(self, network: Cell, loss_fn: Callable[..., Tensor], add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        boolean(add_cast_fp32, "add_cast_fp32", "WithEvalCell")
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = add_cast_fp32

    @replaceable
    def construct(self, data: Any, label: Any) -> tuple[Tensor, Any, Any]:
        """Return the loss, the output and the label."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = map_tensors(_half_to_float32, (outputs, label))
        return self._loss_fn(outputs, label), outputs, label


class WithGradCell(Cell):
    """A network that returns the gradients of its weights.

    Args:
        network: the network; without `loss_fn` it returns the loss.
        loss_fn: called with the network's output and the label.
        sens: the gradient of the loss; None for ones.

    Inputs:
        inputs: the network's inputs; with `loss_fn` an input and a label.

    Outputs:
        A tuple of Tensors, one for each trained Parameter, of their shapes and dtypes.

    Follows: mindspore.nn.WithGradCell (2.10).
    """

    def __init__(self, network: Cell, loss_fn: Callable[..., Tensor] | None = None, sens: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self._compile_like(network)

    def construct(self, *inputs: Any) -> tuple[Tensor, ...]:
        """Return the gradients of the weights, in their order."""
        sens = () if self.sens is None else (self.sens,)
        gradients: tuple[Tensor, ...] = self.grad(self.network_with_loss, self.weights)(*inputs, *sens)
        return gradients


class _VirtualDatasetCell(Cell):
    """A network whose inputs devices would divide among them; one process takes the whole.

    Args:
        backbone: the network.

    Follows: mindspore.nn.wrap.cell_wrapper._VirtualDatasetCell (2.10).
    """

    def __init__(self, backbone: Callable[..., Any]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._compile_like(backbone)

    def construct(self, *inputs: Any) -> Any:
        """Return the outputs of the network."""
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """A network of three inputs, which devices would divide among them; one process takes the whole.

    Args:
        backbone: the network.

    Inputs:
        a: the first input of `backbone`.
        b: the second.
        c: the third.

    Outputs:
        What `backbone` returns.

    Follows: mindspore.nn.VirtualDatasetCellTriple (2.10).
    """

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        """Return the outputs of the network."""
        return self._backbone(a, b, c)


class ForwardValueAndGrad(Cell):
    """A network that returns its loss and its gradients.

    Args:
        network: returns the loss.
        weights: Parameters to differentiate, with `get_by_list`.
        get_all: differentiate all inputs.
        get_by_list: differentiate the weights.
        sens_param: the last input is the gradient of the loss.

    Inputs:
        inputs: what `network` takes, and with `sens_param` the gradient of the loss behind it.

    Outputs:
        A tuple of the loss and the gradients: of the first input, of all inputs in a tuple with `get_all`, of the
            weights in a tuple with `get_by_list`, of both in a pair with both.

    Follows: mindspore.nn.ForwardValueAndGrad (2.10).
    """

    def __init__(
        self,
        network: Callable[..., Tensor],
        weights: Sequence[Parameter] | None = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None:
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise TypeError(f"For 'ForwardValueAndGrad', network must be a Cell or function, got {network!r}.")
        if get_by_list and not isinstance(weights, ParameterTuple | tuple | list):
            raise TypeError(
                "For 'ForwardValueAndGrad', weights must be a ParameterTuple, tuple or list with get_by_list=True, "
                f"got {type(weights).__name__}."
            )
        self.network = network
        self.weights = weights
        self.get_all = instance(get_all, "get_all", "ForwardValueAndGrad", bool)
        self.get_by_list = instance(get_by_list, "get_by_list", "ForwardValueAndGrad", bool)
        self.sens_param = instance(sens_param, "sens_param", "ForwardValueAndGrad", bool)
        self._compute = grad.value_and_sens_grad(network, weights if get_by_list else None, get_all)

    def construct(self, *inputs: Any) -> tuple[Any, Any]:
        """Return (loss, gradients)."""
        if self.sens_param:
            *inputs, sens = inputs  # type: ignore[assignment]
            return self._compute(sens, *inputs)
        return self._compute(None, *inputs)


class TrainOneStepCell(Cell):
    """One step of training: loss, gradients, update.

    Args:
        network: returns the loss.
        optimizer: updates its parameters.
        sens: the gradients are scaled by it.
        return_grad: return the gradients by parameter name as well.

    Inputs:
        inputs: what `network` takes.

    Outputs:
        What `network` returns, the loss; with `return_grad` a tuple of it and a dict: name → gradient.

    Raises:
        TypeError: `sens` is not a number.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="zeros", bias_init="zeros")
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        >>> step(Tensor([[1.0]]), Tensor([[1.0]])).item()
        1.0
        >>> round(net.weight.item(), 4)
        0.2

    Follows: mindspore.nn.TrainOneStepCell (2.10).
    """

    def __init__(self, network: Cell, optimizer: Optimizer, sens: Any = None, return_grad: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sens = 1.0 if sens is None else sens
        self.return_grad = return_grad
        self.parallel_mode = context.get_auto_parallel_context("parallel_mode")
        self.reducer_flag = self.parallel_mode in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)
        self.grad_reducer: Callable[..., Any] = _without_reducer()
        if self.reducer_flag:
            self.mean = context.get_auto_parallel_context("gradients_mean")
            self.grad_reducer = DistributedGradReducer(self.weights, self.mean)
        self._compute = grad.value_and_sens_grad(self._with_gradient_reduction(network), self.weights)
        self._compile_like(network)

    @replaceable
    def construct(self, *inputs: Any) -> Any:
        """Update the parameters and return the loss from before the update."""
        sens = self.sens
        loss, grads = self._compute(None if type(sens) is float and sens == 1.0 else sens, *inputs)
        if self.reducer_flag:
            grads = self.grad_reducer(grads)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {weight.name: grad for weight, grad in zip(self.weights, grads, strict=True)}
        return loss

    def _with_gradient_reduction(self, network: Cell) -> Callable[..., Any]:
        """Return `network`, or a function whose gradients the reducer reduces while others are computed."""
        reducer = self.grad_reducer
        if not isinstance(reducer, DistributedGradReducer) or type(self).construct is not TrainOneStepCell.construct:
            return network  # a step that a script defines reduces when it wants to
        owners = getattr(self.optimizer, "gradient_owners", None)
        early = reducer.around(network, None if owners is None or self.return_grad else owners())
        if early is network:
            return network
        return lambda *inputs: (early if self.grad_reducer is reducer else network)(*inputs)

    def set_sens(self, value: float) -> None:
        """Replace the factor of the gradients."""
        self.sens = value


class ParameterUpdate(Cell):
    """Overwrites one parameter.

    Args:
        param: the parameter.

    Inputs:
        x: the new value, a Tensor of the shape of `param`.

    Outputs:
        The Parameter, with its new value.

    Raises:
        TypeError: `param` is not a Parameter.

    Follows: mindspore.nn.ParameterUpdate (2.10).
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        instance(param, "param", "ParameterUpdate", Parameter)
        self._param = param

    def construct(self, x: Tensor) -> Tensor:
        """Write `x` to the parameter and return it."""
        self._param.set_data(x)
        return x


def _without_reducer() -> Callable[..., Any]:
    return Identity()


def _half_to_float32(tensor: Tensor) -> Tensor:
    return wrap(tensor._data.to(torch.float32)) if tensor.dtype == float16 else tensor
