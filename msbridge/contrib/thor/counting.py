"""Layers as THOR counts them, and the shapes of its matrices: functions that earlier optimizers share."""

from collections.abc import Sequence
from typing import Any

from msbridge.contrib.thor.layers import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.convolution import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.embedding import Embedding as EmbeddingLayer
from msbridge.nn.layers.normalization.batch_norm import BatchNorm1d, BatchNorm2d
from msbridge.nn.layers.normalization.layer_norm import GroupNorm
from msbridge.nn.layers.normalization.layer_norm import LayerNorm as LayerNormLayer

__all__ = [
    "C0",
    "FC",
    "BatchNorm",
    "Conv",
    "Embedding",
    "LayerNorm",
    "Other",
    "caculate_device_shape",
    "caculate_matmul_shape",
    "clip_gradient",
    "find_net_layertype_recur",
    "get_layer_counter",
    "get_layer_type_for_dense_and_conv",
    "get_net_layertype_mask",
]

C0 = 16  # channels of a block of the Ascend
Conv, FC, Embedding, LayerNorm, BatchNorm, Other = 1, 2, 3, 4, 5, -1  # kinds of layers
LENGTH = 1.0  # of a gradient that is clipped
_LEFT_OUT = "rpn_with_loss.rpn_convs_list."  # layers of Faster R-CNN that share their weights: the first counts
_OTHERS = Conv2dTranspose, Conv1d, Conv1dTranspose, BatchNorm1d, GroupNorm, EmbeddingLayer


def caculate_device_shape(matrix_dim: float, channel: int, is_a: bool) -> tuple[tuple[int, ...], int]:
    """Return the shape in blocks of 16, and the size, of a square matrix on an Ascend.

    Args:
        matrix_dim: the size.
        channel: how many channels it is of.
        is_a: the matrix of inputs, whose channels are filled up to 16.

    Follows: mindspore.nn.optim.thor.caculate_device_shape (2.10).
    """
    if is_a and channel < C0:
        matrix_dim = matrix_dim / channel * C0
    blocks = int(matrix_dim // C0)
    return (blocks, blocks, C0, C0), int(matrix_dim)


def caculate_matmul_shape(
    matrix_a_dim: int, matrix_g_dim: int, split_dim: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes of the matrices of inputs and of gradients, cut into parts of at most `split_dim`.

    Follows: mindspore.nn.optim.thor.caculate_matmul_shape (2.10).
    """
    across, down = -(-matrix_a_dim // split_dim), -(-matrix_g_dim // split_dim)
    width, height = min(matrix_a_dim, split_dim), min(matrix_g_dim, split_dim)
    return (down, across, width, width), (down, height, height)


def clip_gradient(enable_clip_grad: bool, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
    """Return gradients shrunk to a length of at most 1 each, if it is asked for.

    Follows: mindspore.nn.optim.thor.clip_gradient (2.10).
    """
    return tuple(map(_clip_gradient, gradients)) if enable_clip_grad else gradients


def _clip_gradient(gradient: Tensor) -> Tensor:
    data = gradient._data
    return wrap((data * (LENGTH / data.float().norm().clamp(min=LENGTH))).to(data.dtype))


def get_layer_type_for_dense_and_conv(subcell: Any, prefix: str, layertype_map: list[int]) -> None:
    """Add the kind of a layer without second moments, if its weight is trained.

    Follows: mindspore.nn.optim.thor.get_layer_type_for_dense_and_conv (2.10).
    """
    path = prefix.lower()
    if subcell.weight.requires_grad and (_LEFT_OUT not in path or f"{_LEFT_OUT}0." in path):
        layertype_map.append(Other)


def find_net_layertype_recur(net: Cell, layertype_map: list[int]) -> None:
    """Add the kinds of the layers of a network to a list, in their order.

    Follows: mindspore.nn.optim.thor.find_net_layertype_recur (2.10).
    """
    for layer in net.name_cells().values():
        if isinstance(layer, Conv2dThor):
            layertype_map.append(Conv)
        elif isinstance(layer, DenseThor):
            layertype_map.append(FC)
        elif isinstance(layer, EmbeddingThor | EmbeddingLookupThor):
            layertype_map.append(Embedding)
        elif isinstance(layer, LayerNormLayer):
            layertype_map.append(LayerNorm)
        elif isinstance(layer, BatchNorm2d):
            layertype_map += [BatchNorm] if layer.gamma.requires_grad else []
        elif isinstance(layer, Dense | Conv2d):
            get_layer_type_for_dense_and_conv(layer, layer.param_prefix, layertype_map)
        elif isinstance(layer, _OTHERS):
            layertype_map.append(Other)
        else:
            find_net_layertype_recur(layer, layertype_map)


def get_net_layertype_mask(net: Cell) -> list[int]:
    """Return the kinds of the layers of a network, in their order.

    Follows: mindspore.nn.optim.thor.get_net_layertype_mask (2.10).
    """
    kinds: list[int] = []
    find_net_layertype_recur(net, kinds)
    return kinds


def get_layer_counter(layer_type: int, layer_counter: int, params: Sequence[Any], idx: int) -> int:
    """Return the number of the layer of the next parameter: one more where this parameter is the last of its layer.

    Follows: mindspore.nn.optim.thor.get_layer_counter (2.10).
    """
    name = params[idx].name.lower()
    is_before_bias = idx < len(params) - 1 and "bias" in params[idx + 1].name.lower()
    has_next = idx < len(params) - 1
    if layer_type in (Conv, FC):
        is_last = "bias" in name or (has_next and not is_before_bias)
    elif layer_type in (LayerNorm, BatchNorm):
        is_last = "beta" in name
    elif "bias" not in name and "weight" in name:
        is_last = has_next and not is_before_bias
    else:
        is_last = True
    return layer_counter + is_last
