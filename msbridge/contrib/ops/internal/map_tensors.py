"""The methods of MapParameter as primitives, and instances of them.

Follows: mindspore.ops.operations._map_tensor_ops (2.10).
"""

from msbridge.core.parameter.map_parameter import MapParameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import derive

__all__ = [
    "MapTensorErase",
    "MapTensorGet",
    "MapTensorGetData",
    "MapTensorGetKeys",
    "MapTensorGetValues",
    "MapTensorPut",
    "erase",
    "get_data",
    "get_keys",
    "get_values",
    "put",
]


def _get(map_tensor: MapParameter, key_tensor: Tensor, insert_default_value: bool) -> Tensor:
    """Return the values of keys; unknown keys have the default, which is inserted if asked for."""
    return map_tensor.get(key_tensor, insert_default_value)


def _put(map_tensor: MapParameter, key_tensor: Tensor, value_tensor: Tensor) -> MapParameter:
    """Insert or replace the values of keys."""
    return map_tensor.put(key_tensor, value_tensor)


def _erase(map_tensor: MapParameter, key_tensor: Tensor) -> MapParameter:
    """Remove keys and their values."""
    return map_tensor.erase(key_tensor)


def _keys(map_tensor: MapParameter) -> Tensor:
    """Return all keys."""
    return map_tensor.get_keys()


def _values(map_tensor: MapParameter) -> Tensor:
    """Return all values, in the order of the keys."""
    return map_tensor.get_values()


def _data(map_tensor: MapParameter) -> tuple[Tensor, Tensor]:
    """Return all keys and values."""
    return map_tensor.get_data()


MapTensorErase = derive("MapTensorErase", _erase)
MapTensorGet = derive("MapTensorGet", _get, "insert_default_value")
MapTensorGetData = derive("MapTensorGetData", _data)
MapTensorGetKeys = derive("MapTensorGetKeys", _keys)
MapTensorGetValues = derive("MapTensorGetValues", _values)
MapTensorPut = derive("MapTensorPut", _put)

erase, get_data, get_keys = MapTensorErase(), MapTensorGetData(), MapTensorGetKeys()
get_values, put = MapTensorGetValues(), MapTensorPut()
