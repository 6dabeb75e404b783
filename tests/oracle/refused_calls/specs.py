"""Calls as data: what `spying.py` sees of msbridge's, and both MindSpores are asked.

A call is (face, constructor, arguments, keywords): "ops.add", "Tensor.add" and "nn.Dense" are called themselves;
"nn.Dense()" is the call of an object that `constructor`, (arguments, keywords), makes. A value is itself
where Python has it, and a tuple that begins with what it is where it is not.
"""

import enum
import importlib

import numpy as np

PLAIN = (bool, int, float, complex, str, type(None))


class NotDataError(Exception):
    """A value that cannot be written as data."""


def encode(value, made):
    """Return a value as data.

    Args:
        value: any.
        made: returns the data of an object that a face has made, or None.
    """
    if type(value) in PLAIN:
        return value
    if (found := made(value)) is not None and found[1] != "Tensor":  # a Tensor is its numbers
        return found
    if isinstance(value, tuple | list):
        return ("list" if isinstance(value, list) else "tuple", tuple(encode(each, made) for each in value))
    if isinstance(value, dict):
        return ("dict", tuple((encode(key, made), encode(each, made)) for key, each in value.items()))
    if isinstance(value, slice):
        return ("slice", *(encode(each, made) for each in (value.start, value.stop, value.step)))
    if value is Ellipsis:
        return ("ellipsis",)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcSU":
        return ("array", value.dtype.str, value.shape, np.ascontiguousarray(value).tobytes())
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return ("number", value.dtype.str, value.item())
    if isinstance(value, enum.Enum):
        return ("enum", _public_module(type(value)), type(value).__name__, value.name)
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return ("numpy dtype", np.dtype(value).name)
    if isinstance(value, type) and value in (bool, int, float, list, tuple, str):
        return ("type", value.__name__)
    return _encode_own(value)


def _encode_own(value):
    import mindspore as ms

    if isinstance(value, ms.Tensor):
        if value.size > 4096:
            raise NotDataError("large")
        array = (value if value.dtype != ms.bfloat16 else value.astype(ms.float32)).asnumpy()
        if array.dtype.kind not in "biufc":
            raise NotDataError("text")
        is_parameter = isinstance(value, ms.Parameter)
        data = np.ascontiguousarray(array).tobytes()
        return ("tensor", str(value.dtype), tuple(array.shape), data, array.dtype.str, is_parameter)
    text = repr(value)
    if text.startswith("mindspore.") and hasattr(ms, text.removeprefix("mindspore.")):
        return ("dtype", text.removeprefix("mindspore."))
    raise NotDataError(type(value).__name__)


def _public_module(kind):
    for path in ("dataset.vision", "dataset.text", "dataset.audio", "dataset", "dataset.transforms"):
        module = importlib.import_module(f"mindspore.{path}")
        if getattr(module, kind.__name__, None) is kind:
            return path
    raise NotDataError(kind.__name__)


def build(data):
    """Return the value that data stands for, in the MindSpore of this process."""
    if type(data) in PLAIN:
        return data
    return BUILDERS[data[0]](*data[1:])


def _tensor(dtype, shape, raw, numpy_dtype, is_parameter):
    import mindspore as ms

    array = np.frombuffer(raw, numpy_dtype).reshape(shape)
    kind = getattr(ms, "bool_" if dtype == "Bool" else dtype.lower())
    tensor = ms.Tensor(array.copy())
    if tensor.dtype != kind:
        tensor = ms.Tensor(array.astype(np.float32), kind) if dtype == "BFloat16" else tensor.astype(kind)
    return ms.Parameter(tensor, name="p") if is_parameter else tensor


def _dtype(name):
    import mindspore as ms

    return getattr(ms, name)


def _enum(module, kind, name):
    return getattr(getattr(importlib.import_module(f"mindspore.{module}"), kind), name)


def _object(face, args, kwargs):
    return target(face)(*map(build, args), **{key: build(value) for key, value in kwargs})


def _method(owner, name, args, kwargs):
    return getattr(build(owner), name)(*map(build, args), **{key: build(value) for key, value in kwargs})


BUILDERS = {
    "list": lambda items: [build(each) for each in items],
    "tuple": lambda items: tuple(build(each) for each in items),
    "dict": lambda items: {build(key): build(value) for key, value in items},
    "slice": lambda *parts: slice(*map(build, parts)),
    "ellipsis": lambda: Ellipsis,
    "array": lambda dtype, shape, raw: np.frombuffer(raw, dtype).reshape(shape).copy(),
    "number": lambda dtype, value: np.dtype(dtype).type(value),
    "enum": _enum,
    "numpy dtype": np.dtype,
    "type": lambda name: {"bool": bool, "int": int, "float": float, "list": list, "tuple": tuple, "str": str}[name],
    "tensor": _tensor,
    "dtype": _dtype,
    "object": _object,
    "method": _method,
}


def target(face):
    """Return what a face's name means in the MindSpore of this process."""
    path, _, name = face.rpartition(".")
    return getattr(importlib.import_module(f"mindspore.{path}" if path else "mindspore"), name)


def run(spec):
    """Make the call of a specification, and return what it returns, computed."""
    face, constructor, args, kwargs = spec
    given = [build(value) for value in args]
    named = {key: build(value) for key, value in kwargs}
    if face.endswith("()"):
        function = _object(face[:-2], *constructor)
    elif face.startswith("Tensor.") or ".Dataset." in face:
        function = getattr(type(given[0]), face.rpartition(".")[2])
    else:
        function = target(face)
    result = function(*given, **named)
    _wait(result)
    return result


def _wait(result):
    """Have the values computed, where errors of kernels are raised."""
    if isinstance(result, tuple | list):
        for each in result:
            _wait(each)
    elif hasattr(result, "asnumpy") and hasattr(result, "dtype"):
        str(result.dtype) == "BFloat16" or result.asnumpy()
        if str(result.dtype) == "BFloat16":
            result.float().asnumpy()
    elif hasattr(result, "create_dict_iterator"):
        for _ in zip(range(3), result.create_dict_iterator(num_epochs=1, output_numpy=True), strict=False):
            pass
