"""The graph of a `.mindir` file while it is built: nodes of primitives, and the values between them."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from msbridge.converters.mindir.records import Monad

__all__ = ["Graph", "Node", "Unwritable", "Value", "is_symbolic", "metas"]

Scalar = int | float | bool
CONSTANT = "Constant"  # the name of the nodes that hold a value
# MindSpore's numbers of dtypes.
TYPE_IDS = {
    torch.bool: 30,
    torch.int8: 32,
    torch.int16: 33,
    torch.int32: 34,
    torch.int64: 35,
    torch.uint8: 37,
    torch.uint16: 38,
    torch.uint32: 39,
    torch.uint64: 40,
    torch.float16: 42,
    torch.float32: 43,
    torch.float64: 44,
    torch.bfloat16: 45,
    torch.complex64: 51,
    torch.complex128: 52,
}


LENGTHS = {"Add": "ScalarAdd", "Mul": "ScalarMul"}  # what computes lengths, by sympy's names


class Unwritable(Exception):
    """An operator, as it is called here, has no form in a `.mindir` file; says why."""


@dataclass(eq=False, slots=True)
class Value:
    """The output of a node."""

    meta: Any = None  # a fake tensor of its shape and dtype, or a symbolic number; a list of them for several outputs
    name: str = ""  # how the nodes that take it call it; "" for a constant that no node has taken yet
    data: torch.Tensor | None = None  # what it is, where that is known now
    origin: "Value | None" = None  # the value that this is with another shape

    @property
    def shape(self) -> torch.Size:
        return self.meta.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> torch.dtype:
        return self.meta.dtype  # type: ignore[no-any-return]

    @property
    def rank(self) -> int:
        return len(self.shape)

    def axis(self, axis: int) -> int:
        """Return an axis counted from the front."""
        return axis % self.rank if self.rank else 0


@dataclass(slots=True)
class Node:
    """A call of a primitive.

    Attributes:
        primitive: its name; `CONSTANT` for a value that is written in the file.
        inputs: names of the values that it takes.
        name: of the value that it returns.
        attributes: of the primitive; of a constant, its `value`.
        meta: as that of the value.
        layer: the layer that calls it, as MindSpore writes it in its scopes: `Default/conv-Conv2d`.
    """

    primitive: str
    inputs: list[str]
    name: str
    attributes: dict[str, Any]
    meta: Any = None
    layer: str = ""


@dataclass(slots=True)
class Graph:
    """A graph and what makes it longer."""

    name: str  # of the graph, which the names of its values begin with
    layer: str = ""  # the layer whose calls are added now
    result: Any = None  # what the operator that is translated now returns, as a fake tensor or a tuple of them
    nodes: list[Node] = field(default_factory=list)
    inputs: list[Value] = field(default_factory=list)  # the values that the caller of the graph passes
    parameters: list[tuple[Value, Any]] = field(default_factory=list)  # the values that represent Parameters, and these
    output: str = ""  # the name of the value that the graph returns
    outputs: Any = None  # that value: a Value, a number, None, or a tuple of these
    _constants: dict[Any, str] = field(default_factory=dict)
    _lengths: dict[Any, Any] = field(default_factory=dict)
    _read: list[Value] = field(default_factory=list)

    def call(self, primitive: str, *inputs: Any, meta: Any = None, **attributes: Any) -> Value:
        """Add a call.

        Args:
            primitive: its name.
            inputs: Values; numbers, tensors, texts, None and sequences of those become constants; a sequence with
                Values becomes a tuple.
            meta: what comes out; that of the operator which is translated if not given.
            attributes: of the primitive.
        """
        names = [self.name_of(one) for one in inputs]
        meta = self.result if meta is None else meta
        value = Value(meta, f"{self.name}:{len(self.nodes)}")
        self.nodes.append(Node(primitive, names, value.name, attributes, meta, self.layer))
        return value

    def name_of(self, value: Any) -> str:
        """Return the name of a value, which is added where it is none of a node's."""
        if isinstance(value, Value):
            if not value.name:
                value.name = self._constant(value.data)
            return value.name
        if isinstance(value, tuple | list) and any(map(_holds_values, value)):
            metas = [one.meta if isinstance(one, Value) else one for one in value]
            return self.call("MakeTuple", *value, meta=metas).name
        return self._constant(tuple(value) if isinstance(value, list) else value)

    def _constant(self, value: Any) -> str:
        key = id(value) if isinstance(value, torch.Tensor) else (repr(value), type(value))
        if key not in self._constants:
            name = f"{CONSTANT}_{len(self._constants)}"
            self.nodes.append(Node(CONSTANT, [], name, {"value": value}))
            self._constants[key] = name
        return self._constants[key]

    def item(self, several: Value, index: int, meta: Any = None) -> Value:
        """Return one of several outputs."""
        return self.call("TupleGetItem", several, index, meta=several.meta[index] if meta is None else meta)

    def cast(self, x: Value, dtype: torch.dtype) -> Value:
        """Return the values in another dtype."""
        if x.dtype == dtype:
            return x
        if x.data is not None:
            return self.constant(x.data.to(dtype))
        # Of values whose lengths are free 2.0 takes the dtype from the attribute only, of others 2.10 from the number.
        number = () if any(map(is_symbolic, x.shape)) else (TYPE_IDS[dtype],)
        return self.call("Cast", x, *number, meta=x.meta.to(dtype), dst_type=dtype)

    def constant(self, data: torch.Tensor) -> Value:
        """Return a constant."""
        return Value(data, data=data)

    def operand(self, value: Any, dtype: torch.dtype) -> Value:
        """Return an operand of an elementwise operator: a tensor of a dtype, of no axes for a number."""
        if isinstance(value, Value) and isinstance(value.meta, torch.Tensor):
            return self.cast(value, dtype)
        if isinstance(value, Value):  # a length that is known when the graph runs
            meta = torch.empty((), dtype=dtype)  # named twice: 2.0 reads the attribute, later releases the number
            return self.call("ScalarToTensor", value, TYPE_IDS[dtype], meta=meta, dtype=dtype)
        return self.constant(torch.tensor(value, dtype=dtype))

    def reshape(self, x: Value, shape: Sequence[Any]) -> Value:
        """Return the values with another shape, in which lengths may be Values."""
        lengths = [one.meta if isinstance(one, Value) else one for one in shape]
        if x.data is not None:
            return self.constant(x.data.reshape(lengths))
        meta = x.meta.reshape(lengths)
        origin = x if x.origin is None else x.origin
        if _same(meta.shape, origin.shape):
            return origin
        value = self.call("Reshape", origin, self.lengths(shape, meta.shape), meta=meta)
        value.origin = origin
        return value

    def unsqueeze(self, x: Value, axis: int) -> Value:
        """Return the values with one more axis, of length one."""
        return self.call("ExpandDims", x, axis, meta=x.meta.unsqueeze(axis))

    def squeeze(self, x: Value, axis: int) -> Value:
        """Return the values without an axis of length one."""
        return self.call("Squeeze", x, meta=x.meta.squeeze(axis), axis=(axis,))

    def lengths(self, shape: Sequence[Any], known: Sequence[Any]) -> Any:
        """Return a shape as an input of a primitive: one length that is not known now may be -1."""
        unknown = [axis for axis, length in enumerate(known) if is_symbolic(length)]
        inferred = ([axis for axis in unknown if not isinstance(shape[axis], Value)] or unknown)[-1:]
        found = [one if isinstance(one, Value) else length for one, length in zip(shape, known, strict=True)]
        return tuple(-1 if axis in inferred else self.length(length) for axis, length in enumerate(found))

    def length(self, length: Any) -> Any:
        """Return a length as an input of a primitive: a number, or what computes it when the graph runs.

        Raises:
            Unwritable: it follows from other lengths in a way that has no primitive.
        """
        if isinstance(length, Value):
            return length
        return self._emit_expression(length.node.expr, length) if is_symbolic(length) else int(length)

    def _emit_expression(self, expression: Any, meta: Any) -> Any:
        """Emit the value of a term in sympy's words."""
        if expression.is_Integer:
            return int(expression)
        if expression not in self._lengths:
            found = self._find_length(expression)
            kind, parts = expression.func.__name__, expression.args
            if found is not None:
                self._lengths[expression] = found
            elif expression.is_Pow and expression.exp.is_Integer and expression.exp > 0:
                self._lengths[expression] = self._chain("ScalarMul", [expression.base] * int(expression.exp), meta)
            elif kind in LENGTHS:
                self._lengths[expression] = self._chain(LENGTHS[kind], parts, meta)
            elif kind == "FloorDiv" and parts[1].is_Integer and parts[1] > 0:
                self._lengths[expression] = self._emit_quotient(
                    self._emit_expression(parts[0], meta), int(parts[1]), meta
                )
            else:
                raise Unwritable(f"a length that is {self._in_words(expression)}, which is only known when it runs")
        return self._lengths[expression]

    def _in_words(self, expression: Any) -> str:
        """Return a term with the lengths called by their inputs."""
        names: dict[str, str] = {}
        for value in self.inputs:
            for axis, length in enumerate(getattr(value.meta, "shape", ())):
                if is_symbolic(length):
                    names.setdefault(str(length.node.expr), f"{value.name.rpartition(':')[2]}.shape[{axis}]")
        text = str(expression)
        for symbol, name in names.items():
            text = re.sub(rf"\b{re.escape(symbol)}\b", name, text)
        return text

    def _find_length(self, expression: Any) -> Value | None:
        """Return a length of the first value that has it."""
        values = [*self.inputs, *(Value(node.meta, node.name) for node in self.nodes)]
        for value in values:
            for axis, length in enumerate(getattr(value.meta, "shape", ())):
                if is_symbolic(length) and length.node.expr == expression:
                    return self.item(self.call("Shape", value, meta=list(value.shape)), axis)
        return None

    def _chain(self, primitive: str, parts: Sequence[Any], meta: Any) -> Any:
        values = [self._emit_expression(part, meta) for part in parts]
        return functools.reduce(lambda one, other: self.call(primitive, one, other, meta=meta), values)

    def _emit_quotient(self, length: Value, by: int, meta: Any) -> Value:
        """Return a quotient, rounded down, as a number of strides: releases call the primitive that divides unlike."""
        row = self._empty([meta], torch.int64)
        every = self.call("FillV2", (length,), self.constant(torch.tensor(0)), meta=row)
        masks = {"begin_mask": 0, "end_mask": 1, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
        part = self.call("StridedSlice", every, (by - 1,), (0,), (by,), meta=row, **masks)
        return self.item(self.call("Shape", part, meta=[meta]), 0)

    def transpose(self, x: Value, axes: Sequence[int]) -> Value:
        """Return the values with the axes in another order."""
        axes = [axis % x.rank for axis in axes]
        if axes == list(range(x.rank)):
            return x
        return self.call("Transpose", x, tuple(axes), meta=x.meta.permute(axes))

    def expand(self, x: Value, shape: Sequence[Any]) -> Value:
        """Return the values repeated along axes of length one, and new ones in front."""
        if _same(x.shape, shape):
            return x
        if x.data is not None and not any(map(is_symbolic, shape)):
            return self.constant(x.data.expand(tuple(shape)).contiguous())
        present = [1] * (len(shape) - x.rank) + list(x.shape)
        repeated = [is_symbolic(one) and not is_symbolic(length) for one, length in zip(shape, present, strict=True)]
        if any(repeated):
            times = [self.length(one) if is_new else 1 for one, is_new in zip(shape, repeated, strict=True)]
            longer = [one if is_new else old for one, old, is_new in zip(shape, present, repeated, strict=True)]
            tiled = self.call("Tile", self.reshape(x, present), tuple(times), meta=self._empty(longer, x.dtype))
            return self.expand(tiled, shape)
        lengths = tuple(-1 if is_symbolic(one) else int(one) for one in shape)
        return self.call("BroadcastTo", x, meta=self._empty(shape, x.dtype), shape=lengths)

    def _empty(self, shape: Sequence[Any], dtype: torch.dtype) -> Any:
        """Return the stand-in for a value, in which lengths may be unknown."""
        return self.inputs[0].meta.new_empty(tuple(shape), dtype=dtype)

    def read(self, parameter: Value) -> Value:
        """Return the value that a Parameter has before the graph assigns to it."""
        loaded = self.call("Load", parameter, Monad.MEMORY, meta=parameter.meta)
        self._read.append(self.call("TensorMove", loaded, meta=parameter.meta))
        return self._read[-1]

    def finish(self, outputs: Any, assigned: Sequence[tuple[Value, Value]] = ()) -> None:
        """Settle what the graph returns, and leave out the nodes from which nothing of it follows.

        Args:
            outputs: what it returns.
            assigned: Parameters, which have been read by `read`, with the values that they get at last.
        """
        self.outputs, self.output = outputs, self.name_of(outputs)
        if assigned:
            state = self.call("UpdateState", Monad.MEMORY, *self._read, meta=Monad.MEMORY)
            for parameter, value in assigned:
                written = self.call("Assign", parameter, value, state, meta=parameter.meta, side_effect_mem=True)
                state = self.call("UpdateState", state, written, meta=Monad.MEMORY)
            result = Value(name=self.output)
            self.output = self.call("Depend", result, state, meta=metas(outputs), side_effect_propagate=1).name
        wanted, kept = {self.output}, []
        for node in reversed(self.nodes):
            if node.name in wanted:
                wanted.update(node.inputs)
                kept.append(node)
        self.nodes = kept[::-1]


def is_symbolic(length: Any) -> bool:
    """Whether a length is only known when the graph runs."""
    if isinstance(length, Value):
        return is_symbolic(length.meta)
    return isinstance(length, torch.SymInt) and length.node.maybe_as_int() is None


def metas(outputs: Any) -> Any:
    """Return the stand-in for values that a graph returns: fake tensors for its Values."""
    if isinstance(outputs, Value):
        return outputs.meta
    return [metas(one) for one in outputs] if isinstance(outputs, tuple | list) else outputs


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two shapes are known to be equal."""
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: Any, other: Any) -> bool:
    if is_symbolic(one) and is_symbolic(other):
        return bool(_length(one).node.expr == _length(other).node.expr)
    return not is_symbolic(one) and not is_symbolic(other) and bool(one == other)


def _length(length: Any) -> Any:
    return length.meta if isinstance(length, Value) else length


def _holds_values(value: Any) -> bool:
    return isinstance(value, Value) or (isinstance(value, tuple | list) and any(map(_holds_values, value)))
