"""MindSpore's intermediate form as it was written for MindInsight and for debugging.

Follows: mindspore.train.anf_ir_pb2 (2.10).
"""

from typing import Any

from msbridge.converters.messages.schema import Messages, Schema, number_names

ENUMS = {
    "Version": {"UNKNOWWN_VERSION": 0, "IR_VERSION": 1},
    "DataType": number_names("""
        DT_UNDEFINED DT_BOOL DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_FLOAT16
        DT_FLOAT32 DT_FLOAT64 DT_STRING DT_TENSOR DT_GRAPH DT_BOOLS DT_INTS8 DT_INTS16 DT_INTS32 DT_INTS64 DT_UINTS8
        DT_UINTS16 DT_UINTS32 DT_UINTS64 DT_FLOATS16 DT_FLOATS32 DT_FLOATS64 DT_STRINGS DT_TENSORS DT_GRAPHS
        DT_TUPLE DT_LIST DT_DICT DT_NONE DT_SYM_INST DT_BASE_INT DT_BASE_UINT DT_BASE_FLOAT DT_TYPE DT_ANY DT_REFKEY
        DT_REF DT_COMPLEX64 DT_COMPLEX128 DT_BASE_COMPLEX DT_BFLOAT16 DT_BFLOATS16 DT_INT4 DT_SLICE
    """),
    "InputProto.EdgeType": {"DATA_EDGE": 0, "CONTROL_EDGE": 1},
}

MESSAGES: Messages = {
    "ValueProto": {  # a constant of one of many types
        "dtype": (1, "DataType"),
        "bool_val": (2, "bool"),
        "int_val": (3, "int64"),
        "uint_val": (4, "uint64"),
        "float_val": (5, "float"),
        "double_val": (6, "double"),
        "str_val": (7, "string"),
        "tensor_val": (8, "TensorProto"),
        "graph": (9, "GraphProto"),
        "bool_vals": (10, "repeated bool"),
        "int_vals": (11, "repeated int64"),
        "uint_vals": (12, "repeated uint64"),
        "float_vals": (13, "repeated float"),
        "double_vals": (14, "repeated double"),
        "str_vals": (15, "repeated string"),
        "tensor_vals": (16, "repeated TensorProto"),
        "graphs": (17, "repeated GraphProto"),
        "values": (18, "repeated ValueProto"),
        "dict_val": (19, "repeated NamedValueProto"),
        "type_val": (20, "TypeProto"),
    },
    "AttributeProto": {  # an attribute of an operator
        "name": (1, "string"),
        "value": (2, "ValueProto"),
    },
    "NamedValueProto": {  # a constant by name
        "key": (1, "string"),
        "value": (2, "ValueProto"),
    },
    "TensorShapeProto": {  # a shape
        "dim": (1, "repeated TensorShapeProto.Dimension"),
    },
    "TensorShapeProto.Dimension": {  # the length of an axis
        "size": (1, "int64"),
        "name": (2, "string"),
    },
    "TypeProto": {  # the type of a value
        "data_type": (1, "DataType"),
        "tensor_type": (2, "TypeProto.Tensor", "value"),
        "sequence_type": (3, "TypeProto.Sequence", "value"),
    },
    "TypeProto.Tensor": {  # the type of a tensor
        "elem_type": (1, "DataType"),
        "shape": (2, "TensorShapeProto"),
    },
    "TypeProto.Sequence": {  # the types of the elements of a tuple or list
        "elem_types": (1, "repeated TypeProto"),
    },
    "ParameterProto": {  # a parameter of a graph
        "name": (1, "string"),
        "type": (2, "TypeProto"),
        "default_val": (3, "ValueProto"),
    },
    "OutputProto": {  # a result of a graph
        "name": (1, "string"),
        "type": (2, "TypeProto"),
    },
    "InputProto": {  # an input of a node, by the name of the node that makes it
        "name": (1, "string"),
        "type": (2, "InputProto.EdgeType"),
    },
    "NodeProto": {  # a node: an operator, its inputs and what it returns
        "input": (1, "repeated InputProto"),
        "name": (2, "string"),
        "op_type": (3, "string"),
        "scope": (4, "string"),
        "attribute": (5, "repeated AttributeProto"),
        "output_type": (6, "TypeProto"),
        "output_i": (7, "uint64"),
        "full_name": (8, "string"),
        "instance_name": (10, "string"),
    },
    "ModelProto": {  # a network
        "ir_version": (1, "int64"),
        "domain": (2, "string"),
        "model_version": (3, "int64"),
        "graph": (4, "GraphProto"),
        "metadata_operators": (5, "OperatorSetProto"),
    },
    "OperatorProto": {  # what is known of an operator
        "name": (1, "string"),
        "config": (2, "bytes"),
        "obj_info": (3, "bytes"),
    },
    "OperatorSetProto": {  # operators
        "operators": (1, "repeated OperatorProto"),
        "summary": (2, "string"),
    },
    "GraphProto": {  # nodes, what they take from outside and what they return
        "node": (1, "repeated NodeProto"),
        "name": (2, "string"),
        "parameters": (3, "repeated ParameterProto"),
        "outputs": (4, "repeated OutputProto"),
        "const_vals": (5, "repeated NamedValueProto"),
    },
    "TensorProto": {  # a tensor
        "dims": (1, "repeated int64"),
        "data_type": (2, "DataType"),
        "float_data": (3, "packed float"),
        "int32_data": (4, "packed int32"),
        "int64_data": (5, "packed int64"),
        "double_data": (6, "packed double"),
        "uint64_data": (7, "packed uint64"),
        "raw_data": (8, "bytes"),
    },
}

SCHEMA = Schema("anf_ir.proto", "mindspore.irpb", MESSAGES, ENUMS)
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
