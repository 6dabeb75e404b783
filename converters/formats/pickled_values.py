"""What stands in a pickle for what is not read: objects, functions, odd keys; and which names are refused."""

import re
from typing import Any

# Modules whose functions reach the system or other code, and torch's own that load code or other pickles.
HOSTILE = re.compile(
    r"(.*\.)?(os|posix|nt|sys|subprocess|importlib|ctypes|socket|shutil|__builtins__)(\.|$)"
    r"|(runpy|pickle|_pickle|marshal|code|codeop|pty|webbrowser|operator|multiprocessing|asyncio|pdb|bdb|timeit|commands"
    r"|tempfile|platform|pydoc|doctest|profile|cProfile|trace|pip|site|pkgutil|zipimport|http|urllib|requests|ftplib"
    r"|smtplib|inspect|functools(?!\.partial$)|types(?!\.SimpleNamespace$))(\.|$)"
    r"|torch\.(load|hub|jit|package|ops|classes|_C|_dynamo|_inductor|storage\._load_from_bytes|serialization\.load"
    r"|utils\.cpp_extension|distributed\.rpc)(\.|$)"
)
BUILTINS = ("builtins", "__builtin__")
HARMLESS = {"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "range"}
HARMLESS |= {"set", "slice", "str", "tuple", "type"}


def is_hostile(module: str, name: str) -> bool:
    """Whether only an attack would ask for this class or function."""
    return bool(HOSTILE.match(f"{module}.{name}")) or (module in BUILTINS and name not in HARMLESS)


class Skipped(dict[Any, Any]):
    """Stands for an object of an unknown class; keeps the items that a mapping is given, and does nothing else.

    Attributes:
        described: what it would have been.
    """

    __slots__ = ("described",)
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__

    def __init__(self, described: str):
        super().__init__()
        self.described = described

    def __repr__(self) -> str:
        return f"<{self.described}>"


class Unknown:
    """Stands for a class or a function that no table knows.

    Attributes:
        path: its name, with its module's.
    """

    __slots__ = ("path",)

    def __init__(self, path: str):
        self.path = path


class Key:
    """Stands for a key that is no text: those of the same type that are spelt alike are the same.

    Python's hashes of numbers are no secret: a mapping whose keys share theirs takes forever to fill.

    Attributes:
        text: how it is spelt.
    """

    __slots__ = ("kind", "text")

    def __init__(self, value: Any):
        self.kind = type(value)
        self.text = repr(value)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.kind is other.kind and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)
