"""The messages of a `.mindir`: graphs of operators, their parameters and their constants.

Follows: mindspore.train.mind_ir_pb2 (2.10), whose numbers are those of 2.0, which has fewer fields.
"""

from typing import Any

from msbridge.converters.messages.schema import Messages, Schema, number_names

# types that the elements of tensors and attributes share, by their number
NUMBERS = """
    UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64
    COMPLEX128 BFLOAT16
"""

ENUMS = {
    "Version": {
        "IR_VERSION_START": 0,
        "IR_VERSION": 1,
        "IR_VERSION_WITH_PRIM_FUNCTION": 2,
        "IR_VERSION_WITH_SCALAR_GRAPH_HOLDER": 3,
    },
    "AttributeProto.AttributeType": number_names(
        NUMBERS
        + """
        TENSOR GRAPH TENSORS TUPLE LIST DICT UMONAD IOMONAD NONE PRIMITIVECLOSURE FUNCGRAPHCLOSURE PARTIALCLOSURE
        UNIONFUNCCLOSURE CSR_TENSOR COO_TENSOR ROW_TENSOR CLASS_TYPE NAME_SPACE SYMBOL TYPE_NULL MAP_TENSOR FUNCTOR
        SCALAR SCALAR_GRAPH_HOLDER
    """
    ),
    "FunctorProto.FunctorType": {"SHAPE_CALC_FUNCTOR": 1, "ANY_FUNCTOR": 2},
    "TensorProto.DataType": number_names(NUMBERS + " FLOAT64 QINT4X2"),
    "TensorProto.CompressionType": number_names("NO_COMPRESSION INDEXING SPARSE FSE BIT_PACKING FSE_INT FSE_INFER"),
    "PrimitiveProto.PrimType": {"PRIMITIVE": 1, "PRIMITIVE_FUNCTION": 2},
}

MESSAGES: Messages = {
    "AttributeProto": {  # a constant, or the type of a value
        "name": (1, "string"),
        "f": (2, "float"),
        "i": (3, "int64"),
        "d": (4, "double"),
        "s": (5, "bytes"),
        "t": (6, "TensorProto"),
        "g": (7, "GraphProto"),
        "floats": (8, "repeated float"),
        "doubles": (9, "repeated double"),
        "ints": (10, "repeated int64"),
        "strings": (11, "repeated bytes"),
        "tensors": (12, "repeated TensorProto"),
        "graphs": (13, "repeated GraphProto"),
        "doc_string": (14, "string"),
        "ref_attr_name": (15, "string"),
        "type": (16, "AttributeProto.AttributeType"),
        "values": (17, "repeated AttributeProto"),
        "seq_info": (18, "AttributeProto.SeqInfoProto"),
        "functor": (19, "FunctorProto"),
        "graph_holder": (20, "ScalarGraphHolderProto"),
    },
    "AttributeProto.SeqInfoProto": {  # what is known of a tuple of any length
        "is_dyn_len": (1, "bool"),
        "tuple_elem_item": (2, "AttributeProto"),
    },
    "FunctorProto": {  # a computation of shapes, by name
        "type": (1, "FunctorProto.FunctorType"),
        "name": (2, "string"),
        "values": (3, "repeated AttributeProto"),
    },
    "ValueInfoProto": {  # an input or a result of a graph
        "name": (1, "string"),
        "tensor": (2, "repeated TensorProto"),
        "doc_string": (3, "string"),
        "denotation": (4, "string"),
        "attr_info": (5, "AttributeProto"),
    },
    "NodeProto": {  # a node: an operator, its inputs and what it returns
        "input": (1, "repeated string"),
        "output": (2, "repeated string"),
        "name": (3, "string"),
        "op_type": (4, "string"),
        "attribute": (5, "repeated AttributeProto"),
        "doc_string": (6, "string"),
        "domain": (7, "string"),
        "node_attr": (8, "repeated AttributeProto"),
        "primal_attr": (9, "repeated AttributeProto"),
    },
    "ModelProto": {  # a network: its graph, and the graphs that this one calls
        "ir_version": (1, "string"),
        "producer_name": (2, "string"),
        "producer_version": (3, "string"),
        "domain": (4, "string"),
        "model_version": (5, "string"),
        "doc_string": (6, "string"),
        "graph": (7, "GraphProto"),
        "functions": (8, "repeated GraphProto"),
        "preprocessor": (9, "PreprocessorProto"),
        "little_endian": (10, "bool"),
        "parallel": (11, "ParallelProto"),
        "primitives": (12, "repeated PrimitiveProto"),
        "mind_ir_version": (13, "int64"),
        "user_info": (14, "repeated ModelProto.UserInfoEntry"),
    },
    "ModelProto.UserInfoEntry": {  # a note of the user, by name; protobuf shows the list of them as a dict
        "key": (1, "string"),
        "value": (2, "string"),
    },
    "PreprocessorProto": {  # the pipeline of the data
        "op": (1, "repeated PreprocessOpProto"),
    },
    "PreprocessOpProto": {  # an operation of the pipeline of the data
        "input_columns": (1, "string"),
        "output_columns": (2, "string"),
        "project_columns": (3, "string"),
        "op_type": (4, "string"),
        "operations": (5, "string"),
        "offload": (6, "bool"),
    },
    "GraphProto": {  # nodes, what they take from outside and what they return
        "node": (1, "repeated NodeProto"),
        "name": (2, "string"),
        "parameter": (3, "repeated TensorProto"),
        "doc_string": (4, "string"),
        "input": (5, "repeated ValueInfoProto"),
        "output": (6, "repeated ValueInfoProto"),
        "bprop_hash": (7, "string"),
        "attribute": (8, "repeated AttributeProto"),
        "bprop_filepath": (9, "string"),
        "map_parameter": (10, "repeated MapTensorProto"),
    },
    "TensorProto": {  # a tensor; its elements are here, or in another file
        "dims": (1, "repeated int64"),
        "data_type": (2, "int32"),
        "float_data": (3, "repeated float"),
        "int32_data": (4, "repeated int32"),
        "string_data": (5, "repeated bytes"),
        "int64_data": (6, "repeated int64"),
        "name": (7, "string"),
        "doc_string": (8, "string"),
        "raw_data": (9, "bytes"),
        "double_data": (10, "repeated double"),
        "uint64_data": (11, "repeated uint64"),
        "external_data": (12, "TensorProto.ExternalDataProto"),
        "ref_key": (13, "string"),
        "min_dims": (14, "repeated int64"),
        "max_dims": (15, "repeated int64"),
        "compression_type": (16, "TensorProto.CompressionType"),
        "quant_params": (17, "repeated TensorProto.QuantParamProto"),
    },
    "TensorProto.ExternalDataProto": {  # a place in another file
        "location": (1, "string"),
        "offset": (2, "int64"),
        "length": (3, "int64"),
        "checksum": (4, "string"),
    },
    "TensorProto.QuantParamProto": {  # how a tensor was quantised
        "quant_algo_name": (1, "required string"),
        "attribute": (2, "repeated AttributeProto"),
    },
    "MapTensorProto": {  # the table of a map parameter
        "name": (1, "required string"),
        "default_value": (2, "required AttributeProto"),
        "key_tensor": (3, "required TensorProto"),
        "value_tensor": (4, "required TensorProto"),
        "status_tensor": (5, "required TensorProto"),
    },
    "ParallelProto": {  # how the parameters are divided over devices
        "layout": (1, "repeated LayoutProto"),
    },
    "LayoutProto": {  # how one parameter is divided over devices
        "name": (1, "string"),
        "device_arrangement_int": (2, "repeated int64"),
        "tensor_map_int": (3, "repeated int64"),
        "slice_shape_int": (4, "repeated int64"),
        "field_size": (5, "int64"),
        "uniform_split": (6, "bool"),
        "opt_shard_group": (7, "string"),
        "pipeline_shared": (8, "bool"),
        "is_send": (9, "bool"),
        "peer_rank": (10, "int64"),
        "sr_tag": (11, "int64"),
        "opt_shard_slice_shape_int": (12, "repeated int64"),
    },
    "PrimitiveProto": {  # an operator with its attributes, which nodes name
        "name": (1, "string"),
        "op_type": (2, "string"),
        "attribute": (3, "repeated AttributeProto"),
        "instance_name": (4, "string"),
        "prim_type": (5, "PrimitiveProto.PrimType"),
    },
    "ScalarNodeProto": {  # a step of a computation of scalars
        "scalar_op_type": (1, "int64"),
        "in_index": (2, "repeated int64"),
        "value": (3, "repeated int64"),
    },
    "ScalarGraphHolderProto": {  # a computation of scalars from shapes
        "scalar_node": (1, "repeated ScalarNodeProto"),
        "input_shape_index": (2, "repeated uint64"),
    },
}

SCHEMA = Schema("mind_ir.proto", "mind_ir", MESSAGES, ENUMS, maps=("ModelProto.UserInfoEntry",))
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
