"""The stand-ins of a pickle for what is not read: objects, functions, odd keys; and whose calls are refused.

A name by itself does nothing: a configuration that holds a function or a type only mentions it. What counts is a call.
"""

import builtins
import re
from typing import Any

# Modules that reach the system or other code, wherever a path goes through them: numpy.os.system.
REACHING = {"os", "posix", "nt", "sys", "subprocess", "importlib", "ctypes", "socket", "shutil", "__builtins__"}
# Modules, and packages with all that is in them, whose functions run what they are given, or reach a network.
RUNNING = {"pickle", "_pickle", "runpy", "marshal", "code", "codeop", "pty", "webbrowser", "pdb", "bdb", "timeit"}
RUNNING |= {"commands", "tempfile", "platform", "pydoc", "doctest", "profile", "cProfile", "trace", "site", "pkgutil"}
RUNNING |= {"zipimport", "ftplib", "smtplib", "inspect", "functools", "_functools", "operator", "_operator", "types"}
RUNNING |= {"_posixsubprocess", "_osx_support", "_aix_support", "cgitb", "imaplib", "nntplib", "poplib", "telnetlib"}
RUNNING |= {"socketserver", "ssl"}
RUNNING_PACKAGES = {"aiohttp", "asyncio", "distutils", "ensurepip", "http", "idlelib", "lib2to3", "multiprocessing"}
RUNNING_PACKAGES |= {"pip", "requests", "setuptools", "sqlite3", "urllib", "venv", "xmlrpc"}
LOADING = {"loads", "read_pickle", "eval", "exec", "runstring"}  # functions of any module, by their names
TORCH = re.compile(
    r"torch\.(load|hub|jit|package|ops|classes|_C|_dynamo|_inductor|storage\._load_from_bytes|serialization\.load"
    r"|fx\.(graph_module|_lazy_graph_module)|utils\.(cpp_extension|_config_module|collect_env|bottleneck)|distributed\.rpc|testing\._internal)(\.|$)"
)
# What only computes, or only keeps what it is given, although it lies in one of these.
PURE = re.compile(
    r"torch\._C\.(_nn|_fft|_linalg|_special|_sparse|_nested|_VariableFunctions|_VariableFunctionsClass|_?TensorBase)"
    r"(\.(?!__)\w+)*|functools\.(partial|partialmethod)|_?operator\.(attrgetter|itemgetter|methodcaller|getitem|or_)"
    r"|types\.(CodeType|GenericAlias|MappingProxyType|MethodType|NoneType|SimpleNamespace)"
    r"|inspect\.(Signature|Parameter|_ParameterKind|_empty)|copyreg\.__newobj(_ex)?__|http\.HTTPStatus"
    r"|urllib\.parse\.(Parse|Split|Defrag)Result"
)
BUILTIN_TYPES = {name for name, value in vars(builtins).items() if isinstance(value, type)} - {"map", "filter"}
PURE_BUILTINS = BUILTIN_TYPES | {
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "callable",
    "chr",
    "divmod",
    "format",
    "hash",
    "hex",
}
PURE_BUILTINS |= {"id", "isinstance", "issubclass", "iter", "len", "max", "min", "next", "oct", "ord", "pow", "repr"}
PURE_BUILTINS |= {"round", "sorted", "sum", "Ellipsis", "NotImplemented"}


def is_hostile(module: str, name: str) -> bool:
    """Whether a call of this class or function could run code of whoever wrote the pickle.

    Args:
        module: as Python 3 calls it.
        name: in the module; with dots, of what is in a class, or in a module that the module has imported.
    """
    path = f"{module}.{name}"
    if PURE.fullmatch(path):
        return False
    parts, names = path.split("."), name.split(".")
    if "builtins" in parts:
        return any(is_special(one) for one in names) or not PURE_BUILTINS.issuperset(_behind(parts, "builtins"))
    return (
        not REACHING.isdisjoint(parts)
        or module in RUNNING
        or not RUNNING.isdisjoint(names[:-1])
        or parts[0] in RUNNING_PACKAGES
        or bool(TORCH.match(path))
        or names[-1] in LOADING
        or any(is_special(one) for one in names)
    )


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own, through which code and modules are reached: `__globals__`."""
    return name.startswith("__") and name.endswith("__")


def _behind(parts: list[str], module: str) -> list[str]:
    """Return the part of a path within a module; "" for the module itself."""
    return parts[parts.index(module) + 1 :][:1] or [""]


class Skipped(dict[Any, Any]):
    """Replaces an object of an unknown class; keeps the items that a mapping is given, and does nothing else.

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
    """Replaces a class or a function that no table knows.

    Attributes:
        module: where it lies, as Python 3 calls that; "" if `name` is a description.
        name: its name there.
        is_hostile: whether a call of it could run code.
        written: its name as the pickle has it, perhaps Python 2's.
    """

    __slots__ = ("is_hostile", "module", "name", "written")

    def __init__(self, module: str, name: str, is_hostile: bool = False):
        self.module = module
        self.name = name
        self.is_hostile = is_hostile
        self.written = self.path

    @property
    def path(self) -> str:
        """Its name, with its module's."""
        return f"{self.module}.{self.name}" if self.module else self.name


class Key:
    """Replaces a key that is not a string: those of the same type that are spelt alike are the same.

    Python's hashes of numbers are not secret: a mapping whose keys share theirs takes forever to fill.

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
