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
    made = model.graph
    made.name = graph.name
    primitives: dict[Any, str] = {}
    for node in graph.nodes:
        made.node.append(_node(node, primitives))
    for value, parameter in graph.parameters:
        tensor = made.parameter.add()
        _describe(tensor, value.meta)
        tensor.name, tensor.ref_key = value.name, parameter.name
        tensor.compression_type = TensorProto.NO_COMPRESSION
    for value in graph.inputs:
        described = made.input.add()
        described.name = value.name
        _describe(described.tensor.add(), value.meta)
    made.output.append(_output(graph))
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
    made = NodeProto(input=node.inputs, output=[node.name], name=node.name)
    if node.primitive == CONSTANT:
        made.op_type = CONSTANT
        made.attribute.append(_attribute("value", node.attributes["value"]))
        return made
    key = (node.primitive, tuple(node.attributes.items()))
    made.op_type = "REF::" + primitives.setdefault(key, f"{node.primitive}:{len(primitives) + 1}")
    if node.meta is not None:
        shape = _result(node.meta)
        shape.name = "shape"
        made.attribute.append(shape)
    made.domain = f"{node.layer}/{node.primitive}-op{node.name.rpartition(':')[2]}"
    return made


def _attribute(name: str, value: Any) -> AttributeProto:
    """Return an attribute of a primitive, or the value of a constant."""
    made = _single(value, is_inside=False)
    made.name = name
    return made


def _single(value: Any, is_inside: bool) -> AttributeProto:
    """Return a value; inside of a tuple numbers and texts are in the fields for several."""
    made = AttributeProto()
    if value is None:
        made.type = AttributeProto.NONE
    elif value is Monad.MEMORY:
        made.type = AttributeProto.UMONAD
    elif isinstance(value, bool | int):
        made.type = AttributeProto.BOOL if isinstance(value, bool) else AttributeProto.INT64
        if is_inside:
            made.ints.append(int(value))
        else:
            made.i = int(value)
    elif isinstance(value, float):
        made.type = AttributeProto.FLOAT
        if is_inside:
            made.floats.append(value)
        else:
            made.f = value
    elif isinstance(value, str):
        made.type = AttributeProto.STRING
        if is_inside:
            made.strings.append(value.encode())
        else:
            made.s = value.encode()
    elif isinstance(value, torch.dtype):
        made.type = AttributeProto.TENSORS
        made.tensors.add().data_type = TYPES[value]
        made.tensors[0].name = "value0"
    elif isinstance(value, torch.Tensor):
        made.type = AttributeProto.TENSORS
        tensor = made.tensors.add()
        _describe(tensor, value)
        tensor.name, tensor.raw_data = "value0", content(value)
    else:
        made.type = AttributeProto.TUPLE
        for one in value:
            made.values.append(_single(one, is_inside=True))
    return made


def content(data: torch.Tensor) -> bytes:
    """Return the bytes of a tensor as a file has them."""
    return data.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def _describe(made: TensorProto, meta: Any) -> None:
    made.dims.extend(-1 if is_symbolic(length) else int(length) for length in meta.shape)
    made.data_type = TYPES[meta.dtype]


def _result(meta: Any) -> AttributeProto:
    """Encode the result of a node: the shapes and types of its tensors."""
    made = AttributeProto()
    if isinstance(meta, Sequence):
        made.type = AttributeProto.TUPLE
        for one in meta:
            made.values.append(_result(one))
        made.seq_info.is_dyn_len = False
    elif meta is Monad.MEMORY:
        made.type = AttributeProto.UMONAD
    elif isinstance(meta, torch.Tensor):
        made.type = AttributeProto.TENSORS
        _describe(made.tensors.add(), meta)
    else:
        made.type = AttributeProto.SCALAR
        tensor = made.tensors.add()
        tensor.dims.append(0)
        kinds = {bool: torch.bool, float: torch.float32}
        tensor.data_type = TYPES[kinds.get(type(meta), torch.int64)]
    return made


def _output(graph: Graph) -> ValueInfoProto:
    made = ValueInfoProto(name=graph.output)
    meta = metas(graph.outputs)
    if isinstance(meta, torch.Tensor):
        _describe(made.tensor.add(), meta)
    else:
        made.denotation = "Tuple" if isinstance(meta, Sequence) else "Scalar"
        made.attr_info.CopyFrom(_result(meta))
    return made
