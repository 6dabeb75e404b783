"""The primitives that MindSpore generates for `mint`; libraries call them themselves.

A primitive of `mappings/generated.tsv` is made when it is asked for, and so is an instance, as `add_ext_op`, and the
function of the same inputs, as `add_ext`.

Follows: mindspore.ops.auto_generate (2.10).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.mappings import columns
from msbridge.ops import contents, operations
from msbridge.ops.activation import functions as activation
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.creation import functions as creation
from msbridge.ops.cumulative import mint as cumulative
from msbridge.ops.families import Axis
from msbridge.ops.indexing import functions as indexing
from msbridge.ops.indexing import mint as indexing_mint
from msbridge.ops.joining import mint as joining
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.linalg import mint as linalg_mint
from msbridge.ops.placing import mint as placing
from msbridge.ops.primitive import Derived, Primitive, derive
from msbridge.ops.reduction import mint as reduction
from msbridge.ops.sorting import mint as sorting


def _sum(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return reduction.sum(input, dim, keepdim, dtype=dtype)


def _mean(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return reduction.mean(input, dim, keepdim, dtype=dtype)


def _sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    return sorting.sort(input, dim=dim, descending=descending, stable=stable)


def _scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    faces = {"none": placing.scatter, "add": placing.scatter_add}
    if reduce not in faces:
        raise ValueError(f"For 'Scatter', reduce must be one of {[*faces]}, got {reduce!r}.")
    return faces[reduce](input, dim, index, src)


def _split(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> tuple[Tensor, ...]:
    return joining.split(input, list(split_size), dim)


def _zeros_like(input: Tensor, dtype: Type | None = None) -> Tensor:
    return creation.zeros_like(input, dtype=dtype)


_PRIMITIVES = (
    derive("AddExt", arithmetic.add),
    derive("BatchMatMulExt", linalg_mint.bmm),
    derive("CumsumExt", cumulative.cumsum),
    derive("FmodScalar", arithmetic.fmod),
    derive("IndexSelect", indexing_mint.index_select),
    derive("MatMulExt", linalg.matmul),
    derive("MeanExt", _mean),
    derive("OneHotExt", indexing.one_hot, "axis"),
    derive("Outer", linalg.outer),
    derive("Scatter", _scatter),
    derive("SiLU", activation.silu),
    derive("SortExt", _sort),
    derive("SplitWithSize", _split),
    derive("StackExt", joining.stack, "dim"),
    derive("SubExt", arithmetic.sub),
    derive("SumExt", _sum),
    derive("Swiglu", activation.swiglu),
    derive("TopkExt", sorting.topk),
    derive("ZerosLikeExt", _zeros_like),
)
globals().update({primitive.__name__: primitive for primitive in _PRIMITIVES})


@dataclass(frozen=True, slots=True)
class Generated:
    """A row of generated.tsv.

    Attributes:
        primitive: the name of the class.
        function: face and name of our function, e.g. "mint.add".
        inputs: what a call takes, in order; `dim=axis` where the function calls it otherwise.
        attributes: what the constructor takes.
    """

    primitive: str
    function: str
    inputs: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()


_OTHERWISE = {"bmmext": "batchmatmulext", "mmext": "mm"}  # names that are not the primitive's
_FACES = {"mint": "mint", "functional": "mint_functional", "ops": "functions", "Tensor": "methods"}


@cache
def rows() -> Mapping[str, Generated]:
    """Return the rows of generated.tsv by primitive."""
    found: tuple[Generated, ...] = columns("generated.tsv", Generated)
    return {row.primitive: row for row in found}


__all__ = sorted({primitive.__name__ for primitive in _PRIMITIVES} | rows().keys())


def __getattr__(name: str) -> Any:
    """Return a primitive of the table, or an instance of one."""
    return _named(name)


@cache
def _named(name: str) -> Any:
    if name in rows():
        return _made(rows()[name])
    is_instance = name.endswith("_op")
    plain = name.removesuffix("_op").replace("_", "")
    plain = _OTHERWISE.get(plain, plain)
    primitive = _classes().get(plain) if is_instance else _functions().get(plain)
    if primitive is None or (not is_instance and name in _face("functions")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    if not is_instance:
        return _as_function(rows()[primitive]) if primitive in rows() else globals()[primitive].function
    kind = globals().get(primitive) or vars(operations).get(primitive) or _named(primitive)
    try:
        return kind()
    except TypeError:
        raise AttributeError(f"{primitive} has no instance: its attributes have no defaults.", name=name) from None


@cache
def _classes() -> Mapping[str, str]:
    """Return the names of the primitives by what is left of them without capitals."""
    names = {name for name, value in vars(operations).items() if name[0] != "_" and _is_primitive(value)}
    return {name.lower(): name for name in sorted(names, reverse=True) + __all__}


@cache
def _functions() -> Mapping[str, str]:
    """Return the primitives that are functions too, by what is left of their names without capitals."""
    own = {primitive.__name__ for primitive in _PRIMITIVES if not primitive.defaults}
    return {name.lower(): name for name in own | {name for name, row in rows().items() if not row.attributes}}


def _is_primitive(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Primitive)


@cache
def _face(name: str) -> Mapping[str, Any]:
    return contents.gather(name)


def _made(row: Generated) -> type[Derived]:
    face, _, name = row.function.partition(".")
    function = _face(_FACES[face])[name]
    code = function.__code__
    inputs = [one.rpartition("=")[2] for one in row.inputs]
    renamed = {one.partition("=")[0]: one.rpartition("=")[2] for one in row.attributes if "=" in one}
    attributes = " ".join(one.partition("=")[0] for one in row.attributes)
    if inputs != list(code.co_varnames[: min(len(inputs), code.co_argcount)]):
        function = _in_order(function, row.inputs)
    return derive(row.primitive, function, attributes, renamed)


def _as_function(row: Generated) -> Any:
    """Return our function where it takes the same inputs by the same names, else one that does."""
    face, _, name = row.function.partition(".")
    function = _face(_FACES[face])[name]
    own = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function if row.inputs == own[: len(row.inputs)] else _in_order(function, row.inputs)


def _in_order(function: Any, inputs: tuple[str, ...]) -> Any:
    """Return a function of the same name that takes these inputs, by position too."""
    theirs = {one.partition("=")[0]: one.rpartition("=")[2] for one in inputs}

    def call(*args: Any, **named: Any) -> Any:
        if len(args) > len(theirs):
            raise TypeError(f"For '{function.__name__}', the inputs are ({', '.join(theirs)}), got {len(args)}.")
        given = dict(zip(theirs.values(), args, strict=False))
        return function(**given, **{theirs.get(key, key): value for key, value in named.items()})

    call.__name__, call.__doc__, call.__module__ = function.__name__, function.__doc__, function.__module__
    return call
