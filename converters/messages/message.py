"""Messages: classes whose attributes are fields, with the methods that protobuf gives its own.

    class DevMatrix(Message, package="mindspore.straspb"):
        dim = repeated(1, "uint32")

Follows: google.protobuf.message.Message (6.x), for the second syntax of protobuf, without groups, maps and extensions.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from msbridge.converters.messages.fields import Field, Messages, Values
from msbridge.converters.messages.kinds import EnumType
from msbridge.converters.messages.text import lines
from msbridge.converters.messages.wire import LENGTH, DecodeError, EncodeError, read_field, read_varint, varint

MAX_DEPTH = 100  # messages inside of each other, as protobuf has it
MAX_MESSAGES = 2_000_000  # in one text: two bytes of a file can ask for one, which takes 250 in memory


@dataclass(slots=True)
class Limits:
    """What may still be made of some bytes.

    Attributes:
        messages: how many messages.
        items: how many scalars in lists.
    """

    messages: int
    items: int = sys.maxsize


class Descriptor:
    """What a class of messages is called, and its fields."""

    def __init__(self, name: str, full_name: str, fields: list[Field]):
        self.name = name
        self.full_name = full_name
        self.fields = fields
        self.fields_by_name = {field.name: field for field in fields}
        self.fields_by_number = {field.number: field for field in fields}

    def __repr__(self) -> str:
        return f"<descriptor of {self.full_name}>"


class _Slotted(type):
    """Makes the objects of a class take no attributes besides the fields."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any) -> "_Slotted":
        return super().__new__(mcs, name, bases, {"__slots__": (), **body}, **options)

    if TYPE_CHECKING:  # the numbers of fields and of enumerations, which `Message.__init_subclass__` puts there

        def __getattr__(cls, name: str) -> int: ...


class Message(metaclass=_Slotted):
    """A message; its fields are attributes.

    Args:
        **values: values of fields: scalars, sequences, messages, or dicts of a message's values.

    Raises:
        ValueError: there is no such field, or a number is out of range.
        TypeError: a value is of another type.
    """

    __slots__ = ("_is_present", "_parent", "_unknown", "_values")
    DESCRIPTOR: ClassVar[Descriptor]

    def __init_subclass__(cls, package: str = "") -> None:
        super().__init_subclass__()
        body = list(vars(cls).values())
        fields = sorted((one for one in body if isinstance(one, Field)), key=lambda one: one.number)
        path = cls.__qualname__
        cls.DESCRIPTOR = Descriptor(cls.__name__, f"{package}.{path}" if package else path, fields)
        for field in fields:
            setattr(cls, f"{field.name.upper()}_FIELD_NUMBER", field.number)
        for values in body:
            for name, number in values.items() if isinstance(values, EnumType) else ():
                setattr(cls, name, number)

    def __init__(self, **values: Any):
        self._values: dict[str, Any] = {}
        self._unknown = b""
        self._parent: tuple[Message, Field] | None = None
        self._is_present = True
        for name, value in values.items():
            field = self.DESCRIPTOR.fields_by_name.get(name)
            if field is None:
                raise ValueError(f'Protocol message {self.DESCRIPTOR.name} has no "{name}" field.')
            if value is not None:
                self._give(field, value)

    def _give(self, field: Field, value: Any) -> None:
        if field.is_repeated:
            self._read(field).extend(value)
        elif field.message:
            made = self._read(field)
            made.CopyFrom(field.message(**value) if isinstance(value, dict) else value)
            made.SetInParent()
        else:
            field.__set__(self, value)

    def _read(self, field: Field) -> Any:
        """Return the value of a field; one that has none gets the list or the message that a user may then change."""
        found = self._values.get(field.name)
        if found is not None:
            return found
        if field.is_repeated:
            found = self._values[field.name] = (Messages if field.message else Values)(self, field)
        elif field.message:
            found = self._values[field.name] = field.message()
            found._parent, found._is_present = (self, field), False
        else:
            return field.kind.default
        return found

    def _store(self, field: Field, value: Any) -> None:
        self._values[field.name] = value
        self._choose(field)
        self._changed()

    def _choose(self, chosen: Field) -> None:
        """Clear the other fields of the group of which one field has a value."""
        if chosen.oneof:
            for field in self.DESCRIPTOR.fields:
                if field.oneof == chosen.oneof and field is not chosen:
                    self._drop(field)

    def _drop(self, field: Field) -> None:
        found = self._values.pop(field.name, None)
        if isinstance(found, Message):
            found._parent = None

    def _changed(self) -> None:
        """Note that a message which was only looked at has a value now."""
        if not self._is_present:
            self._is_present = True
            if self._parent:
                parent, field = self._parent
                parent._choose(field)
                parent._changed()

    def _set_fields(self) -> Iterator[tuple[Field, Any]]:
        for field in self.DESCRIPTOR.fields:
            found = self._values.get(field.name)
            if found is None or (isinstance(found, Message) and not found._is_present):
                continue
            if not isinstance(found, Values) or found:
                yield field, found

    def ListFields(self) -> list[tuple[Field, Any]]:
        """Return the fields that have values, in the order of their numbers."""
        return list(self._set_fields())

    def HasField(self, name: str) -> bool:
        """Whether a field, or a field of a group, has a value; ValueError for a repeated one."""
        field = self.DESCRIPTOR.fields_by_name.get(name)
        if field is None and any(one.oneof == name for one in self.DESCRIPTOR.fields):
            return self.WhichOneof(name) is not None
        if field is None or field.is_repeated:
            raise ValueError(f'Protocol message {self.DESCRIPTOR.full_name} has no non-repeated field "{name}".')
        found = self._values.get(name)
        return found is not None and (not isinstance(found, Message) or found._is_present)

    def WhichOneof(self, group: str) -> str | None:
        """Return the name of the field of a group that has a value; None if none has."""
        names = [field.name for field in self.DESCRIPTOR.fields if field.oneof == group]
        if not names:
            raise ValueError(f'Protocol message {self.DESCRIPTOR.full_name} has no oneof "{group}".')
        return next((name for name in names if self.HasField(name)), None)

    def ClearField(self, name: str) -> None:
        """Take the value of a field away; ValueError if there is no such field."""
        if name not in self.DESCRIPTOR.fields_by_name:
            chosen = self.WhichOneof(name)
            name = chosen or name
        if name in self.DESCRIPTOR.fields_by_name:
            self._drop(self.DESCRIPTOR.fields_by_name[name])
        self._changed()

    def Clear(self) -> None:
        """Take all values away."""
        for field in self.DESCRIPTOR.fields:
            self._drop(field)
        self._unknown = b""
        self._changed()

    def SetInParent(self) -> None:
        """Count as a value of the message around it, even without values of its own."""
        self._changed()

    def MergeFrom(self, other: Self) -> None:
        """Take over the values of another message: lists are appended, messages merged, scalars replaced."""
        if type(other) is not type(self):
            raise TypeError(
                "Parameter to MergeFrom() must be instance of same class: expected "
                f"{self.DESCRIPTOR.full_name} got {type(other).__name__}."
            )
        for field, value in other.ListFields():
            if field.is_repeated:
                self._read(field).extend(list(value))
            elif field.message:
                mine = self._read(field)
                mine.MergeFrom(value)
                mine.SetInParent()
            else:
                self._store(field, value)
        self._unknown += other._unknown
        self._changed()

    def CopyFrom(self, other: Self) -> None:
        """Become equal to another message of the class."""
        if other is self:
            return
        if type(other) is type(self):
            self.Clear()
        self.MergeFrom(other)

    def FindInitializationErrors(self) -> list[str]:
        """Return the paths of required fields that have no value."""
        missing = [
            one.name for one in self.DESCRIPTOR.fields if one.label == "required" and not self.HasField(one.name)
        ]
        for field, value in self._set_fields():
            if not field.message:
                continue
            inner = enumerate(value) if field.is_repeated else [(None, value)]
            for number, one in inner:
                place = field.name if number is None else f"{field.name}[{number}]"
                missing += [f"{place}.{name}" for name in one.FindInitializationErrors()]
        return missing

    def IsInitialized(self) -> bool:
        """Whether all required fields have values."""
        return not self.FindInitializationErrors()

    def SerializeToString(self) -> bytes:
        """Return the bytes; EncodeError if a required field has no value."""
        if missing := self.FindInitializationErrors():
            raise EncodeError(f"Message {self.DESCRIPTOR.full_name} is missing required fields: {','.join(missing)}")
        return self.SerializePartialToString()

    def SerializePartialToString(self) -> bytes:
        """Return the bytes, whatever is missing."""
        parts = []
        for field, value in self._set_fields():
            if field.message:
                for one in value if field.is_repeated else (value,):
                    data = one.SerializePartialToString()
                    parts += [varint(field.number << 3 | LENGTH), varint(len(data)), data]
                continue
            kind = field.kind
            data_of = [kind.encode(one) for one in (value if field.is_repeated else (value,))]
            if field.is_packed:
                packed = b"".join(data_of)
                parts += [varint(field.number << 3 | LENGTH), varint(len(packed)), packed]
                continue
            key = varint(field.number << 3 | kind.wire)
            for data in data_of:
                parts += [key, varint(len(data)), data] if kind.wire == LENGTH else [key, data]
        return b"".join([*parts, self._unknown])

    def ByteSize(self) -> int:
        """Return the number of bytes."""
        return len(self.SerializePartialToString())

    def ParseFromString(self, data: bytes) -> int:
        """Become what bytes say; return how many they are.

        Raises:
            DecodeError: they are damaged, or nest or hold more messages than is allowed.
            TypeError: `data` is no bytes.
        """
        self.Clear()
        return self.MergeFromString(data)

    def MergeFromString(self, data: bytes) -> int:
        """Take over what bytes say; return how many they are. Raises as `ParseFromString`."""
        whole = bytes(memoryview(data))
        _parse(self, whole, 0, len(whole), MAX_DEPTH, Limits(MAX_MESSAGES))
        return len(whole)

    @classmethod
    def FromString(cls, data: bytes) -> Self:
        """Return the message that bytes say. Raises as `ParseFromString`."""
        made = cls()
        made.MergeFromString(data)
        return made

    @classmethod
    def view(cls, data: memoryview, limits: "Limits") -> Self:
        """Return the message that some memory says; its bytes stay views of that memory. Raises as `ParseFromString`.

        Args:
            data: the memory.
            limits: what the message may take of memory besides; counted down.
        """
        made = cls()
        _parse(made, data, 0, len(data), MAX_DEPTH, limits)
        return made

    def DiscardUnknownFields(self) -> None:
        """Forget the fields that bytes had and the class has not."""
        self._unknown = b""
        for field, value in self._set_fields():
            if field.message:
                for one in value if field.is_repeated else (value,):
                    one.DiscardUnknownFields()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return self.ListFields() == other.ListFields() and self._unknown == other._unknown

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in lines(self.ListFields()))

    __repr__ = __str__

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = type(self)()
        made.CopyFrom(self)
        return made

    __copy__ = __deepcopy__

    def __reduce__(self) -> Any:
        return type(self).FromString, (self.SerializePartialToString(),)


def _parse(message: Message, data: bytes | memoryview, position: int, end: int, depth: int, left: Limits) -> None:
    """Take over the fields between two places of some bytes.

    Args:
        message: is changed.
        data: the bytes.
        position: where the fields begin.
        end: where they end.
        depth: how many messages may still nest.
        left: what may still be made; counted down.
    """
    left.messages -= 1
    if depth < 0 or left.messages < 0:
        raise DecodeError(f"more than {MAX_DEPTH} messages in each other, or more in all than may be")
    fields, unknown = message.DESCRIPTOR.fields_by_number, bytearray()
    while position < end:
        number, wire, start, stop = read_field(data, position, end)
        field = fields.get(number)
        if field is None or not _take(message, field, data, wire, start, stop, depth, left):
            unknown += data[position:stop]
        position = stop
    message._unknown += unknown
    message._changed()


def _take(
    message: Message,
    field: Field,
    data: bytes | memoryview,
    wire: int,
    start: int,
    stop: int,
    depth: int,
    left: Limits,
) -> bool:
    """Take over one field; return whether it is what the class says that it is."""
    if kind := field.message:
        if wire != LENGTH:
            return False
        if field.is_repeated:
            made = kind()
            message._read(field).items.append(made)
        else:
            made = message._read(field)
        _parse(made, data, start, stop, depth - 1, left)
        return True
    scalar = field.kind
    if wire == LENGTH != scalar.wire and field.is_repeated:
        values = message._read(field).items
        while start < stop:
            after = read_varint(data, start, stop)[1] if scalar.wire == 0 else start + (8 if scalar.wire == 1 else 4)
            if after > stop:
                raise DecodeError(f"the list {field.name!r} ends inside a number")
            values.append(scalar.decode(data, start, after))
            start = after
            left.items -= 1
            if left.items < 0:
                raise DecodeError(f"more numbers in lists than may be, in {field.name!r}")
        return True
    if wire != scalar.wire:
        return False
    value = scalar.decode(data, start, stop)
    if field.is_repeated:
        message._read(field).items.append(value)
        left.items -= 1
        if left.items < 0:
            raise DecodeError(f"more values in lists than may be, in {field.name!r}")
    else:
        message._store(field, value)
    return True
