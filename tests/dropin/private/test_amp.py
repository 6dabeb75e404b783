"""What training steps of scripts take from mixed precision. The judge is MindSpore 2.10."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.dropin.private.amp import (
    add_loss_network,
    auto_mixed_precision_rewrite,
    config_level,
    do_keep_batchnorm_fp32,
)
from msbridge.train.amp import AMP_BLACK_LIST, AMP_WHITE_LIST
from msbridge.train.loss_scale_managers import DynamicLossScaleManager


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.parts = nn.Dense(4, 3), nn.SequentialCell(nn.BatchNorm1d(3))

    def construct(self, x):
        return self.parts(self.dense(x))


def test_levels() -> None:
    assert {name: str(level["cast_model_type"]) for name, level in config_level.items()} == {
        "O0": "Float32", "O1": "Float32", "O2": "Float16", "O3": "Float16", "auto": "Float32",
    }  # fmt: skip
    assert [name for name, level in config_level.items() if level["keep_batchnorm_fp32"]] == ["O2"]
    assert isinstance(config_level["O2"]["loss_scale_manager"], DynamicLossScaleManager)


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


def test_what_a_white_list_names_is_narrow() -> None:
    net, x = Net(), Tensor(np.random.default_rng(0).standard_normal((2, 4)).astype(np.float32))
    wide = net(x).asnumpy()
    narrow = auto_mixed_precision_rewrite(net, ms.float16, white_list=AMP_WHITE_LIST)
    assert narrow(x).dtype == narrow.dense(x).dtype == ms.float32
    assert narrow.dense is net.dense
    np.testing.assert_allclose(narrow(x).asnumpy(), wide, rtol=1e-2, atol=1e-3)  # float16: 10 bits of mantissa
    assert (narrow(x).asnumpy() != wide).any()


def test_lists_of_what_is_narrow() -> None:
    for lists in ({}, {"white_list": AMP_WHITE_LIST, "black_list": AMP_BLACK_LIST}):
        with pytest.raises(ValueError, match="one of white_list and black_list must be provided"):
            auto_mixed_precision_rewrite(Net(), ms.float16, **lists)
    with pytest.raises(NotImplementedError, match="custom_mixed_precision"):
        auto_mixed_precision_rewrite(Net(), ms.float16, black_list=AMP_BLACK_LIST)


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_their_names() -> None:
    from mindspore.train.amp import _add_loss_network, _config_level, _do_keep_batchnorm_fp32

    assert (_add_loss_network, _do_keep_batchnorm_fp32) == (add_loss_network, do_keep_batchnorm_fp32)
    assert _config_level is config_level


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_function_of_white_lists() -> None:
    from mindspore.train.amp import _auto_mixed_precision_rewrite

    assert _auto_mixed_precision_rewrite is auto_mixed_precision_rewrite
