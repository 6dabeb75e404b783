"""The checks of `mindspore._checkparam` on classes, types and names; with the classes of errors of MindSpore 2.10."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import finite, instance
from msbridge.core.context.context import device_target
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import TensorType, Type
from msbridge.core.types.type_metaclass import issubclass_

NAME = r"^\w+[0-9a-zA-Z\_\.]*$"
NAME_OR_NOTHING = r"^\w*[0-9a-zA-Z\_\.\-]*$"
FILE = r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$"


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Require a finite number of a class.

    Raises:
        TypeError: another class.
        ValueError: it is NaN or infinite.
    """
    name = arg_name or "input value"
    return finite(instance(arg_value, name, prim_name, arg_type), name, prim_name)


def check_valid_input(arg_name: str, arg_value: Any, prim_name: str | None) -> Any:
    """Require anything but None.

    Raises:
        ValueError: it is None.
    """
    if arg_value is None:
        raise ValueError(f"{_owner(prim_name)}{arg_name} must not be None.")
    return arg_value


def check_pad_value_by_mode(pad_mode: str, padding: int, prim_name: str | None) -> int:
    """Require no padding, unless the mode is "pad".

    Raises:
        ValueError: there is padding.
    """
    if pad_mode != "pad" and padding != 0:
        raise ValueError(f"{_owner(prim_name)}padding must be 0 with pad_mode {pad_mode!r}, got {padding}.")
    return padding


def check_input_format(input_param: str) -> str:
    """Require "NCHW".

    Raises:
        ValueError: another format.
    """
    if input_param != "NCHW":
        raise ValueError(f"The data format must be NCHW, got {input_param}.")
    return input_param


def check_str_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """Require a text that fits an expression; without one, a name.

    Raises:
        ValueError: it does not fit.
    """
    if re.match(reg or NAME, target, flag) is None:
        raise ValueError(f"{_owner(prim_name)}{target!r} does not fit {reg or NAME}.")
    return True


def check_str_and_none_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """Require a text that fits an expression; without one, a name or nothing. Raises as `check_str_by_regular`."""
    return check_str_by_regular(target, reg or NAME_OR_NOTHING, flag, prim_name)


def check_file_name_by_regular(target: Any, reg: str | None = None, prim_name: str | None = None) -> bool:
    """Require the name of a file.

    Raises:
        TypeError: it is not a str.
        ValueError: it ends as a folder's, or does not fit the expression.
    """
    if instance(target, "file name", prim_name, str).endswith(("\\", "/")):
        raise ValueError(f"{_owner(prim_name)}{target!r} is the name of a folder.")
    return check_str_by_regular(target, reg or FILE, 0, prim_name)


def check_element_type_of_iterable(
    arg_name: str, arg_value: Any, valid_types: Sequence[type], prim_name: str | None = None
) -> None:
    """Require a list or tuple whose elements are of some classes.

    Raises:
        TypeError: it is neither, or an element is of another class.
    """
    _check_elements(arg_name, instance(arg_value, arg_name, prim_name, (list, tuple)), valid_types, prim_name)


def _check_elements(arg_name: str, values: Iterable[Any], kinds: Sequence[type], prim_name: str | None) -> None:
    for value in values:
        instance(value, f"element of {arg_name}", prim_name, (*kinds, bool) if int in kinds else tuple(kinds))


def check_element_type_of_dict(
    arg_name: str, arg_value: Any, key_types: Sequence[type], value_types: Sequence[type], prim_name: str | None = None
) -> None:
    """Require a dict whose keys and values are of some classes.

    Raises:
        TypeError: it is not one, or a key or value is of another class.
    """
    _check_elements(arg_name, instance(arg_value, arg_name, prim_name, dict), key_types, prim_name)
    _check_elements(arg_name, arg_value.values(), value_types, prim_name)


def check_size_and_element_type_of_tuple(
    arg_name: str, arg_value: Any, expect_size: int, expect_element_type: type, prim_name: str | None = None
) -> None:
    """Require a tuple of a length, with elements of a class.

    Raises:
        TypeError: it is not a tuple, or an element is of another class.
        ValueError: another length.
    """
    if len(instance(arg_value, arg_name, prim_name, tuple)) != expect_size:
        raise ValueError(f"{_owner(prim_name)}{arg_name} must have {expect_size} elements, got {len(arg_value)}.")
    _check_elements(arg_name, arg_value, [expect_element_type], prim_name)


def check_types_same_and_valid(args: Mapping[str, Any], valid_values: Any, prim_name: str | None) -> None:
    """Require types that are equal, and one of those given.

    Raises:
        TypeError: one is not among them, or they differ.
    """
    valid = tuple(valid_values) if isinstance(valid_values, Iterable) else (valid_values,)
    first = next(iter(args))
    for name, kind in args.items():
        if not any(kind == one or issubclass_(kind, one) for one in valid):
            raise TypeError(f"{_owner(prim_name)}{name} must be one of {list(map(str, valid))}, got {kind}.")
        if kind != args[first]:
            raise TypeError(f"{_owner(prim_name)}{first} is of {args[first]}, but {name} of {kind}.")


def check_tensors_dtypes_same_and_valid(args: Mapping[str, Any], valid_dtypes: Any, prim_name: str | None) -> None:
    """Require the types of tensors with equal elements, of types that are given.

    Raises:
        TypeError: one is not among them, or they differ.
    """
    check_types_same_and_valid(args, _tensor_types(valid_dtypes), prim_name)


def check_tensor_dtype_valid(arg_name: str, arg_type: Any, valid_dtypes: Any, prim_name: str | None) -> None:
    """Require the type of a tensor with elements of a type that is given. Raises as `check_types_same_and_valid`."""
    check_types_same_and_valid({arg_name: arg_type}, _tensor_types(valid_dtypes), prim_name)


def _tensor_types(dtypes: Any) -> list[Type]:
    tensor_type: Any = TensorType  # its metaclass takes the type of the elements
    return [tensor_type(dtype) for dtype in (dtypes if isinstance(dtypes, Iterable) else [dtypes])]


def check_scalar_or_tensor_types_same(
    args: Mapping[str, Any], valid_values: Any, prim_name: str | None, allow_mix: bool = False
) -> None:
    """Require types whose numbers, or elements, are equal; with `allow_mix` those of numbers and tensors together.

    Raises:
        TypeError: one is not among those given, or they differ.
    """
    plain = {name: found.element_type() if isinstance(found, TensorType) else found for name, found in args.items()}
    check_types_same_and_valid(plain, valid_values, prim_name)
    if not allow_mix and len({isinstance(found, TensorType) for found in args.values()}) > 1:
        raise TypeError(f"{_owner(prim_name)}{list(args)} are numbers and tensors: {list(map(str, args.values()))}.")


def check_type_support(dtype: Any, device: str, supported_dtypes: Sequence[Any]) -> bool:
    """Whether a type is one of those that a device has; True for every type where the context has another device."""
    return dtype in supported_dtypes or device_target() != device


def check_astype_dtype(dtype: Any) -> Type:
    """Return the type of a name, a class or a type of numbers.

    Raises:
        TypeError: it names none.
    """
    if isinstance(dtype, str):
        try:
            return mstype.pytype_to_dtype(np.dtype(dtype.lower()))  # type: ignore[arg-type]
        except TypeError as error:
            raise TypeError(f"For 'Tensor.astype': there is no type {dtype!r}.") from error
    if isinstance(dtype, type):
        return mstype.pytype_to_dtype(dtype)
    if dtype not in mstype.all_types:
        raise TypeError(f"For 'Tensor.astype': a type of numbers or bool is needed, got {dtype!r}.")
    found: Type = dtype
    return found


def check_hook_fn(hook_fn: Any) -> None:
    """Require something that can be called.

    Raises:
        TypeError: it cannot.
    """
    if not callable(hook_fn):
        raise TypeError(f"A hook must be a function, but got {type(hook_fn).__name__}.")


def check_input_data(*data: Any, data_class: Any) -> None:
    """Require values of some classes, which may be in lists, tuples and dicts; None among the classes is None.

    Raises:
        TypeError: one is of another class.
        ValueError: one is empty.
    """
    kinds = tuple(data_class) if isinstance(data_class, list | tuple) else (data_class,)
    for item in data:
        if isinstance(item, list | tuple | dict):
            check_input_data(*(item.values() if isinstance(item, dict) else item), data_class=data_class)
        elif not any(item is None if kind is None else isinstance(item, kind) for kind in kinds):
            raise TypeError(
                f"An input must be of {kinds}, or a list, tuple or dict of them, got {type(item).__name__}."
            )
        elif getattr(item, "size", None) == 0:
            raise ValueError("An input must not be empty.")


def check_input_dataset(*dataset: Any, dataset_type: Any) -> bool:
    """Whether there are values, all of a class."""
    return bool(dataset) and all(isinstance(one, dataset_type) for one in dataset)


def check_output_data(data: Any) -> None:
    """Require an output.

    Raises:
        RuntimeError: it is None.
    """
    if data is None:
        raise RuntimeError("The network returned None; look at its construct.")


def is_stub_tensor(tensor: Any) -> bool:
    """Whether a Tensor is still being computed elsewhere: none is."""
    return hasattr(tensor, "stub")


def _owner(prim_name: str | None) -> str:
    return f"For '{prim_name}', " if prim_name else ""
