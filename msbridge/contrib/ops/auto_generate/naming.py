"""The primitive, or the part of one, that a generated name refers to.

Of `Softmax` come the instance `softmax_op`, the function `softmax`, and the entries of MindSpore's C++ side:
`pyboost_softmax(primitive, [inputs and attributes])`, `softmax_impl(inputs and attributes)` and the class
`SoftmaxPrim_`, whose instances take the list only.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from msbridge.contrib.ops import embedding_caches, second_order
from msbridge.core.errors.explain import explain
from msbridge.mappings import columns
from msbridge.ops import contents
from msbridge.ops.primitive.primitive import Derived, Primitive, defaults_of, derive
from msbridge.ops.training import gradient_primitives


class UnknownName(Exception):
    """Nothing is called so."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A row of generated.tsv."""

    primitive: str  # the name of the class
    function: str  # face and name of our function, e.g. "mint.add"; the face may be a file of this folder.
    inputs: tuple[str, ...] = ()  # what a call takes, in order; `dim=axis` where the function calls it otherwise
    attributes: tuple[str, ...] = ()  # what the constructor takes


FACES = {"mint": "mint", "functional": "mint_functional", "ops": "functions", "Tensor": "methods"}
COSINES = "msbridge.ops.linalg.signal_transforms.cosines"

# Functions, and stems of instances and entries, that are not called as their primitive.
OTHERWISE = {
    "argsort_ext": "ArgSort",
    "avg_pool1d_ext": "AvgPool1D",
    "batch_norm_": "BatchNorm",
    "binary_cross_entropy_with_logits": "BCEWithLogitsLoss",
    "bmm_ext": "BatchMatMulExt",
    "div_scalar_": "InplaceDivs",
    "div_tensor_": "InplaceDiv",
    "divmod_scalar_": "InplaceDivMods",
    "divmod_tensor_": "InplaceDivMod",
    "fill_diagonal_": "InplaceFillDiagonal",
    "floor_": "InplaceFloor",
    "fold_ext": "Col2ImExt",
    "frac_ext": "Frac",
    "grouped_matmul_add_": "InplaceGroupedMatmulAdd",
    "index_put_": "InplaceIndexPut",
    "index_select_ext": "IndexSelect",
    "inplace_index_add": "InplaceIndexAddExt",
    "isneginf_ext": "IsNegInf",
    "log10_ext": "Log10",
    "log2_ext": "Log2",
    "logaddexp_ext": "LogAddExp",
    "logsumexp_ext": "LogSumExp",
    "masked_fill_tensor_": "InplaceMaskedFillTensor",
    "matmul_add_": "InplaceMatmulAdd",
    "mm_ext": "Mm",
    "narrow": "Narrow",
    "outer_ext": "Outer",
    "sub_tensor_": "InplaceSubExt",
    "threshold": "Threshold",
    "unfold_ext": "Im2ColExt",
}

# Primitives of `ops.operations` and of the gradients that are functions here, by their inputs and attributes.
CALLED = ["ExtractImagePatches", "MaskedScatter", "ReshapeAndCache", "SeluGrad", "SoftShrinkGrad"]


@cache
def rows() -> Mapping[str, Generated]:
    """Return the rows of generated.tsv by primitive."""
    found: tuple[Generated, ...] = columns("generated.tsv", Generated)
    return {row.primitive: row for row in found}


@cache
def find(name: str) -> Any:
    """Return the function or class of a generated name.

    Raises:
        UnknownName: nothing is called so; its text says more where there is more to say.
    """
    if name in rows():
        return _build_class(rows()[name])
    if name.startswith("pyboost_"):
        return _make_list_function(name, name.removeprefix("pyboost_"))
    if name.endswith("_impl"):
        return _spread(name, _class_of(name.removesuffix("_impl")))
    if name.endswith("Prim_"):
        return _list_class(name, _class_of(name.removesuffix("Prim_")))
    if name.endswith("_op"):
        return _instance(_class_of(name.removesuffix("_op")))
    return _function(name)


def _class_of(stem: str) -> type[Primitive]:
    """Return the primitive that instances and entries of this stem belong to."""
    name = OTHERWISE.get(stem) or _names().get(stem.replace("_", "").lower())
    if name is None:
        raise UnknownName
    return find(name) if name in rows() else _elsewhere()[name]


@cache
def _names() -> Mapping[str, str]:
    """Return the names of the primitives by what is left of them without capitals."""
    return {name.lower(): name for name in sorted(_elsewhere(), reverse=True) + sorted(rows())}


@cache
def _elsewhere() -> Mapping[str, type[Primitive]]:
    """Return the primitives of the other rooms, by name."""
    rooms = [*map(vars, (gradient_primitives, embedding_caches, second_order)), contents.gather("primitives")]
    return {
        name: value
        for room in rooms
        for name, value in room.items()
        if name[0] != "_" and isinstance(value, type) and issubclass(value, Primitive)
    }


def _instance(kind: type[Primitive]) -> Primitive:
    try:
        return kind()  # type: ignore[call-arg]
    except TypeError:
        raise UnknownName(f"{kind.__name__} has no instance: its attributes have no defaults.") from None


def _function(name: str) -> Any:
    primitive = OTHERWISE.get(name) or _functions().get(name.replace("_", ""))
    if primitive is None or (name not in OTHERWISE and name in _face("functions")):
        raise UnknownName
    return _as_function(rows()[primitive]) if primitive in rows() else _make_function(name, _elsewhere()[primitive])


@cache
def _functions() -> Mapping[str, str]:
    """Return the primitives that are functions too, by what is left of their names without capitals."""
    return {name.lower(): name for name in (*CALLED, *rows())}


@cache
def _face(name: str) -> Mapping[str, Any]:
    return contents.gather(name)


def _definition(row: Generated) -> Callable[..., Any]:
    face, _, name = row.function.partition(".")
    if face in FACES:
        return _face(FACES[face])[name]  # type: ignore[no-any-return]
    return getattr(import_module(COSINES if face == "cosines" else f"{__package__}.{face}"), name)  # type: ignore[no-any-return]


def _build_class(row: Generated) -> type[Derived]:
    function = _definition(row)
    inputs = [one.rpartition("=")[2] for one in row.inputs]
    renamed = {one.partition("=")[0]: one.rpartition("=")[2] for one in row.attributes if "=" in one}
    attributes = " ".join(one.partition("=")[0] for one in row.attributes)
    own = _positional_names(function)
    if inputs != own[: min(len(inputs), len(own))]:
        function = _in_order(function, row.inputs)
    made = derive(row.primitive, function, attributes, renamed)
    made.inputs = {one.partition("=")[0]: one.rpartition("=")[2] for one in row.inputs if "=" in one}
    return made


def _as_function(row: Generated) -> Any:
    """Return our function where it takes the same inputs and attributes by the same names, else one that does."""
    function, taken = _definition(row), (*row.inputs, *row.attributes)
    return function if [*taken] == _positional_names(function)[: len(taken)] else _in_order(function, taken)


def _positional_names(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that have a place; of a function made of a row, all."""
    code = function.__code__
    return [*code.co_varnames[: code.co_argcount]] or [*defaults_of(function)]


def _in_order(function: Any, inputs: tuple[str, ...]) -> Any:
    """Return a function of the same name that takes these inputs, by position too."""
    theirs = {one.partition("=")[0]: one.rpartition("=")[2] for one in inputs}

    def call(*args: Any, **named: Any) -> Any:
        if len(args) > len(theirs):
            raise TypeError(f"For '{function.__name__}', the inputs are ({', '.join(theirs)}), got {len(args)}.")
        given = dict(zip(theirs.values(), args, strict=False))
        return function(**given, **{theirs.get(key, key): value for key, value in named.items()})

    call.__name__, call.__doc__, call.__module__ = function.__name__, function.__doc__, function.__module__
    call.__kwdefaults__ = defaults_of(function)  # what `derive` reads; a call with `**named` takes nothing from it
    return call


def _make_function(name: str, kind: type[Primitive]) -> Any:
    """Return the function of a primitive: it takes the inputs, then the attributes, also by keyword."""
    attributes = inspect.signature(kind).parameters
    inputs = inspect.signature(kind.function if issubclass(kind, Derived) else kind.__call__).parameters
    taken = [one for one in inputs if one not in attributes and one != "self"] + list(attributes)

    def call(*args: Any, **named: Any) -> Any:
        given = dict(zip(taken, args, strict=False)) | named
        settled = {key: given.pop(key) for key in attributes if key in given}
        try:
            return kind(**settled)(*(given[key] for key in taken if key in given))
        except Exception as error:
            raise explain(error, name) from error

    call.__name__, call.__doc__ = name, kind.__doc__
    return call


def _run(kind: Callable[..., Any], given: Sequence[Any]) -> Any:
    """Call a primitive with its inputs and then its attributes in one list."""
    attributes = len(inspect.signature(kind).parameters)
    inputs = len(given) - attributes
    return kind(*given[inputs:])(*given[:inputs])


def _make_list_function(name: str, stem: str) -> Any:
    kind = _class_of(stem)

    def call(primitive: Primitive, given: Sequence[Any]) -> Any:
        return _run(kind, given)

    return _set_title(call, name, f"Compute {kind.__name__}: `given` holds the inputs and then the attributes.")


def _spread(name: str, kind: type[Primitive]) -> Any:
    def call(*given: Any) -> Any:
        return _run(kind, given)

    return _set_title(call, name, f"Compute {kind.__name__} of the inputs and then the attributes.")


def _list_class(name: str, kind: type[Primitive]) -> type:
    def call(self: Any, given: Sequence[Any]) -> Any:
        return _run(kind, given)

    return type(name, (), {"__call__": call, "__doc__": f"{kind.__name__} of one list: inputs, then attributes."})


def _set_title(call: Any, name: str, doc: str) -> Any:
    call.__name__, call.__qualname__, call.__doc__ = name, name, doc
    return call
