"""Micro batches in a training step: the update is that of the batch as a whole. Values alone: tests/oracle."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import msbridge as ms
from msbridge import Model, Tensor, amp, nn
from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning
from msbridge.nn.steps.micro_batches import GradAccumulation, Pipeline

X = Tensor(np.arange(16, dtype=np.float32).reshape(8, 2) / 16)
Y = Tensor(np.arange(8, dtype=np.float32).reshape(8, 1) / 8)


def updated(wrap: Callable[[nn.Cell], nn.Cell], **options: object) -> tuple[float, list]:
    """Return the loss of a step, and the weights after it."""
    net = nn.Dense(2, 1, "ones", "zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=options.pop("loss_scale", 1.0))
    step = amp.build_train_network(wrap(nn.WithLossCell(net, nn.MSELoss())), optimizer, **options)
    losses = [float(step(X, Y)) for _ in range(2)]
    return losses[0], [parameter.asnumpy().ravel().tolist() for parameter in net.get_parameters()]


@pytest.fixture
def stages() -> Iterator[None]:
    ms.set_auto_parallel_context(pipeline_stages=2)
    yield
    ms.set_auto_parallel_context(pipeline_stages=1)


@pytest.mark.parametrize("kind", [nn.GradAccumulationCell, GradAccumulation])
def test_accumulated_gradients_make_the_step_of_the_whole_batch(kind: type[nn.Cell]) -> None:
    whole, parts = updated(lambda net: net), updated(lambda net: kind(net, 4))
    assert np.allclose(parts[0], 4 * whole[0])
    assert np.allclose(np.concatenate(parts[1]), np.concatenate(whole[1]), rtol=1e-6)


def test_a_fixed_loss_scale_stays() -> None:
    scaled = {"loss_scale": 64.0, "loss_scale_manager": ms.FixedLossScaleManager(64.0, False)}
    parts = updated(lambda net: nn.GradAccumulationCell(net, 2), **scaled)
    assert np.allclose(np.concatenate(parts[1]), np.concatenate(updated(lambda net: net)[1]), rtol=1e-6)


@pytest.mark.usefixtures("stages")
@pytest.mark.parametrize("kind", [nn.PipelineCell, Pipeline])
def test_a_pipeline_makes_the_step_of_the_whole_batch(kind: type[nn.Cell]) -> None:
    whole, parts = updated(lambda net: net), updated(lambda net: kind(net, 4))
    assert np.allclose(np.concatenate(parts[1]), np.concatenate(whole[1]), rtol=1e-6)


def test_without_stages_the_losses_of_a_pipeline_are_added_up() -> None:
    """As there: the step does not divide."""
    summed = updated(lambda net: net, loss_scale=0.25)
    assert np.allclose(np.concatenate(updated(lambda net: nn.PipelineCell(net, 4))[1]), np.concatenate(summed[1]))


def test_a_model_accumulates() -> None:
    net = nn.Dense(2, 1, "ones", "zeros")
    cell = nn.GradAccumulationCell(nn.WithLossCell(net, nn.MSELoss()), 4)
    data = ms.dataset.NumpySlicesDataset({"x": X.asnumpy(), "y": Y.asnumpy()}, shuffle=False).batch(8)
    Model(cell, optimizer=nn.Momentum(net.trainable_params(), 0.1, 0.9)).train(2, data, dataset_sink_mode=False)
    assert np.allclose(net.weight.asnumpy().ravel(), updated(lambda net: net)[1][0], rtol=1e-6)


def test_stages_are_kept_and_segments_are_said_to_have_no_effect() -> None:
    with pytest.warns(WithoutEffectWarning, match="segment_config has no effect"):
        cell = nn.PipelineCell(nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss()), 2, {"_backbone": 1}, {"_backbone": 0})
    assert cell.network._backbone.pipeline_stage == 1


def test_gradients_of_a_pipeline_are_whole() -> None:
    """Judge: the documentation; nothing collects gradients on one process there, and it returns zeros."""
    reducer = nn.PipelineGradReducer(ms.ParameterTuple(nn.Dense(2, 1).trainable_params()), 2.0, False)
    assert [grad.asnumpy().tolist() for grad in reducer((Tensor([[2.0, 4.0]]), Tensor([6.0])))] == [[[1.0, 2.0]], [3.0]]


def test_parts_of_a_pipeline_may_be_sharded() -> None:
    pipeline = Pipeline(nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss()), 2)
    assert pipeline.shard(((1, 1),)) is pipeline
