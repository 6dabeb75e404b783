"""A picture of a network, in DOT: its layers as boxes, with lines for the values between them; Graphviz places them.

Layers are opened, the largest first, as long as the picture stays readable; what stays closed says how many nodes it
has.
"""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.mindir.reading import read_model
from msbridge.converters.mindir.records import Graph, Model, Node, TensorData
from msbridge.mindir.layers import Call, Item, Layers
from msbridge.mindir.lowering import Lowering, op_of, targets

MAX_BOXES = 48  # before no layer is opened any more
MAX_NODES_DRAWN = 600
MAX_SECTIONS = 12
STYLE = (
    'node [shape=box, style="rounded,filled", fontname="Helvetica,sans-serif", fontsize=11, margin="0.12,0.06"];',
    'edge [color="#8895a3", arrowsize=0.6];',
    'graph [fontname="Helvetica,sans-serif", fontsize=12, labeljust=l, ranksep=0.3, nodesep=0.25];',
)
KINDS = {
    "layer": 'fillcolor="#eef4fb", color="#7fa3c9"',
    "operator": 'fillcolor="#f6f6f4", color="#b5b5ad"',
    "end": 'fillcolor="#e9f6ec", color="#7dbb8d"',
}


@dataclass(frozen=True, eq=False, slots=True)
class Box:
    """A box."""

    lines: Sequence[str]  # its texts
    kind: Literal["layer", "operator", "end"]  # a layer, an operator (or several), or an end of the network
    takes: Sequence[str] = ()  # names of values
    outputs: Sequence[str] = ()  # names of values
    note: str = ""  # what is shown where the mouse rests


def write_picture(checkpoint: Checkpoint, target: str, key: bytes | None, mode: str) -> None:
    """Write a picture of the network of a `.mindir` into a file.

    Raises:
        CheckpointError: the checkpoint holds no network, the target's name has another suffix, or as for `to_svg`.
    """
    if checkpoint.format != "mindir":
        raise CheckpointError(f"--graph draws the network of a .mindir; {checkpoint.path} holds parameters only.")
    if not target.endswith((".dot", ".svg")):
        raise CheckpointError(
            f"--graph writes .dot, .svg or .html: pass a name that ends with one of them, not {target}."
        )
    model = read_model(checkpoint.path, key, mode)
    picture = to_dot(model).encode() if target.endswith(".dot") else to_svg(model)
    with replacing(target) as sink:
        sink.write(picture)


def to_dot(model: Model) -> str:
    """Return a picture of a network in DOT, the language of Graphviz.

    Raises:
        CheckpointError: a graph is not in order.
    """
    lowering = Lowering(model)
    layers = Layers(lowering)
    graphs = [graph for graph in model.every() if graph is model.graph or lowering.live[graph.name]]
    numbers = {graph.name: number for number, graph in enumerate(graphs)}
    lines = ["digraph network {", *STYLE]
    for number, graph in enumerate(graphs[:MAX_SECTIONS]):
        statements = _section(number, _Section(lowering, layers, graph, numbers).boxes())
        if number:
            statements = [f'subgraph cluster_{number} {{ label="graph {number}";', *statements, "}"]
        lines += statements
    if len(graphs) > MAX_SECTIONS:
        lines.append(f'label="{len(graphs) - MAX_SECTIONS} more graphs";')
    return "\n".join([*lines, "}"]) + "\n"


def to_svg(model: Model) -> bytes:
    """Return the picture as SVG, drawn by the program `dot` of Graphviz.

    Raises:
        CheckpointError: a graph is not in order, or Graphviz is not installed or fails.
    """
    program = shutil.which("dot")
    if program is None:
        raise CheckpointError(
            f"{model.path}: Graphviz draws SVGs, and its program dot is not installed. Write FILE.dot, which any "
            "viewer of DOT shows, or install Graphviz (apt install graphviz, brew install graphviz)."
        )
    done = subprocess.run([program, "-Tsvg"], input=to_dot(model).encode(), capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise CheckpointError(f"{model.path}: Graphviz cannot draw it: {said[:400]}")
    return done.stdout


class _Section:
    """One graph.

    Args:
        lowering: what is known of the graphs.
        layers: of the graphs.
        graph: the graph.
        numbers: of the graphs in the picture, by their names.
    """

    def __init__(self, lowering: Lowering, layers: Layers, graph: Graph, numbers: Mapping[str, int]) -> None:
        self.lowering, self.layers, self.graph, self.numbers = lowering, layers, graph, numbers

    def boxes(self) -> list[Box]:
        """Return the boxes of the graph, in an order in which they can run."""
        graph = self.graph
        items = _expand_layers(self.layers.items(graph))
        chains = self._chains(items) if len(items) > MAX_BOXES else [[item] for item in items]
        drawn = [self._box(chain) for chain in chains[:MAX_NODES_DRAWN]]
        if len(chains) > MAX_NODES_DRAWN:
            drawn.append(Box([f"{len(chains) - MAX_NODES_DRAWN} more"], "operator"))
        is_main = graph is self.lowering.main
        if is_main:
            drawn.append(Box(["result"], "end", [self.lowering.resolve(graph, name) for name in graph.outputs]))
        used = {name for box in drawn for name in box.takes}
        known = set() if is_main else set(self.lowering.parameters.values())  # which are passed from graph to graph
        ends = [
            Box(_input(graph, name, kind), "end", (), [name])
            for name, kind in graph.inputs.items()
            if isinstance(kind, TensorData | None) and (is_main or name in used) and not known & {_short(graph, name)}
        ]
        return ends + drawn

    def _chains(self, items: Sequence[Item]) -> list[list[Item]]:
        """Group operators that only feed each other."""
        takers = Counter(name for item in items for name in set(self._takes(item)))
        chains: list[list[Item]] = []
        ends: dict[str, list[Item]] = {}
        for item in items:
            local = {name for name in self._takes(item) if name in ends or name in self.graph.inputs}
            last = ends.get(min(local)) if len(local) == 1 and takers[min(local)] == 1 else None
            if last is not None and isinstance(item, Node) and isinstance(last[-1], Node):
                last.append(item)
            else:
                last = [item]
                chains.append(last)
            ends |= dict.fromkeys(_outputs(item), last)
        return chains

    def _takes(self, item: Item) -> Sequence[str]:
        return item.inputs if isinstance(item, Call) else self.lowering.uses(self.graph, item)

    def _box(self, chain: Sequence[Item]) -> Box:
        takes = [name for item in chain for name in self._takes(item)]
        outputs = [name for item in chain for name in _outputs(item)]
        first = chain[0]
        if isinstance(first, Call):
            is_closed = any(isinstance(part, Call) for part in first.items)
            more = f" · {_count(first)} nodes" if is_closed else ""
            return Box([".".join(first.path)[-60:], f"{first.kind[:40]}{more}"], "layer", takes, outputs, _note(first))
        nodes = [item for item in chain if isinstance(item, Node)]
        texts = [self._operator(node) for node in nodes]
        shown = texts[:1] if len(texts) == 1 else [f"{texts[0]} … {texts[-1]}", f"{len(texts)} operators"]
        return Box(shown, "operator", takes, outputs, ", ".join(node.place for node in nodes[:20]))

    def _operator(self, node: Node) -> str:
        if not isinstance(node.target, str):
            return op_of(node)[:40]
        callee = self.lowering.callee_of(self.graph, node)
        found = [self.numbers.get(one.graph.name) for one in targets(callee)] if callee else []
        listed = " or ".join(dict.fromkeys("the end" if one is None else f"graph {one}" for one in found))
        return f"goes to {listed}" if listed else "calls a function"


def _input(graph: Graph, name: str, kind: TensorData | None) -> list[str]:
    return [_short(graph, name)[:40], *([str(kind)[:60]] if kind is not None else [])]


def _short(graph: Graph, name: str) -> str:
    return name.removeprefix(f"{graph.name}:").lstrip("φф")  # before what a graph of a loop takes over


def _expand_layers(items: Sequence[Item]) -> list[Item]:
    """Open layers that hold layers, the largest first, as long as there is room."""
    opened = list(items)
    while True:
        closed = [one for one in opened if isinstance(one, Call) and any(isinstance(part, Call) for part in one.items)]
        fitting = [one for one in closed if len(opened) + len(one.items) <= MAX_BOXES]
        if not fitting:
            return opened
        largest = max(fitting, key=_count)
        at = next(number for number, one in enumerate(opened) if one is largest)
        opened[at : at + 1] = largest.items


def _count(item: Item) -> int:
    return sum(map(_count, item.items)) if isinstance(item, Call) else 1


def _outputs(item: Item) -> Sequence[str]:
    return item.outputs if isinstance(item, Call) else [item.name]


def _note(call: Call) -> str:
    """Return the operators of a layer in a few words."""
    names: list[str] = []
    waiting: list[Item] = [call]
    while waiting and len(names) < 24:
        item = waiting.pop()
        if isinstance(item, Call):
            waiting += reversed(item.items)
        else:
            names.append(op_of(item)[:40])
    return ", ".join(names) + (" …" if waiting else "")


def _section(number: int, boxes: Sequence[Box]) -> list[str]:
    """Return the statements of one graph: its boxes, and lines for the values between them."""
    makers = {name: box for box in boxes for name in box.outputs}
    names = {id(box): f"n{number}_{at}" for at, box in enumerate(boxes)}
    lines = [f"{names[id(box)]} [{_attributes(box)}];" for box in boxes]
    for box in boxes:
        before = dict.fromkeys(makers[name] for name in box.takes if name in makers)
        lines += [f"{names[id(maker)]} -> {names[id(box)]};" for maker in before if maker is not box]
    return lines


def _attributes(box: Box) -> str:
    note = f", tooltip={_quote([box.note])}" if box.note else ""
    return f"label={_quote(box.lines)}, {KINDS[box.kind]}{note}"


def _quote(lines: Iterable[str]) -> str:
    """Return texts of the file as one string of DOT, a line each, without what cannot be printed."""
    shown = ("".join(letter if letter.isprintable() else "?" for letter in line) for line in lines)
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in shown) + '"'
