"""A pickle VM that runs nothing: a stack, a memory, and stand-ins for all that has a name.

    bytes of a .pth ──► opcodes (pickles.py) ──► stack ──► value
                            │ GLOBAL "torch.FloatStorage"    ▲
                            ▼                                │ REDUCE calls functions of the table only
                        table of known names ── else ──► Unknown ──► Skipped (keeps its state, does nothing)

Why not `pickle.Unpickler` with a `find_class` of our own, or `torch.load(weights_only=True)`: they bound neither what a
few bytes ask for nor how long that takes, and end at the first object that they do not know, where a checkpoint with a
harmless configuration beside its weights should be read. Here every opcode counts what it makes against the size of the
file (`memory_budget.py`), and what is refused is distinguished from what is merely unknown.

It knows values and containers. Where a pickle names a class or a function, a table says what replaces it; all that
the table lacks is an `Unknown`, and what it would make a `Skipped`, which keeps what is put into it and does nothing.
Nothing is imported, and nothing is called but the functions of the table. A pickle that would run code elsewhere is
refused all the same, as whoever gets it should know: one that calls what `is_hostile` names, hands that to another
call, sets it on a class, or calls what it has made itself. To mention the name is no harm.

Numbers of more than 255 bytes, sets, and objects as keys play no part in any checkpoint: stand-ins take their places,
as hashing or spelling them could take longer than any reader would wait.
"""

import pickle
import re
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any, NoReturn

from msbridge.converters.errors import UnsafeError, brief
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.formats.inert_objects import Key, Skipped, Unknown, is_hostile

MAX_ARGUMENTS = 64  # that a function of a table is called with
MAX_PATH_LENGTH = 1000  # of a class or function
MAX_NUMBER_LENGTH = 255  # bytes, or decimal digits
# What things cost in memory, in bytes: measured with CPython 3.11, and rounded up.
SLOT, NUMBER, TEXT, SEQUENCE, MAPPING, ITEM, OBJECT, FAR = 10, 32, 56, 64, 200, 90, 120, 140
# How characters begin that take more than a byte in memory, by encoding; latin1 has none.
WIDE = {"utf-8": re.compile(rb"[\xc4-\xff]"), "raw-unicode-escape": re.compile(rb"\\")}


class Machine:
    """Reads one pickle.

    Args:
        data: the pickle, and perhaps more behind it.
        start: where it begins in `data`.
        known: what replaces classes and functions: a function, which is called with the arguments, or a value.
        where: the file, and what in it, for messages.
        allowance: what it may take in memory.
        encoding: of Python 2's texts; "bytes" leaves them as they are.

    Attributes:
        at: where it is in `data`; behind the pickle, once it was read.
    """

    def __init__(
        self,
        data: bytes,
        start: int,
        known: Mapping[str, Any],
        where: str,
        allowance: Allowance,
        encoding: str = "latin1",
    ):
        self.at = start
        self.data = data
        self._known = known
        self.where = where
        self.allowance = allowance
        self.spend = allowance.spend
        self.encoding = encoding
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: list[Any] = []  # by number, as far as these follow each other
        self.far: dict[int, Any] = {}  # the others
        self.most_marks = 0
        self.hostile = ""  # the last name among those asked for whose calls are refused
        self._named: dict[str, Any] = {}

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a class or function, which Python 3 calls so."""
        path = f"{module}.{name}"
        return self._known[path] if path in self._known else Unknown(module, name, is_hostile(module, name))

    def refuse(self, does: str) -> NoReturn:
        """Refuse the pickle for what it does.

        Raises:
            UnsafeError: always.
        """
        raise UnsafeError(
            f"{self.where} at offset {self.at}: refused: the pickle {does}, which could run code and which no "
            "checkpoint needs. Nothing was run; do not load this file with anything else."
        )

    def persistent_load(self, pid: Any) -> Any:
        """Return the stand-in for a reference to something outside of the pickle."""
        raise pickle.UnpicklingError(f"a reference to {brief(pid)}, where there is nothing to refer to")

    def build(self, target: Any, state: Any) -> None:
        """Set the state of an object: stand-ins have none.

        Raises:
            UnsafeError: it is a class or a function, in a pickle that names functions which run code.
        """
        if self.hostile and isinstance(target, Unknown | FunctionType):
            self.refuse(f"asks for {self.hostile!a:.200} and changes a class or function")

    def read(self, count: int) -> bytes:
        """Take the next bytes."""
        start, end = self.at, self.at + count
        if end > len(self.data):
            self.at = len(self.data)
            raise pickle.UnpicklingError(f"{count} bytes are claimed where {self.at - start} are left")
        self.at = end
        return self.data[start:end]

    def length(self, width: int) -> int:
        """Take a number."""
        return int.from_bytes(self.read(width), "little")

    def line(self, most: int) -> bytes:
        """Take the next bytes up to the end of the line."""
        end = self.data.find(b"\n", self.at, self.at + most + 1)
        if end < 0:
            if self.at + most < len(self.data):
                raise pickle.UnpicklingError(f"a line of more than {most} bytes")
            self.at = len(self.data)
            raise pickle.UnpicklingError("a line without an end")
        return self.read(end + 1 - self.at)[:-1]

    def push(self, value: Any, cost: int) -> None:
        """Put a value on the stack; `cost` is what it takes in memory."""
        self.spend(cost)
        self.stack.append(value)

    def push_text(self, raw: bytes, encoding: str, errors: str = "strict") -> None:
        """Put a text on the stack."""
        # One character outside of the first 256 makes all of them take up to four bytes.
        is_wide = encoding in WIDE and bool(WIDE[encoding].search(raw))
        self.spend(TEXT + len(raw) * (4 if is_wide else 1))
        self.stack.append(raw.decode(encoding, errors))

    def push_old_text(self, raw: bytes) -> None:
        """Put a text of Python 2 on the stack."""
        if self.encoding == "bytes":
            self.push(raw, TEXT + len(raw))
        else:
            self.push_text(raw, self.encoding)

    def pop_mark(self) -> list[Any]:
        """Take what comes behind the last mark."""
        mark, stack = self.marks.pop(), self.stack
        items = stack[mark:]
        del stack[mark:]
        return items

    def pop(self) -> Any:
        """Take the last value, if it comes behind the last mark."""
        if self.marks and self.marks[-1] >= len(self.stack):
            raise pickle.UnpicklingError("a value is missing behind a mark")
        return self.stack.pop()

    def resolve_name(self, module: str, name: str) -> Any:
        """Return the stand-in for a class or function, always the same."""
        path = f"{module}.{name}"
        if len(path) > MAX_PATH_LENGTH:
            raise pickle.UnpicklingError(f"a class or function with a name of {len(path)} characters")
        if path not in self._named:
            self.spend(2 * OBJECT + 2 * len(path))
            # Protocols up to 2 have the names of Python 2: __builtin__.long, exceptions.ValueError.
            module, name = NAME_MAPPING.get((module, name)) or (IMPORT_MAPPING.get(module, module), name)
            self._named[path] = found = self.find_class(module, name)
            if isinstance(found, Unknown) and found.is_hostile:
                found.written = self.hostile = path
        return self._named[path]

    def attribute(self, owner: Any, name: Any) -> Any:
        """Return the stand-in for an attribute, as pickles ask for methods and members of enumerations."""
        if isinstance(owner, Unknown) and isinstance(name, str):
            return self.resolve_name(owner.module, f"{owner.name}.{name}")
        return Skipped(f"a method {brief(name)}")

    def call(self, function: Any, arguments: Any, named: Sequence[Any] = ()) -> Any:
        """Call the stand-in for a function, which gets this machine and the arguments, and not those by name.

        Raises:
            UnsafeError: elsewhere, the call could run code.
        """
        self.spend(OBJECT)
        if not isinstance(arguments, tuple):
            raise pickle.UnpicklingError(f"a call with {brief(arguments)}")
        if self.hostile:
            for one in (function, *arguments[:MAX_ARGUMENTS], *named[:MAX_ARGUMENTS]):
                if isinstance(one, Unknown) and one.is_hostile:
                    self.refuse(f"asks for {one.written!a:.200}")
        if isinstance(function, Unknown):
            return Skipped(function.path)
        if isinstance(function, Skipped):
            self.refuse(f"calls {repr(function)!a:.200}, which it has made itself")
        if not isinstance(function, FunctionType):
            raise pickle.UnpicklingError(f"a call of {brief(function)}, which is not a function")
        if len(arguments) > MAX_ARGUMENTS:
            raise pickle.UnpicklingError(f"a call with {brief(arguments)}")
        return function(self, *arguments)

    def remember(self, number: int, value: Any) -> None:
        """Keep a value under a number."""
        memo = self.memo
        if number == len(memo):
            self.spend(SLOT)
            memo.append(value)
            self.far.pop(number, None)
        elif 0 <= number < len(memo):
            memo[number] = value
        else:
            self.spend(FAR)
            self.far[number] = value

    def recall(self, number: int) -> None:
        """Put on the stack what is kept under a number."""
        memo = self.memo
        self.stack.append(memo[number] if 0 <= number < len(memo) else self.far[number])

    def put_items(self, target: Any, items: list[Any]) -> None:
        """Put keys, each with its value behind it, into a mapping."""
        if len(items) % 2:
            raise pickle.UnpicklingError("a key without a value")
        if not isinstance(target, dict):
            raise pickle.UnpicklingError(f"items for {brief(target)}, which is not a mapping")
        self.spend((0 if target else MAPPING) + ITEM * len(items) // 2)
        for at in range(0, len(items), 2):
            target[self.key(items[at])] = items[at + 1]

    def key(self, value: Any) -> Any:
        """Return the stand-in for a value as a key of a mapping."""
        kind = type(value)
        if kind is str or (kind is bytes and self.encoding == "bytes"):
            return value
        self.spend(OBJECT + (4 * len(value) if kind is bytes else 0))
        return Key(value) if kind in (int, float, bool, bytes, type(None)) else Skipped("an object as a key")

    def append_items(self, target: Any, items: list[Any]) -> None:
        """Put items behind those of a list."""
        if isinstance(target, list):
            self.spend(SLOT * len(items))
            target += items
        elif not isinstance(target, Skipped):
            raise pickle.UnpicklingError(f"items for {brief(target)}, which is not a list")
