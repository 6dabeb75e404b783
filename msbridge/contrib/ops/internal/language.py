"""Primitives on types, texts and tuples: what graph mode asks of values while it compiles.

Follows: mindspore.ops.operations._inner_ops (2.10; 2.0 for `ConvertToAdapterTensor` and `ConvertToMsTensor`).
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.autograd.grad import get_grad
from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.composite.functions import mixed_precision_cast
from msbridge.ops.framework.control.functions import typeof
from msbridge.ops.framework.python_values.family import on_values
from msbridge.ops.framework.python_values.scalars import bit_and, bit_or  # type: ignore[attr-defined]
from msbridge.ops.primitive.primitive import derive


def _slice_item(slice: Any, attr: str) -> Any:
    if type(slice).__name__ != "slice":
        raise TypeError(f"For 'SliceGetItem', the value must be a slice, got {slice!r}.")
    if attr not in ("start", "stop", "step"):
        raise AttributeError(f"A slice has no attribute {attr!r}.")
    found = getattr(slice, attr)
    return found.item() if isinstance(found, Tensor) and found.ndim == 1 else found


def _belongs(width: Type, kind: Type) -> bool:
    """Whether a type is `kind`, or one of the widths of a number when `kind` has none."""
    if kind in (mstype.int_, mstype.uint, mstype.float_):
        return type(width) is type(kind)
    return width == kind or (kind == mstype.number and isinstance(width, mstype.Number))


def _is_subclass(sub_type: Type, type_: Type) -> bool:
    instance(sub_type, "sub_type", "IsSubClass", Type)
    return _belongs(sub_type, instance(type_, "type_", "IsSubClass", Type))


def _is_instance(inst: Any, type_: Type) -> bool:
    instance(type_, "type_", "IsInstance", Type)
    if type_ in (mstype.list_, mstype.tuple_):
        return isinstance(inst, list if type_ == mstype.list_ else tuple)
    if isinstance(inst, Tensor):
        return type_ == mstype.tensor_type
    return _belongs(mstype.float32 if isinstance(inst, float) else typeof(inst), type_)


def _is_parameter(x: Any) -> bool:
    return isinstance(x, Parameter)


def _is_constant(x: Any) -> bool:
    return True


def _type(x: Any) -> Type:
    if isinstance(x, Tensor):
        return mstype.tensor_type
    return _TYPES[type(x)] if type(x) in _TYPES else typeof(x)


_TYPES = {
    dict: mstype.Dict("Dictionary", "Dictionary"),
    float: mstype.float32,
    int: mstype.int_,
    slice: mstype.Slice("Slice", "Slice"),
    type(...): mstype.Ellipsis_("Ellipsis", "Ellipsis"),
}


def _same(x: Tensor, y: Tensor) -> Tensor:
    for name, value in (("x", x), ("y", y)):
        instance(value, name, "SameTypeShape", Tensor)
    if x.dtype != y.dtype:
        raise TypeError(f"For 'SameTypeShape', both must be of one dtype, got {x.dtype} and {y.dtype}.")
    if x.shape != y.shape:
        raise ValueError(f"For 'SameTypeShape', both must be of one shape, got {x.shape} and {y.shape}.")
    return x


def _check_bprop(grads: tuple[Any, ...], params: tuple[Any, ...], prim_to_check: str = "") -> tuple[Any, ...]:
    """Return the gradients that a `bprop` returns, each of the dtype and shape of its argument.

    Raises:
        TypeError: a dtype differs, or one of both is not a tuple.
        ValueError: a shape or the number differs.
    """
    where = f"{prim_to_check}'s bprop" if prim_to_check else "user defined method 'bprop'"
    for name, value in (("grads", grads), ("params", params)):
        instance(value, name, where, tuple)
    if len(grads) != len(params):
        raise ValueError(f"For {where}, there must be {len(params)} gradients, one for each input, got {len(grads)}.")
    for place, (grad, param) in enumerate(zip(grads, params, strict=True)):
        if not isinstance(grad, Tensor) or not isinstance(param, Tensor):
            continue
        which = f"For {where}, gradient {place} must have the"
        if grad.shape != param.shape:
            raise ValueError(f"{which} shape of its input, {param.shape}, got {grad.shape}.")
        if grad.dtype != param.dtype:
            raise TypeError(f"{which} dtype of its input, {param.dtype}, got {grad.dtype}.")
    return grads


def _format(string: str, *args: Any) -> str:
    return string.format(*args)


def _gradient(gradients: Any, x: int | Parameter) -> Tensor:
    return get_grad(gradients, x)


def _tile_size(shape: Sequence[int], out_shape: Sequence[int], ndim: int) -> tuple[int, ...]:
    size = [1] * ndim
    for place, (length, wanted) in enumerate(zip(shape, out_shape, strict=False)):
        if length != wanted:
            size[place] = wanted
    return tuple(size)


def _identity(input: Tensor) -> Tensor:
    return input


def _dynamic(input: Tensor, is_dynamic_rank: bool = False) -> Tensor:
    """Return the Tensor itself: shapes are known when operators run here."""
    return input


_ROWS: dict[str, Callable[..., Any]] = {
    "ConvertToAdapterTensor": _identity,
    "ConvertToMsTensor": _identity,
    "ErrorOnDynamicShapeInput": _identity,
    "Format": _format,
    "GetGrad": _gradient,
    "GpuConvertToDynamicShape": _identity,
    "IsConstant": _is_constant,
    "IsInstance": _is_instance,
    "IsParameter": _is_parameter,
    "IsSubClass": _is_subclass,
    "MixedPrecisionCast": mixed_precision_cast,
    "SameTypeShape": _same,
    "SliceGetItem": _slice_item,
    "TileSize": _tile_size,
    "TopTypeof": _type,
    "bit_left_shift": operator.lshift,
    "bit_right_shift": operator.rshift,
    "bit_xor": operator.xor,
    "string_ge": operator.ge,
    "string_getitem": operator.getitem,
    "string_gt": operator.gt,
    "string_in": lambda part, text: part in text,
    "string_le": operator.le,
    "string_lt": operator.lt,
    "string_mul": operator.mul,
    "string_not": operator.not_,
}
_INSTANCES = {
    "check_bprop": "CheckBprop",
    "convert_to_adapter_tensor": "ConvertToAdapterTensor",
    "convert_to_ms_tensor": "ConvertToMsTensor",
    "issubclass_": "IsSubClass",
    "same_type_shape_": "SameTypeShape",
}

_CLASSES = on_values(_ROWS, "mindspore.ops.operations._inner_ops")
DERIVED = (
    derive("CheckBprop", _check_bprop, "prim_to_check"),
    derive("ConvertToDynamic", _dynamic, "is_dynamic_rank"),
    *(made for name, made in _CLASSES.items() if name[0].isupper()),
)
_BY_NAME: dict[str, Any] = {made.__name__: made for made in DERIVED}
INSTANCES = (
    {name: made() for name, made in _CLASSES.items() if name[0].islower()}
    | {name: _BY_NAME[of]() for name, of in _INSTANCES.items()}
    | {"bit_and": bit_and(), "bit_or": bit_or()}
)
