"""Pickles, read without running anything that they ask for, in memory that the size of their file bounds.

A pickle is a program for a small machine with a stack: a byte for each operation, and behind it what it works on.
"""

import codecs
import itertools
import pickle
import struct
from collections.abc import Callable
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.formats.inert_objects import Skipped
from msbridge.converters.formats.pickle_vm import (
    MAX_ARGUMENTS,
    MAX_NUMBER_LENGTH,
    MAX_PATH_LENGTH,
    NUMBER,
    OBJECT,
    SEQUENCE,
    SLOT,
    TEXT,
    Machine,
)

STOP = pickle.STOP[0]
SLOTS = 1024  # of the stack, whose memory is counted at once


def load(machine: Machine) -> Any:
    """Read one pickle; return what it holds.

    Raises:
        UnsafeError: it asks for something that could run code.
        CheckpointError: it is damaged, or takes more memory than it may; of one that the data cut short, the facts
            say so by `ended`.
    """
    data, stack, most = machine.data, machine.stack, 0
    try:
        while True:
            code = data[machine.at]
            machine.at += 1
            if code == STOP:
                return stack.pop()
            _DISPATCH[code](machine)
            if len(stack) > most:
                most += SLOTS
                machine.spend(SLOTS * SLOT)
    except CheckpointError:
        raise
    except Exception as error:  # a damaged pickle may raise anything
        is_plain = isinstance(error, pickle.UnpicklingError)
        reason = str(error) if is_plain else f"{type(error).__name__} {error}".rstrip()
        raise CheckpointError(
            f"{machine.where} at offset {machine.at}: the pickle is cut short or damaged: {reason:.300}.",
            ended=machine.at >= len(data),
        ) from error


def _refuse(machine: Machine) -> None:
    raise pickle.UnpicklingError(f"no operation has the number {machine.data[machine.at - 1]}")


def _extension(machine: Machine) -> None:
    raise pickle.UnpicklingError("a code of Python's extension registry, which no checkpoint needs")


def _buffer(machine: Machine) -> None:
    raise pickle.UnpicklingError("a buffer that lies outside of the pickle")


def _proto(machine: Machine) -> None:
    version = machine.read(1)[0]
    if version > pickle.HIGHEST_PROTOCOL:
        raise pickle.UnpicklingError(f"protocol {version}")


def _frame(machine: Machine) -> None:
    length = machine.length(8)  # a hint for who reads from a stream; here it must only be no lie
    if length > len(machine.data) - machine.at:
        machine.at = len(machine.data)
        raise pickle.UnpicklingError(f"a frame of {length} bytes")


def _mark(machine: Machine) -> None:
    machine.marks.append(len(machine.stack))
    if len(machine.marks) > machine.most_marks:
        machine.most_marks += SLOTS
        machine.spend(SLOTS * (SLOT + NUMBER))


def _drop(machine: Machine) -> None:
    if machine.marks and machine.marks[-1] >= len(machine.stack):
        machine.marks.pop()
    else:
        machine.stack.pop()


def _drop_to_mark(machine: Machine) -> None:
    del machine.stack[machine.marks.pop() :]


def _number_in_text(machine: Machine) -> None:
    raw = machine.line(MAX_NUMBER_LENGTH).strip()
    value: Any = {b"00": False, b"01": True}.get(raw)
    machine.push(int(raw.rstrip(b"L")) if value is None else value, NUMBER + len(raw))


def _int1(machine: Machine) -> None:
    machine.stack.append(machine.data[machine.at])
    machine.at += 1


def _long4(machine: Machine) -> None:
    length = struct.unpack("<i", machine.read(4))[0]
    if length < 0:
        raise pickle.UnpicklingError(f"a number of {length} bytes")
    raw = machine.read(length)
    if length <= MAX_NUMBER_LENGTH:
        machine.push(int.from_bytes(raw, "little", signed=True), NUMBER)
    else:
        machine.push(Skipped(f"int of {length} bytes"), OBJECT)


def _push_quoted(machine: Machine) -> None:
    raw = machine.line(len(machine.data)).strip()
    if len(raw) < 2 or raw[:1] != raw[-1:] or raw[:1] not in (b"'", b'"'):
        raise pickle.UnpicklingError("a string without quotes")
    machine.spend(len(raw))
    machine.push_old_text(codecs.escape_decode(raw[1:-1])[0])


def _push_escaped(machine: Machine) -> None:
    machine.push_text(machine.line(len(machine.data)), "raw-unicode-escape")


def _pop_list(machine: Machine) -> None:
    items = machine.pop_mark()
    machine.push(items, SEQUENCE + 8 * len(items))


def _pop_tuple(machine: Machine) -> None:
    items = machine.pop_mark()
    machine.push(tuple(items), SEQUENCE + 8 * len(items))


def _pop_dict(machine: Machine) -> None:
    items, made = machine.pop_mark(), dict[Any, Any]()
    machine.push(made, SEQUENCE)
    machine.put_items(made, items)


def _pop_set(machine: Machine) -> None:
    machine.pop_mark()
    machine.push(Skipped("set"), OBJECT)


def _append(machine: Machine) -> None:
    item = machine.pop()
    machine.append_items(machine.stack[-1], [item])


def _appends(machine: Machine) -> None:
    items = machine.pop_mark()
    machine.append_items(machine.stack[-1], items)


def _set_item(machine: Machine) -> None:
    value, key = machine.pop(), machine.pop()
    machine.put_items(machine.stack[-1], [key, value])


def _set_items(machine: Machine) -> None:
    items = machine.pop_mark()
    machine.put_items(machine.stack[-1], items)


def _global(machine: Machine) -> None:
    module, name = machine.line(MAX_PATH_LENGTH), machine.line(MAX_PATH_LENGTH)
    machine.stack.append(machine.resolve_name(module.decode(), name.decode()))


def _stack_global(machine: Machine) -> None:
    name, module = machine.pop(), machine.pop()
    if not isinstance(module, str) or not isinstance(name, str):
        raise pickle.UnpicklingError("a class or function whose name is not a string")
    if len(module) + len(name) > MAX_PATH_LENGTH:
        raise pickle.UnpicklingError(f"a class or function with a name of {len(module) + len(name)} characters")
    machine.stack.append(machine.resolve_name(module, name))


def _instance(machine: Machine) -> None:
    module, name = machine.line(MAX_PATH_LENGTH), machine.line(MAX_PATH_LENGTH)
    arguments = tuple(machine.pop_mark())
    machine.stack.append(machine.call(machine.resolve_name(module.decode(), name.decode()), arguments))


def _object(machine: Machine) -> None:
    function, *arguments = machine.pop_mark()
    machine.stack.append(machine.call(function, tuple(arguments)))


def _call(machine: Machine) -> None:
    arguments, function = machine.pop(), machine.pop()
    machine.stack.append(machine.call(function, arguments))


def _call_with_names(machine: Machine) -> None:
    names, arguments, function = machine.pop(), machine.pop(), machine.pop()
    named = [*itertools.islice(names.values(), MAX_ARGUMENTS)] if isinstance(names, dict) else []
    machine.stack.append(machine.call(function, arguments, named))


def _build(machine: Machine) -> None:
    state = machine.pop()
    machine.build(machine.stack[-1], state)


def _make_sized_push(push: Callable[[Machine, bytes], None], width: int) -> Callable[[Machine], None]:
    """Return the operation that pushes bytes whose number comes before them."""

    def operation(machine: Machine) -> None:
        push(machine, machine.read(machine.length(width)))

    return operation


def _constant(value: Any) -> Callable[[Machine], None]:
    return lambda machine: machine.stack.append(value)


def _utf8(machine: Machine, raw: bytes) -> None:
    machine.push_text(raw, "utf-8", "surrogatepass")


def _bytes(machine: Machine, raw: bytes) -> None:
    machine.push(raw, TEXT)


def _tuple_of(count: int) -> Callable[[Machine], None]:
    def operation(machine: Machine) -> None:
        stack = machine.stack
        if len(stack) - (machine.marks[-1] if machine.marks else 0) < count:
            raise pickle.UnpicklingError("a value is missing")
        items = tuple(stack[-count:])
        del stack[-count:]
        machine.push(items, SEQUENCE)

    return operation


def _number(machine: Machine, width: int) -> int:
    """Return the number of a remembered value; a width of zero means decimal digits."""
    if width == 1:
        machine.at += 1
        return machine.data[machine.at - 1]
    return machine.length(width) if width else int(machine.line(MAX_NUMBER_LENGTH))


def _remembering(width: int) -> Callable[[Machine], None]:
    return lambda machine: machine.remember(_number(machine, width), machine.stack[-1])


def _recalling(width: int) -> Callable[[Machine], None]:
    return lambda machine: machine.recall(_number(machine, width))


_OPERATIONS: dict[bytes, Callable[[Machine], None]] = {
    pickle.PROTO: _proto,
    pickle.FRAME: _frame,
    pickle.MARK: _mark,
    pickle.POP: _drop,
    pickle.POP_MARK: _drop_to_mark,
    pickle.DUP: lambda m: m.stack.append(m.stack[-1]),
    pickle.NONE: _constant(None),
    pickle.NEWTRUE: _constant(True),
    pickle.NEWFALSE: _constant(False),
    pickle.INT: _number_in_text,
    pickle.LONG: _number_in_text,
    pickle.BININT: lambda m: m.push(struct.unpack("<i", m.read(4))[0], NUMBER),
    pickle.BININT1: _int1,
    pickle.BININT2: lambda m: m.push(m.length(2), NUMBER),
    pickle.LONG1: lambda m: m.push(int.from_bytes(m.read(m.length(1)), "little", signed=True), NUMBER),
    pickle.LONG4: _long4,
    pickle.FLOAT: lambda m: m.push(float(m.line(MAX_NUMBER_LENGTH)), NUMBER),
    pickle.BINFLOAT: lambda m: m.push(struct.unpack(">d", m.read(8))[0], NUMBER),
    pickle.STRING: _push_quoted,
    pickle.BINSTRING: _make_sized_push(Machine.push_old_text, 4),
    pickle.SHORT_BINSTRING: _make_sized_push(Machine.push_old_text, 1),
    pickle.UNICODE: _push_escaped,
    pickle.BINUNICODE: _make_sized_push(_utf8, 4),
    pickle.SHORT_BINUNICODE: _make_sized_push(_utf8, 1),
    pickle.BINUNICODE8: _make_sized_push(_utf8, 8),
    pickle.BINBYTES: _make_sized_push(_bytes, 4),
    pickle.SHORT_BINBYTES: _make_sized_push(_bytes, 1),
    pickle.BINBYTES8: _make_sized_push(_bytes, 8),
    pickle.BYTEARRAY8: _make_sized_push(_bytes, 8),
    pickle.NEXT_BUFFER: _buffer,
    pickle.READONLY_BUFFER: _buffer,
    pickle.EMPTY_LIST: lambda m: m.push([], SEQUENCE),
    pickle.LIST: _pop_list,
    pickle.APPEND: _append,
    pickle.APPENDS: _appends,
    pickle.EMPTY_TUPLE: _constant(()),
    pickle.TUPLE: _pop_tuple,
    pickle.TUPLE1: _tuple_of(1),
    pickle.TUPLE2: _tuple_of(2),
    pickle.TUPLE3: _tuple_of(3),
    pickle.EMPTY_DICT: lambda m: m.push({}, SEQUENCE),
    pickle.DICT: _pop_dict,
    pickle.SETITEM: _set_item,
    pickle.SETITEMS: _set_items,
    pickle.EMPTY_SET: lambda m: m.push(Skipped("set"), OBJECT),
    pickle.ADDITEMS: _appends,
    pickle.FROZENSET: _pop_set,
    pickle.PUT: _remembering(0),
    pickle.BINPUT: _remembering(1),
    pickle.LONG_BINPUT: _remembering(4),
    pickle.MEMOIZE: lambda m: m.remember(len(m.memo) + len(m.far), m.stack[-1]),
    pickle.GET: _recalling(0),
    pickle.BINGET: _recalling(1),
    pickle.LONG_BINGET: _recalling(4),
    pickle.GLOBAL: _global,
    pickle.STACK_GLOBAL: _stack_global,
    pickle.INST: _instance,
    pickle.OBJ: _object,
    pickle.NEWOBJ: _call,
    pickle.NEWOBJ_EX: _call_with_names,
    pickle.REDUCE: _call,
    pickle.BUILD: _build,
    pickle.PERSID: lambda m: m.stack.append(m.persistent_load(m.line(MAX_PATH_LENGTH).decode("ascii"))),
    pickle.BINPERSID: lambda m: m.stack.append(m.persistent_load(m.pop())),
    pickle.EXT1: _extension,
    pickle.EXT2: _extension,
    pickle.EXT4: _extension,
}
_DISPATCH = [_OPERATIONS.get(bytes([code]), _refuse) for code in range(256)]
