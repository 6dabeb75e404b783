"""Lowering: names are resolved, dead nodes eliminated, biases fused, graphs inlined, tail calls grouped.

    graphs of a file ──► resolve aliases ──► eliminate dead nodes ──► fuse biases     per graph: `live`
                          (Depend, Load)      (but what has effects)   (MatMul + BiasAdd → Dense)
                                                                        │
    functions of Python ◄── group tail calls ◄── limit nesting ◄── inline what one place calls
      `functions`             `tail_call_groups`     (12 deep)

A loop is a graph that calls itself at the end of a graph that it calls; a condition is a call of one of two graphs. A
graph that is called in one place is written there. What is left are functions; those that end in calls of each other
are one function with a loop, as Python's stack is short.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from msbridge.converters.errors import CheckpointError
from msbridge.converters.mindir.records import Graph, Model, Monad, Node, Primitive
from msbridge.mindir.primitives import BIASED

ALIASES = ("Depend", "Load")  # return their first input
EFFECTS = (
    "side_effect_mem",
    "side_effect_io",
)  # attributes of primitives that are called though nothing takes what they return
DENSE = Primitive("Dense", {})
MAX_NESTED_GRAPHS = 12  # graphs inside of each other in one function: Python's parser allows a hundred indentations
MAX_CHAINED_CLOSURES = 50  # closures of closures

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Target:
    """A graph as a function."""

    graph: Graph  # that is called
    bound: tuple[str, ...] = ()  # names of its first arguments, in the graph that calls


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two functions, by a condition, which is a name in the graph that calls."""

    condition: str
    chosen: "Callee"
    other: "Callee"


Callee = Target | Choice


def op_of(node: Node) -> str:
    """Return the primitive that a node calls; "" for constants and for calls of graphs."""
    return node.target.op if isinstance(node.target, Primitive) else ""


def targets(callee: Callee) -> Iterator[Target]:
    """Yield the graphs that a function may be."""
    if isinstance(callee, Target):
        yield callee
    else:
        yield from targets(callee.chosen)
        yield from targets(callee.other)


class Lowering:
    """Analysis of a model's graphs.

    Raises:
        CheckpointError: a node takes what is nowhere, or what comes later.
    """

    def __init__(self, model: Model) -> None:
        self.path = model.path
        self.main = model.graph
        self.graphs = {graph.name: graph for graph in model.every()}
        self.constants = {one.name: one for graph in model.every() for one in graph.nodes if one.target is None}
        self.parameters = {name: one.key for graph in model.every() for name, one in graph.parameters.items()}
        self.nodes: dict[str, dict[str, Node]] = {}
        for graph in model.every():
            self._check(graph)
        self.live = {graph.name: self._eliminate_dead_nodes(graph) for graph in model.every()}
        self._inlined = self._inlinable()
        self._limit_nesting()
        self.functions = [graph for graph in model.every() if graph.name not in self._inlined]
        self.tail_call_groups = self._tail_call_groups()

    def is_inlined(self, graph: Graph) -> bool:
        """Whether a graph is written where it is called."""
        return graph.name in self._inlined

    def resolve(self, graph: Graph, name: str) -> str:
        """Return the name of the node, input or constant that a name is another name of."""
        nodes = self.nodes[graph.name]
        while (node := nodes.get(name)) is not None and op_of(node) in ALIASES and node.inputs:
            name = node.inputs[0]
        return name

    def is_monad(self, graph: Graph, name: str) -> bool:
        """Whether a name represents nothing but the order of nodes."""
        name = self.resolve(graph, name)
        node = self.nodes[graph.name].get(name) or self.constants.get(name)
        if node is not None:
            return op_of(node) == "UpdateState" or isinstance(node.value, Monad)
        return isinstance(graph.inputs.get(name), Monad)

    def arguments(self, graph: Graph, names: Iterable[str]) -> list[str]:
        """Return the names of those arguments that are values."""
        return [self.resolve(graph, name) for name in names if not self.is_monad(graph, name)]

    def inputs(self, graph: Graph) -> list[str]:
        """Return the names of those inputs of a graph that are values."""
        return [name for name, kind in graph.inputs.items() if not isinstance(kind, Monad)]

    def callee(self, graph: Graph, name: str, depth: int = 0) -> Callee | None:
        """Return the function that a name represents; None where it depends on its value."""
        name = self.resolve(graph, name)
        if name in self.graphs:
            return Target(self.graphs[name])
        node = self.nodes[graph.name].get(name)
        if node is None or depth > MAX_CHAINED_CLOSURES:
            return None
        if op_of(node) == "Partial":
            inner = self.callee(graph, node.inputs[0], depth + 1)
            if isinstance(inner, Target):
                return Target(inner.graph, (*inner.bound, *node.inputs[1:]))
        elif op_of(node) == "Switch" and len(node.inputs) == 3:
            chosen, other = (self.callee(graph, one, depth + 1) for one in node.inputs[1:])
            if chosen and other:
                return Choice(node.inputs[0], chosen, other)
        return None

    def callee_of(self, graph: Graph, node: Node) -> Callee | None:
        """Return the function that a node calls. Raises as the class if there is nothing of that name."""
        assert isinstance(node.target, str)
        return self.callee(graph, node.target)

    def uses(self, graph: Graph, node: Node) -> list[str]:
        """Return the names of the values that a node takes when it is written."""
        names: list[str] = []
        if isinstance(node.target, str):
            callee = self.callee_of(graph, node)
            if callee is None:
                names.append(self.resolve(graph, node.target))
            else:
                _collect(callee, names)
        names += node.inputs
        return self.arguments(graph, names)

    def is_writing(self, graph: Graph) -> bool:
        """Whether a node of a graph writes to what may be an input."""
        written = (
            self.resolve(graph, node.inputs[0]) for node in self.live[graph.name] if has_effect(node) and node.inputs
        )
        return any(name in graph.inputs for name in written)

    def _check(self, graph: Graph) -> None:
        """Look that everything is there before it is taken."""
        seen: dict[str, Node] = {}
        self.nodes[graph.name] = seen
        for node in graph.nodes:
            if node.target is None:
                continue
            names = [*node.inputs, node.target] if isinstance(node.target, str) else node.inputs
            for name in names:
                if not self._is_known(graph, seen, name):
                    later = any(one.name == name for one in graph.nodes)
                    why = "which depends on it: the graph is cyclic" if later else "which is nowhere"
                    raise CheckpointError(f"{self.path}: the node {node.name[:120]!r} takes {name[:120]!r}, {why}.")
            if op_of(node) in ("Partial", "UpdateState", *ALIASES) and not node.inputs:
                raise CheckpointError(f"{self.path}: the node {node.name[:120]!r} has no inputs.")
            if node.name in seen:
                raise CheckpointError(f"{self.path}: there are two nodes {node.name[:120]!r}.")
            seen[node.name] = node
        for name in graph.outputs:
            if not self._is_known(graph, seen, name):
                raise CheckpointError(f"{self.path}: {graph.name[:120]!r} returns {name[:120]!r}, which is nowhere.")
        if len(graph.outputs) != 1 and graph is not self.main:
            raise CheckpointError(
                f"{self.path}: {graph.name[:120]!r} returns {len(graph.outputs)} values instead of one."
            )

    def _is_known(self, graph: Graph, seen: Mapping[str, Node], name: str) -> bool:
        places = (seen, graph.inputs, self.constants, self.parameters, self.graphs)
        return any(name in place for place in places)

    def _eliminate_dead_nodes(self, graph: Graph) -> list[Node]:
        """Return the nodes that are written, in their order."""
        nodes = self.nodes[graph.name]
        wanted = [self.resolve(graph, name) for name in graph.outputs]
        wanted += [node.name for node in nodes.values() if isinstance(node.target, str) or has_effect(node)]
        used: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name in nodes and name not in used:
                used.add(name)
                wanted += self.uses(graph, nodes[name])
        live = [node for name, node in nodes.items() if name in used and op_of(node) not in ("UpdateState", *ALIASES)]
        return self._fuse_bias(graph, live)

    def _fuse_bias(self, graph: Graph, live: list[Node]) -> list[Node]:
        """Write a product and the bias that is added to it as the one operator that the layer of both calls."""
        products = {node.name: node for node in live if self._is_dense(node) or _is_convolution(node)}
        if not products:
            return live
        wanted = Counter(self.resolve(graph, name) for name in graph.outputs)
        wanted.update(name for node in live for name in self.uses(graph, node))
        joined: dict[str, Node] = {}
        for node in live:
            is_bias = op_of(node) == "BiasAdd" and len(node.inputs) > 1
            product = products.get(self.resolve(graph, node.inputs[0])) if is_bias else None
            if product is not None and wanted[product.name] == 1 and _layer(product) == _layer(node):
                target = DENSE
                if isinstance(product.target, Primitive) and product.target.op == "Conv2D":
                    target = Primitive(BIASED, product.target.attributes)
                joined[product.name] = Node(node.name, target, (*product.inputs[:2], node.inputs[1]), product.scope)
                joined[node.name] = joined[product.name]
        return [joined.get(node.name, node) for node in live if node.name not in products or node.name not in joined]

    def _is_dense(self, node: Node) -> bool:
        """Whether a node multiplies by a transposed matrix, as a Dense does."""
        if op_of(node) != "MatMul" or len(node.inputs) < 2 or not isinstance(node.target, Primitive):
            return False
        if node.target.is_function:
            values = [self.constants[name].value for name in node.inputs[2:] if name in self.constants]
            return values == [False, True]
        named = node.target.attributes
        return not named.get("transpose_a") and named.get("transpose_b") is True

    def _inlinable(self) -> set[str]:
        """Return the graphs that are called in one place, and are nowhere a value."""
        sites: Counter[str] = Counter({self.main.name: 2})
        for graph in self.graphs.values():
            for node in self.live[graph.name]:
                if isinstance(node.target, str) and (callee := self.callee_of(graph, node)):
                    sites.update(one.graph.name for one in targets(callee))
                for name in self.uses(graph, node):
                    sites.update({name: 2} if name in self.graphs else {})
            for name in graph.outputs:
                sites.update({self.resolve(graph, name): 2} if self.resolve(graph, name) in self.graphs else {})
        return {name for name, count in sites.items() if count == 1 and name in self.graphs}

    def calls(self, graph: Graph) -> Iterator[Graph]:
        """Yield the graphs that a graph calls."""
        for node in self.live[graph.name]:
            if isinstance(node.target, str) and (callee := self.callee_of(graph, node)):
                for one in targets(callee):
                    yield one.graph

    def _limit_nesting(self) -> None:
        depth = {name: 0 for name in self.graphs if name not in self._inlined}
        waiting = list(depth)
        while waiting:
            name = waiting.pop()
            for graph in self.calls(self.graphs[name]):
                if graph.name in self._inlined and graph.name not in depth:
                    depth[graph.name] = depth[name] + 1
                    if depth[graph.name] > MAX_NESTED_GRAPHS:
                        self._inlined.discard(graph.name)
                        depth[graph.name] = 0
                    waiting.append(graph.name)

    def tail_call(self, graph: Graph) -> Node | None:
        """Return the call that returns what the graph returns, if nothing comes after it."""
        live = self.live[graph.name]
        if len(graph.outputs) != 1 or not live or not isinstance(live[-1].target, str):
            return None
        return live[-1] if self.resolve(graph, graph.outputs[0]) == live[-1].name else None

    def tail_callees(self, graph: Graph) -> Iterator[str]:
        """Yield the functions that a function calls last."""
        waiting = [graph]
        while waiting:
            one = waiting.pop()
            node = self.tail_call(one)
            callee = self.callee_of(one, node) if node else None
            for target in targets(callee) if callee else ():
                if self.is_inlined(target.graph):
                    waiting.append(target.graph)
                else:
                    yield target.graph.name

    def _tail_call_groups(self) -> dict[str, list[Graph]]:
        """Return, for every function, those that it is written with: they call each other last."""
        edges = {graph.name: list(self.tail_callees(graph)) for graph in self.functions}
        groups = {graph.name: [graph] for graph in self.functions}
        for names in cycles(edges):
            members = [graph for graph in self.functions if graph.name in names]
            groups |= {graph.name: members for graph in members}
        return groups


def _collect(callee: Callee, names: list[str]) -> None:
    if isinstance(callee, Target):
        names += callee.bound
    else:
        names.append(callee.condition)
        _collect(callee.chosen, names)
        _collect(callee.other, names)


def _is_convolution(node: Node) -> bool:
    return op_of(node) == "Conv2D" and len(node.inputs) == 2 and not node.target.is_function  # type: ignore[union-attr]


def _layer(node: Node) -> str:
    return str(node.scope.rpartition("/")[0])


def has_effect(node: Node) -> bool:
    """Whether a node writes to something, or shows something."""
    return isinstance(node.target, Primitive) and any(node.target.attributes.get(key) for key in EFFECTS)


def cycles(edges: Mapping[T, Iterable[T]]) -> list[set[T]]:
    """Return the sets of nodes that reach each other: the strongly connected components of more than one node."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        import networkx  # a quarter of a second, which only files with loops pay

        return [names for names in networkx.strongly_connected_components(networkx.DiGraph(edges)) if len(names) > 1]
    return []
