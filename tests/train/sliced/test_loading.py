"""A script of r1.x that predicts with the slices of a training on four devices. Judge: the network that was cut."""

import warnings

import numpy as np
import pytest

from tests.train.helpers_slices import WHOLE, saved, strategy_file


@pytest.fixture
def mindspore(mindspore_is_msbridge):
    return __import__("mindspore")


def test_names_of_earlier_releases(tmp_path, mindspore):
    from mindspore import context
    from mindspore.train.serialization import (
        build_searched_strategy,
        load_checkpoint,
        load_distributed_checkpoint,
        load_param_into_net,
        merge_sliced_parameter,
    )

    files = [str(saved(tmp_path, 4) / f"rank_{rank}" / "net.ckpt") for rank in range(4)]
    strategy = build_searched_strategy(strategy_file(tmp_path / "s.ckpt", 4))
    slices = [load_checkpoint(file)["w"] for file in files]
    merged = merge_sliced_parameter(slices, strategy)
    assert np.array_equal(merged.asnumpy(), WHOLE.numpy())

    net = mindspore.nn.Cell()
    net.w = mindspore.Parameter(mindspore.Tensor(np.zeros((8, 3), np.float32)), name="w")
    load_param_into_net(net, {merged.name: merged})
    assert np.array_equal(net.w.asnumpy(), WHOLE.numpy())

    net.w.set_data(mindspore.Tensor(np.zeros((8, 3), np.float32)))
    context.set_auto_parallel_context(strategy_ckpt_load_file=str(tmp_path / "s.ckpt"))
    try:
        assert load_distributed_checkpoint(net, files) is True
    finally:
        context.reset_auto_parallel_context()
    assert np.array_equal(net.w.asnumpy(), WHOLE.numpy())


def test_encrypted_slices_are_opened(tmp_path, mindspore):
    folder = saved(tmp_path, 4)
    for rank in range(4):
        values = mindspore.load_checkpoint(str(folder / f"rank_{rank}" / "net.ckpt"))
        mindspore.save_checkpoint(values, str(tmp_path / f"{rank}.ckpt"), enc_key=b"0" * 16)
    net = mindspore.nn.Cell()
    net.w = mindspore.Parameter(mindspore.Tensor(np.zeros((8, 3), np.float32)), name="w")
    files = [str(tmp_path / f"{rank}.ckpt") for rank in range(4)]
    mindspore.load_distributed_checkpoint(net, files, None, strategy_file(tmp_path / "s.ckpt", 4), dec_key=b"0" * 16)
    assert np.array_equal(net.w.asnumpy(), WHOLE.numpy())


def test_what_is_not_loaded_is_said(tmp_path, mindspore):
    files = [str(saved(tmp_path, 4) / f"rank_{rank}" / "net.ckpt") for rank in range(4)]
    net = mindspore.nn.Cell()
    net.other = mindspore.Parameter(mindspore.Tensor(np.zeros(3, np.float32)), name="other")
    net.more = mindspore.Parameter(mindspore.Tensor(np.zeros(3, np.float32)), name="more")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mindspore.load_distributed_checkpoint(net, files, None, strategy_file(tmp_path / "s.ckpt", 4))
    texts = [str(one.message) for one in told]
    assert any("['other'] parameters in network are not in the slice strategy" in one for one in texts)
    assert any("['more'] parameters in network and slice strategy but not in" in one for one in texts)
