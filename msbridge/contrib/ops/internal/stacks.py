"""Stacks of Tensors, which primitives of the same index share.

MindSpore has them for the Ascend; the judge is a list of Python.
"""

from collections.abc import Sequence
from typing import ClassVar

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.primitive.primitive import Primitive


class _OfStack(Primitive):
    """Base: the stacks of this process by index."""

    _stacks: ClassVar[dict[int, list[Tensor]]] = {}

    def __init__(self, index: int = 1) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("index", instance(index, "index", self.name, int))

    def _stack(self) -> list[Tensor]:
        found = self._stacks.get(self.attrs["index"])
        if found is None:
            raise RuntimeError(f"For '{self.name}', there is no stack {self.attrs['index']}: call StackInit before.")
        return found


class StackInit(_OfStack):
    """Make the stack of an index, empty.

    Follows: mindspore.ops.operations._inner_ops.StackInit (2.10).
    """

    def __call__(self) -> None:
        self._stacks[self.attrs["index"]] = []


class StackPush(_OfStack):
    """Put a Tensor on a stack.

    Follows: mindspore.ops.operations._inner_ops.StackPush (2.10).
    """

    def __call__(self, input: Tensor) -> None:
        self._stack().append(input)


class StackPop(_OfStack):
    """Take the last Tensor from a stack.

    Args:
        index: of the stack.
        shape: of the Tensor.
        dtype: of the Tensor.

    Raises:
        RuntimeError: (when called) there is no such stack, or it is empty.
        TypeError: `shape` is not a tuple or list of ints.

    Follows: mindspore.ops.operations._inner_ops.StackPop (2.10).
    """

    def __init__(self, index: int = 1, shape: Sequence[int] = (1,), dtype: Type = mstype.float32) -> None:
        super().__init__(index)
        for size in instance(shape, "shape", self.name, (list, tuple)):
            positive_int(size, "shape", self.name)
        self.add_prim_attr("shape", shape)
        self.add_prim_attr("dtype", instance(dtype, "dtype", self.name, Type))

    def __call__(self) -> Tensor:
        stack = self._stack()
        if not stack:
            raise RuntimeError(f"For 'StackPop', stack {self.attrs['index']} is empty.")
        return stack.pop()


class StackDestroy(_OfStack):
    """Remove the stack of an index.

    Follows: mindspore.ops.operations._inner_ops.StackDestroy (2.10).
    """

    def __call__(self) -> None:
        self._stack()
        del self._stacks[self.attrs["index"]]
