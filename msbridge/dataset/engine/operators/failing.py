"""Rows for which an operation fails: left out, or replaced by others."""

from collections.abc import Callable, Iterable, Iterator

from msbridge.dataset.config import ErrorSamplesMode
from msbridge.dataset.engine.blocks import Block
from msbridge.dataset.engine.values import pipeline_error

KEPT = 64  # rows that can take the place of others


def sound_rows(
    rows: Iterable[Block], compute: Callable[[Block, int], Block], mode: ErrorSamplesMode
) -> Iterator[Block]:
    """Compute rows one by one; those for which that fails are left out, or replaced by others at the end.

    Args:
        rows: blocks of one row.
        compute: takes a row and its number among them.
        mode: what becomes of those that fail.

    Raises:
        Exception: what failed, where the mode is RETURN.
        RuntimeError: rows have to be replaced, and there is none that did not fail.
    """
    kept: list[Block] = []
    failed = 0
    for number, row in enumerate(rows):
        try:
            computed = compute(row, number)
        except Exception:
            if mode is ErrorSamplesMode.RETURN:
                raise
            failed += 1
            continue
        if mode is ErrorSamplesMode.REPLACE and len(kept) < KEPT:
            kept.append(computed)
        yield computed
    if mode is not ErrorSamplesMode.REPLACE:
        return
    if failed and not kept:
        raise pipeline_error("All data is garbage and cannot be replaced.")
    for number in range(failed):
        yield kept[number % len(kept)]
