"""Computations that the faces of attention share."""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls import half_precision
from msbridge.ops.neural.convolution.functions import dense
from msbridge.ops.neural.dropout.kernels import drop_elements

FAR = 2147483647


Ends = Tensor | tuple[int, ...] | list[int] | None


_LAYOUTS = ("BSH", "BNSD", "SBH", "BSND", "TND")


def attend_in_parts(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None,
    drop_mask: Tensor | None,
    padding_mask: None,
    attn_mask: Tensor | None,
    prefix: Ends,
    actual_seq_qlen: Ends,
    actual_seq_kvlen: Ends,
    keep_prob: float,
    scalar_value: float,
    window: tuple[int, int, int],
    input_layout: str,
    is_shift_scaled: bool = False,
    op: str = "flash_attention_score",
) -> tuple[Tensor, Tensor, Tensor]:
    """Return each query's largest score, sum of exp(score - largest), and the result of `flash_attention_score`.

    The first two are Float32 of shape (B, N, S), or (T, N) for "TND". `window` holds pre_tokens, next_tokens and
    sparse_mode; `is_shift_scaled` says that the shift is added before the scores are scaled.
    """
    sparse_mode = window[2]
    if padding_mask is not None or sparse_mode not in range(6):
        raise NotImplementedError(
            f"For '{op}', padding_mask and sparse modes above 5 are not built; "
            f"got sparse_mode {sparse_mode!r}. Pass what they say as the mask."
        )
    if input_layout not in _LAYOUTS:
        raise ValueError(f"For '{op}', input_layout must be one of {_LAYOUTS}, got {input_layout!r}.")
    tensors = (_inside(real_shift), _inside(drop_mask), _inside(attn_mask))
    options = (*tensors, keep_prob, scalar_value, window, None if prefix is None else _numbers(prefix), is_shift_scaled)
    try:
        if input_layout == "TND":
            ends = zip(_ends(actual_seq_qlen, query), _ends(actual_seq_kvlen, key), strict=True)
            largest, total, result = _each_sequence(query._data, key._data, value._data, list(ends), options)
            return wrap(largest), wrap(total), wrap(result)
        q, k, v = (_heads(tensor._data, input_layout, head_num, query.shape[-1]) for tensor in (query, key, value))
        largest, total, result = _attend(q, k, v, *options)
        return wrap(largest), wrap(total), wrap(_to_layout(result, input_layout))
    except Exception as error:
        raise explain(error, op, query=query, key=key, value=value) from error


def linear(x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    """Return x·wᵀ + b.

    Follows: mindspore.ops.function.nn_func.linear (2.10).
    """
    return dense(x, w, b)


def eightfold(part: Tensor) -> Tensor:
    """Return each value eight times, along a new last axis, as an Ascend stores them."""
    return wrap(part._data[..., None].expand(*part.shape, 8))


def alibi(
    slopes: torch.Tensor, lengths: tuple[int, int], starts: tuple[int, int], is_rooted: bool = False
) -> torch.Tensor:
    """Return the slope of each head times the negative distance of query and key, or its root: (…, N, S, S)."""
    queries, keys = (
        torch.arange(first, first + length, device=slopes.device, dtype=torch.float32)
        for first, length in zip(starts, lengths, strict=True)
    )
    distance = (queries[:, None] - keys).abs()
    return -(distance.sqrt() if is_rooted else distance) * slopes.float()[..., None, None]


def _inside(tensor: Tensor | None) -> torch.Tensor | None:
    return None if tensor is None else tensor._data


def additive_mask(mask: Tensor | None, dtype: torch.dtype) -> torch.Tensor | None:
    """Turn a mask into what is added to the scores."""
    if mask is None:
        return None
    data = mask._data
    if data.is_floating_point():
        return data.to(dtype)
    return torch.zeros(data.shape, dtype=dtype, device=data.device).masked_fill_(data.bool(), float("-inf"))


def _heads(data: torch.Tensor, layout: str, head_num: int, query_size: int) -> torch.Tensor:
    """Bring a tensor to (B, N, S, D)."""
    if layout == "BNSD":
        return data
    if layout == "BSND":
        return data.transpose(1, 2)
    if layout == "SBH":
        data = data.transpose(0, 1)
    return data.unflatten(-1, (-1, query_size // head_num)).transpose(1, 2)


def _to_layout(data: torch.Tensor, layout: str) -> torch.Tensor:
    """Bring (B, N, S, D) back to the layout."""
    if layout == "BNSD":
        return data
    data = data.transpose(1, 2)
    if layout == "BSND":
        return data
    data = data.flatten(2)
    return data.transpose(0, 1) if layout == "SBH" else data


def _attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    shift: torch.Tensor | None,
    drop: torch.Tensor | None,
    mask: torch.Tensor | None,
    keep: float,
    scale: float,
    window: tuple[int, int, int],
    prefix: list[int] | None,
    is_shift_scaled: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the largest scores, their sums, and the result; all are (B, N, S, D)."""
    if key.shape[1] != query.shape[1]:
        shared = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    scores = half_precision.matmul(query, key.transpose(-1, -2)).float()
    if shift is None:
        scores = scores * scale
    else:
        scores = (scores + shift) * scale if is_shift_scaled else scores * scale + shift
    if window[2] == 0 and mask is None:
        hidden = None  # without a mask, mode 0 has no window
    else:
        hidden = hide_by_mode(query.shape[-2], key.shape[-2], window, query.device, prefix)
    if mask is not None and window[2] in (0, 1):
        hidden = mask.bool() if hidden is None else hidden | mask.bool()
    if hidden is not None:
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    largest = scores.detach().amax(-1, keepdim=True)
    raised = torch.exp(scores - largest)
    total = raised.sum(-1, keepdim=True)
    weights = (raised / total).to(value.dtype)
    if drop is not None:
        weights = weights * _unpack_bits(drop, key.shape[-2]).to(value.dtype) / keep
    elif keep < 1.0:
        weights = drop_elements(weights, 1 - keep)
    return largest[..., 0], total[..., 0], half_precision.matmul(weights, value)


def hide_by_mode(
    queries: int, keys: int, window: tuple[int, int, int], device: torch.device, prefix: list[int] | None = None
) -> torch.Tensor | None:
    """Return the mask of the keys that a query does not see, as the sparse mode says; None: it sees all.

    Args:
        queries: how many there are.
        keys: how many there are.
        window: pre_tokens, next_tokens and sparse_mode.
        device: where the result is wanted.
        prefix: for mode 5, how many of the first keys every query of a sequence sees.

    Returns:
        Shape (queries, keys), or (sequences, 1, queries, keys) with `prefix`.
    """
    before, after, mode = window
    if mode == 1 or (mode == 0 and before >= keys and after >= keys):
        return None
    if mode in (2, 3, 5):
        before, after = FAR, 0
    aligned = keys - queries if mode in (3, 4, 5) else 0
    places = torch.arange(keys, device=device)
    distance = places - torch.arange(queries, device=device)[:, None] - aligned
    hidden = (distance > after) | (distance < -before)
    if mode == 5 and prefix is not None:
        hidden = hidden & (places >= torch.tensor(prefix, device=device)[:, None, None, None])
    return hidden


def _unpack_bits(drop: torch.Tensor, keys: int) -> torch.Tensor:
    """Return a mask of bytes as one value per key, where each byte holds eight, the first in its lowest bit."""
    if drop.shape[-1] == keys:
        return drop
    bits = torch.arange(8, device=drop.device, dtype=drop.dtype)
    return (drop[..., None].bitwise_right_shift(bits) & 1).flatten(-2)


def _numbers(given: Tensor | tuple[int, ...] | list[int]) -> list[int]:
    return given._data.tolist() if isinstance(given, Tensor) else list(given)


def _ends(ends: Ends, tensor: Tensor) -> list[int]:
    if ends is None:
        return [tensor.shape[0]]
    found = _numbers(ends)
    return found[1:] if found and found[0] == 0 else found


def _each_sequence(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, ends: list[tuple[int, int]], options: tuple
) -> tuple[torch.Tensor, ...]:
    """Attend within each of several concatenated sequences, (T, N, D); some may be empty."""
    results, start, key_start = [], 0, 0
    for end, key_end in ends:
        if end == start and len(query):
            key_start = key_end
            continue
        parts = query[start:end], key[key_start:key_end], value[key_start:key_end]
        found = _attend(*(part.transpose(0, 1)[None] for part in parts), *options)
        results.append([part[0].transpose(0, 1) for part in found])
        start, key_start = end, key_end
    return tuple(torch.cat(parts) for parts in zip(*results, strict=True))
