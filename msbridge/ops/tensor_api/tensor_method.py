"""Functions under whose names MindSpore reaches the methods of Tensor: each calls the method on its first argument.

A method may be called by torch's arguments or by MindSpore's older ones, which here are both the method's own.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation.functions import gelu
from msbridge.ops.elementwise.arithmetic.functions import add, div, sub
from msbridge.ops.faces import face
from msbridge.ops.shape.gather_and_select.functions import where
from msbridge.ops.shape.pixel_blocks.functions import pixel_shuffle

# Names that are `tensor_<method>` or `deprecated_tensor_<method>`, with the endings `_ext` and `_empty` left out.
_REGULAR = """
deprecated_tensor_acos deprecated_tensor_acosh deprecated_tensor_addbmm
deprecated_tensor_addcdiv deprecated_tensor_addmm deprecated_tensor_addmv deprecated_tensor_all
deprecated_tensor_argmax deprecated_tensor_argmin deprecated_tensor_argsort deprecated_tensor_asin
deprecated_tensor_asinh deprecated_tensor_atan deprecated_tensor_chunk deprecated_tensor_count_nonzero
deprecated_tensor_cumsum deprecated_tensor_diag deprecated_tensor_dot deprecated_tensor_expand_as
deprecated_tensor_flatten deprecated_tensor_fmod deprecated_tensor_gather deprecated_tensor_greater_equal
deprecated_tensor_index_add deprecated_tensor_index_select deprecated_tensor_inverse deprecated_tensor_isclose
deprecated_tensor_isneginf deprecated_tensor_logaddexp deprecated_tensor_logaddexp2 deprecated_tensor_logsumexp
deprecated_tensor_matmul deprecated_tensor_max deprecated_tensor_mean deprecated_tensor_median deprecated_tensor_min
deprecated_tensor_mm deprecated_tensor_mul deprecated_tensor_nansum deprecated_tensor_narrow deprecated_tensor_outer
deprecated_tensor_permute deprecated_tensor_pow deprecated_tensor_prod deprecated_tensor_remainder
deprecated_tensor_repeat_interleave deprecated_tensor_scatter deprecated_tensor_scatter_add deprecated_tensor_select
deprecated_tensor_sort deprecated_tensor_split deprecated_tensor_std  deprecated_tensor_sum
deprecated_tensor_t deprecated_tensor_take deprecated_tensor_tile deprecated_tensor_topk deprecated_tensor_transpose
deprecated_tensor_tril deprecated_tensor_type_as deprecated_tensor_unbind deprecated_tensor_unique
deprecated_tensor_unsqueeze deprecated_tensor_var deprecated_tensor_view_as
tensor_abs tensor_acos tensor_acosh tensor_add_ext tensor_addbmm tensor_addcdiv_ext tensor_addmm tensor_addmv
tensor_all tensor_allclose tensor_any tensor_arctan2 tensor_argmax tensor_argmin tensor_argsort tensor_asin
tensor_asinh tensor_atan tensor_atan2 tensor_atanh tensor_bernoulli_ tensor_bincount tensor_bitwise_not
tensor_broadcast_to tensor_ceil tensor_chunk tensor_clone tensor_copy_ tensor_cos tensor_cosh tensor_cumsum tensor_diag
tensor_div tensor_div_empty_ tensor_dot tensor_eq tensor_erf tensor_erfc tensor_exp tensor_exp_ tensor_expand_as
tensor_expm1 tensor_flatten tensor_floor tensor_frac tensor_gather_ext tensor_gcd tensor_greater
tensor_greater_equal tensor_hardshrink tensor_histc tensor_imag tensor_index_add tensor_index_copy_ tensor_index_fill_
tensor_index_select tensor_inverse tensor_isfinite tensor_isinf tensor_isneginf tensor_kthvalue tensor_le tensor_lerp
tensor_less tensor_log tensor_log10 tensor_log1p tensor_log2 tensor_log_ tensor_logaddexp2 tensor_logical_and
tensor_logical_not tensor_logical_or tensor_logical_xor tensor_masked_fill tensor_masked_scatter tensor_masked_select
tensor_matmul tensor_max tensor_maximum tensor_mean_ext tensor_median tensor_min tensor_minimum tensor_mm tensor_mul
tensor_nan_to_num tensor_ne tensor_neg tensor_new_empty tensor_new_full tensor_new_ones tensor_new_zeros
tensor_not_equal tensor_prod tensor_put_ tensor_real tensor_reciprocal tensor_remainder tensor_repeat
tensor_repeat_interleave_ext tensor_reshape tensor_roll tensor_round tensor_rsqrt tensor_scatter
tensor_scatter_add_empty tensor_select_ext tensor_sigmoid tensor_sigmoid_ tensor_sin tensor_sinc tensor_sinh
tensor_sort tensor_sqrt tensor_square tensor_squeeze tensor_std tensor_sub_empty_ tensor_sub_ext tensor_subtract
tensor_sum_ext tensor_t tensor_take tensor_tan tensor_tanh tensor_tile tensor_to tensor_topk tensor_transpose_ext
tensor_triu tensor_true_divide tensor_trunc tensor_unsqueeze tensor_var tensor_view_as tensor_xlogy
"""

_OTHERS = {
    "deprecated_baddbmm": "baddbmm",
    "deprecated_bitwise_and": "bitwise_and",
    "deprecated_bitwise_or": "bitwise_or",
    "deprecated_bitwise_xor": "bitwise_xor",
    "deprecated_tensor_mod": "remainder",
    "deprecated_tensor_sub_": "sub",
    "fmod_scalar": "fmod",
    "fmod_tensor": "fmod",
    "reduce_tensor_any": "any",
    "tensor_clamp_scalar": "clamp",
    "tensor_clamp_tensor": "clamp",
    "tensor_floor_div": "floor_divide",
    "tensor_floor_div_scalar": "floor_divide",
    "tensor_floor_divide_": "floor_divide",
    "tensor_inplace_fill_diagonal": "fill_diagonal_",
    "tensor_inplace_fill_scalar_empty": "fill_",
    "tensor_inplace_fill_tensor_empty": "fill_",
    "tensor_inplace_masked_fill_scalar_empty": "masked_fill_",
    "tensor_inplace_masked_fill_tensor_empty": "masked_fill_",
    "tensor_inplace_masked_scatter": "masked_scatter_",
    "tensor_inplace_mul": "mul",
    "tensor_inplace_scatter_src": "scatter_",
    "tensor_inplace_scatter_src_reduce": "scatter_",
    "tensor_inplace_scatter_value": "scatter_",
    "tensor_inplace_scatter_value_reduce": "scatter_",
    "tensor_inplace_sub": "sub",
    "tensor_lerp_scalar": "lerp",
    "tensor_maxdim": "max",
    "tensor_median_dim": "median",
    "tensor_mindim": "min",
    "tensor_pow_tensor_tensor": "pow",
    "tensor_remainder_": "remainder",
    "tensor_split_tensor": "split",
    "tensor_split_with_size": "split",
}


def methods() -> dict[str, str]:
    """Return the method that each of the functions calls."""
    return dict(_regular()) | _OTHERS


def _regular() -> Iterator[tuple[str, str]]:
    for name in _REGULAR.split():
        method = name.removeprefix("deprecated_").removeprefix("tensor_").removesuffix("_ext").replace("_empty", "")
        yield name, "new_empty" if name == "tensor_new_empty" else method


def _calling(name: str, method: str) -> Callable[..., Any]:
    def call(input: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(input, method)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Call `input.{method}`.\n\nFollows: mindspore.ops.tensor_method.{name} (2.10)."
    return call


def deprecated_tensor_where(input: Tensor, condition: Tensor, y: Any) -> Tensor:
    """Return the elements of `input` where the condition is true, those of `y` elsewhere.

    Follows: mindspore.ops.tensor_method.deprecated_tensor_where (2.10).
    """
    return where(condition, input, y)


deprecated_pixel_shuffle = face("deprecated_pixel_shuffle", pixel_shuffle, "input upscale_factor")


def tensor_div_deal_sequence(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Return `ops.div` of two operands, one of which may be a tuple or a list.

    Follows: mindspore.ops.tensor_method.tensor_div_deal_sequence (2.10).
    """
    return div(_tensor(input), _tensor(other), rounding_mode=rounding_mode)


def deprecated_tensor_add(input: Tensor, other: Any) -> Tensor:
    """Return the sum of a tensor and another operand, which may be a tuple or a list.

    Follows: mindspore.ops.tensor_method.deprecated_tensor_add (2.10).
    """
    return add(input, _tensor(other))


def deprecated_tensor_sub(input: Tensor, y: Any) -> Tensor:
    """Return the difference of a tensor and another operand, which may be a tuple or a list.

    Follows: mindspore.ops.tensor_method.deprecated_tensor_sub (2.10).
    """
    return sub(input, _tensor(y))


def _tensor(operand: Any) -> Any:
    return Tensor(operand) if isinstance(operand, tuple | list) else operand


def tensor_gelu(input: Tensor, *, approximate: str) -> Tensor:
    """Return `ops.gelu` of a tensor.

    Follows: mindspore.ops.tensor_method.tensor_gelu (2.10).
    """
    return gelu(input, approximate)


_OWN = (
    deprecated_pixel_shuffle,
    deprecated_tensor_add,
    deprecated_tensor_sub,
    deprecated_tensor_where,
    tensor_div_deal_sequence,
    tensor_gelu,
)
_FUNCTIONS = {name: _calling(name, method) for name, method in methods().items()}
globals().update(_FUNCTIONS)
__all__ = sorted([*_FUNCTIONS, *(one.__name__ for one in _OWN), "tensor_where"])
tensor_where = where
