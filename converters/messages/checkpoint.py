"""The messages of a `.ckpt`, for scripts that take one apart themselves; `converters/formats/ckpt.py` reads large ones.

Follows: mindspore.train.checkpoint_pb2 (2.10).
"""

from msbridge.converters.messages.fields import optional, repeated, required
from msbridge.converters.messages.message import Message

__all__ = ["Checkpoint", "MapTensorProto", "TensorProto"]


class TensorProto(Message):
    """A tensor, or a slice of a large one."""

    dims = repeated(1, "int64")
    tensor_type = required(2, "string")
    tensor_content = required(3, "bytes")


class MapTensorProto(Message):
    """The tensors of a map parameter."""

    tensor = repeated(1, TensorProto)


class Checkpoint(Message):
    """The parameters of a file."""

    class Value(Message):
        """A parameter by name."""

        tag = required(1, "string")
        tensor = optional(2, TensorProto, "value")
        maptensor = optional(3, MapTensorProto, "value")

    value = repeated(1, Value)
