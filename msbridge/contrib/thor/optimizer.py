"""THOR: momentum on gradients that are between the inverses of two second moments of their layer.

Follows: mindspore.nn.thor (2.10). Reference: Chen et al., THOR, Trace-based Hardware-driven Layer-Oriented Natural
Gradient Descent (2021).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from msbridge.contrib.ops.second_order.kernels import block_count, block_inverses, times_blocks
from msbridge.contrib.thor.converting import ConvertNetUtils
from msbridge.contrib.thor.layers import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from msbridge.core.checks.arguments import at_least, boolean, instance
from msbridge.core.context import context
from msbridge.core.context.context import ParallelMode
from msbridge.core.context.grad_state import in_place
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.normalization.layer_norm import LayerNorm
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.steps.grad_reducer import DistributedGradReducer
from msbridge.ops.training.optimizer_updates import descents

__all__ = ["ThorAscend", "ThorGpu", "thor"]

_BLOCK = 128  # the size of the blocks along the diagonal to which second moments are reduced


class _Preconditioned(NamedTuple):
    """A weight, by its position among the parameters, its layer, and the inverses that are around its gradient."""

    position: int
    layer: Any
    left: Parameter
    right: Parameter


def thor(
    net: Cell,
    learning_rate: Tensor,
    damping: Tensor,
    momentum: float,
    weight_decay: float = 0.0,
    loss_scale: float = 1.0,
    batch_size: int = 32,
    use_nesterov: bool = False,
    decay_filter: Callable[[Parameter], bool] = lambda x: True,
    split_indices: list[int] | None = None,
    enable_clip_grad: bool = False,
    frequency: int = 100,
) -> Optimizer:
    """Convert a network for THOR, and return the optimizer.

    Args:
        net: the network, whose layers are replaced (`ConvertNetUtils`).
        learning_rate: one rate, or one for each step.
        damping: added to the second moments, one number for each step.
        momentum: at least 0.
        weight_decay: added to the gradient times the parameter, after the second moments.
        loss_scale: what the loss is multiplied by.
        batch_size: samples in a batch, over which the loss is a mean.
        use_nesterov: look one step ahead; not on Ascend.
        decay_filter: says of a Parameter whether it is decayed.
        split_indices: how MindSpore fuses messages between devices; they are always fused into few.
        enable_clip_grad: shrink every gradient to a norm of at most 1.
        frequency: after how many steps the inverses are computed again, where `ConvertModelUtils` made the Model.

    Returns:
        An optimizer of the network as it is now.

    Raises:
        TypeError: an argument is of another type; the learning rate is not a Tensor.
        ValueError: a number is out of range.

    Follows: mindspore.nn.thor (2.10), which runs on Ascend and GPU; judged by the formulas.
    """
    ConvertNetUtils().convert_to_thor_net(net)
    settings = learning_rate, damping, momentum, weight_decay, loss_scale, batch_size
    rest = {"split_indices": split_indices, "enable_clip_grad": enable_clip_grad, "frequency": frequency}
    if context.get_context("device_target") == "Ascend":
        return ThorAscend(net, *settings, decay_filter, **rest)  # type: ignore[arg-type]
    return ThorGpu(net, *settings, use_nesterov, decay_filter, **rest)  # type: ignore[arg-type]


class ThorGpu(Optimizer):
    """w -= lr·momentum of (G + √λ·1)⁻¹·gradient·(A + √λ·1)⁻¹, with λ the damping and blocks of 128 inverted.

    For a convolution λ is divided by the number of positions L, and the product too; for a table A is diagonal; the
    gradients of LayerNorm are divided by their square / batch_size + √λ; others stay. See `thor` for the arguments.

    Follows: mindspore.nn.optim.thor.ThorGpu (2.10).
    """

    def __init__(
        self,
        net: Cell,
        learning_rate: Tensor,
        damping: Tensor,
        momentum: float,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        batch_size: int = 32,
        use_nesterov: bool = False,
        decay_filter: Callable[[Parameter], bool] = lambda x: True,
        split_indices: list[int] | None = None,
        enable_clip_grad: bool = False,
        frequency: int = 100,
    ) -> None:
        owner = type(self).__name__
        super().__init__(learning_rate, [p for p in net.get_parameters() if p.requires_grad], weight_decay, loss_scale)
        instance(momentum, "momentum", owner, float)
        at_least(momentum, "momentum", "thor")
        instance(frequency, "frequency", owner, int)
        at_least(frequency, "frequency", "thor", 2)
        instance(learning_rate, "learning rate", owner, Tensor)
        self.momentum = scalar_parameter(np.float32(momentum), "momentum", is_constant=True)
        self.params = self.parameters
        self.use_nesterov = boolean(use_nesterov, "use_nesterov", owner)
        self._keep("moments")
        self.damping = damping
        self.batch_size = batch_size
        self.split_indices = split_indices
        self.enable_clip_grad = instance(enable_clip_grad, "enable_clip_grad", owner, bool)
        self.frequency = frequency
        self.weight_decay = weight_decay
        self.decay_flags = tuple(map(decay_filter, self.parameters))
        self.cov_step = Parameter(Tensor(np.zeros(1, np.int32)), name="cov_step", requires_grad=False)
        self.thor = True
        self.alternates = False
        self._calls = 0
        self.__dict__["net"] = net
        self._layers = self._layers_of(net)
        self.matrix_a = ParameterTuple(row.right for row in self._layers)
        self.matrix_g = ParameterTuple(row.left for row in self._layers)
        self._norms = frozenset(
            id(parameter)
            for _, cell in net.cells_and_names()
            if isinstance(cell, LayerNorm)
            for parameter in cell.get_parameters(expand=False)
        )
        is_shared = context.get_auto_parallel_context("parallel_mode") != ParallelMode.STAND_ALONE
        self._reduce: Any = DistributedGradReducer(self.parameters) if is_shared else tuple

    def _layers_of(self, net: Cell) -> list[_Preconditioned]:
        """Return the layers with second moments, in the order of their weights."""
        kinds = DenseThor, Conv2dThor, EmbeddingThor, EmbeddingLookupThor
        layers = [cell for _, cell in net.cells_and_names() if isinstance(cell, kinds)]
        by_weight: dict[int, Any] = {id(_weight_of(layer)): layer for layer in layers}
        preconditioned: list[_Preconditioned] = []
        for position, parameter in enumerate(self.parameters):
            layer = by_weight.get(id(parameter))
            if layer is not None:
                shapes = _shapes_of_inverses(layer)
                names = f"matrix_g_inv_{len(preconditioned)}", f"matrix_a_inv_{len(preconditioned)}"
                left, right = (
                    Parameter(Tensor(np.zeros(shape, np.float32)), name=name, requires_grad=False)
                    for shape, name in zip(shapes, names, strict=True)
                )
                preconditioned.append(_Preconditioned(position, layer, left, right))
        return preconditioned

    def get_frequency(self) -> int:
        """Return after how many steps the inverses are computed again."""
        return self.frequency

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update all parameters from their gradients.

        Args:
            gradients: one per parameter.

        Returns:
            A tuple of True, one per parameter.
        """
        self._has_tensors = step_scalars.are_tensors(self.parameters[0]._data.device)
        grads = [gradient._data for gradient in self.scale_grad(gradients)]
        steps = self.damping._data.to(self.cov_step._data.device)
        damping = steps[self.cov_step._data.clamp(max=len(steps) - 1)].reshape(()).float()
        with in_place():
            if self.thor:
                self._update_inverses(damping)
            for row in self._layers:
                grads[row.position] = _precondition_gradient(row, grads[row.position])
            self.cov_step._data.add_(1)
            for position, parameter in enumerate(self.parameters):
                grads[position] = self._scale_gradient(parameter, self.decay_flags[position], grads[position], damping)
            data = [parameter._data for parameter in self.parameters]
            moments = [moment._data for moment in self.moments]
            lr, mu = self._value(self.get_lr()), self._value(self.momentum)
            descents.momentum(data, grads, moments, lr, mu, 0.0, self.use_nesterov)
        step_scalars.add(self.global_step, 1)
        self._calls += 1
        if self.alternates:
            self._set_second_order_step(self._calls % self.frequency == 0)
        return self._done

    def _scale_gradient(
        self, parameter: Parameter, is_decayed: bool, gradient: torch.Tensor, damping: torch.Tensor
    ) -> torch.Tensor:
        """Return the gradient of a parameter as the momentum takes it."""
        if id(parameter) in self._norms:
            gradient = gradient / (gradient.square() / self.batch_size + damping.sqrt())
        if self.weight_decay > 0 and is_decayed:
            gradient = gradient + parameter._data * self.weight_decay
        if self.enable_clip_grad:
            gradient = gradient / gradient.norm().clamp(min=1.0)
        return gradient.to(parameter._data.dtype).contiguous()

    def _update_inverses(self, damping: torch.Tensor) -> None:
        """Compute the inverses again from the second moments that the layers keep."""
        scale = self.batch_size**2 / self.loss_scale**2
        inverses: list[Tensor] = []
        for row in self._layers:
            inverses += map(wrap, _layer_inverses(row.layer, damping, scale, self.batch_size))
        reduced = self._reduce(inverses)
        for row, left, right in zip(self._layers, reduced[::2], reduced[1::2], strict=True):
            row.left._data.copy_(left._data)
            row.right._data.copy_(right._data)

    def _set_second_order_step(self, is_second: bool) -> None:
        """Let the next step compute the inverses again, or not; layers gather nothing where it does not."""
        if self.thor != is_second:
            self.thor = is_second
            for row in self._layers:
                row.layer.thor = is_second


class ThorAscend(ThorGpu):
    """The optimizer that `thor` returns on Ascend; it computes the same as ThorGpu, with second moments over all rows.

    Follows: mindspore.nn.optim.thor.ThorAscend (2.10).
    """

    def __init__(
        self,
        net: Cell,
        learning_rate: Tensor,
        damping: Tensor,
        momentum: float,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        batch_size: int = 32,
        decay_filter: Callable[[Parameter], bool] = lambda x: True,
        split_indices: list[int] | None = None,
        enable_clip_grad: bool = False,
        frequency: int = 100,
    ) -> None:
        settings = learning_rate, damping, momentum, weight_decay, loss_scale, batch_size, False, decay_filter
        super().__init__(net, *settings, split_indices, enable_clip_grad, frequency)


def _weight_of(layer: Any) -> Parameter:
    return layer.weight if isinstance(layer, DenseThor | Conv2dThor) else layer.embedding_table  # type: ignore[no-any-return]


def _shapes_of_inverses(layer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes of the inverses on the left and on the right of a gradient."""
    weight = _weight_of(layer)
    if not isinstance(layer, DenseThor | Conv2dThor):
        return (weight.shape[1], weight.shape[1]), (weight.shape[0],)
    rows, height = block_count(weight.shape[0], _BLOCK)
    columns, width = block_count(weight.size // weight.shape[0], _BLOCK)
    return (rows, height, height), (rows, columns, width, width)


def _layer_inverses(
    layer: Any, damping: torch.Tensor, scale: float, batch_size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the inverses on the left and on the right of a layer's gradient: of G and of A."""
    if not isinstance(layer, DenseThor | Conv2dThor):
        root = damping.sqrt()
        left = block_inverses(_add_damping(layer.matrix_g._data * scale, root), 0)[0]
        return left, (layer.matrix_a._data / batch_size + root).reciprocal()
    if isinstance(layer, DenseThor):
        a, g, share = layer.matrix_a._data, layer.matrix_g._data, torch.ones_like(damping)
        a_root = g_root = damping.sqrt()
    else:
        samples = batch_size if layer.is_ascend else 1
        a, g = layer.matrix_a_cov._data, layer.matrix_g_cov._data
        share = samples / layer.a_normalizer._data.reshape(())
        a_root = (damping * share).sqrt()
        g_root = (damping * samples / layer.g_normalizer._data.reshape(())).sqrt()
    left = block_inverses(_add_damping(g * scale, g_root), _BLOCK) * share.sqrt()
    right = block_inverses(_add_damping(a, a_root), _BLOCK) * share.sqrt()
    return left, right.expand(len(left), *right.shape).contiguous()


def _add_damping(matrix: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return matrix + torch.eye(len(matrix), device=matrix.device) * value


def _precondition_gradient(row: _Preconditioned, gradient: torch.Tensor) -> torch.Tensor:
    """Return a gradient between the inverses of its layer."""
    left, right = row.left._data, row.right._data
    if left.dim() == 2:
        return right[:, None] * gradient.float() @ left
    return times_blocks(left, gradient.float().flatten(1), right).reshape(gradient.shape)
