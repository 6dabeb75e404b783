"""Implicit type promotion between two tensors.

torch agrees with MindSpore except in two points: a 0-d tensor counts as a full tensor (in torch it never promotes within
its category; MindSpore does the same for * and / only), and uint16, uint32 and uint64 mix with bool and themselves only.
"""

import torch

_LONE = frozenset({torch.uint16, torch.uint32, torch.uint64})


def promote(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Cast two tensors of different dtypes to their common one.

    Raises:
        TypeError: the dtypes do not mix.
    """
    _refuse_lone(left.dtype, right.dtype)
    common = torch.promote_types(left.dtype, right.dtype)
    return left.to(common), right.to(common)


def promote_weak(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Cast as `*` and `/` do: a 0-d tensor changes the category of the result, not its width.

    Raises:
        TypeError: the dtypes do not mix.
    """
    _refuse_lone(left.dtype, right.dtype)
    common = torch.result_type(left, right)
    return left.to(common), right.to(common)


def _refuse_lone(left: torch.dtype, right: torch.dtype) -> None:
    if (left in _LONE or right in _LONE) and torch.bool not in (left, right):
        raise TypeError(f"Type implicit conversion between {left} and {right} is not supported.")
