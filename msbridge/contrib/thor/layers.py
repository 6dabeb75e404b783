"""Layers that keep, of every call, the second moments of what goes in (A) and of the gradient of what comes out (G).

They compute what Dense, Conv2d and Embedding compute. Where `thor` is False they keep nothing. On Ascend MindSpore
averages over all rows; elsewhere a convolution averages over the samples first, and A of a dense layer is divided by
its channels.
"""

from typing import Any

import numpy as np
import torch

from msbridge.contrib.ops.second_order.kernels import patches
from msbridge.core.checks.arguments import boolean, instance, integer, one_of, per_axis, positive_int
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import get_context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.layers.convolution import Convolution
from msbridge.nn.layers.embedding import EmbeddingLookup
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.ops.framework.control.kernels import hook_backward
from msbridge.ops.kernel_calls.half_precision import linear_tensors
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.convolution.kernels import explain_convolution, explain_linear
from msbridge.ops.neural.embedding.kernels import lookup_with_zeros, multiply_one_hot

__all__ = ["Conv2dThor", "DenseThor", "EmbeddingLookupThor", "EmbeddingThor"]


def _parameter_of_array(array: Any, name: str) -> Parameter:
    return Parameter(Tensor(np.asarray(array, np.float32)), name=name, requires_grad=False)


def _second_moments(rows: torch.Tensor, count: int) -> torch.Tensor:
    """Return rowsᵀ·rows / count in float32."""
    rows = rows.detach().float()
    return rows.mT @ rows / count


class DenseThor(Cell):
    """Compute activation(x @ weight.T + bias), and keep A and G.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills `weight`, shape (out_channels, in_channels).
        bias_init: fills `bias`, shape (out_channels,).
        has_bias: whether there is a bias.
        activation: the name of a function that is applied at the end.

    Inputs:
        x: shape (N, in_channels), Float32.

    Outputs:
        A Tensor of shape (N, out_channels), Float32.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a size is not positive, or a Tensor to fill with has another shape.

    Follows: mindspore.nn.DenseThor (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        activation: str | None = None,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.thor = True
        self.in_channels = positive_int(in_channels, "in_channels", op)
        self.out_channels = positive_int(out_channels, "out_channels", op)
        self.has_bias = boolean(has_bias, "has_bias", op)
        shapes = {"weight_init": (weight_init, (out_channels, in_channels)), "bias_init": (bias_init, (out_channels,))}
        for name, (init, shape) in shapes.items():
            if isinstance(init, Tensor) and init.shape != shape:
                raise ValueError(f"For '{op}', the shape of '{name}' must be {shape}, but got {init.shape}.")
        self.weight = make_parameter(weight_init, (out_channels, in_channels), mstype.float32, "weight")
        self.bias = make_parameter(bias_init, (out_channels,), mstype.float32, "bias") if has_bias else None
        self.activation: Any = get_activation(activation)
        self.activation_flag = self.activation is not None
        self.matrix_a = _parameter_of_array(np.eye(in_channels), "matrix_a")
        self.matrix_g = _parameter_of_array(np.eye(out_channels), "matrix_g")
        self.is_ascend = get_context("device_target") == "Ascend"

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Keep G of the gradient of the output, and return the gradient."""
        rows = dout._data.reshape(-1, self.out_channels)
        if not (self.is_ascend and self.out_channels == 2):  # there G stays the identity
            overwrite(self.matrix_g, _second_moments(rows, len(rows)))
        return dout

    def construct(self, x: Tensor) -> Tensor:
        try:
            result = linear_tensors(x, self.weight, self.bias)
        except Exception as error:
            raise explain_linear(error, self.cls_name, x=x, weight=self.weight) from error
        if self.thor:
            rows = x._data.reshape(-1, self.in_channels)
            overwrite(self.matrix_a, _second_moments(rows, len(rows) if self.is_ascend else self.in_channels))
            result = hook_backward(result, self.save_gradient)
        return result if self.activation is None else self.activation(result)

    def extend_repr(self) -> str:
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class Conv2dThor(Convolution):
    """Convolve over height and width, and keep A and G.

    Args:
        in_channels: channels of the input (N, C_in, H, W).
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same", "valid" or "pad"; A is of the patches of "same" in every case.
        padding: with "pad": an int, or (top, bottom, left, right).
        dilation: an int or (height, width).
        group: how many groups of channels are convolved apart.
        has_bias: whether there is a bias.
        weight_init: fills `weight`, shape (C_out, C_in / group, height, width).
        bias_init: fills `bias`, shape (C_out,).

    Inputs:
        x: shape (N, C_in, H, W), Float32.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out), Float32.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.nn.Conv2dThor (2.10), which runs on Ascend and GPU; judged by a formula.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
    ) -> None:
        kernel_size, stride = (per_axis(size, "kernel_size", "Conv2dThor", 2) for size in (kernel_size, stride))
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        super().__init__(2, False, in_channels, out_channels, kernel_size, *settings, "NCHW", mstype.float32)
        self.thor = True
        self.hw = self.kernel_size[0] * self.kernel_size[1]
        self.matrix_a_dim = in_channels * self.hw
        self.matrix_g_dim = out_channels
        self.a_normalizer = _parameter_of_array([1.0], "a_normalizer")
        self.g_normalizer = _parameter_of_array([1.0], "g_normalizer")
        self.is_ascend = get_context("device_target") == "Ascend"
        make = np.eye if self.is_ascend else lambda size: np.zeros((size, size))
        self.matrix_a_cov = _parameter_of_array(make(self.matrix_a_dim), "matrix_a")
        self.matrix_g_cov = _parameter_of_array(make(self.matrix_g_dim), "matrix_g")

    def _keep(self, columns: torch.Tensor, moments: Parameter, normalizer: Parameter) -> None:
        """Keep the second moments of (N, rows, positions), over positions, and how many of them there were."""
        columns = columns.detach()
        rows = columns.transpose(1, 2).flatten(0, 1) if self.is_ascend else columns.float().mean(0).mT
        overwrite(moments, _second_moments(rows, len(rows)))
        overwrite(normalizer, torch.full_like(normalizer._data, len(rows)))

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Keep G of the gradient of the output, and return the gradient."""
        self._keep(dout._data.flatten(2), self.matrix_g_cov, self.g_normalizer)
        return dout

    def construct(self, x: Tensor) -> Tensor:
        bias = self.bias
        if not self.thor:
            return super().construct(x)
        try:
            data = x._data
            result = wrap(self._convolve(data, self.weight._data, None if bias is None else bias._data))
            found, _, _ = patches(data.detach(), self.kernel_size, self.stride, "same", 0, (1, 1))
        except Exception as error:
            raise explain_convolution(error, "Conv2dThor", x, self.weight, bias) from error
        self._keep(found, self.matrix_a_cov, self.a_normalizer)
        return hook_backward(result, self.save_gradient)

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, bias_init={self.bias_init}"
        )


class _Table(Cell):
    """The base of embedding tables: how often each row was asked for is the diagonal of A."""

    vocab_size: int
    embedding_size: int
    embedding_table: Parameter

    def _make_moments(self) -> None:
        self.thor = True
        self.matrix_a = _parameter_of_array(np.zeros(self.vocab_size), "matrix_a")
        self.matrix_g = _parameter_of_array(np.zeros((self.embedding_size, self.embedding_size)), "matrix_g")

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Keep G of the gradient of the output, and return the gradient."""
        rows = dout._data.reshape(-1, self.embedding_size)
        overwrite(self.matrix_g, _second_moments(rows, len(rows)))
        return dout

    def _look_up(self, ids: Tensor) -> Tensor:
        rows = lookup_with_zeros(self.embedding_table, ids)
        if not self.thor:
            return rows
        asked = ids._data.reshape(-1).long()
        inside = ((asked >= 0) & (asked < self.vocab_size)).float()
        counts = torch.zeros_like(self.matrix_a._data).index_add_(0, asked.clamp(0, self.vocab_size - 1), inside)
        overwrite(self.matrix_a, counts)
        return hook_backward(rows, self.save_gradient)


class EmbeddingThor(_Table):
    """Look up rows of a table by their numbers, and keep A and G; rows that it does not have are zero.

    Args:
        vocab_size: rows of `embedding_table`.
        embedding_size: length of a row.
        use_one_hot: look up by a product with one-hot rows, as the result is the same; nothing is kept then.
        embedding_table: fills the table.
        dtype: of the table.
        padding_idx: a row that starts as zeros.

    Inputs:
        ids: a Tensor of any shape; Int32.

    Outputs:
        A Tensor of shape (*ids.shape, embedding_size).

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.nn.EmbeddingThor (2.10).
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Init = "normal",
        dtype: Type = mstype.float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.vocab_size = instance(vocab_size, "vocab_size", op, int)
        self.embedding_size = instance(embedding_size, "embedding_size", op, int)
        self.use_one_hot = instance(use_one_hot, "use_one_hot", op, bool)
        self.dtype = dtype
        self.padding_idx = padding_idx
        self.embedding_table = make_parameter(embedding_table, (vocab_size, embedding_size), dtype, "embedding_table")
        if padding_idx is not None:
            if not 0 <= integer(padding_idx, "padding_idx", op) <= vocab_size:
                raise ValueError(
                    f"For '{op}', the 'padding_idx' must be in range of [0, {vocab_size}], but got {padding_idx}."
                )
            self.embedding_table._data[padding_idx] = 0
        self._make_moments()

    def construct(self, ids: Tensor) -> Tensor:
        return multiply_one_hot(self.embedding_table, ids) if self.use_one_hot else self._look_up(ids)

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookupThor(_Table):
    """Look up rows of a table by their numbers, and keep A and G; rows that it does not have are zero.

    Args:
        vocab_size: rows of `embedding_table`.
        embedding_size: length of a row.
        param_init: fills the table.
        target: "CPU" or "DEVICE"; the table is where the other parameters are.
        slice_mode: how several devices would share the table; one process has it whole.
        manual_shapes: for slice_mode "field_slice".
        max_norm: found rows are shrunk to at most this norm.
        sparse: whether MindSpore would return sparse gradients; they are dense here.
        vocab_cache_size: how many rows MindSpore would keep near.

    Inputs:
        indices: a Tensor of any shape; Int32.

    Outputs:
        A Tensor of shape (*indices.shape, embedding_size).

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.nn.EmbeddingLookupThor (2.10), which runs on Ascend.
    """

    BATCH_SLICE = EmbeddingLookup.BATCH_SLICE
    FIELD_SLICE = EmbeddingLookup.FIELD_SLICE
    TABLE_ROW_SLICE = EmbeddingLookup.TABLE_ROW_SLICE
    TABLE_COLUMN_SLICE = EmbeddingLookup.TABLE_COLUMN_SLICE

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Init = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: tuple | None = None,
        max_norm: float | None = None,
        sparse: bool = True,
        vocab_cache_size: int = 0,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.sparse = instance(sparse, "sparse", op, bool)
        self.vocab_size = positive_int(vocab_size, "vocab_size", op)
        self.embedding_size = positive_int(embedding_size, "embedding_size", op)
        self.target = one_of(target, "target", op, ("CPU", "DEVICE"))
        if not sparse and target == "CPU":
            raise ValueError(f"For '{op}', 'sparse' must be True where 'target' is 'CPU'.")
        modes = (self.BATCH_SLICE, self.FIELD_SLICE, self.TABLE_ROW_SLICE, self.TABLE_COLUMN_SLICE)
        self.slice_mode = one_of(slice_mode, "slice_mode", op, modes)
        if slice_mode == self.FIELD_SLICE and manual_shapes is None:
            raise ValueError(f"For '{op}', 'manual_shapes' must be given where 'slice_mode' is 'field_slice'.")
        if slice_mode != self.BATCH_SLICE:
            without_effect("mindspore.nn.EmbeddingLookup.slice_mode", slice_mode)
        if vocab_cache_size:
            without_effect("mindspore.nn.EmbeddingLookup.vocab_cache_size", vocab_cache_size)
        self.vocab_cache_size = vocab_cache_size
        self.max_norm = max_norm if max_norm is None else instance(max_norm, "max_norm", op, float)
        shape = (vocab_size, embedding_size)
        self.embedding_table = make_parameter(param_init, shape, mstype.float16, "embedding_table")
        self._make_moments()

    def construct(self, indices: Tensor) -> Tensor:
        rows = self._look_up(indices)
        if self.max_norm is None:
            return rows
        norms = rows._data.norm(dim=-1, keepdim=True)
        return wrap(rows._data * (self.max_norm / torch.clamp(norms, min=self.max_norm)))
