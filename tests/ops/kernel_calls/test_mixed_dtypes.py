"""Operators of `mint` on Tensors of several floating dtypes; judge of dtypes: MindSpore's inference (jit_forms)."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint, nn, ops

F = mint.nn.functional


def drawn(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32))


CASES = {
    "conv1d": (F.conv1d, (1, 2, 6), (3, 2, 3), (3,)),
    "conv2d": (F.conv2d, (1, 2, 4, 4), (3, 2, 3, 3), (3,)),
    "conv3d": (F.conv3d, (1, 2, 4, 4, 4), (3, 2, 3, 3, 3), (3,)),
    "conv_transpose2d": (F.conv_transpose2d, (1, 2, 4, 4), (2, 3, 3, 3), (3,)),
    "addmm": (mint.addmm, (2, 2), (2, 3), (3, 2)),
    "baddbmm": (mint.baddbmm, (1, 2, 2), (1, 2, 3), (1, 3, 2)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("first", "others"), [("float32", "float16"), ("float16", "float32"), ("float32", "bfloat16")])
def test_the_result_has_the_dtype_of_the_first_and_the_values_of_the_widest(name: str, first: str, others: str) -> None:
    face, *shapes = CASES[name]
    dtypes = (getattr(ms, first), getattr(ms, others), getattr(ms, others))
    parts = [drawn(*shape).astype(dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    result = face(*parts)
    wanted = face(*(part.float() for part in parts)).astype(dtypes[0])
    assert result.dtype == dtypes[0]
    assert torch.equal(ms.to_torch(result), ms.to_torch(wanted))


@pytest.mark.parametrize("layer", [mint.nn.Conv2d(2, 3, 3), mint.nn.Conv2d(2, 3, 3, padding=1, padding_mode="reflect")])
def test_a_layer_of_mint_takes_another_dtype_than_its_weight(layer: nn.Cell) -> None:
    x = drawn(1, 2, 4, 4)
    weight = layer.weight.half()
    layer.weight.set_dtype(ms.float16)
    layer.bias.set_dtype(ms.float16)
    result = layer(x)
    assert result.dtype == ms.float32
    layer.weight.set_dtype(ms.float32)
    layer.weight.set_data(weight.float())
    layer.bias.set_dtype(ms.float32)
    assert torch.equal(ms.to_torch(result), ms.to_torch(layer(x)))


def test_the_gradient_has_the_dtype_of_each() -> None:
    x, weight = drawn(1, 2, 4, 4), drawn(3, 2, 3, 3).half()
    gradients = ms.grad(lambda x, weight: F.conv2d(x, weight).sum(), (0, 1))(x, weight)
    assert [gradient.dtype for gradient in gradients] == [ms.float32, ms.float16]


def test_batch_normalization_takes_another_dtype_than_its_parameters() -> None:
    layer = mint.nn.BatchNorm2d(2)
    layer.set_train(False)
    x = drawn(3, 2, 4, 4)
    wanted = layer(x)
    for parameter in layer.get_parameters():
        if ops.is_floating_point(parameter):
            parameter.set_dtype(ms.float16)
    result = layer(x)
    assert result.dtype == ms.float32
    assert torch.equal(ms.to_torch(result), ms.to_torch(wanted))


def test_statistics_are_moved_in_place_also_where_the_dtypes_differ() -> None:
    mean, variance = ops.zeros(2, ms.float32), ops.ones(2, ms.float32)
    F.batch_norm(drawn(4, 2).half(), mean, variance, training=True)
    assert mean.abs().sum() > 0


def test_what_is_refused_for_another_reason_is_said_as_before() -> None:
    with pytest.raises(TypeError, match="the dtypes do not fit"):
        F.conv2d(drawn(1, 2, 4, 4), drawn(3, 2, 3, 3).int())
    with pytest.raises(TypeError, match="the dtypes do not fit"):
        ops.conv2d(drawn(1, 2, 4, 4), drawn(3, 2, 3, 3).half())
    with pytest.raises(ValueError, match="channels"):
        F.conv2d(drawn(1, 2, 4, 4).half(), drawn(3, 5, 3, 3))


@pytest.mark.parametrize("face", [mint.scatter, mint.scatter_add])
def test_a_source_of_another_dtype_is_a_matter_of_dtypes(face: object) -> None:
    with pytest.raises(TypeError, match="the dtypes do not fit: input float32, index int64, src float16"):
        face(drawn(2, 2), 1, Tensor([[0], [1]]), drawn(2, 2).half())
