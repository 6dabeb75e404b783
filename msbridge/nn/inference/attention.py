"""Attention that a network writes out becomes one call of torch's fused kernel, in an ATen graph.

    q · kᵀ ► (view) ► (· number) ► (+ mask) ► softmax ► (view) ► · v ► (view)        one PreparedAttention

Before a product of batches torch copies what `transpose` has made of heads; the kernel reads them as they lie. Where
that can not be, it gets the batches of matrices. A mask has to come from a product, as in `(1 - mask) * -10000`, so
that it has no infinities: of a row of these the kernel makes zeros, softmax nan.
"""

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import torch
from torch.fx import GraphModule, Node

from msbridge.nn.inference.graph_nodes import VIEWS, only_user, shape_of
from msbridge.nn.inference.kernels import PreparedAttention

__all__ = ["fuse_attention"]

aten = torch.ops.aten
_SAME_NUMBERS = (*VIEWS, aten.expand.default, aten.clone.default)


@dataclass(frozen=True, slots=True)
class _Scores:
    """`product * scale + mask`, where the sum has so many axes."""

    product: Node
    scale: float = 1.0
    mask: Node | None = None
    axes: int = 0


def fuse_attention(module: GraphModule, softmax: Node) -> bool:
    """Put one call in place of the attention around a softmax; return whether there is one."""
    data, axis, is_widened = softmax.args
    scores, weights = _scores(data, softmax), softmax
    while (mixing := only_user(weights)) is not None and _has_same_numbers(mixing):
        weights = mixing
    if scores is None or mixing is None or is_widened or axis not in (-1, len(shape_of(softmax) or ()) - 1):
        return False
    if mixing.target is not aten.bmm.default or mixing.args[0] is not weights:
        return False
    inputs, last = _inputs(scores, mixing)
    if inputs is None:
        return False
    attention = PreparedAttention(scores.scale)
    name = f"prepared_attention_{sum(isinstance(one, PreparedAttention) for one in module.children())}"
    module.add_module(name, attention)
    with module.graph.inserting_before(last):
        keys = module.graph.call_function(aten.transpose.int, (inputs[1], -2, -1))
        call = module.graph.call_module(name, (inputs[0], keys, *inputs[2:]))
    call.meta = dict(last.meta)
    last.replace_all_uses_with(call)
    return True


def _scores(node: Any, reader: Node) -> _Scores | None:
    """Return the scores of attention that a node computes for `reader` only; None where it computes something else."""
    if not isinstance(node, Node) or only_user(node) is not reader or not shape_of(node):
        return None
    if node.target is aten.bmm.default:
        return _Scores(node)
    if _has_same_numbers(node):
        return _scores(node.args[0], node)
    if node.target in (aten.mul.Tensor, aten.div.Tensor) and isinstance(node.args[1], int | float):
        inner, factor = _scores(node.args[0], node), float(node.args[1])
        if inner is None or inner.mask is not None or not factor:
            return None
        return replace(inner, scale=inner.scale * (factor if node.target is aten.mul.Tensor else 1 / factor))
    if node.target is aten.add.Tensor and not node.kwargs:
        for scores, mask in (node.args, node.args[::-1]):
            inner = _scores(scores, node)
            if inner is not None and inner.mask is None and isinstance(mask, Node) and mask.target is aten.mul.Tensor:
                return replace(inner, mask=mask, axes=len(shape_of(node) or ())) if shape_of(mask) else None
    return None


def _inputs(scores: _Scores, mixing: Node) -> tuple[list[Any] | None, Node]:
    """Return queries, keys by columns, values and the mask, and the node whose value is the result."""
    matrices, mask = [*scores.product.args, mixing.args[1]], [] if scores.mask is None else [scores.mask]
    if not all(map(shape_of, matrices)):
        return None, mixing
    heads, last = list(map(_heads_of, matrices)), only_user(mixing)
    is_split = last is not None and last.target in VIEWS and len(shape_of(last) or ()) == 4 and scores.axes in (0, 4)
    if is_split and len({(shape_of(one) or ())[:-2] for one in (*heads, last)}) == 1:
        return [*heads, *mask], last  # type: ignore[return-value]
    return [*matrices, *mask] if scores.axes in (0, 3) else None, mixing


def _heads_of(matrices: Any) -> Node:
    """Return the heads in two axes that a batch of matrices is a copy or view of; else the batch itself."""
    node, shape = matrices, shape_of(matrices) or ()
    while isinstance(node, Node) and _has_same_numbers(node):
        node = node.args[0]
        found = shape_of(node) or ()
        if found[-2:] != shape[-2:]:
            break
        if len(found) == 4:
            matrices = node
    return matrices  # type: ignore[no-any-return]


def _has_same_numbers(node: Node) -> bool:
    """Whether a value is the one before it in another form, in the same order."""
    if node.target not in _SAME_NUMBERS:
        return False
    before, after = shape_of(node.args[0]), shape_of(node)
    return before is not None and after is not None and prod(before) == prod(after)
