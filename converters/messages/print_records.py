"""The messages of a file that holds what `ops.Print` printed.

Follows: mindspore.train.print_pb2 (2.10).
"""

from typing import Any

from msbridge.converters.messages.schema import Messages, Schema

MESSAGES: Messages = {
    "TensorProto": {  # a tensor
        "dims": (1, "repeated int64"),
        "tensor_type": (2, "required string"),
        "tensor_content": (3, "required bytes"),
    },
    "Print": {  # what one call printed
        "value": (1, "repeated Print.Value"),
    },
    "Print.Value": {  # a text or a tensor
        "desc": (1, "string", "value"),
        "tensor": (2, "TensorProto", "value"),
    },
}

SCHEMA = Schema("print.proto", "mindspore.prntpb", MESSAGES)
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
