"""Training with THOR, as public scripts do it."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge import dataset as ds
from msbridge.contrib.thor.model import ModelThor
from msbridge.train import ConvertModelUtils, FixedLossScaleManager, LossMonitor, Model


class LeNet(nn.Cell):
    """A small one."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 4, 3, has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(4, 8, 3), nn.BatchNorm2d(8)
        )
        self.flatten = nn.Flatten()
        self.head = nn.Dense(8 * 16, 3)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.flatten(self.features(x)))


def rows() -> ds.GeneratorDataset:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 48).astype(np.int32)
    images = (rng.normal(size=(48, 1, 8, 8)) + labels[:, None, None, None]).astype(np.float32)
    return ds.GeneratorDataset(list(zip(images, labels, strict=True)), ["x", "y"], shuffle=False).batch(8)


def losses_of(model: Model, sinks: bool) -> list[float]:
    class Losses(ms.train.Callback):
        seen: list[float] = []

        def on_train_step_end(self, run_context: object) -> None:
            self.seen.append(float(run_context.original_args().net_outputs.asnumpy()))

    kept = Losses()
    kept.seen = []
    model.train(4, rows(), [kept, LossMonitor(100)], dataset_sink_mode=sinks)
    return kept.seen


@pytest.mark.parametrize("sinks", [False, True])
def test_a_converted_model_learns_and_inverts_once_in_so_many_steps(sinks: bool) -> None:
    ms.set_seed(1)
    net, loss = LeNet(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    damping = Tensor(np.full(24, 0.3), ms.float32)
    optimizer = nn.thor(net, Tensor(np.full(24, 0.01), ms.float32), damping, 0.9, 5e-4, 128.0, 8, frequency=4)
    manager = FixedLossScaleManager(128, drop_overflow_update=False)
    parts = {"loss_fn": loss, "optimizer": optimizer, "loss_scale_manager": manager, "metrics": {"acc"}}
    model = ConvertModelUtils().convert_to_thor_model(Model(net, **parts), net, **parts)
    assert isinstance(model, ModelThor)
    counted = []
    invert = optimizer._update_inverses
    optimizer.__dict__["_update_inverses"] = lambda damping: counted.append(1) or invert(damping)
    losses = losses_of(model, sinks)
    assert losses[-1] < 0.3 * losses[0]
    assert len(counted) == 6
    assert optimizer.global_step.asnumpy().tolist() == optimizer.cov_step.asnumpy().tolist() == [24]
    assert model.eval(rows())["acc"] > 0.9


def test_a_model_of_another_optimizer_stays() -> None:
    net = LeNet()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = Model(net, nn.MSELoss(), optimizer)
    assert ConvertModelUtils.convert_to_thor_model(model, net, nn.MSELoss(), optimizer) is model
