"""The checks of mindspore.dataset.core.validator_helpers; classes of errors and accepted values are those of 2.10."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from msbridge.contrib.private import data_checks as v
from msbridge.contrib.private.data_checks import check_random_transform_ops
from msbridge.dataset import vision

GOOD: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (v.check_uint8, (255,)), (v.check_int32, (v.INT32_MAX,)), (v.check_int32_not_zero, (-1,)),
    (v.check_pos_int64, (2**31,)), (v.check_float32, (2.0**24,)), (v.check_float64, (2**53,)),
    (v.check_pos_float32, (0.5,)), (v.check_non_negative_float32, (0,)), (v.check_uint64, (v.UINT64_MAX,)),
    (v.check_value, (5, [1, 5], "x")), (v.check_value_cutoff, (0, [0, 1])), (v.check_value_ratio, (1, [0, 1])),
    (v.check_range, ((1, 1), [0, 5])), (v.type_check, (True, (int, bool), "x")), (v.check_2tuple, ((1, 2),)),
    (v.type_check_list, ([1, 2], (int,), "x")), (v.check_valid_str, ("a", ["a", "b"])), (v.check_odd, (3,)),
    (v.check_columns, (["a", "b"], "c")), (v.check_dict, ({"a": 1}, str, int, "d")), (v.check_num_samples, (0,)),
    (v.check_dataset_num_shards_shard_id, (2, 1)), (v.check_dataset_num_shards_shard_id, (None, None)),
    (v.check_sampler_shuffle_shard_options, ({"shuffle": True, "sampler": None},)), (v.check_filename, ("a/b c",)),
    (v.validate_dataset_param_value, (["a", "b"], {"a": 1}, int)), (v.check_num_parallel_workers, (1,)),
    (v.check_valid_list_tuple, ([1], [[1], [2]], (int,))), (v.check_list_same_size, ([1], [2])),
]  # fmt: skip

BAD: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str]] = [
    (v.check_uint8, (256, "n"), ValueError, r"Input n is not within the required interval of \[0, 255\]"),
    (v.check_uint8, (True, "n"), TypeError, "Argument n with value True is not of type"),
    (v.check_int32, (1.0,), TypeError, "not of type"),
    (v.check_int32, (np.int32(3),), TypeError, "not of type"),
    (v.check_int32_not_zero, (0, "n"), ValueError, "Input n is not within"),
    (v.check_float32, (2.0**24 + 2,), ValueError, "interval"),
    (v.check_float32, (None,), TypeError, "not of type"),
    (v.check_pos_float32, (0.0,), ValueError, "interval"),
    (v.check_num_samples, (-1,), ValueError, "num_samples"),
    (v.check_value, (1, [1, 5], "x", True), ValueError, r"\(1, 5\]"),
    (v.check_value_cutoff, (1, [0, 1], "x"), ValueError, r"\[0, 1\)"),
    (v.check_value_normalize_std, (0, [0, 1], "x"), ValueError, r"\(0, 1\]"),
    (v.check_range, ((1, 0), [0, 5], "r"), ValueError, "Input r"),
    (v.type_check, (True, (int,), "x"), TypeError, "Argument x with value True"),
    (v.type_check_list, ([1, "a"], (int,), "x"), TypeError, r"Argument x\[1\] with value 'a'"),
    (v.type_check_list, ([1, "a"], (int,), ["p", "q"]), TypeError, "Argument q"),
    (v.type_check_list, ((1, 2), (int,), ["p"]), ValueError, "not the same length"),
    (v.check_valid_str, ("c", ["a", "b"], "x"), ValueError, "valid set"),
    (v.check_valid_list_tuple, ([3], [[1], [2]], (int,), "x"), ValueError, "valid set"),
    (v.check_columns, (["a", "a"], "c"), ValueError, "another one"),
    (v.check_columns, ([], "c"), ValueError, "c should not be empty"),
    (v.check_columns, (["a", 3], "c"), TypeError, r"Argument c\[1\]"),
    (v.check_dict, ({"a": "b"}, str, int, "d"), TypeError, "value of 'a' in d"),
    (v.check_dict, ([1], str, int, "d"), TypeError, "d should be dict type"),
    (v.check_list_same_size, ([1], [2, 3], "a", "b"), ValueError, "size of a"),
    (v.check_dataset_num_shards_shard_id, (2, 2), ValueError, "less than num_shards"),
    (v.check_dataset_num_shards_shard_id, (2, None), ValueError, "together"),
    (v.check_sampler_shuffle_shard_options, ({"shuffle": True, "sampler": 3},), RuntimeError, "same time"),
    (v.check_sampler_shuffle_shard_options, ({"num_shards": 2},), RuntimeError, "requires shard_id"),
    (v.check_sampler_shuffle_shard_options, ({"shard_id": 2},), RuntimeError, "num_shards is not"),
    (v.check_sampler_shuffle_shard_options, ({"num_shards": 2, "shard_id": 5},), ValueError, "shard_id"),
    (v.validate_dataset_param_value, (["a"], {"a": "x"}, int), TypeError, "Argument a"),
    (v.check_tensor_op, (3, "t"), TypeError, "t is neither"),
    (v.check_valid_detype, ("int7",), TypeError, "int7"),
    (v.check_2tuple, ([1, 2], "p"), ValueError, "Value p needs to be a 2-tuple"),
    (v.check_odd, (2, "n"), ValueError, "odd"),
    (v.check_positive, (0, "n"), ValueError, "greater than 0"),
    (v.check_dir, ("/nowhere",), ValueError, "/nowhere does not exist"),
    (v.check_dir, (3,), TypeError, "dataset_dir"),
    (v.check_file, (os.sep,), ValueError, "does not exist"),
    (v.check_file, (3,), TypeError, "path: 3 is not string"),
    (v.check_filename, ("a*b",), ValueError, r"\*"),
]


@pytest.mark.parametrize(("check", "arguments"), GOOD)
def test_a_good_value_passes(check: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    assert check(*arguments) in (None, True)


@pytest.mark.parametrize(("check", "arguments", "error", "says"), BAD)
def test_a_bad_value_is_refused(
    check: Callable[..., Any], arguments: tuple[Any, ...], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        check(*arguments)


def test_arguments_come_with_their_defaults() -> None:
    class Method:
        def call(self, a: int, b: int = 3, *args: int, c: int = 4, **kwargs: int) -> None: ...

    method = Method()
    values, names = v.parse_user_args(Method.call, method, 1, 2, 9, z=3)
    assert values == [1, 2, (9,), 4, {"z": 3}]
    assert names == {"self": method, "a": 1, "b": 2, "args": (9,), "c": 4, "kwargs": {"z": 3}}


class Grouped:
    @check_random_transform_ops
    def __init__(self, transforms: list[Any], prob: float = 0.5) -> None:
        self.transforms = transforms


def test_a_list_of_transforms_is_required() -> None:
    assert len(Grouped([vision.Decode(), abs]).transforms) == 2
    for bad, error in (([], ValueError), (3, TypeError), ([3], TypeError), ((abs,), TypeError)):
        with pytest.raises(error, match="transforms"):
            Grouped(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="prob"):
        Grouped([abs], prob=1.5)
