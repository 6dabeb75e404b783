"""Kinds of values, and the kinds that calls return: what can be inferred from the source only."""

import re
from dataclasses import dataclass
from typing import Any

from msbridge.scan.project import External

__all__ = [
    "ARGUMENT",
    "BOOL",
    "CELL",
    "CELLS",
    "DICT",
    "FLOAT",
    "INT",
    "LIST",
    "NONE",
    "NUMBERS",
    "NUMPY",
    "PARAMETER",
    "SET",
    "STR",
    "TENSOR",
    "TUPLE",
    "UNKNOWN",
    "VIEWS",
    "ValueKind",
    "has_weights",
    "of_external_call",
    "of_tensor_method",
]


@dataclass(frozen=True, slots=True)
class ValueKind:
    """The kind of a value, as far as the source shows it."""

    name: str  # such as "tensor", "list" or "object"; empty where nothing is known
    target: Any = None  # the class or function of the project, or the external name, where there is one
    detail: str = ""  # "view" of a Tensor that is a part of another one, "cells" of a list of Cells, "shape" of a tuple
    dtype: str = ""  # of a Tensor, where it is said

    @property
    def is_tensor(self) -> bool:
        """Whether it is a Tensor or a Parameter."""
        return self.name in ("tensor", "parameter")


UNKNOWN = ValueKind("")
ARGUMENT = ValueKind("argument")
BOOL, FLOAT, INT, NONE, STR = (ValueKind(name) for name in ("bool", "float", "int", "none", "str"))
DICT, LIST, SET, TUPLE = (ValueKind(name) for name in ("dict", "list", "set", "tuple"))
CELL, CELLS, NUMPY, PARAMETER, TENSOR = (ValueKind(name) for name in ("cell", "cells", "numpy", "parameter", "tensor"))
NUMBERS = {"bool", "float", "int"}

LAYERS = ("mindspore.nn.", "mindspore.mint.nn.")
CONTAINERS = {"CellList", "SequentialCell", "CellDict"}
# Layers with Parameters: several of one class in a plain list collide in their names.
WEIGHTY = re.compile(
    r"(Dense|Linear|BiDense|Conv\w*|Embedding\w*|(Sync)?BatchNorm\w*|InstanceNorm\w*|LayerNorm|GroupNorm|RMSNorm|PReLU"
    r"|LSTM\w*|GRU\w*|RNN\w*|MultiheadAttention|Transformer\w*|DenseBnAct|MultiClass\w*)"
)

# Methods that only Tensors have, and that return Tensors.
TENSOR_METHODS = {
    *("abs", "add", "all", "any", "argmax", "argmin", "argsort", "astype", "broadcast_to", "bmm", "ceil", "chunk"),
    *("clamp", "clip", "contiguous", "cos", "cumsum", "div", "equal", "exp", "expand", "expand_as", "expand_dims"),
    *("fill", "flatten", "flip", "float", "floor", "gather", "ge", "gt", "half", "int", "isnan", "le", "log"),
    *("logical_and", "logical_not", "logical_or", "long", "lt", "masked_fill", "matmul", "max", "mean", "min", "mul"),
    *("ne", "nonzero", "norm", "permute", "pow", "prod", "repeat", "reshape", "roll", "rsqrt", "scatter", "select"),
    *("sigmoid", "sin", "softmax", "split", "sqrt", "square", "squeeze", "std", "sub", "sum", "swapaxes", "tanh"),
    *("tile", "to", "topk", "transpose", "tril", "triu", "type_as", "unsqueeze", "var", "view", "copy", "bool"),
}
SHARED_METHODS = {
    "copy",
    "split",
    "index",
    "count",
    "add",
    "to",
    "select",
    "fill",
    "repeat",
    "view",
    "all",
    "any",
}
TENSOR_ATTRIBUTES = {"T", "ndim", "dtype", "shape", "strides", "itemsize", "nbytes"}
VIEWS = {"T", "expand_dims", "flatten", "permute", "reshape", "squeeze", "swapaxes", "transpose", "unsqueeze", "view"}
SURE_SIGNS = (TENSOR_METHODS - SHARED_METHODS) | TENSOR_ATTRIBUTES | {"asnumpy", "item"}
"""Attributes whose use implies that an argument is a Tensor."""

PLAIN_OPERATORS = {
    "shape": TUPLE,
    "Shape": TUPLE,
    "rank": INT,
    "Rank": INT,
    "size": INT,
    "Size": INT,
    "TensorShape": TENSOR,
}
UNCLEAR_OPERATORS = {
    *("BroadcastTo", "DType", "Depend", "GradOperation", "HyperMap", "Map", "Meshgrid", "MultitypeFuncGraph", "Print"),
    *("Split", "TensorDump", "Unstack", "cast_to", "chunk", "constexpr", "depend", "dtype", "get_grad", "grad"),
    *("is_tensor", "jvp", "max", "meshgrid", "min", "partial", "print_", "scalar_to_tensor", "sort", "split"),
    *("stop_gradient", "tensor_split", "topk", "unbind", "unique", "unstack", "value_and_grad", "vjp", "vmap"),
}  # fmt: skip
NAMED = {
    "builtins.int": INT, "builtins.len": INT, "builtins.ord": INT, "builtins.float": FLOAT, "builtins.bool": BOOL,
    "builtins.isinstance": BOOL, "builtins.hasattr": BOOL, "builtins.callable": BOOL, "builtins.str": STR,
    "builtins.repr": STR, "builtins.hex": STR, "builtins.bin": STR, "builtins.oct": STR,
    "builtins.list": LIST, "builtins.sorted": LIST, "builtins.tuple": TUPLE, "builtins.dict": DICT, "builtins.set": SET,
    "builtins.frozenset": SET, "builtins.range": ValueKind("range"), "mindspore.Tensor": TENSOR,
    "mindspore.tensor": TENSOR, "mindspore.Parameter": PARAMETER, "mindspore.ParameterTuple": ValueKind("parameters"),
    "collections.OrderedDict": DICT, "collections.defaultdict": DICT, "builtins.open": ValueKind("file"),
    "mindspore.common.initializer.initializer": TENSOR, "mindspore.initializer.initializer": TENSOR,
}  # fmt: skip


def has_weights(name: str) -> bool:
    """Whether a layer of MindSpore, by its external name, has Parameters."""
    return name.startswith(LAYERS) and WEIGHTY.fullmatch(name.rpartition(".")[2]) is not None


def of_external_call(name: str) -> ValueKind:
    """Return the kind of the result of calling an external name."""
    last = name.rpartition(".")[2]
    if name in NAMED:
        return NAMED[name]
    if name.startswith(LAYERS) and last[:1].isupper():
        return CELLS if last in CONTAINERS else ValueKind("cell", External(name))
    if name.startswith(("mindspore.ops.", "mindspore.mint.", "mindspore.numpy.")):
        if last in PLAIN_OPERATORS and last[0].islower():
            return PLAIN_OPERATORS[last]
        if last in UNCLEAR_OPERATORS:
            return ValueKind("primitive") if last[0].isupper() else UNKNOWN
        return ValueKind("primitive", External(name)) if last[:1].isupper() else TENSOR
    if name.startswith("numpy."):
        return NUMPY
    return FLOAT if name.startswith("math.") else UNKNOWN


def of_primitive(target: External | None) -> ValueKind:
    """Return the kind of the result of calling a primitive."""
    if target is None or target.last in UNCLEAR_OPERATORS:
        return UNKNOWN
    return PLAIN_OPERATORS.get(target.last, TENSOR)


def of_tensor_method(name: str) -> ValueKind:
    """Return the kind of the result of a method of a Tensor."""
    if name in ("asnumpy", "numpy"):
        return NUMPY
    if name in ("split", "chunk", "unbind", "topk", "max", "min", "sort", "unique"):
        return TENSOR if name in ("max", "min") else UNKNOWN
    return {
        "item": ValueKind("int", detail="item"),
        "tolist": LIST,
        "size": INT,
        "dim": INT,
        "ndimension": INT,
        "numel": INT,
    }.get(name, TENSOR)
