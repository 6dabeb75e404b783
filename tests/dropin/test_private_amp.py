"""What training steps of scripts take from mixed precision. The judge is MindSpore 2.10."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.dropin.private_amp import CONFIG_LEVEL, add_loss_network, do_keep_batchnorm_fp32
from msbridge.train.loss_scale import DynamicLossScaleManager


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.parts = nn.Dense(4, 3), nn.SequentialCell(nn.BatchNorm1d(3))

    def construct(self, x):
        return self.parts(self.dense(x))


def test_levels() -> None:
    assert {name: str(level["cast_model_type"]) for name, level in CONFIG_LEVEL.items()} == {
        "O0": "Float32", "O1": "Float32", "O2": "Float16", "O3": "Float16", "auto": "Float32",
    }  # fmt: skip
    assert [name for name, level in CONFIG_LEVEL.items() if level["keep_batchnorm_fp32"]] == ["O2"]
    assert isinstance(CONFIG_LEVEL["O2"]["loss_scale_manager"], DynamicLossScaleManager)


def test_what_normalizes_stays_wide() -> None:
    net = Net().to_float(ms.float16)
    do_keep_batchnorm_fp32(net)
    names = [(name, type(cell).__name__) for name, cell in net.cells_and_names()]
    assert names[3:] == [("parts.0", "_OutputTo16"), ("parts.0._backbone", "BatchNorm1d")]
    assert net(Tensor(np.ones((2, 4), np.float32))).dtype == ms.float16


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32])
def test_a_loss_is_wide(dtype: object) -> None:
    step = add_loss_network(Net().to_float(dtype), nn.MSELoss(), dtype)
    assert step(Tensor(np.ones((2, 4), np.float32)), Tensor(np.ones((2, 3), np.float32))).dtype == ms.float32
    with pytest.raises(TypeError, match="loss_fn"):
        add_loss_network(Net(), "loss", dtype)


@pytest.mark.usefixtures("dropin")
def test_their_names() -> None:
    from mindspore.train.amp import _add_loss_network, _config_level, _do_keep_batchnorm_fp32

    assert (_add_loss_network, _do_keep_batchnorm_fp32) == (add_loss_network, do_keep_batchnorm_fp32)
    assert _config_level is CONFIG_LEVEL
