"""Comparison, logic, bits: two operands in, mostly booleans out."""

import torch

from msbridge.core.errors.explain import explain, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, binary, binary_tensors, unary

_SMALL = frozenset({torch.int8, torch.uint8, torch.int16, torch.int32})


equal = define(
    binary, torch.eq, "Return a boolean tensor, true where `input == other`.", name="equal", dtypes="any -> bool"
)


def not_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
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
    return binary(torch.ne, "not_equal", input, other)


def less(input: Tensor | Number, other: Tensor | Number) -> Tensor:
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
    return binary(_is_less, "less", input, other)


def less_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
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
    return binary(torch.le, "less_equal", input, other)


def greater(input: Tensor | Number, other: Tensor | Number) -> Tensor:
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
    return binary(torch.gt, "greater", input, other)


def greater_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
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
    return binary(torch.ge, "greater_equal", input, other)


eq = equal
ne = not_equal
lt = tensor_lt = less
le = tensor_le = less_equal
gt = tensor_gt = greater
ge = tensor_ge = greater_equal


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Return a boolean tensor, true where `|input - other| <= atol + rtol * |other|`.

    Args:
        input: any shape and dtype.
        other: of the dtype of `input`; broadcasts against it.
        rtol: the distance that is allowed for each unit of `|other|`.
        atol: the distance that is allowed in addition.
        equal_nan: whether NaN is close to NaN.

    Returns:
        A Bool Tensor of the broadcast shape.

    Raises:
        TypeError: an input is not a Tensor, or the dtypes differ.

    Follows: mindspore.ops.isclose (2.10).
    """
    try:
        return wrap(torch.isclose(input._data, other._data, rtol, atol, equal_nan))
    except Exception as error:
        raise explain(error, "isclose", input=input, other=other) from error


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
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
    return bool(isclose(input, other, rtol, atol, equal_nan)._data.all())


def approximate_equal(x: Tensor, y: Tensor, tolerance: float = 1e-05) -> Tensor:
    """Return a boolean tensor, true where `|x - y| < tolerance`.

    Args:
        x: any shape; integers or floats.
        y: broadcasts against `x`.
        tolerance: the difference from which on elements differ.

    Returns:
        A Tensor of the broadcast shape; Bool.

    Follows: mindspore.ops.approximate_equal (2.10).
    """
    return binary(lambda left, right: (left - right).abs() < tolerance, "approximate_equal", x, y)


logical_and = define(
    binary_tensors,
    torch.logical_and,
    "Return a boolean tensor, true where both are true (not zero).",
    dtypes="any -> bool",
)
logical_or = define(
    binary_tensors,
    torch.logical_or,
    "Return a boolean tensor, true where one is true (not zero).",
    dtypes="any -> bool",
)
logical_xor = define(
    binary_tensors,
    torch.logical_xor,
    "Return a boolean tensor, true where exactly one is true (not zero).",
    dtypes="any -> bool",
)
logical_not = define(
    unary, torch.logical_not, "Return a boolean tensor, true where `input` is false (zero).", dtypes="any -> bool"
)
bitwise_and = define(
    binary, torch.bitwise_and, 'Return "and" of the bits of integers.', dtypes="integer or bool -> same"
)
bitwise_or = define(binary, torch.bitwise_or, 'Return "or" of the bits of integers.', dtypes="integer or bool -> same")
bitwise_xor = define(
    binary, torch.bitwise_xor, 'Return "exclusive or" of the bits of integers.', dtypes="integer or bool -> same"
)
bitwise_left_shift = define(
    binary_tensors,
    torch.bitwise_left_shift,
    "Shift the bits of `input` to the left by `other`.",
    dtypes="integer -> same",
)
bitwise_right_shift = define(
    binary_tensors,
    torch.bitwise_right_shift,
    "Shift the bits of `input` to the right by `other`.",
    dtypes="integer -> same",
)
invert = define(
    unary, torch.bitwise_not, "Turn over every bit of integers.", "x", name="invert", dtypes="integer or bool -> same"
)
bitwise_not = define(
    unary,
    torch.bitwise_not,
    'Turn over every bit of integers; "not" of bools.',
    follows="mindspore.mint.bitwise_not",
    dtypes="integer or bool -> same",
)


def population_count(input_x: Tensor) -> Tensor:
    """Count the bits of each integer that are one.

    Args:
        input_x: any shape; any integer dtype.

    Returns:
        A Tensor of the shape of `input_x`, UInt8.

    Raises:
        TypeError: `input_x` is not a Tensor, or its dtype is not an integer one.

    Follows: mindspore.ops.population_count (2.10).
    """
    return unary(_population_count, "population_count", input_x)


isreal = define(
    unary, torch.isreal, "Return a boolean tensor, true where the imaginary part is 0.", dtypes="any -> bool"
)


def is_tensor(obj: object) -> bool:
    """Return whether `obj` is a Tensor.

    Args:
        obj: anything.

    Returns:
        True or False.

    Follows: mindspore.ops.is_tensor (2.10).
    """
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Return whether the elements are floating point numbers.

    Args:
        input: a Tensor of any shape and dtype.

    Returns:
        True or False.

    Follows: mindspore.ops.is_floating_point (2.10).
    """
    return input.dtype.is_floating_point


@explaining
def is_complex(input: Tensor) -> bool:
    """Return whether the elements are complex numbers.

    Args:
        input: a Tensor of any shape and dtype.

    Returns:
        True or False.

    Follows: mindspore.ops.is_complex (2.10).
    """
    return input._data.is_complex()


def is_nonzero(input: Tensor) -> bool:
    """Return whether the only element is not zero.

    Args:
        input: a Tensor of one element.

    Returns:
        True or False.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: there are more elements, or none.

    Follows: mindspore.ops.is_nonzero (2.10).
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"For 'is_nonzero', input must be a Tensor, got {input!r}.")
    return bool(input)


def _is_less(left: torch.Tensor, right: torch.Tensor | Number) -> torch.Tensor:
    """Compare; a number that the dtype of `left` does not hold is compared as it is (torch lets it wrap)."""
    if type(right) is int and left.dtype in _SMALL:
        left = left.long()
    return torch.lt(left, right)


def _population_count(data: torch.Tensor) -> torch.Tensor:
    """Sum the bits of every byte in pairs, then in fours, then in eights."""
    if data.dtype is torch.bool or data.is_floating_point() or data.is_complex():
        raise TypeError(f"input_x must hold integers, got {str(data.dtype).removeprefix('torch.')}.")
    bits = data.contiguous().reshape(-1, 1).view(torch.uint8)
    bits = bits - ((bits >> 1) & 0x55)
    bits = (bits & 0x33) + ((bits >> 2) & 0x33)
    return ((bits + (bits >> 4)) & 0x0F).sum(1, dtype=torch.uint8).reshape(data.shape)
