"""Normalisation. Judge: the real MindSpore 2.10 (numbers), torch, a formula."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.contrib.ops.auto_generate.normalizing import layer_norm_ext, layer_norm_grad_ext
from tests.tensors import arange, close

X = arange(2, 2, 2, 3)


def statistics() -> tuple[Parameter, Parameter]:
    return Parameter(Tensor([0.0, 0.0]), name="mean"), Parameter(Tensor([1.0, 1.0]), name="variance")


def test_batch_norm_moves_its_statistics_while_training() -> None:
    mean, variance = statistics()
    result = ops.batch_norm(X, mean, variance, Tensor([1.0, 2.0]), Tensor([0.5, -0.5]), True)
    close(result[0, 0, 0], [-0.86253, -0.70223, -0.54193])
    close(mean, [0.085, 0.145])
    close(variance, [0.9424545, 0.9424545])


def test_batch_norm_uses_them_otherwise() -> None:
    mean, variance = statistics()
    close(ops.batch_norm(X, mean, variance, Tensor([1.0, 2.0]), Tensor([0.5, -0.5]))[0, 0, 0], [0.5, 0.6, 0.7])
    close(mean, [0, 0])


@pytest.mark.parametrize(("is_training", "center"), [(False, [0, 0]), (True, [0.85, 1.45])])
def test_batch_norm_primitive_gives_five(is_training, center) -> None:
    results = ops.BatchNorm(is_training)(X, Tensor([1.0, 2.0]), Tensor([0.5, -0.5]), *statistics())
    assert len(results) == 5
    close(results[1], center)


def test_layer_keeps_ninety_percent_of_its_statistics() -> None:
    layer = nn.BatchNorm2d(1).set_train()
    layer(Tensor(np.arange(8, dtype=np.float32).reshape(2, 1, 2, 2)))
    close(layer.moving_mean, [0.35])
    close(layer.moving_variance, [0.9 + 0.1 * 6])


@pytest.mark.parametrize(
    ("use", "is_train", "moves"), [(None, False, False), (None, True, True), (True, False, True), (False, True, False)]
)
def test_use_batch_statistics(use, is_train, moves) -> None:
    layer = nn.BatchNorm2d(2, use_batch_statistics=use).set_train(is_train)
    layer(X)
    assert bool(layer.moving_mean.asnumpy().any()) is moves


def test_gradients_and_statistics_inside_a_gradient_function() -> None:
    layer = nn.BatchNorm2d(2).set_train()
    theirs = torch.nn.BatchNorm2d(2)
    leaf = X._data.clone().requires_grad_()
    (theirs(leaf) ** 3).sum().backward()
    gradients = ms.grad(lambda x: (layer(x) ** 3).sum(), 0, layer.trainable_params())(X)
    close(gradients[0], leaf.grad.numpy())
    close(gradients[1][0], theirs.weight.grad.numpy())
    close(layer.moving_variance, theirs.running_var.numpy())
    assert not layer.moving_mean._data.requires_grad


@pytest.mark.parametrize(
    ("layer", "names"),
    [
        (nn.BatchNorm2d(2), ["mean", "variance", "gamma", "beta"]),
        (nn.InstanceNorm1d(2), ["mean", "variance", "gamma", "beta"]),
        (nn.BatchNorm3d(2), ["bn2d.moving_mean", "bn2d.moving_variance", "bn2d.gamma", "bn2d.beta"]),
        (nn.LayerNorm((2,)), ["gamma", "beta"]),
        (nn.GroupNorm(1, 2, affine=False), ["gamma", "beta"]),
    ],
)
def test_parameter_names(layer, names) -> None:
    assert [parameter.name for parameter in layer.get_parameters()] == names


def test_attached_names() -> None:
    cell = nn.SequentialCell(nn.BatchNorm2d(2))
    assert [p.name for p in cell.get_parameters()] == ["0.moving_mean", "0.moving_variance", "0.gamma", "0.beta"]


def test_three_axes() -> None:
    layer, theirs = nn.BatchNorm3d(2).set_train(), torch.nn.BatchNorm3d(2)
    x = arange(2, 2, 2, 1, 3)
    close(layer(x), theirs(x._data).detach().numpy())


def test_half_precision_input_with_float32_parameters() -> None:
    assert nn.BatchNorm2d(2).set_train()(X.astype(ms.float16)).dtype == ms.float16


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_layer_norm_adds_the_gradients_of_its_parameters_up_in_float32(dtype) -> None:
    rows = Tensor(np.random.default_rng(0).standard_normal((4096, 8)) + 0.3, dtype)
    gamma, beta = ops.ones(8, dtype), ops.zeros(8, dtype)

    def loss(gamma: Tensor, beta: Tensor, norm: Callable[..., Any]) -> Tensor:
        found = norm(rows, (8,), gamma, beta)
        return ((found[0] if isinstance(found, tuple) else found).float() * rows.float()).sum()

    _, mean, rstd = layer_norm_ext(rows, (8,), gamma, beta)
    gradients = [ms.grad(loss, (0, 1))(gamma, beta, norm)[1] for norm in (ops.layer_norm, layer_norm_ext)]
    for gradient in (*gradients, layer_norm_grad_ext(rows, rows, (8,), mean, rstd, gamma, beta)[2]):
        np.testing.assert_allclose(gradient.float().asnumpy(), rows.float().asnumpy().sum(0), rtol=5e-3)


def test_layer_norm_default_epsilon() -> None:
    x = Tensor(np.float32([[0, 1e-3]]))
    expected = F.layer_norm(x._data, (2,), eps=1e-7).numpy()
    close(nn.LayerNorm((2,))(x), expected)


def test_layer_norm_over_more_axes_than_its_parameters() -> None:
    close(nn.LayerNorm((3,), 1, -1)(X)[0, 0], [[-1.59325, -1.30357, -1.01389], [-0.72421, -0.43452, -0.14484]])


def test_layer_norm_primitive() -> None:
    result, mean, variance = ops.LayerNorm(-1, -1)(arange(2, 3), Tensor([1.0, 1.0, 1.0]), Tensor([0.0, 0.0, 0.0]))
    close(result[0], [-1.22474, 0, 1.22474])
    close(mean, [[0.1], [0.4]])
    close(variance, [[0.00667], [0.00667]])


def test_group_and_instance_norm() -> None:
    close(nn.GroupNorm(1, 2)(X), F.group_norm(X._data, 1).numpy())
    close(nn.InstanceNorm2d(2)(X), F.instance_norm(X._data).numpy())


def test_instance_norm_momentum_is_torchs() -> None:
    layer, theirs = nn.InstanceNorm2d(2), torch.nn.InstanceNorm2d(2, affine=True, track_running_stats=True)
    layer(X), theirs(X._data)
    close(layer.moving_mean, theirs.running_mean.numpy())


def test_rms_norm() -> None:
    result, factor = ops.rms_norm(arange(2, 3), Tensor([1.0, 1.0, 1.0]))
    root = np.sqrt((arange(2, 3).asnumpy() ** 2).mean(1, keepdims=True) + 1e-6)
    close(factor, 1 / root)
    close(result, arange(2, 3).asnumpy() / root)
    close(ops.add_rms_norm(arange(2, 3), arange(2, 3), Tensor([1.0, 1.0, 1.0]))[2], 2 * arange(2, 3).asnumpy())


def test_l2_normalize() -> None:
    close(ops.L2Normalize()(arange(2, 3)), [[0, 0.24254, 0.37139], [1, 0.97014, 0.92848]])
    close(ops.L2Normalize(axis=[1])(arange(2, 3))[0], [0, 0.44721, 0.89443])


def test_lrn_does_not_divide_by_the_window() -> None:
    close(ops.lrn(arange(1, 4, 1, 2), 2)[0, :, 0, 1], [0.08607, 0.22116, 0.3686, 0.51745])
    close(ops.LRN(1, 2.0, 0.5, 0.75)(arange(1, 4, 1, 2))[0, :, 0, 1], [0.05837, 0.1675, 0.2581, 0.36647])


def test_sync_batch_norm_of_one_process() -> None:
    close(nn.SyncBatchNorm(2).set_train()(X), nn.BatchNorm2d(2).set_train()(X).asnumpy())


def test_channels_last() -> None:
    last = nn.BatchNorm2d(2, data_format="NHWC").set_train()(Tensor(X._data.movedim(1, -1)))
    close(last, nn.BatchNorm2d(2).set_train()(X)._data.movedim(1, -1).numpy())


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: nn.BatchNorm2d(0), ValueError, "num_features"),
        (lambda: nn.BatchNorm2d("a"), TypeError, "num_features"),
        (lambda: nn.BatchNorm2d(2, momentum=2), ValueError, "momentum"),
        (lambda: nn.BatchNorm2d(2, use_batch_statistics=1), ValueError, "use_batch_statistics"),
        (lambda: nn.BatchNorm2d(2, data_format="X"), ValueError, "format"),
        (lambda: nn.BatchNorm2d(2)(arange(2, 2, 3)), ValueError, "4 axes"),
        (lambda: nn.BatchNorm1d(2)(X), ValueError, "2 or 3 axes"),
        (lambda: nn.BatchNorm3d(2)(X), ValueError, "5 axes"),
        (lambda: nn.InstanceNorm2d(2)(arange(2, 2, 3)), ValueError, "4 axes"),
        (lambda: nn.BatchNorm2d(2)(arange(1, 3, 2, 2)), ValueError, "3 channels"),
        (lambda: nn.LayerNorm(3), TypeError, "normalized_shape"),
        (lambda: nn.LayerNorm(()), ValueError, "normalized_shape"),
        (lambda: nn.LayerNorm((4,))(X), ValueError, "trailing"),
        (lambda: nn.GroupNorm(2, 3), ValueError, "num_groups"),
        (lambda: nn.GroupNorm(1, 3)(X), ValueError, "channels"),
        (lambda: ops.lrn(X, norm_region="x"), ValueError, "norm_region"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()
