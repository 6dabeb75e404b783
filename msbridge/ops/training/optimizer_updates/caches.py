"""Operators of embedding caches: what keeps a part of a table of rows near."""

import torch

from msbridge.core.context.grad_state import in_place
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap


def sub_and_filter(input_x: Tensor, max_num: int, offset: int) -> tuple[Tensor, Tensor]:
    """Return the elements of `input_x - offset` that lie in [0, max_num), and where they were.

    Args:
        input_x: shape (n,); Int32 or Int64.
        max_num: the end, exclusive.
        offset: what is subtracted.

    Returns:
        (elements, places), of one axis and the dtype of `input_x`.

    Follows: mindspore.ops.SubAndFilter (2.10).
    """
    try:
        moved = input_x._data - offset
        at = torch.nonzero((moved >= 0) & (moved < max_num)).reshape(-1)
        return wrap(moved[at]), wrap(at.to(moved.dtype))
    except Exception as error:
        raise explain(error, "SubAndFilter", input_x=input_x) from error


def update_cache(input_x: Tensor, indices: Tensor, update: Tensor, max_num: int) -> Tensor:
    """Write rows of `update` into `input_x` in place where 0 ≤ index < max_num; returns a zero of shape (1,).

    Follows: mindspore.ops.operations._embedding_cache_ops.UpdateCache (2.10).
    """
    try:
        data, at = writable(input_x), indices._data.reshape(-1).long()
        rows = update._data.reshape(len(at), *data.shape[1:]).to(data.dtype)
        is_in = (at >= 0) & (at < max_num)
        with in_place():
            data[at[is_in]] = rows[is_in]
        return wrap(data.new_zeros(1))
    except Exception as error:
        raise explain(error, "UpdateCache", input_x=input_x, indices=indices, update=update) from error


def cache_swap_table(cache_table: Tensor, swap_cache_idx: Tensor, miss_value: Tensor) -> Tensor:
    """Write rows of `miss_value` into the table in place, and return those that were there; an index of -1 is skipped.

    Where one is skipped, zeros are returned.

    Follows: mindspore.ops.operations._embedding_cache_ops.CacheSwapTable (2.10), a kernel of the Ascend.
    """
    try:
        data, at = writable(cache_table), swap_cache_idx._data.long()
        is_in = at >= 0
        old = torch.where(is_in[:, None], data[at.clamp(min=0)], 0)
        with in_place():
            data[at[is_in]] = miss_value._data[is_in].to(data.dtype)
        return wrap(old)
    except Exception as error:
        raise explain(error, "CacheSwapTable", cache_table=cache_table, swap_cache_idx=swap_cache_idx) from error
