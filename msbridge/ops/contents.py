"""The contents of the topics of operators: `ops`, `ops.operations`, `mint` and Tensor's methods are collected from it.

A topic, such as `elementwise/activation/`, is a folder of operators:

- `functions.py`: the definitions. Every public function in it is `ops.<name>`.
- `primitives.py`: the classes of `ops.operations`; `DERIVED` lists those that `derive` makes of functions.
- `kernels.py`: computations that several files share.

Other faces of a wing's operators are in `elementwise/methods.py` (Tensor's methods), `mint.py` and
`mint_functional.py` (`mint.<name>` and `mint.nn.functional.<name>`), those of a large topic in such files of its own.

A face file publishes the public functions and classes that it defines, `SAME`, functions that are a face as they stand,
and `FACES`, functions under other names of their parameters (`msbridge/ops/faces.py`).

Which file publishes what `ops` and `ops.operations` publish is in `public_names.py`, which tools/stubs.py writes: a
file is loaded when one of its names is asked for.

What operators were in earlier releases is in `msbridge/ops/legacy/`.
"""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from msbridge.core.releases import overrides
from msbridge.core.runtime.defining_modules import defining_module

Face = Callable[..., Any]

# The folders of topics.
WINGS = (
    "elementwise",
    "framework",
    "image",
    "linalg",
    "neural",
    "random",
    "reduce",
    "shape",
    "sparse",
    "training",
)

# Primitives that are in `msbridge.contrib`, by the package that publishes them.
RARE_PRIMITIVES = {
    "msbridge.contrib.ops.embedding_caches": (
        "DynamicAssign MapUniform PadAndShift PagedAttention PagedAttentionMask ReshapeAndCache"
    ),
    "msbridge.contrib.ops.second_order": (
        "CholeskyTrsm CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube CusMatMulCubeDenseLeft "
        "CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul CusMatrixCombine "
        "CusTranspose02314 DetTriangle LoadIm2Col NewIm2Col ThorIm2Col UpdateThorGradient"
    ),
}


def gather(face: str) -> dict[str, Face]:
    """Return the names that every topic's file `face` publishes; raises as `merge`."""
    return merge(files(face))


def merge(modules: Iterable[ModuleType]) -> dict[str, Face]:
    """Return the names that several files publish.

    Raises:
        ImportError: two of them publish the same name.
    """
    merged: dict[str, Face] = {}
    for module in modules:
        names = list_published_names(module)
        if doubled := sorted(merged.keys() & names.keys()):
            raise ImportError(f"{module.__name__} publishes {doubled}, as another file does.")
        merged |= names
    return merged


def files(face: str) -> Iterator[ModuleType]:
    """Import and yield the file `face` of every wing and topic that has one, in the order of their names."""
    for folder, names in _folders().items():
        if f"{face}.py" in names:
            yield import_module(f"msbridge.ops.{folder}.{face}")


@functools.cache
def _folders() -> dict[str, set[str]]:
    """Return the names of the files of each wing and topic, listed once."""
    room = Path(__file__).parent
    wings = {wing: _names(room / wing) for wing in WINGS}
    topics = sorted((topic, wing) for wing, names in wings.items() for topic in names if topic.isidentifier())
    return wings | {f"{wing}.{topic}": _names(room / wing / topic) for topic, wing in topics}


def _names(folder: Path) -> set[str]:
    return {entry.name for entry in os.scandir(folder) if entry.name[0] != "_"}


def list_published_names(module: ModuleType) -> dict[str, Face]:
    """Return the names that one file of an API surface publishes."""
    own = vars(module)
    rows = (*own.get("DERIVED", ()), *own.get("FACES", ()))
    return definitions(module) | {row.__name__: row for row in rows} | own.get("SAME", {})


def take_published(module: ModuleType, name: str) -> Any:
    """Return the object that a file of an API surface publishes as `name`; of another module, its attribute.

    What the file publishes unchanged is looked up where it is defined: a release that is followed may have replaced
    it there after the file was loaded.
    """
    names = _published_names(module)
    if name not in names:
        return getattr(module, name)
    if name not in vars(module).get("SAME", ()):
        return vars(module).get(name, names[name])
    home = sys.modules.get(defining_module(names[name]))
    return vars(home).get(name, names[name]) if home else names[name]


_published_names = functools.cache(list_published_names)  # of files that are loaded as a whole


def definitions(module: ModuleType) -> dict[str, Face]:
    """Return the public functions and classes that a file defines, by name, whichever release is followed."""
    return {
        name: value
        for name, value in overrides.newest(module).items()
        if name[0] != "_" and callable(value) and defining_module(value) == module.__name__
    }
