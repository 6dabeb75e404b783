"""Blocks of a network that are computed again in the backward pass."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.recompute import Contexts, recomputing_with
from msbridge.nn.cell.cell import Cell

__all__ = ["recompute"]


def recompute(
    block: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = True,
    output_recompute: bool = False,
    early_stop: bool = True,
    context_fn: Contexts | None = None,
    **kwargs: Any,
) -> Any:
    """Call a Cell and keep none of its intermediate results for the backward pass, which computes them again.

    Args:
        block: a Cell; with `use_reentrant=False` any function.
        args: its inputs.
        use_reentrant: MindSpore's choice of an implementation; torch has one.
        output_recompute: not to keep the output either; without effect, which is said once.
        early_stop: stop when all that is needed was computed.
        context_fn: makes the blocks in which it runs first, and again; not with `use_reentrant`.
        kwargs: its named inputs.

    Returns:
        The output of `block`.

    Raises:
        TypeError: `block` is not a Cell, with `use_reentrant`.
        ValueError: there is a `context_fn` with `use_reentrant`.

    Follows: mindspore.recompute (2.10).
    """
    if use_reentrant and not output_recompute and not isinstance(block, Cell):
        raise TypeError(f"For 'recompute', a block that is not a Cell needs use_reentrant=False, got {block!r}.")
    how = recomputing_with(use_reentrant, output_recompute, early_stop, context_fn, "mindspore.recompute")
    return how.run(block, *args, **kwargs)
