"""Implicit type promotion between two tensors.

torch agrees with MindSpore except in two points: a 0-d tensor counts as a full tensor (in torch it never promotes
within its category; MindSpore does the same for * and / only), and uint16, uint32 and uint64 mix with themselves only,
and with bool except in * and /.
"""

import torch

LONE = frozenset({torch.uint16, torch.uint32, torch.uint64})
_HALVES = frozenset({torch.float16, torch.bfloat16})


def promote(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Cast two tensors of different dtypes to their common one.

    Raises:
        TypeError: the dtypes do not mix.
    """
    common = _lone(left.dtype, right.dtype, beside_bool=True) or torch.promote_types(left.dtype, right.dtype)
    return left.to(common), right.to(common)


def promote_weak(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Cast as `*` and `/` do: a 0-d tensor changes the category of the result, not its width.

    Raises:
        TypeError: the dtypes do not mix.
    """
    common = _lone(left.dtype, right.dtype, beside_bool=False) or torch.result_type(left, right)
    if common is torch.complex32:  # MindSpore has no such type
        common = torch.complex64
    if common in _HALVES and right.dim() == 0 and right.is_floating_point():
        return left.to(common), right  # torch reads one number on the right as it is; cast, it would be rounded first
    return left.to(common), right.to(common)


def _lone(left: torch.dtype, right: torch.dtype, *, beside_bool: bool) -> torch.dtype | None:
    """Return the common dtype where one of the two mixes with bool only; None where neither does."""
    if left not in LONE and right not in LONE:
        return None
    if beside_bool and torch.bool in (left, right):
        return right if left is torch.bool else left
    names = " and ".join(str(dtype).removeprefix("torch.") for dtype in (left, right))
    raise TypeError(f"Type implicit conversion between {names} is not supported.")
