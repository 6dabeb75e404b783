"""Queues and arrays of Tensors, which primitives reach by a handle.

Follows: mindspore.ops.operations._rl_inner_ops, mindspore.ops.operations._tensor_array (2.0, CPU).
"""

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import torch

from msbridge.core.checks.arguments import boolean, instance, non_negative_int
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.primitive.primitive import Primitive

Content = TypeVar("Content")


class Handles(Generic[Content]):
    """A table of handles: Int64 Tensors that count from 0."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._kept: dict[int, Content] = {}
        self._numbers: Iterator[int] = itertools.count()

    def keep(self, content: Content) -> Tensor:
        """Keep something and return its handle."""
        number = next(self._numbers)
        self._kept[number] = content
        return Tensor(number)

    def at(self, handle: Any) -> Content:
        """Return the content under a handle.

        Raises:
            RuntimeError: nothing is.
        """
        (number,) = plain_shape(handle)
        if number not in self._kept:
            raise RuntimeError(f"There is no {self._kind} of handle {number}.")
        return self._kept[number]

    def drop(self, handle: Any) -> None:
        """Remove the value of a handle."""
        self.at(handle)
        del self._kept[plain_shape(handle)[0]]


class _OfQueues(Primitive):
    """Base of the primitives of queues."""

    _queues: ClassVar[Handles[deque[tuple[Tensor, ...]]]] = Handles("TensorsQueue")

    def __init__(self) -> None:
        super().__init__(type(self).__name__)


class _OfElements(_OfQueues):
    """Base of those that know the dtype and the shapes of an element."""

    def __init__(self, dtype: Type, shapes: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.add_prim_attr("dtype", instance(dtype, "dtype", self.name, Type))
        self.add_prim_attr("shapes", instance(shapes, "shapes", self.name, (tuple, list)))
        if not shapes:
            raise ValueError(f"For '{self.name}', an element must have at least one shape.")


class TensorsQueueCreate(_OfElements):
    """Make a queue of at most `size` elements, tuples of Tensors, and return its handle.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueueCreate (2.0).
    """

    def __init__(self, dtype: Type, shapes: Sequence[Sequence[int]], size: int = 0, name: str = "Q") -> None:
        super().__init__(dtype, shapes)
        self.add_prim_attr("size", non_negative_int(size, "size", self.name))
        self.attrs["name"] = name

    def __call__(self) -> Tensor:
        return self._queues.keep(deque(maxlen=self.attrs["size"] or None))


class TensorsQueuePut(_OfElements):
    """Put an element at the end of a queue; one that is full loses its first.

    Raises:
        ValueError: (when called) the Tensors are not of the shapes.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueuePut (2.0).
    """

    def __call__(self, handle: Tensor, value: Sequence[Tensor]) -> None:
        shapes = [tuple(one.shape) for one in value]
        if shapes != [tuple(shape) for shape in self.attrs["shapes"]]:
            raise ValueError(f"For 'TensorsQueuePut', the shapes must be {self.attrs['shapes']}, got {shapes}.")
        self._queues.at(handle).append(tuple(value))


class TensorsQueueGet(_OfElements):
    """Return the first element of a queue, and take it out with `pop_after_get`.

    Raises:
        RuntimeError: (when called) the queue is empty.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueueGet (2.0).
    """

    def __init__(self, dtype: Type, shapes: Sequence[Sequence[int]], pop_after_get: bool = False) -> None:
        super().__init__(dtype, shapes)
        self.add_prim_attr("pop_after_get", boolean(pop_after_get, "pop_after_get", self.name))

    def __call__(self, handle: Tensor) -> tuple[Tensor, ...]:
        queue = self._queues.at(handle)
        if not queue:
            raise RuntimeError("For 'TensorsQueueGet', the queue is empty.")
        return queue.popleft() if self.attrs["pop_after_get"] else queue[0]


class TensorsQueueSize(_OfQueues):
    """Return the number of elements of a queue.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueueSize (2.0).
    """

    def __call__(self, handle: Tensor) -> Tensor:
        return Tensor(len(self._queues.at(handle)))


class TensorsQueueClear(_OfQueues):
    """Take all elements out of a queue.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueueClear (2.0).
    """

    def __call__(self, handle: Tensor) -> None:
        self._queues.at(handle).clear()


class TensorsQueueClose(_OfQueues):
    """Remove a queue.

    Follows: mindspore.ops.operations._rl_inner_ops.TensorsQueueClose (2.0).
    """

    def __call__(self, handle: Tensor) -> None:
        self._queues.drop(handle)


class _OfArrays(Primitive):
    """Base of the primitives of arrays, whose missing elements are zeros."""

    _arrays: ClassVar[Handles[list[torch.Tensor]]] = Handles("TensorArray")

    def __init__(self, **attributes: Any) -> None:
        super().__init__(type(self).__name__)
        for name, value in attributes.items():
            self.add_prim_attr(name, value)


class TensorArray(_OfArrays):
    """Make an array of Tensors of one shape and return its handle; it grows with `dynamic_size`, else has `size`.

    Follows: mindspore.ops.operations._tensor_array.TensorArray (2.0).
    """

    def __init__(
        self, dtype: Type, element_shape: Sequence[int], dynamic_size: bool = True, size: int = 0, name: str = "TA"
    ) -> None:
        non_negative_int(size, "size", "TensorArray")
        super().__init__(dtype=dtype, element_shape=element_shape, dynamic_size=dynamic_size, size=size)
        self.attrs["name"] = name

    def __call__(self) -> Tensor:
        count = 0 if self.attrs["dynamic_size"] else self.attrs["size"]
        zeros = torch.zeros(plain_shape(self.attrs["element_shape"]), dtype=self.attrs["dtype"].torch)
        return self._arrays.keep([zeros] * count)


class TensorArrayWrite(_OfArrays):
    """Write an element of an array; those that it lacks before it become zeros.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayWrite (2.0).
    """

    def __init__(self) -> None:
        super().__init__()

    def __call__(self, handle: Tensor, index: Any, value: Tensor) -> None:
        array, (place,) = self._arrays.at(handle), plain_shape(index)
        array.extend(torch.zeros_like(value._data) for _ in range(place + 1 - len(array)))
        array[place] = value._data.clone()


class TensorArrayRead(_OfArrays):
    """Return an element of an array.

    Raises:
        RuntimeError: (when called) there is no such element.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayRead (2.0).
    """

    def __init__(self, dtype: Type, element_shape: Sequence[int]) -> None:
        super().__init__(dtype=dtype, element_shape=element_shape)

    def __call__(self, handle: Tensor, index: Any) -> Tensor:
        array, (place,) = self._arrays.at(handle), plain_shape(index)
        if not 0 <= place < len(array):
            raise RuntimeError(f"For 'TensorArrayRead', the array has {len(array)} elements, got index {place}.")
        return wrap(array[place])


class TensorArrayGather(TensorArrayRead):
    """Return elements of an array along a new first axis.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayGather (2.0).
    """

    def __call__(self, handle: Tensor, indices: Tensor) -> Tensor:
        array = self._arrays.at(handle)
        return wrap(torch.stack([array[place] for place in indices.tolist()]))


class TensorArrayStack(_OfArrays):
    """Return all elements of an array along a new first axis.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayStack (2.0).
    """

    def __init__(self, dtype: Type, element_shape: Sequence[int], dynamic_size: bool, size: int) -> None:
        super().__init__(dtype=dtype, element_shape=element_shape, is_dynamic_shape=dynamic_size, size=size)

    def __call__(self, handle: Tensor) -> Tensor:
        return wrap(torch.stack(self._arrays.at(handle)))


class _Simple(_OfArrays):
    """Base of those without attributes."""

    def __init__(self) -> None:
        super().__init__()


class TensorArraySize(_Simple):
    """Return the number of elements of an array.

    Follows: mindspore.ops.operations._tensor_array.TensorArraySize (2.0).
    """

    def __call__(self, handle: Tensor) -> Tensor:
        return Tensor(len(self._arrays.at(handle)))


class TensorArrayClear(_Simple):
    """Take all elements out of an array.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayClear (2.0).
    """

    def __call__(self, handle: Tensor) -> None:
        self._arrays.at(handle).clear()


class TensorArrayClose(_Simple):
    """Remove an array.

    Follows: mindspore.ops.operations._tensor_array.TensorArrayClose (2.0).
    """

    def __call__(self, handle: Tensor) -> None:
        self._arrays.drop(handle)
