"""Types of core/tensor/tensor.py and of the methods that ops attaches; written by tools/stubs.py."""

import builtins
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np
import torch

import msbridge.ops.framework.device_placement.storage
from msbridge.core.types.dtype import Type

class Tensor:
    _data: torch.Tensor
    _has_fixed_memory: builtins.bool
    def __init__(self, input_data: Any=None, dtype: Type | None=None, shape: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None=None, init: Any=None, const_arg: builtins.bool=False, device: builtins.str | None=None) -> None: ...
    @property
    def shape(self) -> builtins.tuple[builtins.int, ...]: ...
    @property
    def dtype(self) -> Type: ...
    @property
    def ndim(self) -> builtins.int: ...
    @property
    def size(self) -> builtins.int: ...
    @property
    def itemsize(self) -> builtins.int: ...
    @property
    def nbytes(self) -> builtins.int: ...
    @property
    def strides(self) -> builtins.tuple[builtins.int, ...]: ...
    @property
    def device(self) -> builtins.str: ...
    @property
    def T(self) -> Tensor: ...
    @property
    def has_init(self) -> builtins.bool: ...
    def dim(self) -> builtins.int: ...
    def __len__(self) -> builtins.int: ...
    def __hash__(self) -> builtins.int: ...
    def asnumpy(self) -> np.ndarray: ...
    def numpy(self) -> np.ndarray: ...
    def __array__(self, dtype: Any=None, copy: builtins.bool | None=None) -> np.ndarray: ...
    def item(self) -> builtins.int | builtins.float | builtins.bool | builtins.complex: ...
    def tolist(self) -> Any: ...
    def __bool__(self) -> builtins.bool: ...
    def __int__(self) -> builtins.int: ...
    def __float__(self) -> builtins.float: ...
    def __complex__(self) -> builtins.complex: ...
    def __index__(self) -> builtins.int: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __contains__(self, element: Any) -> builtins.bool: ...
    def __str__(self) -> builtins.str: ...
    def __repr__(self) -> builtins.str: ...
    def _repr_html_(self) -> builtins.str: ...
    def __format__(self, spec: builtins.str) -> builtins.str: ...
    def __getitem__(self, index: Any) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def set_dtype(self, dtype: Type) -> Type: ...
    def init_data(self, slice_index: builtins.int | None=None, shape: Any=None, opt_shard_group: builtins.str | None=None) -> Tensor: ...
    def copy(self) -> Tensor: ...
    def __copy__(self) -> Tensor: ...
    def __deepcopy__(self, memodict: Any) -> Tensor: ...
    def __reduce__(self) -> builtins.tuple[Any, ...]: ...
    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor: ...
    def flush_from_cache(self) -> None: ...
    def __dlpack__(self, **arguments: Any) -> Any: ...
    def __dlpack_device__(self) -> builtins.tuple[builtins.int, builtins.int]: ...
    def register_hook(self, hook: Any) -> Any: ...
    @property
    def H(self) -> Tensor:
        """Exchange the last two axes and take the complex conjugate.

        Args:
            x: shape (..., n, m).

        Returns:
            A Tensor of shape (..., m, n) and the dtype of `x`.

        Follows: mindspore.ops.adjoint (2.10).
        """
    @property
    def data(self) -> Tensor: ...
    @data.setter
    def data(self, value: Tensor) -> None: ...
    @property
    def mH(self) -> Tensor:
        """Exchange the last two axes and take the complex conjugate.

        Args:
            x: shape (..., n, m).

        Returns:
            A Tensor of shape (..., m, n) and the dtype of `x`.

        Follows: mindspore.ops.adjoint (2.10).
        """
    @property
    def mT(self) -> Tensor: ...
    _dtensor_info: Any
    _dtype: Any
    _grad: Any
    _grad_node: Any
    _is_leaf: Any
    _itemsize: Any
    _nbytes: Any
    _output_index: Any
    _requires_grad: Any
    _retains_grad: Any
    _shape: Any
    _size: Any
    _strides: Any
    _version: Any
    const_arg: Any
    delta_seed: Any
    index_of_parent_: Any
    init: Any
    init_finished: Any
    init_flag: Any
    is_meta: Any
    param_info: Any
    parent_tensor_: Any
    symbolic_shape: Any
    virtual_flag: Any
    @staticmethod
    def convert_bytes_to_tensor(data: builtins.bytes, shape: builtins.tuple[builtins.int, ...], dtype: Type) -> Tensor:
        """Return a Tensor of what `get_bytes` returned.

        Args:
            data: the bytes.
            shape: the shape.
            dtype: the dtype.

        Returns:
            A Tensor of shape `shape` and dtype `dtype`.

        Follows: mindspore.Tensor.convert_bytes_to_tensor (2.10).
        """
    @staticmethod
    def from_dlpack(dlpack: Any) -> Tensor:
        """Return a Tensor that shares memory with another library's array.

        Args:
            dlpack: an array with `__dlpack__`, or a capsule.

        Returns:
            A Tensor of its shape and dtype.

        Follows: mindspore.from_dlpack, mindspore.utils.dlpack (2.10).
        """
    def __abs__(self) -> Tensor:
        """Return the absolute value; of complex numbers the magnitude, complex too.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.abs (2.10).
        """
    def __add__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `self + other`."""
    def __and__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "and" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_and (2.10).
        """
    def __eq__(self, other: builtins.object) -> Any: """Return a boolean tensor, true where both are equal; what is neither Tensor nor number is never equal."""
    def __floordiv__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `self // other`."""
    def __ge__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input >= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater_equal, mindspore.ops.ge (2.10).
        """
    def __gt__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input > other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater, mindspore.ops.gt (2.10).
        """
    def __iadd__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self += other`."""
    def __ifloordiv__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self //= other`."""
    def __imod__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self %= other`."""
    def __imul__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self *= other`."""
    def __invert__(self) -> Tensor:
        """Return a boolean tensor, true where `input` is false (zero).

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.logical_not (2.10).
        """
    def __isub__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self -= other`."""
    def __itruediv__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return the result of `self /= other`."""
    def __le__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input <= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less_equal, mindspore.ops.le (2.10).
        """
    def __lt__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input < other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: no input is a Tensor, or one is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less, mindspore.ops.lt (2.10).
        """
    def __matmul__(self, other: Tensor) -> Tensor:
        """Multiply matrices over the last two axes, or vectors; the dtypes must be equal.

        Args:
            input: shape (n,), (…, k) or (…, n, k); any dtype but Bool.
            other: shape (k,) or (…, k, m), in the dtype of `input`; the axes in front broadcast.

        Returns:
            A Tensor of shape (…, n, m), without the axis that a vector lacks, in the dtype of `input`.

        Raises:
            TypeError: the dtypes differ.
            RuntimeError: the inner lengths differ.

        Follows: mindspore.ops.matmul (2.10).
        """
    def __mod__(self, y: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the remainder of the division that rounds down; it has the sign of `y`.

        Args:
            x: a Tensor or number of any shape and dtype.
            y: a Tensor or number that broadcasts against `x`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.floor_mod (2.10).
        """
    def __mul__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Multiply element by element; a 0-d tensor does not widen the other's dtype.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Examples:
            >>> ops.mul(Tensor([1, 2]), 3).asnumpy(), ops.Mul()(Tensor([2]), Tensor([3])).asnumpy()
            (array([3, 6]), array([6]))

        Follows: mindspore.ops.mul (2.10).
        """
    def __ne__(self, other: builtins.object) -> Any: """Return a boolean tensor, true where both differ; what is neither Tensor nor number always differs."""
    def __neg__(self) -> Tensor:
        """Change the sign.

        Args:
            input: a Tensor of any shape; any dtype but Bool.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.neg (2.10).
        """
    def __or__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "or" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_or (2.10).
        """
    def __pos__(self) -> Tensor: ...
    def __pow__(self, exponent: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Raise to a power element by element; an integer to a negative power is 0 (±1 for ±1).

        Args:
            input: a Tensor or number of any shape; any dtype.
            exponent: a Tensor or number that broadcasts against `input`; not both hold bools.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or both hold bools.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.pow (2.10).
        """
    def __radd__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `self + other`."""
    def __req__(self, other: builtins.object) -> Any: """Return a boolean tensor, true where both are equal; what is neither Tensor nor number is never equal."""
    def __rfloordiv__(self, other: builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `other // self`."""
    def __rmatmul__(self, other: Tensor) -> Tensor: """Return `other @ self`."""
    def __rmod__(self, other: builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `other % self`."""
    def __rmul__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Multiply element by element; a 0-d tensor does not widen the other's dtype.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Examples:
            >>> ops.mul(Tensor([1, 2]), 3).asnumpy(), ops.Mul()(Tensor([2]), Tensor([3])).asnumpy()
            (array([3, 6]), array([6]))

        Follows: mindspore.ops.mul (2.10).
        """
    def __round__(self) -> Tensor: """Round to integers, halves to the even neighbour."""
    def __rpow__(self, other: builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `other ** self`."""
    def __rsub__(self, other: builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `other - self`."""
    def __rtruediv__(self, other: builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `other / self`."""
    def __sub__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor: """Return `self - other`."""
    def __truediv__(self, divisor: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Divide element by element; integers yield Float32.

        Args:
            dividend: a Tensor or number of any shape and dtype.
            divisor: a Tensor or number that broadcasts against `dividend`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.true_divide (2.10).
        """
    def __xor__(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "exclusive or" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_xor (2.10).
        """
    def _data_ptr(self) -> builtins.int: ...
    def _flush_from_cache(self, *arguments: Any) -> None: """Do nothing: values are where operators take them from."""
    def _get_user_data(self, key: builtins.str) -> Any: ...
    def _getitem(self, index: Any) -> Tensor: ...
    def _getitem_origin(self, index: Any) -> Tensor: ...
    def _has_auto_grad(self) -> builtins.bool: ...
    def _is_test_stub(self) -> builtins.bool: ...
    def _item(self) -> builtins.int | builtins.float | builtins.bool | builtins.complex:
        """Return the only element as a Python number.

        Raises:
            ValueError: there are more elements, or none.

        Follows: mindspore.Tensor.item (2.10).
        """
    def _load(self, *arguments: Any) -> None: """Do nothing: values are where operators take them from."""
    def _numpy_non_blocking(self) -> np.ndarray: ...
    def _offload(self, *arguments: Any) -> NoReturn:
        """Refuse to keep the values in a file.

        Args:
            self: the tensor.
            arguments: anything.

        Returns:
            Nothing.

        Raises:
            RuntimeError: always.
        """
    def _retain_grad(self) -> None:
        """Keep the gradient of an intermediate result as `_grad`.

        Raises:
            RuntimeError: nothing records gradients of it.
        """
    def _set_user_data(self, key: builtins.str, value: Any) -> None: ...
    def _setitem(self, index: Any, value: Any) -> None: ...
    def _setitem_origin(self, index: Any, value: Any) -> None: ...
    def _tolist(self) -> Any: """Return the values as nested Python lists, or a number for a 0-d tensor."""
    def _update_data(self, value: Tensor) -> Tensor:
        """Take the memory of another Tensor, and its dtype; weights and inputs of a gradient function take its values.

        Args:
            self: changed in place.
            value: any shape and dtype.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.assign_value (2.10).
        """
    def abs(self) -> Tensor:
        """Return the absolute value; of complex numbers the magnitude, complex too.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.abs (2.10).
        """
    def absolute(self) -> Tensor:
        """Return the absolute value; of complex numbers the magnitude, complex too.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.abs (2.10).
        """
    def acos(self) -> Tensor:
        """Return the inverse cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.acos (2.10).
        """
    def acosh(self) -> Tensor:
        """Return the inverse hyperbolic cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.acosh (2.10).
        """
    def add(self, other: Any, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Add `alpha * other`, element by element; a list or tuple counts as a Tensor of the same dtype.

        Args:
            self: one addend.
            other: the other: a Tensor that broadcasts against this one, a number, a list or a tuple.
            alpha: what `other` is multiplied by.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.Tensor.add (2.10).
        """
    def add_(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex, *, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Add `alpha * other` in place.

        Args:
            input: changed in place.
            other: a number, or a Tensor that broadcasts to this one.
            alpha: what `other` is multiplied by.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.add_ (2.10).
        """
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `beta * input + alpha * Σ (batch1[i] @ batch2[i])`.

        Args:
            input: broadcasts to (n, m).
            batch1: shape (b, n, k), in the dtype of `input`; any dtype but Bool.
            batch2: shape (b, k, m).
            beta: a factor for `input`.
            alpha: a factor for the sum.

        Returns:
            A Tensor of shape (n, m) and the dtype of `input`.

        Follows: mindspore.ops.addbmm (2.10).
        """
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `input + value * tensor1 / tensor2`.

        Args:
            input: any shape and dtype.
            tensor1: broadcasts against `input`.
            tensor2: broadcasts against `input`.
            value: a factor, a number or Tensor.

        Returns:
            A Tensor of the broadcast shape and the dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.addcdiv (2.10).
        """
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `input + value * tensor1 * tensor2`.

        Args:
            input: any shape and dtype.
            tensor1: broadcasts against `input`.
            tensor2: broadcasts against `input`.
            value: a factor, a number or Tensor.

        Returns:
            A Tensor of the broadcast shape and the dtype of `input`; Int64 for bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.addcmul (2.10).
        """
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `beta * input + alpha * (mat1 @ mat2)`.

        Args:
            input: broadcasts to (n, m).
            mat1: shape (n, k), in the dtype of `input`; any dtype but Bool.
            mat2: shape (k, m).
            beta: a factor for `input`.
            alpha: a factor for the product.

        Returns:
            A Tensor of shape (n, m) and the dtype of `input`.

        Raises:
            TypeError: an input is not a Tensor, or holds bools.

        Follows: mindspore.ops.addmm (2.10).
        """
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Make `beta * input + alpha * (mat1 @ mat2)` of `input`, in place.

        Args:
            input: changed in place: shape (n, p), or one that broadcasts to it.
            mat1: shape (n, m).
            mat2: shape (m, p).
            beta: what this one is multiplied by.
            alpha: what the product is multiplied by.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.addmm_ (2.10).
        """
    def addmv(self, mat: Tensor, vec: Tensor, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `beta * input + alpha * (mat @ vec)`.

        Args:
            self: broadcasts to (n,).
            mat: shape (n, k), in the dtype of `self`; any dtype but Bool.
            vec: shape (k,).
            beta: a factor for `self`.
            alpha: a factor for the product.

        Returns:
            A Tensor of shape (n,) and the dtype of `self`.

        Follows: mindspore.ops.addmv (2.10).
        """
    def addr(self, vec1: Tensor, vec2: Tensor, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `beta * x + alpha * outer(vec1, vec2)`.

        Args:
            self: shape (n, m), or one that broadcasts to it.
            vec1: shape (n,).
            vec2: shape (m,).
            beta: what `self` is multiplied by.
            alpha: what the product is multiplied by.

        Returns:
            A Tensor of shape (n, m) and their dtype.

        Follows: mindspore.ops.addr (2.10).
        """
    def adjoint(self) -> Tensor:
        """Exchange the last two axes and take the complex conjugate.

        Args:
            x: shape (..., n, m).

        Returns:
            A Tensor of shape (..., m, n) and the dtype of `x`.

        Follows: mindspore.ops.adjoint (2.10).
        """
    def all(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keep_dims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return whether all elements along axes are true (not zero).

        Args:
            self: any shape and dtype.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keep_dims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.

        Returns:
            A Tensor of the same shape without the reduced axes; Bool.

        Follows: mindspore.Tensor.all (2.10).
        """
    def allclose(self, other: Tensor, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> builtins.bool:
        """Return whether `|input - other| <= atol + rtol * |other|` everywhere.

        Args:
            input: any shape and dtype.
            other: of the dtype of `input`; broadcasts against it.
            rtol: the distance that is allowed for each unit of `|other|`.
            atol: the distance that is allowed in addition.
            equal_nan: whether NaN is close to NaN.

        Returns:
            A bool, for which the host waits.

        Raises:
            TypeError: an input is not a Tensor, or the dtypes differ.

        Follows: mindspore.mint.allclose (2.10).
        """
    def amax(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False, *, initial: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, where: Tensor | None = None) -> Tensor:
        """Return the largest elements along axes; none is below `initial`, which counts for what `where` leaves out.

        Args:
            input: any shape; any dtype but Complex.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.
            initial: no result is below it.
            where: which elements count, Bool; broadcasts against `input`.

        Returns:
            A Tensor of the dtype of `input`, without the reduced axes.

        Follows: mindspore.ops.amax (2.10).
        """
    def amin(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False, *, initial: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, where: Tensor | None = None) -> Tensor:
        """Return the smallest elements along axes; none is above `initial`, which counts for what `where` leaves out.

        Args:
            input: any shape; any dtype but Complex.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.
            initial: no result is above it.
            where: which elements count, Bool; broadcasts against `input`.

        Returns:
            A Tensor of the dtype of `input`, without the reduced axes.

        Follows: mindspore.ops.amin (2.10).
        """
    def aminmax(self, *, axis: builtins.int | None = 0, keepdims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the smallest and the largest elements along an axis.

        Args:
            input: any shape; any dtype but Complex.
            axis: which axis; None takes all elements.
            keepdims: keep the axis with length 1.

        Returns:
            (smallest, largest), without the axis, of the dtype of `input`.

        Follows: mindspore.ops.aminmax (2.10).
        """
    def angle(self) -> Tensor:
        """Return the angle of complex numbers; of real ones 0 or π.

        Args:
            input: any shape and dtype.

        Returns:
            A Tensor of the shape of `input`, a real dtype; Float32 for integers and bools.

        Follows: mindspore.ops.angle (2.10).
        """
    def any(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keep_dims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return whether one element along axes is true (not zero).

        Args:
            self: any shape and dtype.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keep_dims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.

        Returns:
            A Tensor of the same shape without the reduced axes; Bool.

        Follows: mindspore.Tensor.any (2.10).
        """
    def approximate_equal(self, other: Tensor, tolerance: builtins.float = 1e-05) -> Tensor:
        """Return a boolean tensor, true where `|x - y| < tolerance`.

        Args:
            self: any shape; integers or floats.
            other: broadcasts against `self`.
            tolerance: the difference from which on elements differ.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Follows: mindspore.ops.approximate_equal (2.10).
        """
    def arccos(self) -> Tensor:
        """Return the inverse cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.acos (2.10).
        """
    def arccosh(self) -> Tensor:
        """Return the inverse hyperbolic cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.acosh (2.10).
        """
    def arcsin(self) -> Tensor:
        """Return the angle in radians, in [-π/2, π/2], whose sine is `x`.

        Args:
            x: any shape and dtype; NaN comes of real numbers outside [-1, 1].

        Returns:
            A Tensor of the shape and dtype of `x`; Float32 for integers and bools.

        Follows: mindspore.ops.arcsin (2.10).
        """
    def arcsinh(self) -> Tensor:
        """Return the inverse hyperbolic sine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.asinh (2.10).
        """
    def arctan(self) -> Tensor:
        """Return the inverse tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.atan (2.10).
        """
    def arctan2(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the angle of the point (other, input), in [-π, π].

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.atan2 (2.10).
        """
    def arctanh(self) -> Tensor:
        """Return the inverse hyperbolic tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.atanh (2.10).
        """
    def argmax(self, axis: builtins.int | None = None, keepdims: builtins.bool = False, *, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return the index of the largest element, Int64; None looks at the flattened tensor.

        Args:
            self: any shape; any dtype but Complex.
            axis: which axis, in [-rank, rank).
            keepdims: keep the axis with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            A Tensor of the same shape without the axis; Int64.

        Examples:
            >>> Tensor([[1, 5], [3, 4]]).argmax(axis=1).asnumpy().tolist()
            [1, 1]

        Follows: mindspore.Tensor.argmax (2.10).
        """
    def argmax_with_value(self, axis: builtins.int = 0, keep_dims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the largest elements along an axis, and where they are.

        Args:
            self: any shape; integers or floats.
            axis: which axis, in [-rank, rank).
            keep_dims: keep the axis with length 1.

        Returns:
            (values, indices), without the axis: of the same dtype, and Int64.

        Follows: mindspore.Tensor.argmax_with_value (2.10).
        """
    def argmin(self, axis: builtins.int | None = None, keepdims: builtins.bool = False, *, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return the index of the smallest element, Int32; None looks at the flattened tensor.

        Args:
            self: any shape; any dtype but Complex.
            axis: which axis, in [-rank, rank).
            keepdims: keep the axis with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            A Tensor of the same shape without the axis; Int32.

        Follows: mindspore.Tensor.argmin (2.10).
        """
    def argmin_with_value(self, axis: builtins.int = 0, keep_dims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the smallest elements along an axis, and where they are.

        Args:
            self: any shape; integers or floats.
            axis: which axis, in [-rank, rank).
            keep_dims: keep the axis with length 1.

        Returns:
            (values, indices), without the axis: of the same dtype, and Int64.

        Follows: mindspore.Tensor.argmin_with_value (2.10).
        """
    def argsort(self, axis: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool = True, *, dim: builtins.int | None = None) -> Tensor:
        """Return the places that sort along `axis` (or `dim`); the order of equal elements is always kept.

        Args:
            self: any shape; any dtype but Complex.
            axis: along which axis, in [-rank, rank).
            descending: the largest first.
            stable: without effect.
            dim: another name of `axis`.

        Returns:
            A Tensor of the same shape; Int32.

        Follows: mindspore.Tensor.argsort (2.10).
        """
    def argwhere(self) -> Tensor:
        """Return the places of elements that are not zero, as `nonzero`.

        Args:
            input: any shape and dtype.

        Returns:
            An Int64 Tensor of shape (n, input.ndim); the host waits for n.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.argwhere (2.10).
        """
    def asin(self) -> Tensor:
        """Return the inverse sine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.asin (2.10).
        """
    def asinh(self) -> Tensor:
        """Return the inverse hyperbolic sine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.asinh (2.10).
        """
    def assign_value(self, value: Tensor) -> Tensor:
        """Take the memory of another Tensor, and its dtype; weights and inputs of a gradient function take its values.

        Args:
            self: changed in place.
            value: any shape and dtype.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.assign_value (2.10).
        """
    def assign_value_cpp(self, value: Tensor) -> Tensor:
        """Take the memory of another Tensor, and its dtype; weights and inputs of a gradient function take its values.

        Args:
            self: changed in place.
            value: any shape and dtype.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.assign_value (2.10).
        """
    def astype(self, dtype: Type | builtins.str | builtins.type, copy: builtins.bool = True) -> Tensor:
        """Change the dtype; a tensor that has it already shares its memory with the result.

        The gradient passes through a cast to integers as through any other; torch's would end there.

        Args:
            self: the tensor.
            dtype: a MindSpore dtype, its name, or a Python or numpy type.
            copy: without it, a tensor that has the dtype already is given back itself.

        Returns:
            A Tensor of the same shape and the dtype; it shares memory with this one if that has the dtype already.

        Raises:
            TypeError: there is no such dtype.

        Examples:
            >>> Tensor([1.5, 2.5]).astype(ms.int32).asnumpy().tolist()
            [1, 2]

        Follows: mindspore.Tensor.astype (2.10).
        """
    def atan(self) -> Tensor:
        """Return the inverse tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.atan (2.10).
        """
    def atan2(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the angle of the point (other, input), in [-π, π].

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.atan2 (2.10).
        """
    def atanh(self) -> Tensor:
        """Return the inverse hyperbolic tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.atanh (2.10).
        """
    def baddbmm(self, batch1: Tensor, batch2: Tensor, beta: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Return `beta * input[i] + alpha * (batch1[i] @ batch2[i])` for each i.

        Args:
            input: broadcasts to (b, n, m).
            batch1: shape (b, n, k), in the dtype of `input`; any dtype but Bool.
            batch2: shape (b, k, m).
            beta: a factor for `input`.
            alpha: a factor for the products.

        Returns:
            A Tensor of shape (b, n, m) and the dtype of `input`.

        Raises:
            TypeError: an input is not a Tensor, or holds bools.

        Follows: mindspore.ops.baddbmm (2.10).
        """
    def bernoulli(self, *, generator: Any = None) -> Tensor:
        """Draw 1 with the probability in each element, else 0.

        Args:
            self: probabilities, any shape; floats.
            generator: a Generator, or None for the global one.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.bernoulli (2.10).
        """
    def bernoulli_(self, p: builtins.float | Tensor = 0.5, *, generator: Any = None) -> Tensor:
        """Draw every element again: 1 with probability `p`, else 0.

        Args:
            input: changed in place.
            p: in [0, 1]; a number, or a Tensor that broadcasts to `input`.
            generator: a Generator, or None for the global one.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.bernoulli_ (2.10).
        """
    def bfloat16(self) -> Tensor:
        """Change the dtype to BFloat16; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; BFloat16.

        Follows: mindspore.Tensor.bfloat16 (2.10).
        """
    def bincount(self, weights: Tensor | None = None, minlength: builtins.int | Tensor = 0) -> Tensor:
        """Count how often each integer from 0 up appears, or add up their weights; the result is Float32.

        Negative numbers and fractions are left out.

        Args:
            input: a vector of integers, none negative.
            weights: a vector of the same length, added up in place of ones.
            minlength: of the result.

        Returns:
            A Float32 vector, of the length of the largest integer plus 1, or `minlength`.

        Follows: mindspore.ops.bincount (2.10).
        """
    def bitwise_and(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "and" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_and (2.10).
        """
    def bitwise_left_shift(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Shift the bits of `input` to the left by `other`.

        Args:
            input: a Tensor or number of any shape; integers.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_left_shift (2.10).
        """
    def bitwise_not(self) -> Tensor:
        """Turn over every bit of integers; "not" of bools.

        Args:
            input: a Tensor of any shape; integers or bools.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.mint.bitwise_not (2.10).
        """
    def bitwise_or(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "or" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_or (2.10).
        """
    def bitwise_right_shift(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Shift the bits of `input` to the right by `other`.

        Args:
            input: a Tensor or number of any shape; integers.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_right_shift (2.10).
        """
    def bitwise_xor(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return "exclusive or" of the bits of integers.

        Args:
            input: a Tensor or number of any shape; integers or bools.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.bitwise_xor (2.10).
        """
    def bmm(self, mat2: Tensor) -> Tensor:
        """Multiply batches of matrices.

        Args:
            input_x: shape (..., n, m).
            mat2: shape (..., m, p), of the dtype of `input_x`.

        Returns:
            A Tensor of shape (..., n, p) and their dtype.

        Follows: mindspore.ops.bmm (2.10).
        """
    def bool(self) -> Tensor:
        """Change the dtype to Bool; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Bool.

        Follows: mindspore.Tensor.bool (2.10).
        """
    def broadcast_to(self, shape: Sequence[builtins.int] | Tensor) -> Tensor:
        """Repeat axes of length 1 to reach `shape`; -1 keeps a length. The result shares memory.

        Args:
            input: any shape and dtype.
            shape: the lengths of the axes; further ones are in front.

        Returns:
            A Tensor of the dtype of `input`, a view.

        Raises:
            ValueError: `input` does not broadcast to `shape`.

        Follows: mindspore.ops.broadcast_to (2.10).
        """
    def byte(self) -> Tensor:
        """Change the dtype to UInt8; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; UInt8.

        Follows: mindspore.Tensor.byte (2.10).
        """
    def cauchy(self, median: builtins.float = 0.0, sigma: builtins.float = 1.0) -> Tensor:
        """Draw a tensor of this shape and dtype from the Cauchy distribution.

        Args:
            self: any shape.
            median: the middle.
            sigma: the scale, positive.

        Returns:
            A Tensor of the same shape; Float32.

        Follows: mindspore.Tensor.cauchy (2.10).
        """
    def ceil(self) -> Tensor:
        """Round up.

        Args:
            input: a Tensor of any shape; integers or floats.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.ceil (2.10).
        """
    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """Return the triangular L with L Lᴴ = input, or with `upper` U with Uᴴ U = input.

        Args:
            input_x: shape (..., n, n), Hermitian and positive definite; floats or complex numbers.
            upper: return U.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Follows: mindspore.ops.cholesky (2.10).
        """
    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """Return the inverse of the matrix whose Cholesky factor is given.

        Args:
            input_x: the factor, (..., n, n); floats or complex numbers.
            upper: whether it is the upper one.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Follows: mindspore.ops.cholesky_inverse (2.10).
        """
    def cholesky_solve(self, input2: Tensor, upper: builtins.bool = False) -> Tensor:
        """Solve A x = input, given the Cholesky factor `input2` of A.

        Args:
            input: the right side, (..., n, k); floats or complex numbers.
            input2: the factor, (..., n, n).
            upper: whether it is the upper one.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.cholesky_solve (2.10).
        """
    def choose(self, choices: Sequence[Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex] | Tensor, mode: builtins.str = 'clip') -> Tensor:
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
    def chunk(self, chunks: builtins.int, axis: builtins.int = 0, *, dim: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Split into `chunks` parts along `axis` (or `dim`), of which the last may be shorter.

        Args:
            self: at least one axis.
            chunks: how many parts, at most.
            axis: along which, in [-rank, rank).
            dim: another name of `axis`.

        Returns:
            A tuple of views of the same dtype.

        Follows: mindspore.Tensor.chunk (2.10).
        """
    def clamp(self, min: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, max: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None) -> Tensor:
        """Bound the elements from below and above; None does not bound.

        Args:
            input: any shape; any dtype but Complex.
            min: the least value, a number or a Tensor that broadcasts against `input`.
            max: the largest, likewise.

        Returns:
            A Tensor of the shape that the inputs broadcast to, of the dtype of `input`.

        Raises:
            ValueError: neither bound is given.

        Follows: mindspore.ops.clamp (2.10).
        """
    def clamp_(self, min: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, max: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None) -> Tensor:
        """Bound the elements in place.

        Args:
            input: any shape; any dtype but Complex.
            min: the least value, a number or a Tensor that broadcasts to `input`.
            max: the largest, likewise.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.clamp_ (2.10).
        """
    def clip(self, min: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, max: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None) -> Tensor:
        """Bound the elements from below and above; None does not bound.

        Args:
            input: any shape; any dtype but Complex.
            min: the least value, a number or a Tensor that broadcasts against `input`.
            max: the largest, likewise.

        Returns:
            A Tensor of the shape that the inputs broadcast to, of the dtype of `input`.

        Raises:
            ValueError: neither bound is given.

        Follows: mindspore.ops.clamp (2.10).
        """
    def clone(self) -> Tensor:
        """Return a Tensor of the same values in memory of its own; gradients flow through.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.clone (2.10).
        """
    def col2im(self, output_size: builtins.int | Sequence[builtins.int] | Tensor, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int], padding_value: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Add windows up where they were taken: (n, c, kh·kw, windows) becomes (n, c, h, w).

        Args:
            input_x: shape (n, c, kh·kw, windows); floats.
            output_size: (h, w).
            kernel_size: an int or (height, width).
            dilation: the distance of neighbours in a window, likewise.
            padding_value: what was put around the image, likewise.
            stride: the distance of windows, likewise.

        Returns:
            A Tensor of shape (n, c, h, w) and the dtype of `input_x`.

        Follows: mindspore.ops.col2im (2.10).
        """
    def conj(self) -> Tensor:
        """Return the complex conjugate.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.conj (2.10).
        """
    def contiguous(self) -> Tensor:
        """Return the tensor with its elements in order without gaps: itself, if they are.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.contiguous (2.10).
        """
    def copy_(self, src: Tensor, non_blocking: builtins.bool = False) -> Tensor:
        """Write the values of `src`, cast and broadcast, into `input`.

        Args:
            input: changed in place.
            src: a Tensor that broadcasts to this one, of any dtype.
            non_blocking: do not wait for a copy between page-locked memory and the device.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.copy_ (2.10).
        """
    def copysign(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the magnitude of `x` with the sign of `other`.

        Args:
            x: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `x`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.copysign (2.10).
        """
    def cos(self) -> Tensor:
        """Return the cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.cos (2.10).
        """
    def cosh(self) -> Tensor:
        """Return the hyperbolic cosine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.cosh (2.10).
        """
    def count_nonzero(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = ..., keep_dims: builtins.bool = False, dtype: Type | None = None, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None) -> Tensor:
        """Count the elements along `axis` (or `dim`) that are not 0, Int32 unless `dtype` says otherwise.

        Args:
            self: any shape and dtype.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keep_dims: keep the reduced axes with length 1.
            dtype: that of the result; None for Int32.
            dim: another name of `axis`.

        Returns:
            A Tensor of the same shape without the reduced axes.

        Follows: mindspore.Tensor.count_nonzero (2.10).
        """
    def cov(self, *, correction: builtins.int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """Return the covariances of the rows of a matrix.

        Args:
            input: shape (variables, observations), or (observations,).
            correction: subtracted from the count of observations.
            fweights: how often each observation counts, (observations,), integers.
            aweights: the weight of each observation, (observations,).

        Returns:
            A Tensor of shape (variables, variables), or 0-d; floats.

        Follows: mindspore.ops.cov (2.10).
        """
    def cross(self, other: Tensor, dim: builtins.int | None = None) -> Tensor:
        """Return the cross product of vectors of three along an axis: by default the first one of length 3.

        Args:
            input: any shape with an axis of length 3; any dtype but Bool.
            other: broadcasts against `input`.
            dim: the axis of length 3; None for the first one.

        Returns:
            A Tensor of the broadcast shape and the dtype of `input`.

        Raises:
            TypeError: an input is not a Tensor, or holds bools.

        Follows: mindspore.ops.cross (2.10).
        """
    def cummax(self, axis: builtins.int) -> builtins.tuple[Tensor, Tensor]:
        """Return the running maxima along an axis and where they are, Int64.

        Args:
            input: any shape; any dtype but Complex.
            axis: in [-input.ndim, input.ndim).

        Returns:
            Two Tensors of the shape of `input`: the values in its dtype, and the indices along `axis` in Int64.

        Raises:
            TypeError: `input` is not a Tensor, or is complex.
            ValueError: `axis` is out of range.

        Follows: mindspore.ops.cummax (2.10).
        """
    def cummin(self, axis: builtins.int) -> builtins.tuple[Tensor, Tensor]:
        """Return the running minima along an axis and where they are, Int32.

        Args:
            input: any shape; any dtype but Complex.
            axis: along which axis, in [-rank, rank).

        Returns:
            (values, indices), of the shape of `input`: of its dtype, and Int32.

        Follows: mindspore.ops.cummin (2.10).
        """
    def cumprod(self, dim: builtins.int, dtype: Type | None = None) -> Tensor:
        """Return the running products along an axis; integers yield Int64.

        Args:
            input: any shape and dtype.
            dim: an axis in [-input.ndim, input.ndim).
            dtype: of the products; None for that of `input`, or Int64 for integers and bools.

        Returns:
            A Tensor of the shape of `input`.

        Raises:
            TypeError: `input` is not a Tensor.
            ValueError: `dim` is out of range.

        Follows: mindspore.ops.cumprod (2.10).
        """
    def cumsum(self, axis: builtins.int | None = None, dtype: Type | None = None, *, dim: builtins.int | None = None) -> Tensor:
        """Return the running sums along an axis; None flattens, and integers of 8 and 16 bits yield Int32.

        Args:
            self: any shape of numbers.
            axis: along which axis, in [-rank, rank); None flattens.
            dtype: what to cast to first.
            dim: another name of `axis`.

        Returns:
            A Tensor of the same shape, or of one axis.

        Follows: mindspore.Tensor.cumsum (2.10).
        """
    def data_ptr(self) -> builtins.int:
        """Return the address of the first element.

        Returns:
            An int.

        Follows: mindspore.Tensor.data_ptr (2.10).
        """
    def data_sync(self, wait: builtins.bool = False) -> None:
        """Do nothing: values are brought to the host when they are read.

        Args:
            self: the tensor.
            wait: without effect.

        Returns:
            None.

        Follows: mindspore.Tensor.data_sync (2.10).
        """
    def deg2rad(self) -> Tensor:
        """Turn degrees into radians.

        Args:
            x: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `x`; Float32 for integers and bools.

        Raises:
            TypeError: `x` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.deg2rad (2.10).
        """
    def delete_(self, non_blocking: builtins.bool = False) -> Tensor:
        """Free the memory; the Tensor keeps its shape and dtype, and is 0 everywhere.

        Args:
            self: the tensor.
            non_blocking: without effect: torch frees memory when the device has done with it.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.delete_ (2.10).
        """
    def det(self) -> Tensor:
        """Return the determinant of square matrices.

        Args:
            input: shape (..., n, n); floats or complex numbers.

        Returns:
            A Tensor of shape (...) and the dtype of `input`.

        Follows: mindspore.ops.det (2.10).
        """
    def diag(self, diagonal: builtins.int = 0) -> Tensor:
        """Make a matrix with these values on its diagonal.

        Args:
            self: at least one axis.
            diagonal: 0.

        Returns:
            A Tensor of twice as many axes and the same dtype.

        Raises:
            ValueError: `diagonal` is not 0.

        Follows: mindspore.Tensor.diag (2.10).
        """
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """Make a matrix with all elements of `input` on a diagonal.

        Args:
            input: any shape and dtype; it is flattened.
            offset: which diagonal; positive ones are above the main one.

        Returns:
            A matrix of the dtype of `input`.

        Follows: mindspore.ops.diagflat (2.10).
        """
    def diagonal(self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1) -> Tensor:
        """Return the diagonal over two axes, as the last axis.

        Args:
            self: at least two axes.
            offset: which diagonal; positive ones are above the main one.
            axis1: the axis of rows.
            axis2: the axis of columns.

        Returns:
            A view of the dtype of `self`, with one axis, the last, for the two.

        Follows: mindspore.ops.diagonal (2.10).
        """
    def diagonal_scatter(self, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Write `src` into a diagonal of a copy.

        Args:
            input: at least two axes; it stays as it is.
            src: of the shape of the diagonal.
            offset: which diagonal; positive ones are above the main one.
            dim1: the axis of rows.
            dim2: the axis of columns.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.diagonal_scatter (2.10).
        """
    def diff(self, n: builtins.int = 1, axis: builtins.int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
        """Return the n-th differences of neighbours along an axis.

        Args:
            x: at least one axis.
            n: how often to take differences.
            axis: along which axis.
            prepend: what is put before `x`.
            append: what is put after `x`.

        Returns:
            A Tensor of the dtype of `x`, shorter by `n` along the axis.

        Follows: mindspore.ops.diff (2.10).
        """
    def digamma(self) -> Tensor:
        """Return the derivative of `lgamma`.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.digamma (2.10).
        """
    def div(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex, *, rounding_mode: builtins.str | None = None) -> Tensor:
        """Divide element by element; integers yield Float32.

        Args:
            input: the dividend.
            other: the divisor.
            rounding_mode: None, "floor" or "trunc".

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; without rounding, Float32 for integers and bools.

        Raises:
            ValueError: another `rounding_mode`.

        Follows: mindspore.ops.div (2.10).
        """
    def div_(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex, *, rounding_mode: builtins.str | None = None) -> Tensor:
        """Divide in place.

        Args:
            input: changed in place; floats, unless there is a `rounding_mode`.
            other: a number, or a Tensor that broadcasts to this one.
            rounding_mode: None, "floor" or "trunc".

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.div_ (2.10).
        """
    def divide(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex, *, rounding_mode: builtins.str | None = None) -> Tensor:
        """Divide element by element; integers yield Float32.

        Args:
            input: the dividend.
            other: the divisor.
            rounding_mode: None, "floor" or "trunc".

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; without rounding, Float32 for integers and bools.

        Raises:
            ValueError: another `rounding_mode`.

        Follows: mindspore.ops.div (2.10).
        """
    def dot(self, other: Tensor) -> Tensor:
        """Sum products over the last axis of `input` and the last but one of `other` (the only one of a vector).

        Args:
            input: at least one axis; floats.
            other: at least one axis, of the dtype of `input`.

        Returns:
            A Tensor of the other axes of both, and their dtype.

        Follows: mindspore.ops.dot (2.10).
        """
    def double(self) -> Tensor:
        """Change the dtype to Float64; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Float64.

        Follows: mindspore.Tensor.double (2.10).
        """
    def dsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int]) -> builtins.tuple[Tensor, ...]:
        """Split along the third axis.

        Args:
            input: three axes or more; any dtype.
            indices_or_sections: a number of parts, or the indices before which it is split.

        Returns:
            A tuple of Tensors, views of `input`.

        Follows: mindspore.ops.dsplit (2.10).
        """
    def eigvals(self) -> Tensor:
        """Return the eigenvalues of square matrices, complex.

        Args:
            A: shape (..., n, n); floats or complex numbers.

        Returns:
            A Tensor of shape (..., n); Complex64 or Complex128.

        Follows: mindspore.ops.eigvals (2.10).
        """
    def eq(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input == other`.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Raises:
            TypeError: no input is a Tensor.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.equal (2.10).
        """
    def equal(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input == other`.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Raises:
            TypeError: no input is a Tensor.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.equal (2.10).
        """
    def erf(self) -> Tensor:
        """Return the Gauss error function.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.erf (2.10).
        """
    def erfc(self) -> Tensor:
        """Return 1 - erf(input).

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.erfc (2.10).
        """
    def erfinv(self) -> Tensor:
        """Return the inverse of `erf`, defined in (-1, 1).

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.erfinv (2.10).
        """
    def erfinv_(self) -> Tensor:
        """Take the inverse error function in place.

        Args:
            input: any shape; floats.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.erfinv_ (2.10).
        """
    def exp(self) -> Tensor:
        """Return e to the power of each element.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.exp (2.10).
        """
    def exp_(self) -> Tensor:
        """Raise e to the elements in place.

        Args:
            input: changed in place.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.exp_ (2.10).
        """
    def expand(self, *size: builtins.int | Sequence[builtins.int] | Tensor) -> Tensor:
        """Broadcast: `expand(2, 3)` or `expand((2, 3))`.

        Args:
            self: any shape and dtype.
            size: the shape, ints or one sequence; -1 keeps a length.

        Returns:
            A view of that shape and the same dtype.

        Follows: mindspore.Tensor.expand (2.10).
        """
    def expand_as(self, other: Tensor | None = None, *, x: Tensor | None = None) -> Tensor:
        """Broadcast to the shape of `other`; `x` is another name of it.

        Args:
            self: of a shape that broadcasts to that of `other`.
            other: any dtype.
            x: another name of `other`.

        Returns:
            A view of the shape of `other` and the dtype of this one.

        Follows: mindspore.Tensor.expand_as (2.10).
        """
    def expand_dims(self, axis: builtins.int) -> Tensor:
        """Insert an axis of length 1 at `axis`, in [-ndim - 1, ndim].

        Args:
            input_x: any shape and dtype.
            axis: the place of the new axis.

        Returns:
            A view of `input_x`.

        Raises:
            ValueError: `axis` is out of range.

        Examples:
            >>> ops.ExpandDims()(Tensor([1, 2, 3]), 0).shape
            (1, 3)

        Follows: mindspore.ops.expand_dims (2.10).
        """
    def expm1(self) -> Tensor:
        """Return exp(input) - 1, exact for small elements.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.expm1 (2.10).
        """
    def exponential_(self, lambd: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Draw every element again from the exponential distribution of rate `lambd`.

        Args:
            input: changed in place; floats.
            lambd: the rate, positive.
            generator: a Generator, or None for the global one.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.exponential_ (2.10).
        """
    def fill(self, value: builtins.int | builtins.float | builtins.bool | builtins.complex | Tensor) -> Tensor:
        """Make a tensor of one value of the shape and dtype of `x`.

        Args:
            x: any shape and dtype.
            value: a number or a 0-d Tensor.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.fills (2.10).
        """
    def fill_(self, value: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Write one value into every element.

        Args:
            input: changed in place.
            value: a number or a 0-d Tensor.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.fill_ (2.10).
        """
    def fill_diagonal(self, fill_value: builtins.int | builtins.float | builtins.bool | builtins.complex, wrap: builtins.bool = False) -> Tensor:
        """Return a copy with one value on the diagonal; `wrap` starts it again below a tall matrix.

        Args:
            input: at least two axes, of equal lengths if there are more.
            fill_value: a number.
            wrap: start again below a tall matrix.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.Tensor.fill_diagonal (2.10).
        """
    def fill_diagonal_(self, fill_value: builtins.int | builtins.float | builtins.bool | builtins.complex, wrap: builtins.bool = False) -> Tensor:
        """Write one value into the diagonal; `wrap` starts it again below a tall matrix.

        Args:
            input: changed in place; at least two axes, of equal lengths if there are more.
            fill_value: a number.
            wrap: start again below a tall matrix.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.fill_diagonal_ (2.10).
        """
    def fills(self, value: builtins.int | builtins.float | builtins.bool | builtins.complex | Tensor) -> Tensor:
        """Make a tensor of one value of the shape and dtype of `x`.

        Args:
            x: any shape and dtype.
            value: a number or a 0-d Tensor.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.fills (2.10).
        """
    def flatten(self, order: builtins.str | builtins.int = 'C', start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """Join the axes `start_dim` … `end_dim` into one; the method joins all by default, the function keeps the first.

        `order` is "C" or "F"; ints in its place are `start_dim` and `end_dim`.

        Args:
            self: any shape and dtype.
            order: "C" reads the last axis fastest, "F" the first.
            start_dim: the first axis to join.
            end_dim: the last.

        Returns:
            A Tensor of the same dtype.

        Follows: mindspore.Tensor.flatten (2.10).
        """
    def flip(self, dims: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Reverse the order along axes.

        Args:
            input: any shape and dtype.
            dims: the axes, each in [-rank, rank).

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.flip (2.10).
        """
    def fliplr(self) -> Tensor:
        """Reverse the second axis.

        Args:
            input: at least two axes, any dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.fliplr (2.10).
        """
    def flipud(self) -> Tensor:
        """Reverse the first axis.

        Args:
            input: at least one axis, any dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.flipud (2.10).
        """
    def float(self) -> Tensor:
        """Change the dtype to Float32; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Float32.

        Follows: mindspore.Tensor.float (2.10).
        """
    def float_power(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Raise to a power in Float64 (Complex128 for complex numbers).

        Args:
            self: a Tensor or number of any shape; any dtype.
            other: a Tensor or number that broadcasts against `self`; not both hold bools.

        Returns:
            A Tensor of the broadcast shape; Float64, or Complex128 where an input is complex.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or both hold bools.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.float_power (2.10).
        """
    def floor(self) -> Tensor:
        """Round down.

        Args:
            input: a Tensor of any shape; integers or floats.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.floor (2.10).
        """
    def floor_(self) -> Tensor:
        """Round down in place.

        Args:
            input: changed in place.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.floor_ (2.10).
        """
    def floor_divide(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Divide and round down; an integer by zero yields a meaningless number, not an error.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.floor_divide (2.10).
        """
    def floor_divide_(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Divide and round down in place.

        Args:
            input: changed in place.
            other: a number, or a Tensor that broadcasts to this one.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.floor_divide_ (2.10).
        """
    def fmax(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the larger of two elements; NaN loses.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.fmax (2.10).
        """
    def fmin(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the smaller of two elements; NaN loses.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.fmin (2.10).
        """
    def fmod(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the remainder of the division that rounds to zero; it has the sign of `input`.

        An integer over 0 yields itself.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or one is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.fmod (2.10).
        """
    def fold(self, output_size: builtins.int | Sequence[builtins.int] | Tensor, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
        """Add windows up where they were taken: (n, c·kh·kw, windows) becomes (n, c, h, w).

        Args:
            input: shape (n, c·kh·kw, windows); floats.
            output_size: (h, w), or an int for both.
            kernel_size: an int or (height, width).
            dilation: the distance of neighbours in a window, likewise.
            padding: what was put around the image, likewise.
            stride: the distance of windows, likewise.

        Returns:
            A Tensor of shape (n, c, h, w) and the dtype of `input`.

        Follows: mindspore.ops.fold (2.10).
        """
    def frac(self) -> Tensor:
        """Return the fractional part, with the sign of the number.

        Args:
            x: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `x`; Int64 for bools.

        Raises:
            TypeError: `x` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.frac (2.10).
        """
    def gather(self, *indices_and_axis: Any, input_indices: Any = None, axis: builtins.int | None = None, batch_dims: builtins.int = 0, dim: Any = None, index: Any = None) -> Tensor:
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
    def gather_elements(self, dim: builtins.int, index: Tensor) -> Tensor:
        """Take one element for each element of `index`, at its place except along `dim`.

        Args:
            input: any shape and dtype.
            dim: an axis in [-input.ndim, input.ndim).
            index: integers, with as many axes as `input`, in the other axes no longer.

        Returns:
            A Tensor of the shape of `index` and the dtype of `input`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.gather_elements (2.10).
        """
    def gather_nd(self, indices: Tensor) -> Tensor:
        """Take slices by index vectors.

        Args:
            input_x: a Tensor of r axes.
            indices: shape (..., k), k <= r; each vector names an element of the first k axes.

        Returns:
            A Tensor of shape indices.shape[:-1] + input_x.shape[k:] and the dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.gather_nd (2.10).
        """
    def gcd(self, other: Tensor) -> Tensor:
        """Return the greatest common divisor of integers.

        Args:
            input: a Tensor of any shape; integers.
            other: a Tensor that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.gcd (2.10).
        """
    def ge(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input >= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater_equal, mindspore.ops.ge (2.10).
        """
    def geqrf(self) -> builtins.tuple[Tensor, Tensor]:
        """Return the QR factorisation in LAPACK's form: R with the reflectors below, and their factors.

        Args:
            input: shape (..., m, n); floats or complex numbers.

        Returns:
            (R, factors), of shapes (..., m, n) and (..., min(m, n)) and the dtype of `input`.

        Follows: mindspore.ops.geqrf (2.10).
        """
    def ger(self, vec2: Tensor) -> Tensor:
        """Return the products of all pairs of elements of two vectors; a first factor of more axes counts as a vector.

        Args:
            input: shape (n,).
            vec2: shape (m,).

        Returns:
            A Tensor of shape (n, m) and the promoted dtype.

        Follows: mindspore.ops.outer (2.10).
        """
    def get_bytes(self) -> builtins.bytes:
        """Return the elements as raw bytes.

        Returns:
            Bytes, in the order of the elements.

        Follows: mindspore.Tensor.get_bytes (2.10).
        """
    def greater(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input > other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater, mindspore.ops.gt (2.10).
        """
    def greater_equal(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input >= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater_equal, mindspore.ops.ge (2.10).
        """
    def gt(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input > other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.greater, mindspore.ops.gt (2.10).
        """
    def half(self) -> Tensor:
        """Change the dtype to Float16; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Float16.

        Follows: mindspore.Tensor.half (2.10).
        """
    def hardshrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Return x where it is outside [-lambd, lambd], 0 inside.

        Args:
            input: any shape; floats.
            lambd: half the width of the range of zeros.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.hardshrink (2.10).
        """
    def heaviside(self, values: Tensor) -> Tensor:
        """Return 0 for negative, 1 for positive numbers, and `values` where `input` is 0.

        Args:
            input: any shape; any dtype but Complex.
            values: broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or one is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.heaviside (2.10).
        """
    def histc(self, bins: builtins.int = 100, min: builtins.float = 0.0, max: builtins.float = 0.0) -> Tensor:
        """Count the elements in bins of equal width between `min` and `max`; both 0 mean the range of the elements.

        Args:
            input: any shape and dtype.
            bins: how many.
            min: the lower end of the first bin.
            max: the upper end of the last one.

        Returns:
            A vector of `bins` counts, in the dtype of `input`; Float32 for Float16.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.histc (2.10).
        """
    def hooks(self) -> builtins.list[Any]:
        """Return the hooks on a weight's gradient that every gradient function runs.

        Returns:
            A list of functions.
        """
    def hsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int]) -> builtins.tuple[Tensor, ...]:
        """Split along the second axis, or the first of a vector.

        Args:
            input: one axis or more; any dtype.
            indices_or_sections: a number of parts, or the indices before which it is split.

        Returns:
            A tuple of Tensors, views of `input`.

        Follows: mindspore.ops.hsplit (2.10).
        """
    def hypot(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the hypotenuse √(input² + other²).

        Args:
            input: a Tensor or number of any shape; floats.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.hypot (2.10).
        """
    def i0(self) -> Tensor:
        """Return the modified Bessel function of the first kind, order 0.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.i0 (2.10).
        """
    def igamma(self, other: Tensor) -> Tensor:
        """Return the lower regularised incomplete gamma function P(input, other).

        Args:
            input: the parameter, positive: any shape; Float32 or Float64.
            other: the upper limit of the integral, not negative; broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.ops.igamma (2.10).
        """
    def igammac(self, other: Tensor) -> Tensor:
        """Return the upper regularised incomplete gamma function Q(input, other).

        Args:
            input: the parameter, positive: any shape; Float32 or Float64.
            other: the lower limit of the integral, not negative; broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.ops.igammac (2.10).
        """
    def imag(self) -> Tensor:
        """Return the imaginary part; a view of complex numbers, zeros of real ones.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; for complex numbers the float of half the size.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.imag (2.10).
        """
    def index(self, indices: Sequence[Tensor]) -> Tensor:
        """Take elements, one index Tensor for each axis.

        Args:
            self: at least as many axes as there are indices.
            indices: integers that broadcast against each other.

        Returns:
            A Tensor of the same dtype: the broadcast shape, then the axes that no index names.

        Follows: mindspore.Tensor.index (2.10).
        """
    def index_add(self, *arguments: Any, dim: Any = None, index: Any = None, source: Any = None, indices: Any = None, y: Any = None, axis: builtins.int | None = None, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, use_lock: builtins.bool = True, check_index_bound: builtins.bool = True) -> Tensor:
        """Add slices in place: `index_add(indices, y, axis)` or `index_add(dim, index, source, alpha=1)`.

        Additions are never lost, and indices always checked, regardless of `use_lock` and `check_index_bound`.

        Args:
            self: changed in place.
            arguments: those of one form, by position.
            dim: along which axis.
            index: places along the axis, (n,); Int32.
            source: of the same shape, but n along the axis.
            indices: another name of `index`.
            y: another name of `source`.
            axis: another name of `dim`.
            alpha: what `source` is multiplied by.
            use_lock: without effect.
            check_index_bound: without effect.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.index_add (2.10).
        """
    def index_add_(self, dim: builtins.int, index: Tensor, source: Tensor, *, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Add slices of `source` where `index` says along an axis.

        Args:
            input: changed in place.
            dim: along which axis, in [-rank, rank).
            index: places along the axis, (n,); Int32 or Int64.
            source: of the same shape, but n along the axis.
            alpha: what `source` is multiplied by.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.index_add_ (2.10).
        """
    def index_copy_(self, dim: builtins.int, index: Tensor, tensor: Tensor) -> Tensor:
        """Write slices of `tensor` where `index` says along an axis.

        Args:
            input: changed in place.
            dim: along which axis, in [-rank, rank).
            index: places along the axis, (n,); Int64.
            tensor: of the same shape, but n along the axis.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.index_copy_ (2.10).
        """
    def index_fill(self, axis: builtins.int | Tensor, index: Tensor, value: builtins.int | builtins.float | builtins.bool | builtins.complex | Tensor) -> Tensor:
        """Fill slices of a copy along `axis` with `value`.

        Args:
            x: any shape; it stays as it is.
            axis: along which axis, in [-rank, rank); an int or a 0-d Tensor.
            index: places along the axis, (n,); Int32 or Int64.
            value: a number or a 0-d Tensor.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.index_fill (2.10).
        """
    def index_fill_(self, dim: builtins.int, index: Tensor, value: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Write one value into the slices that `index` names along an axis.

        Args:
            input: changed in place.
            dim: along which axis, in [-rank, rank).
            index: places along the axis, (n,); Int64.
            value: a number or a 0-d Tensor.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.index_fill_ (2.10).
        """
    def index_put(self, indices: Sequence[Tensor], values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Write `values` at the places that one index Tensor for each axis names, into a copy.

        Args:
            self: any shape; it stays as it is.
            indices: integers that broadcast against each other, one Tensor for each leading axis.
            values: broadcasts to the elements that are named.
            accumulate: add to what is there.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.index_put (2.10).
        """
    def index_put_(self, indices: Sequence[Tensor], values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Write `values` at the places that one index Tensor for each axis names, in place.

        Args:
            self: changed in place.
            indices: integers that broadcast against each other, one Tensor for each leading axis.
            values: broadcasts to the elements that are named.
            accumulate: add to what is there.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.index_put_ (2.10).
        """
    def index_select(self, axis: Any = None, index: Any = None, *, dim: builtins.int | None = None) -> Tensor:
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
    def inner(self, other: Tensor) -> Tensor:
        """Sum products over the last axis of both.

        Args:
            input: shape (..., n).
            other: shape (..., n), of the dtype of `input`.

        Returns:
            A Tensor of the other axes of both, and their dtype.

        Follows: mindspore.ops.inner (2.10).
        """
    def inplace_update(self, v: Tensor, indices: builtins.int | Sequence[builtins.int] | Tensor) -> Tensor:
        """Return a copy of `x` whose rows `indices` are those of `v`.

        Args:
            x: shape (n, ...); it stays as it is.
            v: shape (as many as there are indices, ...), of the dtype of `x`.
            indices: the rows, an int or a sequence of ints.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.inplace_update (2.10).
        """
    def int(self) -> Tensor:
        """Change the dtype to Int32; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Int32.

        Follows: mindspore.Tensor.int (2.10).
        """
    def inv(self) -> Tensor:
        """Return 1 / x, of integers rounded towards 0.

        Args:
            x: any shape; any dtype but Bool.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.inv (2.10).
        """
    def inverse(self) -> Tensor:
        """Return the inverse of square matrices.

        Args:
            input: shape (..., n, n); integers count as Float32.

        Returns:
            A Tensor of the shape of `input`; floats or complex numbers.

        Follows: mindspore.ops.inverse (2.10).
        """
    def invert(self) -> Tensor:
        """Turn over every bit of integers.

        Args:
            x: a Tensor of any shape; integers or bools.

        Returns:
            A Tensor of the shape and dtype of `x`.

        Raises:
            TypeError: `x` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.invert (2.10).
        """
    def is_complex(self) -> builtins.bool:
        """Return whether the elements are complex numbers.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            True or False.

        Follows: mindspore.ops.is_complex (2.10).
        """
    def is_contiguous(self) -> builtins.bool:
        """Return whether the elements lie in order without gaps.

        Returns:
            True or False.

        Follows: mindspore.Tensor.is_contiguous (2.10).
        """
    def is_floating_point(self) -> builtins.bool:
        """Return whether the elements are floating point numbers.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            True or False.

        Follows: mindspore.ops.is_floating_point (2.10).
        """
    def is_init(self) -> builtins.bool:
        """Return `init_flag`.

        Returns:
            True or False.
        """
    def is_pinned(self) -> builtins.bool:
        """Return whether the memory is page-locked.

        Returns:
            True or False.

        Follows: mindspore.Tensor.is_pinned (2.10).
        """
    def is_shared(self) -> builtins.bool:
        """Return whether the memory is shared between processes.

        Returns:
            True or False.

        Follows: mindspore.Tensor.is_shared (2.10).
        """
    def is_signed(self) -> builtins.bool:
        """Return whether the elements have a sign; False for Float16, as there.

        Returns:
            True or False.

        Follows: mindspore.Tensor.is_signed (2.10).
        """
    def isclose(self, other: Any = None, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False, *, x2: Any = None) -> Tensor:
        """Return whether elements differ by at most atol + rtol * |other|; `x2` is another name of `other`.

        Args:
            self: any shape.
            other: a Tensor that broadcasts against this one.
            rtol: the part of the tolerance that is relative to `other`.
            atol: the absolute part.
            equal_nan: whether NaN equals NaN.
            x2: another name of `other`.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Follows: mindspore.Tensor.isclose (2.10).
        """
    def isfinite(self) -> Tensor:
        """Return a boolean tensor, true where an element is neither infinite nor NaN.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.isfinite (2.10).
        """
    def isinf(self) -> Tensor:
        """Return a boolean tensor, true where an element is infinite.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.isinf (2.10).
        """
    def isnan(self) -> Tensor:
        """Return a boolean tensor, true where an element is NaN.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.isnan (2.10).
        """
    def isneginf(self) -> Tensor:
        """Return a boolean tensor, true where an element is -infinity.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.isneginf (2.10).
        """
    def isposinf(self) -> Tensor:
        """Return a boolean tensor, true where an element is +infinity.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.isposinf (2.10).
        """
    def isreal(self) -> Tensor:
        """Return a boolean tensor, true where the imaginary part is 0.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.isreal (2.10).
        """
    def itemset(self, *args: Any) -> Tensor:
        """Return a copy with one element changed: `itemset(value)` or `itemset(index, value)`.

        Args:
            self: any shape and dtype.
            args: the index, an int or a tuple, if any, and the value.

        Returns:
            A Tensor of the same shape and dtype.

        Raises:
            IndexError: no index is given, and there is more than one element.

        Follows: mindspore.Tensor.itemset (2.10).
        """
    def kthvalue(self, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the k-th smallest element along an axis: (values, indices), indices Int64.

        Args:
            self: any shape; integers or floats.
            k: which one, from 1 on.
            dim: along which axis, in [-rank, rank).
            keepdim: keep the axis with length 1.

        Returns:
            (values, indices), without the axis: of the same dtype, and Int64.

        Follows: mindspore.Tensor.kthvalue (2.10).
        """
    def lcm(self, other: Tensor) -> Tensor:
        """Return the least common multiple of integers.

        Args:
            input: a Tensor of any shape; integers.
            other: a Tensor that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.lcm (2.10).
        """
    def ldexp(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return `x * 2**other`; integers count as Float32, beside half precision as well.

        Args:
            x: any shape.
            other: the exponent: a Tensor that broadcasts against `x`, or a number.

        Returns:
            A Tensor of the broadcast shape; floats.

        Follows: mindspore.ops.ldexp (2.10).
        """
    def le(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input <= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less_equal, mindspore.ops.le (2.10).
        """
    def lerp(self, end: Tensor, weight: Tensor | builtins.float) -> Tensor:
        """Interpolate linearly: `input + weight * (end - input)`.

        Args:
            input: any shape; floats or complex numbers.
            end: of the dtype of `input`; broadcasts against it.
            weight: a number, or a Tensor that broadcasts.

        Returns:
            A Tensor of the broadcast shape and the dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.lerp (2.10).
        """
    def less(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input < other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: no input is a Tensor, or one is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less, mindspore.ops.lt (2.10).
        """
    def less_equal(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input <= other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less_equal, mindspore.ops.le (2.10).
        """
    def lgamma(self) -> Tensor:
        """Return the logarithm of the absolute value of the gamma function.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.lgamma (2.10).
        """
    def log(self) -> Tensor:
        """Return the natural logarithm.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.log (2.10).
        """
    def log10(self) -> Tensor:
        """Return the logarithm to base 10.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.log10 (2.10).
        """
    def log1p(self) -> Tensor:
        """Return log(1 + input), exact for small elements.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.log1p (2.10).
        """
    def log2(self) -> Tensor:
        """Return the logarithm to base 2.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.log2 (2.10).
        """
    def log_(self) -> Tensor:
        """Take the natural logarithm in place.

        Args:
            input: changed in place.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.log_ (2.10).
        """
    def log_matrix_determinant(self) -> builtins.tuple[Tensor, Tensor]:
        """Return sign and logarithm of the magnitude of the determinant.

        Args:
            input: shape (..., n, n); floats or complex numbers.

        Returns:
            (sign, logarithm), of shape (...) and the dtype of `input`; the logarithm is real.

        Follows: mindspore.ops.slogdet (2.10).
        """
    def log_normal(self, mean: builtins.float = 1.0, std: builtins.float = 2.0) -> Tensor:
        """Draw a tensor of this shape from the log-normal distribution.

        Args:
            self: any shape; floats.
            mean: of the logarithm.
            std: its standard deviation.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.log_normal (2.10).
        """
    def logaddexp(self, other: Tensor) -> Tensor:
        """Return `log(exp(input) + exp(other))` without overflow.

        Args:
            input: a Tensor of any shape; floats or complex numbers.
            other: a Tensor that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.logaddexp (2.10).
        """
    def logaddexp2(self, other: Tensor) -> Tensor:
        """Return `log2(2**input + 2**other)` without overflow.

        Args:
            input: a Tensor of any shape; floats.
            other: a Tensor that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.logaddexp2 (2.10).
        """
    def logcumsumexp(self, axis: builtins.int) -> Tensor:
        """Return the logarithms of the running sums of exponentials along an axis.

        Args:
            input: any shape; floats.
            axis: along which axis, in [-rank, rank).

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.logcumsumexp (2.10).
        """
    def logdet(self) -> Tensor:
        """Return the logarithm of the determinant; NaN where it is negative.

        Args:
            input: shape (..., n, n); floats or complex numbers.

        Returns:
            A Tensor of shape (...) and the dtype of `input`.

        Follows: mindspore.ops.logdet (2.10).
        """
    def logical_and(self, other: Any = None, *, y: Any = None) -> Tensor:
        """Return whether both are true, element by element; `y` is another name of `other`.

        Args:
            self: any shape and dtype.
            other: a Tensor that broadcasts against this one, or a bool.
            y: another name of `other`.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Follows: mindspore.Tensor.logical_and (2.10).
        """
    def logical_not(self) -> Tensor:
        """Return a boolean tensor, true where `input` is false (zero).

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.logical_not (2.10).
        """
    def logical_or(self, other: Any = None, *, y: Any = None) -> Tensor:
        """Return whether one is true or both, element by element; `y` is another name of `other`.

        Args:
            self: any shape and dtype.
            other: a Tensor that broadcasts against this one, or a bool.
            y: another name of `other`.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Follows: mindspore.Tensor.logical_or (2.10).
        """
    def logical_xor(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where exactly one is true (not zero).

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape; Bool.

        Raises:
            TypeError: no input is a Tensor.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.logical_xor (2.10).
        """
    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """Return log(x / (1 - x)), with x bounded to [eps, 1 - eps] first where `eps` is given.

        Args:
            input: any shape; any dtype but Complex.
            eps: the distance that is kept from 0 and 1; None for none.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor, or is complex.

        Follows: mindspore.ops.logit (2.10).
        """
    def logsumexp(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return log(Σ exp(self)) along axes.

        Args:
            self: any shape; floats.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes.

        Follows: mindspore.Tensor.logsumexp (2.10).
        """
    def long(self) -> Tensor:
        """Change the dtype to Int64; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Int64.

        Follows: mindspore.Tensor.long (2.10).
        """
    def lstsq(self, A: Tensor) -> Tensor:
        """Return the x that makes the norm of `input @ x - A` least.

        Args:
            input: shape (m, n); floats.
            A: shape (m,) or (m, k).

        Returns:
            A Tensor of shape (n, 1) or (n, k) and the dtype of `input`.

        Follows: mindspore.ops.lstsq (2.10).
        """
    def lt(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input < other`.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: no input is a Tensor, or one is complex.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.less, mindspore.ops.lt (2.10).
        """
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """Solve A x = b, given the LU factorisation of A.

        Args:
            b: the right side, (..., n, k); floats or complex numbers.
            LU_data: both factors in one, (..., n, n).
            LU_pivots: the exchanged rows, from 1 on, (..., n); Int32.

        Returns:
            A Tensor of the broadcast shape and the dtype of `b`.

        Follows: mindspore.ops.lu_solve (2.10).
        """
    def masked_fill(self, mask: Tensor, value: builtins.int | builtins.float | builtins.bool | builtins.complex | Tensor) -> Tensor:
        """Return `value` where `mask` is true, cut off where this Tensor holds integers, and the elements elsewhere.

        Args:
            self: any shape and dtype.
            mask: Bool; broadcasts against this tensor.
            value: a number or a 0-d Tensor.

        Returns:
            A Tensor of the broadcast shape and the same dtype.

        Follows: mindspore.Tensor.masked_fill (2.10).
        """
    def masked_fill_(self, mask: Tensor, value: builtins.int | builtins.float | builtins.bool | builtins.complex | Tensor) -> Tensor:
        """Put `value` where `mask` is True, in place.

        Args:
            self: changed in place.
            mask: Bool; broadcasts to this tensor.
            value: a number or a 0-d Tensor.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.masked_fill_ (2.10).
        """
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """Write the elements of `source`, in order, where `mask` is True, into a copy.

        Args:
            self: any shape; it stays as it is.
            mask: Bool; broadcasts to this tensor.
            source: at least as many elements as `mask` has True.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.Tensor.masked_scatter (2.10).
        """
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """Write the elements of `source`, in order, where `mask` is true.

        Args:
            input: changed in place.
            mask: Bool; broadcasts to this tensor.
            source: at least as many elements as `mask` has True.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.masked_scatter_ (2.10).
        """
    def masked_select(self, mask: Tensor) -> Tensor:
        """Return the elements where `mask` is True, in one axis.

        Args:
            input: any shape and dtype.
            mask: of bools; broadcasts against `input`.

        Returns:
            A vector in the dtype of `input`, whose length the host waits for.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.masked_select (2.10).
        """
    def matmul(self, other: Any = None, *, tensor2: Tensor | None = None) -> Tensor:
        """Return the matrix product; `tensor2` is another name of `other`.

        Args:
            self: at least one axis.
            other: at least one axis, of the same dtype.
            tensor2: another name of `other`.

        Returns:
            A Tensor of the product's shape and the same dtype.

        Follows: mindspore.Tensor.matmul (2.10).
        """
    def matrix_determinant(self) -> Tensor:
        """Return the determinant of square matrices.

        Args:
            input: shape (..., n, n); floats or complex numbers.

        Returns:
            A Tensor of shape (...) and the dtype of `input`.

        Follows: mindspore.ops.det (2.10).
        """
    def matrix_power(self, n: builtins.int) -> Tensor:
        """Multiply a square matrix `n` times by itself; negative `n` inverts it.

        Args:
            input: shape (..., n, n); floats or complex numbers.
            n: how often.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.matrix_power (2.10).
        """
    def max(self, dim: Any = None, keepdim: builtins.bool = False, *, axis: Any = None, keepdims: builtins.bool | None = None, initial: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, where: Tensor | builtins.bool = True, return_indices: builtins.bool = False) -> Any:
        """Return the largest elements.

        Args:
            self: real numbers.
            dim: an axis, for (values, indices); before release 2.5, for several axes, and with `keepdims`, `initial` or
                `where`, this is `axis`. None takes all elements. A Tensor here is compared element by element.
            keepdim: keep the axis with length 1.
            axis: the axis or axes, for the values only.
            keepdims: another name of `keepdim`; without an axis it does nothing, as in MindSpore.
            initial: no result is beyond it; what the elements count that `where` leaves out. Without an axis, both do
                nothing, as in MindSpore.
            where: the elements to look at.
            return_indices: return (values, indices) for `axis` too, indices Int64.

        Returns:
            A Tensor of the same dtype; with an axis in `dim` or `return_indices`, (values, indices).

        Examples:
            >>> int(Tensor([[1, 5], [3, 4]]).max()), Tensor([[1, 5], [3, 4]]).max(axis=1).asnumpy().tolist()
            (5, [5, 4])

        Follows: mindspore.Tensor.max (2.10).
        """
    def maximum(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the larger of two elements; NaN wins.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.maximum (2.10).
        """
    def mean(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keep_dims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False, keepdims: builtins.bool = False, dtype: Type | None = None) -> Tensor:
        """Average along axes; the mean of integers is an integer, cut off.

        Args:
            self: any shape of numbers.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keep_dims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.
            keepdims: another one.
            dtype: what to cast to first.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes, or `dtype`.

        Examples:
            >>> float(Tensor([1.0, 2.0, 6.0]).mean())
            3.0

        Follows: mindspore.Tensor.mean (2.10).
        """
    def median(self, axis: builtins.int = -1, keepdims: builtins.bool = False, *, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the middle element along an axis and where it is, Int64.

        Args:
            self: any shape; integers or floats.
            axis: which axis, in [-rank, rank).
            keepdims: keep the axis with length 1.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            (values, indices), without the axis: of the same dtype, and Int64.

        Follows: mindspore.Tensor.median (2.10).
        """
    def min(self, dim: Any = None, keepdim: builtins.bool = False, *, axis: Any = None, keepdims: builtins.bool | None = None, initial: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, where: Tensor | builtins.bool = True, return_indices: builtins.bool = False) -> Any:
        """Return the smallest elements.

        Args:
            self: real numbers.
            dim: an axis, for (values, indices); before release 2.5, for several axes, and with `keepdims`, `initial` or
                `where`, this is `axis`. None takes all elements. A Tensor here is compared element by element.
            keepdim: keep the axis with length 1.
            axis: the axis or axes, for the values only.
            keepdims: another name of `keepdim`; without an axis it does nothing, as in MindSpore.
            initial: no result is beyond it; what the elements count that `where` leaves out. Without an axis, both do
                nothing, as in MindSpore.
            where: the elements to look at.
            return_indices: return (values, indices) for `axis` too, indices Int64.

        Returns:
            A Tensor of the same dtype; with an axis in `dim` or `return_indices`, (values, indices).

        Follows: mindspore.Tensor.min (2.10).
        """
    def minimum(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return the smaller of two elements; NaN wins.

        Args:
            input: a Tensor or number of any shape; any dtype but Complex.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or is of another dtype.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.minimum (2.10).
        """
    def mm(self, mat2: Tensor) -> Tensor:
        """Multiply two matrices.

        Args:
            input: shape (n, m).
            mat2: shape (m, p), of the dtype of `input`.

        Returns:
            A Tensor of shape (n, p) and their dtype.

        Follows: mindspore.ops.mm (2.10).
        """
    def move_to(self, to: builtins.str, blocking: builtins.bool = True) -> Tensor:
        """Move to "CPU", or to the device of the context ("Ascend", "GPU").

        Args:
            self: any shape and dtype.
            to: the device.
            blocking: whether the call waits until the elements are there.

        Returns:
            A Tensor of the same shape and dtype.

        Raises:
            ValueError: there is no such device, or `blocking` is not a bool.

        Follows: mindspore.Tensor.move_to (2.10).
        """
    def moveaxis(self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Move axes to other positions; the others keep their order.

        Args:
            x: any shape and dtype.
            source: one axis or several.
            destination: their places in the result.

        Returns:
            A view of `x`.

        Follows: mindspore.ops.moveaxis (2.10).
        """
    def movedim(self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Move axes to other positions, as `moveaxis`.

        Args:
            x: any shape and dtype.
            source: one axis or several.
            destination: their places in the result.

        Returns:
            A view of `x`.

        Follows: mindspore.ops.movedim (2.10).
        """
    def msort(self) -> Tensor:
        """Sort along the first axis.

        Args:
            input: at least one axis; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.msort (2.10).
        """
    def mul(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Multiply element by element; a 0-d tensor does not widen the other's dtype.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Examples:
            >>> ops.mul(Tensor([1, 2]), 3).asnumpy(), ops.Mul()(Tensor([2]), Tensor([3])).asnumpy()
            (array([3, 6]), array([6]))

        Follows: mindspore.ops.mul (2.10).
        """
    def mul_(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Multiply in place.

        Args:
            input: changed in place.
            other: a number, or a Tensor that broadcasts to this one.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.mul_ (2.10).
        """
    def multinomial(self, num_samples: builtins.int | None = None, replacement: builtins.bool = True, seed: builtins.int | torch.Generator | None = None, *, num_sample: builtins.int | None = None) -> Tensor:
        """Draw indices with the probabilities in the rows of `input` (need not sum to 1), Int32.

        Args:
            input: shape (…, classes).
            num_samples: how many indices for each row.
            replacement: whether an index may be drawn again.
            seed: of the draw.
            num_sample: the older name of `num_samples`.

        Returns:
            A Tensor of shape (..., num_samples); Int32.

        Follows: mindspore.ops.multinomial (2.10), and of 1.10 for `num_sample`.
        """
    def multiply(self, value: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Multiply element by element; a 0-d tensor does not widen the other's dtype.

        Args:
            self: a Tensor or number of any shape and dtype.
            value: a Tensor or number that broadcasts against `self`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Examples:
            >>> ops.mul(Tensor([1, 2]), 3).asnumpy(), ops.Mul()(Tensor([2]), Tensor([3])).asnumpy()
            (array([3, 6]), array([6]))

        Follows: mindspore.ops.mul (2.10).
        """
    def mvlgamma(self, p: builtins.int) -> Tensor:
        """Return the logarithm of the gamma function of dimension `p`.

        Args:
            input: any shape; floats, each over (p - 1) / 2.
            p: the dimension, at least 1.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.mvlgamma (2.10).
        """
    def nan_to_num(self, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
        """Replace NaN (by 0) and the infinities (by the largest and smallest finite numbers).

        Args:
            input: any shape and dtype.
            nan: replaces NaN; None for 0.
            posinf: replaces infinity; None for the largest finite number of the dtype.
            neginf: replaces -infinity; None for the smallest one.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.nan_to_num (2.10).
        """
    def nanmean(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False, *, dtype: Type | None = None) -> Tensor:
        """Average along axes the elements that are not NaN.

        Args:
            input: any shape; floats.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.
            dtype: that of the result; None for that of `input`.

        Returns:
            A Tensor of the dtype of `input`, without the reduced axes, or `dtype`.

        Follows: mindspore.ops.nanmean (2.10).
        """
    def nanmedian(self, axis: builtins.int = -1, keepdims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Return the middle element along an axis of those that are not NaN, and where it is, Int64.

        Args:
            input: any shape; integers or floats.
            axis: which axis, in [-rank, rank).
            keepdims: keep the axis with length 1.

        Returns:
            (values, indices), without the axis: of the dtype of `input`, and Int64.

        Follows: mindspore.ops.nanmedian (2.10).
        """
    def nanquantile(self, q: builtins.float | Tensor, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return the q-quantiles along an axis of the elements that are not NaN.

        Args:
            input: any shape; Float32 or Float64.
            q: a number in [0, 1], or a Tensor of them of at most one axis.
            axis: which axis, in [-rank, rank); None flattens.
            keepdims: keep the axis with length 1.

        Returns:
            A Tensor of the dtype of `input`, without the axis; an axis for `q`, if it has one, is first.

        Follows: mindspore.ops.nanquantile (2.10).
        """
    def nansum(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False, *, dtype: Type | None = None, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Add up along `axis` (or `dim`); NaN counts as 0.

        Args:
            self: any shape; any dtype but Complex.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.
            dtype: that of the result; None for the same.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes, or `dtype`; Int64 for bools.

        Follows: mindspore.Tensor.nansum (2.10).
        """
    def narrow(self, axis: Any = None, start: Any = None, length: Any = None, *, dim: builtins.int | None = None) -> Tensor:
        """Return `length` elements along `axis` (or `dim`) from `start` on; a view.

        Args:
            self: at least one axis.
            axis: which, in [-rank, rank).
            start: the first element.
            length: how many.
            dim: another name of `axis`.

        Returns:
            A view of the same dtype.

        Follows: mindspore.Tensor.narrow (2.10).
        """
    def ndimension(self) -> builtins.int: """Return the number of axes."""
    def ne(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input != other`.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.not_equal, mindspore.ops.ne (2.10).
        """
    def neg(self) -> Tensor:
        """Change the sign.

        Args:
            input: a Tensor of any shape; any dtype but Bool.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.neg (2.10).
        """
    def negative(self) -> Tensor:
        """Change the sign.

        Args:
            input: a Tensor of any shape; any dtype but Bool.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.neg (2.10).
        """
    def nelement(self) -> builtins.int:
        """Return the number of elements.

        Returns:
            An int.

        Follows: mindspore.Tensor.numel (2.10).
        """
    def new_empty(self, size: builtins.int | Sequence[builtins.int], *, dtype: Type | None = None, device: builtins.str | None = None) -> Tensor:
        """Make a tensor of this dtype whose values are not set; `device` as in `mint.empty`.

        Args:
            self: any shape.
            size: the shape; an int makes one axis.
            dtype: None for that of this tensor.
            device: "CPU", "Ascend", "npu" or "meta"; None for the context's.

        Returns:
            A Tensor of shape `size`.

        Follows: mindspore.Tensor.new_empty (2.10).
        """
    def new_full(self, size: builtins.int | Sequence[builtins.int], fill_value: builtins.int | builtins.float | builtins.bool | builtins.complex, *, dtype: Type | None = None) -> Tensor:
        """Make a tensor of one value of this dtype.

        Args:
            self: any shape.
            size: the shape; an int makes one axis.
            fill_value: a number.
            dtype: None for that of this tensor.

        Returns:
            A Tensor of shape `size`.

        Follows: mindspore.Tensor.new_full (2.10).
        """
    def new_ones(self, size: builtins.int | Sequence[builtins.int], dtype: Type | None = None) -> Tensor:
        """Make a tensor of ones of this dtype.

        Args:
            self: any shape.
            size: the shape; an int makes one axis.
            dtype: None for that of this tensor.

        Returns:
            A Tensor of shape `size`.

        Follows: mindspore.Tensor.new_ones (2.10).
        """
    def new_zeros(self, size: builtins.int | Sequence[builtins.int], dtype: Type | None = None) -> Tensor:
        """Make a tensor of zeros of this dtype.

        Args:
            self: any shape.
            size: the shape; an int makes one axis.
            dtype: None for that of this tensor.

        Returns:
            A Tensor of shape `size`.

        Follows: mindspore.Tensor.new_zeros (2.10).
        """
    def nextafter(self, other: Tensor) -> Tensor:
        """Return the next representable number after `input` towards `other`.

        Args:
            input: any shape; floats.
            other: broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: no input is a Tensor, or one is not of floats.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.nextafter (2.10).
        """
    def nonzero(self, *, as_tuple: builtins.bool = False) -> Tensor | builtins.tuple[Tensor, ...]:
        """Return the places of elements that are not zero, as Int64 of shape (n, ndim), or one vector for each axis.

        Args:
            input: any shape and dtype.
            as_tuple: return a vector for each axis.

        Returns:
            An Int64 Tensor of shape (n, input.ndim), or so many vectors of length n; the host waits for n.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.nonzero (2.10).
        """
    def norm(self, ord: builtins.int | builtins.float | builtins.bool | builtins.complex | builtins.str | None = None, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: Type | None = None, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, p: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, keep_dims: builtins.bool | None = None) -> Tensor:
        """Return the norm of a matrix or vector.

        Args:
            A: any shape.
            ord: None for the 2-norm of all elements; a number p, inf, -inf, "fro" or "nuc".
            dim: an axis for vector norms, two for matrix norms; None takes all.
            keepdim: keep the reduced axes with length 1.
            dtype: cast to this first.
            axis: the axes of a p-norm of vectors, also where there are two.
            p: its order; 2, where `axis` or `keep_dims` is given without it.
            keep_dims: whether it keeps the axes.

        Returns:
            A Tensor of the shape of `A` without the reduced axes; its dtype, real, or `dtype`.

        Follows: mindspore.ops.norm (2.10), and of 1.10 for `axis`, `p` and `keep_dims`.
        """
    def normal_(self, mean: builtins.float = 0, std: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Draw every element again from a normal distribution.

        Args:
            input: changed in place; floats.
            mean: the middle.
            std: the standard deviation.
            generator: a Generator, or None for the global one.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.normal_ (2.10).
        """
    def not_equal(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return a boolean tensor, true where `input != other`.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Bool Tensor of the broadcast shape.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.not_equal, mindspore.ops.ne (2.10).
        """
    def numel(self) -> builtins.int:
        """Return the number of elements.

        Returns:
            An int.

        Follows: mindspore.Tensor.numel (2.10).
        """
    def offload(self, *arguments: Any) -> NoReturn:
        """Refuse to keep the values in a file.

        Args:
            self: the tensor.
            arguments: anything.

        Returns:
            Nothing.

        Raises:
            RuntimeError: always.
        """
    def offload_file_path(self) -> builtins.str:
        """Return "": no values are kept in a file.

        Returns:
            An empty string.
        """
    def orgqr(self, input2: Tensor) -> Tensor:
        """Return Q of the result of `geqrf`.

        Args:
            input: the first result of `geqrf`, (..., m, n).
            input2: the second, (..., k).

        Returns:
            A Tensor of shape (..., m, n) and the dtype of `input`.

        Follows: mindspore.ops.orgqr (2.10).
        """
    def ormqr(self, input2: Tensor, input3: Tensor, left: builtins.bool = True, transpose: builtins.bool = False) -> Tensor:
        """Multiply `input3` by the Q of what `geqrf` returned, without forming Q.

        Args:
            self: the first result of `geqrf`, (..., m, n).
            input2: the second, (..., k).
            input3: shape (..., m, p) from the left, (..., p, m) from the right.
            left: whether Q is the left factor.
            transpose: whether Q is transposed and conjugated.

        Returns:
            A Tensor of the shape and dtype of `input3`.

        Follows: mindspore.ops.ormqr (2.10).
        """
    def outer(self, vec2: Tensor) -> Tensor:
        """Return the products of all pairs of elements of two vectors; a first factor of more axes counts as a vector.

        Args:
            input: shape (n,).
            vec2: shape (m,).

        Returns:
            A Tensor of shape (n, m) and the promoted dtype.

        Follows: mindspore.ops.outer (2.10).
        """
    def permute(self, *axis: builtins.int | Sequence[builtins.int], dims: Sequence[builtins.int] | None = None) -> Tensor:
        """Permute the axes: `permute(1, 0)`, `permute((1, 0))` or `permute(dims=(1, 0))`; `permute()` reverses them.

        Args:
            self: any shape and dtype.
            axis: all axes in their new order, ints or one sequence.
            dims: the same as one sequence.

        Returns:
            A view of the same dtype.

        Follows: mindspore.Tensor.permute (2.10).
        """
    def pin_memory(self) -> Tensor:
        """Return the values in page-locked memory of the host, which a device reads faster.

        Returns:
            A Tensor of the same shape and dtype.

        Raises:
            RuntimeError: torch has no device that would read it.

        Follows: mindspore.Tensor.pin_memory (2.10).
        """
    def positive(self) -> Tensor:
        """Return `input` as it is.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.positive (2.10).
        """
    def pow(self, exponent: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Raise to a power element by element; an integer to a negative power is 0 (±1 for ±1).

        Args:
            input: a Tensor or number of any shape; any dtype.
            exponent: a Tensor or number that broadcasts against `input`; not both hold bools.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number, or both hold bools.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.pow (2.10).
        """
    def prod(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keep_dims: builtins.bool = False, dtype: Type | None = None, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Multiply along axes; integers and bools yield Int64.

        Args:
            self: any shape of numbers.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keep_dims: keep the reduced axes with length 1.
            dtype: what to cast to first.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes; Int64 for integers and bools, or `dtype`.

        Follows: mindspore.Tensor.prod (2.10).
        """
    def ptp(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return the largest minus the smallest element along axes.

        Args:
            input: any shape; integers or floats.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            keepdims: keep the reduced axes with length 1.

        Returns:
            A Tensor of the dtype of `input`, without the reduced axes.

        Follows: mindspore.Tensor.ptp (2.10).
        """
    def put_(self, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Write `source` at places of the flattened tensor; `accumulate` adds.

        Args:
            input: changed in place.
            index: places in the flattened tensor, any shape; Int64.
            source: of as many elements.
            accumulate: add to what is there.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.put_ (2.10).
        """
    def qr(self, some: builtins.bool = True) -> builtins.tuple[Tensor, Tensor]:
        """Return Q with orthonormal columns and the upper triangular R.

        Args:
            self: shape (..., m, n); floats or complex numbers.
            some: whether Q has k = min(m, n) columns, else m.

        Returns:
            (Q, R), of shapes (..., m, k) and (..., k, n) and the same dtype.

        Follows: mindspore.Tensor.qr (2.10).
        """
    def quantile(self, q: builtins.float | Tensor, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return the q-quantiles along an axis, interpolated linearly; None takes all elements.

        Args:
            input: any shape; Float32 or Float64.
            q: a number in [0, 1], or a Tensor of them of at most one axis.
            axis: which axis, in [-rank, rank); None flattens.
            keepdims: keep the axis with length 1.

        Returns:
            A Tensor of the dtype of `input`, without the axis; an axis for `q`, if it has one, is first.

        Follows: mindspore.ops.quantile (2.10).
        """
    def rad2deg(self) -> Tensor:
        """Turn radians into degrees.

        Args:
            x: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `x`; Float32 for integers and bools.

        Raises:
            TypeError: `x` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.rad2deg (2.10).
        """
    def random_(self, from_: builtins.int = 0, to: builtins.int | None = None, *, generator: Any = None) -> Tensor:
        """Draw every element again from the integers of [from_, to).

        Args:
            input: changed in place.
            from_: the least integer.
            to: the end, exclusive; None for what the dtype holds.
            generator: a Generator, or None for the global one.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.random_ (2.10).
        """
    def random_categorical(self, num_sample: builtins.int, seed: builtins.int | torch.Generator | None = 0, dtype: Type = ...) -> Tensor:
        """Draw `num_sample` classes for each row of unnormalised log-probabilities.

        Args:
            logits: shape (N, classes); floats.
            num_sample: how many for each row.
            seed: 0 for the generator that `set_seed` seeds.
            dtype: that of the result.

        Returns:
            A Tensor of shape (N, num_sample) and dtype `dtype`.

        Follows: mindspore.ops.random_categorical (2.10).
        """
    def ravel(self) -> Tensor:
        """Return all elements along one axis.

        Args:
            input: any shape and dtype.

        Returns:
            A Tensor of shape (input.size,) and the dtype of `input`.

        Follows: mindspore.ops.ravel (2.10).
        """
    def real(self) -> Tensor:
        """Return the real part; a view of complex numbers, a copy of real ones.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; for complex numbers the float of half the size.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.real (2.10).
        """
    def reciprocal(self) -> Tensor:
        """Return 1 / input.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.reciprocal (2.10).
        """
    def remainder(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, *, divisor: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None) -> Tensor:
        """Return the remainder of the division that rounds down; `divisor` is another name of `other`.

        Args:
            self: the dividend.
            other: the divisor, a Tensor that broadcasts against this one, or a number.
            divisor: another name of `other`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.Tensor.remainder (2.10).
        """
    def remainder_(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Take the remainder of the division that rounds down, in place.

        Args:
            input: changed in place.
            other: a number, or a Tensor that broadcasts to this one.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.remainder_ (2.10).
        """
    def renorm(self, p: builtins.float, axis: builtins.int, maxnorm: builtins.float) -> Tensor:
        """Scale the slices along `axis` down whose p-norm is above `maxnorm`.

        Args:
            input: at least two axes; floats.
            p: the order of the norm, positive.
            axis: which axis numbers the slices, in [-rank, rank).
            maxnorm: the largest norm of a slice.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.renorm (2.10).
        """
    def repeat(self, *repeats: builtins.int | Sequence[builtins.int], axis: builtins.int | None = None) -> Tensor:
        """Repeat the whole tensor along its axes, with one factor each; with `axis`, each element.

        Args:
            self: any shape and dtype.
            repeats: one for each axis, ints or one sequence of them; with `axis`, how often each element.
            axis: along which elements are repeated.

        Returns:
            A Tensor of the same dtype.

        Follows: mindspore.Tensor.repeat (2.10; 2.5 for `axis`).
        """
    def repeat_interleave(self, repeats: builtins.int | Sequence[builtins.int] | Tensor, axis: builtins.int | None = None, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element along `axis` (or `dim`); None flattens first. `output_size` is the length that results.

        Args:
            self: any shape and dtype.
            repeats: how often, one for all or one for each element along the axis.
            axis: along which, in [-rank, rank); None flattens.
            dim: another name of `axis`.
            output_size: the length along the axis, which is checked.

        Returns:
            A Tensor of the same dtype.

        Follows: mindspore.Tensor.repeat_interleave (2.10).
        """
    def requires_grad_(self, requires_grad: builtins.bool = True) -> None:
        """Return whether optimizers train this parameter; without effect on other tensors.

        Args:
            self: the parameter.
            requires_grad: whether optimizers train it.

        Returns:
            None.

        Follows: mindspore.Tensor.requires_grad_ (2.10).
        """
    def reshape(self, *sizes: builtins.int | Sequence[builtins.int] | Tensor, shape: Sequence[builtins.int] | Tensor | None = None) -> Tensor:
        """Return the elements in another shape: `reshape(2, 3)`, `reshape((2, 3))` or `reshape(shape=(2, 3))`.

        Args:
            self: any shape and dtype.
            sizes: as many elements as there are; one length may be -1.
            shape: the same as one sequence.

        Returns:
            A Tensor of the shape and the same dtype.

        Examples:
            >>> Tensor([[1, 2], [3, 4]]).reshape(4, 1).shape, Tensor([1, 2]).reshape((2, -1)).shape
            ((4, 1), (2, 1))

        Follows: mindspore.Tensor.reshape (2.10).
        """
    def reshape_as(self, other: Tensor) -> Tensor:
        """Return the elements in the shape of `other`.

        Args:
            self: any shape and dtype.
            other: of as many elements.

        Returns:
            A Tensor of the shape of `other` and the same dtype.

        Follows: mindspore.Tensor.reshape_as (2.10).
        """
    def resize(self, *new_shape: builtins.int | Sequence[builtins.int] | Tensor) -> Tensor:
        """Return the first elements in another shape; zeros fill what is missing.

        Args:
            self: any shape and dtype.
            new_shape: ints, or one sequence of them.

        Returns:
            A Tensor of that shape and the same dtype.

        Follows: mindspore.Tensor.resize (2.10).
        """
    def reverse(self, axis: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Reverse the order along axes, as `flip`.

        Args:
            x: any shape and dtype.
            axis: the axes, each in [-rank, rank).

        Returns:
            A Tensor of the shape and dtype of `x`.

        Follows: mindspore.ops.reverse (2.10).
        """
    def reverse_sequence(self, seq_lengths: Tensor, seq_dim: builtins.int = 0, batch_dim: builtins.int = 0) -> Tensor:
        """Reverse the first `seq_lengths[i]` elements along `seq_dim` of each element i of the batch.

        Args:
            self: the Tensor.
            seq_lengths: one axis, as long as the batch; Int32 or Int64.
            seq_dim: along which to reverse.
            batch_dim: which axis is the batch.

        Returns:
            A Tensor of the shape and dtype of `self`.

        Follows: mindspore.ops.reverse_sequence (2.10).
        """
    def roll(self, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Shift elements along axes; what leaves at one end comes in at the other.

        Args:
            input: the Tensor.
            shifts: how far, one for each of `dims`.
            dims: the axes; None rolls the flattened elements and restores the shape.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.roll (2.10).
        """
    def rot90(self, k: builtins.int, dims: Sequence[builtins.int]) -> Tensor:
        """Turn the plane of two axes by 90 degrees, `k` times.

        Args:
            input: at least two axes, any dtype.
            k: how often; negative turns the other way.
            dims: two axes; the first turns towards the second.

        Returns:
            A Tensor of the dtype of `input`, with the two lengths exchanged for odd `k`.

        Follows: mindspore.ops.rot90 (2.10).
        """
    def round(self, *, decimals: builtins.int = 0) -> Tensor:
        """Round to `decimals` places, halves to the even neighbour.

        Args:
            input: any shape; integers or floats.
            decimals: how many places stay; negative ones are left of the point.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.round (2.10).
        """
    def rsqrt(self) -> Tensor:
        """Return 1 / √input.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.rsqrt (2.10).
        """
    def scatter(self, *arguments: Any, axis: builtins.int | None = None, dim: builtins.int | None = None, index: Any = None, src: Any = None, value: Any = None, reduce: builtins.str = 'none') -> Tensor:
        """Write single elements of `src` (or `value`) into a copy, each at its place except along `axis` (or `dim`).

        Args:
            self: where to write.
            arguments: (axis, index, src, reduce), as far as they are not named.
            axis: the axis along which `index` has the places.
            dim: another name of `axis`.
            index: places.
            src: what to write: a Tensor of the shape of `index`, or a number.
            value: another name of `src`.
            reduce: "none", "add" or "multiply": what becomes of the elements that are there.

        Returns:
            A Tensor of the same shape and dtype.

        Raises:
            ValueError: another `reduce`.

        Follows: mindspore.Tensor.scatter (2.10).
        """
    def scatter_(self, dim: builtins.int, index: Tensor, src: Any = None, *, value: Any = None, reduce: builtins.str | None = None) -> Tensor:
        """Write single elements of `src` (or `value`), each at its place except along an axis.

        `reduce` is "add" or "multiply".

        Args:
            input: changed in place.
            dim: along which axis, in [-rank, rank).
            index: places along the axis, as many axes as there are here; Int64.
            src: a Tensor of at least the shape of `index`, or a number.
            value: another name of `src`.
            reduce: "add", "multiply", or None to write.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.scatter_ (2.10).
        """
    def scatter_add(self, *arguments: Any, indices: Any = None, updates: Any = None, dim: Any = None, index: Any = None, src: Any = None) -> Tensor:
        """Add into a copy: by index vectors, `(indices, updates)`, or along an axis, `(dim, index, src)`.

        Args:
            self: any shape; it stays as it is.
            arguments: those of one form, by position.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.
            dim: the axis along which `index` has the places.
            index: places, as many axes as there are here; Int32 or Int64.
            src: of the shape of `index`.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.scatter_add (2.10).
        """
    def scatter_add_(self, dim: builtins.int, index: Tensor, src: Tensor) -> Tensor:
        """Add single elements of `src`, each at its place except along an axis.

        Args:
            input: changed in place.
            dim: along which axis, in [-rank, rank).
            index: places along the axis, as many axes as there are here; Int64.
            src: of at least the shape of `index`.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.scatter_add_ (2.10).
        """
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Divide the slices that index vectors name by `updates`, in a copy.

        Args:
            input_x: the Tensor; it stays as it is.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.tensor_scatter_div (2.10).
        """
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Raise the slices that index vectors name to `updates` where these are larger, in a copy.

        Args:
            input_x: the Tensor; it stays as it is.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.tensor_scatter_max (2.10).
        """
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Lower the slices that index vectors name to `updates` where these are smaller, in a copy.

        Args:
            input_x: the Tensor; it stays as it is.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.tensor_scatter_min (2.10).
        """
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Multiply the slices that index vectors name by `updates`, in a copy.

        Args:
            input_x: the Tensor; it stays as it is.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.tensor_scatter_mul (2.10).
        """
    def scatter_sub(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Subtract `updates` from the slices that index vectors name, in a copy.

        Args:
            input_x: the Tensor; it stays as it is.
            indices: shape (..., k): each vector names an element of the first k axes.
            updates: shape (...), followed by the shape of a slice.

        Returns:
            A Tensor of the shape and dtype of `input_x`.

        Raises:
            RuntimeError: an index is out of range.

        Follows: mindspore.ops.tensor_scatter_sub (2.10).
        """
    def searchsorted(self, v: Tensor, side: builtins.str = 'left', sorter: Tensor | None = None) -> Tensor:
        """Return the indices at which to insert `v` so that this tensor stays sorted, Int32.

        Args:
            self: sorted along the last axis, unless there is a `sorter`.
            v: the values to insert.
            side: "left" is before equal elements, "right" behind them.
            sorter: the places that sort this tensor.

        Returns:
            A Tensor of the shape of `v`; Int32.

        Follows: mindspore.Tensor.searchsorted (2.10).
        """
    def select(self, *arguments: Any, axis: Any = None, index: Any = None, condition: Any = None, y: Any = None, dim: Any = None) -> Tensor:
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
    def select_scatter(self, src: Tensor, axis: builtins.int, index: builtins.int) -> Tensor:
        """Write `src` at `index` along `axis` into a copy.

        Args:
            input: any shape; it stays as it is.
            src: of the shape of `input` without the axis.
            axis: which axis, in [-rank, rank).
            index: which slice.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.select_scatter (2.10).
        """
    def set_(self, source: Tensor | msbridge.ops.framework.device_placement.storage.UntypedStorage | None = None, storage_offset: builtins.int = 0, size: Sequence[builtins.int] | None = None, stride: Sequence[builtins.int] | None = None) -> Tensor:
        """Take over the memory of another Tensor, with its shape and strides or others.

        Args:
            self: this Tensor.
            source: the Tensor of the same dtype, or the memory of one; None for an empty one.
            storage_offset: where the first element lies, in elements, if `size` is given.
            size: the shape; None for that of `source`, or for all that is in the memory.
            stride: the elements to step along each axis; None for a shape without gaps.

        Returns:
            This Tensor itself.

        Raises:
            RuntimeError: the dtypes differ.
            TypeError: `source` is neither a Tensor nor a memory; an offset or strides without a size.

        Follows: mindspore.Tensor.set_ (2.10).
        """
    def set_cast_dtype(self, dtype: Type | None = None) -> None:
        """Note the dtype that a graph of MindSpore casts this tensor to; without effect, as in PyNative mode.

        Args:
            self: the tensor.
            dtype: without effect.

        Returns:
            None.
        """
    def set_const_arg(self, const_arg: builtins.bool = True) -> Tensor:
        """Return this tensor; graph constants are not kept apart here.

        Args:
            self: the tensor.
            const_arg: without effect.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.set_const_arg (2.10).
        """
    def set_device_address(self, address: builtins.int, shape: Any, dtype: Type) -> NoReturn:
        """Refuse memory of an Ascend at an address.

        Args:
            self: the tensor.
            address: the address.
            shape: the shape.
            dtype: the dtype.

        Returns:
            Nothing.

        Raises:
            RuntimeError: always, as in MindSpore without an Ascend.
        """
    def set_init_flag(self, flag: builtins.bool) -> None:
        """Set `init_flag`, by which MindSpore notes that the device has the values.

        Args:
            self: the tensor.
            flag: True or False.

        Returns:
            None.
        """
    def set_param_info(self, info: Any) -> None:
        """Set `param_info`; that of a Parameter cannot be another's.

        Args:
            self: the tensor.
            info: what is kept.

        Returns:
            None.
        """
    def sgn(self) -> Tensor:
        """Return the sign; for complex numbers `input / |input|`.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sgn (2.10).
        """
    def short(self) -> Tensor:
        """Change the dtype to Int16; a tensor that has it shares its memory.

        Returns:
            A Tensor of the same shape; Int16.

        Follows: mindspore.Tensor.short (2.10).
        """
    def sigmoid(self) -> Tensor:
        """Return 1 / (1 + exp(-x)).

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sigmoid (2.10).
        """
    def sigmoid_(self) -> Tensor:
        """Take the logistic function in place.

        Args:
            input: changed in place.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.sigmoid_ (2.10).
        """
    def sign(self) -> Tensor:
        """Return -1, 0 or 1, as the sign is.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sign (2.10).
        """
    def sign_(self) -> Tensor:
        """Take the sign in place.

        Args:
            input: changed in place.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.sign_ (2.10).
        """
    def signbit(self) -> Tensor:
        """Return a boolean tensor, true where an element is below 0; -0.0 is not.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape of `input`; Bool.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.signbit (2.10).
        """
    def sin(self) -> Tensor:
        """Return the sine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sin (2.10).
        """
    def sinc(self) -> Tensor:
        """Return sin(πx) / (πx), and 1 at 0.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sinc (2.10).
        """
    def sinh(self) -> Tensor:
        """Return the hyperbolic sine.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.sinh (2.10).
        """
    def slice_scatter(self, src: Tensor, axis: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1) -> Tensor:
        """Write `src` into a slice of a copy.

        Args:
            input: any shape; it stays as it is.
            src: of the shape of the slice.
            axis: along which axis, in [-rank, rank).
            start: the first place; None for 0.
            end: where to stop, exclusive; None for the end.
            step: the distance of places.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.slice_scatter (2.10).
        """
    def slogdet(self) -> builtins.tuple[Tensor, Tensor]:
        """Return sign and logarithm of the magnitude of the determinant.

        Args:
            input: shape (..., n, n); floats or complex numbers.

        Returns:
            (sign, logarithm), of shape (...) and the dtype of `input`; the logarithm is real.

        Follows: mindspore.ops.slogdet (2.10).
        """
    def soft_shrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Return x moved towards 0 by `lambd`, and 0 inside [-lambd, lambd].

        Args:
            input: any shape; floats.
            lambd: half the width of the range of zeros, at least 0.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.softshrink (2.10).
        """
    def softmax(self, axis: builtins.int, dtype: Type | None = None) -> Tensor:
        """Scale the exponentials of `self` so that they sum to one along `axis`.

        Args:
            self: shape (..., n, ...); a floating dtype.
            axis: which axis is n.
            dtype: what to cast `self` to first; None keeps.

        Returns:
            A Tensor of the shape of `self`; its dtype, or `dtype`.

        Follows: mindspore.ops.softmax (2.10).
        """
    def sort(self, axis: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool = True, *, dim: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Sort along `axis` (or `dim`); the order of equal elements is always kept, regardless of `stable`.

        Args:
            self: any shape; any dtype but Complex.
            axis: along which axis, in [-rank, rank).
            descending: the largest first.
            stable: without effect.
            dim: another name of `axis`.

        Returns:
            (values, indices), of the same shape: of the same dtype, and Int32.

        Follows: mindspore.Tensor.sort (2.10).
        """
    def split(self, split_size_or_sections: builtins.int | Sequence[builtins.int] | None = None, axis: builtins.int = 0, *, split_size: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | None = None, output_num: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Split along `axis` (or `dim`): into parts of a length, or of given lengths; `split_size` is their other name.

        `output_num` is the number of equal parts instead, as releases before 2.0 had it.

        Args:
            self: at least one axis.
            split_size_or_sections: the length of the parts (the last may be shorter), or the lengths of all parts.
            axis: along which, in [-rank, rank).
            split_size: another name of `split_size_or_sections`.
            dim: another name of `axis`.
            output_num: the number of equal parts.

        Returns:
            A tuple of views of the same dtype.

        Examples:
            >>> [part.shape for part in ops.zeros((5, 2)).split(2)]
            [(2, 2), (2, 2), (1, 2)]

        Follows: mindspore.Tensor.split (2.10; 1.9 for `output_num`).
        """
    def sqrt(self) -> Tensor:
        """Return the square root; integers yield Float32.

        Args:
            x: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `x`; Float32 for integers and bools.

        Raises:
            TypeError: `x` is not a Tensor.

        Follows: mindspore.ops.sqrt (2.10).
        """
    def square(self) -> Tensor:
        """Return the square.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Int64 for bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.square (2.10).
        """
    def squeeze(self, axis: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Drop axes of length 1.

        Args:
            input: the Tensor.
            axis: the axes to drop, those of another length stay; None or () means all of length 1.

        Returns:
            A view of the dtype of `input`.

        Raises:
            ValueError: `axis` is out of range.

        Examples:
            >>> ops.Squeeze(0)(Tensor([[1, 2, 3]])).shape
            (3,)

        Follows: mindspore.ops.squeeze (2.10).
        """
    def std(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, ddof: builtins.int | builtins.bool = 0, keepdims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, correction: builtins.int | None = None, keepdim: builtins.bool = False, unbiased: builtins.bool | None = None) -> Tensor:
        """Return the standard deviation along axes; `ddof` (or `correction`) is subtracted from the count of elements.

        That of integers is taken around their mean cut off, as `mean` returns it.

        Args:
            self: any shape; floats or integers.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            ddof: subtracted from the count of elements; True is 1.
            keepdims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            correction: another name of `ddof`.
            keepdim: another name of `keepdims`.
            unbiased: whether `ddof` is 1.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes.

        Follows: mindspore.Tensor.std (2.10).
        """
    def storage(self) -> msbridge.ops.framework.device_placement.storage.UntypedStorage:
        """Return the memory that holds the elements, in bytes.

        Returns:
            The memory as a sequence of bytes.

        Follows: mindspore.Tensor.storage (2.10).
        """
    def storage_offset(self) -> builtins.int:
        """Return the offset of the tensor in its memory, in elements.

        Returns:
            An int.

        Follows: mindspore.Tensor.storage_offset (2.10).
        """
    def stride(self, dim: builtins.int | None = None) -> Any:
        """Return the elements to step along an axis, or a list for all axes.

        Args:
            self: the tensor.
            dim: which axis; None asks for all.

        Returns:
            An int, or a list of them.

        Follows: mindspore.Tensor.stride (2.10).
        """
    def sub(self, other: Any = None, *, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, y: Any = None) -> Tensor:
        """Subtract `alpha * other`, element by element; `y` is another name of `other`, which may be a list or tuple.

        Args:
            self: the minuend.
            other: the subtrahend: a Tensor that broadcasts against this one, a number, a list or a tuple.
            alpha: what `other` is multiplied by.
            y: another name of `other`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Follows: mindspore.Tensor.sub (2.10).
        """
    def sub_(self, other: Any = None, *, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1, y: Any = None) -> Tensor:
        """Subtract `alpha * other` in place; `y` is another name of `other`.

        Args:
            input: changed in place.
            other: a number, or a Tensor that broadcasts to this one.
            alpha: what `other` is multiplied by.
            y: another name of `other`.

        Returns:
            This Tensor itself.

        Follows: mindspore.Tensor.sub_ (2.10).
        """
    def subtract(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex, *, alpha: builtins.int | builtins.float | builtins.bool | builtins.complex = 1) -> Tensor:
        """Subtract element by element: `input - alpha * other`; bool - bool is "exclusive or".

        Args:
            self: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `self`.
            alpha: a factor for `other`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.sub (2.10).
        """
    def sum(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, dtype: Type | builtins.bool | None = None, keepdims: builtins.bool = False, initial: builtins.int | builtins.float | builtins.bool | builtins.complex | None = None, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Add up along axes; integers and bools yield Int64.

        Args:
            self: any numbers.
            axis: the axis or axes; None and () mean all.
            dtype: cast to this first; a bool here counts as `keepdims`.
            keepdims: keep the reduced axes with length 1.
            initial: added to the sum.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes; Int64 for integers and bools, or `dtype`.

        Examples:
            >>> Tensor([[1, 2], [3, 4]]).sum(axis=0).asnumpy().tolist()
            [4, 6]

        Follows: mindspore.Tensor.sum (2.10).
        """
    def sum_to_size(self, *size: Any) -> Tensor:
        """Add up until the tensor has this shape, which must broadcast to that of the tensor.

        Args:
            self: any shape of numbers.
            size: the shape: ints, or one tuple or list.

        Returns:
            A Tensor of that shape and the same dtype.

        Raises:
            ValueError: it does not.

        Follows: mindspore.Tensor.sum_to_size (2.10).
        """
    def svd(self, full_matrices: builtins.bool = False, compute_uv: builtins.bool = True) -> Any:
        """Return the singular values, and with `compute_uv` (values, U, V), such that input = U diag(values) Vᴴ.

        Args:
            input: shape (..., m, n); floats or complex numbers.
            full_matrices: whether U and V are square.
            compute_uv: whether U and V are returned.

        Returns:
            A Tensor of shape (..., k), k = min(m, n); with `compute_uv`, (values, U, V): (..., k), (..., m, k) and (..., n,
            k).

        Follows: mindspore.ops.svd (2.10).
        """
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Exchange two axes; one with itself leaves the Tensor as it is.

        Args:
            input: any shape and dtype.
            axis0: in [-input.ndim, input.ndim).
            axis1: in [-input.ndim, input.ndim).

        Returns:
            A view of `input`, or the Tensor itself.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.swapaxes (2.10).
        """
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Exchange two axes, as `swapaxes`.

        Args:
            input: any shape and dtype.
            dim0: in [-input.ndim, input.ndim).
            dim1: in [-input.ndim, input.ndim).

        Returns:
            A view of `input`, or the Tensor itself.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.swapdims (2.10).
        """
    def t(self) -> Tensor:
        """Exchange the axes of a matrix; a Tensor of fewer or more axes stays.

        Args:
            input: any shape and dtype.

        Returns:
            A view of the dtype of `input`.

        Follows: mindspore.ops.t (2.10).
        """
    def take(self, indices: Any = None, axis: builtins.int | None = None, mode: builtins.str = 'clip', *, index: Tensor | None = None) -> Tensor:
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
    def tan(self) -> Tensor:
        """Return the tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.tan (2.10).
        """
    def tanh(self) -> Tensor:
        """Return the hyperbolic tangent.

        Args:
            input: a Tensor of any shape and dtype.

        Returns:
            A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

        Raises:
            TypeError: `input` is not a Tensor.

        Follows: mindspore.ops.tanh (2.10).
        """
    def tanh_(self) -> Tensor:
        """Take the hyperbolic tangent in place.

        Args:
            input: any shape; floats.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.tanh_ (2.10).
        """
    def tensor_split(self, indices_or_sections: builtins.int | Sequence[builtins.int], axis: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Split along an axis into n parts whose lengths differ by at most one, or before each of the indices.

        Args:
            input: one axis or more; any dtype.
            indices_or_sections: n, or the indices before which it is split.
            axis: in [-input.ndim, input.ndim).

        Returns:
            A tuple of Tensors, views of `input`.

        Follows: mindspore.ops.tensor_split (2.10).
        """
    def tile(self, *factors: builtins.int | Sequence[builtins.int], dims: Sequence[builtins.int] | Tensor | None = None, reps: Sequence[builtins.int] | None = None) -> Tensor:
        """Repeat the whole tensor: `tile(2, 1)`, `tile((2, 1))` or `tile(dims=(2, 1))`; `reps` is another name of `dims`.

        Args:
            self: any shape and dtype.
            factors: one for each axis, from the last on: ints, or one sequence of them.
            dims: the same as one sequence.
            reps: another name of `dims`.

        Returns:
            A Tensor of the same dtype, each axis as many times as long.

        Raises:
            TypeError: the factors are missing, or given twice.

        Follows: mindspore.Tensor.tile (2.10).
        """
    def to(self, *arguments: Any, device: builtins.str | None = None, dtype: Type | None = None, other: Tensor | None = None, non_blocking: builtins.bool = False, copy: builtins.bool = False) -> Tensor:
        """Change the dtype, move to another device, or both.

        Args:
            self: the tensor.
            arguments: a device and a dtype, or a dtype, or another Tensor; then `non_blocking` and `copy`.
            device: "CPU", "GPU" or "Ascend", or one of several such as "GPU:1"; without a number that of the context.
            dtype: a MindSpore dtype.
            other: a Tensor whose device and dtype are taken.
            non_blocking: do not wait for a copy between page-locked memory and the device.
            copy: copy in any case; else a tensor that is there already, and has the dtype, shares its memory.

        Returns:
            A Tensor of the same shape.

        Raises:
            TypeError: arguments of other types.
            ValueError: there is no such device.

        Follows: mindspore.Tensor.to (2.10).
        """
    def to_(self, device: builtins.str | None = None, non_blocking: builtins.bool = False) -> Tensor:
        """Move this Tensor itself to "CPU", or to the device of the context.

        Args:
            self: moved in place.
            device: "CPU", "GPU" or "Ascend".
            non_blocking: do not wait for a copy between page-locked memory and the device.

        Returns:
            This Tensor itself.

        Raises:
            ValueError: there is no such device.

        Follows: mindspore.Tensor.to_ (2.10).
        """
    def to_coo(self) -> msbridge.core.sparse.matrices.COOTensor:
        """Return the nonzero elements of a matrix, with their coordinates (int32).

        Args:
            self: two axes.

        Returns:
            A COOTensor of the same shape and dtype.

        Raises:
            TypeError: `self` is not a Tensor.
            ValueError: it has not two axes.

        Follows: mindspore.ops.dense_to_sparse_coo (2.10).
        """
    def to_csr(self) -> msbridge.core.sparse.matrices.CSRTensor:
        """Return the nonzero elements of a matrix, row by row (indices are int32).

        Args:
            self: two axes.

        Returns:
            A CSRTensor of the same shape and dtype.

        Raises:
            TypeError: `self` is not a Tensor.
            ValueError: it has not two axes.

        Follows: mindspore.ops.dense_to_sparse_csr (2.10).
        """
    def to_dlpack(self) -> Any:
        """Return the DLPack capsule of a Tensor.

        Args:
            tensor: any shape and dtype.

        Returns:
            A capsule, for once.

        Follows: mindspore.to_dlpack (2.10).
        """
    def top_k(self, k: builtins.int, sorted: builtins.bool = True) -> builtins.tuple[Tensor, ...]:
        """Return the `k` largest elements along the last axis and their places, as `topk`.

        Args:
            input_x: shape (..., n); integers or floats.
            k: how many, at most n.
            sorted: the largest first; else in any order.

        Returns:
            (values, indices), of shape (..., k): of the dtype of `input_x`, and Int32.

        Follows: mindspore.ops.top_k (1.9).
        """
    def topk(self, k: builtins.int | Tensor, dim: builtins.int | None = None, largest: builtins.bool = True, sorted: builtins.bool = True) -> builtins.tuple[Tensor, ...]:
        """Return the `k` largest or smallest elements along an axis and their places.

        Args:
            input: the Tensor.
            k: how many.
            dim: along which axis; None is the last.
            largest: else the smallest.
            sorted: in order; else any order.

        Returns:
            (values, places as Int32).

        Raises:
            TypeError: the elements are bools or complex.
            ValueError: there are fewer than `k`.

        Follows: mindspore.ops.topk (2.10).
        """
    def trace(self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1, dtype: Type | None = None) -> Tensor:
        """Add up a diagonal over two axes; integers yield Int64, bools whether one is true.

        Args:
            self: at least two axes.
            offset: which diagonal; positive ones are above the main one.
            axis1: the axis of rows.
            axis2: the axis of columns.
            dtype: what to cast to first.

        Returns:
            A Tensor without the two axes.

        Follows: mindspore.Tensor.trace (2.10).
        """
    def transpose(self, *axes: builtins.int | Sequence[builtins.int] | None, dim0: builtins.int | None = None, dim1: builtins.int | None = None) -> Tensor:
        """Permute the axes: none reverses them, two ints exchange those, else a permutation as ints or a sequence.

        Args:
            self: any shape and dtype.
            axes: ints, or one sequence of them.
            dim0: one axis to exchange.
            dim1: the other.

        Returns:
            A view of the same dtype.

        Examples:
            >>> x = ops.zeros((2, 3, 4))
            >>> x.transpose(0, 2, 1).shape, x.transpose(0, 1).shape, x.transpose().shape
            ((2, 4, 3), (3, 2, 4), (4, 3, 2))

        Follows: mindspore.Tensor.transpose (2.10).
        """
    def triangular_solve(self, A: Tensor, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """Solve A x = b for a triangular matrix: (x, A).

        Args:
            self: the right side, (..., n, k); floats or complex numbers.
            A: shape (..., n, n).
            upper: whether the upper triangle is read, else the lower one.
            transpose: solve with the transpose.
            unitriangular: whether the diagonal counts as ones.

        Returns:
            (x, A), of the shapes and the dtype of `self` and `A`.

        Follows: mindspore.mint.triangular_solve (2.10).
        """
    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """Keep what is on and below a diagonal.

        Args:
            input: shape (..., rows, columns).
            diagonal: which diagonal; positive ones are above the main one.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.tril (2.10).
        """
    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """Keep what is on and above a diagonal.

        Args:
            input: shape (..., rows, columns).
            diagonal: which diagonal; positive ones are above the main one.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Follows: mindspore.ops.triu (2.10).
        """
    def true_divide(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Divide element by element; integers yield Float32.

        Args:
            self: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `self`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.true_divide (2.10).
        """
    def trunc(self) -> Tensor:
        """Round to zero.

        Args:
            input: a Tensor of any shape; any dtype but Complex.

        Returns:
            A Tensor of the shape and dtype of `input`.

        Raises:
            TypeError: `input` is not a Tensor, or is of another dtype.

        Follows: mindspore.ops.trunc (2.10).
        """
    def type(self, dtype: Type | builtins.str | None = None) -> Any:
        """Change the dtype; without one, return the name of the dtype.

        Args:
            self: the tensor.
            dtype: a MindSpore dtype or its name; None asks for the name of the present one.

        Returns:
            A Tensor of the same shape and the dtype, or a string.

        Follows: mindspore.Tensor.type (2.10).
        """
    def type_as(self, other: Tensor) -> Tensor:
        """Change the dtype to that of `other`.

        Args:
            input: any shape and dtype.
            other: a Tensor, whose dtype is taken.

        Returns:
            A Tensor of the shape of `input`; `input` itself where it has the dtype.

        Follows: mindspore.ops.type_as (2.10).
        """
    def unbind(self, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Take a tensor apart along an axis, as `unstack`.

        Args:
            input: one axis or more; any dtype.
            dim: in [-input.ndim, input.ndim).

        Returns:
            A tuple of Tensors without this axis, as many as it is long.

        Follows: mindspore.ops.unbind (2.10).
        """
    def unfold(self, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
        """Lay windows side by side: (n, c, h, w) becomes (n, c·kh·kw, windows).

        Args:
            input: shape (n, c, h, w); floats.
            kernel_size: an int or (height, width).
            dilation: the distance of neighbours in a window, likewise.
            padding: zeros around the image, likewise.
            stride: the distance of windows, likewise.

        Returns:
            A Tensor of shape (n, c·kh·kw, windows) and the dtype of `input`.

        Follows: mindspore.ops.unfold (2.10).
        """
    def uniform(self, from_: builtins.float = 0.0, to: builtins.float = 1.0, generator: Any = None) -> Tensor:
        """Draw a tensor of this shape and dtype from [from_, to).

        Args:
            self: any shape; floats.
            from_: the lower end.
            to: the upper one, exclusive.
            generator: a Generator, or None for the global one.

        Returns:
            A Tensor of the same shape and dtype.

        Follows: mindspore.Tensor.uniform (2.10).
        """
    def uniform_(self, from_: builtins.float = 0, to: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Draw every element again from [from_, to).

        Args:
            input: changed in place; floats.
            from_: the lower end.
            to: the upper one, exclusive.
            generator: a Generator, or None for the global one.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.uniform_ (2.10).
        """
    def unique(self, sorted: builtins.bool = True, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Tensor | builtins.tuple[Tensor, ...]:
        """Return the distinct elements, sorted either way; on request also each element's place among them, and counts.

        Args:
            self: any shape.
            sorted: without effect.
            return_inverse: return the place of each element as well.
            return_counts: return how often each came as well.
            dim: compare slices along this axis; None compares elements.

        Returns:
            A Tensor of the same dtype, or a tuple of it, inverse and counts, Int64.

        Follows: mindspore.Tensor.unique (2.10).
        """
    def unique_consecutive(self, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Tensor | builtins.tuple[Tensor, ...]:
        """Drop elements that equal their predecessor.

        Args:
            input: the Tensor.
            return_inverse: return also the place of each element among the results, Int64.
            return_counts: return also how many equal elements there were, Int64.
            dim: compare slices along this axis; None flattens.

        Returns:
            A Tensor of the dtype of `input`, of one axis unless there is a `dim`; or a tuple of it and what was asked for.

        Follows: mindspore.ops.unique_consecutive (2.10).
        """
    def unique_with_pad(self, pad_num: builtins.int | Tensor) -> builtins.tuple[Tensor, ...]:
        """Return the distinct elements as `unique`, filled up with `pad_num` to the length of `x`.

        Args:
            x: one axis; any dtype but Complex.
            pad_num: the filling.

        Returns:
            (elements, places), of the shape of `x`: of its dtype, and Int64 if `x` is, else Int32.

        Follows: mindspore.ops.unique_with_pad (2.10).
        """
    def unsorted_segment_max(self, segment_ids: Tensor, num_segments: builtins.int) -> Tensor:
        """Return the maximum of each segment; the lowest number where one is empty.

        Args:
            x: any shape; integers or floats.
            segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
            num_segments: how many segments there are.

        Returns:
            A Tensor of shape (num_segments, ...) and the dtype of `x`.

        Follows: mindspore.ops.unsorted_segment_max (2.10).
        """
    def unsorted_segment_min(self, segment_ids: Tensor, num_segments: builtins.int) -> Tensor:
        """Return the minimum of each segment; the highest number where one is empty.

        Args:
            x: any shape; integers or floats.
            segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
            num_segments: how many segments there are.

        Returns:
            A Tensor of shape (num_segments, ...) and the dtype of `x`.

        Follows: mindspore.ops.unsorted_segment_min (2.10).
        """
    def unsorted_segment_prod(self, segment_ids: Tensor, num_segments: builtins.int) -> Tensor:
        """Multiply the slices of each segment; 1 where one is empty.

        Args:
            x: any shape; integers or floats.
            segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
            num_segments: how many segments there are.

        Returns:
            A Tensor of shape (num_segments, ...) and the dtype of `x`.

        Follows: mindspore.ops.unsorted_segment_prod (2.10).
        """
    def unsqueeze(self, dim: builtins.int | None = None, *, axis: builtins.int | None = None) -> Tensor:
        """Insert an axis of length 1; `axis` is another name of `dim`.

        Args:
            self: any shape and dtype.
            dim: where the new axis goes, in [-rank - 1, rank].
            axis: another name of `dim`.

        Returns:
            A view of the same dtype.

        Raises:
            TypeError: neither is given.

        Follows: mindspore.Tensor.unsqueeze (2.10).
        """
    def untyped_storage(self) -> msbridge.ops.framework.device_placement.storage.UntypedStorage:
        """Return the memory that holds the elements, in bytes; Tensors that share it have equal ones.

        Returns:
            The memory as a sequence of bytes.

        Follows: mindspore.Tensor.untyped_storage (2.10).
        """
    def value(self) -> Tensor:
        """Return this tensor; of a Parameter, its values.

        Returns:
            This Tensor itself, or one of the same shape and dtype.

        Follows: mindspore.Tensor.value (2.10).
        """
    def var(self, axis: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, ddof: builtins.int | builtins.bool = 0, keepdims: builtins.bool = False, *, dim: builtins.int | builtins.tuple[builtins.int, ...] | builtins.list[builtins.int] | None = None, correction: builtins.int | None = None, keepdim: builtins.bool = False, unbiased: builtins.bool | None = None) -> Tensor:
        """Return the variance along axes; `ddof` (or `correction`) is subtracted from the count of elements.

        That of integers is taken around their mean cut off, as `mean` returns it.

        Args:
            self: any shape; floats or integers.
            axis: the axis or axes, in [-rank, rank); None and () mean all.
            ddof: subtracted from the count of elements; True is 1.
            keepdims: keep the reduced axes with length 1.
            dim: another name of `axis`.
            correction: another name of `ddof`.
            keepdim: another name of `keepdims`.
            unbiased: whether `ddof` is 1.

        Returns:
            A Tensor of the dtype of `self`, without the reduced axes.

        Follows: mindspore.Tensor.var (2.10).
        """
    def view(self, *shape: builtins.int | Sequence[builtins.int] | Tensor | Type, dtype: Type | None = None) -> Tensor:
        """Return the elements in another shape, as `reshape`; non-contiguous elements are copied.

        With a type instead of a shape the same bytes are read as that type, and the last axis grows or shrinks.

        Args:
            self: any shape and dtype.
            shape: as many elements as there are, ints or one sequence; one length may be -1. Or a dtype.
            dtype: as what the bytes are read.

        Returns:
            A Tensor of the shape and the same dtype, or of `dtype`.

        Examples:
            >>> Tensor([[1, 2], [3, 4]]).view(-1).shape
            (4,)

        Follows: mindspore.Tensor.view (2.10).
        """
    def view_as(self, other: Tensor) -> Tensor:
        """Return the elements in the shape of `other`.

        Args:
            input: any shape and dtype.
            other: of as many elements.

        Returns:
            A Tensor of the shape of `other` and the dtype of `input`.

        Follows: mindspore.ops.view_as (2.10).
        """
    def vsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int]) -> builtins.tuple[Tensor, ...]:
        """Split along the first axis.

        Args:
            input: two axes or more; any dtype.
            indices_or_sections: a number of parts, or the indices before which it is split.

        Returns:
            A tuple of Tensors, views of `input`.

        Follows: mindspore.ops.vsplit (2.10).
        """
    def wait_pipeline(self) -> None:
        """Do nothing: there is no pipeline in front of the operators.

        Returns:
            None.
        """
    def where(self, condition: Tensor, y: Any = None, *, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex | None = None) -> Tensor:
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
    def xdivy(self, y: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return `x / y`, and 0 where `x` is 0.

        Args:
            x: a Tensor or number of any shape and dtype.
            y: a Tensor or number that broadcasts against `x`; one of the two is a Tensor.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: no input is a Tensor.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.xdivy (2.10).
        """
    def xlogy(self, other: Tensor | builtins.int | builtins.float | builtins.bool | builtins.complex) -> Tensor:
        """Return `input * log(other)`, NaN where both are 0; a number beside half precision yields Float32.

        Args:
            input: a Tensor or number of any shape and dtype.
            other: a Tensor or number that broadcasts against `input`.

        Returns:
            A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

        Raises:
            TypeError: an input is neither a Tensor nor a number.
            ValueError: the shapes do not broadcast.

        Follows: mindspore.ops.xlogy (2.10).
        """
    def zero_(self) -> Tensor:
        """Write 0 into every element.

        Args:
            input: any shape and dtype.

        Returns:
            `input` itself.

        Follows: mindspore.Tensor.zero_ (2.10).
        """

def wrap(data: torch.Tensor) -> Tensor: ...
def to_torch(tensor: Tensor) -> torch.Tensor: ...
def tensor(input_data: Any=None, dtype: Type | None=None, shape: Any=None, init: Any=None, const_arg: builtins.bool=False, device: builtins.str | None=None) -> Tensor: ...
def as_torch(value: Any, dtype: torch.dtype | None, device: torch.device | None=None) -> torch.Tensor: ...
def wrap_numpys(data: torch.Tensor) -> Tensor: ...
def from_numpy(array: np.ndarray) -> Tensor: ...
def is_tensor(obj: builtins.object) -> builtins.bool: ...
