"""Convolutions and products of an ATen graph, with what follows them, become prepared ones.

    convolution ► batch norm ► (+ other) ► activation        one PreparedConvolution
    product with a weight ► (view) ► activation              one PreparedLinear
    attention that is written out                            one PreparedAttention (attention.py)

A value in between that something else reads as well ends the chain: it has to be there.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule, Node

from msbridge.nn.inference.attention import fuse_attention
from msbridge.nn.inference.graph_nodes import VIEWS, only_user, shape_of
from msbridge.nn.inference.kernels import (
    Activation,
    Normalization,
    PreparedConvolution,
    PreparedLinear,
    PreparedRecurrent,
)

__all__ = ["fuse"]

aten = torch.ops.aten
# The second has no flag of training; torch 2.6 traces it.
_NORMALIZATIONS = (aten.native_batch_norm.default, aten._native_batch_norm_legit_no_training.default)
_ACTIVATIONS: dict[Any, Callable[..., Activation]] = {
    aten.relu.default: lambda: Activation("relu"),
    aten.sigmoid.default: lambda: Activation("sigmoid"),
    aten.tanh.default: lambda: Activation("tanh"),
    aten.silu.default: lambda: Activation("swish"),
    aten.hardswish.default: lambda: Activation("hardswish"),
    aten.leaky_relu.default: lambda slope=0.01: Activation("leaky_relu", (slope,)),
    aten.gelu.default: lambda approximate="none": Activation("gelu", (), approximate),
    aten.hardtanh.default: lambda low=-1.0, high=1.0: Activation("hardtanh", (low, high)),
    aten.clamp.default: lambda low=None, high=None: Activation("hardtanh", (low, high)),
}


def fuse(module: GraphModule) -> dict[str, int]:
    """Replace what can be prepared, in place.

    Returns:
        The number of each that was found: "normalizations folded", "activations fused", "additions fused",
            "attentions fused", "products".
    """
    graph = module.graph
    graph.eliminate_dead_code()  # statistics that batch norm returns beside its result
    counts = {"normalizations folded": 0, "activations fused": 0, "additions fused": 0}
    counts |= {"attentions fused": 0, "products": 0}
    for node in list(graph.nodes):
        if node.target in VIEWS:
            node.target = aten.reshape.default  # results of oneDNN may have another order of strides
        product: torch.nn.Module | None = None
        if node.target is aten.convolution.default:
            product = _convolution(module, node, counts)
        elif node.target in (aten.addmm.default, aten.mm.default, aten.linear.default):
            product = _linear(module, node, counts)
        elif node.target is aten.mkldnn_rnn_layer.default:
            product = _recurrent(module, node)
        elif node.target is aten._softmax.default:
            counts["attentions fused"] += fuse_attention(module, node)
        if product is not None:
            counts["products"] += 1
    graph.eliminate_dead_code()
    graph.lint()
    module.recompile()
    return counts


def _convolution(module: GraphModule, node: Node, counts: dict[str, int]) -> torch.nn.Module | None:
    data, weight_node, bias_node, stride, padding, dilation, is_transposed, _, groups = node.args
    weight, bias = _constant(module, weight_node), _constant(module, bias_node)
    shape = shape_of(data)
    if weight is None or (bias is None) != (bias_node is None) or is_transposed or shape is None:
        return None
    if weight.dim() != 4 or weight.dtype is not torch.float32 or len(shape) != 4:
        return None
    last, normalization, other = node, None, None
    if (after := only_user(last)) is not None and after.target in _NORMALIZATIONS:
        normalization = _normalization(module, after)
        result = only_user(after)
        if normalization is not None and result is not None and result.args[1] == 0:
            last = result
            counts["normalizations folded"] += 1
        else:
            normalization = None
    if (after := only_user(last)) is not None and after.target is aten.add.Tensor and not after.kwargs:
        first, second = after.args
        candidate = second if first is last else first
        if isinstance(candidate, Node) and candidate is not last and shape_of(candidate) == shape_of(last) is not None:
            last, other = after, candidate
            counts["additions fused"] += 1
    activation, last = _activation(last, counts)
    settings = (padding, stride, dilation, groups)
    product = PreparedConvolution(weight, bias, settings, normalization, activation, shape)  # type: ignore[arg-type]
    _put(module, product, last, last, (data,) if other is None else (data, other))
    return product


def _linear(module: GraphModule, node: Node, counts: dict[str, int]) -> torch.nn.Module | None:
    if node.kwargs:
        return None
    if node.target is aten.linear.default:
        data, weight_node, bias_node = (*node.args, None)[:3]
        weight = _constant(module, weight_node)
    else:
        bias_node, data, turned = node.args if node.target is aten.addmm.default else (None, *node.args)
        is_turned = isinstance(turned, Node) and turned.target is aten.t.default
        weight = _constant(module, turned.args[0]) if is_turned else None  # type: ignore[union-attr]
    bias, shape = _constant(module, bias_node), shape_of(data)
    if weight is None or (bias is None) != (bias_node is None) or shape is None or len(shape) != 2:
        return None
    if weight.dtype is not torch.float32 or not weight.numel() or (bias is not None and bias.shape != weight.shape[:1]):
        return None
    viewed = only_user(node)
    if viewed is not None and viewed.target in VIEWS:  # an elementwise function may come before the view
        activation, last = _activation(viewed, counts)
        if last is not viewed:
            last.replace_all_uses_with(viewed)
        last = node
    else:
        activation, last = _activation(node, counts)
    product = PreparedLinear(weight, bias, activation, shape[0])
    _put(module, product, last, last, (data,))
    return product


def _recurrent(module: GraphModule, node: Node) -> torch.nn.Module | None:
    data, *weight_nodes, hidden, cell = node.args[:7]
    *settings, _ = node.args[7:]
    weights, shape = [_constant(module, one) for one in weight_nodes], shape_of(data)
    is_lstm, is_of_packed_sequences = settings[2] == 2, bool(settings[1])
    if any(one is None for one in weights) or shape is None or not is_lstm or is_of_packed_sequences:
        return None
    product = PreparedRecurrent(weights, [*settings, False], shape)  # not for a backward pass
    _put(module, product, node, node, (data, hidden, cell))  # type: ignore[arg-type]
    return product


def _normalization(module: GraphModule, node: Node) -> Normalization | None:
    _, gamma, beta, mean, variance, *settings, _, epsilon = node.args
    tensors = [_constant(module, one) for one in (gamma, beta, mean, variance)]
    missing = [one for one, given in zip(tensors, (gamma, beta, None, None), strict=True) if one is None and given]
    if any(settings) or missing or tensors[2] is None or tensors[3] is None:
        return None
    return Normalization(tensors[0], tensors[1], tensors[2], tensors[3], epsilon)  # type: ignore[arg-type]


def _activation(node: Node, counts: dict[str, int]) -> tuple[Activation, Node]:
    """Return the activation that follows a node, and the last node of it; none, and the node itself."""
    after = only_user(node)
    make = None if after is None else _ACTIVATIONS.get(after.target)
    if after is None or make is None:
        return Activation(), node
    if after.args[0] is not node:
        return Activation(), node
    activation = make(*after.args[1:], **after.kwargs)
    further = only_user(after)
    if activation.name == "relu" and further is not None and further.target is aten.clamp.default:
        low, high = (*further.args[1:], None)[:2]
        if low is None and isinstance(high, int | float):  # relu6
            activation, after = Activation("hardtanh", (0.0, float(high))), further
    if activation.name == "hardtanh":
        if not all(isinstance(bound, int | float) for bound in activation.scalars):
            return Activation(), node
        activation = Activation("hardtanh", tuple(map(float, activation.scalars)))
    counts["activations fused"] += 1
    return activation, after


def _put(module: GraphModule, product: torch.nn.Module, last: Node, place: Node, inputs: tuple[Node, ...]) -> None:
    """Call `product` in place of the chain that ends with `last`."""
    name = f"prepared_{sum(isinstance(one, type(product)) for one in module.children())}_{type(product).__name__}"
    module.add_module(name, product)
    with module.graph.inserting_before(place):
        call = module.graph.call_module(name, inputs)
    call.meta = dict(last.meta)
    last.replace_all_uses_with(call)


def _constant(module: GraphModule, node: Any) -> torch.Tensor | None:
    if not isinstance(node, Node) or node.op != "get_attr":
        return None
    value = getattr(module, str(node.target))
    return value if isinstance(value, torch.Tensor) else None
