"""Backward pass: gradients between torch tensors, and the values that go into and come out of it.

    output (Tensors, nested) ── heads_of ──► heads     torch tensors, in order
    sens (Tensor, number, …) ── sens_of  ──► weights   one for each head: broadcast, or refused (exact_sens_of)
                                              │
    sources (aliases)  ◄── gradients_of ──────┘        one gradient for each source, in order
    output             ── released ──► the same values, without the history of this pass

What torch leaves open and MindSpore does not:

- A source that no head depends on has a gradient of zeros; torch returns None. Heads and sources that nothing recorded
  are left out before the engine is asked, which would refuse them.
- Integers have gradients. They come as a `Dual`, an integer tensor with a floating one beside it: torch differentiates
  the floats, and the result is rounded to the integers' dtype (`integer_gradients`).
- torch puts off some results (zeros without memory, conjugates): `materialize` allocates it, for an optimizer or a
  script may write into a gradient.
- `torch.autograd.grad` checks its arguments on every call; the engine behind it is called directly where they fit.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.context.grad_state import state
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor.integer_gradients import Dual, dual_of, history_of, plain, round_gradient
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import engine_run_backward

__all__ = [
    "alias_of",
    "data_of",
    "exact_sens_of",
    "gradients_of",
    "heads_of",
    "observers",
    "release",
    "sens_of",
    "stop_gradient",
]

_NO_DERIVATIVE = re.compile(r"derivative for '?(?:aten::)?(\w+).* is not implemented")

observers: list[Callable[[list[torch.Tensor]], None]] = []  # called with the gradients of every gradient function


def gradients_of(
    heads: list[torch.Tensor], sources: list[torch.Tensor], sens: list[torch.Tensor] | None, create_graph: bool
) -> list[torch.Tensor]:
    """Compute the gradients of the sum of `heads`; zeros where there is no way from a source to a head."""
    if Dual in map(type, sources) or Dual in map(type, heads):
        return _of_duals(heads, sources, sens, create_graph)
    weights = [torch.ones_like(head) for head in heads] if sens is None else sens
    if len(weights) < len(heads):
        raise RuntimeError(f"The output has {len(heads)} tensors, but gradients of {len(weights)} were given.")
    recorded_pairs = [(head, weights[index]) for index, head in enumerate(heads) if head.requires_grad]
    recorded_sources = [source for source in sources if source.requires_grad]
    if not recorded_pairs or not recorded_sources:
        return [torch.zeros_like(source) for source in sources]
    gradients = _backward(recorded_pairs, recorded_sources, create_graph, sens is None)
    if len(recorded_sources) < len(sources):
        found = iter(gradients)
        gradients = [next(found) if source.requires_grad else None for source in sources]
    result = [
        _allocate(gradient, source)
        if gradient is None or gradient._is_zerotensor() or gradient.is_conj() or gradient.is_neg()
        else gradient
        for gradient, source in zip(gradients, sources, strict=True)
    ]
    for observer in observers:
        observer(result)
    return result


def _allocate(gradient: torch.Tensor | None, source: torch.Tensor) -> torch.Tensor:
    """Return the gradient of a source in memory of its own; zeros where there is none."""
    return torch.zeros_like(source) if gradient is None else materialize(gradient)


def _of_duals(
    heads: list[torch.Tensor], sources: list[torch.Tensor], sens: list[torch.Tensor] | None, create_graph: bool
) -> list[torch.Tensor]:
    """Compute gradients where some sources are integers."""
    beside = list(map(history_of, heads))
    if sens is not None:
        sens = [value.to(head.dtype) for value, head in zip(sens, beside, strict=False)]
    found = gradients_of(beside, list(map(history_of, sources)), sens, create_graph)
    return [
        round_gradient(gradient, source) if isinstance(source, Dual) else gradient
        for gradient, source in zip(found, sources, strict=True)
    ]


def _backward(
    pairs: list[tuple[torch.Tensor, torch.Tensor]], sources: list[torch.Tensor], create_graph: bool, is_ones: bool
) -> Sequence[torch.Tensor | None]:
    """Call torch's engine as `torch.autograd.grad` does after its checks, which take 15 µs of a small step's 100.

    Checked against torch 2.13, whose function is private.

    Args:
        pairs: the heads, and the gradient of each.
        sources: what to differentiate.
        create_graph: record the backward pass for an outer gradient function.
        is_ones: the gradients of the heads are ones, which fit.
    """
    heads, weights = zip(*pairs, strict=True)
    try:
        if not is_ones and any(head.dtype != weight.dtype or head.shape != weight.shape for head, weight in pairs):
            return torch.autograd.grad(
                heads, sources, weights, create_graph=create_graph, retain_graph=create_graph, allow_unused=True
            )
        gradients: Sequence[torch.Tensor | None] = engine_run_backward(
            heads, weights, create_graph, create_graph, tuple(sources), True, accumulate_grad=False
        )
    except RuntimeError as error:  # NotImplementedError is one
        if what := _NO_DERIVATIVE.search(str(error)):
            name = what[1].strip("_").removesuffix("_backward")
            raise RuntimeError(f"There is no derivative of '{name}' of this order.") from error
        raise
    return gradients


def heads_of(output: Any) -> list[torch.Tensor]:
    """Return the torch tensors of an output that can have gradients, in order."""
    if type(output) is Tensor:
        return [output._data]
    return [tensor._data for tensor in tensors_of(output)]


def sens_of(sens: Any, heads: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """Return the gradients of the outputs `heads`, broadcast to their shapes; None means ones.

    Raises:
        RuntimeError: one does not broadcast.
    """
    if sens is None:
        return None
    values = tensors_of(sens) if isinstance(sens, Tensor | tuple | list | dict) else [sens]
    result = []
    for value, head in zip(values, heads, strict=False):
        data = data_of(value)
        if not isinstance(data, torch.Tensor):
            data = torch.full((), data)
        try:
            result.append(data.to(head).expand(head.shape))
        except RuntimeError as error:
            raise RuntimeError(
                f"For 'GradOperation', sens of shape {tuple(data.shape)} does not broadcast to the output's shape "
                f"{tuple(head.shape)}."
            ) from error
    return result


def exact_sens_of(sens: Any, heads: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """Return the gradients of the outputs `heads`, of which each must have the shape and dtype; None means ones.

    In graph mode those that broadcast to the output's shape do.

    Raises:
        RuntimeError: there are more or fewer than outputs, or a scalar is given for an output that is not one.
        TypeError: a dtype is another.
        ValueError: a shape is another.
    """
    if sens is None:
        return None
    values = tensors_of(sens) if isinstance(sens, Tensor | tuple | list | dict) else [sens]
    if len(values) != len(heads):
        raise RuntimeError(f"The output has {len(heads)} tensors, but gradients of {len(values)} were given.")
    result = []
    for value, head in zip(values, heads, strict=True):
        if isinstance(value, Tensor):
            data = value._data
        elif isinstance(value, int | float):
            data = torch.full((), value, dtype=head.dtype, device=head.device)
        else:
            raise RuntimeError(f"The gradient of an output must be a Tensor or a number, but got {value!r}.")
        if (
            not head.dim() and not head.is_complex() and data.numel() > 1
        ):  # one number for an output, wherever it is used
            data = data.sum().to(head.dtype)
        if data.shape != head.shape and _may_broadcast(value):
            data = _broadcast(data, head.shape)
        elif data.dim() == 0 and head.dim() > 0:
            raise RuntimeError(f"The gradient of an output of shape {tuple(head.shape)} must not be a scalar.")
        if data.shape != head.shape and (head.dim() or data.numel() != 1):
            raise ValueError(
                f"The gradient of an output must be of its shape {tuple(head.shape)}, got {tuple(data.shape)}."
            )
        if data.dtype != head.dtype:
            raise TypeError(f"The gradient of an output of {head.dtype} must be of this dtype, got {data.dtype}.")
        result.append(data.reshape(head.shape))
    return result


def _may_broadcast(sens: Tensor | float) -> bool:
    return is_graph()


def _broadcast(data: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """Broadcast to a shape, one number with any axes; leave as it is what does not fit."""
    data = data.reshape(()) if data.numel() == 1 else data
    pairs = zip(reversed(data.shape), reversed(shape), strict=False)
    fits = data.dim() <= len(shape) and all(length in (1, whole) for length, whole in pairs)
    return data.expand(shape) if fits else data


def alias_of(data: torch.Tensor) -> torch.Tensor:
    """Return an alias of `data` that can be differentiated; connected to `data` where that has a history."""
    if data.requires_grad:
        return data.view_as(data)
    if isinstance(data, Dual):
        return dual_of(data)
    alias = data.detach()
    return alias.requires_grad_() if alias.is_floating_point() or alias.is_complex() else dual_of(alias)


def release(value: Any) -> Any:
    """Return the same values without their gradient history."""
    if type(value) is Tensor:
        data = value._data
        return wrap(data.detach()) if data.requires_grad else wrap(plain(data)) if type(data) is Dual else value
    return map_tensors(_release, value)


def _release(tensor: Tensor) -> Tensor:
    data = tensor._data
    return wrap(data.detach()) if data.requires_grad else wrap(plain(data)) if type(data) is Dual else tensor


def stop_gradient(value: Any) -> Any:
    """Return the same values, detached: no gradient flows through them.

    Args:
        value: a Tensor, or a tuple or list of them.

    Follows: mindspore.ops.stop_gradient (2.10).
    """
    return map_tensors(lambda tensor: wrap(_cut(tensor._data)), value)


def _cut(data: torch.Tensor) -> torch.Tensor:
    """Detach; where nothing is recorded in a graph, as a view, which its results know to share memory."""
    if state.is_graph and type(data) is torch.Tensor and not data.requires_grad:
        return data.view_as(data)
    return data.detach()


def data_of(value: Any) -> Any:
    """Return the torch tensor inside a Tensor; leave other values unchanged."""
    return value._data if isinstance(value, Tensor) else value
