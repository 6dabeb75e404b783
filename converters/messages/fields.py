"""Fields of messages: declared in a class as attributes, and lists of what a repeated one holds."""

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, overload

from msbridge.converters.messages.kinds import KINDS, EnumType, Kind

if TYPE_CHECKING:
    from msbridge.converters.messages.message import Message


class Field:
    """A field of a message, as a descriptor of its class.

    Attributes:
        name: how it is called.
        number: its number in the bytes.
        label: "optional", "required" or "repeated".
        oneof: the group of which one field at most has a value; None for none.
        is_packed: whether repeated numbers are written in one piece.
    """

    name: str
    owner: Any

    def __init__(self, label: str, number: int, kind: Any, oneof: str | None = None, is_packed: bool = False):
        self.label = label
        self.number = number
        self.oneof = oneof
        self.is_packed = is_packed
        self._kind = kind

    def __set_name__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name

    def __repr__(self) -> str:
        return f"<field {self.name} = {self.number} of {self.owner.__qualname__}>"

    @property
    def full_name(self) -> str:
        """The name with those of its message and package."""
        return f"{self.owner.DESCRIPTOR.full_name}.{self.name}"

    @property
    def is_repeated(self) -> bool:
        return self.label == "repeated"

    @property
    def message(self) -> "type[Message] | None":
        """The class of the messages that it holds; None where it holds scalars."""
        if isinstance(self._kind, Forward):
            self._kind = self._kind.found(self.owner)
        return self._kind if isinstance(self._kind, type) else None

    @property
    def kind(self) -> Kind:
        """The kind of its scalars."""
        if isinstance(self._kind, EnumType):
            self._kind = self._kind.kind()
        elif isinstance(self._kind, str):
            self._kind = KINDS[self._kind]
        return self._kind  # type: ignore[no-any-return]

    def __get__(self, message: "Message | None", owner: Any = None) -> Any:
        return self if message is None else message._read(self)

    def __set__(self, message: "Message", value: Any) -> None:
        if self.is_repeated or self.message:
            what = "repeated" if self.is_repeated else "composite"
            raise AttributeError(
                f'Assignment not allowed to {what} field "{self.name}" in protocol message object; change what it '
                "holds, or use CopyFrom."
            )
        message._store(self, self.check(value))

    def check(self, value: Any) -> Any:
        """Return what is stored of a scalar; TypeError or ValueError if it does not fit."""
        try:
            return self.kind.check(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Cannot set {self.full_name} to {value!r:.80}: {error}") from error


class Forward:
    """A class of messages by name, which is written further down in its file, or is the class itself."""

    def __init__(self, path: str):
        self.path = path

    def found(self, owner: Any) -> Any:
        """Return the class, as seen from the file of another one."""
        import sys

        found: Any = sys.modules[owner.__module__]
        for name in self.path.split("."):
            found = getattr(found, name)
        return found


def optional(number: int, kind: Any, oneof: str | None = None) -> Any:
    """Declare a field that may have a value."""
    return Field("optional", number, kind, oneof)


def required(number: int, kind: Any) -> Any:
    """Declare a field without which the message is not written."""
    return Field("required", number, kind)


def repeated(number: int, kind: Any, packed: bool = False) -> Any:
    """Declare a list of values."""
    return Field("repeated", number, kind, is_packed=packed)


class Values(MutableSequence[Any]):
    """What a repeated field holds: scalars, of which every one is checked.

    Follows: google.protobuf's RepeatedScalarContainer (6.x).
    """

    __slots__ = ("_field", "_message", "items")

    def __init__(self, message: "Message", field: Field):
        self._message = message
        self._field = field
        self.items: list[Any] = []

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        return self.items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.items[index] = [*map(self._made, value)] if isinstance(index, slice) else self._made(value)
        self._message._changed()

    def __delitem__(self, index: int | slice) -> None:
        del self.items[index]
        self._message._changed()

    def insert(self, index: int, value: Any) -> None:
        self.items.insert(index, self._made(value))
        self._message._changed()

    def extend(self, values: Iterable[Any]) -> None:
        self.items += [self._made(one) for one in values]
        self._message._changed()

    def sort(self, **how: Any) -> None:
        """Sort in place, as `list.sort`."""
        self.items.sort(**how)

    def MergeFrom(self, other: Sequence[Any]) -> None:
        """Append the values of another list."""
        self.extend(other)

    def __eq__(self, other: object) -> bool:
        return self.items == (other.items if isinstance(other, Values) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.items)

    def _made(self, value: Any) -> Any:
        return self._field.check(value)


class Messages(Values):
    """What a repeated field holds: messages. One that is appended is copied.

    Follows: google.protobuf's RepeatedCompositeContainer (6.x).
    """

    __slots__ = ()

    def add(self, **values: Any) -> Any:
        """Append a new message with these values, and return it."""
        made = self._kind(**values)
        self.items.append(made)
        self._message._changed()
        return made

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("a list of messages takes no assignment to an item; use CopyFrom of the item")

    @property
    def _kind(self) -> Any:
        return self._field.message

    def _made(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._kind(**value)
        made = self._kind()
        made.CopyFrom(value)
        return made
