"""Attention of the parallel Transformer, its causal mask, and the embedding of tokens.

Follows: mindspore.parallel._transformer.transformer (2.0), mindspore.nn.transformer (1.9).
"""

from math import sqrt
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.softmax import Softmax
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.nn.transformer.checks import (
    HALF_OR_SINGLE,
    _check_past_none_input_none,
    check_arguments,
    check_divisible,
    check_input,
    positive_or_none,
)
from msbridge.nn.transformer.layers import _Linear
from msbridge.nn.transformer.op_parallel_config import (
    EmbeddingOpParallelConfig,
    OpParallelConfig,
    _check_config,
    default_dpmp_config,
    default_embedding_parallel_config,
)
from msbridge.ops.operations import (
    Add,
    BatchMatMul,
    Equal,
    ExpandDims,
    Gather,
    Less,
    LessEqual,
    Mul,
    NotEqual,
    RealDiv,
    ReduceSum,
    Reshape,
    StridedSlice,
    Sub,
    Tile,
    Transpose,
)

__all__ = ["AttentionMask", "MultiHeadAttention", "VocabEmbedding"]

MASKED = -10000.0  # what is added to the scores of places that are not attended


class AttentionMask(Cell):
    """Mask the places that each place attends: those up to itself, where both are tokens.

    Args:
        seq_length: places of a sequence.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        input_mask: shape (batch, seq_length), float32 or float16; 0 where there is no token.

    Returns:
        A Tensor of shape (batch, seq_length, seq_length), float32, of ones and zeros.

    Raises:
        TypeError: an argument or the input is of another type.
        ValueError: `seq_length` is not positive, or not the input's length.

    Follows: mindspore.parallel._transformer.AttentionMask (2.0).
    """

    @check_arguments(OpParallelConfig)
    def __init__(self, seq_length: int, parallel_config: OpParallelConfig = default_dpmp_config) -> None:
        super().__init__()
        self.seq_length = seq_length
        self.lower_triangle_mask = Tensor(np.tril(np.ones((seq_length, seq_length))), mstype.float32)

    def construct(self, input_mask: Tensor) -> Tensor:
        check_input(input_mask, "input_mask", HALF_OR_SINGLE, self.cls_name)
        if input_mask.ndim != 2 or input_mask.shape[1] != self.seq_length:
            raise ValueError(
                f"For '{self.cls_name}', the shape of 'input_mask' must be (batch, {self.seq_length}), "
                f"but got {input_mask.shape}."
            )
        is_token = input_mask._data != 0
        return wrap((is_token[:, :, None] & is_token[:, None, :]) * self.lower_triangle_mask._data)


class VocabEmbedding(Cell):
    """Look up the vectors of tokens.

    Args:
        vocab_size: number of tokens.
        embedding_size: length of a vector.
        parallel_config: how the table is divided over several processes.
        param_init: fills `embedding_table`, shape (vocab_size, embedding_size).

    Inputs:
        input_ids: int32, any shape.

    Returns:
        The vectors, shape (…, embedding_size), and the table.

    Raises:
        TypeError: an argument or the input is of another type.
        ValueError: a size is not positive, or `vocab_size` does not suit the parts of the table.

    Follows: mindspore.parallel._transformer.VocabEmbedding (2.0).
    """

    @check_arguments(EmbeddingOpParallelConfig)
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        parallel_config: EmbeddingOpParallelConfig = default_embedding_parallel_config,
        param_init: Init = "normal",
    ) -> None:
        super().__init__()
        _check_config(parallel_config)
        self.vocab_size = vocab_size
        self.embedding_size = embedding_size
        if not parallel_config.vocab_emb_dp:
            check_divisible(self.cls_name, "model_parallel", parallel_config.model_parallel, vocab_size=vocab_size)
        self.embedding_table = make_parameter(
            param_init, (vocab_size, embedding_size), mstype.float32, "embedding_table"
        )
        self.embedding_table.parallel_optimizer = False
        rows, parts = parallel_config.data_parallel, parallel_config.model_parallel
        is_whole = parallel_config.vocab_emb_dp
        self.gather = Gather()
        if rows * parts > 1:
            self.gather.shard(((1, 1), (rows, 1)) if is_whole else ((parts, 1), (1, 1)))

    def construct(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        check_input(input_ids, "input_ids", (mstype.int32,), self.cls_name)
        return self.gather(self.embedding_table, input_ids, 0), wrap(self.embedding_table._data)


class MultiHeadAttention(Cell):
    """Attend in several heads, with a mask, and step by step where states of former steps are kept.

    Args:
        batch_size: sequences, for steps; None or 0 where it does not matter.
        src_seq_length: places of the query.
        tgt_seq_length: places of key and value.
        hidden_size: length of the last axis.
        num_heads: number of heads.
        hidden_dropout_rate: dropout of the output, while training.
        attention_dropout_rate: dropout of the attention, while training.
        compute_dtype: of the products, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters, float32 or float16.
        use_past: decode step by step: a first call with whole sequences while `is_first_iteration` is True, then
            one place a call, after `add_flags_recursive(is_first_iteration=False)`.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        query_tensor: shape (batch, src_seq_length, hidden_size) or (batch * src_seq_length, hidden_size), float32 or
            float16; (batch, 1, hidden_size) in a step.
        key_tensor: the same with tgt_seq_length.
        value_tensor: the same with tgt_seq_length.
        attention_mask: shape (batch, src_seq_length, tgt_seq_length), or with an axis of heads after the first; 1 where
            a place is attended and 0 where not. None attends everywhere.
        key_past: the keys of former steps, float16, shape (batch, num_heads, size_per_head, tgt_seq_length).
        value_past: the values of former steps, float16, shape (batch, num_heads, tgt_seq_length, size_per_head).
        batch_valid_length: int32, shape (batch,): the tokens of each sequence.

    Returns:
        The output, of the shape and dtype of the query, and a tuple of keys and values, for the next step.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another.

    Follows: mindspore.parallel._transformer.MultiHeadAttention (2.0).
    """

    # Operators for the `construct` of subclasses, which scripts take for given.
    add = Add()
    sub = sub1 = Sub()
    mul = mul1 = Mul()
    real_div = RealDiv()
    transpose = merger_head_transpose = Transpose()
    reshape = Reshape()
    expand_dims = ExpandDims()
    batch_matmul = BatchMatMul()
    equal, not_equal, less, tensor_le = Equal(), NotEqual(), Less(), LessEqual()
    reducesum = ReduceSum()
    slice = StridedSlice()
    tile = Tile()

    @check_arguments(OpParallelConfig, batch_size=positive_or_none)
    def __init__(
        self,
        batch_size: int | None,
        src_seq_length: int,
        tgt_seq_length: int,
        hidden_size: int,
        num_heads: int,
        hidden_dropout_rate: float = 0.1,
        attention_dropout_rate: float = 0.1,
        compute_dtype: Type = mstype.float16,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        use_past: bool = False,
        parallel_config: OpParallelConfig = default_dpmp_config,
    ) -> None:
        super().__init__()
        _check_config(parallel_config)
        check_divisible(self.cls_name, "num_heads", num_heads, hidden_size=hidden_size)
        check_divisible(self.cls_name, "model_parallel", parallel_config.model_parallel, num_heads=num_heads)
        self.batch_size = batch_size
        self.src_seq_length = src_seq_length
        self.tgt_seq_length = tgt_seq_length
        self.hidden_size = hidden_size
        self.n_head = num_heads
        self.size_per_head = hidden_size // num_heads
        self.scale_factor = sqrt(sqrt(self.size_per_head))
        self.dtype = compute_dtype
        self.softmax_dtype = softmax_compute_type
        self.use_past = use_past
        self.is_first_iteration = True
        self.projection = self._linear(compute_dtype, param_init_type, transpose_b=False)
        self.projection.bias.parallel_optimizer = False
        self.dropout = Dropout(p=hidden_dropout_rate)
        self.prob_dropout = Dropout(p=attention_dropout_rate)
        self.softmax = Softmax()
        self.dense1 = self._linear(compute_dtype, param_init_type)
        self.dense2 = self._linear(compute_dtype, param_init_type)
        self.dense3 = self._linear(compute_dtype, param_init_type)
        self.projection.divide(parallel_config, by_columns=False)
        for dense in (self.dense1, self.dense2, self.dense3):
            dense.divide(parallel_config, by_columns=True)

    def _linear(self, compute_dtype: Type, param_init_type: Type, transpose_b: bool = True) -> Any:
        return _Linear(
            self.hidden_size,
            self.hidden_size,
            transpose_b=transpose_b,
            compute_dtype=compute_dtype,
            param_init_type=param_init_type,
        )

    def construct(
        self,
        query_tensor: Tensor,
        key_tensor: Tensor,
        value_tensor: Tensor,
        attention_mask: Tensor | None,
        key_past: Tensor | None = None,
        value_past: Tensor | None = None,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        self._check_inputs(
            query_tensor, key_tensor, value_tensor, attention_mask, key_past, value_past, batch_valid_length
        )
        batch = self._get_batch_size_from_query(query_tensor)
        query = self._heads(self.dense1, query_tensor, batch, self.src_seq_length)
        key = self._heads(self.dense2, key_tensor, batch, self.tgt_seq_length).swapaxes(2, 3)
        value = self._heads(self.dense3, value_tensor, batch, self.tgt_seq_length)
        if attention_mask is not None and attention_mask.ndim == 3:
            attention_mask = attention_mask.expand_dims(1)
        present = key, value
        if self.use_past and self.is_first_iteration:
            places = torch.arange(self.src_seq_length, device=key._data.device)
            is_token = (places < batch_valid_length._data.reshape(-1, 1, 1)).to(key._data.dtype)  # type: ignore[union-attr]  # checked
            present = key * wrap(is_token.unsqueeze(2)), value * wrap(is_token.unsqueeze(3))
        elif self.use_past:
            states = (key._data, value._data, key_past._data, value_past._data)  # type: ignore[union-attr]  # checked
            key, value, attention_mask = self._step(*states)
            present = key, value
        output = self.dropout(self.projection(self._attn(query, key, value, attention_mask)))
        return output.reshape(query_tensor.shape).astype(query_tensor.dtype), present

    def _heads(self, dense: Cell, x: Tensor, batch: int, length: int) -> Tensor:
        """Return (batch, heads, places, size_per_head)."""
        x = dense(x.reshape((-1, x.shape[-1])).astype(self.dtype))
        length = self._get_seq_length_under_incremental(length)
        return x.reshape((batch, length, self.n_head, self.size_per_head)).swapaxes(1, 2)

    def _step(
        self, key: torch.Tensor, value: torch.Tensor, key_past: torch.Tensor, value_past: torch.Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Put this step's key and value behind those of former ones; a place whose key begins with 0 is free.

        Returns:
            Keys and values of all steps, and which places are attended.
        """
        places = torch.arange(self.src_seq_length, device=key.device)
        filled = (key_past[:, :1, :1, : self.src_seq_length] != 0).sum((1, 2, 3)).reshape(-1, 1, 1)
        here = (places == filled).to(key.dtype)
        key = key_past + key * here.unsqueeze(2)
        value = value_past + value * here.unsqueeze(3)
        filled = (key[:, :1, :1, : self.src_seq_length] != 0).sum((1, 2, 3)).reshape(-1, 1, 1)
        return wrap(key), wrap(value), wrap((places < filled).to(torch.int32).unsqueeze(2))

    def _get_batch_size_from_query(self, query: Tensor) -> int:
        if query.ndim == 2 and (self.is_first_iteration or not self.use_past):
            return query.shape[0] // self.src_seq_length
        return query.shape[0]

    def _get_seq_length_under_incremental(self, length: int) -> int:
        return 1 if self.use_past and not self.is_first_iteration else length

    def _check_inputs(
        self,
        query_tensor: Tensor,
        key_tensor: Tensor,
        value_tensor: Tensor,
        attention_mask: Tensor | None,
        key_past: Tensor | None = None,
        value_past: Tensor | None = None,
        batch_valid_length: Tensor | None = None,
    ) -> bool:
        names = ("query_tensor", "key_tensor", "value_tensor", "attention_mask")
        for name, x in zip(names, (query_tensor, key_tensor, value_tensor, attention_mask), strict=True):
            if x is not None:
                check_input(x, name, HALF_OR_SINGLE, self.cls_name)
        kept = {"key_past": key_past, "value_past": value_past, "batch_valid_length": batch_valid_length}
        for name, state in kept.items():
            is_tensor = isinstance(state, Tensor)
            _check_past_none_input_none(self.use_past, name, self.cls_name, None, is_tensor, state is None)
            if self.use_past:
                wanted = mstype.int32 if name == "batch_valid_length" else mstype.float16
                check_input(state, name, (wanted,), self.cls_name)
        return True

    def _merge_heads(self, x: Tensor) -> Tensor:
        """Return (batch * places, hidden_size)."""
        return x.swapaxes(1, 2).reshape((-1, self.hidden_size))

    def _softmax(self, attention_scores: Tensor) -> Tensor:
        return self.softmax(attention_scores)

    def _attn(self, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None) -> Tensor:
        """Return the attended values of the heads, merged, shape (batch * places, hidden_size)."""
        scores = self.batch_matmul(query / self.scale_factor, key / self.scale_factor)
        dtype = scores.dtype
        scores = scores.astype(self.softmax_dtype)
        if attention_mask is not None:
            scores = (1.0 - attention_mask.astype(scores.dtype)) * MASKED + scores
        attention = self.prob_dropout(self._softmax(scores).astype(dtype))
        return self._merge_heads(self.batch_matmul(attention, value))
