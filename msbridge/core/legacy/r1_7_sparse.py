"""Tensors of rows of 1.7: three attributes that may be anything."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.core.sparse.row_tensor import RowTensor


def _row_tensor(self: RowTensor, indices: Any, values: Any, dense_shape: Any) -> None:
    """Construct the tensor; nothing is checked."""
    self._indices, self._values, self._shape = indices, values, dense_shape


OVERRIDES = {
    "RowTensor": [Part(RowTensor, "__init__", _row_tensor), Part(RowTensor, "__repr__", object.__repr__)],
}
