"""A rule applied to one weight and its state, in place: what the primitives of this topic share."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from msbridge.core.context.grad_state import in_place
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.step_scalars import are_tensors, number, wide
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates.lists import match_strides

__all__ = [
    "Rate",
    "Rule",
    "compute_update",
    "scalar",
    "update",
    "update_merged_rows",
    "update_rows",
    "update_scattered",
]

Rate = float | Tensor
Rule = Callable[..., None]
Held = Mapping[str, Tensor]


def update(op: str, rule: Rule, held: Held, gradient: Tensor, *settings: Any) -> tuple[Tensor, ...]:
    """Call `rule(*held, gradient, *settings)` on torch tensors and scalars; it changes what is held.

    Args:
        op: the primitive's name.
        rule: computes on single tensors.
        held: the weight and its state, by the names that a message calls them.
        gradient: of the shape of the weight; it is cast to its dtype.
        settings: numbers, or Tensors of one element.

    Returns:
        What is held, as Tensors that share its memory.
    """
    try:
        data = [writable(tensor) for tensor in held.values()]
        weight, grad = data[0], gradient._data
        for name, other in (*zip(held, data, strict=True), ("gradient", grad)):
            if other.shape != weight.shape:  # torch's fused kernels would read past the end (2.13)
                raise ValueError(_of_other_shape(op, next(iter(held)), weight, name, other))
        (grad,) = match_strides([grad.to(weight.dtype)], [weight])
        scalars = [scalar(value, weight.device) for value in settings]
        with in_place():
            rule(*data, grad, *scalars)
    except Exception as error:
        raise explain(error, op, **held, gradient=gradient, settings=settings) from error
    return tuple(map(wrap, data))


def compute_update(op: str, rule: Rule, held: Held, gradient: Tensor, *settings: Any) -> tuple[Tensor, ...]:
    """Return the change that a rule would add to a weight, before the state: only that is held."""
    change = wrap(torch.zeros_like(gradient._data)) if isinstance(gradient, Tensor) else gradient
    return update(op, rule, {"the step": change, **held}, gradient, *settings)


def update_scattered(
    op: str, rule: Rule, held: Held, gradient: Tensor, indices: Tensor, *settings: Any
) -> tuple[Tensor, ...]:
    """Do what `update` does, with a gradient of zero in the rows that `indices` leaves out."""
    weight = next(iter(held.values()))
    if isinstance(gradient, Tensor) and isinstance(weight, Tensor):
        rows = gradient._data.to(weight._data.dtype)
        gradient = wrap(torch.zeros_like(weight._data).index_add_(0, indices._data, rows))
    return update(op, rule, held, gradient, *settings)


def update_rows(
    op: str, rule: Rule, held: Held, gradient: Tensor, indices: Tensor, *settings: Any
) -> tuple[Tensor, ...]:
    """Call a rule as `update` does on the rows that `indices` names, which are then written back."""
    return _update_rows(op, rule, held, gradient, indices, settings, _as_they_are)


def update_merged_rows(
    op: str, rule: Rule, held: Held, gradient: Tensor, indices: Tensor, *settings: Any
) -> tuple[Tensor, ...]:
    """Do what `update_rows` does, with the gradients of a row that is named twice added up."""
    return _update_rows(op, rule, held, gradient, indices, settings, _merge_rows)


def _update_rows(
    op: str,
    rule: Rule,
    held: Held,
    gradient: Tensor,
    indices: Tensor,
    settings: tuple[Any, ...],
    prepare: Callable[[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]],
) -> tuple[Tensor, ...]:
    try:
        data = [writable(tensor) for tensor in held.values()]
        weight, grad = data[0], gradient._data
        for name, other in zip(held, data, strict=True):
            if other.shape != weight.shape:
                raise ValueError(_of_other_shape(op, next(iter(held)), weight, name, other))
        if grad.shape[1:] != weight.shape[1:] or grad.shape[:1] != indices._data.shape:
            raise ValueError(
                f"For '{op}', the gradient must have a row of the shape {tuple(weight.shape[1:])} for each of the "
                f"{indices._data.numel()} indices, but got the shape {tuple(grad.shape)}."
            )
        with in_place():
            at, grad = prepare(indices._data.long(), grad.to(weight.dtype).contiguous())
            rows = [each[at] for each in data]
            rule(*rows, grad, *(scalar(value, weight.device) for value in settings))
            for each, row in zip(data, rows, strict=True):
                each.index_copy_(0, at, row)
    except Exception as error:
        raise explain(error, op, **held, gradient=gradient, indices=indices, settings=settings) from error
    return tuple(map(wrap, data))


def scalar(value: Any, device: torch.device) -> Any:
    """Return a setting as a rule takes it: a number, or a 0-d tensor where the host should not wait for it."""
    if not isinstance(value, Tensor):
        return value
    return wide(value._data, device) if are_tensors(value._data.device) else number(value)


def _as_they_are(at: torch.Tensor, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return at, grad


def _merge_rows(at: torch.Tensor, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    rows, places = torch.unique(at, return_inverse=True)
    return rows, grad.new_zeros(len(rows), *grad.shape[1:]).index_add_(0, places, grad)


def _of_other_shape(op: str, first: str, weight: torch.Tensor, name: str, other: torch.Tensor) -> str:
    return f"For '{op}', the shape of {name} must be that of {first}, {tuple(weight.shape)}, got {tuple(other.shape)}."
