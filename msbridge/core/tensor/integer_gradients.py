"""Gradients of integers: torch records floating tensors only, and MindSpore computes gradients of any dtype.

An integer (or bool) tensor that is to be differentiated, or was cast from floats that are, goes through the function
as a `Dual`: the tensor itself, and beside it the same numbers in float64, whose history torch records. Every operator
on it is computed twice, once on the integers for the result and once on the floats for the gradient. Where floats are
refused, as for indices, there is no gradient, as in MindSpore. What an operator passes back to integers is cut off to
their dtype, unless it made floats of them by itself (`Use`). Nothing of this is paid for elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core import torch_private

__all__ = ["Dual", "dual_of", "history_of", "plain", "round_gradient"]

_CASTS = frozenset(
    {"to", "type", "int", "long", "short", "char", "byte", "bool", "float", "double", "half", "bfloat16"}
)
_INTO_FLOATS = frozenset({"true_divide", "__truediv__", "__rtruediv__", "sqrt", "reciprocal", "mean"})
_PASSING = frozenset(
    {"reshape", "view", "view_as", "__getitem__", "select", "where", "matmul", "neg", "abs", "clamp", "pow", "square"}
    | {"unsqueeze", "squeeze", "expand", "broadcast_to", "permute", "transpose", "t", "movedim", "flatten"}
)
_REFUSED = (RuntimeError, TypeError, ValueError, IndexError)


@dataclass(slots=True)
class Use:
    """Whether what is computed of integers made floats of them at once, with a number only, or anything else.

    MindSpore leaves a gradient that comes through `x / 2`, a root or a mean in Float32; every other one it casts.
    """

    floats: bool = False
    else_: bool = False


class Dual(torch.Tensor):
    """An integer tensor with a floating one beside it, `_shadow`, that has its history."""

    _shadow: torch.Tensor
    _use: Use | None

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Compute on the integers, and on the floats where that returns a gradient."""
        named = kwargs or {}
        name = getattr(func, "__name__", "")
        writes = name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
        before = _before(args[0]) if writes and torch.is_grad_enabled() else None
        with torch_private.DisableTorchFunctionSubclass():
            result = func(*_each(plain, args), **_each(plain, named))
        if before is not None:
            return _write_shadow(func, args, named, before, result)
        if not torch.is_grad_enabled() or writes or "out" in named:
            return result
        if name.startswith("new_") or name.endswith("_like"):  # to be written into
            return dual_of(result, plain(result).double())
        if isinstance(result, torch.Tensor):
            shadow = _shadow(func, name, args, named)
            return result if shadow is None else _note_use(_join_shadow(result, shadow), name, args)
        if isinstance(result, tuple | list) and any(isinstance(item, torch.Tensor) for item in result):
            shadow = _shadow(func, name, args, named)
            if shadow is not None and len(shadow) == len(result):
                _note_use(result, name, args)
                return type(result)([_join_shadow(*pair) for pair in zip(result, shadow, strict=True)])
        return result


def dual_of(data: torch.Tensor, shadow: torch.Tensor | None = None) -> torch.Tensor:
    """Return an integer tensor that can be differentiated: through `shadow`, or as the beginning of a history."""
    result: Dual = plain(data).as_subclass(Dual)
    if shadow is None:
        shadow = data._shadow if isinstance(data, Dual) else None
        shadow = plain(data).double().requires_grad_() if shadow is None else shadow.view_as(shadow)
    result._shadow = shadow
    result._use = Use()
    return result


def _note_use(result: Any, name: str, args: tuple[Any, ...]) -> Any:
    """Note what was computed of integers, and return it."""
    duals = [value for value in args if isinstance(value, Dual)]
    uses = [value._use for value in duals if value._use is not None]
    if isinstance(result, Dual):
        result._use = uses[0] if name in _PASSING and uses else None
    others = [value for value in args if isinstance(value, torch.Tensor) and value.dim()]
    is_alone = len(duals) == 1 and all(value is duals[0] for value in others)
    for use in uses:
        use.floats |= name in _INTO_FLOATS and is_alone
        use.else_ |= name not in _PASSING and not (name in _INTO_FLOATS and is_alone)
    return result


def plain(value: Any) -> Any:
    """Return an integer tensor without what is beside it; leave other values unchanged."""
    if not isinstance(value, Dual):
        return value
    with torch_private.DisableTorchFunctionSubclass():
        data: torch.Tensor = value.as_subclass(torch.Tensor)
        return data


def history_of(data: torch.Tensor) -> torch.Tensor:
    """Return the tensor whose history torch records for this one."""
    return data._shadow if isinstance(data, Dual) else data


def round_gradient(gradient: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Return a gradient in the dtype of the integers that it is of, or in Float32 where MindSpore leaves it there."""
    use = like._use if isinstance(like, Dual) else None
    if use is not None and use.floats and not use.else_:
        return gradient.float()
    whole = gradient.detach().to(like.dtype)
    return dual_of(whole, gradient) if gradient.requires_grad else whole


def _before(target: torch.Tensor) -> torch.Tensor | None:
    """Return the floats beside what will be written into; None for floats, which have their own history."""
    if isinstance(target, Dual):
        return target._shadow
    return None if target.is_floating_point() or target.is_complex() else target.double()


def _write_shadow(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], shadow: torch.Tensor, result: torch.Tensor | None
) -> Any:
    """Write into the floats, too; where they are refused, what was written into has no history any more."""
    target = args[0]
    try:
        with torch_private.DisableTorchFunctionSubclass():
            shadow = shadow.clone() if shadow.is_leaf and shadow.requires_grad else shadow
            func(shadow, *_each(_float, args[1:]), **_each(_float, kwargs))
    except _REFUSED:
        shadow = plain(target).double()
    if isinstance(target, Dual):
        target._shadow = shadow
        return None if result is None else target
    return None if result is None else _join_shadow(result, shadow)


def _shadow(func: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute with the floats in place of the integers; None where that cannot be done."""
    if name in _CASTS:
        return _whole(args[0]) if isinstance(args[0], Dual) else None
    kwargs = {key: value for key, value in kwargs.items() if key != "dtype"}
    as_floats = _float if name in _PASSING or name in _INTO_FLOATS else _whole
    floats, named = _each(as_floats, args), _each(as_floats, kwargs)
    with torch_private.DisableTorchFunctionSubclass():
        try:
            return func(*floats, **named)
        except _REFUSED:
            pass
        try:  # what is changed and what changes it must have one dtype
            return func(floats[0].double(), *floats[1:], **named)
        except (*_REFUSED, AttributeError):
            return None


def _float(value: Any) -> Any:
    if isinstance(value, Dual):
        return value._shadow
    return value.detach() if isinstance(value, torch.Tensor) else value


def _whole(value: Any) -> Any:
    """Return the floats of integers, whose gradient is cut off to their dtype; leave other values unchanged."""
    if isinstance(value, Dual) and value._shadow.requires_grad:
        return _CutOff.apply(value._shadow, value.dtype)  # type: ignore[no-untyped-call]
    return _float(value)


def _each(change: Any, value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)([_each(change, item) for item in value]) if type(value) in (tuple, list) else value
    if type(value) is dict:
        return {key: _each(change, item) for key, item in value.items()}
    return change(value)


def _join_shadow(result: Any, shadow: Any) -> Any:
    if not isinstance(result, torch.Tensor) or not isinstance(shadow, torch.Tensor):
        return result
    if result.shape != shadow.shape or not (shadow.is_floating_point() or shadow.is_complex()):
        return result
    if result.is_floating_point() or result.is_complex():
        joined: torch.Tensor = _Join.apply(result, shadow) if shadow.requires_grad else result  # type: ignore[no-untyped-call]
        return joined
    return dual_of(result, shadow)


class _CutOff(torch.autograd.Function):
    """The values of a tensor, whose gradient is cut off to whole numbers of a dtype."""

    @staticmethod
    def forward(ctx: Any, shadow: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        ctx.dtype = dtype
        return shadow.view_as(shadow)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return _Whole.apply(gradients[0], ctx.dtype), None  # type: ignore[no-untyped-call]

    @staticmethod
    def jvp(_ctx: Any, *tangents: Any) -> torch.Tensor:
        return tangents[0].view_as(tangents[0])  # type: ignore[no-any-return]


class _Whole(torch.autograd.Function):
    """A gradient cut off to whole numbers of a dtype; its own gradient passes as it is."""

    @staticmethod
    def forward(_ctx: Any, gradient: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        return gradient.float().to(dtype).to(gradient.dtype)

    @staticmethod
    def backward(_ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return gradients[0], None


class _Join(torch.autograd.Function):
    """The values of one tensor, with the histories of two."""

    @staticmethod
    def forward(ctx: Any, result: torch.Tensor, shadow: torch.Tensor) -> torch.Tensor:
        ctx.dtype = shadow.dtype
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Sequence[torch.Tensor]:
        return gradients[0], gradients[0].to(ctx.dtype)
