"""A graph of primitives as the message that a `.mindir` file is."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.converters.messages.mind_ir import (
    AttributeProto,
    ModelProto,
    NodeProto,
    PrimitiveProto,
    TensorProto,
    ValueInfoProto,
)
from msbridge.converters.mindir.records import Monad
from msbridge.train.exporting.graph import CONSTANT, Graph, Node, is_symbolic, metas
from msbridge.train.exporting.operators.complex_numbers import TRANSFORMS

__all__ = ["encode_model"]

# The form of 2.0, whose primitives have their settings as attributes: every release since reads it.
RELEASE, IR_VERSION, MIND_IR_VERSION = "2.0.0", "0.1.1", 1

TYPES = {
    torch.float32: TensorProto.FLOAT,
    torch.uint8: TensorProto.UINT8,
    torch.int8: TensorProto.INT8,
    torch.uint16: TensorProto.UINT16,
    torch.int16: TensorProto.INT16,
    torch.int32: TensorProto.INT32,
    torch.int64: TensorProto.INT64,
    torch.bool: TensorProto.BOOL,
    torch.float16: TensorProto.FLOAT16,
    torch.float64: TensorProto.DOUBLE,
    torch.uint32: TensorProto.UINT32,
    torch.uint64: TensorProto.UINT64,
    torch.complex64: TensorProto.COMPLEX64,
    torch.complex128: TensorProto.COMPLEX128,
    torch.bfloat16: TensorProto.BFLOAT16,
}


def encode_model(graph: Graph) -> ModelProto:
    """Return the model of a graph; its parameters have no data yet."""
    model = ModelProto(ir_version=IR_VERSION, producer_name="MindSpore", model_version=RELEASE)
    message = model.graph
    message.name = graph.name
    primitives: dict[Any, str] = {}
    for node in graph.nodes:
        message.node.append(_node(node, primitives))
    for value, parameter in graph.parameters:
        tensor = message.parameter.add()
        _describe(tensor, value.meta)
        tensor.name, tensor.ref_key = value.name, parameter.name
        tensor.compression_type = TensorProto.NO_COMPRESSION
    for value in graph.inputs:
        described = message.input.add()
        described.name = value.name
        _describe(described.tensor.add(), value.meta)
    message.output.append(_output(graph))
    model.little_endian = True
    for (name, attributes), number in primitives.items():
        primitive = model.primitives.add()
        primitive.name, primitive.op_type, primitive.instance_name = number, name, ""
        if name in TRANSFORMS:  # younger than 2.0
            primitive.prim_type = PrimitiveProto.PRIMITIVE_FUNCTION
        for key, value in attributes:
            primitive.attribute.append(_attribute(key, value))
    model.mind_ir_version = MIND_IR_VERSION
    return model


def _node(node: Node, primitives: dict[Any, str]) -> NodeProto:
    message = NodeProto(input=node.inputs, output=[node.name], name=node.name)
    if node.primitive == CONSTANT:
        message.op_type = CONSTANT
        message.attribute.append(_attribute("value", node.attributes["value"]))
        return message
    key = (node.primitive, tuple(node.attributes.items()))
    message.op_type = "REF::" + primitives.setdefault(key, f"{node.primitive}:{len(primitives) + 1}")
    if node.meta is not None:
        shape = _result(node.meta)
        shape.name = "shape"
        message.attribute.append(shape)
    message.domain = f"{node.layer}/{node.primitive}-op{node.name.rpartition(':')[2]}"
    return message


def _attribute(name: str, value: Any) -> AttributeProto:
    """Return an attribute of a primitive, or the value of a constant."""
    made = _single(value, is_inside=False)
    made.name = name
    return made


def _single(value: Any, is_inside: bool) -> AttributeProto:
    """Return a value; inside of a tuple numbers and texts are in the fields for several."""
    message = AttributeProto()
    if value is None:
        message.type = AttributeProto.NONE
    elif value is Monad.MEMORY:
        message.type = AttributeProto.UMONAD
    elif isinstance(value, bool | int):
        message.type = AttributeProto.BOOL if isinstance(value, bool) else AttributeProto.INT64
        if is_inside:
            message.ints.append(int(value))
        else:
            message.i = int(value)
    elif isinstance(value, float):
        message.type = AttributeProto.FLOAT
        if is_inside:
            message.floats.append(value)
        else:
            message.f = value
    elif isinstance(value, str):
        message.type = AttributeProto.STRING
        if is_inside:
            message.strings.append(value.encode())
        else:
            message.s = value.encode()
    elif isinstance(value, torch.dtype):
        message.type = AttributeProto.TENSORS
        message.tensors.add().data_type = TYPES[value]
        message.tensors[0].name = "value0"
    elif isinstance(value, torch.Tensor):
        message.type = AttributeProto.TENSORS
        tensor = message.tensors.add()
        _describe(tensor, value)
        tensor.name, tensor.raw_data = "value0", content(value)
    else:
        message.type = AttributeProto.TUPLE
        for one in value:
            message.values.append(_single(one, is_inside=True))
    return message


def content(data: torch.Tensor) -> bytes:
    """Return the bytes of a tensor as a file has them."""
    return data.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def _describe(made: TensorProto, meta: Any) -> None:
    made.dims.extend(-1 if is_symbolic(length) else int(length) for length in meta.shape)
    made.data_type = TYPES[meta.dtype]


def _result(meta: Any) -> AttributeProto:
    """Encode the result of a node: the shapes and types of its tensors."""
    message = AttributeProto()
    if isinstance(meta, Sequence):
        message.type = AttributeProto.TUPLE
        for one in meta:
            message.values.append(_result(one))
        message.seq_info.is_dyn_len = False
    elif meta is Monad.MEMORY:
        message.type = AttributeProto.UMONAD
    elif isinstance(meta, torch.Tensor):
        message.type = AttributeProto.TENSORS
        _describe(message.tensors.add(), meta)
    else:
        message.type = AttributeProto.SCALAR
        tensor = message.tensors.add()
        tensor.dims.append(0)
        kinds = {bool: torch.bool, float: torch.float32}
        tensor.data_type = TYPES[kinds.get(type(meta), torch.int64)]
    return message


def _output(graph: Graph) -> ValueInfoProto:
    message = ValueInfoProto(name=graph.output)
    meta = metas(graph.outputs)
    if isinstance(meta, torch.Tensor):
        _describe(message.tensor.add(), meta)
    else:
        message.denotation = "Tuple" if isinstance(meta, Sequence) else "Scalar"
        message.attr_info.CopyFrom(_result(meta))
    return message
