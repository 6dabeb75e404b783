"""The argument checks of `mindspore.dataset.core.validator_helpers`, private, and imported by public scripts.

A check of a value takes the value and the name of its argument, and returns None or raises what MindSpore 2.10 raises:
TypeError for another type (a bool is not an int here), ValueError for a value out of its interval.
"""

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from multiprocessing import cpu_count
from pathlib import Path
from typing import Any, TypeVar, cast

from msbridge.core.checks.arguments import INT32_MAX, PIPELINES, require_type, within
from msbridge.dataset.engine.sampling.sampler_arguments import check_whole_shard

UINT8_MIN, UINT8_MAX = 0, 2**8 - 1
UINT32_MIN, UINT32_MAX = 0, 2**32 - 1
UINT64_MIN, UINT64_MAX = 0, 2**64 - 1
INT32_MIN = -(2**31)
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
#: up to here a float of 32 or 64 bits holds every integer
FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER = -(2**24), 2**24
DOUBLE_MIN_INTEGER, DOUBLE_MAX_INTEGER = -(2**53), 2**53
POS_INT_MIN = 1

valid_detype = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "string"),
]

Function = TypeVar("Function", bound=Callable[..., Any])
Check = Callable[..., None]
Kinds = Iterable[type]


def type_check(arg: Any, types: Kinds, arg_name: str) -> None:
    """Require an instance of one of `types`; a bool passes only where bool is among them."""
    require_type(arg, arg_name, tuple(types))


def type_check_list(args: Any, types: Kinds, arg_names: str | Sequence[str]) -> None:
    """Require instances of `types` in a list or a tuple, whose elements have names of their own or a common one."""
    require_type(args, str(arg_names), (list, tuple))
    if isinstance(arg_names, str):
        arg_names = [f"{arg_names}[{index}]" for index in range(len(args))]
    if len(args) != len(arg_names):
        raise ValueError(f"List of arguments is not the same length as argument_names: {len(args)}, {len(arg_names)}.")
    for arg, name in zip(args, arg_names, strict=True):
        type_check(arg, types, name)


def check_value(
    value: Any,
    valid_range: Sequence[float],
    arg_name: str = "",
    left_open_interval: bool = False,
    right_open_interval: bool = False,
) -> None:
    """Require a value between the two bounds, which are in the interval unless it is open there."""
    within(
        value,
        arg_name,
        valid_range[0],
        valid_range[1],
        ("(" if left_open_interval else "[") + (")" if right_open_interval else "]"),
    )


def check_value_cutoff(value: Any, valid_range: Sequence[float], arg_name: str = "") -> None:
    """Require a value from the lower bound up to below the upper one."""
    within(value, arg_name, valid_range[0], valid_range[1], "[)")


def check_value_ratio(value: Any, valid_range: Sequence[float], arg_name: str = "") -> None:
    """Require a value from above the lower bound up to the upper one."""
    within(value, arg_name, valid_range[0], valid_range[1], "(]")


check_value_normalize_std = check_value_ratio


def check_range(values: Sequence[float], valid_range: Sequence[float], arg_name: str = "") -> None:
    """Require two values in ascending order, both between the bounds."""
    low, high = valid_range
    if not low <= values[0] <= values[1] <= high:
        raise ValueError(f"Input {arg_name} is not within the required interval of [{low}, {high}], got {values}.")


def _make_range_check(kinds: Kinds, low: float, high: float, ends: str = "[]") -> Check:
    def check(value: Any, arg_name: str = "") -> None:
        within(require_type(value, arg_name, tuple(kinds)), arg_name, low, high, ends)

    check.__doc__ = f"Require one of {', '.join(kind.__name__ for kind in kinds)} in {ends[0]}{low}, {high}{ends[1]}."
    return check


def _not_zero(check: Check) -> Check:
    def check_not_zero(value: Any, arg_name: str = "") -> None:
        check(value, arg_name)
        if value == 0:
            raise ValueError(f"Input {arg_name} is not within the required interval: it must not be 0.")

    check_not_zero.__doc__ = f"{check.__doc__} Zero is refused."
    return check_not_zero


check_uint8 = _make_range_check([int], UINT8_MIN, UINT8_MAX)
check_uint32 = _make_range_check([int], UINT32_MIN, UINT32_MAX)
check_pos_uint32 = _make_range_check([int], POS_INT_MIN, UINT32_MAX)
check_uint64 = _make_range_check([int], UINT64_MIN, UINT64_MAX)
check_int32 = _make_range_check([int], INT32_MIN, INT32_MAX)
check_int32_not_zero = _not_zero(check_int32)
check_pos_int32 = _make_range_check([int], POS_INT_MIN, INT32_MAX)
check_non_negative_int32 = _make_range_check([int], 0, INT32_MAX)
check_pos_int64 = _make_range_check([int], POS_INT_MIN, INT64_MAX)
check_float32 = _make_range_check([float, int], FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER)
check_float32_not_zero = _not_zero(check_float32)
check_pos_float32 = _make_range_check([float, int], 0, FLOAT_MAX_INTEGER, "(]")
check_non_negative_float32 = _make_range_check([float, int], 0, FLOAT_MAX_INTEGER)
check_float64 = _make_range_check([float, int], DOUBLE_MIN_INTEGER, DOUBLE_MAX_INTEGER)
check_pos_float64 = _make_range_check([float, int], 0, DOUBLE_MAX_INTEGER, "(]")
check_non_negative_float64 = _make_range_check([float, int], 0, DOUBLE_MAX_INTEGER)


def check_num_samples(value: Any) -> None:
    """Require an int from 0 on for `num_samples`."""
    type_check(value, (int,), "num_samples")
    within(value, "num_samples", 0, INT64_MAX)


def check_num_parallel_workers(value: Any) -> None:
    """Require an int from 1 up to the number of cores for `num_parallel_workers`."""
    type_check(value, (int,), "num_parallel_workers")
    within(value, "num_parallel_workers", POS_INT_MIN, cpu_count())


def check_positive(value: Any, arg_name: str = "") -> None:
    """Require a number above 0."""
    PIPELINES.above(value, arg_name)


def check_odd(value: Any, arg_name: str = "") -> None:
    """Require an odd number."""
    if value % 2 != 1:
        raise ValueError(f"Input {arg_name} must be an odd value, got {value!r}.")


def check_2tuple(value: Any, arg_name: str = "") -> None:
    """Require a tuple of two."""
    if not (isinstance(value, tuple) and len(value) == 2):
        raise ValueError(f"Value {arg_name} needs to be a 2-tuple, got {value!r}.")


def check_valid_str(value: Any, valid_strings: Collection[str], arg_name: str = "") -> None:
    """Require one of the strings."""
    type_check(value, (str,), arg_name)
    if value not in valid_strings:
        raise ValueError(f"Input {arg_name} is not within the valid set of {list(valid_strings)}, got {value!r}.")


def check_valid_list_tuple(value: Any, valid_list_tuple: Collection[Any], data_type: Kinds, arg_name: str = "") -> None:
    """Require one of the lists or tuples, whose elements are of `data_type`."""
    type_check_list(value, data_type, arg_name)
    if value not in valid_list_tuple:
        raise ValueError(f"Input {arg_name}{value} is not within the valid set of {list(valid_list_tuple)}.")


def check_list_same_size(
    list1: Sequence[Any], list2: Sequence[Any], list1_name: str = "", list2_name: str = ""
) -> None:
    """Require two lists of one length."""
    if len(list1) != len(list2):
        raise ValueError(f"The size of {list1_name}, {len(list1)}, should be that of {list2_name}, {len(list2)}.")


def check_valid_detype(type_: str) -> bool:
    """Require the name of a dtype that columns may have."""
    if type_ not in valid_detype:
        raise TypeError(f"Unknown column type: {type_!r}; the types are {', '.join(valid_detype)}.")
    return True


def check_columns(columns: Any, name: str) -> None:
    """Require the name of a column, or a list of different ones."""
    type_check(columns, (list, str), name)
    if not columns:
        raise ValueError(f"{name} should not be empty.")
    if isinstance(columns, str):
        return
    for index, column in enumerate(columns):
        type_check(column, (str,), f"{name}[{index}]")
        if not column:
            raise ValueError(f"{name}[{index}] should not be empty.")
    if len(set(columns)) != len(columns):
        raise ValueError(f"Every column name of {name} should be another one, got {columns}.")


def check_dict(data: Any, key_type: Any, value_type: Any, param_name: str) -> None:
    """Require a dict with keys and values of these types."""
    if not isinstance(data, dict):
        raise TypeError(f"{param_name} should be dict type, but got: {type(data)}")
    for key, value in data.items():
        if not isinstance(key, key_type):
            raise TypeError(f"key '{key}' in parameter {param_name} should be {key_type} type, but got: {type(key)}")
        if not isinstance(value, value_type):
            raise TypeError(f"value of '{key}' in {param_name} should be {value_type} type, but got: {type(value)}")


def check_dir(dataset_dir: Any) -> None:
    """Require the path of a folder that may be read."""
    type_check(dataset_dir, (str,), "dataset_dir")
    if not Path(dataset_dir).is_dir() or not os.access(dataset_dir, os.R_OK):
        raise ValueError(f"The folder {dataset_dir} does not exist or is not a directory or permission denied!")


def check_file(dataset_file: Any) -> None:
    """Require the path of a file that may be read."""
    check_filename(dataset_file)
    if not Path(dataset_file).is_file() or not os.access(dataset_file, os.R_OK):
        raise ValueError(f"The file {dataset_file} does not exist or permission denied!")


def check_filename(path: Any) -> bool:
    """Require a path whose last part has no characters that a shell or a file system takes otherwise."""
    if not isinstance(path, str):
        raise TypeError(f"path: {path} is not string")
    found = sorted(set(Path(path).name) & set("\\/:*?\"<>|`&;'"))
    if found or Path(path).name.startswith(" ") or Path(path).name.endswith(" "):
        raise ValueError(f"A file's name should not contain {' '.join(found) or 'blanks at its ends'}, got {path!r}.")
    return True


def check_dataset_num_shards_shard_id(num_shards: Any, shard_id: Any) -> None:
    """Require both or neither, and a shard among the shards."""
    if (num_shards is None) != (shard_id is None):
        raise ValueError("num_shards and shard_id need to be passed in together.")
    if num_shards is not None:
        check_pos_int32(num_shards, "num_shards")
        check_non_negative_int32(shard_id, "shard_id")
        if shard_id >= num_shards:
            raise ValueError(f"shard_id should be less than num_shards, got {shard_id} and {num_shards}.")


def check_sampler_shuffle_shard_options(param_dict: Mapping[str, Any]) -> None:
    """Require arguments of a data set of which none excludes another: sampler, shuffle, num_shards and shard_id."""
    options = (param_dict.get(name) for name in ("shuffle", "sampler", "num_shards", "shard_id"))
    shuffle, sampler, num_shards, shard_id = options
    if sampler is not None:
        if shuffle is not None:
            raise RuntimeError("sampler and shuffle cannot be specified at the same time.")
        if num_shards is not None:
            raise RuntimeError("sampler and sharding cannot be specified at the same time.")
    if num_shards is not None:
        check_pos_int32(num_shards, "num_shards")
    check_whole_shard(num_shards, shard_id)
    if num_shards is not None:
        within(shard_id, "shard_id", 0, num_shards - 1)


def validate_dataset_param_value(param_list: Iterable[str], param_dict: Mapping[str, Any], param_type: type) -> None:
    """Require that arguments, where they are given, are of a type."""
    for name in param_list:
        if param_dict.get(name) is not None:
            type_check(param_dict[name], (param_type,), name)


def check_tensor_op(param: Any, param_name: str) -> None:
    """Require a transform or another callable."""
    if not callable(param):
        raise TypeError(f"{param_name} is neither a transforms op (TensorOperation) nor a callable pyfunc.")


def replace_none(value: Any, default: Any) -> Any:
    """Return `value`, or `default` in place of None."""
    return default if value is None else value


def is_iterable(obj: Any) -> bool:
    """Return whether `obj` can be iterated over."""
    return isinstance(obj, Iterable)


def pad_arg_name(arg_name: str) -> str:
    """Return a name with a blank behind it, if there is one."""
    return f"{arg_name} " if arg_name else arg_name


def parse_user_args(method: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call with its defaults: the values of all but the first, and all by their names.

    For methods the first is `self`, which is the instance that decorators get.
    """
    signature = inspect.signature(method)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values = dict(bound.arguments)
    values.pop("self", None)
    return list(values.values()), dict(bound.arguments)


def check_random_transform_ops(method: Function) -> Function:
    """Decorate a method whose first argument is a list of transforms, and whose `prob`, if there is one, is in [0, 1].

    The method raises a TypeError if it is not a list of transforms or other callables, and a ValueError if it is empty.

    Follows: mindspore.dataset.transforms.validators.check_random_transform_ops (2.10).
    """

    @wraps(method)
    def check_and_call(self: Any, *args: Any, **kwargs: Any) -> Any:
        values, by_name = parse_user_args(method, self, *args, **kwargs)
        type_check(values[0], (list,), "transforms list")
        if not values[0]:
            raise ValueError("transforms list can not be empty.")
        for index, transform in enumerate(values[0]):
            check_tensor_op(transform, f"transforms[{index}]")
        if "prob" in by_name:
            type_check(by_name["prob"], (float, int), "prob")
            check_value(by_name["prob"], (0.0, 1.0), "prob")
        return method(self, *args, **kwargs)

    return cast(Function, check_and_call)
