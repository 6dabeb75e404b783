"""Functions that copy to another device."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor


def move_to(input: Tensor | Sequence[int], to: str = "CPU", blocking: bool = True) -> Tensor:
    """Return a Tensor on "CPU", or on the device of the context ("Ascend", "GPU").

    Args:
        input: a Tensor, or a list or tuple of ints, which becomes one.
        to: the device.
        blocking: whether the call waits until the elements are there.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        ValueError: there is no such device, or `blocking` is not a bool.

    Follows: mindspore.ops.move_to (2.10), of its graph mode.
    """
    tensor = input if isinstance(input, Tensor) else Tensor(input)
    return tensor.move_to(to, blocking)
