"""Torch's own layers for the Cells that compute exactly what one of torch's does."""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.runtime.defining_modules import defining_module
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers import convolution, dense, embedding
from msbridge.nn.layers.activations import activation, rectifiers, softmax
from msbridge.nn.layers.normalization import batch_norm, layer_norm
from msbridge.nn.layers.pooling import adaptive_pool
from msbridge.ops.neural.convolution.kernels import SameConvolution, SettledConvolution

__all__ = ["torch_layer"]

Maker = Callable[[Any], torch.nn.Module | None]


def torch_layer(cell: Cell) -> torch.nn.Module | None:
    """Return a torch layer that computes exactly what the Cell does, or None.

    The classes of mint have torch's names and arguments. A subclass, or a Cell with another `construct` or with
    `to_float`, is not the layer that it looks like.

    Returns:
        A layer whose parameters and buffers are on the meta device, to be replaced by the Cell's.
    """
    make = _LAYERS.get(type(cell)) or _layer_of_mint(type(cell))
    if make is None or "construct" in cell.__dict__ or (cell._special is not None and cell._special.precision):
        return None
    with torch.device("meta"):
        return make(cell)


def _layer_with_same_names(kind: Callable[..., torch.nn.Module]) -> Maker:
    """Return a function that constructs a torch layer from the Cell's attributes of the same names."""

    def make(cell: Any) -> torch.nn.Module | None:
        settings = {name: getattr(cell, name) for name in inspect.signature(kind).parameters if hasattr(cell, name)}
        settings.pop("dtype", None)  # the parameters are the Cell's
        if "bias" in settings:
            settings["bias"] = settings["bias"] is not None
        return kind(**settings)

    return make


def _layer_of_mint(kind: type[Cell]) -> Maker | None:
    """Return the maker for a layer of mint with one input: of torch's of its name, or its own `_torch_layer`."""
    if not defining_module(kind).startswith("msbridge.mint.nn."):
        return None
    same = getattr(torch.nn, kind.__name__.removesuffix("Ext"), None)
    inputs = [each for each in inspect.signature(kind.construct).parameters.values() if each.default is each.empty]
    has_one_input = len(inputs) == 2  # beside `self`
    made: Maker | None = _layer_with_same_names(same) if same and has_one_input else None
    return getattr(kind, "_torch_layer", made)


def _linear_like(cell: Any) -> torch.nn.Module | None:
    if cell.activation is not None:
        return None
    outer, inner = cell.weight.shape
    return torch.nn.Linear(inner, outer, cell.bias is not None)


def _convolution_like(kind: Callable[..., torch.nn.Module]) -> Maker:
    def make(cell: Any) -> torch.nn.Module | None:
        kernel = cell.kernel_size[2 - cell._axes :]
        if isinstance(cell._convolve, SettledConvolution):
            stride, padding, dilation, groups = cell._convolve.settings
        elif isinstance(cell._convolve, SameConvolution) and max(kernel) == 1:
            stride, padding, dilation, groups = cell._convolve.stride, 0, cell._convolve.dilation, cell.group
        else:
            return None
        settings = (kernel, stride, padding, dilation, groups, cell.bias is not None)
        return kind(cell.in_channels, cell.out_channels, *settings)

    return make


def _transposed_convolution_like(kind: Callable[..., torch.nn.Module]) -> Maker:
    def make(cell: Any) -> torch.nn.Module | None:
        if not isinstance(cell._convolve, SettledConvolution):
            return None
        stride, padding, extra, groups, dilation = cell._convolve.settings
        kernel = cell.kernel_size[2 - cell._axes :]
        settings = (kernel, stride, padding, extra, groups, cell.bias is not None, dilation)
        return kind(cell.in_channels, cell.out_channels, *settings)

    return make


def _batch_norm(kind: Callable[..., torch.nn.Module]) -> Maker:
    def make(cell: Any) -> torch.nn.Module | None:
        if cell.use_batch_statistics is not None or cell.format != "NCHW":
            return None
        layer = kind(cell.num_features, cell.eps, cell.momentum)
        layer.num_batches_tracked = torch.zeros((), dtype=torch.long, device="cpu")
        return layer

    return make


def _instance_norm(kind: Callable[..., torch.nn.Module]) -> Maker:
    """Without `track_running_stats`: the statistics of the sample count always, and the moving ones only follow."""

    def make(cell: Any) -> torch.nn.Module | None:
        layer = kind(cell.num_features, cell.eps, cell.momentum, affine=True)
        for name in ("running_mean", "running_var"):
            layer.register_buffer(name, torch.empty(cell.num_features), persistent=False)
        return layer

    return make


def _layer_norm(cell: Any) -> torch.nn.Module | None:
    return torch.nn.LayerNorm(cell._shape, cell.epsilon) if cell._is_plain else None


def _group_norm(cell: Any) -> torch.nn.Module | None:
    return torch.nn.GroupNorm(cell.num_groups, cell.num_channels, cell.eps)


def _embedding_like(cell: Any) -> torch.nn.Module | None:
    """Without torch's `padding_idx`, which keeps that row from being trained."""
    return None if cell.use_one_hot else torch.nn.Embedding(*cell.embedding_table.shape)


_LAYERS: dict[type[Cell], Maker] = {
    activation.GELU: lambda cell: torch.nn.GELU(cell.approximate),
    activation.HShrink: _layer_with_same_names(torch.nn.Hardshrink),
    activation.HSigmoid: lambda _: torch.nn.Hardsigmoid(),
    activation.HSwish: lambda _: torch.nn.Hardswish(),
    activation.SiLU: lambda _: torch.nn.SiLU(),
    activation.Sigmoid: lambda _: torch.nn.Sigmoid(),
    activation.SoftShrink: _layer_with_same_names(torch.nn.Softshrink),
    activation.Tanh: lambda _: torch.nn.Tanh(),
    adaptive_pool.AdaptiveMaxPool2d: _layer_with_same_names(torch.nn.AdaptiveMaxPool2d),
    batch_norm.BatchNorm1d: _batch_norm(torch.nn.BatchNorm1d),
    batch_norm.BatchNorm2d: _batch_norm(torch.nn.BatchNorm2d),
    batch_norm.BatchNorm3d: lambda cell: _batch_norm(torch.nn.BatchNorm3d)(cell.bn2d),
    batch_norm.InstanceNorm1d: _instance_norm(torch.nn.InstanceNorm1d),
    batch_norm.InstanceNorm2d: _instance_norm(torch.nn.InstanceNorm2d),
    batch_norm.InstanceNorm3d: _instance_norm(torch.nn.InstanceNorm3d),
    convolution.Conv1d: _convolution_like(torch.nn.Conv1d),
    convolution.Conv1dTranspose: _transposed_convolution_like(torch.nn.ConvTranspose1d),
    convolution.Conv2d: _convolution_like(torch.nn.Conv2d),
    convolution.Conv2dTranspose: _transposed_convolution_like(torch.nn.ConvTranspose2d),
    convolution.Conv3d: _convolution_like(torch.nn.Conv3d),
    convolution.Conv3dTranspose: _transposed_convolution_like(torch.nn.ConvTranspose3d),
    dense.Dense: _linear_like,
    dense.Identity: lambda _: torch.nn.Identity(),
    dense.Linear: _linear_like,
    embedding.Embedding: _embedding_like,
    embedding.EmbeddingExt: _layer_with_same_names(torch.nn.Embedding),
    layer_norm.GroupNorm: _group_norm,
    layer_norm.LayerNorm: _layer_norm,
    layer_norm.LayerNormExt: _layer_with_same_names(torch.nn.LayerNorm),
    rectifiers.PReLUExt: lambda cell: torch.nn.PReLU(cell.weight.size),
    rectifiers.ReLU6: lambda _: torch.nn.ReLU6(),
    rectifiers.ReLU: lambda _: torch.nn.ReLU(),
    softmax.LogSoftmaxExt: lambda cell: None if cell.dim is None else torch.nn.LogSoftmax(cell.dim),
}
