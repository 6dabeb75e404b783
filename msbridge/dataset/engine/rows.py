"""Walking over blocks row by row, and giving results their place among the columns."""

from collections.abc import Iterable, Iterator

from msbridge.dataset.engine.block import Block, Column
from msbridge.dataset.engine.values import pipeline_error

LARGEST_PIECE = 64


def pieces(stream: Iterable[Block]) -> Iterator[Block]:
    """Cut blocks into pieces of at most 1, 2, 4 … 64 rows: the first row comes early, later ones cost little each."""
    limit = 1
    for block in stream:
        start = 0
        while start < block.size:
            piece = block if start == 0 and block.size <= limit else block.pick(slice(start, start + limit))
            yield piece
            start += piece.size
            limit = min(limit * 2, LARGEST_PIECE)


def arranged(
    columns: dict[str, Column], inputs: list[str], outputs: list[str], results: list[Column]
) -> dict[str, Column]:
    """Replace the input columns by the results.

    As many outputs as inputs: each takes the place of its input. Otherwise the outputs come first, then what was not
    used.
    """
    made = dict(zip(outputs, results, strict=True))
    return {
        name: made[name] if name in made else columns[name] for name in arranged_names(list(columns), inputs, outputs)
    }


def arranged_names(names: list[str], inputs: list[str], outputs: list[str]) -> list[str]:
    """Give the column names that `arranged` leads to."""
    if len(inputs) == len(outputs):
        renamed = dict(zip(inputs, outputs, strict=True))
        return [renamed.get(name, name) for name in names if name in renamed or name not in outputs]
    return outputs + [name for name in names if name not in inputs and name not in outputs]


def check_columns(columns: list[str], names: list[str], op: str) -> None:
    """Raise unless all of `columns` are among `names`."""
    for name in columns:
        if name not in names:
            raise pipeline_error(f"Invalid column for '{op}': {name!r} does not exist; the columns are {names}.")
