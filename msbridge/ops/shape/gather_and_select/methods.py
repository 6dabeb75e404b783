"""Methods of Tensor."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.data_movement import bind_form, index_of, long, rearrange, select_at
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.shape.gather_and_select import functions
from msbridge.ops.shape.gather_and_select.functions import _choose, _gather


def gather(
    self: Tensor,
    *indices_and_axis: Any,
    input_indices: Any = None,
    axis: int | None = None,
    batch_dims: int = 0,
    dim: Any = None,
    index: Any = None,
) -> Tensor:
    """Take slices along an axis, `gather(input_indices, axis, batch_dims=0)`, or elements, `gather(dim, index)`.

    Args:
        self: any shape and dtype.
        indices_and_axis: `input_indices`, `axis` and `batch_dims`, or `dim` and `index`, by position.
        input_indices: which slices; integers of any shape.
        axis: the axis that they are of.
        batch_dims: how many leading axes the indices have in common with this tensor.
        dim: the axis of `index`.
        index: which element of the axis comes to each place; Int32 or Int64.

    Returns:
        A Tensor of the same dtype; of the shape of `index`, or with the axes of `input_indices` for the axis.

    Follows: mindspore.Tensor.gather (2.10).
    """
    given = indices_and_axis
    if dim is not None or index is not None or (given and isinstance(given[0], int)):
        dim, index = bind_form("gather", given, dim=dim, index=index)
        return functions.gather_elements(self, dim, index)
    if len(given) == 3:
        batch_dims = given[2]
    input_indices, axis = bind_form("gather", given[:2], input_indices=input_indices, axis=axis)
    return functions.gather(self, input_indices, axis, batch_dims)


def select(
    self: Tensor,
    *arguments: Any,
    axis: Any = None,
    index: Any = None,
    condition: Any = None,
    y: Any = None,
    dim: Any = None,
) -> Tensor:
    """Take one slice along an axis, `select(dim, index)`, or choose, `select(condition, y)`.

    Args:
        self: any shape and dtype.
        arguments: `dim` and `index`, or `condition` and `y`, by position.
        axis: another name of `dim`.
        index: which slice.
        condition: Bool; broadcasts against this tensor.
        y: what is taken where it is False.
        dim: which axis.

    Returns:
        A Tensor without the axis; with `condition`, of the broadcast shape.

    Follows: mindspore.Tensor.select (2.10).
    """
    if condition is not None or (arguments and isinstance(arguments[0], Tensor) and arguments[0].dtype == mstype.bool_):
        condition, y = bind_form("select", arguments, condition=condition, y=y)
        return _choose(condition, self, y, "select")
    axis, index = bind_form("select", arguments, dim=axis if dim is None else dim, index=index)
    return rearrange(torch.select, "select", self, index_of(axis), index_of(index))


def index_select(self: Tensor, axis: Any = None, index: Any = None, *, dim: int | None = None) -> Tensor:
    """Take slices along `axis` (or `dim`).

    Args:
        self: at least one axis.
        axis: which axis, in [-rank, rank).
        index: which slices, (n,); Int32 or Int64.
        dim: another name of `axis`.

    Returns:
        A Tensor of the same dtype, of length n along the axis.

    Follows: mindspore.Tensor.index_select (2.10).
    """
    return functions.index_select(self, axis if dim is None else dim, index)


def where(self: Tensor, condition: Tensor, y: Any = None, *, other: Tensor | Number | None = None) -> Tensor:
    """Keep elements where `condition` is True, else take from `y` (or `other`).

    Args:
        self: any shape and dtype.
        condition: Bool; broadcasts against this tensor.
        y: a Tensor or number; likewise.
        other: another name of `y`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.Tensor.where (2.10).
    """
    return _choose(condition, self, y if other is None else other, "where")


def index(self: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Take elements, one index Tensor for each axis.

    Args:
        self: at least as many axes as there are indices.
        indices: integers that broadcast against each other.

    Returns:
        A Tensor of the same dtype: the broadcast shape, then the axes that no index names.

    Follows: mindspore.Tensor.index (2.10).
    """
    return self[tuple(indices)]


def take(
    self: Tensor, indices: Any = None, axis: int | None = None, mode: str = "clip", *, index: Tensor | None = None
) -> Tensor:
    """Take slices along an axis, of the flattened tensor by default; `index` is another name of `indices`.

    `mode` says what an index out of range does: "clip", "wrap" or "raise".

    Args:
        self: any shape and dtype.
        indices: which slices; integers of any shape.
        axis: which axis, in [-rank, rank).
        mode: as above.
        index: another name of `indices`.

    Returns:
        A Tensor of the same dtype, with the axes of `indices` for the axis.

    Follows: mindspore.Tensor.take (2.10).
    """
    return select_at(_take_along, "take", self, indices if index is None else index, axis, mode)


@explaining
def choose(self: Tensor, choices: Sequence[Tensor | Number] | Tensor, mode: str = "clip") -> Tensor:
    """Take each element from the one of `choices` that this tensor names; they broadcast against it.

    `mode` says what an index out of range does: "clip", "wrap" or "raise".

    Args:
        self: integers.
        choices: a tuple or list, or a Tensor of them along axis 0.
        mode: as above.

    Returns:
        A Tensor of the broadcast shape and the dtype of the choices.

    Follows: mindspore.Tensor.choose (2.10).
    """
    given = (choice if isinstance(choice, Tensor) else Tensor(choice) for choice in choices)
    _, *arrays = torch.broadcast_tensors(self._data, *(choice._data for choice in given))
    return select_at(_choose_from, "choose", self, wrap(torch.stack(arrays)), mode)


def _take_along(data: torch.Tensor, indices: torch.Tensor, axis: int | None, mode: str) -> torch.Tensor:
    if axis is None:
        data, axis = data.flatten(), 0
    return _gather(data, _in_range(long(indices), data.size(axis), mode), axis, 0)


def masked_fill(self: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """Return `value` where `mask` is true, cut off where this Tensor holds integers, and the elements elsewhere.

    Args:
        self: any shape and dtype.
        mask: Bool; broadcasts against this tensor.
        value: a number or a 0-d Tensor.

    Returns:
        A Tensor of the broadcast shape and the same dtype.

    Follows: mindspore.Tensor.masked_fill (2.10).
    """
    if type(value) is float and not (self.dtype.is_floating_point or self.dtype.is_complex):
        value = int(value)
    return functions.masked_fill(self, mask, value)


def _choose_from(data: torch.Tensor, choices: torch.Tensor, mode: str) -> torch.Tensor:
    index = _in_range(data.long(), len(choices), mode).expand(choices.shape[1:])
    return torch.gather(choices, 0, index.unsqueeze(0)).squeeze(0)


def _in_range(index: torch.Tensor, length: int, mode: str) -> torch.Tensor:
    if mode == "clip":
        return index.clamp(0, length - 1)
    if mode == "wrap":
        return index % length
    if mode == "raise":
        return index
    raise ValueError(f"mode must be 'clip', 'wrap' or 'raise', got {mode!r}.")


SAME = same(functions, "argwhere gather_elements gather_nd masked_select nonzero")
