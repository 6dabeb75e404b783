"""Keys and values of long sequences, one for each window of tokens.

MindSpore computes it on an Ascend only; it follows its documentation and is tested against numpy.
"""

from collections.abc import Sequence

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import bfloat16, float16
from msbridge.ops.kernel_calls.families import call_kernel


def nsa_compress(
    input: Tensor, weight: Tensor, compress_block_size: int, compress_stride: int, *, actual_seq_len: Sequence[int]
) -> Tensor:
    """Return the weighted sum of each window of tokens; no window reaches from one sequence into the next.

    Args:
        input: (tokens, heads, size) of all sequences, one behind the other; float16 or bfloat16; `size` a multiple of
            16 of at most 256, and at most 128 heads.
        weight: (compress_block_size, heads), of the same dtype.
        compress_block_size: length of a window; a multiple of 16 of at most 128.
        compress_stride: from one window to the next; a multiple of 16 of at most `compress_block_size`.
        actual_seq_len: where each sequence ends; the last one at `tokens`.

    Returns:
        (windows, heads, size), of the dtype of `input`.

    Raises:
        TypeError: an argument is of another type or dtype.
        RuntimeError: a shape or number does not fit.

    Follows: mindspore.ops.nsa_compress (2.10), which has no kernel on the CPU.
    """
    ends = _check_arguments(input, weight, compress_block_size, compress_stride, actual_seq_len)

    def run(data: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
        begins = [0, *ends[:-1]]
        starts = [
            start
            for begin, end in zip(begins, ends, strict=True)
            for start in range(begin, end - compress_block_size + 1, compress_stride)
        ]
        places = torch.tensor(starts, dtype=torch.long, device=data.device)[:, None]
        windows = data.float()[places + torch.arange(compress_block_size, device=data.device)]
        return torch.einsum("wbnd,bn->wnd", windows, factors.float()).to(data.dtype)

    return call_kernel(run, "nsa_compress", input, weight)  # type: ignore[no-any-return]


def _check_arguments(input: Tensor, weight: Tensor, block: int, stride: int, ends: Sequence[int]) -> list[int]:
    """Return the ends of the sequences, or raise what is wrong with the arguments."""
    name = "nsa_compress"
    for said, tensor in (("input", input), ("weight", weight)):
        if instance(tensor, said, name, Tensor).dtype not in (float16, bfloat16):
            raise TypeError(f"For '{name}', {said} must be of float16 or bfloat16, got {tensor.dtype}.")
    if input.dtype != weight.dtype:
        raise TypeError(f"For '{name}', both must be of one dtype, got {input.dtype} and {weight.dtype}.")
    for said, number in (("compress_block_size", block), ("compress_stride", stride)):
        instance(number, said, name, int)
    sequence_ends = [
        instance(end, "actual_seq_len", name, int) for end in instance(ends, "actual_seq_len", name, (tuple, list))
    ]
    if input.ndim != 3 or weight.shape != (block, input.shape[1]):
        raise RuntimeError(
            f"For '{name}', input must be (tokens, heads, size) and weight ({block}, heads), got {input.shape} and "
            f"{weight.shape}."
        )
    if not 1 <= input.shape[1] <= 128 or input.shape[2] % 16 or input.shape[2] > 256:
        raise RuntimeError(f"For '{name}', there are at most 128 heads of 16, 32, … 256 numbers, got {input.shape}.")
    if block % 16 or stride % 16 or not 16 <= stride <= block <= 128:
        raise RuntimeError(f"For '{name}', 16 ≤ stride ≤ block ≤ 128 by steps of 16, got {stride} and {block}.")
    if (
        not sequence_ends
        or sequence_ends[0] <= 0
        or sequence_ends != sorted(sequence_ends)
        or sequence_ends[-1] != input.shape[0]
    ):
        raise RuntimeError(f"For '{name}', actual_seq_len must rise to {input.shape[0]}, got {sequence_ends}.")
    return sequence_ends
