"""Rounding of operators that an Ascend computes in a narrower type: inputs and results are rounded here.

The matrix unit of the first Ascends takes float16 only and adds up in float32; some other operators have float16
kernels only. Rounding what goes in and what comes out, and computing in float32 between, is what the matrix unit does;
it holds for backward passes, too, as the operators are met below torch's autograd.

What a mode does to which operators is in the documentation of `mindspore.device_context.ascend.op_precision` (2.10),
and in CANN's of PRECISION_MODE (hiascend.com); which operators have float16 kernels only, in the documentation of
these operators.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core.torch_private import TorchDispatchMode, tree_map_only

# torch's operators (without "aten::") → MindSpore's, on the matrix unit.
MATRIX: Mapping[str, str] = {
    "_convolution": "Conv2D",
    "_scaled_dot_product_efficient_attention": "FlashAttention",
    "_scaled_dot_product_efficient_attention_backward": "FlashAttentionGrad",
    "_scaled_dot_product_flash_attention": "FlashAttention",
    "_scaled_dot_product_flash_attention_backward": "FlashAttentionGrad",
    "_scaled_dot_product_flash_attention_for_cpu": "FlashAttention",
    "_scaled_dot_product_flash_attention_for_cpu_backward": "FlashAttentionGrad",
    "addbmm": "BatchMatMul",
    "addmm": "MatMul",
    "addmv": "MatMul",
    "baddbmm": "BatchMatMul",
    "bmm": "BatchMatMul",
    "convolution": "Conv2D",
    "convolution_backward": "Conv2DBackprop",
    "dot": "MatMul",
    "linear": "MatMul",
    "linear_backward": "MatMul",
    "matmul": "MatMul",
    "mm": "MatMul",
    "mv": "MatMul",
}
# Those with kernels for float16 only.
HALF_ONLY: Mapping[str, str] = {
    "_thnn_fused_lstm_cell": "DynamicRNN",
    "adaptive_max_pool2d": "AdaptiveMaxPool2D",
    "argsort": "Sort",
    "lstm": "DynamicRNN",
    "mkldnn_rnn_layer": "DynamicRNN",
    "mkldnn_rnn_layer_backward": "DynamicRNNGrad",
    "sort": "Sort",
    "topk": "TopK",
}
NARROWED: Mapping[str, str] = {**MATRIX, **HALF_ONLY}


@dataclass(frozen=True, slots=True)
class Rule:
    """The effect of a precision mode on float32.

    Attributes:
        dtype: what is rounded to.
        operators: torch's names of the operators that it concerns; None for all that compute something.
        rounds_results: whether results are rounded, too.
    """

    dtype: torch.dtype
    operators: Mapping[str, str] | None
    rounds_results: bool = True


MODES: Mapping[str, Rule | None] = {
    "allow_fp32_to_bf16": Rule(torch.bfloat16, NARROWED),
    "allow_fp32_to_fp16": Rule(torch.float16, NARROWED),
    "allow_mix_precision": Rule(torch.float16, NARROWED),
    "allow_mix_precision_bf16": Rule(torch.bfloat16, NARROWED),
    "allow_mix_precision_fp16": Rule(torch.float16, NARROWED),
    "force_fp16": Rule(torch.float16, None),
    "force_fp32": Rule(torch.float16, MATRIX, rounds_results=False),  # float16 goes in, float32 comes out
    "must_keep_origin_dtype": None,  # what has no float32 kernel runs on the slow cores for general code
}


def name_of(operator: Any) -> str:
    """Return the name of one of torch's operators, as it stands in the tables."""
    return str(operator._schema.name).removeprefix("aten::")


class Rounding(TorchDispatchMode):
    """Within this block, operators compute float32 with the rounding of a narrower dtype.

    Args:
        rule: which operators, and which dtype.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # guarding against torch.compile would import it: 3 s

    def __init__(self, rule: Rule) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self._rule = rule
        dtype = rule.dtype

        def round_to_dtype(data: torch.Tensor) -> torch.Tensor:
            return data.to(dtype).to(torch.float32) if data.dtype is torch.float32 else data

        self._rounded: Callable[[torch.Tensor], torch.Tensor] = round_to_dtype

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = name_of(func)
        operators = self._rule.operators
        if not (_computes(func, name) if operators is None else name in operators):
            return func(*args, **kwargs)
        args, kwargs = tree_map_only(torch.Tensor, self._rounded, (args, kwargs))
        result = func(*args, **kwargs)
        if not self._rule.rounds_results:
            return result
        if name.startswith("_scaled_dot_product") and isinstance(result, tuple):  # the sums behind it stay float32
            return (self._rounded(result[0]), *result[1:])
        return tree_map_only(torch.Tensor, self._rounded, result)


def _computes(func: Any, name: str) -> bool:
    """Whether an operator makes new values, and has no state to keep: neither moves data, nor writes into it."""
    return not (
        func._schema.is_mutable
        or func.is_view
        or name in ("_to_copy", "clone", "detach", "lift_fresh")
        or "batch_norm" in name  # its running statistics are changed, though its schema does not say so
        or name.startswith(("_foreach", "_fused"))
    )
