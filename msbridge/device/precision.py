"""Running some of torch's functions in a narrower floating type than the tensors have."""

from collections.abc import Collection
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

CONVOLUTIONS = frozenset(
    {
        *(torch.conv1d, torch.conv2d, torch.conv3d),
        *(torch.conv_transpose1d, torch.conv_transpose2d, torch.conv_transpose3d),
    }
)
PRODUCTS = frozenset(
    {
        *(torch.matmul, torch.mm, torch.bmm, torch.addmm, torch.baddbmm, torch.nn.functional.linear),
        *(torch.Tensor.matmul, torch.Tensor.mm, torch.Tensor.bmm, torch.Tensor.__matmul__),
    }
)
ACTIVATIONS = frozenset({torch.relu, torch.nn.functional.relu, torch.Tensor.relu, torch.prelu})
OUTER_PRODUCTS = frozenset({torch.outer, torch.ger, torch.Tensor.outer, torch.Tensor.ger})


class Narrowing(TorchFunctionMode):
    """Within this block, some functions compute their float32 arguments in a narrower dtype and return float32.

    Args:
        functions: which of torch's functions.
        dtype: float16 or bfloat16.
    """

    def __init__(self, functions: Collection[Any], dtype: torch.dtype) -> None:
        super().__init__()
        self._functions = functions
        self._dtype = dtype

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func not in self._functions:
            return func(*args, **kwargs)
        tensors = [data for data in (*args, *kwargs.values()) if isinstance(data, torch.Tensor)]
        if not any(data.dtype == torch.float32 for data in tensors):
            return func(*args, **kwargs)
        return self.narrow(func, args, kwargs)

    def narrow(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run one of torch's functions on casts, and bring its results back to float32."""
        narrow = [_cast(value, torch.float32, self._dtype) for value in args]
        result = func(*narrow, **{name: _cast(value, torch.float32, self._dtype) for name, value in kwargs.items()})
        if isinstance(result, torch.Tensor):
            return _cast(result, self._dtype, torch.float32)
        return type(result)(_cast(item, self._dtype, torch.float32) for item in result)


def _cast(value: Any, from_dtype: torch.dtype, to_dtype: torch.dtype) -> Any:
    return value.to(to_dtype) if isinstance(value, torch.Tensor) and value.dtype == from_dtype else value
