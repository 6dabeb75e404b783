"""Reductions. Judge: the real MindSpore 2.10 (values written down from it), then numpy and torch."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops

X = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
FORMULAS = {
    "sum": np.sum,
    "mean": np.mean,
    "prod": np.prod,
    "amax": np.max,
    "amin": np.min,
    "std": np.std,
    "var": np.var,
    "nansum": np.nansum,
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("axis", [None, 1, -1, (0, 2), ()])
def test_values_follow_numpy(name, axis) -> None:
    expected = FORMULAS[name](X, axis=None if axis == () else axis)
    np.testing.assert_allclose(getattr(ops, name)(Tensor(X), axis).asnumpy(), expected, rtol=2e-5, atol=1e-6)


PRIMITIVES = {
    "ReduceSum": np.sum,
    "ReduceMean": np.mean,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_primitives_keep_axes_where_asked(name) -> None:
    got = getattr(ops, name)(keep_dims=True)(Tensor(X), (0, 2))
    np.testing.assert_allclose(got.asnumpy(), PRIMITIVES[name](X, (0, 2), keepdims=True), rtol=2e-5)


@pytest.mark.parametrize(
    ("result", "dtype"),
    [
        (lambda x: x.sum(), ms.int64),
        (lambda x: x.prod(), ms.int64),
        (lambda x: x.mean(), ms.int32),
        (lambda x: ops.ReduceSum()(x), ms.int32),
        (lambda x: x.max(), ms.int32),
        (lambda x: x.argmax(), ms.int64),
        (lambda x: x.argmin(), ms.int32),
        (lambda x: ops.Argmax()(x), ms.int32),
        (lambda x: x.std(), ms.float32),
        (lambda x: x.any(), ms.bool_),
        (lambda x: ops.count_nonzero(x), ms.int32),
    ],
)
def test_dtypes_of_integers(result, dtype) -> None:
    assert result(Tensor([1, 2, 4], ms.int32)).dtype == dtype


def test_the_mean_of_integers_is_cut_off() -> None:
    assert Tensor([1, 2, 4]).mean().item() == 2
    assert Tensor([-1, -2, -4]).mean().item() == -2


def test_max_of_the_function_gives_a_pair() -> None:
    x = Tensor([[1.0, 5.0], [7.0, 3.0]])
    value, index = ops.max(x)
    assert (value.item(), index.item()) == (7.0, 0)
    values, indices = ops.max(x, 1, keepdims=True)
    assert (values.tolist(), indices.tolist()) == ([[5.0], [7.0]], [[1], [0]])


def test_max_of_the_tensor_gives_values_by_axis_and_a_pair_by_position() -> None:
    x = Tensor([[1.0, 5.0], [7.0, 3.0]])
    assert x.max().item() == 7.0
    assert x.max(axis=1).tolist() == [5.0, 7.0]
    assert x.max(axis=(0, 1)).item() == 7.0
    assert [part.tolist() for part in x.max(1)] == [[5.0, 7.0], [1, 0]]
    assert x.min(axis=0, return_indices=True)[1].tolist() == [0, 1]
    assert x.max(Tensor(4.0)).tolist() == [[4.0, 5.0], [7.0, 4.0]]


def test_before_release_2_5_the_first_argument_of_max_is_the_axis() -> None:
    ms.set_release("2.4")
    try:
        assert Tensor([[1.0, 5.0], [7.0, 3.0]]).max(1).tolist() == [5.0, 7.0]
    finally:
        ms.set_release("2.10")


def test_before_release_2_0_max_and_min_of_ops_give_the_index_first() -> None:  # judge: the pages of 1.10
    ms.set_release("1.10")
    try:
        index, value = ops.max(Tensor([0.0, 0.4, 0.7]), keep_dims=True)
        assert (index.tolist(), index.dtype, value.shape) == ([2], ms.int32, (1,))
        assert ops.min(Tensor([[1.0, 5.0], [0.0, 7.0]]))[0].tolist() == [1, 0]
    finally:
        ms.set_release("2.10")


def test_where_masks_elements() -> None:
    x = Tensor([[1.0, 5.0], [7.0, 3.0]])
    mask = Tensor([[True, False], [False, True]])
    assert x.max(axis=0, initial=0.0, where=mask).tolist() == [1.0, 3.0]
    assert ops.amin(x, initial=9.0, where=mask).item() == 1.0
    with pytest.raises(ValueError, match="initial"):
        x.max(axis=0, where=mask)


def test_arg_max_with_value_gives_the_index_first() -> None:
    index, value = ops.ArgMaxWithValue(axis=1)(Tensor([[1.0, 5.0], [7.0, 3.0]]))
    assert (index.tolist(), value.tolist()) == ([1, 0], [5.0, 7.0])


def test_both_spellings_of_the_arguments() -> None:
    x = Tensor(X)
    for dim in (x.sum(dim=1, keepdim=True), x.sum(1, True), x.sum(axis=1, keepdims=True)):
        assert dim.shape == (2, 1, 4)
    assert x.mean(dim=1).shape == x.mean(axis=1).shape == (2, 4)
    assert x.argmax(dim=0).tolist() == x.argmax(axis=0).tolist()


def test_deviations_divide_by_the_number_unless_a_correction_is_given() -> None:
    x = Tensor([1.0, 2.0])
    assert x.std().item() == pytest.approx(0.5)
    assert x.std(ddof=1).item() == pytest.approx(2**-0.5)
    assert x.std(dim=0).item() == pytest.approx(0.5)
    assert x.std(dim=0, correction=1).item() == pytest.approx(2**-0.5)


def test_sum_takes_dtype_and_initial() -> None:
    assert Tensor([1, 2]).sum(dtype=ms.float32).dtype == ms.float32
    assert Tensor([1.5]).sum(initial=1).item() == 2.5


def test_skip_mode_leaves_the_tensor() -> None:
    assert ops.ReduceSum(skip_mode=True)(Tensor([1.0, 2.0]), ()).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("name", ["sum", "mean", "amax", "all", "std"])
def test_an_axis_out_of_range_is_named(name) -> None:
    with pytest.raises(ValueError, match="axis must be in"):
        getattr(ops, name)(Tensor([1.0]), 3)


@pytest.mark.parametrize("name", ["sum", "mean", "prod", "amax", "std", "logsumexp"])
def test_gradients_are_torchs(name) -> None:
    data = torch.tensor(X, requires_grad=True)
    settings = {"correction": 0} if name == "std" else {}
    getattr(torch, name)(data, 1, **settings).square().sum().backward()
    mine = ms.grad(lambda x: ops.square(getattr(ops, name)(x, 1)).sum())(Tensor(X))
    np.testing.assert_allclose(mine.asnumpy(), data.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_medians_and_quantiles() -> None:
    value, index = ops.median(Tensor([[4.0, 1.0, 3.0, 2.0]]))
    assert (value.tolist(), index.tolist()) == ([2.0], [3])
    assert ops.Median(global_median=True)(Tensor([[3.0, 1.0], [2.0, 9.0]]))[0].item() == 2.0
    assert ops.quantile(Tensor([1.0, 2.0, 3.0]), 0.25).item() == 1.5


def test_sum_to_size() -> None:
    assert Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(1, 2).tolist() == [[4.0, 6.0]]
    with pytest.raises(ValueError, match="cannot be summed"):
        Tensor([1.0, 2.0, 3.0]).sum_to_size(2)


def test_lp_norm_and_square_sums() -> None:
    x = Tensor([[3.0, 4.0]])
    assert ops.LpNorm(1)(x).tolist() == [5.0]
    assert [part.item() for part in ops.SquareSumAll()(x, x)] == [25.0, 25.0]
    assert ops.ReduceStd(axis=1)(x)[1].tolist() == [3.5]


def test_value_with_index_methods_give_the_value_first() -> None:
    values, indices = Tensor([[1.0, 4.0]]).argmax_with_value(1)
    assert (values.tolist(), indices.tolist()) == ([4.0], [1])


def test_mean_and_variance_of_small_integers_are_computed_in_their_dtype() -> None:
    x = Tensor([[3, 250], [7, 1]], ms.uint8)  # the values of 2.10.0
    assert (x.mean().item(), x.var().item()) == (1, 22.25)
    assert ms.numpy.var(Tensor([[3, 1, 4], [1, 5, 9]], ms.int32)).item() == pytest.approx(8.1666667)


def test_sums_of_numpy_follow_the_release() -> None:
    x = Tensor([3, 1, 4], ms.int32)
    assert ms.numpy.sum(x).dtype == ms.int64
    ms.set_release("2.0")
    assert (ms.numpy.sum(x).dtype, ms.numpy.var(x).dtype) == (ms.int32, ms.int32)
