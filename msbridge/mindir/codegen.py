"""Graphs as the source of Python functions.

The source holds names of our own only: what the file says is reached through a namespace. A value's local variable is
used again after the last node that takes it, so that memory is free as early as in a network that is written by hand.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.mindir.records import Graph, Model, Node, Primitive
from msbridge.mindir.layers import Call, Item, Layers, Path
from msbridge.mindir.lowering import Callee, Lowering, Target, op_of
from msbridge.mindir.primitives import (
    UnknownPrimitive,
    by_attributes,
    by_computed_settings,
    by_settings,
    decode_number,
    kinds_of_inputs,
    setting_count,
)
from msbridge.mindir.program import Layer, Program
from msbridge.mindir.values import Unreadable, identity, value_of

STEP = "    "


def program_of(model: Model) -> Program:
    """Return the functions of a model.

    Raises:
        CheckpointError: a graph is not in order, or operators are not here, which are all named.
    """
    return _Writer(model).program()


class _Writer:
    """Writes a model's functions."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lowering = Lowering(model)
        self.layers = Layers(self.lowering)
        self.inside: Path = ()
        self.made = Program()
        self.lines: list[tuple[str, Node | None]] = []
        self.functions: list[list[tuple[str, Node | None]]] = []
        self.bodies: Counter[Path] = Counter()
        self.called: dict[tuple[Path, tuple[str, ...]], str] = {}
        self.unknown: dict[str, list[str]] = {}
        self.numbers = {graph.name: number for number, graph in enumerate(self.lowering.functions)}
        self.constants: dict[Any, str] = {}
        self.primitives: dict[Any, str] = {}
        self.kinds: dict[int, Any] = {}
        self.cluster: list[Graph] = []
        self.free: list[str] = []
        self.locals = 0

    def program(self) -> Program:
        """Return all of it."""
        written: set[str] = set()
        for graph in self.lowering.functions:
            if graph.name not in written:
                cluster = self.lowering.tail_call_groups[graph.name]
                self._function(cluster)
                written |= {one.name for one in cluster}
        if self.unknown:
            listed = "; ".join(f"{what} ({', '.join(where[:5])})" for what, where in sorted(self.unknown.items()))
            raise CheckpointError(f"{self.model.path}: operators that cannot be run here: {listed}.")
        self._line(0, f"main = g{self.numbers[self.lowering.main.name]}")
        lines = [*itertools.chain.from_iterable(self.functions), *self.lines]
        self.made.source = "".join(f"{text}\n" for text, _ in lines)
        self.made.nodes = {number: node for number, (_, node) in enumerate(lines, 1) if node is not None}
        self.made.kinds = self.layers.kinds
        self.made.is_writing = any(self.lowering.is_writing(graph) for graph in self.model.every())
        return self.made

    def _line(self, depth: int, text: str, node: Node | None = None) -> None:
        self.lines.append((STEP * depth + text, node))

    def _function(self, cluster: list[Graph]) -> None:
        """Write a function, or several that call each other last as one that goes from one to the other."""
        self.cluster, self.free, self.locals = cluster, [], 0
        if len(cluster) > 1:
            self._machine(cluster)
            return
        graph = cluster[0]
        arguments = [f"a{number}" for number in range(len(self.lowering.inputs(graph)))]
        self._line(0, f"def g{self.numbers[graph.name]}({', '.join(arguments)}):")
        is_loop = graph.name in set(self.lowering.tail_callees(graph))
        if is_loop:
            self._line(1, "while 1:")
        self._body(graph, dict(zip(self.lowering.inputs(graph), arguments, strict=True)), 1 + is_loop, None)

    def _machine(self, cluster: list[Graph]) -> None:
        name = f"c{self.numbers[cluster[0].name]}"
        self._line(0, f"def {name}(state, a):")
        self._line(1, "while 1:")
        for state, graph in enumerate(cluster):
            self._line(2, f"{'el' if state else ''}if state == {state}:")
            inputs = self.lowering.inputs(graph)
            arguments = [f"a{state}_{number}" for number in range(len(inputs))]
            self._line(3, f"{', '.join([*arguments, '*_'])} = a")
            self.free = []
            self._body(graph, dict(zip(inputs, arguments, strict=True)), 3, None)
        for state, graph in enumerate(cluster):
            count = len(self.lowering.inputs(graph))
            arguments = [f"a{number}" for number in range(count)]
            self._line(0, f"def g{self.numbers[graph.name]}({', '.join(arguments)}):")
            self._line(1, f"return {name}({state}, ({''.join(f'{one}, ' for one in arguments)}))")

    def _variable(self) -> str:
        if self.free:
            return self.free.pop()
        self.locals += 1
        return f"v{self.locals - 1}"

    def _body(self, graph: Graph, known: dict[str, str], depth: int, result: str | None) -> None:
        """Write the nodes of a graph.

        Args:
            graph: the graph.
            known: the variables of its inputs; takes those of its nodes.
            depth: of indentation.
            result: the variable that takes what the graph returns; None returns it.
        """
        items = self.layers.items(graph, self.inside)
        outputs = [self.lowering.resolve(graph, name) for name in graph.outputs]
        if result is None and items and items[-1] is self.lowering.tail_call(graph):
            self._steps(graph, items[:-1], self.lowering.uses(graph, items[-1]), known, depth)
            self._call_last(graph, items[-1], known, depth)
            return
        own = self._steps(graph, items, outputs, known, depth)
        text = self._result(graph, outputs, known)
        self._line(depth, f"return {text}" if result is None else f"{result} = {text}")
        self._release(known, own)

    def _result(self, graph: Graph, names: Sequence[str], known: Mapping[str, str]) -> str:
        values = [self._value(graph, name, known) for name in names]
        return values[0] if len(values) == 1 else f"({''.join(f'{one}, ' for one in values)})"

    def _steps(
        self, graph: Graph, items: Sequence[Item], wanted: Sequence[str], known: dict[str, str], depth: int
    ) -> set[str]:
        """Write nodes and calls of layers; return the names of those values that still have variables.

        Args:
            graph: that they are in.
            items: the nodes and calls.
            wanted: names of values that are taken after them.
            known: the variables of the inputs; takes those of the nodes.
            depth: of indentation.
        """
        uses = [one.inputs if isinstance(one, Call) else self.lowering.uses(graph, one) for one in items]
        last = {name: number for number, names in enumerate(uses) for name in names}
        last |= dict.fromkeys(wanted, len(items))
        written: set[str] = set()
        for number, item in enumerate(items):
            done = {name for name in uses[number] if name in written and last[name] == number}
            outputs = item.outputs if isinstance(item, Call) else [item.name]
            if isinstance(item, Node) and isinstance(item.target, str):
                known[item.name] = self._variable()
                self._call(graph, item, known, depth, known[item.name])
                self._release(known, done)
            else:
                if isinstance(item, Call):
                    node, text = None, self._layer_call(graph, item, known)
                else:
                    node, text = item, self._expression(graph, item, known)
                self._release(known, done)
                known |= {name: self._variable() for name in outputs}
                self._line(depth, f"{', '.join(known[name] for name in outputs)} = {text}", node)
            written -= done
            unused = {name for name in outputs if name not in last}
            self._release(known, unused)
            written |= {*outputs} - unused
        return written

    def _layer_call(self, graph: Graph, call: Call, known: Mapping[str, str]) -> str:
        """Return the call of a layer, whose function is written once for all calls that compute the same."""
        before = self.lines, self.free, self.locals, self.inside
        self.lines, self.free, self.locals, self.inside = [], [], 0, call.path
        arguments = [f"a{number}" for number in range(len(call.inputs))]
        inner = dict(zip(call.inputs, arguments, strict=True))
        self._steps(graph, call.items, call.outputs, inner, 1)
        self._line(1, f"return {self._result(graph, call.outputs, inner)}")
        lines = tuple(self.lines)
        self.lines, self.free, self.locals, self.inside = before
        key = call.path, tuple(text for text, _ in lines)
        if key not in self.called:
            number = len(self.called)
            self.functions.append([(f"def l{number}({', '.join(arguments)}):", None), *lines])
            self.called[key] = f"n{number}"
            self.bodies[call.path] += 1
            same = f"@{self.bodies[call.path]}" if self.bodies[call.path] > 1 else ""
            path = (*call.path[:-1], call.path[-1] + same)
            nodes = tuple(node for _, node in lines if node is not None)
            self.made.layers.append(Layer(path, call.kind, f"n{number}", f"l{number}", nodes))
        given = (self._value(graph, name, known) for name in call.inputs)
        return f"{self.called[key]}({', '.join(given)})"

    def _release(self, known: Mapping[str, str], names: set[str]) -> None:
        self.free += sorted({known[name] for name in names}, reverse=True)

    def _value(self, graph: Graph, name: str, known: Mapping[str, str]) -> str:
        """Return the expression of a value."""
        if name in known:
            return known[name]
        if name in self.lowering.constants:
            return self._constant(name)
        if name in self.lowering.parameters:
            variables = self.made.parameters
            return variables.setdefault(self.lowering.parameters[name], f"w{len(variables)}")
        if name in self.numbers:
            return f"g{self.numbers[name]}"
        raise CheckpointError(
            f"{self.model.path}: {graph.name[:120]!r} takes {name[:120]!r}, which has no value there."
        )

    def _constant(self, name: str, kind: str = "") -> str:
        return self._store_constant(self.lowering.constants[name].value, name, kind)

    def _store_constant(self, constant: Any, name: str, kind: str = "") -> str:
        """Return the variable of a value of the file, which is at a name."""
        key = identity(constant, name), kind
        if key not in self.constants:
            variable = self.constants[key] = f"k{len(self.constants)}"
            try:
                value = value_of(constant)
                self.made.namespace[variable] = decode_number(kind, value) if kind else value
            except Unreadable as error:
                self.unknown.setdefault(f"a constant that is {error}", []).append(repr(name[:120]))
        return self.constants[key]

    def _arguments(self, graph: Graph, names: Sequence[str], known: Mapping[str, str]) -> list[str]:
        return [self._value(graph, name, known) for name in self.lowering.arguments(graph, names)]

    def _expression(self, graph: Graph, node: Node, known: Mapping[str, str]) -> str:
        """Return the expression that a node is."""
        assert isinstance(node.target, Primitive)
        op = node.target.op
        if node.target.is_function:
            return self._function_call(graph, node, known)
        given = self._arguments(graph, node.inputs, known)
        if op == "Cast" and len(given) == 2 and node.inputs[1] in self.lowering.constants:  # a type, or its number
            given[1] = self._constant(node.inputs[1], "dtype")
        if op == "Cast" and len(given) == 1 and "dst_type" in node.target.attributes:
            given.append(self._store_constant(node.target.attributes["dst_type"], node.name))
        listed = ", ".join(given)
        if op in ("MakeTuple", "make_tuple"):
            return f"({listed},)" if given else "()"
        if op == "Partial":
            return f"partial({listed})"
        if len(given) == 3 and op == "Switch":
            return f"{given[1]} if {given[0]} else {given[2]}"
        if len(given) == 2:
            if op in ("TupleGetItem", "tuple_getitem"):
                index = self.made.namespace.get(given[1])
                return f"{given[0]}[{index if type(index) is int else given[1]}]"
            if op in ("switch_layer", "SwitchLayer"):
                return f"{given[1]}[int({given[0]})]"
        return f"{self._primitive(node, self._kind(node.target), lambda: self._configure(node))}({listed})"

    def _kind(self, primitive: Primitive) -> Any:
        """Return a key that is equal for nodes that can share a primitive: those that draw numbers cannot."""
        key = id(primitive)
        if key not in self.kinds:
            named = primitive.attributes.items()
            draws = any("seed" in name for name in primitive.attributes)
            self.kinds[key] = key if draws else (primitive.op, tuple((name, identity(one, key)) for name, one in named))
        return self.kinds[key]

    def _configure(self, node: Node) -> Callable[..., Any]:
        assert isinstance(node.target, Primitive)
        return by_attributes(node.target.op, node.target.attributes, self.model.release)

    def _function_call(self, graph: Graph, node: Node, known: Mapping[str, str]) -> str:
        """Return the call of a primitive whose settings are its last inputs."""
        op, written_by = op_of(node), self.model.release
        names = self.lowering.arguments(graph, node.inputs)
        count = min(setting_count(op), len(names))
        kinds, first = kinds_of_inputs(op), len(names) - count

        def text(position: int) -> str:
            name = names[position]
            is_number = position in kinds and name in self.lowering.constants
            return self._constant(name, kinds[position]) if is_number else self._value(graph, name, known)

        if any(name not in self.lowering.constants for name in names[first:]):
            made = self._primitive(node, (op, count), lambda: by_computed_settings(op, count, written_by))
            return f"{made}({', '.join(map(text, range(len(names))))})"
        variables = tuple(map(text, range(first, len(names))))

        def configure() -> Callable[..., Any]:
            return by_settings(op, [self.made.namespace.get(variable) for variable in variables], written_by)

        return f"{self._primitive(node, (op, variables), configure)}({', '.join(map(text, range(first)))})"

    def _primitive(self, node: Node, key: Any, make: Callable[[], Callable[..., Any]]) -> str:
        if key not in self.primitives:
            self.primitives[key] = f"p{len(self.primitives)}"
            try:
                self.made.namespace[self.primitives[key]] = make()
            except (UnknownPrimitive, Unreadable) as error:
                self._cannot(node, str(error))
                del self.primitives[key]
                return "None"
        return self.primitives[key]

    def _cannot(self, node: Node, why: str) -> None:
        self.unknown.setdefault(f"{op_of(node)[:60]!r}, as {why}", []).append(node.scope[:120] or node.name[:120])

    def _call(self, graph: Graph, node: Node, known: Mapping[str, str], depth: int, result: str) -> None:
        """Write a call of a graph, after which the caller continues."""

        def write_call(target: Target, depth: int) -> None:
            given = self._call_arguments(graph, node, target, known)
            if self.lowering.is_inlined(target.graph):
                inner = dict(zip(self.lowering.inputs(target.graph), given, strict=True))
                self._body(target.graph, inner, depth, result)
            else:
                self._line(depth, f"{result} = g{self.numbers[target.graph.name]}({', '.join(given)})", node)

        self._choose(graph, node, known, depth, write_call, f"{result} = ")

    def _call_last(self, graph: Graph, node: Node, known: Mapping[str, str], depth: int) -> None:
        """Write a call of a graph whose result is the function's."""

        def write_call(target: Target, depth: int) -> None:
            given = self._call_arguments(graph, node, target, known)
            called = target.graph
            if self.lowering.is_inlined(called):
                self._body(called, dict(zip(self.lowering.inputs(called), given, strict=True)), depth, None)
            elif called not in self.cluster:
                self._line(depth, f"return g{self.numbers[called.name]}({', '.join(given)})", node)
            else:
                if len(self.cluster) > 1:
                    listed = "".join(f"{text}, " for text in given)
                    self._line(depth, f"state, a = {self.cluster.index(called)}, ({listed})")
                elif given:
                    names = ", ".join(f"a{number}" for number in range(len(given)))
                    self._line(depth, f"{names} = {', '.join(given)}")
                self._line(depth, "continue")

        self._choose(graph, node, known, depth, write_call, "return ")

    def _choose(
        self,
        graph: Graph,
        node: Node,
        known: Mapping[str, str],
        depth: int,
        write_one: Callable[[Target, int], None],
        opening: str,
    ) -> None:
        """Write what happens to each graph that a node may call."""

        def write(callee: Callee, depth: int) -> None:
            if isinstance(callee, Target):
                write_one(callee, depth)
                return
            condition = self._value(graph, self.lowering.resolve(graph, callee.condition), known)
            self._line(depth, f"if {condition}:", node)
            free = list(self.free)
            write(callee.chosen, depth + 1)
            self._line(depth, "else:")
            self.free = free
            write(callee.other, depth + 1)
            self.free = [name for name in free if name in self.free]

        callee = self.lowering.callee_of(graph, node)
        if callee is None:
            assert isinstance(node.target, str)
            function = self._value(graph, self.lowering.resolve(graph, node.target), known)
            given = self._arguments(graph, node.inputs, known)
            self._line(depth, f"{opening}{function}({', '.join(given)})", node)
        else:
            write(callee, depth)

    def _call_arguments(self, graph: Graph, node: Node, target: Target, known: Mapping[str, str]) -> list[str]:
        """Return the arguments of a call."""
        given = self._arguments(graph, (*target.bound, *node.inputs), known)
        wanted = len(self.lowering.inputs(target.graph))
        if len(given) != wanted:
            raise CheckpointError(
                f"{self.model.path}: the node {node.name[:120]!r} calls {target.graph.name[:120]!r} with {len(given)} "
                f"arguments instead of {wanted}."
            )
        return given
