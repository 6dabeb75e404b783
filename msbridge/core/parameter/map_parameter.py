"""MapParameter: a trainable table whose rows are found by keys, and made when they are first asked for."""

import sys
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, int32

__all__ = ["MapParameter"]

_FILLS = {"zeros": torch.zeros, "ones": torch.ones, "normal": lambda *size, **kinds: 0.01 * torch.randn(*size, **kinds)}


class MapParameter(Parameter):
    """A table of rows by key.

    Args:
        key_dtype: int32 or int64; None means that of `key_tensor`, or int32.
        value_dtype: None means that of `value_tensor`, or float32.
        value_shape: shape of a row; None means that of `value_tensor` behind its first axis, or (1,).
        key_tensor: the first keys, shape (n,).
        value_tensor: their rows, shape (n, ...).
        default_value: what new rows are filled with: "zeros", "ones", "normal" (deviation 0.01) or a number.
        permit_filter_value: how often a key is asked for before its row is made; kept, rows are made at once.
        evict_filter_value: after how many steps without use a row goes; kept, rows stay.
        name: the parameter's name.
        requires_grad: whether it is trained. The gradient is that of the rows that were there before the call.

    Raises:
        ValueError: a dtype or shape differs from that of the given tensor.

    Follows: mindspore.experimental.MapParameter (2.10); reading and writing have kernels on the chip only, so that the
        documentation is the judge.
    """

    def __init__(
        self,
        key_dtype: Type | None = None,
        value_dtype: Type | None = None,
        value_shape: int | tuple[int, ...] | None = None,
        key_tensor: Tensor | None = None,
        value_tensor: Tensor | None = None,
        default_value: str | float = "normal",
        permit_filter_value: int = 1,
        evict_filter_value: int = sys.maxsize,
        name: str | None = None,
        requires_grad: bool = True,
    ) -> None:
        row = (value_shape,) if isinstance(value_shape, int) else value_shape
        if key_tensor is not None and key_dtype not in (None, key_tensor.dtype):
            raise ValueError("For 'MapParameter', key_dtype and the dtype of key_tensor must be the same.")
        if value_tensor is not None and value_dtype not in (None, value_tensor.dtype):
            raise ValueError("For 'MapParameter', value_dtype and the dtype of value_tensor must be the same.")
        if value_tensor is not None and row not in (None, value_tensor.shape, value_tensor.shape[1:]):
            raise ValueError("For 'MapParameter', value_shape and the shape of value_tensor must be the same.")
        if isinstance(default_value, str) and default_value not in _FILLS:
            raise ValueError(f"For 'MapParameter', default_value must be one of {list(_FILLS)}, got {default_value!r}.")
        if permit_filter_value != 1:
            without_effect("mindspore.experimental.MapParameter.permit_filter_value", permit_filter_value)
        if evict_filter_value != sys.maxsize:
            without_effect("mindspore.experimental.MapParameter.evict_filter_value", evict_filter_value)
        self.key_dtype = key_dtype or (int32 if key_tensor is None else key_tensor.dtype)
        self.value_dtype = value_dtype or (float32 if value_tensor is None else value_tensor.dtype)
        self._row = (row or (1,)) if value_tensor is None else value_tensor.shape[1:]
        self.value_shape = (row or (1,)) if value_tensor is None else value_tensor.shape
        self.default_value = default_value
        self.permit_filter_value = permit_filter_value
        self.evict_filter_value = evict_filter_value
        self.key_tensor, self.value_tensor = key_tensor, value_tensor
        self._places: dict[int, int] = {}
        super().__init__(wrap(torch.zeros(0, *self._row, dtype=self.value_dtype.torch)), name, requires_grad)
        if key_tensor is not None and value_tensor is not None:
            self.put(key_tensor, value_tensor)

    def get(self, key_tensor: Tensor, insert_default_value: bool = True) -> Tensor:
        """Return the rows of keys.

        Args:
            key_tensor: shape (n,).
            insert_default_value: make the rows that are not there; else they are only returned.

        Returns:
            shape (n, ...).
        """
        keys = self._keys(key_tensor)
        missing = [key for key in dict.fromkeys(keys) if key not in self._places]
        if not missing:
            return wrap(self._data[[self._places[key] for key in keys]])
        extended = torch.cat((self._data, self._initial_rows(len(missing))))
        places = self._places | {key: len(self._data) + number for number, key in enumerate(missing)}
        if insert_default_value:
            overwrite(self, extended)
            self._places = places
        return wrap(extended[[places[key] for key in keys]])

    def put(self, key_tensor: Tensor, value_tensor: Tensor) -> "MapParameter":
        """Set the rows of keys; of a key that is given twice, the last one counts."""
        keys = self._keys(key_tensor)
        missing = [key for key in dict.fromkeys(keys) if key not in self._places]
        places = self._places | {key: len(self._data) + number for number, key in enumerate(missing)}
        table = torch.cat((self._data.detach(), self._initial_rows(len(missing))))
        last = {places[key]: number for number, key in enumerate(keys)}
        table[list(last)] = value_tensor._data.detach().to(table)[list(last.values())]
        overwrite(self, table)
        self._places = places
        return self

    def erase(self, key_tensor: Tensor) -> "MapParameter":
        """Forget keys and their rows; unknown keys are passed over."""
        gone = set(self._keys(key_tensor))
        kept = {key: place for key, place in self._places.items() if key not in gone}
        overwrite(self, self._data.detach()[list(kept.values())])
        self._places = {key: number for number, key in enumerate(kept)}
        return self

    def follow(self, table: "MapParameter") -> None:
        """Take the keys of another table, with new rows for those that are not here: state of an optimizer grows so."""
        missing = len(table._data) - len(self._data)
        if missing > 0:
            overwrite(self, torch.cat((self._data.detach(), self._initial_rows(missing))))
        self._places = dict(table._places)

    def pad_gradient(self, gradient: torch.Tensor) -> torch.Tensor:
        """Return a gradient with zeros for the rows that were made after it was begun."""
        return torch.cat((gradient, gradient.new_zeros(len(self._data) - len(gradient), *self._row)))

    def get_keys(self) -> Tensor:
        """Return all keys, in the order in which they came."""
        return wrap(torch.tensor(list(self._places), dtype=self.key_dtype.torch, device=self._data.device))

    def get_values(self) -> Tensor:
        """Return all rows, in the order of `get_keys`."""
        return wrap(self._data.detach().clone())

    def get_data(self) -> tuple[Tensor, Tensor]:
        """Return all keys and their rows."""
        return self.get_keys(), self.get_values()

    def export_data(self, incremental: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return keys, rows and their states as arrays; `incremental` is MindSpore's, all are returned."""
        keys = self.get_keys().asnumpy()
        return keys, self.get_values().asnumpy(), np.zeros(len(keys), np.int32)

    def export_bytes(self, incremental: bool = False) -> tuple[bytes, bytes, bytes]:
        """Return the result of `export_data` as bytes."""
        keys, values, states = self.export_data(incremental)
        return keys.tobytes(), values.tobytes(), states.tobytes()

    def import_data(self, data: tuple[np.ndarray, ...]) -> None:
        """Take the keys and rows that `export_data` returned in place of those that are there."""
        self.erase(self.get_keys())
        self.put(Tensor(data[0]), Tensor(data[1]))

    def clone(self, init: str | float = "same") -> "MapParameter":
        """Return an empty table with the same settings.

        Args:
            init: what its new rows are filled with; "same" keeps that.
        """
        fill = self.default_value if init == "same" else init
        return MapParameter(
            self.key_dtype,
            self.value_dtype,
            tuple(self._row),
            default_value=fill,
            permit_filter_value=self.permit_filter_value,
            evict_filter_value=self.evict_filter_value,
            name=self.name,
            requires_grad=self.requires_grad,
        )

    def __getitem__(self, key_tensor: Any) -> Tensor:
        return self.get(key_tensor)

    def __setitem__(self, key_tensor: Any, value_tensor: Any) -> None:
        self.put(key_tensor, value_tensor)

    def __repr__(self) -> str:
        kinds = f"key_dtype={self.key_dtype}, value_dtype={self.value_dtype}, value_shape={list(self.value_shape)}"
        limits = f"permit_filter={self.permit_filter_value}, evict_filter={self.evict_filter_value}"
        return f"MapParameter(MapTensor({kinds}, default_value={self.default_value}, {limits}))"

    __str__ = __repr__

    def _keys(self, key_tensor: Any) -> list[int]:
        if not isinstance(key_tensor, Tensor):
            raise TypeError(f"For 'MapParameter', keys must be a Tensor, got {type(key_tensor).__name__}.")
        return key_tensor._data.reshape(-1).tolist()

    def _initial_rows(self, count: int) -> torch.Tensor:
        kinds: dict[str, Any] = {"dtype": self._data.dtype, "device": self._data.device}
        if isinstance(self.default_value, str):
            return _FILLS[self.default_value](count, *self._row, **kinds)  # type: ignore[no-any-return, operator]
        return torch.full((count, *self._row), self.default_value, **kinds)
