"""Operators that compute element by element."""

import math
from collections.abc import Callable
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value

__all__ = ["RULES"]

Rule = Callable[..., Value]
aten = torch.ops.aten


def _capitalize(names: str) -> dict[str, str]:
    return {name: name.capitalize() for name in names.split()}


# Of one floating tensor; an integer becomes what torch makes of it.
FLOATING = {"acos": "ACos"} | _capitalize(
    "acosh asin asinh atan atanh cos cosh erf erfc erfinv exp expm1 lgamma log log1p reciprocal rsqrt sigmoid sin sinh"
    " sqrt tan tanh"
)
# Of one tensor of any dtype.
PLAIN = _capitalize("abs ceil floor mish neg sign trunc") | {
    "hardsigmoid": "HSigmoid",
    "hardswish": "HSwish",
    "isfinite": "IsFinite",
    "isinf": "IsInf",
    "isnan": "IsNan",
    "relu": "ReLU",
    "round": "Rint",
    "silu": "SiLU",
}
# Of two operands in the dtype that comes out.
ARITHMETIC = {
    "add.Tensor add.Scalar": "Add",
    "sub.Tensor sub.Scalar": "Sub",
    "mul.Tensor mul.Scalar": "Mul",
    "div.Tensor div.Scalar": "RealDiv",
    "pow.Tensor_Tensor pow.Tensor_Scalar pow.Scalar": "Pow",
    "remainder.Tensor remainder.Scalar": "FloorMod",
    "fmod.Tensor fmod.Scalar": "Mod",
    "floor_divide.default floor_divide.Scalar": "FloorDiv",
    "maximum.default": "Maximum",
    "minimum.default": "Minimum",
    "atan2.default": "Atan2",
    "bitwise_and.Tensor bitwise_and.Scalar": "BitwiseAnd",
    "bitwise_or.Tensor bitwise_or.Scalar": "BitwiseOr",
    "bitwise_xor.Tensor bitwise_xor.Scalar": "BitwiseXor",
}
# Of two operands in the dtype to which both are promoted.
COMPARISONS = {"eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual"}
# Of two operands as bools.
LOGICAL = {"logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor"}
# What replaces an operator on bools.
OF_BOOLS = {
    "Add": "LogicalOr",
    "BitwiseAnd": "LogicalAnd",
    "BitwiseOr": "LogicalOr",
    "BitwiseXor": "LogicalXor",
    "Maximum": "LogicalOr",
    "Minimum": "LogicalAnd",
    "Mul": "LogicalAnd",
}


def _floating(primitive: str) -> Rule:
    return lambda g, x: g.call(primitive, g.cast(x, g.result.dtype))


def _plain(primitive: str) -> Rule:
    return lambda g, x: g.call(primitive, x)


def _arithmetic(primitive: str) -> Rule:
    def rule(g: Graph, left: Any, right: Any, *, alpha: Any = 1) -> Value:
        dtype = g.result.dtype
        left, right = g.operand(left, dtype), g.operand(right, dtype)
        if alpha != 1:
            right = g.call("Mul", right, g.operand(alpha, dtype), meta=right.meta)
        return g.call(OF_BOOLS.get(primitive, primitive) if dtype == torch.bool else primitive, left, right)

    return rule


def _comparison(primitive: str) -> Rule:
    def rule(g: Graph, left: Any, right: Any) -> Value:
        dtype = torch.result_type(*(one.meta if isinstance(one, Value) else one for one in (left, right)))
        dtype = torch.int32 if dtype == torch.bool and primitive not in ("Equal", "NotEqual") else dtype
        return g.call(primitive, g.operand(left, dtype), g.operand(right, dtype))

    return rule


def _logical(primitive: str) -> Rule:
    return lambda g, left, right: g.call(primitive, g.operand(left, torch.bool), g.operand(right, torch.bool))


def _reverse_subtract(g: Graph, x: Value, other: Any, alpha: Any = 1) -> Value:
    return RULES[aten.sub.Tensor](g, other, x, alpha=alpha)


def _power(g: Graph, base: Any, exponent: Any) -> Value:
    if isinstance(exponent, int | float) and isinstance(base, Value) and base.dtype.is_floating_point:
        if exponent == 2:
            return g.call("Square", base)
        if exponent == 0.5:
            return g.call("Sqrt", base)
        if exponent == -0.5:
            return g.call("Rsqrt", base)
    return _arithmetic("Pow")(g, base, exponent)


def _divide_rounding(g: Graph, left: Any, right: Any, *, rounding_mode: str | None = None) -> Value:
    primitive = {None: "RealDiv", "floor": "FloorDiv", "trunc": "TruncateDiv"}[rounding_mode]
    return _arithmetic(primitive)(g, left, right)


def _clamp(g: Graph, x: Value, lowest: Any = None, highest: Any = None) -> Value:
    x = g.cast(x, g.result.dtype)
    if lowest is not None:
        x = g.call("Maximum", x, g.operand(lowest, x.dtype))
    if highest is not None:
        x = g.call("Minimum", x, g.operand(highest, x.dtype))
    return x


def _hard_tanh(g: Graph, x: Value, lowest: Any = -1, highest: Any = 1) -> Value:
    return g.call("ReLU6", x) if (lowest, highest) == (0, 6) else _clamp(g, x, lowest, highest)


def _gelu(g: Graph, x: Value, *, approximate: str = "none") -> Value:
    if approximate == "tanh":
        return g.call("GeLU", x)
    half = g.call("Mul", x, g.operand(0.5, x.dtype))
    erf = g.call("Erf", g.call("Mul", x, g.operand(math.sqrt(0.5), x.dtype)))
    return g.call("Mul", half, g.call("Add", erf, g.operand(1.0, x.dtype)))


def _softplus(g: Graph, x: Value, beta: float = 1, threshold: float = 20) -> Value:
    if (beta, threshold) != (1, 20):
        raise Unwritable(f"only with beta=1 and threshold=20, not {beta} and {threshold}")
    return g.call("Softplus", x)


def _where(g: Graph, condition: Value, left: Any, right: Any) -> Value:
    shape, dtype = g.result.shape, g.result.dtype
    operands = (g.expand(g.operand(one, dtype), shape) for one in (left, right))
    return g.call("Select", g.expand(g.operand(condition, torch.bool), shape), *operands)


def _logical_not(g: Graph, x: Value) -> Value:
    return g.call("LogicalNot", g.cast(x, torch.bool))


def _bitwise_not(g: Graph, x: Value) -> Value:
    if x.dtype == torch.bool:
        return g.call("LogicalNot", x)
    return g.call("Sub", g.call("Neg", x), g.operand(1, x.dtype))


def _cast(g: Graph, x: Value, *_: Any, **__: Any) -> Value:
    return g.cast(x, g.result.dtype)


def _same(g: Graph, x: Value, *_: Any, **__: Any) -> Value:
    return x


def _copy(g: Graph, x: Value, source: Value, *_: Any) -> Value:
    return g.expand(g.cast(source, x.dtype), x.shape)


def _overloads(name: str) -> list[Any]:
    """Return the overloads of a name, as "add" or "add.Tensor add.Scalar", that this torch has."""
    overloads = []
    for one in name.split():
        packet, _, overload = one.partition(".")
        overloads += [getattr(getattr(aten, packet), part) for part in ([overload] if overload else ["default"])]
    return overloads


def _table(make: Callable[[str], Rule], rows: dict[str, str], overloads: str = "") -> dict[Any, Rule]:
    rules = {}
    for names, primitive in rows.items():
        for name in names.split():
            for overload in overloads.split() or [""]:
                for one in _overloads(f"{name}.{overload}" if overload else name):
                    rules[one] = make(primitive)
    return rules


RULES: dict[Any, Rule] = {
    **_table(_floating, FLOATING),
    **_table(_plain, PLAIN),
    **_table(_arithmetic, ARITHMETIC),
    **_table(_comparison, COMPARISONS, "Tensor Scalar"),
    **_table(_logical, LOGICAL),
    aten.rsub.Tensor: _reverse_subtract,
    aten.rsub.Scalar: _reverse_subtract,
    aten.pow.Tensor_Scalar: _power,
    aten.div.Tensor_mode: _divide_rounding,
    aten.div.Scalar_mode: _divide_rounding,
    aten.clamp.default: _clamp,
    aten.clamp.Tensor: _clamp,
    aten.hardtanh.default: _hard_tanh,
    aten.gelu.default: _gelu,
    aten.softplus.default: _softplus,
    aten.where.self: _where,
    aten.logical_not.default: _logical_not,
    aten.bitwise_not.default: _bitwise_not,
    aten._to_copy.default: _cast,
    aten.alias.default: _same,
    aten.clone.default: _same,
    aten.contiguous.default: _same,
    aten.detach.default: _same,
    aten.lift_fresh_copy.default: _same,
    aten.copy.default: _copy,
}
