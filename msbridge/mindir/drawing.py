"""A picture of a network: its layers as boxes, rank by rank, with lines for the values between them.

Layers are opened, the largest first, as long as the picture stays readable; what stays closed says how many nodes it
has.
The ranks and their order follow K. Sugiyama, S. Tagawa and M. Toda (1981), with means of neighbours.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from msbridge.converters.mindir.records import Graph, Model, Node, TensorData
from msbridge.mindir.layers import Call, Item, Layers
from msbridge.mindir.lowering import Lowering, op_of, targets

MAX_BOXES = 48  # before no layer is opened any more
MAX_NODES_DRAWN = 600
MAX_SECTIONS = 12
LETTER, LINE, PAD, GAP, RISE = 6.6, 15, 9, 22, 34  # of texts, boxes, and the room between boxes and between ranks
SWEEPS = 4
STYLE = """text{font:12px ui-sans-serif,system-ui,sans-serif;text-anchor:middle;fill:#1b2733}
.k{fill:#5b6b7b;font-size:11px}.h{text-anchor:start;font-weight:600;font-size:13px}
rect{fill:#eef4fb;stroke:#7fa3c9;rx:6}.o{fill:#f6f6f4;stroke:#b5b5ad}.e{fill:#e9f6ec;stroke:#7dbb8d;rx:14}
path{fill:none;stroke:#8895a3;stroke-width:1.2;marker-end:url(#a)}"""
HEAD = '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
ARROW = f'<defs>{HEAD}<path d="M0 0L8 4L0 8z" style="fill:#8895a3;stroke:none;marker-end:none"/></marker></defs>'


@dataclass(eq=False)
class Box:
    """A box, or a point of a line that passes a rank.

    Attributes:
        lines: its texts.
        kind: "" for a layer, "o" for an operator, "e" for an end of the network, "p" for a point.
        takes: names of values.
        gives: names of values.
        note: what is shown where the mouse rests.
    """

    lines: Sequence[str] = ()
    kind: str = "p"
    takes: Sequence[str] = ()
    gives: Sequence[str] = ()
    note: str = ""
    rank: int = 0
    x: float = 0.0
    y: float = 0.0
    behind: "list[Box]" = field(default_factory=list)
    before: "list[Box]" = field(default_factory=list)

    @property
    def width(self) -> float:
        return max((len(line) for line in self.lines), default=0) * LETTER + 2 * PAD if self.lines else 12.0

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + PAD if self.lines else 0.0


def drawn(model: Model) -> str:
    """Return a picture of a network as SVG.

    Raises:
        CheckpointError: a graph is not in order.
    """
    lowering = Lowering(model)
    layers = Layers(lowering)
    parts: list[str] = []
    width, top = 0.0, 10.0
    graphs = [graph for graph in model.every() if graph is model.graph or lowering.live[graph.name]]
    numbers = {graph.name: number for number, graph in enumerate(graphs)}
    for number, graph in enumerate(graphs[:MAX_SECTIONS]):
        boxes = _Section(lowering, layers, graph, numbers).boxes()
        if number:
            parts.append(f'<text class="h" x="12" y="{top + 18:.0f}">graph {number}</text>')
            top += 26
        _connect(boxes)
        ranks = _ranked(boxes)
        top = _put(ranks, top) + 26
        width = max([width, *(box.x + box.width / 2 for rank in ranks for box in rank)])
        parts += _lines(ranks)
        parts += [_shown(box) for rank in ranks for box in rank if box.lines]
    if len(graphs) > MAX_SECTIONS:
        parts.append(f'<text class="h" x="12" y="{top:.0f}">{len(graphs) - MAX_SECTIONS} more graphs</text>')
        top += 20
    size = f'viewBox="0 0 {width + 14:.0f} {top:.0f}" width="{width + 14:.0f}" height="{top:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{ARROW}\n'
        + "\n".join(parts)
        + "</svg>\n"
    )


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
        items = _opened(self.layers.items(graph))
        chains = self._chains(items) if len(items) > MAX_BOXES else [[item] for item in items]
        found = [self._box(chain) for chain in chains[:MAX_NODES_DRAWN]]
        if len(chains) > MAX_NODES_DRAWN:
            found.append(Box([f"{len(chains) - MAX_NODES_DRAWN} more"], "o"))
        is_main = graph is self.lowering.main
        if is_main:
            found.append(Box(["result"], "e", [self.lowering.resolve(graph, name) for name in graph.outputs]))
        used = {name for box in found for name in box.takes}
        known = set() if is_main else set(self.lowering.parameters.values())  # which are handed on from graph to graph
        ends = [
            Box(_input(graph, name, kind), "e", (), [name])
            for name, kind in graph.inputs.items()
            if isinstance(kind, TensorData | None) and (is_main or name in used) and not known & {_short(graph, name)}
        ]
        return ends + found

    def _chains(self, items: Sequence[Item]) -> list[list[Item]]:
        """Put operators together that only hand on to each other."""
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
            ends |= dict.fromkeys(_gives(item), last)
        return chains

    def _takes(self, item: Item) -> Sequence[str]:
        return item.inputs if isinstance(item, Call) else self.lowering.uses(self.graph, item)

    def _box(self, chain: Sequence[Item]) -> Box:
        takes = [name for item in chain for name in self._takes(item)]
        gives = [name for item in chain for name in _gives(item)]
        first = chain[0]
        if isinstance(first, Call):
            is_closed = any(isinstance(part, Call) for part in first.items)
            more = f" · {_count(first)} nodes" if is_closed else ""
            return Box([".".join(first.path)[-60:], f"{first.kind[:40]}{more}"], "", takes, gives, _note(first))
        nodes = [item for item in chain if isinstance(item, Node)]
        texts = [self._operator(node) for node in nodes]
        shown = texts[:1] if len(texts) == 1 else [f"{texts[0]} … {texts[-1]}", f"{len(texts)} operators"]
        return Box(shown, "o", takes, gives, ", ".join(node.place for node in nodes[:20]))

    def _operator(self, node: Node) -> str:
        if not isinstance(node.target, str):
            return op_of(node)[:40]
        callee = self.lowering.called(self.graph, node)
        found = [self.numbers.get(one.graph.name) for one in targets(callee)] if callee else []
        listed = " or ".join(dict.fromkeys("the end" if one is None else f"graph {one}" for one in found))
        return f"goes to {listed}" if listed else "calls a function"


def _input(graph: Graph, name: str, kind: TensorData | None) -> list[str]:
    return [_short(graph, name)[:40], *([str(kind)[:60]] if kind is not None else [])]


def _short(graph: Graph, name: str) -> str:
    return name.removeprefix(f"{graph.name}:").lstrip("φф")  # before what a graph of a loop takes over


def _opened(items: Sequence[Item]) -> list[Item]:
    """Open layers that hold layers, the largest first, as long as there is room."""
    found = list(items)
    while True:
        closed = [one for one in found if isinstance(one, Call) and any(isinstance(part, Call) for part in one.items)]
        fitting = [one for one in closed if len(found) + len(one.items) <= MAX_BOXES]
        if not fitting:
            return found
        largest = max(fitting, key=_count)
        at = next(number for number, one in enumerate(found) if one is largest)
        found[at : at + 1] = largest.items


def _count(item: Item) -> int:
    return sum(map(_count, item.items)) if isinstance(item, Call) else 1


def _gives(item: Item) -> Sequence[str]:
    return item.outputs if isinstance(item, Call) else [item.name]


def _note(call: Call) -> str:
    """Return the operators of a layer in a few words."""
    names: list[str] = []
    waiting: list[Item] = [call]
    while waiting and len(names) < 24:
        one = waiting.pop()
        if isinstance(one, Call):
            waiting += reversed(one.items)
        else:
            names.append(op_of(one)[:40])
    return ", ".join(names) + (" …" if waiting else "")


def _connect(boxes: Iterable[Box]) -> None:
    boxes = list(boxes)
    makers = {name: box for box in boxes for name in box.gives}
    for box in boxes:
        for maker in dict.fromkeys(makers[name] for name in box.takes if name in makers):
            if maker is not box:
                maker.behind.append(box)
                box.before.append(maker)


def _ranked(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the boxes by rank, with points where lines pass one, in an order with few crossings."""
    for box in boxes:  # they come in an order in which they run
        box.rank = max((one.rank + 1 for one in box.before), default=0)
    for box in boxes:
        if box.kind == "e" and not box.before and box.behind:
            box.rank = max(0, min(one.rank for one in box.behind) - 1)
    ranks: list[list[Box]] = [[] for _ in range(1 + max((box.rank for box in boxes), default=0))]
    for box in boxes:
        ranks[box.rank].append(box)
    for box in boxes:
        for number, end in enumerate(list(box.behind)):
            box.behind[number] = _passing(box, end, ranks)
    for sweep in range(SWEEPS):
        for rank in ranks if sweep % 2 == 0 else reversed(ranks):
            middle = {id(one): place for place, one in enumerate(rank)}
            rank.sort(key=lambda one: _mean(one, sweep % 2 == 0, middle[id(one)]))
            for place, one in enumerate(rank):
                one.x = place - len(rank) / 2
    return ranks


def _mean(box: Box, is_down: bool, otherwise: int) -> float:
    near = box.before if is_down else box.behind
    return sum(one.x for one in near) / len(near) if near else float(otherwise)


def _passing(box: Box, end: Box, ranks: Sequence[list[Box]]) -> Box:
    """Lead a line through points on the ranks between two boxes; return the first of them, or the end."""
    first, last = end, box
    for rank in range(box.rank + 1, end.rank):
        point = Box(rank=rank, before=[last])
        ranks[rank].append(point)
        if last is box:
            first = point
        else:
            last.behind = [point]
        last = point
    if last is not box:
        last.behind = [end]
        end.before[end.before.index(box)] = last
    return first


def _put(ranks: Sequence[Sequence[Box]], top: float) -> float:
    """Place the boxes; return where the picture ends."""
    widths = [sum(box.width + GAP for box in rank) for rank in ranks]
    for rank, width in zip(ranks, widths, strict=True):
        left = 12 + (max(widths) - width) / 2
        tall = max((box.height for box in rank), default=0.0)
        for box in rank:
            box.x, box.y = left + box.width / 2, top + tall / 2
            left += box.width + GAP
        top += tall + RISE
    for _ in range(SWEEPS):  # points and boxes move to where their neighbours are, as far as there is room
        for rank in (*ranks, *reversed(ranks)):
            _straighten(rank)
    return top


def _straighten(rank: Sequence[Box]) -> None:
    for number, box in enumerate(rank):
        near = [*box.before, *box.behind]
        if not near:
            continue
        wanted = sum(one.x for one in near) / len(near)
        least = rank[number - 1].x + (rank[number - 1].width + box.width) / 2 + GAP if number else 12 + box.width / 2
        most = wanted
        if number + 1 < len(rank):
            most = rank[number + 1].x - (rank[number + 1].width + box.width) / 2 - GAP
        box.x = max(least, min(wanted, most))


def _lines(ranks: Sequence[Sequence[Box]]) -> list[str]:
    found = []
    for box in (box for rank in ranks for box in rank if box.lines):
        for end in box.behind:
            path, one = f"M{box.x:.0f} {box.y + box.height / 2:.0f}", box
            while True:
                above, below = one.y + one.height / 2, end.y - end.height / 2
                half = (above + below) / 2
                path += f"C{one.x:.0f} {half:.0f} {end.x:.0f} {half:.0f} {end.x:.0f} {below:.0f}"
                if end.lines:
                    break
                one, end = end, end.behind[0]
            found.append(f'<path d="{path}"/>')
    return found


def _shown(box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    classes: Mapping[str, str] = {"": "", "o": ' class="o"', "e": ' class="e"'}
    size = f'width="{box.width:.0f}" height="{box.height:.0f}"'
    title = f"<title>{_text(box.note)}</title>" if box.note else ""
    rows = "".join(
        f'<text{" class=" + chr(34) + "k" + chr(34) if number else ""} x="{box.x:.0f}" '
        f'y="{top + PAD / 2 + (number + 0.75) * LINE:.0f}">{_text(line)}</text>'
        for number, line in enumerate(box.lines)
    )
    return f'<g>{title}<rect{classes[box.kind]} x="{left:.0f}" y="{top:.0f}" {size}/>{rows}</g>'


def _text(text: str) -> str:
    """Return a text of the file without what XML does not allow."""
    return escape("".join(letter if letter.isprintable() else "?" for letter in text))
