"""Summary of a network, layer by layer, with the shapes for an input and the cost of computing it."""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.html.notebook_table import html_table
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell

__all__ = ["Summary", "SummaryRow", "summary"]

Shapes = tuple[tuple[int, ...], ...]
Network = Cell | torch.nn.Module
HEADINGS = ("layer", "class", "input", "output", "parameters", "mult-adds")
NUMBERS = (4, 5)  # the columns that are set flush right


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A Cell or module of a network.

    Attributes:
        name: its path in the network; "" for the network itself.
        kind: its class.
        input: shapes of its inputs, in the first call; empty where it was not called.
        output: shapes of its outputs, in the first call.
        parameters: how many values its own parameters have, without those of its children.
        mult_adds: multiplications, each with an addition, in products, convolutions and attention of all its calls,
            without those of its children.
        calls: how often it was called.
    """

    name: str
    kind: str
    input: Shapes
    output: Shapes
    parameters: int
    mult_adds: int
    calls: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A network, layer by layer; prints as a table, and is shown as one in notebooks."""

    rows: tuple[SummaryRow, ...]  # the network and its layers
    parameters: int  # how many values its parameters have, each parameter once
    trainable: int  # how many of them are trained
    nbytes: int  # the bytes of all parameters
    mult_adds: int = 0  # those of all rows; 0 without a call
    input_nbytes: int = 0  # the bytes of the inputs
    output_nbytes: int = 0  # the bytes of the outputs of all layers without children, in all calls

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, which JSON can hold."""
        return asdict(self)

    def _format_cells(self, indent: str) -> list[tuple[str, ...]]:
        left_out = {one.name for one in self.rows if self.rows[0].calls and self._is_left_out(one)}
        return [
            (
                indent * (one.name.count(".") + bool(one.name)) + one.name.rpartition(".")[2],
                one.kind + (f" (called {one.calls} times)" if one.calls > 1 else ""),
                " ".join(map(str, one.input)),
                "not called" if one.name in left_out else " ".join(map(str, one.output)),
                f"{one.parameters:,}" if one.parameters else "",
                f"{one.mult_adds:,}" if one.mult_adds else "",
            )
            for one in self.rows
        ]

    def _is_left_out(self, one: SummaryRow) -> bool:
        within = [row for row in self.rows if row is one or row.name.startswith(f"{one.name}.")]
        return any(row.parameters for row in within) and not any(row.calls for row in within)

    def _format_totals(self) -> list[str]:
        frozen = self.parameters - self.trainable
        size = _format_bytes(self.nbytes)
        lines = [f"{self.parameters:,} parameters: {self.trainable:,} trainable, {frozen:,} not; {size}"]
        if self.rows[0].calls:
            sizes = f"inputs {_format_bytes(self.input_nbytes)}, outputs of layers {_format_bytes(self.output_nbytes)}"
            lines.append(f"{self.mult_adds:,} mult-adds; {sizes}")
        return lines

    def __str__(self) -> str:
        texts = [HEADINGS, *self._format_cells("  ")]
        widths = [max(len(row[column]) for row in texts) for column in range(len(HEADINGS))]
        used = [column for column in range(len(HEADINGS)) if any(row[column] for row in texts[1:])]

        def line(row: Sequence[str]) -> str:
            return "  ".join(f"{row[i]:{'>' if i in NUMBERS else ''}{widths[i]}}" for i in used).rstrip()

        return "\n".join([*map(line, texts), *self._format_totals()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(
            HEADINGS, self._format_cells("\N{NO-BREAK SPACE}" * 3), self._format_totals(), numbers=NUMBERS
        )


@dataclass(slots=True)
class _Calls:
    """The known calls of one layer."""

    input: Shapes = ()
    output: Shapes = ()
    count: int = 0
    flops: int = 0
    output_nbytes: int = 0


@dataclass(slots=True)
class _Watch:
    """Counts operations by the layer in whose call they run; a layer's own are those that no child of it has."""

    calls: dict[int, _Calls]
    counter: Any
    open: list[list[int]] = field(default_factory=list)  # of each call under way: operations before, those of children

    def begin(self, cell: Network, inputs: Any, named: Any) -> None:
        seen = self.calls[id(cell)]
        if not seen.count:
            seen.input = tuple(tuple(one.shape) for one in _tensors_in((inputs, named)))
        self.open.append([self.counter.get_total_flops(), 0])

    def end(self, cell: Network, _: Any, output: Any) -> None:
        seen, (before, of_children) = self.calls[id(cell)], self.open.pop()
        if not seen.count:
            seen.output = tuple(tuple(one.shape) for one in _tensors_in(output))
        within = self.counter.get_total_flops() - before
        seen.count += 1
        seen.flops += within - of_children
        seen.output_nbytes += sum(one.nbytes for one in _tensors_in(output))
        if self.open:
            self.open[-1][1] += within


def summary(cell: Network, *inputs: Any, depth: int | None = None, **keywords: Any) -> Summary:
    """Return the summary of a network: its layers with their parameters, and the shapes and operations of a call.

    Where inputs are given, the network is called once, in inference mode and without gradients; its modes stay as they
    were. A layer that is in several places has one row, which says how often it was called.

    Args:
        cell: the network, a Cell or a torch module.
        inputs: what it is called with; without any, shapes and operations are left out.
        depth: how many levels below the network have rows, which take over what deeper layers have; None is all.
        keywords: arguments by name of the call.

    Raises:
        TypeError: `cell` is neither.
        ValueError: `depth` is not positive.
    """
    instance(cell, "cell", "summary", (Cell, torch.nn.Module))
    if depth is not None:
        positive_int(depth, "depth", "summary")
    named = _layers(cell)
    calls = {id(one): _Calls() for _, one in named}
    if inputs or keywords:
        _call_and_record(cell, calls, inputs, keywords)
    rows = [
        SummaryRow(
            name,
            type(one).__name__,
            seen.input,
            seen.output,
            _parameter_count(_own_parameters(one)),
            *_cost_of_calls(seen),
        )
        for name, one in named
        for seen in (calls[id(one)],)
    ]
    every = cell.get_parameters() if isinstance(cell, Cell) else cell.parameters()
    unique = list({id(one): one for one in every}.values())
    return Summary(
        tuple(rows if depth is None else _fold_rows(rows, depth)),
        _parameter_count(unique),
        _parameter_count(one for one in unique if one.requires_grad),
        sum(one.nbytes for one in unique),
        sum(one.mult_adds for one in rows),
        sum(one.nbytes for one in _tensors_in((inputs, keywords))),
        sum(calls[id(one)].output_nbytes for _, one in named if not _children(one)),
    )


def _layers(network: Network) -> list[tuple[str, Network]]:
    """Return a network and all below it, with their paths, each once."""
    return list(network.cells_and_names() if isinstance(network, Cell) else network.named_modules())


def _own_parameters(layer: Network) -> Iterator[Any]:
    parameters = layer._params if isinstance(layer, Cell) else layer._parameters
    return (one for one in parameters.values() if one is not None)


def _children(layer: Network) -> Any:
    return layer._cells if isinstance(layer, Cell) else layer._modules


def _call_and_record(
    cell: Network, calls: dict[int, _Calls], inputs: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    from torch.utils.flop_counter import FlopCounterMode

    with ExitStack() as stack:
        stack.enter_context(_inference_mode(cell))
        watch = _Watch(calls, stack.enter_context(FlopCounterMode(display=False, custom_mapping=RECURRENT)))
        for _, one in _layers(cell):
            stack.callback(one.register_forward_pre_hook(watch.begin, with_kwargs=True).remove)
            stack.callback(one.register_forward_hook(watch.end, always_call=True).remove)
        stack.enter_context(torch.no_grad())
        cell(*inputs, **keywords)


@contextmanager
def _inference_mode(cell: Network) -> Iterator[None]:
    """Put a network and all below it into inference mode for a while."""
    modes = [(one, one.training) for _, one in _layers(cell)]
    try:
        for layer, _ in modes:
            layer.__dict__["training"] = False
        yield
    finally:
        for layer, was_training in modes:
            layer.__dict__["training"] = was_training


def _recurrent_flops(input: Sequence[int], *others: Any, **_: Any) -> int:
    """Return the operations of a recurrent layer: each step of each sequence is multiplied by all matrices."""
    shapes = others[0] if isinstance(others[0][0], Sequence) else others[:2]
    return 2 * math.prod(input[:-1]) * sum(math.prod(shape) for shape in shapes if len(shape) > 1)


# Operators that torch's counter passes over: the layers of oneDNN and cuDNN.
RECURRENT = dict.fromkeys((torch.ops.aten.mkldnn_rnn_layer, torch.ops.aten._cudnn_rnn), _recurrent_flops)


def _cost_of_calls(seen: _Calls) -> tuple[int, int]:
    return seen.flops // 2, seen.count


def _parameter_count(parameters: Any) -> int:
    return sum(math.prod(one.shape) for one in parameters)


def _fold_rows(rows: list[SummaryRow], depth: int) -> Iterator[SummaryRow]:
    """Yield the rows down to a depth, with what the deeper ones have."""
    for upper in rows:
        level = upper.name.count(".") + bool(upper.name)
        if level > depth:
            continue
        below = [row for row in rows if row.name.startswith(f"{upper.name}.")] if level == depth else []
        yield SummaryRow(
            upper.name,
            upper.kind,
            upper.input,
            upper.output,
            upper.parameters + sum(row.parameters for row in below),
            upper.mult_adds + sum(row.mult_adds for row in below),
            upper.calls or int(any(row.calls for row in below)),
        )


def _tensors_in(value: Any) -> Iterator[Any]:
    if isinstance(value, Tensor | torch.Tensor):
        yield value
    elif isinstance(value, tuple | list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _tensors_in(one)


def _format_bytes(nbytes: int) -> str:
    return f"{nbytes / 1e6:,.2f} MB" if nbytes >= 1e5 else f"{nbytes / 1e3:,.2f} kB"
