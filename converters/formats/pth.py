"""torch's `.pth`, `.pt`, `.bin`: read by torch's restricted unpickler, so that nothing in the file can run.

Objects of classes that torch does not know (an `argparse.Namespace` beside the weights) become inert placeholders and
are reported as skipped; their classes are never imported. Names that only an attack would use are refused.
Writing is in archive.py.
"""

import pickle
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch

from msbridge.converters.content import Entry, entry
from msbridge.converters.errors import CheckpointError, UnsafeError
from msbridge.converters.files import Source

LEGACY_MAGIC = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."  # what torch.save wrote first before release 1.6
NESTED = (
    "state_dict",
    "model_state_dict",
    "model_state",
    "model",
    "module",
    "net",
    "network",
    "generator",
    "params",
    "ema",
)
WRAPPED = ("module.", "_orig_mod.")  # what DistributedDataParallel and torch.compile put before every name
HOSTILE = frozenset(
    [
        "os",
        "posix",
        "nt",
        "sys",
        "subprocess",
        "importlib",
        "runpy",
        "shutil",
        "socket",
        "ctypes",
        "pickle",
        "code",
        "pty",
    ]
    + ["webbrowser", "operator", "functools", "multiprocessing", "asyncio", "pdb", "timeit", "commands", "tempfile"]
    + [
        f"{where}.{name}"
        for where in ("builtins", "__builtin__")
        for name in ("eval", "exec", "execfile", "compile", "open")
    ]
    + [
        f"{where}.{name}"
        for where in ("builtins", "__builtin__")
        for name in ("getattr", "setattr", "delattr", "__import__")
    ]
    + [
        f"{where}.{name}"
        for where in ("builtins", "__builtin__")
        for name in ("globals", "input", "apply", "breakpoint")
    ]
)
MOST_UNKNOWN = 200  # classes; each costs one more look at a legacy file


def read(source: Source, skipped: dict[str, str]) -> Iterator[Entry]:
    """Give the tensors of a torch file by name; their bytes stay in the file until they are used.

    A state dict is looked for under the usual keys (`state_dict`, `model`, …); a `module.` before all names is dropped.

    Args:
        source: the file.
        skipped: is filled with what the file holds besides tensors: name → what it is.

    Raises:
        CheckpointError: the file is no torch file, is damaged, holds no tensors, or tries to run code.
    """
    state = _load(source, skipped)
    path: list[str] = []
    while (inner := _inner(state)) is not None:
        key, chosen = inner
        skipped |= {".".join([*path, str(name)]): _describe(value) for name, value in state.items() if name != key}
        path.append(key)
        state = chosen
    found = dict(_tensors(state, "", skipped))
    if not found:
        raise CheckpointError(
            f"{source.path}: no tensors in it, only {_describe(state)}. Save the state_dict of the module."
        )
    wrapped = _common_prefix(found)
    for name, tensor in found.items():
        yield entry(name.removeprefix(wrapped), tensor)


class Skipped:
    """Stands for an object of an unknown class; takes whatever the pickle gives it and does nothing."""

    def __new__(cls, *arguments: object, **more: object) -> "Skipped":
        return super().__new__(cls)

    def __init__(self, *arguments: object, **more: object):
        pass

    def __setstate__(self, state: object) -> None:
        pass


def _load(source: Source, skipped: dict[str, str]) -> Any:
    is_zip = source.read(0, 4) == b"PK\x03\x04"
    unknown: set[str] = set()
    if is_zip:
        _check_zip(source)
        unknown = set(_attempt(source, lambda: torch.serialization.get_unsafe_globals_in_checkpoint(source.path)))
    while True:
        for name in unknown:
            _refuse_hostile(source, name)
        placeholders = [(type("Skipped", (Skipped,), {"described": name}), name) for name in sorted(unknown)]
        try:
            with torch.serialization.safe_globals(placeholders):  # type: ignore[arg-type]
                return _attempt(
                    source, lambda: torch.load(source.path, map_location="cpu", weights_only=True, mmap=is_zip)
                )
        except pickle.UnpicklingError as error:
            name = _refused_global(str(error))
            if name:
                _refuse_hostile(source, name)
            if not name or name in unknown or len(unknown) >= MOST_UNKNOWN:
                lines = [line for line in str(error).splitlines() if line.strip()]
                reason = next((line for line in lines if "nsupported" in line or "Error:" in line), lines[0]).strip()
                raise CheckpointError(f"{source.path}: torch's restricted unpickler refuses it: {reason}") from error
            unknown.add(name)


def _refused_global(message: str) -> str:
    """Find in torch's message the name that its unpickler does not know."""
    found = re.search(r"GLOBAL ([\w.]+) (?:was not|whose module)", message)
    return "" if not found else found[1] if "." in found[1] else f"builtins.{found[1]}"


def _attempt(source: Source, action: Any) -> Any:
    """Run one of torch's readers; whatever a damaged file makes it raise becomes a CheckpointError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return action()
    except pickle.UnpicklingError:
        raise
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(f"{source.path}: torch cannot read it: {reason}") from error


def _check_zip(source: Source) -> None:
    """Refuse an archive whose members claim more than the file holds: torch stores them uncompressed."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise CheckpointError(f"{source.path}: the archive is cut short or damaged: {error}.") from error
    for member in members:
        if member.compress_type != zipfile.ZIP_STORED or member.file_size > source.size:
            raise CheckpointError(
                f"{source.path}: member {member.filename!r} at offset {member.header_offset} is compressed or claims "
                f"{member.file_size} bytes; torch stores members as they are."
            )
    if any(member.filename.endswith("/constants.pkl") for member in members):
        raise CheckpointError(f"{source.path}: a TorchScript archive; save the state_dict of the module instead.")


def _refuse_hostile(source: Source, *names: str) -> None:
    for name in names:
        if name in HOSTILE or name.split(".")[0] in HOSTILE or re.match(r"torch\.(?!nn\.|optim\.)", name):
            raise UnsafeError(f"{source.path}: refused: its pickle asks for {name}, which no checkpoint needs.")


def _inner(state: Any) -> tuple[str, Any] | None:
    """Find the state dict inside a training checkpoint, when the outer mapping has no tensors itself."""
    if not isinstance(state, Mapping) or any(isinstance(value, torch.Tensor) for value in state.values()):
        return None
    nested = {key: value for key, value in state.items() if isinstance(value, Mapping) and _has_tensors(value)}
    for key in NESTED:
        if key in nested:
            return key, nested[key]
    return next(iter(nested.items())) if len(nested) == 1 and len(state) > 1 else None


def _has_tensors(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_has_tensors(item) for item in value.values())
    return isinstance(value, torch.Tensor)


def _tensors(value: Any, name: str, skipped: dict[str, str]) -> Iterator[tuple[str, torch.Tensor]]:
    """Flatten nested mappings and lists into dotted names."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            skipped[name] = f"a tensor of layout {value.layout}"
        else:
            yield name or "tensor", (value.dequantize() if value.is_quantized else value)
        return
    items = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else None
    )
    if items is None or not _worth(value):
        skipped[name] = _describe(value)
        return
    for key, item in items:
        yield from _tensors(item, f"{name}.{key}" if name else str(key), skipped)


def _worth(value: Any) -> bool:
    items = value.values() if isinstance(value, Mapping) else value
    return any(
        isinstance(item, torch.Tensor) or (isinstance(item, Mapping | list | tuple) and _worth(item)) for item in items
    )


def _common_prefix(names: Iterable[str]) -> str:
    names, found = list(names), ""
    while prefix := next((one for one in WRAPPED if all(name.startswith(found + one) for name in names)), None):
        found += prefix
    return found


def _describe(value: Any) -> str:
    if isinstance(value, Skipped):
        return f"an object of {getattr(value, 'described', 'an unknown class')}"
    if isinstance(value, Mapping | list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return (
        f"{type(value).__name__} {value!r:.60}" if isinstance(value, int | float | str | bool) else type(value).__name__
    )
