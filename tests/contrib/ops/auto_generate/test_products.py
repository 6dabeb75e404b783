"""Products in groups and quantised ones, against numpy."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)
ROWS = DRAW.normal(size=(5, 3)).astype(np.float32)
WEIGHTS = DRAW.normal(size=(2, 3, 4)).astype(np.float32)
BIAS = DRAW.normal(size=(2, 4)).astype(np.float32)
GROUPED = np.concatenate((ROWS[:2] @ WEIGHTS[0] + BIAS[0], ROWS[2:] @ WEIGHTS[1] + BIAS[1]))


def whole(*shape: int) -> np.ndarray:
    return DRAW.integers(-128, 128, shape).astype(np.int8)


def test_rows_in_groups() -> None:
    given = [Tensor(ROWS)], [Tensor(WEIGHTS)], [Tensor(BIAS)]
    found = gen.grouped_matmul(*given, group_list=Tensor([2, 5]), split_item=3, group_type=0)
    assert np.allclose(found[0], GROUPED, atol=1e-5)
    turned = [Tensor(WEIGHTS.transpose(0, 2, 1).copy())]
    found = gen.GroupedMatmul(3, 0, False, True)(given[0], turned, given[2], None, None, None, None, Tensor([2, 5]))
    assert np.allclose(found[0], GROUPED, atol=1e-5)
    found = gen.grouped_matmul_v4(*given, group_list=Tensor([2, 2]), split_item=3, group_type=0, group_list_type=1)
    assert np.allclose(found[0][:4], GROUPED[:4], atol=1e-5)
    assert not found[0][4].any()


def test_gradients_of_rows_in_groups() -> None:
    def total(x: Tensor, weight: Tensor) -> Tensor:
        return gen.grouped_matmul([x], [weight], group_list=Tensor([2, 5]), split_item=3, group_type=0)[0].sum()

    d_x, d_weight = ms.grad(total, (0, 1))(Tensor(ROWS), Tensor(WEIGHTS))
    assert np.allclose(d_x[:2], WEIGHTS[0].sum(1), atol=1e-5)
    assert np.allclose(d_weight[1], ROWS[2:].sum(0)[:, None].repeat(4, 1), atol=1e-5)


def test_several_tensors() -> None:
    pairs = [Tensor(ROWS[:2]), Tensor(ROWS[2:])], [Tensor(one) for one in WEIGHTS], [Tensor(one) for one in BIAS]
    found = gen.grouped_matmul_v2(*pairs)
    assert np.allclose(np.concatenate([one.asnumpy() for one in found]), GROUPED, atol=1e-5)
    with pytest.raises(TypeError, match="split_item and group_type"):
        gen.grouped_matmul(*pairs, split_item=3)
    with pytest.raises(TypeError, match="needs group_list"):
        gen.grouped_matmul(*pairs, split_item=3, group_type=0)


def test_weights_of_integers_in_groups() -> None:
    weights, scale = whole(2, 3, 4), np.full((2, 4), 0.1, np.float32)
    offset = np.full((2, 4), 3, np.float32)
    found = gen.grouped_matmul_v4(
        [Tensor(ROWS)], [Tensor(weights)], antiquant_scale=[Tensor(scale)], antiquant_offset=[Tensor(offset)],
        group_list=Tensor([2, 5]), split_item=3, group_type=0,
    )  # fmt: skip
    real = (weights + offset[:, None]) * scale[:, None]
    assert np.allclose(found[0], np.concatenate((ROWS[:2] @ real[0], ROWS[2:] @ real[1])), atol=1e-4)
    rows, per_row = whole(5, 3), DRAW.random(5).astype(np.float32)
    found = gen.grouped_matmul_v4(
        [Tensor(rows)], [Tensor(weights)], scale=[Tensor(scale, ms.bfloat16)], pre_token_scale=[Tensor(per_row)],
        group_list=Tensor([2, 5]), split_item=3, group_type=0,
    )  # fmt: skip
    products = np.concatenate((rows[:2].astype(int) @ weights[0], rows[2:].astype(int) @ weights[1]))
    assert found[0].dtype == ms.bfloat16
    assert np.allclose(found[0].astype(ms.float32), products * 0.1 * per_row[:, None], rtol=0.02, atol=0.1)


def test_groups_of_what_is_summed_over() -> None:
    assert np.allclose(gen.gmm([Tensor(ROWS)], [Tensor(WEIGHTS)], [Tensor(BIAS)], (2, 5))[0], GROUPED, atol=1e-5)
    left, right = DRAW.normal(size=(3, 5)).astype(np.float32), DRAW.normal(size=(5, 2)).astype(np.float32)
    found = gen.GmmV2()([Tensor(left)], [Tensor(right)], None, Tensor([2, 3]), 2, 1)[0]
    assert np.allclose(found, [left[:, :2] @ right[:2], left[:, 2:] @ right[2:]], atol=1e-5)


def test_products_are_added_in_place() -> None:
    other = DRAW.normal(size=(5, 2)).astype(np.float32)
    total = Tensor(np.ones((2, 3, 2), np.float32))
    gen.grouped_matmul_add_(Tensor(ROWS), Tensor(other), Tensor([2, 5]), total)
    assert np.allclose(total, [1 + ROWS[:2].T @ other[:2], 1 + ROWS[2:].T @ other[2:]], atol=1e-5)
    total = Tensor(np.ones((3, 2), np.float32))
    gen.matmul_add_(Tensor(ROWS), Tensor(other), total)
    assert np.allclose(total, 1 + ROWS.T @ other, atol=1e-5)


def test_values_become_integers() -> None:
    found = gen.QuantV2()(Tensor([100.0, -1.26]), Tensor([80.0, 2.0]), Tensor([0.0, 1.0]), False, "ROUND", ms.int8)
    assert found.asnumpy().tolist() == [127, -2]
    assert gen.QuantV2()(Tensor([1.0]), Tensor([3.0]), Tensor([0.0]), True).asnumpy().tolist() == [9]
    numbers, scale = gen.DynamicQuantExt()(Tensor(ROWS), Tensor([1.0, 2.0, 0.5]))
    smooth = ROWS * np.array([1.0, 2.0, 0.5], np.float32)
    assert np.allclose(scale, np.abs(smooth).max(-1) / 127)
    assert np.allclose(numbers.asnumpy() * scale.asnumpy()[:, None], smooth, atol=0.02)


def test_products_of_integers() -> None:
    left, right, bias = whole(2, 6), whole(4, 6), DRAW.integers(-99, 99, 4).astype(np.int32)
    scale, rows = DRAW.random(4).astype(np.float32) / 50, DRAW.random(2).astype(np.float32)
    bits = Tensor(scale.view(np.int32).astype(np.int64))
    exact = (left.astype(int) @ right.T.astype(int) + bias) * scale
    for given in (Tensor(scale), bits):
        found = gen.quant_batch_matmul(Tensor(left), Tensor(right), given, None, Tensor(bias), None, False, True)
        assert found.dtype == ms.float16
        assert np.allclose(found, exact, rtol=1e-3, atol=1e-2)
    found = gen.QuantBatchMatmul(False, True, ms.int8)(
        *map(Tensor, (left, right, scale / 9)), Tensor([1.0]), Tensor(bias), Tensor(rows)
    )
    assert np.abs(found.asnumpy() - np.clip(np.round(exact / 9 * rows[:, None] + 1), -128, 127)).max() <= 1


@pytest.mark.parametrize("size", [0, 2])
def test_weights_of_integers(size: int) -> None:
    weight, groups = whole(6, 4), (3, 4) if size else (4,)
    scale, offset = (DRAW.random(groups).astype(np.float32) for _ in range(2))
    real = weight + (offset.repeat(2, 0) if size else offset)
    real = real * (scale.repeat(2, 0) if size else scale)
    rows = DRAW.normal(size=(2, 6)).astype(np.float32)
    given = map(Tensor, (rows, weight, scale, offset))
    found = gen.weight_quant_batch_matmul(*given, bias=Tensor(BIAS[0]), antiquant_group_size=size)
    assert np.allclose(found, rows @ real + BIAS[0], atol=1e-3)
    given = (Tensor(rows), *(Tensor(one) for one in (weight, scale, offset)))
    small = gen.WeightQuantBatchMatmul(antiquant_group_size=size)(*given, Tensor([0.1]), Tensor([1.0]))
    assert np.array_equal(small, np.clip(np.round(rows @ real * 0.1 + 1), -128, 127))
