"""Schemas: protobuf's own classes, built from tables of fields at the first use of one.

    SCHEMA = Schema("shapes.proto", "shapes", {"Shape": {"dim": (1, "repeated int64"), "name": (2, "string")}})
    SCHEMA.member(__name__, "Shape")(dim=[2, 3]).SerializeToString()

The classes are in a pool of this package: a program that has MindSpore's definitions in protobuf's default pool may
have both.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from msbridge.converters.messages.wire import LENGTH, DecodeError, read_field

MAX_DEPTH = 100  # messages inside of each other, as protobuf has it
MAX_MESSAGES = 2_000_000  # in one text: two bytes of a file can ask for one, which takes 100 in memory
SCALARS = ("bool", "bytes", "double", "float", "int32", "int64", "string", "uint32", "uint64")
TEXT, BYTES = 9, 12  # the numbers of these types among protobuf's
LABELS = {"": "optional", "packed": "repeated"}

Field = tuple[int, str] | tuple[int, str, str]  # number, "[required|repeated|packed] type", oneof
Messages = dict[str, dict[str, Field]]
MessageType = TypeVar("MessageType")


@dataclass
class Limits:
    """The budget of objects that may still be made of some bytes; counted down."""

    messages: int = MAX_MESSAGES  # how many messages
    items: int = 1 << 62  # how many scalars in lists

    def spend(self, data: memoryview, descriptor: Any, depth: int = MAX_DEPTH) -> None:
        """Count what protobuf would make of some bytes, before it does.

        Raises:
            DecodeError: they are damaged, or it is more than is left.
        """
        self.messages -= 1
        position, end, fields = 0, len(data), descriptor.fields_by_number
        while position < end:
            number, wire, start, position = read_field(data, position, end)
            field = fields.get(number)
            if field is not None and field.message_type is not None and wire == LENGTH:
                self.spend(data[start:position], field.message_type, depth - 1)
            elif field is not None and field.is_repeated:
                self.items -= position - start if wire == LENGTH and field.type not in (TEXT, BYTES) else 1
            if field is not None and field.type == TEXT and wire == LENGTH:
                _check_text(data, start, position)
        if depth < 0 or self.messages < 0 or self.items < 0:
            raise DecodeError(f"more than {MAX_DEPTH} messages in each other, or more in all than may be")


def _check_text(data: memoryview, start: int, stop: int) -> None:
    """Refuse a text that is not UTF-8, of which protobuf makes bytes."""
    try:
        str(data[start:stop], "utf-8")
    except UnicodeDecodeError as error:
        raise DecodeError(f"a string at byte {start} is not UTF-8: {error.reason}") from error


def parse(kind: type[MessageType], data: bytes | memoryview, limits: Limits | None = None) -> MessageType:
    """Return the message that some bytes say.

    Raises:
        DecodeError: they are damaged, or nest or hold more messages than is allowed.
    """
    from google.protobuf.message import DecodeError as ProtobufError

    described: Any = kind
    (limits or Limits()).spend(memoryview(data), described.DESCRIPTOR)
    try:
        message: MessageType = described.FromString(bytes(data))
    except ProtobufError as error:
        raise DecodeError(str(error)) from error
    return message


class Schema:
    """The messages of one file of definitions, in the second syntax of protobuf.

    Args:
        name: of the file.
        package: the package of its messages.
        messages: the fields of each message by name; `Outer.Inner` is defined inside of `Outer`.
        enums: numbers by name of each enumeration, likewise.
        maps: the messages that are the entries of maps.
        imports: the schemas whose messages and enumerations are used.
    """

    def __init__(
        self,
        name: str,
        package: str,
        messages: Mapping[str, Mapping[str, Field]],
        enums: Mapping[str, Mapping[str, int]] | None = None,
        *,
        maps: Sequence[str] = (),
        imports: "Sequence[Schema]" = (),
    ) -> None:
        self.name, self.package, self.messages, self.enums = name, package, messages, enums or {}
        self.maps, self.imports = maps, imports
        self._members: dict[str, Any] = {}

    def top_level_names(self) -> list[str]:
        """Return the names of the messages and enumerations that are defined inside of no other."""
        return sorted(name for name in (*self.messages, *self.enums) if "." not in name)

    def member(self, module: str, name: str) -> Any:
        """Return a class, an enumeration or one of its numbers, for the `__getattr__` of a module."""
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        if not self._members:
            from google.protobuf.internal import builder  # what protobuf's own generated modules call

            members: dict[str, Any] = {"DESCRIPTOR": self._descriptor()}
            builder.BuildMessageAndEnumDescriptors(members["DESCRIPTOR"], members)
            builder.BuildTopDescriptorsAndMessages(members["DESCRIPTOR"], module, members)
            self._members = members
        if name not in self._members:
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        return self._members[name]

    def _descriptor(self) -> Any:
        for other in self.imports:
            other._descriptor()
        return _pool().AddSerializedFile(self.file_proto().SerializeToString())

    def file_proto(self) -> Any:
        """Return the definitions as protobuf describes files."""
        from google.protobuf import descriptor_pb2

        file = descriptor_pb2.FileDescriptorProto(name=self.name, package=self.package)
        file.dependency.extend(other.name for other in self.imports)
        by_path: dict[str, Any] = {"": file}
        for path, fields in self.messages.items():
            outer, _, name = path.rpartition(".")
            by_path[path] = (by_path[outer].nested_type if outer else file.message_type).add(name=name)
            self._add_fields(by_path[path], fields)
            if path in self.maps:
                by_path[path].options.map_entry = True
        for path, numbers in self.enums.items():
            outer, _, name = path.rpartition(".")
            enum = by_path[outer].enum_type.add(name=name)
            for word, number in numbers.items():
                enum.value.add(name=word, number=number)
        return file

    def _add_fields(self, message: Any, fields: Mapping[str, Field]) -> None:
        groups = list(dict.fromkeys(row[2] for row in fields.values() if len(row) == 3))
        for group_name in groups:
            message.oneof_decl.add(name=group_name)
        from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Described

        for name, (number, kind, *group) in fields.items():
            label, _, kind = kind.rpartition(" ")
            field = message.field.add(name=name, number=number)
            field.label = Described.Label.Value(f"LABEL_{LABELS.get(label, label).upper()}")
            if label == "packed":
                field.options.packed = True
            if group:
                field.oneof_index = groups.index(group[0])
            if kind in SCALARS:
                field.type = Described.Type.Value(f"TYPE_{kind.upper()}")
            else:
                is_enum = any(kind in schema.enums for schema in (self, *self.imports))
                field.type = Described.TYPE_ENUM if is_enum else Described.TYPE_MESSAGE
                field.type_name = f".{self.package}.{kind}" if self.package else f".{kind}"


def number_names(names: str) -> dict[str, int]:
    """Return names, which have blanks between them, with the numbers from zero on."""
    return {name: number for number, name in enumerate(names.split())}


@functools.cache
def _pool() -> Any:
    from google.protobuf import descriptor_pool

    return descriptor_pool.DescriptorPool()
