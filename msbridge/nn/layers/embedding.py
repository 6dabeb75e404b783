"""Tables of vectors."""

from functools import cached_property
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance, integer, is_int, is_number, one_of, positive_int
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.distributed.groups.group import get_group_size
from msbridge.distributed.parallel import _is_in_auto_parallel_mode
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.ops import operations
from msbridge.ops.neural.embedding.functions import embedding
from msbridge.ops.neural.embedding.kernels import lookup_with_zeros, multiply_one_hot

__all__ = ["Embedding", "EmbeddingExt", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]


class Embedding(Cell):
    """Look up rows of a table by their numbers.

    Args:
        vocab_size: rows of `embedding_table`.
        embedding_size: length of a row.
        use_one_hot: whether rows that the table has not are zero instead of an error.
        embedding_table: fills the table.
        dtype: kept and printed; the table is Float32, or of the dtype of the Tensor that fills it.
        padding_idx: a row that starts as zeros.

    Inputs:
        ids: a Tensor of any shape; Int32 or Int64.

    Outputs:
        A Tensor of shape (*ids.shape, embedding_size) and the dtype of the table.

    Raises:
        RuntimeError: a row number is out of range (on call); -1 is the last row, as in MindSpore.
        TypeError: an argument is of another type; or the row numbers are not integers (on call).
        ValueError: an argument is out of range.

    Examples:
        >>> nn.Embedding(10, 3)(Tensor([[1, 2]], ms.int32)).shape
        (1, 2, 3)

    Follows: mindspore.nn.Embedding (2.10).
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
        integer(vocab_size, "vocab_size", op)
        integer(embedding_size, "embedding_size", op)
        self.use_one_hot = boolean(use_one_hot, "use_one_hot", op)
        self.vocab_size = positive_int(vocab_size, "vocab_size", op)
        self.embedding_size = positive_int(embedding_size, "embedding_size", op)
        self.dtype = dtype
        self.padding_idx = padding_idx
        shape = (vocab_size, embedding_size)
        self.embedding_table = make_parameter(embedding_table, shape, mstype.float32, "embedding_table")
        if padding_idx is not None:
            if not 0 <= integer(padding_idx, "padding_idx", op) < vocab_size:
                raise ValueError(
                    f"For '{op}', the 'padding_idx' must be in range of [0, {vocab_size}), but got {padding_idx}."
                )
            self.embedding_table._data[padding_idx] = 0

    def construct(self, ids: Tensor) -> Tensor:
        if self.use_one_hot:
            return multiply_one_hot(self.embedding_table, ids)
        try:
            return embedding(ids, self.embedding_table)
        except RuntimeError as error:
            if not isinstance(error.__cause__, IndexError) or bool((ids._data < -self.vocab_size).any()):
                raise
            return embedding(
                wrap(torch.where(ids._data < 0, ids._data + self.vocab_size, ids._data)), self.embedding_table
            )

    gather = cached_property(lambda self: operations.Gather())  # for strategies

    def _by_operators(self, ids: Tensor) -> Tensor:
        if self.use_one_hot:
            return multiply_one_hot(self.embedding_table, ids)
        rows = self.gather(self.embedding_table, ids.reshape(-1), 0)
        return rows.reshape(*ids.shape, self.embedding_size)  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    """Look up rows of a table by their numbers, in torch's argument names.

    Args:
        num_embeddings: rows of `weight`.
        embedding_dim: length of a row.
        padding_idx: a row that starts as zeros and is not trained; negative ones count from the end.
        max_norm: found rows are shrunk to at most this norm.
        norm_type: p of that norm.
        scale_grad_by_freq: whether a row's gradient is divided by how often it was looked up.
        sparse: only False.
        dtype: of `weight`; None for Float32.

    Inputs:
        input: a Tensor of any shape; Int32 or Int64.

    Outputs:
        A Tensor of shape (*input.shape, embedding_dim) and the dtype of `weight`.

    Follows: mindspore.mint.nn.Embedding (2.10).
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        op = self.cls_name
        if boolean(sparse, "sparse", op):
            raise ValueError(f"For '{op}', sparse must be False.")
        for name, number in (("num_embeddings", num_embeddings), ("embedding_dim", embedding_dim)):
            integer(number, name, op)
        if padding_idx is not None:
            _check_padding_index(padding_idx, num_embeddings, op)
        if max_norm is not None and (not is_number(max_norm)):
            raise TypeError(f"For '{op}', the 'max_norm' must be float, but got {type(max_norm).__name__}.")
        if _weight is not None and tuple(_weight.shape) != (num_embeddings, embedding_dim):
            raise ValueError(
                f"For '{op}', the shape of '_weight' must be {(num_embeddings, embedding_dim)}, got {_weight.shape}."
            )
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self._settings = (padding_idx, max_norm, norm_type, scale_grad_by_freq)
        self.dtype = kind = mstype.float32 if dtype is None else dtype
        shape = (num_embeddings, embedding_dim)
        values = wrap(torch.randn(shape, dtype=kind.torch, device=torch_device())) if _weight is None else _weight
        self.weight = Parameter(Tensor(values), name="weight", requires_grad=not _freeze)
        if padding_idx is not None and _weight is None:
            self.weight._data[padding_idx] = 0

    def construct(self, input: Tensor) -> Tensor:
        return embedding(input, self.weight, *self._settings)

    def extend_repr(self) -> str:
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, norm_type={self.norm_type}, "
            f"scale_grad_by_freq={self.scale_grad_by_freq}, dtype={self.dtype}"
        )


def _check_padding_index(index: int, count: int, op: str) -> None:
    if not is_int(index):
        raise TypeError(f"For '{op}', the 'padding_idx' must be 'int', but got {type(index).__name__}.")
    if not -count <= index < count:
        raise ValueError(f"For '{op}', the 'padding_idx' must be in range of [-{count}, {count}), but got {index}.")


class EmbeddingLookup(Cell):
    """Look up rows of a table by their numbers; rows that it does not have are zero.

    Args:
        vocab_size: rows of `embedding_table`.
        embedding_size: length of a row.
        param_init: fills the table.
        target: "CPU" or "DEVICE"; the table is where the other parameters are.
        slice_mode: how processes share the table, by rows or columns, in an automatic parallel mode.
        manual_shapes: for slice_mode "field_slice".
        max_norm: found rows are shrunk to at most this norm.
        sparse: whether MindSpore would return sparse gradients; they are dense here.
        dtype: of the table.
        vocab_cache_size: how many rows MindSpore would keep near; without effect.

    Inputs:
        indices: a Tensor of any shape; Int32 or Int64.

    Outputs:
        A Tensor of shape (*indices.shape, embedding_size) and the dtype of the table.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.nn.EmbeddingLookup (2.10).
    """

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

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
        dtype: Type = mstype.float32,
        *,
        vocab_cache_size: int = 0,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.vocab_size = positive_int(vocab_size, "vocab_size", op)
        self.embedding_size = positive_int(embedding_size, "embedding_size", op)
        self.target = one_of(target, "target", op, ("CPU", "DEVICE"))
        self.sparse = boolean(sparse, "sparse", op)
        self.slice_mode = one_of(
            slice_mode, "slice_mode", op, ("batch_slice", "field_slice", "table_row_slice", "table_column_slice")
        )
        if vocab_cache_size:
            without_effect("mindspore.nn.EmbeddingLookup.vocab_cache_size", vocab_cache_size)
        self.manual_shapes = manual_shapes
        self.vocab_cache_size = vocab_cache_size
        self.max_norm = max_norm if max_norm is None else instance(max_norm, "max_norm", op, float)
        self.embedding_table = make_parameter(param_init, (vocab_size, embedding_size), dtype, "embedding_table")
        parts = get_group_size() if _is_in_auto_parallel_mode() else 1
        if parts > 1 and slice_mode in (self.TABLE_ROW_SLICE, self.TABLE_COLUMN_SLICE):
            self.embeddinglookup.shard(((parts, 1) if slice_mode == self.TABLE_ROW_SLICE else (1, parts), (1, 1)))
        elif slice_mode != self.BATCH_SLICE:
            without_effect("mindspore.nn.EmbeddingLookup.slice_mode", slice_mode)

    embeddinglookup = cached_property(lambda self: operations.EmbeddingLookup())  # for strategies

    def _by_operators(self, indices: Tensor) -> Tensor:
        return self._shrunk(self.embeddinglookup(self.embedding_table, indices, 0))

    def construct(self, indices: Tensor) -> Tensor:
        return self._shrunk(lookup_with_zeros(self.embedding_table, indices))

    def _shrunk(self, rows: Tensor) -> Tensor:
        if self.max_norm is None:
            return rows
        norms = rows._data.norm(dim=-1, keepdim=True)
        return wrap(rows._data * (self.max_norm / torch.clamp(norms, min=self.max_norm)))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Compute one vector for each field: the "SUM", "MEAN" or "MAX" of its rows, weighted by their values.

    Args:
        vocab_size: rows of `embedding_table`.
        embedding_size: length of a row.
        field_size: how many fields there are.
        param_init: fills the table.
        target: "CPU" or "DEVICE".
        slice_mode: how several devices would share the table.
        feature_num_list: for slice_mode "field_slice".
        max_norm: found rows are shrunk to at most this norm.
        sparse: whether MindSpore would return sparse gradients.
        operator: "SUM", "MEAN" or "MAX".
        dtype: of the table.

    Inputs:
        input_indices: which rows, shape (N, k); Int32 or Int64.
        input_values: their weights, of the same shape; Float32.
        field_ids: the field of each, of the same shape; Int32.

    Outputs:
        A Float32 Tensor of shape (N, field_size, embedding_size).

    Follows: mindspore.nn.MultiFieldEmbeddingLookup (2.10).
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Init = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (param_init, target, slice_mode, feature_num_list, max_norm, sparse)
        super().__init__(vocab_size, embedding_size, *settings, dtype=dtype)
        self.field_size = positive_int(field_size, "field_size", self.cls_name)
        self.operator = one_of(operator, "operator", self.cls_name, ("SUM", "MEAN", "MAX"))

    def construct(self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor) -> Tensor:
        """Look up `input_indices` (N, k), scale by `input_values` (N, k), and gather by `field_ids` (N, k)."""
        rows = super().construct(input_indices)._data
        try:
            scaled = rows * input_values._data.to(rows.dtype).unsqueeze(-1)
            fields = field_ids._data.long().unsqueeze(-1).expand_as(scaled)
            kind = {"SUM": "sum", "MEAN": "mean", "MAX": "amax"}[self.operator]
            start = scaled.new_zeros(scaled.shape[0], self.field_size, scaled.shape[2])
            return wrap(start.scatter_reduce(1, fields, scaled, kind, include_self=False))
        except Exception as error:
            raise explain(error, self.cls_name, input_values=input_values, field_ids=field_ids) from error
