"""Tuples, numbers and dicts of Python: recorded from MindSpore 2.10 (CPU)."""

from collections.abc import Callable

import pytest

import msbridge as ms
from msbridge import ops

QUESTIONS = [
    (lambda: ops.make_tuple(1, 2), (1, 2)),
    (lambda: ops.make_range(1, 5, 2), (1, 3)),
    (lambda: ops.tuple_getitem((1, 2), 0), 1),
    (lambda: ops.tuple_len((1, 2)), 2),
    (lambda: ops.scalar_cast(3.7, ms.int64), 3),
    (lambda: ops.scalar_lt(1, 2), True),
    (lambda: ops.in_dict("a", {"a": 1}), True),
    (lambda: ops.reduced_shape((2, 3), (0,)), (1, 3)),
    (lambda: ops.partial(lambda a, b: a - b, 5)(3), 2),
]


@pytest.mark.parametrize(("call", "answer"), QUESTIONS)
def test_answer(call: Callable[[], object], answer: object) -> None:
    assert call() == answer
