"""Messages against protobuf's own classes, which are made of our tables. Judge: google.protobuf."""

import contextlib
import copy
import importlib
import pickle
import random
import struct
from types import ModuleType
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from hypothesis import given, settings
from hypothesis import strategies as st

from msbridge.converters.messages import anf_ir, checkpoint, mind_ir, node_strategy, print_records, summary
from msbridge.converters.messages.kinds import EnumType
from msbridge.converters.messages.message import Message
from msbridge.converters.messages.wire import DecodeError, EncodeError, varint

MODULES = (anf_ir, checkpoint, mind_ir, node_strategy, print_records, summary)
TYPES = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
}
LABELS = {"optional": 1, "required": 2, "repeated": 3}


def proto_name(kind: Any, module: ModuleType) -> str:
    return "." + kind.DESCRIPTOR.full_name


def describe(module: ModuleType) -> descriptor_pb2.FileDescriptorProto:
    """Write the classes of a module as protobuf describes files; enumerations as int32, as the bytes are the same."""
    package = getattr(module, "PACKAGE", "")
    name = module.__name__.rpartition(".")[2] + ".proto"
    file = descriptor_pb2.FileDescriptorProto(name=name, package=package, syntax="proto2")
    if module is summary:
        file.dependency.append("anf_ir.proto")

    def add(target: Any, kind: type[Message]) -> None:
        made = target.add(name=kind.__name__)
        groups = list(dict.fromkeys(one.oneof for one in kind.DESCRIPTOR.fields if one.oneof))
        for group in groups:
            made.oneof_decl.add(name=group)
        for one in kind.DESCRIPTOR.fields:
            field = made.field.add(name=one.name, number=one.number, label=LABELS[one.label])
            if one.message:
                field.type, field.type_name = 11, proto_name(one.message, module)
            else:
                field.type = TYPES.get(one.kind.name, 5)
            if one.oneof:
                field.oneof_index = groups.index(one.oneof)
            if one.is_packed:
                field.options.packed = True
        for inner in vars(kind).values():
            if isinstance(inner, type) and issubclass(inner, Message):
                add(made.nested_type, inner)

    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, Message) and kind.__module__ == module.__name__:
            add(file.message_type, kind)
    return file


@pytest.fixture(scope="module")
def pool() -> descriptor_pool.DescriptorPool:
    made = descriptor_pool.DescriptorPool()
    for module in MODULES:
        made.Add(describe(module))
    return made


TOP = [
    checkpoint.Checkpoint,
    node_strategy.ParallelStrategyMap,
    node_strategy.ParallelGroupMap,
    print_records.Print,
    summary.Event,
    anf_ir.ModelProto,
    anf_ir.ValueProto,
    mind_ir.ModelProto,
    mind_ir.AttributeProto,
]


def filled(rng: random.Random, message: Message, depth: int = 4) -> Message:
    """Give fields values by chance."""
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.4 or (field.message and depth == 0):
            continue
        for _ in range(rng.randrange(4) if field.is_repeated else 1):
            if field.message:
                inner = getattr(message, field.name)
                filled(rng, inner.add() if field.is_repeated else inner, depth - 1)
            elif field.is_repeated:
                getattr(message, field.name).append(scalar(rng, field))
            else:
                setattr(message, field.name, scalar(rng, field))
    return message


def scalar(rng: random.Random, field: Any) -> Any:
    name = field.kind.name
    if name in ("int32", "int64", "uint32", "uint64"):
        bits = int(name[-2:])
        value = rng.choice([0, 1, 127, 128, (1 << (bits - 1)) - 1, rng.getrandbits(bits - 1)])
        return -value if name[0] == "i" and rng.random() < 0.3 else value
    if name in ("float", "double"):
        return rng.choice([0.0, 1.5, -0.1, 1e-30, float("inf"), rng.gauss(0, 1e3)])
    if name == "bool":
        return rng.random() < 0.5
    if name == "bytes":
        return rng.randbytes(rng.randrange(20))
    if name == "string":
        return rng.choice(["", "a.weight", 'wé"\n\t\\', "'", "\x01\x7f"])
    return rng.choice(anf_ir.DataType.values()) if name == "DataType" else 1


@pytest.mark.parametrize("kind", TOP, ids=lambda kind: kind.__name__)
def test_bytes_are_protobufs(kind: type[Message], pool: descriptor_pool.DescriptorPool) -> None:
    theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName(kind.DESCRIPTOR.full_name))
    rng = random.Random(0)
    for _ in range(30):
        mine = filled(rng, kind())
        data = mine.SerializePartialToString()
        other = theirs()
        other.ParseFromString(data)
        assert other.SerializePartialToString(deterministic=True) == data
        assert mine.ByteSize() == len(data)
        assert sorted(other.FindInitializationErrors()) == sorted(mine.FindInitializationErrors())
        assert kind.FromString(data) == mine


@pytest.mark.parametrize(
    "kind",
    [one for one in TOP if one.__module__ not in (anf_ir.__name__, mind_ir.__name__)],
    ids=lambda one: one.__name__,
)
def test_text_is_protobufs(kind: type[Message], pool: descriptor_pool.DescriptorPool) -> None:
    theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName(kind.DESCRIPTOR.full_name))
    rng = random.Random(1)
    for _ in range(20):
        mine = filled(rng, kind(), 3)
        if "DT_" not in str(mine) and "_EDGE" not in str(mine):  # enumerations are int32 there
            other = theirs.FromString(mine.SerializePartialToString())
            assert str(mine) == text_format.MessageToString(other, as_utf8=True)


def test_parts_of_messages_merge_as_protobufs(pool: descriptor_pool.DescriptorPool) -> None:
    theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName("mindspore.irpb.Event"))
    rng = random.Random(2)
    for _ in range(30):
        one, two = filled(rng, summary.Event()), filled(rng, summary.Event())
        joined = theirs.FromString(one.SerializePartialToString())
        joined.MergeFrom(theirs.FromString(two.SerializePartialToString()))
        one.MergeFrom(two)
        assert one.SerializePartialToString() == joined.SerializePartialToString(deterministic=True)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for kind in (node_strategy.ParallelStrategyMap, anf_ir.ValueProto, checkpoint.Checkpoint):
        try:
            message = kind.FromString(data)
        except DecodeError:
            continue
        assert kind.FromString(message.SerializePartialToString()) == message


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_damaged_messages_are_read_or_refused(seed: int, draw: Any) -> None:
    data = bytearray(
        filled(random.Random(seed), node_strategy.ParallelStrategyMap()).SerializePartialToString() or b"\x08\x01"
    )
    data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    with contextlib.suppress(DecodeError):
        assert isinstance(str(node_strategy.ParallelStrategyMap.FromString(bytes(data))), str)


def test_depth_is_bounded() -> None:
    data = b""
    for _ in range(300):
        data = b"\x92\x01" + varint(len(data)) + data  # ValueProto.values
    with pytest.raises(DecodeError, match="messages in each other"):
        anf_ir.ValueProto.FromString(data)


def test_number_of_messages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msbridge.converters.messages.message.MAX_MESSAGES", 1000)
    with pytest.raises(DecodeError, match="more in all than may be"):
        node_strategy.ParallelStrategyMap.FromString(b"\x1a\x00" * 1001)


def test_a_message_that_was_only_looked_at_has_no_value() -> None:
    value = checkpoint.Checkpoint.Value()
    assert not value.tensor.dims
    assert not value.HasField("tensor")
    value.tensor.dims.append(1)
    assert value.HasField("tensor")


def test_one_of_a_group_replaces_another() -> None:
    value = summary.Summary.Value(scalar_value=1.0)
    value.tensor.dims.append(1)
    assert value.WhichOneof("value") == "tensor"
    assert not value.HasField("scalar_value")


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


def test_unknown_fields_survive() -> None:
    message = node_strategy.DevMatrix.FromString(b"\x08\x02\x10\x05")
    assert message.SerializeToString() == b"\x08\x02\x10\x05"
    message.DiscardUnknownFields()
    assert message.SerializeToString() == b"\x08\x02"


def test_enumerations_have_names_and_numbers() -> None:
    assert isinstance(anf_ir.DataType, EnumType)
    assert anf_ir.DataType.Name(anf_ir.DT_INT8) == "DT_INT8" == anf_ir.DataType.keys()[2]
    assert anf_ir.InputProto.CONTROL_EDGE == 1
    with pytest.raises(ValueError, match="NONE"):
        anf_ir.DataType.Value("NONE")


def test_floats_are_rounded_to_their_kind() -> None:
    assert summary.Summary.Value(scalar_value=0.1).scalar_value == struct.unpack("<f", struct.pack("<f", 0.1))[0]


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
def test_modules_are_where_mindspore_has_them(name: str, message: str) -> None:
    import msbridge

    msbridge.install()
    module = importlib.import_module(f"mindspore.train.{name}_pb2")
    assert getattr(module, message).DESCRIPTOR.name == message
