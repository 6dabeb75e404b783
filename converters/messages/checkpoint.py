"""The messages of a `.ckpt`, for scripts that take one apart themselves; `converters/formats/ckpt.py` reads large ones.

Follows: mindspore.train.checkpoint_pb2 (2.10).
"""

from typing import Any

from msbridge.converters.messages.schema import Messages, Schema

MESSAGES: Messages = {
    "TensorProto": {  # a tensor, or a slice of a large one
        "dims": (1, "repeated int64"),
        "tensor_type": (2, "required string"),
        "tensor_content": (3, "required bytes"),
    },
    "MapTensorProto": {  # the tensors of a map parameter
        "tensor": (1, "repeated TensorProto"),
    },
    "Checkpoint": {  # the parameters of a file
        "value": (1, "repeated Checkpoint.Value"),
    },
    "Checkpoint.Value": {  # a parameter by name
        "tag": (1, "required string"),
        "tensor": (2, "TensorProto", "value"),
        "maptensor": (3, "MapTensorProto", "value"),
    },
}

SCHEMA = Schema("checkpoint.proto", "", MESSAGES)
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
