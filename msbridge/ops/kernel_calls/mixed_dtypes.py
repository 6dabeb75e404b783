"""Operators on Tensors of several floating dtypes: computed in the widest of them, the result in that of the first.

MindSpore's inference lets functions of `mint` have them, as Ascend's kernels do; torch refuses.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["is_mixed", "widest", "with_common_dtype"]


def with_common_dtype(face: Callable[..., Tensor], *arguments: Any, **settings: Any) -> Tensor:
    """Call a face that refuses Tensors of several floating dtypes, with those as well.

    Raises:
        Exception: what the face raises, where these are not the reason.
    """
    try:
        return face(*arguments, **settings)
    except Exception:
        if not is_mixed(arguments):
            raise
    return widest(face, *arguments, **settings)


def is_mixed(arguments: tuple[Any, ...]) -> bool:
    """Whether the floating Tensors among arguments, of which the first is one, have several dtypes."""
    return len(_kinds(arguments)) > 1 and arguments[0]._data.is_floating_point()


def widest(face: Callable[..., Tensor], *arguments: Any, **settings: Any) -> Tensor:
    """Call a face with all floating Tensors in the widest of their dtypes, the result in that of the first."""
    dtype = reduce(torch.promote_types, _kinds(arguments))
    parts = (wrap(one._data.to(dtype)) if _is_floating(one) else one for one in arguments)
    return wrap(face(*parts, **settings)._data.to(arguments[0]._data.dtype))


def _kinds(arguments: tuple[Any, ...]) -> set[torch.dtype]:
    return {one._data.dtype for one in arguments if _is_floating(one)}


def _is_floating(value: Any) -> bool:
    return isinstance(value, Tensor) and value._data.is_floating_point()
