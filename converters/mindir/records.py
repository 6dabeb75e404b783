"""Contents of a `.mindir` file, as plain values."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.mind_ir import TensorProto

# The types of elements by their number; "bfloat16" has no other name in numpy.
TYPES = {
    TensorProto.FLOAT: "float32",
    TensorProto.UINT8: "uint8",
    TensorProto.INT8: "int8",
    TensorProto.UINT16: "uint16",
    TensorProto.INT16: "int16",
    TensorProto.INT32: "int32",
    TensorProto.INT64: "int64",
    TensorProto.BOOL: "bool",
    TensorProto.FLOAT16: "float16",
    TensorProto.DOUBLE: "float64",
    TensorProto.UINT32: "uint32",
    TensorProto.UINT64: "uint64",
    TensorProto.COMPLEX64: "complex64",
    TensorProto.COMPLEX128: "complex128",
    TensorProto.BFLOAT16: "bfloat16",
    TensorProto.FLOAT64: "float64",
}


def item_size(dtype: str) -> int:
    """Return the bytes of one element."""
    return 2 if dtype == "bfloat16" else np.dtype(dtype).itemsize


class Monad(Enum):
    """Values that only keep nodes in order."""

    MEMORY = "U"
    OUTSIDE = "IO"


@dataclass(frozen=True, slots=True)
class Callee:
    """A graph or a primitive as a value, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class ElementType:
    """A type of numbers as a value, by numpy's name, or "bfloat16"."""

    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """A value of a kind that only has a name, such as a class or a symbol of Python."""

    kind: str
    name: str


@dataclass(slots=True)
class TensorData:
    """A tensor."""

    name: str  # how the file calls it
    dtype: str  # a name of numpy's, or "bfloat16"
    shape: tuple[int, ...]  # its lengths; -1 for one that is not known, in the type of an input
    data: memoryview | None = None  # its elements, in memory that belongs to the file; None where it is only a type
    key: str = ""  # the name of the parameter that it is; "" for none

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"

    @property
    def nbytes(self) -> int:
        count = 1
        for length in self.shape:
            count *= length
        return count * item_size(self.dtype)


@dataclass(slots=True)
class Primitive:
    """An operator with its attributes."""

    op: str  # its name
    attributes: dict[str, Any]  # by name
    is_function: bool = False  # whether its settings are inputs of its nodes, after the others; only of some since 2.3


@dataclass(slots=True)
class Node:
    """A node.

    Attributes:
        name: of the node, and of what it returns.
        target: a primitive, or the name of the graph or of the node that it calls; None for a constant.
        inputs: names of nodes, inputs, parameters and graphs.
        scope: where in the network it was, such as "Default/fc-Dense/MatMul-op0".
        value: of a constant.
    """

    name: str
    target: Primitive | str | None
    inputs: tuple[str, ...] = ()
    scope: str = ""
    value: Any = None

    @property
    def place(self) -> str:
        """The place in the network; its name where the file does not say."""
        return self.scope or self.name


@dataclass(slots=True)
class Graph:
    """A graph.

    Attributes:
        name: of the graph.
        nodes: in the order in which they run.
        inputs: what it takes: a type by name, a monad, or None for what is not a tensor.
        outputs: names of what it returns; one, which may be a tuple.
        parameters: that belong to it, by the name that its nodes have for them.
        results: the types of what it returns, as far as the file has them.
    """

    name: str
    nodes: list[Node] = field(default_factory=list)
    inputs: dict[str, TensorData | Monad | None] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    parameters: dict[str, TensorData] = field(default_factory=dict)
    results: list[TensorData] = field(default_factory=list)


@dataclass(slots=True)
class Model:
    """A file."""

    path: Path  # where it is
    producer: str  # who wrote it, such as "MindSpore"
    release: str  # of MindSpore
    version: int  # of the format
    graph: Graph  # that the network is
    graphs: dict[str, Graph]  # that this one calls, by name

    def every(self) -> Iterator[Graph]:
        """Yield all graphs, the network's first."""
        yield self.graph
        yield from self.graphs.values()

    def input_types(self) -> dict[str, TensorData | None]:
        """Return the types of the network's inputs by name; None for what is not a tensor."""
        prefix, every = f"{self.graph.name}:", self.graph.inputs.items()
        return {name.removeprefix(prefix): one for name, one in every if not isinstance(one, Monad)}

    def inputs(self) -> dict[str, str]:
        """Return the types of the network's inputs, such as "float32[1, 3, 224, 224]", by name."""
        return {name: "object" if one is None else str(one) for name, one in self.input_types().items()}

    def has_functions(self) -> bool:
        """Whether settings of primitives are inputs of nodes."""
        targets = (node.target for graph in self.every() for node in graph.nodes)
        return any(isinstance(target, Primitive) and target.is_function for target in targets)

    def node_count(self) -> int:
        """Return the number of nodes that are not constants."""
        return sum(node.target is not None for graph in self.every() for node in graph.nodes)

    def operators(self) -> dict[str, int]:
        """Count the nodes of each operator in the graphs, the most frequent first."""
        nodes = [node.target for graph in self.every() for node in graph.nodes]
        counts = Counter(target.op for target in nodes if isinstance(target, Primitive))
        return dict(counts.most_common())

    def parameters(self) -> dict[str, TensorData]:
        """Return the parameters by the name that the network has for them.

        Raises:
            CheckpointError: two have the same name.
        """
        tensors: dict[str, TensorData] = {}
        for graph in self.every():
            for tensor in graph.parameters.values():
                if tensor.key in tensors:
                    raise CheckpointError(f"{self.path}: there are two parameters {tensor.key!r}.")
                tensors[tensor.key] = tensor
        return tensors
