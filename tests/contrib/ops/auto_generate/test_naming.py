"""The primitives of mint: each is a face of the function of that name."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, mint, ops
from msbridge.contrib.ops import auto_generate as primitives
from msbridge.contrib.ops.auto_generate import naming

X = Tensor([[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]])
ROWS = [
    (primitives.AddExt(), (X, X, 2), lambda: mint.add(X, X, alpha=2)),
    (primitives.SubExt(), (X, X, 2), lambda: mint.sub(X, X, alpha=2)),
    (primitives.SumExt(), (X, 1, True), lambda: mint.sum(X, 1, True)),
    (primitives.MeanExt(), (X, 0, False, ms.float16), lambda: mint.mean(X, 0, dtype=ms.float16)),
    (primitives.MatMulExt(), (X, X.T), lambda: mint.matmul(X, X.T)),
    (primitives.BatchMatMulExt(), (X[None], X.T[None]), lambda: mint.bmm(X[None], X.T[None])),
    (primitives.StackExt(dim=1), ((X, X),), lambda: mint.stack((X, X), 1)),
    (primitives.TopkExt(), (X, 2, 1, False), lambda: mint.topk(X, 2, 1, False)),
    (primitives.SortExt(), (X, 0, True), lambda: mint.sort(X, dim=0, descending=True)),
    (primitives.CumsumExt(), (X, 1), lambda: mint.cumsum(X, 1)),
    (primitives.ZerosLikeExt(), (X, ms.int32), lambda: mint.zeros_like(X, dtype=ms.int32)),
    (primitives.IndexSelect(), (X, 1, Tensor([2, 0])), lambda: mint.index_select(X, 1, Tensor([2, 0]))),
    (primitives.SplitWithSize(), (X, (1, 2), 1), lambda: mint.split(X, [1, 2], 1)),
    (primitives.FmodScalar(), (X, 2), lambda: mint.fmod(X, 2)),
    (primitives.Outer(), (X[0], X[1]), lambda: mint.outer(X[0], X[1])),
    (primitives.SiLU(), (X,), lambda: mint.nn.functional.silu(X)),
    (primitives.Scatter(), (X, 1, Tensor([[0], [2]]), X), lambda: mint.scatter(X, 1, Tensor([[0], [2]]), X)),
    (
        primitives.Scatter(),
        (X, 1, Tensor([[0], [2]]), X, "add"),
        lambda: mint.scatter_add(X, 1, Tensor([[0], [2]]), X),
    ),
]


@pytest.mark.parametrize(("primitive", "given", "wanted"), ROWS, ids=lambda value: getattr(value, "name", ""))
def test_a_primitive_is_its_function(primitive: Callable, given: tuple, wanted: Callable[[], Any]) -> None:
    found, expected = primitive(*given), wanted()
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for ours, theirs in pairs:
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


def test_what_has_an_attribute_takes_it_first() -> None:
    marks = primitives.OneHotExt(axis=-1)(Tensor([1, 0]), 3, Tensor(5.0), Tensor(0.0))
    assert marks.asnumpy().tolist() == [[0.0, 5.0, 0.0], [5.0, 0.0, 0.0]]
    halves = Tensor([[1.0, 2.0]])
    assert np.allclose(primitives.Swiglu()(halves, 1), mint.nn.functional.silu(halves[:, :1]) * 2)


def test_an_unknown_reduction_is_refused() -> None:
    with pytest.raises(ValueError, match=r"reduce. must be one of"):
        primitives.Scatter()(X, 1, Tensor([[0], [2]]), X, "mean")


@pytest.mark.parametrize("name", sorted(naming.rows()))
def test_a_row_names_what_its_function_takes(name: str) -> None:
    kind, row = getattr(primitives, name), naming.rows()[name]

    taken = inspect.signature(naming._definition(row)).parameters
    assert {one.rpartition("=")[2] for one in (*row.inputs, *row.attributes)} <= taken.keys()
    assert kind.__name__ == kind().name == name


def test_what_the_function_calls_otherwise_is_renamed() -> None:
    assert [part.shape for part in primitives.SplitTensor()(X, 2, 1)] == [(2, 2), (2, 1)]
    assert np.array_equal(primitives.InplaceScatterValue()(X.copy(), 1, Tensor([[0], [2]]), 9.0)[:, 0], [9.0, 4.0])
    with pytest.raises(TypeError, match="inputs are"):
        primitives.SplitTensor()(X, 1, 1, 1)


def test_instances_and_functions_are_made_when_they_are_asked_for() -> None:
    assert type(primitives.add_ext_op) is primitives.AddExt
    assert type(primitives.gelu_op).__name__ == "GeLU"
    assert np.array_equal(primitives.bmm_ext_op(X[None], X.T[None]), mint.bmm(X[None], X.T[None]))
    assert np.array_equal(primitives.sum_ext(X, dim=1), mint.sum(X, 1))
    assert np.array_equal(
        primitives.div_mod(X, X * 2, rounding_mode="floor"), mint.div(X, X * 2, rounding_mode="floor")
    )
    assert primitives.index_fill_scalar(X, dim=0, index=Tensor([1]), value=7.0)[1].asnumpy().tolist() == [7.0] * 3


@pytest.mark.parametrize("name", ["nothing", "nothing_op", "flash_attention_score_op", "Nothing"])
def test_other_names_are_not_there(name: str) -> None:
    with pytest.raises(AttributeError, match="no"):
        getattr(primitives, name)


def test_entries_take_inputs_and_attributes_in_one_list_or_one_after_the_other() -> None:
    expected = ops.softmax(X, 0)
    assert np.array_equal(primitives.pyboost_softmax(None, [X, 0]), expected)
    assert np.array_equal(primitives.softmax_impl(X, 0), expected)
    assert np.array_equal(primitives.SoftmaxPrim_()([X, 0]), expected)
    assert primitives.pyboost_softmax.__name__ == "pyboost_softmax"


def test_a_primitive_of_another_room_is_a_function_with_its_attributes() -> None:
    assert np.array_equal(primitives.softshrink_grad(X, X, lambd=1.0), primitives.softshrink_grad(X, X, 1.0))
    assert primitives.softshrink_grad(X, X, lambd=1.0).asnumpy()[0].tolist() == [0.0, -2.0, 3.0]


def test_names_that_do_not_follow_from_the_primitive() -> None:
    assert primitives.div_tensor_(X.copy(), X).asnumpy().tolist() == [[1.0] * 3] * 2
    assert primitives.bmm_ext_op.name == "BatchMatMulExt"


def test_every_name_that_is_called_otherwise_is_of_a_primitive() -> None:
    known = naming.rows().keys() | naming._elsewhere().keys()
    assert set(naming.OTHERWISE.values()) | set(naming.CALLED) <= known
