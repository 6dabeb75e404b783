"""Functions that were made of a model's graphs, and their layers."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msbridge.converters.mindir.records import Node
from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.tensor.tensor import Tensor
from msbridge.mindir.layers import Path

FILE_NAME = "<mindir>"  # of the functions, in tracebacks


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer that functions call."""

    path: Path  # of it; the last name ends with "@2" for what its second call computes, where that is something else
    kind: str  # the name of its class
    variable: str  # that it is called by
    function: str  # that it runs
    nodes: tuple[Node, ...]  # what it does itself, besides calls of layers


@dataclass
class Program:
    """Functions of a model.

    Attributes:
        source: of the functions; `main` is the network.
        namespace: what they take besides arguments and parameters.
        parameters: the variable of every parameter that they take, by its name.
        nodes: what each line computes, by its number.
        layers: the layers that they call, inner ones first.
        kinds: the names of the classes of all layers, by path.
        is_writing: whether a node writes to a tensor that may be an input; those of a call stay as they are.
    """

    source: str = ""
    is_writing: bool = False
    namespace: dict[str, Any] = field(
        default_factory=lambda: {"__builtins__": {}, "partial": functools.partial, "int": int}
    )
    parameters: dict[str, str] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    kinds: Mapping[Path, str] = field(default_factory=dict)

    @functools.cached_property
    def code(self) -> Any:
        return compile(self.source, FILE_NAME, "exec")

    def bind(
        self, parameters: Mapping[str, Any], wrap_layer: Callable[[Layer, Callable[..., Any]], Any] | None = None
    ) -> Callable[..., Any]:
        """Return the network as a function, with its parameters.

        Args:
            parameters: by name.
            wrap_layer: returns what is called for a layer, of the function that it runs; None calls the function.
        """
        namespace = self.namespace | {variable: parameters[name] for name, variable in self.parameters.items()}
        exec(self.code, namespace)
        for layer in self.layers:
            function = namespace[layer.function]
            namespace[layer.variable] = wrap_layer(layer, function) if wrap_layer else function
        return self.apart(namespace["main"])

    def place(self, line: int) -> str:
        """Return the place of the node at a line, or before it."""
        before = (self.nodes[one] for one in range(line, 0, -1) if one in self.nodes)
        return next((node.place for node in before if "/" in node.place), "")

    def apart(self, main: Callable[..., Any]) -> Callable[..., Any]:
        """Return the network as a function that writes to no input."""
        if not self.is_writing:
            return main
        return lambda *inputs: main(*map_tensors(Tensor.copy, inputs))
