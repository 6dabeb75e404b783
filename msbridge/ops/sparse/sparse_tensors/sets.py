"""Operations on the sets of numbers that rows hold; the host computes them."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np
import torch

from msbridge.core.checks.arguments import boolean, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.sparse.sparse_tensors.computing import compute
from msbridge.ops.sparse.sparse_tensors.coordinates import sizes

__all__ = ["combine_mixed_sets", "dense_sets", "set_size"]

Data = torch.Tensor
Sets = dict[tuple[int, ...], set[int]]
Three = tuple[Tensor, Tensor, Tensor]
OPERATIONS: dict[str, Callable[[set[int], set[int]], set[int]]] = {
    "a-b": set.difference,
    "b-a": lambda left, right: right - left,
    "intersection": set.intersection,
    "union": set.union,
}


def dense_sets(x1: Tensor, x2: Tensor, set_operation: str = "a-b", validate_indices: bool = True) -> Three:
    """Combine the sets that the last axes of two tensors hold.

    Args:
        x1: shape (..., n), numbers.
        x2: shape (..., m), likewise.
        set_operation: "a-b", "b-a", "intersection" or "union".
        validate_indices: MindSpore's check of coordinates, of which there are none.

    Returns:
        Coordinates (Int64), numbers and shape of a sparse tensor, whose last axis is as long as the largest set.

    Raises:
        ValueError: there is no such operation, or the shapes differ before the last axis.

    Follows: mindspore.ops.operations.sparse_ops.DenseToDenseSetOperation (2.10).
    """
    boolean(validate_indices, "validate_indices", "DenseToDenseSetOperation")
    one_of(set_operation, "set_operation", "DenseToDenseSetOperation", OPERATIONS)
    return compute(_dense, "DenseToDenseSetOperation", x1, x2, name=set_operation)  # type: ignore[no-any-return]


def _dense(left: Data, right: Data, name: str) -> tuple[Data, Data, Data]:
    if left.dim() < 2 or left.shape[:-1] != right.shape[:-1]:
        raise ValueError(f"the shapes {tuple(left.shape)} and {tuple(right.shape)} do not fit.")
    return _combine_sets(_of_dense(left), _of_dense(right), name, tuple(left.shape[:-1]), left)


def combine_mixed_sets(
    x1: Tensor,
    x2_indices: Tensor,
    x2_values: Tensor,
    x2_shape: Tensor,
    set_operation: str = "",
    validate_indices: bool = True,
) -> Three:
    """Combine the sets that the last axis of a tensor holds with those of a sparse tensor, as `dense_sets`.

    Raises:
        ValueError: there is no such operation, the shapes differ before the last axis, or a coordinate is outside
            of the shape (with `validate_indices`).

    Follows: mindspore.ops.operations.sparse_ops.DenseToSparseSetOperation (2.10).
    """
    one_of(set_operation, "set_operation", "DenseToSparseSetOperation", OPERATIONS)
    inputs = (x1, x2_indices, x2_values, x2_shape)
    return compute(
        _combine_mixed, "DenseToSparseSetOperation", *inputs, name=set_operation, is_checked=validate_indices
    )  # type: ignore[no-any-return]


def _combine_mixed(
    left: Data, at: Data, values: Data, shape: Data, name: str, is_checked: bool
) -> tuple[Data, Data, Data]:
    if is_checked:
        _check(at, shape)
    if left.dim() < 2 or tuple(left.shape[:-1]) != sizes(shape)[:-1]:
        raise ValueError(f"the shapes {tuple(left.shape)} and {sizes(shape)} do not fit.")
    return _combine_sets(_of_dense(left), _of_list(at, values), name, tuple(left.shape[:-1]), left)


def set_size(set_indices: Tensor, set_values: Tensor, set_shape: Tensor, validate_indices: bool = True) -> Tensor:
    """Count the different numbers along the last axis of a sparse tensor.

    Returns:
        Int32, of the shape without its last axis.

    Follows: mindspore.ops.operations.sparse_ops.SetSize (2.10), its documentation: its CPU kernel returns 1000 numbers.
    """
    return compute(_sizes, "SetSize", set_indices, set_values, set_shape, is_checked=validate_indices)  # type: ignore[no-any-return]


def _check(at: Data, shape: Data) -> None:
    if bool(((at < 0) | (at >= shape)).any()):
        raise ValueError(f"the coordinates must be inside of the shape {sizes(shape)}.")


def _sizes(at: Data, values: Data, shape: Data, is_checked: bool) -> Data:
    if is_checked:
        _check(at, shape)
    counts = torch.zeros(sizes(shape)[:-1], dtype=torch.int32)
    for place, numbers in _of_list(at, values).items():
        counts[place] = len(numbers)
    return counts.to(at.device)


def _of_dense(data: Data) -> Sets:
    array = data.cpu().numpy()
    return {place: set(array[place].tolist()) for place in np.ndindex(*array.shape[:-1])}


def _of_list(at: Data, values: Data) -> Sets:
    found: Sets = defaultdict(set)
    for place, number in zip(at[:, :-1].tolist(), values.tolist(), strict=True):
        found[tuple(place)].add(number)
    return found


def _combine_sets(left: Sets, right: Sets, name: str, groups: tuple[int, ...], like: Data) -> tuple[Data, Data, Data]:
    results = [
        (place, sorted(OPERATIONS[name](left.get(place, set()), right.get(place, set())))) for place in _every(groups)
    ]
    at = [(*place, column) for place, numbers in results for column in range(len(numbers))]
    values = [number for _, numbers in results for number in numbers]
    longest = max((len(numbers) for _, numbers in results), default=0)
    indices = torch.tensor(at, dtype=torch.int64, device=like.device).reshape(-1, len(groups) + 1)
    shape = torch.tensor((*groups, longest), dtype=torch.int64, device=like.device)
    return indices, torch.tensor(values, dtype=like.dtype, device=like.device), shape


def _every(groups: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    return np.ndindex(*groups)
