"""The order of elements: repeating, rolling, flipping."""

from msbridge.core.errors.explain import describe, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, Axis, axes_in, axis_in, data_of, tensor_of, value_error
from msbridge.ops.shape.joining import functions as joining
from msbridge.ops.shape.reshaping import functions as reshaping

Ints = int | tuple[int, ...] | list[int]


def tile(a: Array, reps: Ints) -> Tensor:
    """Repeat the whole along each axis; more `reps` than axes put new axes in front.

    Args:
        a: any shape and dtype.
        reps: a factor for each axis.

    Returns:
        A Tensor of the dtype of `a`, in memory of its own.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.tile (2.10).
    """
    counts = (reps,) if isinstance(reps, int) else reps
    if not isinstance(counts, tuple | list) or not all(isinstance(count, int) for count in counts):
        raise TypeError(f"For 'tile', reps must be an int or a tuple of ints, got {describe(reps)}.")
    if any(count < 0 for count in counts):
        raise value_error(f"For 'tile', reps must not be negative, got {reps!r}.")
    return joining.tile(tensor_of(a, "tile", "a"), tuple(counts))


@explaining
def repeat(a: Array, repeats: Array, axis: int | None = None) -> Tensor:
    """Repeat each element along an axis, or of the flattened tensor.

    Args:
        a: what to repeat.
        repeats: how often; one number, or one for each element along `axis`.
        axis: along which axis.

    Returns:
        A Tensor of the dtype of `a`, longer along the axis.

    Raises:
        ValueError: a number is negative, or there is no such axis.

    Follows: mindspore.numpy.repeat (2.10).
    """
    tensor = tensor_of(a, "repeat", "a")
    if axis is None:
        tensor, axis = wrap(tensor._data.reshape(-1)), 0
    counts = data_of(repeats, "repeat", "repeats").reshape(-1)
    if bool((counts < 0).any()):
        raise value_error(f"For 'repeat', repeats must not be negative, got {repeats!r}.")
    place = axis_in(axis, tensor.ndim, "repeat")
    return joining.repeat_interleave(tensor, int(counts) if len(counts) == 1 else wrap(counts.long()), place)


def roll(a: Array, shift: Ints, axis: Axis = None) -> Tensor:
    """Shift elements along axes; what leaves at one end comes in at the other.

    Args:
        a: any shape and dtype.
        shift: how far, towards the end; one number, or one for each axis.
        axis: one axis or several; None shifts the flattened elements.

    Returns:
        A Tensor of the shape and dtype of `a`.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.roll (2.10).
    """
    tensor = tensor_of(a, "roll", "a")
    if axis is None:
        return reshaping.roll(tensor, shift)
    if axis == ():
        return tensor.copy()
    axes = [axis_in(place, tensor.ndim, "roll") for place in ([axis] if isinstance(axis, int) else axis)]
    return reshaping.roll(tensor, shift if isinstance(shift, tuple | list) else [shift] * len(axes), axes)


def flip(m: Array, axis: Axis = None) -> Tensor:
    """Reverse the order along axes, all by default.

    Args:
        m: any shape and dtype.
        axis: one axis or several, in [-m.ndim, m.ndim).

    Returns:
        A Tensor of the shape and dtype of `m`, in memory of its own.

    Raises:
        TypeError: `m` is no array.

    Follows: mindspore.numpy.flip (2.10).
    """
    tensor = tensor_of(m, "flip", "m")
    return reshaping.flip(tensor, axes_in(axis, tensor.ndim, "flip"))


def flipud(m: Array) -> Tensor:
    """Reverse the order along the first axis.

    Args:
        m: one axis or more; any dtype.

    Returns:
        A Tensor of the shape and dtype of `m`, in memory of its own.

    Raises:
        TypeError: `m` is no array.

    Follows: mindspore.numpy.flipud (2.10).
    """
    return flip(m, 0)


def fliplr(m: Array) -> Tensor:
    """Reverse the order along the second axis.

    Args:
        m: two axes or more; any dtype.

    Returns:
        A Tensor of the shape and dtype of `m`, in memory of its own.

    Raises:
        TypeError: `m` is no array.

    Follows: mindspore.numpy.fliplr (2.10).
    """
    return flip(m, 1)


def rot90(a: Array, k: int = 1, axes: tuple[int, int] | list[int] = (0, 1)) -> Tensor:
    """Turn the plane of two axes by `k` right angles, from the first towards the second.

    Args:
        a: two axes or more; any dtype.
        k: how many right angles; negative ones turn back.
        axes: two different axes.

    Returns:
        A Tensor of the dtype of `a`.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.rot90 (2.10).
    """
    tensor = tensor_of(a, "rot90", "a")
    return reshaping.rot90(tensor, k, axes_in(axes, tensor.ndim, "rot90"))
