"""MindSpore's intermediate form as it was written for MindInsight and for debugging.

Follows: mindspore.train.anf_ir_pb2 (2.10).
"""

from msbridge.converters.messages.fields import Forward, optional, repeated
from msbridge.converters.messages.kinds import EnumType
from msbridge.converters.messages.message import Message

__all__ = [
    "AttributeProto",
    "DataType",
    "GraphProto",
    "InputProto",
    "ModelProto",
    "NamedValueProto",
    "NodeProto",
    "OperatorProto",
    "OperatorSetProto",
    "OutputProto",
    "ParameterProto",
    "TensorProto",
    "TensorShapeProto",
    "TypeProto",
    "ValueProto",
    "Version",
]

PACKAGE = "mindspore.irpb"

Version = EnumType("Version", {"UNKNOWWN_VERSION": 0, "IR_VERSION": 1})
DataType = EnumType(
    "DataType",
    {
        "DT_UNDEFINED": 0,
        "DT_BOOL": 1,
        "DT_INT8": 2,
        "DT_INT16": 3,
        "DT_INT32": 4,
        "DT_INT64": 5,
        "DT_UINT8": 6,
        "DT_UINT16": 7,
        "DT_UINT32": 8,
        "DT_UINT64": 9,
        "DT_FLOAT16": 10,
        "DT_FLOAT32": 11,
        "DT_FLOAT64": 12,
        "DT_STRING": 13,
        "DT_TENSOR": 14,
        "DT_GRAPH": 15,
        "DT_BOOLS": 16,
        "DT_INTS8": 17,
        "DT_INTS16": 18,
        "DT_INTS32": 19,
        "DT_INTS64": 20,
        "DT_UINTS8": 21,
        "DT_UINTS16": 22,
        "DT_UINTS32": 23,
        "DT_UINTS64": 24,
        "DT_FLOATS16": 25,
        "DT_FLOATS32": 26,
        "DT_FLOATS64": 27,
        "DT_STRINGS": 28,
        "DT_TENSORS": 29,
        "DT_GRAPHS": 30,
        "DT_TUPLE": 31,
        "DT_LIST": 32,
        "DT_DICT": 33,
        "DT_NONE": 34,
        "DT_SYM_INST": 35,
        "DT_BASE_INT": 36,
        "DT_BASE_UINT": 37,
        "DT_BASE_FLOAT": 38,
        "DT_TYPE": 39,
        "DT_ANY": 40,
        "DT_REFKEY": 41,
        "DT_REF": 42,
        "DT_COMPLEX64": 43,
        "DT_COMPLEX128": 44,
        "DT_BASE_COMPLEX": 45,
        "DT_BFLOAT16": 46,
        "DT_BFLOATS16": 47,
        "DT_INT4": 48,
        "DT_SLICE": 49,
    },
)

globals().update(Version.items())  # protobuf's modules have the values of enumerations as names, too
globals().update(DataType.items())


class ValueProto(Message, package=PACKAGE):
    """A constant of one of many types."""

    dtype = optional(1, DataType)
    bool_val = optional(2, "bool")
    int_val = optional(3, "int64")
    uint_val = optional(4, "uint64")
    float_val = optional(5, "float")
    double_val = optional(6, "double")
    str_val = optional(7, "string")
    tensor_val = optional(8, Forward("TensorProto"))
    graph = optional(9, Forward("GraphProto"))
    bool_vals = repeated(10, "bool")
    int_vals = repeated(11, "int64")
    uint_vals = repeated(12, "uint64")
    float_vals = repeated(13, "float")
    double_vals = repeated(14, "double")
    str_vals = repeated(15, "string")
    tensor_vals = repeated(16, Forward("TensorProto"))
    graphs = repeated(17, Forward("GraphProto"))
    values = repeated(18, Forward("ValueProto"))
    dict_val = repeated(19, Forward("NamedValueProto"))
    type_val = optional(20, Forward("TypeProto"))


class AttributeProto(Message, package=PACKAGE):
    """An attribute of an operator."""

    name = optional(1, "string")
    value = optional(2, ValueProto)


class NamedValueProto(Message, package=PACKAGE):
    """A constant by name."""

    key = optional(1, "string")
    value = optional(2, ValueProto)


class TensorShapeProto(Message, package=PACKAGE):
    """A shape."""

    class Dimension(Message, package=PACKAGE):
        """The length of an axis."""

        size = optional(1, "int64")
        name = optional(2, "string")

    dim = repeated(1, Dimension)


class TypeProto(Message, package=PACKAGE):
    """The type of a value."""

    class Tensor(Message, package=PACKAGE):
        """The type of a tensor."""

        elem_type = optional(1, DataType)
        shape = optional(2, TensorShapeProto)

    class Sequence(Message, package=PACKAGE):
        """The types of the elements of a tuple or list."""

        elem_types = repeated(1, Forward("TypeProto"))

    data_type = optional(1, DataType)
    tensor_type = optional(2, Tensor, "value")
    sequence_type = optional(3, Sequence, "value")


class ParameterProto(Message, package=PACKAGE):
    """A parameter of a graph."""

    name = optional(1, "string")
    type = optional(2, TypeProto)
    default_val = optional(3, ValueProto)


class OutputProto(Message, package=PACKAGE):
    """A result of a graph."""

    name = optional(1, "string")
    type = optional(2, TypeProto)


class InputProto(Message, package=PACKAGE):
    """An input of a node, by the name of the node that makes it."""

    EdgeType = EnumType("EdgeType", {"DATA_EDGE": 0, "CONTROL_EDGE": 1})

    name = optional(1, "string")
    type = optional(2, EdgeType)


class NodeProto(Message, package=PACKAGE):
    """A node: an operator, its inputs and what it gives."""

    input = repeated(1, InputProto)
    name = optional(2, "string")
    op_type = optional(3, "string")
    scope = optional(4, "string")
    attribute = repeated(5, AttributeProto)
    output_type = optional(6, TypeProto)
    output_i = optional(7, "uint64")
    full_name = optional(8, "string")
    instance_name = optional(10, "string")


class ModelProto(Message, package=PACKAGE):
    """A network."""

    ir_version = optional(1, "int64")
    domain = optional(2, "string")
    model_version = optional(3, "int64")
    graph = optional(4, Forward("GraphProto"))
    metadata_operators = optional(5, Forward("OperatorSetProto"))


class OperatorProto(Message, package=PACKAGE):
    """What is known of an operator."""

    name = optional(1, "string")
    config = optional(2, "bytes")
    obj_info = optional(3, "bytes")


class OperatorSetProto(Message, package=PACKAGE):
    """Operators."""

    operators = repeated(1, OperatorProto)
    summary = optional(2, "string")


class GraphProto(Message, package=PACKAGE):
    """Nodes, what they take from outside and what they give."""

    node = repeated(1, NodeProto)
    name = optional(2, "string")
    parameters = repeated(3, ParameterProto)
    outputs = repeated(4, OutputProto)
    const_vals = repeated(5, NamedValueProto)


class TensorProto(Message, package=PACKAGE):
    """A tensor."""

    dims = repeated(1, "int64")
    data_type = optional(2, DataType)
    float_data = repeated(3, "float", packed=True)
    int32_data = repeated(4, "int32", packed=True)
    int64_data = repeated(5, "int64", packed=True)
    double_data = repeated(6, "double", packed=True)
    uint64_data = repeated(7, "uint64", packed=True)
    raw_data = optional(8, "bytes")
