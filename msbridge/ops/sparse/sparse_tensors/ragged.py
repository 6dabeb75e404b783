"""Operators on ragged tensors: rows of different lengths, as their values and where each row begins."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.sparse import kernels
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32, int64
from msbridge.ops.primitive.primitive import Primitive
from msbridge.ops.sparse.sparse_tensors.computing import compute
from msbridge.ops.sparse.sparse_tensors.coordinates import sizes

__all__ = ["RaggedTensorToSparse", "RaggedTensorToTensor"]

Data = torch.Tensor
_KINDS = ("ROW_SPLITS", "FIRST_DIM_SIZE", "VALUE_ROWIDS")


class RaggedTensorToSparse(Primitive):
    """Return a ragged tensor as coordinates, values and shape.

    Args:
        Tsplits: int32 or int64, the dtype of where the rows begin.

    Raises:
        TypeError: `Tsplits` is something else.

    Follows: mindspore.ops.operations.sparse_ops.RaggedTensorToSparse (2.10).
    """

    def __init__(self, Tsplits: Type) -> None:
        super().__init__("RaggedTensorToSparse")
        self.add_prim_attr("Tsplits", _of_two("RaggedTensorToSparse", Tsplits))

    def __call__(self, rt_nested_splits: Sequence[Tensor], rt_dense_values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        found: tuple[Tensor, Tensor, Tensor] = compute(_to_sparse, self.name, list(rt_nested_splits), rt_dense_values)
        return found


def _to_sparse(nested: list[Data], values: Data) -> tuple[Data, Data, Data]:
    places = _places([(splits, _rows_of_splits) for splits in nested], len(values))
    longest = [int(splits.diff().max()) if len(splits) > 1 else 0 for splits in nested]
    shape = [len(nested[0]) - 1, *longest, *values.shape[1:]]
    inner = values[0].numel() if values.dim() > 1 else 1
    at = places.repeat_interleave(inner, 0)
    if values.dim() > 1:
        rest = kernels.places_of(torch.arange(inner, device=at.device), tuple(values.shape[1:]), torch.int64)
        at = torch.cat((at, rest.repeat(len(values), 1)), 1)
    return at, values.reshape(-1), torch.tensor(shape, device=at.device)


class RaggedTensorToTensor(Primitive):
    """Return a ragged tensor as a dense one, with a value where rows are short.

    Args:
        row_partition_types: what the partitions are: "ROW_SPLITS" for each; or "FIRST_DIM_SIZE", then "VALUE_ROWIDS"
            for each axis.

    Raises:
        TypeError: they are not a list of strings.
        ValueError: there are others.

    Follows: mindspore.ops.operations.sparse_ops.RaggedTensorToTensor (2.10).
    """

    def __init__(self, row_partition_types: list[str]) -> None:
        super().__init__("RaggedTensorToTensor")
        for kind in instance(row_partition_types, "row_partition_types", self.name, list):
            instance(kind, "row_partition_types", self.name, str)
        first, *rest = row_partition_types or [""]
        wanted = "ROW_SPLITS" if first == "ROW_SPLITS" else "VALUE_ROWIDS"
        if first not in _KINDS[:2] or any(kind != wanted for kind in rest):
            raise ValueError(
                f"For '{self.name}', row_partition_types must be 'ROW_SPLITS' only, or 'FIRST_DIM_SIZE' and then "
                f"'VALUE_ROWIDS', got {row_partition_types}."
            )
        self.add_prim_attr("row_partition_types", row_partition_types)

    def __call__(
        self, shape: Tensor, values: Tensor, default_value: Tensor, row_partition_tensors: Sequence[Tensor]
    ) -> Tensor:
        has_splits = self.attrs["row_partition_types"][0] == "ROW_SPLITS"
        inputs = (shape, values, default_value, list(row_partition_tensors))
        found: Tensor = compute(_to_tensor, self.name, *inputs, has_splits=has_splits)
        return found


def _to_tensor(shape: Data, values: Data, default: Data, partitions: list[Data], has_splits: bool) -> Data:
    reader = _rows_of_splits if has_splits else _rows_of_numbers
    levels = partitions if has_splits else partitions[1:]
    places = _places([(level, reader) for level in levels], len(values))
    height = len(partitions[0]) - 1 if has_splits else int(partitions[0])
    found = [height, *(int(column.max()) + 1 if len(column) else 0 for column in places.unbind(1)[1:])]
    found += list(values.shape[1:])
    wanted = sizes(shape.reshape(-1))
    whole = [size if size >= 0 else found[axis] for axis, size in enumerate(wanted)] if len(wanted) > 1 else found
    limits = torch.tensor(whole[: places.shape[1]], device=places.device)
    is_inside = (places < limits).all(1)
    filled = default.to(values.dtype).expand(whole).clone()
    return filled.index_put(places[is_inside].unbind(1), values[is_inside])


def _places(levels: list[tuple[Data, Any]], count: int) -> Data:
    """Return the coordinates of `count` values; levels come from the outermost to the innermost."""
    columns: list[Data] = []
    numbers = torch.arange(count, device=levels[0][0].device)
    for data, reader in reversed(levels):
        rows, within = reader(data.long(), numbers)
        columns.append(within)
        numbers = rows
    return torch.stack([numbers, *reversed(columns)], 1)


def _rows_of_splits(splits: Data, numbers: Data) -> tuple[Data, Data]:
    rows = torch.searchsorted(splits, numbers, right=True) - 1
    return rows, numbers - splits[rows]


def _rows_of_numbers(rows: Data, numbers: Data) -> tuple[Data, Data]:
    own = rows[numbers]
    return own, numbers - torch.searchsorted(rows, own)


def _of_two(owner: str, dtype: Any) -> Type:
    if dtype not in (int32, int64):
        raise TypeError(f"For '{owner}', Tsplits must be int32 or int64, got {dtype!r}.")
    return dtype  # type: ignore[no-any-return]
