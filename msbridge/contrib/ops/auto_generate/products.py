"""Products of matrices in groups, and of quantised ones.

MindSpore computes these on an Ascend only; they follow its documentation and are tested against numpy.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float16, int8, torch_of
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.training.llm_attention.kernels import factor

Group = Tensor | tuple[int, ...] | list[int] | None
Tensors = Sequence[Tensor] | None


def grouped_matmul(
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Tensors = None,
    scale: Tensors = None,
    offset: None = None,
    antiquant_scale: Tensors = None,
    antiquant_offset: Tensors = None,
    group_list: Group = None,
    split_item: int = 0,
    group_type: int = -1,
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> tuple[Tensor, ...]:
    """Multiply matrices in groups.

    Args:
        x: tensors of shape (…, m, k), or a single one whose rows are grouped.
        weight: as many, (k, n), or a single one, (groups, k, n).
        bias: of each, (n,) or (groups, n).
        scale: None, as in MindSpore.
        offset: None, as in MindSpore.
        antiquant_scale: factors of Int8 weights, (n,) or (groups, n).
        antiquant_offset: what is added to Int8 weights before.
        group_list: for a single tensor, where the rows of each group end.
        split_item: 0 for several tensors, 3 for a single one.
        group_type: -1 for several tensors, 0 for a single one.
        transpose_a: whether `x` is transposed before.
        transpose_b: whether `weight` is.

    Returns:
        The products, one for each tensor of `x`.

    Raises:
        TypeError: `split_item` and `group_type` do not go together, or `group_list` is missing.

    Follows: mindspore.ops.auto_generate.grouped_matmul (2.10).
    """
    one_of(scale, "scale", "grouped_matmul", (None,))
    options = (antiquant_scale, antiquant_offset, None, None, group_list, offset, split_item, group_type)
    return _multiply_groups("grouped_matmul", x, weight, bias, *options, is_turned=(transpose_a, transpose_b))


def grouped_matmul_v2(
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Tensors = None,
    scale: Tensors = None,
    offset: None = None,
    antiquant_scale: Tensors = None,
    antiquant_offset: Tensors = None,
    group_list: Group = None,
    split_item: int = 0,
    group_type: int = -1,
) -> tuple[Tensor, ...]:
    """Multiply matrices in groups, as `grouped_matmul`.

    Follows: mindspore.ops.auto_generate.grouped_matmul_v2 (2.10).
    """
    return grouped_matmul(
        *(x, weight, bias, scale, offset, antiquant_scale, antiquant_offset, group_list, split_item, group_type)
    )


def grouped_matmul_v4(
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Tensors = None,
    scale: Tensors = None,
    offset: None = None,
    antiquant_scale: Tensors = None,
    antiquant_offset: Tensors = None,
    pre_token_scale: Tensors = None,
    group_list: Group = None,
    activation_input: None = None,
    activation_quant_scale: None = None,
    activation_quant_offset: None = None,
    split_item: int = 0,
    group_type: int = -1,
    group_list_type: int = 0,
    act_type: int = 0,
    output_dtype: Type | None = None,
) -> tuple[Tensor, ...]:
    """Multiply matrices in groups, as `grouped_matmul`, or Int8 matrices with a factor for every row and column.

    Args:
        x: see `grouped_matmul`; Int8 with `scale` and `pre_token_scale`.
        weight: see `grouped_matmul`.
        bias: see `grouped_matmul`.
        scale: factors of the columns, (n,) or (groups, n).
        offset: None, as in MindSpore.
        antiquant_scale: see `grouped_matmul`.
        antiquant_offset: see `grouped_matmul`.
        pre_token_scale: factors of the rows, (m,).
        group_list: see `grouped_matmul`.
        activation_input: None, as in MindSpore.
        activation_quant_scale: None, as in MindSpore.
        activation_quant_offset: None, as in MindSpore.
        split_item: see `grouped_matmul`.
        group_type: see `grouped_matmul`.
        group_list_type: 0, the list says where groups end; 1, how long they are.
        act_type: 0, as in MindSpore.
        output_dtype: of Int8 matrices; None for that of `scale`.

    Follows: mindspore.ops.auto_generate.grouped_matmul_v4 (2.10).
    """
    op = "grouped_matmul_v4"
    unused = {"activation_input": activation_input, "activation_quant_scale": activation_quant_scale}
    for name, given in (unused | {"activation_quant_offset": activation_quant_offset}).items():
        one_of(given, name, op, (None,))
    one_of(act_type, "act_type", op, (0,))
    one_of(group_list_type, "group_list_type", op, (0, 1))
    options = (antiquant_scale, antiquant_offset, scale, pre_token_scale, group_list, offset, split_item, group_type)
    return _multiply_groups(
        op, x, weight, bias, *options, is_lengths=group_list_type == 1, dtype=torch_of(output_dtype)
    )


def _multiply_groups(
    op: str,
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Tensors,
    weight_scale: Tensors,
    weight_offset: Tensors,
    scale: Tensors,
    row_scale: Tensors,
    group_list: Group,
    offset: None,
    split_item: int,
    group_type: int,
    is_lengths: bool = False,
    is_turned: tuple[bool, bool] = (False, False),
    dtype: torch.dtype | None = None,
) -> tuple[Tensor, ...]:
    one_of(offset, "offset", op, (None,))
    if (split_item, group_type) not in ((0, -1), (3, 0)):
        raise TypeError(
            f"For '{op}', split_item and group_type must be (0, -1) or (3, 0), got {(split_item, group_type)}."
        )
    if split_item == 3 and group_list is None:
        raise TypeError(f"For '{op}', split_item 3 needs group_list.")
    try:
        lists = [_datas(one, len(x)) for one in (bias, weight_scale, weight_offset, scale, row_scale)]
        rows: list[tuple[Any, ...]] = list(zip(_datas(x, len(x)), _datas(weight, len(x)), *lists, strict=True))
        if split_item == 0:
            return tuple(wrap(_product(row, is_turned, dtype)) for row in rows)
        data, weights, *others, row_scales = rows[0]
        starts = _starts(group_list, is_lengths)
        parts = []
        for place, (first, last) in enumerate(itertools.pairwise(starts)):
            own = (None if one is None else one[place] for one in others)
            scales = None if row_scales is None else row_scales[first:last]
            parts.append(_product((data[first:last], weights[place], *own, scales), is_turned, dtype))
        found = torch.cat(parts)
        return (wrap(torch.cat((found, found.new_zeros(len(data) - len(found), found.shape[1])))),)
    except Exception as error:
        raise explain(error, op, x=x, weight=weight) from error


def _datas(tensors: Tensors, count: int) -> list[torch.Tensor | None]:
    return [None] * count if not tensors else [one._data for one in tensors]


def _starts(group_list: Group, is_lengths: bool) -> list[int]:
    """Return the first row of each group, and the end of the last one."""
    data = group_list._data if isinstance(group_list, Tensor) else torch.tensor(list(group_list or ()))
    return [0, *(data.cumsum(0) if is_lengths else data).tolist()]


def _product(given: tuple[Any, ...], is_turned: tuple[bool, bool], dtype: torch.dtype | None) -> torch.Tensor:
    """Return one product; `given` holds both matrices, bias, scale and offset of the weight, scales of both sides."""
    data, weight, bias, weight_scale, weight_offset, scale, row_scale = given
    data, weight = (data.mT if is_turned[0] else data), (weight.mT if is_turned[1] else weight)
    if weight_scale is not None:
        weight = weight.to(data.dtype)
        weight = (weight if weight_offset is None else weight + weight_offset) * weight_scale
    if scale is None:
        product = data @ weight
        return product if bias is None else (product + bias).to(product.dtype)
    product = data.float() @ weight.float()
    product = (product if bias is None else product + bias) * factor(scale)
    product = product if row_scale is None else product * row_scale[:, None]
    return product.to(dtype or (scale.dtype if scale.is_floating_point() else torch.float16))


def gmm(
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Tensors = None,
    group_list: Group = None,
    group_type: int = 0,
    group_list_type: int = 0,
) -> tuple[Tensor, ...]:
    """Multiply matrices in groups of rows, or in groups of what is summed over.

    Args:
        x: a single tensor, (m, k).
        weight: a single tensor, (groups, k, n) for group type 0, (k, n) for 2.
        bias: a single tensor, (groups, n).
        group_list: where groups end, or how long they are.
        group_type: 0 groups the rows of `x`, 2 groups k.
        group_list_type: 0, the list says where groups end; 1, how long they are.

    Returns:
        One tensor, (m, n) for group type 0, (groups, m, n) for 2.

    Raises:
        ValueError: another type.

    Follows: mindspore.ops.auto_generate.Gmm (2.10).
    """
    one_of(group_type, "group_type", "gmm", (0, 2))
    one_of(group_list_type, "group_list_type", "gmm", (0, 1))
    if group_type == 0:
        none = (None,) * 4
        return _multiply_groups("gmm", x, weight, bias, *none, group_list, None, 3, 0, is_lengths=group_list_type == 1)
    starts = _starts(group_list, group_list_type == 1)

    def run(data: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        pairs = itertools.pairwise(starts)
        return torch.stack([data[:, first:last] @ other[first:last] for first, last in pairs])

    return (call_kernel(run, "Gmm", x[0], weight[0]),)


def grouped_matmul_add(x: Tensor, weight: Tensor, group_list: Tensor, out: Tensor) -> Tensor:
    """Add xᵀ·weight of each group of rows to its part of `out`, in place.

    Args:
        x: (m, k).
        weight: (m, n).
        group_list: where groups of rows end.
        out: (groups, k, n) or (groups · k, n).

    Follows: mindspore.ops.auto_generate.grouped_matmul_add_ (2.10).
    """
    starts = _starts(group_list, False)

    def run(data: torch.Tensor, other: torch.Tensor, total: torch.Tensor) -> torch.Tensor:
        pairs = itertools.pairwise(starts)
        parts = torch.stack([data[first:last].mT.float() @ other[first:last].float() for first, last in pairs])
        return total.add_(parts.reshape(total.shape))

    return call_kernel(run, "InplaceGroupedMatmulAdd", x, weight, out)  # type: ignore[no-any-return]


def matmul_add(x: Tensor, weight: Tensor, C: Tensor) -> Tensor:
    """Add xᵀ·weight to `C`, in place.

    Follows: mindspore.ops.auto_generate.matmul_add_ (2.10).
    """
    return call_kernel(  # type: ignore[no-any-return]
        lambda data, other, total: total.add_(data.mT.float() @ other.float()), "InplaceMatmulAdd", x, weight, C
    )


def quant_v2(
    x: Tensor,
    scale: Tensor,
    offset: Tensor,
    sqrt_mode: bool = False,
    rounding_mode: str = "ROUND",
    dst_type: Type = int8,
) -> Tensor:
    """Return x · scale + offset in Int8, rounded; with `sqrt_mode` the factor counts twice.

    Raises:
        ValueError: another rounding or dtype.

    Follows: mindspore.ops.auto_generate.QuantV2 (2.10).
    """
    one_of(rounding_mode.upper(), "rounding_mode", "QuantV2", ("ROUND",))
    one_of(dst_type, "dst_type", "QuantV2", (int8,))

    def run(data: torch.Tensor, factors: torch.Tensor, added: torch.Tensor) -> torch.Tensor:
        factors = factors.float().square() if sqrt_mode else factors.float()
        return (data.float() * factors + added.float()).round().clamp(-128, 127).to(torch.int8)

    return call_kernel(run, "QuantV2", x, scale, offset)  # type: ignore[no-any-return]


def dynamic_quant(x: Tensor, smooth_scales: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return each row in Int8 and its factor, Float32: its largest magnitude becomes 127.

    `smooth_scales`, of the length of a row, is multiplied before.

    Follows: mindspore.ops.auto_generate.DynamicQuantExt (2.10).
    """

    def run(data: torch.Tensor, smooth: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        numbers = data.float() if smooth is None else data.float() * smooth.float()
        scale = numbers.abs().amax(-1) / 127
        whole = numbers / torch.where(scale == 0, 1, scale)[..., None]
        return whole.round().to(torch.int8), scale

    return call_kernel(run, "DynamicQuantExt", x, smooth_scales)  # type: ignore[no-any-return]


def quant_batch_matmul(
    x1: Tensor,
    x2: Tensor,
    scale: Tensor,
    offset: Tensor | None = None,
    bias: Tensor | None = None,
    pertokenScaleOptional: Tensor | None = None,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Type = float16,
) -> Tensor:
    """Multiply Int8 matrices, and scale the product.

    Args:
        x1: Int8, (…, m, k).
        x2: Int8, (…, k, n).
        scale: one factor or n; in 64 bits the bits of a Float32.
        offset: what is added last, for an Int8 result.
        bias: Int32, (n,), what is added first.
        pertokenScaleOptional: factors of the rows, (m,).
        transpose_x1: whether `x1` is transposed before.
        transpose_x2: whether `x2` is.
        dtype: of the result: Float16, BFloat16, or Int8, rounded.

    Follows: mindspore.ops.auto_generate.quant_batch_matmul (2.10).
    """

    def run(left, right, factors, added, shift, rows):  # type: ignore[no-untyped-def]
        left, right = (left.mT if transpose_x1 else left), (right.mT if transpose_x2 else right)
        product = left.double() @ right.double()  # exact: the sums of an Ascend are Int32
        product = (product if shift is None else product + shift) * factor(factors)
        product = product if rows is None else product * rows[:, None]
        product = product if added is None else product + added
        kind = torch_of(dtype)
        return product.round().clamp(-128, 127).to(kind) if kind == torch.int8 else product.to(kind)

    given = (x1, x2, scale, offset, bias, pertokenScaleOptional)
    return call_kernel(run, "QuantBatchMatmul", *given)  # type: ignore[no-any-return]


def weight_quant_batch_matmul(
    x: Tensor,
    weight: Tensor,
    antiquant_scale: Tensor,
    antiquant_offset: Tensor | None = None,
    quant_scale: Tensor | None = None,
    quant_offset: Tensor | None = None,
    bias: Tensor | None = None,
    transpose_x: bool = False,
    transpose_weight: bool = False,
    antiquant_group_size: int = 0,
) -> Tensor:
    """Multiply a matrix by Int8 weights that become (weight + offset) · scale.

    Args:
        x: Float16 or BFloat16, (…, m, k).
        weight: Int8, (k, n).
        antiquant_scale: one factor, n, or (k / group size, n).
        antiquant_offset: likewise.
        quant_scale: the result is rounded to Int8, times this.
        quant_offset: plus this.
        bias: (n,).
        transpose_x: whether `x` is transposed before.
        transpose_weight: whether `weight`, with its factors, is.
        antiquant_group_size: so many rows of the weight share their factors; 0 for all.

    Follows: mindspore.ops.auto_generate.weight_quant_batch_matmul (2.10).
    """

    def spread(factors: torch.Tensor) -> torch.Tensor:
        factors = factors.float()
        factors = factors.mT if transpose_weight and factors.dim() == 2 else factors
        return factors.repeat_interleave(antiquant_group_size, -2) if antiquant_group_size else factors

    def run(data, weights, scale, offset, out_scale, out_offset, shift):  # type: ignore[no-untyped-def]
        left, right = (data.mT if transpose_x else data), (weights.mT if transpose_weight else weights).float()
        right = (right if offset is None else right + spread(offset)) * spread(scale)
        product = left.float() @ right
        product = product if shift is None else product + shift
        if out_scale is None:
            return product.to(data.dtype)
        product = product * factor(out_scale)
        return (product if out_offset is None else product + out_offset).round().clamp(-128, 127).to(torch.int8)

    given = (x, weight, antiquant_scale, antiquant_offset, quant_scale, quant_offset, bias)
    return call_kernel(run, "WeightQuantBatchMatmul", *given)  # type: ignore[no-any-return]
