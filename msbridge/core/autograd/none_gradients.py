"""Gradients that are None in graph mode: a backward pass of the script's returned None for an input of the function.

    bprop of a Cell ── None ──► note_none(alias) ── torch adds nothing ──► zeros of gradients_of ── without ──► None

PyNative mode returns zeros; the compiler returns what `bprop` returned. Only what reaches `bprop` unchanged is
noted: an operator between the input and `bprop` refuses None in MindSpore, and here its gradient is zeros.
"""

import torch

from msbridge.core.context.graph_mode import is_graph
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["note_none", "wrap_gradients"]


class _Noted:
    """Whether this process has noted a None: most never do, and then a step asks no tensor."""

    any = False


def note_none(source: torch.Tensor) -> None:
    """Note that a backward pass returned None for what may be an alias of an input or weight."""
    if source.grad_fn is None and is_graph():
        source.has_none_gradient = _Noted.any = True  # type: ignore[attr-defined]


def wrap_gradients(gradients: list[torch.Tensor], sources: list[torch.Tensor]) -> list[Tensor | None]:
    """Return gradients as a graph does: None for a source that only `note_none` knows of."""
    if not _Noted.any:
        return list(map(wrap, gradients))
    return [
        None if hasattr(source, "has_none_gradient") and not gradient.any() else wrap(gradient)
        for gradient, source in zip(gradients, sources, strict=True)
    ]
