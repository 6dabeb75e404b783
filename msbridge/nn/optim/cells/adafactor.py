"""Adafactor: second moments of matrices by rows and columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import in_range, instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.engine import Bucket
from msbridge.ops.training.optimizer_updates.factored import adafactor
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["AdaFactor"]


class AdaFactor(Optimizer):
    """p -= lr·g / √v, with v of a matrix the product of the means of rows and columns; lr is relative to the size of p.

    Args:
        params: as in every optimizer.
        learning_rate: a number, a schedule or a list; None with `relative_step`.
        eps: added to squares, and the least size of a parameter.
        clip_threshold: the largest root mean square of a step.
        decay_rate: v follows by 1 - t^-decay_rate.
        beta1: decay of the first moment; None or 0 for none.
        weight_decay: in [0, 1), times the rate.
        scale_parameter: multiply the rate by the root mean square of the parameter.
        relative_step: the rate is min(0.01, 1/√t).
        warmup_init: it is min(1e-6·t, 1/√t) instead.
        compression: keep the second moments of vectors in float16.
        loss_scale: without effect, as in MindSpore: steps do not depend on the scale of gradients.

    Inputs, Outputs: as in every optimizer.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, or arguments exclude each other.

    Follows: mindspore.nn.AdaFactor (2.10).
    """

    eps, clip_threshold, decay_rate, beta1 = (TensorAttribute() for _ in range(4))
    _support_parallel_optimizer = True

    _takes_decay = True

    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: Sequence[float] = (1e-30, 0.001),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float | None = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        if learning_rate is not None and relative_step:
            raise ValueError("For 'AdaFactor', a 'learning_rate' is given only where 'relative_step' is False.")
        if warmup_init and not relative_step:
            raise ValueError("For 'AdaFactor', 'warmup_init' needs 'relative_step'.")
        if learning_rate is None and not relative_step:
            raise ValueError("For 'AdaFactor', 'learning_rate' must be given where 'relative_step' is False.")
        rate = 0.0 if learning_rate is None else learning_rate
        first = 0.0 if beta1 is None else beta1
        self.__dict__["scale_lr"] = isinstance(rate, float | int)
        super().__init__(rate, params, weight_decay, loss_scale)
        if loss_scale != 1.0:
            without_effect("mindspore.nn.AdaFactor.loss_scale", loss_scale)
        instance(eps, "eps", "AdaFactor", (list, tuple))
        if len(eps) != 2:
            raise ValueError(f"For 'AdaFactor', 'eps' must be two numbers, but got {eps!r}.")
        numbers = {"eps0": eps[0], "eps1": eps[1], "clip_threshold": clip_threshold}
        for name, value in numbers.items():
            in_range(instance(value, name, "AdaFactor", float), name, "AdaFactor", 0.0, float("inf"))
        in_range(instance(decay_rate, "decay_rate", "AdaFactor", float), "decay_rate", "AdaFactor", 0, 1, "()")
        in_range(weight_decay, "weight_decay", "AdaFactor", 0, 1)
        switches = {"scale_parameter": scale_parameter, "relative_step": relative_step, "compression": compression}
        for name, switch in switches.items():
            instance(switch, name, "AdaFactor", bool)
        in_range(instance(first, "beta1", "AdaFactor", (int, float)), "beta1", "AdaFactor", 0.0, float("inf"))
        self.eps, self.clip_threshold, self.decay_rate, self.beta1 = tuple(eps), clip_threshold, -decay_rate, first
        self.weight_decay_flag = bool(weight_decay)
        self.scale_parameter = scale_parameter and self.scale_lr
        self.relative_step = relative_step and self.scale_lr
        self.warmup_init = warmup_init
        self.compression = compression
        self.use_first_moment = first > 0
        if self.use_first_moment:
            self._keep("exp_avg")
        shapes = [parameter.shape for parameter in self.parameters]
        single = (1,)
        self._hold_factored_state("exp_avg_sq_row", [shape[:-1] if len(shape) > 1 else single for shape in shapes])
        self._hold_factored_state(
            "exp_avg_sq_col", [shape[:-2] + shape[-1:] if len(shape) > 1 else single for shape in shapes]
        )
        self._hold_factored_state("exp_avg_sq", [shape if len(shape) < 2 else single for shape in shapes])
        self.step = Parameter(Tensor(np.zeros(1, np.float32)), name="afactor_step")

    def _hold_factored_state(self, name: str, shapes: Sequence[tuple[int, ...]]) -> None:
        """Hold a tensor of state of its own shape for each parameter."""
        held = []
        for parameter, shape in zip(self.parameters, shapes, strict=True):
            is_short = self.compression and name == "exp_avg_sq" and parameter.ndim < 2
            dtype = torch.float16 if is_short else parameter._data.dtype
            data = torch.zeros(shape, dtype=dtype, device=parameter._data.device)
            held.append(Parameter(wrap(data), name=f"{name}_{parameter.name}"))
        setattr(self, name, ParameterTuple(held))
        self._slots[name] = (name, "zeros")

    @property
    def supports_memory_efficient_fp16(self) -> bool:
        """Whether it takes parameters in float16."""
        return True

    @property
    def supports_flat_params(self) -> bool:
        """Whether it takes parameters that were joined to one."""
        return False

    def _begin_step(self) -> None:
        super()._begin_step()
        step_scalars.add(self.step, 1)

    def _prepare_gradients(self, bucket: Bucket, g: Tensors) -> Tensors:
        return g

    def _rate_now(self, bucket: Bucket) -> Scalar:
        """Return the learning rate, relative to the number of steps or not."""
        if not self.relative_step:
            return bucket.lr
        step: Any = bucket.step
        least = 1e-6 * step if self.warmup_init else 0.01
        if isinstance(step, torch.Tensor):
            return step.rsqrt().clamp(max=least)
        return float(min(least, step**-0.5))

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        lr, step = self._rate_now(bucket), bucket.step
        betas = self._beta1_number, 1 - step**self._decay_rate_number
        decay = bucket.decay if self.weight_decay_flag else None
        firsts: Any = bucket.of(self.exp_avg) if self.use_first_moment else [None] * len(p)
        settings = lr, betas, self._eps_number, self._clip_threshold_number, decay, self.scale_parameter
        rows, columns, squares = map(bucket.of, (self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq))
        for weight, grad, first, *state in zip(p, g, firsts, rows, columns, squares, strict=True):
            adafactor(weight, grad, first, state[0], state[1], state[2], *settings)
