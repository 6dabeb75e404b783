"""GraphCell: a network that was read from a file."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell

__all__ = ["GraphCell"]


class GraphCell(Cell):
    """A network that `mindspore.load` read from a file.

    Its parameters are those of the file, by their names; it runs on every device, and can be trained. Its layers are
    Cells, as far as the nodes of the file name their layer; `cells_and_names` lists them, and hooks on
    them are called.

    Args:
        graph: what `mindspore.load` returned.
        params_init: name → Tensor or Parameter, whose values replace those of the file; names that the file does not
            have are passed over.
        obf_random_seed: only None; hidden structures cannot be run.

    Inputs:
        inputs: Tensors, as many as the graph has inputs.

    Outputs:
        What the graph returns: a Tensor, or a tuple of them.

    Raises:
        NotImplementedError: `obf_random_seed` is given.
        TypeError: an argument is of another type.
        ValueError: a value of `params_init` has another shape or dtype than the parameter.
        RuntimeError: (when called) the number of inputs is another one.

    Follows: mindspore.nn.GraphCell (2.10), with 2.0's `obf_random_seed`, which was for hidden structures.
    """

    def __init__(
        self, graph: Any, params_init: Mapping[str, Tensor] | None = None, obf_random_seed: int | None = None
    ) -> None:
        from msbridge.mindir.func_graph import FuncGraph  # with the operators of files, which few scripts need

        super().__init__(auto_prefix=True)
        if obf_random_seed is not None:
            raise NotImplementedError("Dynamic structure obfuscation is not supported now.")
        if not isinstance(graph, FuncGraph):
            raise TypeError(
                "For 'GraphCell', the argument 'graph' must be a FuncGraph, as mindspore.load returns it, but got type "
                f"{type(graph)}."
            )
        params_init = _check_params_init({} if params_init is None else params_init)
        self.graph = graph
        places = _make_layers(self, graph)
        for name, parameter in graph.parameters().items():
            if (value := params_init.get(name)) is not None:
                if value.shape != parameter.shape or value.dtype != parameter.dtype:
                    raise ValueError(
                        f"For 'GraphCell', the parameter {name!r} has shape {parameter.shape} and dtype "
                        f"{parameter.dtype}, but 'params_init' has {value.shape} and {value.dtype}."
                    )
                parameter.set_data(value)
            above, _, leaf = name.rpartition(".")
            owner: Cell | None = places.get(tuple(above.split(".")))
            if owner is None:
                owner, leaf = self, name
            _register_member(owner, owner._params, leaf, parameter)
        self._bind_functions()

    def _bind_functions(self) -> None:
        """Let the layers run the functions of the graph, with these parameters."""
        parameters = {parameter.name: parameter for parameter in self.get_parameters()}
        layers = {tuple(path.split(".")): layer for path, layer in self.cells_and_names()}

        def place_function(layer: Any, function: Callable[..., Any]) -> Any:
            called = layers.get(layer.path)
            if called is None:
                return function
            called.__dict__["construct"] = function
            return called

        self.__dict__["_run"] = self.graph.bind(parameters, place_function)

    def construct(self, *inputs: Any) -> Any:
        """Run the graph."""
        try:
            return self._run(*inputs)
        except Exception as error:
            if (found := self.graph.explain_error(error, len(inputs))) is error:
                raise
            raise found from error

    def __getstate__(self) -> dict[str, Any]:
        return _state_without(super().__getstate__(), "_run")  # it holds these parameters, and a copy has its own

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._bind_functions()


class GraphLayer(Cell):
    """A layer of a network that was read from a file, which calls it; its class has the name that the file says.

    Attributes:
        nodes: the places of the nodes that it computes itself.
    """

    nodes: tuple[str, ...] = ()

    def construct(self, *inputs: Any) -> Any:
        """Refuse to run: a layer that was copied by itself has no functions.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(f"A {type(self).__name__} of a network from a file runs only in its network.")

    def extend_repr(self) -> str:
        """Return the operators of its nodes."""
        return ", ".join(one.rpartition("/")[2] for one in self.nodes)

    def __getstate__(self) -> dict[str, Any]:
        return _state_without(super().__getstate__(), "construct")

    def __reduce__(self) -> Any:
        return _make_layer, (type(self).__name__,), self.__getstate__()


def _make_layer(kind: str) -> GraphLayer:
    return _class_of(kind)()


@cache
def _class_of(kind: str) -> type[GraphLayer]:
    return type(kind, (GraphLayer,), {"__doc__": GraphLayer.__doc__})


def _state_without(state: dict[str, Any], name: str) -> dict[str, Any]:
    state["attributes"].pop(name, None)
    return state


def _make_layers(root: GraphCell, graph: Any) -> dict[tuple[str, ...], GraphLayer]:
    """Make the layers of a network, in the order of its parameters; return them by their paths."""
    layers = {layer.path: layer for layer in graph.program.layers}
    owners = [tuple(name.split(".")[:-1]) for name in graph.model.parameters()]
    ordered = [path[:depth] for path in (*owners, *layers) for depth in range(1, len(path) + 1)]
    wanted = {path[:depth] for path in layers for depth in range(1, len(path) + 1)}
    cells: dict[tuple[str, ...], GraphLayer] = {}
    for path in dict.fromkeys(ordered):
        if path in wanted:
            layer, above = layers.get(path), cells.get(path[:-1], root)
            cells[path] = _make_layer(layer.kind if layer else graph.program.kinds[path])
            cells[path].nodes = tuple(node.place for node in layer.nodes) if layer else ()
            _register_member(above, above._cells, path[-1], cells[path])
    return cells


def _register_member(owner: Cell, registry: dict[str, Any], name: str, value: Any) -> None:
    """Register a layer or a parameter; it is an attribute as well unless there is one of that name."""
    if hasattr(owner, name):
        OrderedDict.__setitem__(registry, name, value)  # type: ignore[arg-type]
    else:
        registry[name] = value


def _check_params_init(params_init: Any) -> Mapping[str, Tensor]:
    instance(params_init, "params_init", "GraphCell", dict)
    for name, value in params_init.items():
        if not isinstance(name, str) or not isinstance(value, Tensor):
            raise TypeError(
                "For 'GraphCell', 'params_init' must have str as keys and Tensors or Parameters as values, but got "
                f"{type(name)} and {type(value)}."
            )
    return params_init
