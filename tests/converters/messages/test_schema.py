"""Messages are those of MindSpore 2.10. Judge: its modules, of which `described.py` printed the numbers."""

import contextlib
import copy
import importlib
import pickle
from typing import Any

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import EncodeError, Message
from hypothesis import given, settings
from hypothesis import strategies as st

from msbridge.converters.messages import anf_ir, checkpoint, mind_ir, node_strategy, print_records, summary
from msbridge.converters.messages.schema import Limits, parse
from msbridge.converters.messages.wire import DecodeError, varint
from tests.converters.messages.described import digest, lines
from tests.processes import python

REAL = {
    anf_ir: "5c3c835de3bce4b6",
    checkpoint: "7707f9171876e513",
    mind_ir: "816a9af38cd851d1",
    node_strategy: "4502dd3ed33920d5",
    print_records: "364957e9cfb65a67",
    summary: "37c468ae14593729",
}


@pytest.mark.parametrize("module", REAL, ids=lambda module: module.__name__.rpartition(".")[2])
def test_definitions_are_mindspores(module: Any) -> None:
    assert digest([line for line in lines(module) if ".ExternalDataProto.checksum " not in line]) == REAL[module]


def test_a_checksum_of_2_0_is_read() -> None:
    place = mind_ir.TensorProto.ExternalDataProto.FromString(b"\x22\x02ab")
    assert place.checksum == "ab"


def test_classes_are_protobufs_and_not_in_its_pool() -> None:
    assert issubclass(checkpoint.Checkpoint, Message)
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindFileByName("mind_ir.proto")


@pytest.mark.process
def test_protobuf_is_loaded_with_the_first_class() -> None:
    code = (
        "import sys; from msbridge.converters.messages import checkpoint as c; print('google.protobuf' in sys.modules);"
        "c.Checkpoint; print('google.protobuf' in sys.modules)"
    )
    done = python("-c", code)
    assert done.stdout.split() == ["False", "True"]


@settings(max_examples=300)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for kind in (node_strategy.ParallelStrategyMap, anf_ir.ValueProto, checkpoint.Checkpoint):
        try:
            message = parse(kind, data)
        except DecodeError:
            continue
        assert parse(kind, message.SerializePartialToString()) == message


@settings(max_examples=200)
@given(st.data())
def test_damaged_messages_are_read_or_refused(draw: Any) -> None:
    whole = node_strategy.ParallelStrategyMap(current_stage=3)
    item = whole.parallel_layout_item.add(param_name="dense.weight")
    item.parallel_layouts.dev_matrix.add(dim=[2, 4])
    data = bytearray(whole.SerializePartialToString())
    data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    with contextlib.suppress(DecodeError):
        assert isinstance(str(parse(node_strategy.ParallelStrategyMap, bytes(data))), str)


def test_depth_is_bounded() -> None:
    data = b""
    for _ in range(300):
        data = b"\x92\x01" + varint(len(data)) + data  # ValueProto.values
    with pytest.raises(DecodeError, match="messages in each other"):
        parse(anf_ir.ValueProto, data)


def test_number_of_messages_is_bounded() -> None:
    with pytest.raises(DecodeError, match="more in all than may be"):
        parse(node_strategy.ParallelStrategyMap, b"\x1a\x00" * 1001, Limits(messages=1000))


@pytest.mark.parametrize("data", [b"\x08\x01" * 101, b"\x0a\x65" + b"\x01" * 101], ids=["one by one", "packed"])
def test_number_of_items_is_bounded(data: bytes) -> None:
    with pytest.raises(DecodeError, match="more in all than may be"):
        parse(node_strategy.DevMatrix, data, Limits(items=100))


def test_a_long_list_is_read() -> None:
    assert len(parse(node_strategy.DevMatrix, b"\x0a\x64" + b"\x01" * 100, Limits(items=100)).dim) == 100


def test_copies_share_nothing() -> None:
    first = node_strategy.ParallelStrategyMap()
    first.parallel_layout_item.add(param_name="x")
    for second in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        second.parallel_layout_item[0].param_name = "y"
        assert first.parallel_layout_item[0].param_name == "x"
        assert second != first


def test_missing_fields_are_named() -> None:
    with pytest.raises(EncodeError, match="field,opt_weight_shard_step,opt_weight_shard_size"):
        node_strategy.ParallelLayouts().SerializeToString()


def test_enumerations_have_names_and_numbers() -> None:
    assert anf_ir.DataType.Name(anf_ir.DT_INT8) == "DT_INT8" == anf_ir.DataType.keys()[2]
    assert anf_ir.InputProto.CONTROL_EDGE == 1
    with pytest.raises(ValueError, match="NONE"):
        anf_ir.DataType.Value("NONE")


def test_notes_of_the_user_are_a_dict() -> None:
    model = mind_ir.ModelProto()
    model.user_info["author"] = "me"
    assert dict(mind_ir.ModelProto.FromString(model.SerializeToString()).user_info) == {"author": "me"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("anf_ir", "ModelProto"),
        ("checkpoint", "Checkpoint"),
        ("mind_ir", "ModelProto"),
        ("node_strategy", "ParallelStrategyMap"),
        ("print", "Print"),
        ("summary", "Event"),
    ],
)
@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_modules_are_where_mindspore_has_them(name: str, message: str) -> None:
    module = importlib.import_module(f"mindspore.train.{name}_pb2")
    kind = getattr(module, message)
    assert kind.DESCRIPTOR.name == message
    with pytest.raises(ProtobufError):
        kind.FromString(b"\xff")
