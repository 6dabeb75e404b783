"""Gradients of integers: torch records floating tensors only, and MindSpore gives gradients of any dtype.

An integer (or bool) tensor that is to be differentiated, or was cast from floats that are, goes through the function
as a `Dual`: the tensor itself, and beside it the same numbers in float64, whose history torch records. Every operator
on it is computed twice, once on the integers for the result and once on the floats for the gradient. Where floats are
refused, as for indices, there is no gradient, as in MindSpore. Nothing of this is paid for elsewhere.
"""

from collections.abc import Sequence
from typing import Any

import torch

__all__ = ["Dual", "dual_of", "plain", "recorded", "rounded"]

_CASTS = frozenset(
    {"to", "type", "int", "long", "short", "char", "byte", "bool", "float", "double", "half", "bfloat16"}
)


class Dual(torch.Tensor):
    """An integer tensor with a floating one beside it, `_shadow`, that has its history."""

    _shadow: torch.Tensor

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Compute on the integers, and on the floats where that gives a gradient."""
        named = kwargs or {}
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*_each(plain, args), **_each(plain, named))
        name = getattr(func, "__name__", "")
        if not torch.is_grad_enabled() or (name.endswith("_") and not name.endswith("__")) or "out" in named:
            return result
        if isinstance(result, torch.Tensor):
            return result if (shadow := _shadow(func, name, args, named)) is None else _joined(result, shadow)
        if isinstance(result, tuple | list) and any(isinstance(item, torch.Tensor) for item in result):
            shadow = _shadow(func, name, args, named)
            if shadow is not None and len(shadow) == len(result):
                return type(result)(map(_joined, result, shadow)) if type(result) in (tuple, list) else result
        return result


def dual_of(data: torch.Tensor, shadow: torch.Tensor | None = None) -> torch.Tensor:
    """Return an integer tensor that can be differentiated: through `shadow`, or as the beginning of a history."""
    result: Dual = plain(data).as_subclass(Dual)
    if shadow is None:
        shadow = data._shadow if isinstance(data, Dual) else None
        shadow = plain(data).double().requires_grad_() if shadow is None else shadow.view_as(shadow)
    result._shadow = shadow
    return result


def plain(value: Any) -> Any:
    """Return an integer tensor without what is beside it; leave other values as they are."""
    if not isinstance(value, Dual):
        return value
    with torch._C.DisableTorchFunctionSubclass():
        data: torch.Tensor = value.as_subclass(torch.Tensor)
        return data


def recorded(data: torch.Tensor) -> torch.Tensor:
    """Return the tensor whose history torch records for this one."""
    return data._shadow if isinstance(data, Dual) else data


def rounded(gradient: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Return a gradient in the dtype of the integers that it is of."""
    whole = gradient.detach().to(like.dtype)
    return dual_of(whole, gradient) if gradient.requires_grad else whole


def _shadow(func: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute with the floats in the place of the integers; None where that cannot be done."""
    if name in _CASTS:
        return args[0]._shadow if isinstance(args[0], Dual) else None
    try:
        with torch._C.DisableTorchFunctionSubclass():
            return func(*_each(_float, args), **_each(_float, kwargs))
    except (RuntimeError, TypeError, ValueError, IndexError):
        return None


def _float(value: Any) -> Any:
    if isinstance(value, Dual):
        return value._shadow
    return value.detach() if isinstance(value, torch.Tensor) else value


def _each(change: Any, value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)([_each(change, item) for item in value]) if type(value) in (tuple, list) else value
    if type(value) is dict:
        return {key: _each(change, item) for key, item in value.items()}
    return change(value)


def _joined(result: Any, shadow: Any) -> Any:
    if not isinstance(result, torch.Tensor) or not isinstance(shadow, torch.Tensor) or not shadow.requires_grad:
        return result
    if result.shape != shadow.shape:
        return result
    if result.is_floating_point() or result.is_complex():
        return _Join.apply(result, shadow)  # type: ignore[no-untyped-call]  # torch 2.13 has no types for apply
    return dual_of(result, shadow)


class _Join(torch.autograd.Function):
    """The values of one tensor, with the histories of two."""

    @staticmethod
    def forward(ctx: Any, result: torch.Tensor, shadow: torch.Tensor) -> torch.Tensor:
        ctx.dtype = shadow.dtype
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Sequence[torch.Tensor]:
        return gradients[0], gradients[0].to(ctx.dtype)
