"""AutoBoost, and Models that ask for boost. What MindSpore's parts make of it is in tests/oracle/cases/boosting.py."""

from collections.abc import Iterator

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge import dataset as ds
from msbridge.contrib.boost import AutoBoost, CommonHeadLastFN, FreezeOpt
from msbridge.train import FixedLossScaleManager, Model


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    AutoBoost("O0")
    yield
    AutoBoost("O0")


def parts() -> dict:
    net = nn.SequentialCell(nn.Dense(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 2))
    groups = [{"params": net.trainable_params()[:2]}, {"params": net.trainable_params()[2:]}]
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return {"network": net, "loss_fn": loss, "optimizer": nn.Momentum(groups, 0.2, 0.9), "metrics": {"acc"}}


def rows() -> ds.GeneratorDataset:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 3)).astype(np.float32)
    return ds.GeneratorDataset(list(zip(x, (x[:, 0] > 0).astype(np.int32), strict=True)), ["x", "y"]).batch(8)


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_a_boosted_model_learns_with_a_normalized_head_and_frozen_steps(level: str) -> None:
    ms.set_seed(1)
    np.random.seed(1)
    config = {"boost": {"mode": "auto"}, "grad_freeze": {"param_groups": 2, "total_steps": 40}}
    model = Model(**parts(), boost_level=level, boost_config_dict=config)
    assert isinstance(model._network.network[3], CommonHeadLastFN)
    assert isinstance(model._optimizer, FreezeOpt)
    assert model._optimizer.opts[0].grad_centralization
    model.train(10, rows(), dataset_sink_mode=False)
    assert model.eval(rows(), dataset_sink_mode=False)["acc"] > 0.85


def test_a_manual_setting_turns_methods_on_and_off() -> None:
    config = {
        "boost": {"mode": "manual", "less_bn": True, "grad_freeze": False},
        "less_bn": {"fn_flag": False, "gc_flag": True},
        "common": {"gradient_split_groups": 2},
    }
    model = Model(**parts(), boost_level="O1", boost_config_dict=config)
    assert isinstance(model._network.network[3], nn.Dense)
    assert isinstance(model._optimizer, nn.Momentum)
    assert model._optimizer.grad_centralization
    assert [p.comm_fusion for p in model._network.trainable_params()] == [1, 1, 2, 2, 2, 2]


def test_gradients_add_up_where_they_are_to() -> None:
    config = {
        "boost": {"mode": "manual", "grad_accumulation": True},
        "grad_accumulation": {"grad_accumulation_step": 4},
    }
    chosen = parts()
    weight = chosen["network"][0].weight
    before = weight.asnumpy().copy()
    manager = FixedLossScaleManager(128, drop_overflow_update=False)
    step = Model(**chosen, boost_config_dict=config, loss_scale_manager=manager).train_network
    x, y = Tensor(np.eye(4, 3, dtype=np.float32)), Tensor(np.zeros(4, np.int32))
    for _ in range(3):
        step(x, y)
    assert np.array_equal(weight.asnumpy(), before)
    step(x, y)
    assert not np.array_equal(weight.asnumpy(), before)


def test_there_is_one_object_which_stays_as_it_was_set() -> None:
    assert AutoBoost("O1") is AutoBoost()
    assert AutoBoost().boost_config["less_bn"]
    assert AutoBoost("O9").level == "O0"


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"boost": {"mode": "some"}}, ValueError),
        ({"common": {"gradient_split_groups": "2"}}, ValueError),
        ({"boost": {"mode": "enable_all"}}, NotImplementedError),
    ],
)
def test_bad_settings_are_refused(config: dict, kind: type) -> None:
    with pytest.raises(kind):
        AutoBoost("O0", config)
