"""The function that writes a Tensor to a file."""

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.dumping.primitives import TensorDump


def tensordump(file_name: str, tensor: Tensor, mode: str = "out") -> None:
    """Write a Tensor to `file_name`_type_number.npy, as the primitive `TensorDump` does.

    Args:
        file_name: the path, with or without ".npy".
        tensor: what is written.
        mode: "in" or "out", which differ where tensors are distributed.

    Returns:
        None.

    Raises:
        TypeError: `file_name` or `mode` is not a str, or `tensor` not a Tensor.
        ValueError: another `mode`.

    Follows: mindspore.ops.tensordump (2.10).
    """
    TensorDump(instance(mode, "mode", "tensordump", str))(file_name, tensor)
