"""A network as torch has followed it becomes a graph of primitives."""

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.train.exporting.graph import Graph, Unwritable, Value
from msbridge.train.exporting.operators import RULES
from msbridge.train.exporting.rewriting import decompositions
from msbridge.train.exporting.tracing import quiet

__all__ = ["translate_program"]

aten = torch.ops.aten
STATISTICS = ("running_mean", "running_var", "moving_mean", "moving_variance")
REALS = {  # of numbers that are computed from lengths
    operator.add: "Add",
    operator.sub: "Sub",
    operator.mul: "Mul",
    operator.truediv: "RealDiv",
    operator.pow: "Pow",
}
CHECKS = frozenset(
    [
        "_assert_async",
        "_assert_scalar",
        "_assert_tensor_metadata",
        "_linalg_check_errors",
        "sym_constrain_range",
        "sym_constrain_range_for_size",
    ]
)


def translate_program(
    program: Any, name: str, parameters: Mapping[str, Any], names: Sequence[str | None], layers: Mapping[str, str]
) -> Graph:
    """Return the graph of a network.

    Args:
        program: what torch.export made of it.
        name: of the graph.
        parameters: the Parameters, by the names of torch's tensors.
        names: of the inputs; None for those that are written into the file.
        layers: the classes of the layers, by their paths in torch.

    Raises:
        RuntimeError: primitives do not do what the network computes; names all such operators and their layers.
    """
    with quiet():
        program = program.run_decompositions(decompositions(RULES))
    return _Translation(program, Graph(name), parameters, names, layers).graph


class _Translation:
    def __init__(
        self,
        program: Any,
        graph: Graph,
        parameters: Mapping[str, Any],
        names: Sequence[str | None],
        layers: Mapping[str, str],
    ) -> None:
        self.graph = graph
        self._program = program
        self._layers = layers
        self._values: dict[Any, Any] = {}
        self._missing: list[tuple[str, str, str]] = []
        self._own: dict[int, Value] = {}
        self._assigned = _find_assigned_parameters(program, parameters)
        self._take_inputs(parameters, names)
        _forget_checks(program.graph)
        for node in program.graph.nodes:
            if node.op == "call_function":
                self._values[node] = self._call(node)
        if self._missing:
            raise RuntimeError(_complaint(self._missing))
        self._give_outputs()

    def _take_inputs(self, parameters: Mapping[str, Any], names: Sequence[str | None]) -> None:
        signature, state = self._program.graph_signature, self._program.state_dict
        examples = torch_private.tree_leaves(self._program.example_inputs[0])
        given = iter(zip(names, examples, strict=True))
        specs = {spec.arg.name: spec for spec in signature.input_specs}
        for node in self._program.graph.nodes:
            if node.op != "placeholder":
                continue
            spec, meta = specs[node.name], node.meta.get("val")
            if spec.kind.name == "USER_INPUT":
                self._values[node] = self._input(meta, *next(given))
            elif spec.target in parameters:
                self._values[node] = self._parameter(parameters[spec.target], meta)
            else:
                data = self._program.constants.get(spec.target, state.get(spec.target))
                self._values[node] = _constant(data)

    def _input(self, meta: Any, name: str | None, example: Any) -> Any:
        if name is None:
            return _constant(example)
        value = Value(meta, f"{self.graph.name}:{name}")
        self.graph.inputs.append(value)
        return value

    def _parameter(self, parameter: Any, meta: Any) -> Value:
        """Return the value of a Parameter, in the shape that torch's layer has it."""
        if id(parameter) not in self._own:
            written = Value(meta.reshape(parameter.shape), f"{self.graph.name}:{parameter.name}")
            if any(one.name == parameter.name for _, one in self.graph.parameters):
                raise ValueError(f"For 'export', two Parameters have the name {parameter.name!r}.")
            self.graph.parameters.append((written, parameter))
            is_assigned = any(one is parameter for one in self._assigned.values())
            self._own[id(parameter)] = self.graph.read(written) if is_assigned else written
        return self.graph.reshape(self._own[id(parameter)], meta.shape)

    def _call(self, node: Any) -> Any:
        target = node.target
        args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), self._values.__getitem__)
        if getattr(target, "__name__", "") == "with_effects" and getattr(node.args[1], "_opname", "") in CHECKS:
            return None
        if target is operator.getitem:
            return self._item(node, *args)
        found = self._fold_constant(target, args, kwargs)
        if found is not None:
            return found
        self.graph.layer, self.graph.result = self._layer(node), node.meta.get("val")
        try:
            return self._rule(target)(self.graph, *args, **kwargs)
        except Unwritable as error:
            return self._lacking(node, str(error))

    def _item(self, node: Any, several: Any, index: int) -> Any:
        if several is None:  # of a check
            return None
        found = several[index] if isinstance(several, list | tuple) else self.graph.item(several, index)
        if found is not None:
            return found
        self._lacking(node.args[0], f"result {index}")
        return Value(node.meta.get("val"), "?")

    def _fold_constant(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Compute now what depends on no input and no Parameter."""
        if torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()):
            return None
        leaves = torch_private.tree_leaves((args, kwargs))
        if any(isinstance(one, torch.SymInt) or (isinstance(one, Value) and one.data is None) for one in leaves):
            return None
        args, kwargs = torch_private.tree_map_only(Value, lambda one: one.data, (args, kwargs))
        with torch.no_grad():
            return torch_private.tree_map(_constant, target(*args, **kwargs))

    def _rule(self, target: Any) -> Any:
        if isinstance(self.graph.result, torch.SymFloat):
            return self._real(target)
        if isinstance(self.graph.result, torch.SymInt):
            return lambda graph, *_: graph.length(graph.result)
        rule = RULES.get(target)
        if rule is None:
            raise Unwritable("")
        return rule

    def _real(self, target: Any) -> Any:
        """Return the function that computes a number as a tensor of no axes."""
        if target is torch.sym_float:
            return lambda graph, value: graph.operand(value, torch.float32)
        if target not in REALS:
            raise Unwritable("")
        meta = torch.empty(())
        return lambda graph, *args: graph.call(
            REALS[target], *(graph.operand(one, torch.float32) for one in args), meta=meta
        )

    def _lacking(self, node: Any, why: str) -> Any:
        """Note an operator, and continue with a stand-in, to find the others."""
        name = str(node.target).removeprefix("aten.").removesuffix(".default")
        self._missing.append((name, why, self._layer(node)))
        meta = node.meta.get("val")
        return [Value(one, "?") for one in meta] if isinstance(meta, tuple | list) else Value(meta, "?")

    def _layer(self, node: Any) -> str:
        """Return the layer of a node as MindSpore writes it: `Default/block-Block/conv-Conv2d`."""
        layer, before = "Default", ""
        for path, _ in (node.meta.get("nn_module_stack") or {}).values():
            own = path.removeprefix(before).strip(".")
            if own:
                layer += f"/{own}-{self._layers.get(path, '')}".removesuffix("-")
            before = path
        return re.sub(r"@\d+", "", layer)

    def _give_outputs(self) -> None:
        nodes = {node.name: node for node in self._program.graph.nodes}
        values = {id(parameter): value for value, parameter in self.graph.parameters}
        outputs_of_graph, assigned = [], []
        for spec in self._program.graph_signature.output_specs:
            parameter = self._assigned.get(spec.target)
            if parameter is not None:
                value = self._values[nodes[spec.arg.name]]
                assigned.append((values[id(parameter)], self.graph.reshape(value, parameter.shape)))
            if spec.kind.name != "USER_OUTPUT":
                continue
            is_value = hasattr(spec.arg, "name") and not hasattr(spec.arg, "value")
            outputs_of_graph.append(self._values[nodes[spec.arg.name]] if is_value else spec.arg.value)
        outputs = torch_private.tree_unflatten(outputs_of_graph, self._program.call_spec.out_spec)
        self.graph.layer = "Default"
        self.graph.finish(outputs, assigned)


def _find_assigned_parameters(program: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Parameters to which a network assigns, by the names of torch's tensors.

    Raises:
        RuntimeError: it assigns to something else.
    """
    assigned = {}
    for spec in program.graph_signature.output_specs:
        is_mutation = spec.kind.name in ("BUFFER_MUTATION", "PARAMETER_MUTATION")
        if is_mutation and spec.target.rpartition(".")[2] not in STATISTICS:  # which inference does not read
            if spec.target not in parameters:
                raise RuntimeError(f"For 'export', the network assigns to {spec.target}, which is not a Parameter.")
            assigned[spec.target] = parameters[spec.target]
    return assigned


def _forget_checks(graph: Any) -> None:
    """Take out the checks that torch's exporter put in, and what is computed for them only."""
    for node in list(graph.nodes):
        if getattr(node.target, "_opname", "") in CHECKS:
            graph.erase_node(node)
    for node in reversed(list(graph.nodes)):
        if node.op == "call_function" and not node.users:
            graph.erase_node(node)


def _constant(data: Any) -> Any:
    return Value(data, data=data.detach()) if isinstance(data, torch.Tensor) else data


def _complaint(missing: list[tuple[str, str, str]]) -> str:
    lines = dict.fromkeys(f"{name}{f' ({why})' if why else ''} in {layer}" for name, why, layer in missing)
    return "\n    ".join(["no primitives are known that do what these operators do:", *lines])
