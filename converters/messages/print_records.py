"""The messages of a file that holds what `ops.Print` printed.

Follows: mindspore.train.print_pb2 (2.10).
"""

from msbridge.converters.messages.fields import optional, repeated, required
from msbridge.converters.messages.message import Message

__all__ = ["Print", "TensorProto"]

PACKAGE = "mindspore.prntpb"


class TensorProto(Message, package=PACKAGE):
    """A tensor."""

    dims = repeated(1, "int64")
    tensor_type = required(2, "string")
    tensor_content = required(3, "bytes")


class Print(Message, package=PACKAGE):
    """What one call printed."""

    class Value(Message, package=PACKAGE):
        """A text or a tensor."""

        desc = optional(1, "string", "value")
        tensor = optional(2, TensorProto, "value")

    value = repeated(1, Value)
