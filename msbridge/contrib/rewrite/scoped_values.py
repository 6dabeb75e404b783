"""Operands of a statement: a constant, a name with its scope, an object."""

import ast
from collections.abc import Sequence
from enum import Enum
from typing import Any, Self

from msbridge.contrib.rewrite.checks import elements
from msbridge.core.checks.arguments import instance

__all__ = ["ScopedValue", "ValueType"]


class ValueType(Enum):
    """The kind of a ScopedValue.

    Follows: mindspore.rewrite.ValueType (2.10).
    """

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


class ScopedValue:
    """A target or an argument of a statement.

    Args:
        arg_type: its kind.
        scope: what comes before the dot: "self" for `self.conv`.
        value: a constant, a name, an object, or a collection of ScopedValues, as the kind says.

    Raises:
        TypeError: `arg_type` is not a ValueType, or `scope` is not a str.

    Follows: mindspore.rewrite.ScopedValue (2.10).
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None) -> None:
        self.type: ValueType = instance(arg_type, "arg_type", "ScopedValue", ValueType)
        self.scope: str = instance(scope, "scope", "ScopedValue", str)
        self.value = value

    @classmethod
    def create_variable_value(cls, value: Any) -> Self:
        """Return the value for a Python object.

        Args:
            value: None, a number, a str or a bool makes a constant; a tuple, list or dict a collection of values; all
                else an object that the rewritten network keeps as a member.

        Follows: mindspore.rewrite.ScopedValue.create_variable_value (2.10).
        """
        if value is None or isinstance(value, int | float | str):
            return cls(ValueType.ConstantValue, "", value)
        if isinstance(value, tuple):
            return cls(ValueType.TupleValue, "", tuple(cls.create_variable_value(one) for one in value))
        if isinstance(value, list):
            return cls(ValueType.ListValue, "", [cls.create_variable_value(one) for one in value])
        if isinstance(value, dict):
            pairs = {cls.create_variable_value(key): cls.create_variable_value(one) for key, one in value.items()}
            return cls(ValueType.DictValue, "", pairs)
        return cls(ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> Self:
        """Return the value for a variable.

        Args:
            name: its name.
            scope: what comes before the dot.

        Raises:
            TypeError: one of them is not a str.

        Follows: mindspore.rewrite.ScopedValue.create_naming_value (2.10).
        """
        instance(name, "name", "ScopedValue", str)
        instance(scope, "scope", "ScopedValue", str)
        return cls(ValueType.NamingValue, scope, name)

    @staticmethod
    def create_name_values(names: Sequence[str], scopes: Sequence[str] | None = None) -> "list[ScopedValue]":
        """Return the values for several variables.

        Args:
            names: a list or tuple of names.
            scopes: as many scopes.

        Raises:
            TypeError: one of them is not a list or tuple of strings.
            ValueError: there are not as many scopes as names.

        Follows: mindspore.rewrite.ScopedValue.create_name_values (2.10).
        """
        elements(names, "names", "ScopedValue", str)
        if scopes is None:
            return [ScopedValue.create_naming_value(name) for name in names]
        elements(scopes, "scopes", "ScopedValue", str)
        if len(names) != len(scopes):
            raise ValueError(
                f"For 'ScopedValue', there must be as many scopes as names, but got {len(scopes)} and {len(names)}."
            )
        return [ScopedValue.create_naming_value(name, scope) for name, scope in zip(names, scopes, strict=True)]

    def __str__(self) -> str:
        if self.type is ValueType.ConstantValue:
            return str(self.value)
        if self.type is ValueType.NamingValue:
            return f"{self.scope}.{self.value}" if self.scope else str(self.value)
        if self.type is ValueType.CustomObjValue:
            return f"CustomObj: {self.value}"
        return f"Illegal ValueType: {self.type}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ScopedValue):
            return NotImplemented
        return (self.type, self.scope) == (other.type, other.scope) and self.value == other.value

    def __hash__(self) -> int:
        return hash((self.type, self.scope, self.value))


def value_of(expression: ast.expr) -> ScopedValue:
    """Return the value that an expression of a flat statement is; its source where it is more than that."""
    match expression:
        case ast.Name(name):
            return ScopedValue.create_naming_value(name)
        case ast.Attribute(ast.Name(scope), name):
            return ScopedValue.create_naming_value(name, scope)
        case ast.Constant(value):
            return ScopedValue.create_variable_value(value)
        case ast.Tuple(items) | ast.List(items) if all(map(_is_plain, items)):
            return ScopedValue.create_variable_value(tuple(_plain(item) for item in items))
    return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(expression))


def _is_plain(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant | ast.Name) or (
        isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name)
    )


def _plain(item: ast.expr) -> Any:
    return item.value if isinstance(item, ast.Constant) else ast.unparse(item)


def expression_of(value: ScopedValue, ctx: ast.expr_context | None = None) -> ast.expr:
    """Return the expression that a value represents.

    Raises:
        TypeError: it is an object that no member was made of.
    """
    if value.type is ValueType.ConstantValue:
        return ast.Constant(value.value)
    if value.type in (ValueType.NamingValue, ValueType.UnsupportedValue):
        found = ast.parse(str(value) if value.type is ValueType.NamingValue else str(value.value), mode="eval").body
        if ctx is not None and isinstance(found, ast.Name | ast.Attribute):
            found.ctx = ctx
        return found
    if value.type is ValueType.TupleValue:
        return ast.Tuple([expression_of(item) for item in value.value], ast.Load())
    if value.type is ValueType.ListValue:
        return ast.List([expression_of(item) for item in value.value], ast.Load())
    if value.type is ValueType.DictValue:
        return ast.Dict(
            [expression_of(key) for key in value.value], [expression_of(item) for item in value.value.values()]
        )
    raise TypeError(
        f"An object of type {type(value.value).__name__} has no name yet; insert its node into a SymbolTree."
    )
