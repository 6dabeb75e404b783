"""What a network consists of, layer by layer, with the shapes that an input gives."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msbridge.core.notebooks import html_table
from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell

__all__ = ["Summary", "SummaryRow", "summary"]

HEADINGS = ("layer", "class", "output", "parameters")


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A Cell of a network.

    Attributes:
        name: its path in the network; "" for the network itself.
        kind: its class.
        output: shapes of what it gave, in the first call; empty where it was not called.
        parameters: how many values its own parameters have, without those of its children.
    """

    name: str
    kind: str
    output: tuple[tuple[int, ...], ...]
    parameters: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A network, layer by layer; prints as a table, and shows as one in notebooks.

    Attributes:
        rows: the network and all Cells in it.
        parameters: how many values its parameters have, each parameter once.
        trainable: how many of them are trained.
        nbytes: the bytes of all parameters.
    """

    rows: tuple[SummaryRow, ...]
    parameters: int
    trainable: int
    nbytes: int

    def _texts(self) -> list[tuple[str, ...]]:
        return [
            (
                "  " * (one.name.count(".") + bool(one.name)) + one.name.rpartition(".")[2],
                one.kind,
                " ".join(map(str, one.output)),
                f"{one.parameters:,}" if one.parameters else "",
            )
            for one in self.rows
        ]

    def _totals(self) -> str:
        return f"{self.parameters:,} parameters, {self.trainable:,} of them trained, {self.nbytes / 1e6:,.2f} MB"

    def __str__(self) -> str:
        texts = [HEADINGS, *self._texts()]
        widths = [max(len(row[column]) for row in texts) for column in range(len(HEADINGS))]
        lines = ["  ".join(f"{one:{width}}" for one, width in zip(row, widths, strict=True)).rstrip() for row in texts]
        return "\n".join([*lines, self._totals()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [[one.name, one.kind, " ".join(map(str, one.output)), f"{one.parameters:,}"] for one in self.rows]
        return f"{html_table(HEADINGS, rows)}<p>{self._totals()}</p>"


def summary(cell: Cell, *inputs: Any, **keywords: Any) -> Summary:
    """Return what a network consists of: each Cell, with how many parameters it has, and the shapes of its output.

    The network is called once, where inputs are given, in the mode that it is in.

    Args:
        cell: the network.
        inputs: what it is called with; without any, there are no shapes.
        keywords: arguments by name of the call.

    Raises:
        TypeError: `cell` is no Cell.
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'summary', cell must be a Cell, got {type(cell).__name__}.")
    shapes: dict[int, tuple[tuple[int, ...], ...]] = {}

    def note(called: Cell, _: Any, output: Any) -> None:
        shapes.setdefault(id(called), tuple(_shapes(output)))

    if inputs or keywords:
        handles = [one.register_forward_hook(note) for _, one in cell.cells_and_names()]
        try:
            cell(*inputs, **keywords)
        finally:
            for handle in handles:
                handle.remove()
    rows = tuple(
        SummaryRow(
            name, type(one).__name__, shapes.get(id(one), ()), sum(math.prod(p.shape) for p in one._params.values())
        )
        for name, one in cell.cells_and_names()
    )
    unique = {id(one): one for one in cell.get_parameters()}.values()
    trained = sum(math.prod(one.shape) for one in unique if one.requires_grad)
    return Summary(rows, sum(math.prod(one.shape) for one in unique), trained, sum(one.nbytes for one in unique))


def _shapes(output: Any) -> Iterator[tuple[int, ...]]:
    if isinstance(output, Tensor):
        yield tuple(output.shape)
    elif isinstance(output, tuple | list | dict):
        for one in output.values() if isinstance(output, dict) else output:
            yield from _shapes(one)
