"""The parallel Transformer, which 2.10.0 does not have.

`run` fills the parameters by their names, calls a Cell and lists the parameters and the outputs; `step` does the same
and continues with one place; `grads` lists the gradients of the parameters.
"""

import zlib
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.parallel._transformer import (  # noqa: F401  used by the expressions
    CrossEntropyLoss,
    FixedSparseAttention,
)
from mindspore.parallel._transformer import layers as L
from mindspore.parallel._transformer import moe as M  # noqa: F401
from mindspore.parallel._transformer import op_parallel_config as C  # noqa: F401
from mindspore.parallel._transformer import transformer as T

from tests.oracle.case import Case

LAYER = "T.TransformerEncoderLayer(2, 8, 16, 2, 4{})"
INPUTS = "x(2, 4, 8), causal(2, 4)"
DECODER = "T.TransformerDecoderLayer(8, 16, 2, 2, 6, 4{})"
DECODED = "x(2, 4, 8), causal(2, 4), x(2, 6, 8), x(2, 4, 6) > 0"


def tensor(array: Any, kind: type = np.float32) -> Any:
    return ms.Tensor(array.astype(kind))


def draw(*shape: int) -> Any:
    return np.random.RandomState(sum(shape)).randn(*shape)


def filled(cell: Any) -> Any:
    for parameter in cell.get_parameters():
        if "past" not in parameter.name:
            state = np.random.RandomState(zlib.crc32(parameter.name.encode()) % 2**31)
            parameter.set_data(tensor(state.randn(*parameter.shape) * 0.5).astype(parameter.dtype))
    return cell.set_train(False)


def flat(value: Any) -> list:
    if isinstance(value, tuple | list):
        return [leaf for part in value for leaf in flat(part)]
    return [value]


def run(cell: Any, *inputs: Any) -> list:
    inputs = tuple(i.astype(ms.float32) if getattr(i, "dtype", None) == ms.bool_ else i for i in inputs)
    outputs = filled(cell)(*inputs)
    return [*(f"{p.name} {p.shape} {p.dtype} {p.requires_grad}" for p in cell.get_parameters()), *flat(outputs)]


def grads(cell: Any, *inputs: Any) -> list:
    inputs = tuple(i.astype(ms.float32) if getattr(i, "dtype", None) == ms.bool_ else i for i in inputs)
    weights = filled(cell).trainable_params()

    def total(*inputs: Any) -> Any:
        first = flat(cell(*inputs))[0].astype(ms.float32)
        return (first * tensor(draw(*first.shape))).sum()

    if not weights:
        return flat(ms.grad(total)(*inputs))
    return flat(ms.grad(total, None, ms.ParameterTuple(weights))(*inputs))


def step(cell: Any, batch: int, length: int, hidden: int) -> list:
    filled(cell).add_flags_recursive(is_first_iteration=True)
    mask = causal(batch, length)
    lengths = ms.Tensor(np.arange(1, batch + 1), ms.int32)
    found = flat(cell(tensor(draw(batch, length, hidden)), mask, ms.Tensor([True]), lengths))
    cell.add_flags_recursive(is_first_iteration=False)
    for shift in (1, 2):
        one = tensor(draw(batch, 1, hidden) * shift)
        found += flat(cell(one, tensor(np.ones((batch, 1, length))), ms.Tensor([True]), lengths))
    again = cell(tensor(draw(batch, 1, hidden)), tensor(np.ones((batch, 1, length))), ms.Tensor([False]), lengths)
    states = [parameter.value() for parameter in cell.get_parameters() if "past" in parameter.name]
    return [*found, *flat(again), *states]


def causal(batch: int, length: int) -> Any:
    return tensor(np.tril(np.ones((batch, length, length))))


def arranged(config: Any) -> list:
    net = T.Transformer(8, 2, 16, 4, 4, 3, 2, parallel_config=config)
    blocks = [*net.encoder.blocks, *net.decoder.blocks]
    return [[block.pipeline_stage, next(p.comm_fusion for p in block.trainable_params())] for block in blocks]


def validated(size: Any, dtype: Any = ms.float32) -> list:
    @L._args_type_validator_check(
        size=positive,
        dtype=L._valid_value_checks([ms.float32], "f"),
        kind=L._valid_type_checks([int], "f"),
    )
    def function(size: Any, dtype: Any, kind: int = 1) -> list:
        return [size, kind]

    return function(size, dtype=dtype)


def positive(value: Any, name: str) -> None:
    if not isinstance(value, int):
        raise TypeError(name)
    if value <= 0:
        raise ValueError(name)


class Loss(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.loss = CrossEntropyLoss()

    def construct(self, *inputs: Any) -> Any:
        return self.loss(*inputs)


def x(*shape: int) -> Any:
    return tensor(draw(*shape))


def half(*shape: int) -> Any:
    return tensor(draw(*shape), np.float16)


def ids(*shape: int) -> Any:
    return tensor(np.arange(np.prod(shape)).reshape(shape) % 3, np.int32)


def tokens(*shape: int) -> Any:
    return tensor(draw(*shape) > -0.5)


EXPRESSIONS = [
    "T.AttentionMask(4)(tokens(3, 4))",
    "T.AttentionMask(4)(tokens(3, 4).astype(ms.float16))",
    "run(T.VocabEmbedding(5, 3), ids(2, 4))",
    "run(T.VocabEmbedding(6, 3, T.EmbeddingOpParallelConfig(1, 2, False), 'ones'), ids(2, 4))",
    "run(L._LayerNorm((4,)), x(2, 4))",
    "run(L._LayerNorm((4,), 1e-2, ms.float16, True), x(2, 4).astype(ms.float16))",
    "run(L._Linear(3, 4), x(2, 5, 3))",
    "run(L._Linear(3, 4, has_bias=False, transpose_b=False, compute_dtype=ms.float32), x(2, 3))",
    "run(L._Linear(3, 4, activation='relu', param_init_type=ms.float16), x(2, 3))",
    "run(L._Linear(3, 4, activation=nn.Sigmoid), x(2, 3).astype(ms.float16))",
    "grads(L._Linear(3, 4, activation='gelu'), x(2, 3))",
    "L._Dropout(0.5)(x(2, 3))",
    *(f"run(T.FeedForward(4, 8, 0.1, '{act}'), x(2, 3, 4))" for act in ("gelu", "relu", "tanh", "hswish", "leakyrelu")),
    "run(T.FeedForward(4, 8, 0.1, param_init_type=ms.float16), x(6, 4))",
    "grads(T.FeedForward(4, 8, 0.1), x(6, 4))",
    "run(T.MultiHeadAttention(2, 4, 4, 8, 2), x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4))",
    "run(T.MultiHeadAttention(None, 4, 6, 8, 2), x(2, 4, 8), x(2, 6, 8), x(2, 6, 8), None)",
    "run(T.MultiHeadAttention(2, 4, 4, 8, 2), x(8, 8), x(8, 8), x(8, 8), causal(2, 4).expand_dims(1))",
    "run(T.MultiHeadAttention(2, 4, 4, 8, 4, 0.0, 0.0, ms.float32, ms.float16, ms.float16), "
    "x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4))",
    "grads(T.MultiHeadAttention(2, 4, 4, 8, 2), x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4))",
    f"run({LAYER.format('')}, {INPUTS})",
    f"run({LAYER.format('')}, x(8, 8), None)",
    f"run({LAYER.format(', post_layernorm_residual=True')}, {INPUTS})",
    f"run({LAYER.format(', layernorm_compute_type=ms.float16, softmax_compute_type=ms.float16')}, {INPUTS})",
    f"run({LAYER.format(', param_init_type=ms.float16, hidden_act=nn.ReLU')}, half(2, 4, 8), causal(2, 4))",
    f"grads({LAYER.format('')}, {INPUTS})",
    f"grads({LAYER.format(', post_layernorm_residual=True')}, {INPUTS})",
    f"step({LAYER.format(', use_past=True')}, 2, 4, 8)",
    "step(T.TransformerEncoder(2, 2, 8, 16, 4, 2, use_past=True), 2, 4, 8)",
    f"run({DECODER.format('')}, {DECODED})",
    f"run({DECODER.format('')}, x(2, 4, 8), causal(2, 4))",
    f"run({DECODER.format(', post_layernorm_residual=True')}, {DECODED})",
    f"grads({DECODER.format('')}, {DECODED})",
    f"run(T.TransformerEncoder(2, 2, 8, 16, 4, 2), {INPUTS})",
    "run(T.TransformerDecoder(2, 2, 8, 16, 6, 4, 2), x(2, 4, 8), causal(2, 4), x(2, 6, 8))",
    "run(T.Transformer(8, 2, 16, 6, 4, 2, 1), x(2, 6, 8), None, x(2, 4, 8), causal(2, 4), x(2, 4, 6) > 0)",
    "run(T.Transformer(8, 2, 16, 4, 4, 1, 0), x(2, 4, 8), causal(2, 4))",
    "arranged(T.TransformerOpParallelConfig(gradient_aggregation_group=2))",
    "arranged(T.TransformerOpParallelConfig(recompute=True))",
    "[str(config) for config in (C.OpParallelConfig(2), C.MoEParallelConfig(2, 1, 2))]",
    "[str(T.TransformerOpParallelConfig())]",
    "run(M.TopkRouter(8, M.MoEConfig(3), parallel_config=C.MoEParallelConfig()), x(7, 3))",
    "run(M.TopkRouter(8, M.MoEConfig(4, 1.0, 0.1, 2), parallel_config=C.MoEParallelConfig()), x(9, 4))",
    "run(M.TopkRouter(8, M.MoEConfig(4, 1.5, 0.1, 3), parallel_config=C.MoEParallelConfig(2)), x(2, 6, 4))",
    "run(M.Router(8, M.MoEConfig(3), parallel_config=C.MoEParallelConfig()), x(5, 8))",
    "[M.calculate_expert_capacity(*row) for row in ((1, 8, 1.1, 3), (2, 6, 1.0, 4), (1, 4, 1.0, 8))]",
    "CrossEntropyLoss()(x(4, 3) * 5, ids(4), tokens(4))",
    "grads(Loss(), x(4, 3).astype(ms.float16), ids(4), tokens(4))",
    "validated(3)",
    "validated(0)",
    "L._check_past_none_input_none(False, 'a', 'b', None, False, True)",
    # refused
    "T.FeedForward(8, 16, 0)",
    "T.FeedForward(8, 16, 1.0)",
    "T.FeedForward(True, 16, 0.1)",
    "T.FeedForward(0, 16, 0.1)",
    "T.FeedForward(8.0, 16, 0.1)",
    "T.FeedForward(8, 16, 0.1, None)",
    "T.FeedForward(8, 16, 0.1, 'nope')",
    "T.FeedForward(8, 16, 0.1, 3)",
    "T.FeedForward(8, 16, 0.1, param_init_type=ms.float64)",
    "T.FeedForward(8, 16, 0.1, parallel_config=3)",
    "T.FeedForward(8, 16, 0.1, parallel_config=C.OpParallelConfig(1, 3))",
    "T.FeedForward(8, 16, 0.1)(ids(2, 4, 8))",
    "T.FeedForward(8, 16, 0.1)(x(2, 4, 7))",
    "T.FeedForward(8, 16, 0.1)(3)",
    "T.AttentionMask(4)(tokens(2, 5))",
    "T.AttentionMask(4)(ids(2, 4))",
    "T.AttentionMask('4')",
    "T.AttentionMask(4, 3)",
    "T.VocabEmbedding(5, 3)(x(2, 2))",
    "T.VocabEmbedding(5, 3, C.OpParallelConfig())",
    "T.VocabEmbedding(5, 3, T.EmbeddingOpParallelConfig(1, 2, False))",
    "T.MultiHeadAttention(2, 4, 4, 8, 3)",
    "T.MultiHeadAttention(2, 4, 4, 8, 2, 1.0)",
    "T.MultiHeadAttention(2, 4, 4, 8, 2, 0.1, 1.5)",
    "T.MultiHeadAttention(-1, 4, 4, 8, 2)",
    "T.MultiHeadAttention('a', 4, 4, 8, 2)",
    "T.MultiHeadAttention(2, 4, 4, 8, 2, use_past=1)",
    "T.MultiHeadAttention(2, 4, 4, 8, 2)(x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4), x(2, 2))",
    "T.MultiHeadAttention(2, 4, 4, 8, 2)(x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), ids(2, 4, 4))",
    "T.MultiHeadAttention(2, 4, 4, 8, 2)(x(2, 5, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4))",
    "T.MultiHeadAttention(2, 4, 4, 8, 2, use_past=True)(x(2, 4, 8), x(2, 4, 8), x(2, 4, 8), causal(2, 4))",
    "T.TransformerEncoderLayer(None, 8, 16, 2, 4, use_past=True)",
    f"{LAYER.format(', use_past=True')}({INPUTS})",
    f"{LAYER.format('')}({INPUTS}, False)",
    f"{LAYER.format('')}({INPUTS}, True, ids(2))",
    f"{LAYER.format(', moe_config=3')}",
    f"{LAYER.format(', moe_config=M.MoEConfig(2)')}",
    f"{DECODER.format(', use_past=True')}",
    "T.TransformerEncoder(2, 2, 8, 16, 4, 2, parallel_config=C.OpParallelConfig())",
    "T.TransformerEncoder(None, 2, 8, 16, 4, 2)",
    "T.TransformerEncoder(2, 0, 8, 16, 4, 2)",
    "T.TransformerOpParallelConfig(recompute=3)",
    "T.TransformerOpParallelConfig(optimizer_shard=1)",
    "T.TransformerOpParallelConfig(gradient_aggregation_group=0)",
    "T.TransformerOpParallelConfig(data_parallel=0)",
    "T.TransformerRecomputeConfig(recompute=1)",
    "T.Transformer(8, 2, 16, 4, 4, 0)",
    "T.Transformer(8, 2, 16, 4, 4, 1, 1, use_past=True)",
    "M.MoEConfig(2, 0.5)",
    "M.MoEConfig(2, 1)",
    "M.MoEConfig(2, 1.0, 1.0)",
    "M.MoEConfig(2, num_experts_chosen=3)",
    "M.MoEConfig(2.0)",
    "FixedSparseAttention(2, 8, 64, 64, 512)",
    "FixedSparseAttention(2, 8, 32, 64)",
    "FixedSparseAttention(2, 8, 64, 64)(x(2, 8), x(2, 8), x(2, 8), x(2, 8))",
    "CrossEntropyLoss(3)",
    "CrossEntropyLoss()(x(2, 3), x(2), tokens(2))",
    "CrossEntropyLoss()(x(2, 3), 3, tokens(2))",
    "CrossEntropyLoss()(x(2, 2, 3), ids(4), tokens(4))",
    "L._LayerNorm((4,), param_init_type=ms.int32)",
    "L._Linear(3, 4, activation=nn.ReLU())",
    "L._Linear(3, 4, weight_init=x(3, 4))",
    "L._Linear(3, 4, bias_init=x(3))",
    "L._Linear(0, 4)",
    "L._Linear(3, 4, has_bias=1)",
    "L._Dropout(1.5)",
    "L._Dropout(1)",
    "validated('a')",
    "validated(3, ms.int32)",
    "L._check_input_dtype(ms.int32, 'a', [ms.float32], 'b')",
    "L._check_past_none_input_none(True, 'a', 'b', None, False, True)",
    "L._check_past_none_input_none(False, 'a', 'b', None, False, False)",
    "L._LayerInputCheck.check_shape_length((2, 3), 'a', 'b', 3)",
    "L._LayerInputCheck.check_shape_equal((2, 3), 'a', 'b', [2, 4])",
    "L._LayerInputCheck.check_shape_value_on_axis((2, 3), 1, 'a', 'b', 4)",
    "L._LayerInputCheck.check_shape_equal_without_batch((5, 3), 'a', 'b', [2, 3])",
]
# products in float16: 10 bits of mantissa, summed in another order
CASES = [Case(expression, may_raise=True, tolerance=5e-3) for expression in EXPRESSIONS]
