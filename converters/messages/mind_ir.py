"""The messages of a `.mindir`: graphs of operators, their parameters and their constants.

Follows: mindspore.train.mind_ir_pb2 (2.10), whose numbers are those of 2.0, which has fewer fields.
"""

from msbridge.converters.messages.fields import Forward, optional, repeated, required
from msbridge.converters.messages.kinds import EnumType
from msbridge.converters.messages.message import Message

__all__ = [
    "AttributeProto",
    "FunctorProto",
    "GraphProto",
    "LayoutProto",
    "MapTensorProto",
    "ModelProto",
    "NodeProto",
    "ParallelProto",
    "PreprocessOpProto",
    "PreprocessorProto",
    "PrimitiveProto",
    "ScalarGraphHolderProto",
    "ScalarNodeProto",
    "TensorProto",
    "ValueInfoProto",
    "Version",
]

PACKAGE = "mind_ir"

Version = EnumType(
    "Version",
    {
        "IR_VERSION_START": 0,
        "IR_VERSION": 1,
        "IR_VERSION_WITH_PRIM_FUNCTION": 2,
        "IR_VERSION_WITH_SCALAR_GRAPH_HOLDER": 3,
    },
)

globals().update(Version.items())  # protobuf's modules have the values of enumerations as names, too

NUMBERS = (  # types that the elements of tensors and attributes share, by their number
    "UNDEFINED",
    "FLOAT",
    "UINT8",
    "INT8",
    "UINT16",
    "INT16",
    "INT32",
    "INT64",
    "STRING",
    "BOOL",
    "FLOAT16",
    "DOUBLE",
    "UINT32",
    "UINT64",
    "COMPLEX64",
    "COMPLEX128",
    "BFLOAT16",
)
OBJECTS = (  # types of attributes alone
    "TENSOR",
    "GRAPH",
    "TENSORS",
    "TUPLE",
    "LIST",
    "DICT",
    "UMONAD",
    "IOMONAD",
    "NONE",
    "PRIMITIVECLOSURE",
    "FUNCGRAPHCLOSURE",
    "PARTIALCLOSURE",
    "UNIONFUNCCLOSURE",
    "CSR_TENSOR",
    "COO_TENSOR",
    "ROW_TENSOR",
    "CLASS_TYPE",
    "NAME_SPACE",
    "SYMBOL",
    "TYPE_NULL",
    "MAP_TENSOR",
    "FUNCTOR",
    "SCALAR",
    "SCALAR_GRAPH_HOLDER",
)


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


class AttributeProto(Message, package=PACKAGE):
    """A constant, or the type of a value."""

    AttributeType = EnumType("AttributeType", _numbered(*NUMBERS, *OBJECTS))

    class SeqInfoProto(Message, package=PACKAGE):
        """What is known of a tuple of any length."""

        is_dyn_len = optional(1, "bool")
        tuple_elem_item = optional(2, Forward("AttributeProto"))

    name = optional(1, "string")
    f = optional(2, "float")
    i = optional(3, "int64")
    d = optional(4, "double")
    s = optional(5, "bytes")
    t = optional(6, Forward("TensorProto"))
    g = optional(7, Forward("GraphProto"))
    floats = repeated(8, "float")
    doubles = repeated(9, "double")
    ints = repeated(10, "int64")
    strings = repeated(11, "bytes")
    tensors = repeated(12, Forward("TensorProto"))
    graphs = repeated(13, Forward("GraphProto"))
    doc_string = optional(14, "string")
    ref_attr_name = optional(15, "string")
    type = optional(16, AttributeType)
    values = repeated(17, Forward("AttributeProto"))
    seq_info = optional(18, SeqInfoProto)
    functor = optional(19, Forward("FunctorProto"))
    graph_holder = optional(20, Forward("ScalarGraphHolderProto"))


class FunctorProto(Message, package=PACKAGE):
    """A computation of shapes, by name."""

    FunctorType = EnumType("FunctorType", {"SHAPE_CALC_FUNCTOR": 1, "ANY_FUNCTOR": 2})

    type = optional(1, FunctorType)
    name = optional(2, "string")
    values = repeated(3, AttributeProto)


class ValueInfoProto(Message, package=PACKAGE):
    """An input or a result of a graph."""

    name = optional(1, "string")
    tensor = repeated(2, Forward("TensorProto"))
    doc_string = optional(3, "string")
    denotation = optional(4, "string")
    attr_info = optional(5, AttributeProto)


class NodeProto(Message, package=PACKAGE):
    """A node: an operator, its inputs and what it gives."""

    input = repeated(1, "string")
    output = repeated(2, "string")
    name = optional(3, "string")
    op_type = optional(4, "string")
    attribute = repeated(5, AttributeProto)
    doc_string = optional(6, "string")
    domain = optional(7, "string")
    node_attr = repeated(8, AttributeProto)
    primal_attr = repeated(9, AttributeProto)


class ModelProto(Message, package=PACKAGE):
    """A network: its graph, and the graphs that this one calls."""

    class UserInfoEntry(Message, package=PACKAGE):
        """A note of the user, by name; protobuf shows the list of them as a dict."""

        key = optional(1, "string")
        value = optional(2, "string")

    ir_version = optional(1, "string")
    producer_name = optional(2, "string")
    producer_version = optional(3, "string")
    domain = optional(4, "string")
    model_version = optional(5, "string")
    doc_string = optional(6, "string")
    graph = optional(7, Forward("GraphProto"))
    functions = repeated(8, Forward("GraphProto"))
    preprocessor = optional(9, Forward("PreprocessorProto"))
    little_endian = optional(10, "bool")
    parallel = optional(11, Forward("ParallelProto"))
    primitives = repeated(12, Forward("PrimitiveProto"))
    mind_ir_version = optional(13, "int64")
    user_info = repeated(14, UserInfoEntry)


class PreprocessorProto(Message, package=PACKAGE):
    """The pipeline of the data."""

    op = repeated(1, Forward("PreprocessOpProto"))


class PreprocessOpProto(Message, package=PACKAGE):
    """An operation of the pipeline of the data."""

    input_columns = optional(1, "string")
    output_columns = optional(2, "string")
    project_columns = optional(3, "string")
    op_type = optional(4, "string")
    operations = optional(5, "string")
    offload = optional(6, "bool")


class GraphProto(Message, package=PACKAGE):
    """Nodes, what they take from outside and what they give."""

    node = repeated(1, NodeProto)
    name = optional(2, "string")
    parameter = repeated(3, Forward("TensorProto"))
    doc_string = optional(4, "string")
    input = repeated(5, ValueInfoProto)
    output = repeated(6, ValueInfoProto)
    bprop_hash = optional(7, "string")
    attribute = repeated(8, AttributeProto)
    bprop_filepath = optional(9, "string")
    map_parameter = repeated(10, Forward("MapTensorProto"))


class TensorProto(Message, package=PACKAGE):
    """A tensor; its elements are here, or in another file."""

    DataType = EnumType("DataType", _numbered(*NUMBERS, "FLOAT64", "QINT4X2"))
    CompressionType = EnumType(
        "CompressionType",
        _numbered("NO_COMPRESSION", "INDEXING", "SPARSE", "FSE", "BIT_PACKING", "FSE_INT", "FSE_INFER"),
    )

    class ExternalDataProto(Message, package=PACKAGE):
        """A place in another file."""

        location = optional(1, "string")
        offset = optional(2, "int64")
        length = optional(3, "int64")
        checksum = optional(4, "string")  # 2.0 has it

    class QuantParamProto(Message, package=PACKAGE):
        """How a tensor was quantised."""

        quant_algo_name = required(1, "string")
        attribute = repeated(2, Forward("AttributeProto"))

    dims = repeated(1, "int64")
    data_type = optional(2, "int32")
    float_data = repeated(3, "float")
    int32_data = repeated(4, "int32")
    string_data = repeated(5, "bytes")
    int64_data = repeated(6, "int64")
    name = optional(7, "string")
    doc_string = optional(8, "string")
    raw_data = optional(9, "bytes")
    double_data = repeated(10, "double")
    uint64_data = repeated(11, "uint64")
    external_data = optional(12, ExternalDataProto)
    ref_key = optional(13, "string")
    min_dims = repeated(14, "int64")
    max_dims = repeated(15, "int64")
    compression_type = optional(16, CompressionType)
    quant_params = repeated(17, QuantParamProto)


class MapTensorProto(Message, package=PACKAGE):
    """The table of a map parameter."""

    name = required(1, "string")
    default_value = required(2, AttributeProto)
    key_tensor = required(3, TensorProto)
    value_tensor = required(4, TensorProto)
    status_tensor = required(5, TensorProto)


class ParallelProto(Message, package=PACKAGE):
    """How the parameters are divided over devices."""

    layout = repeated(1, Forward("LayoutProto"))


class LayoutProto(Message, package=PACKAGE):
    """How one parameter is divided over devices."""

    name = optional(1, "string")
    device_arrangement_int = repeated(2, "int64")
    tensor_map_int = repeated(3, "int64")
    slice_shape_int = repeated(4, "int64")
    field_size = optional(5, "int64")
    uniform_split = optional(6, "bool")
    opt_shard_group = optional(7, "string")
    pipeline_shared = optional(8, "bool")
    is_send = optional(9, "bool")
    peer_rank = optional(10, "int64")
    sr_tag = optional(11, "int64")
    opt_shard_slice_shape_int = repeated(12, "int64")


class PrimitiveProto(Message, package=PACKAGE):
    """An operator with its attributes, which nodes name."""

    PrimType = EnumType("PrimType", {"PRIMITIVE": 1, "PRIMITIVE_FUNCTION": 2})

    name = optional(1, "string")
    op_type = optional(2, "string")
    attribute = repeated(3, AttributeProto)
    instance_name = optional(4, "string")
    prim_type = optional(5, PrimType)


class ScalarNodeProto(Message, package=PACKAGE):
    """A step of a computation of scalars."""

    scalar_op_type = optional(1, "int64")
    in_index = repeated(2, "int64")
    value = repeated(3, "int64")


class ScalarGraphHolderProto(Message, package=PACKAGE):
    """A computation of scalars from shapes."""

    scalar_node = repeated(1, ScalarNodeProto)
    input_shape_index = repeated(2, "uint64")
