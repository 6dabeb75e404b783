"""What libraries import from the private modules of layers; the values are those of MindSpore 2.10."""

import numpy as np
import pytest

from msbridge import Tensor, nn, ops
from msbridge.dropin.private.layers import (
    WithBNNLossCell,
    _Conv,
    check_dense_input_shape,
    deconv_output_length,
    gain_bnn_with_loss,
)
from msbridge.dropin.private.recurrent import RNNCellBase, gru_cell, lstm_cell, rnn_relu_cell, rnn_tanh_cell
from msbridge.nn.probability import bnn_layers


def test_the_base_of_convolutions() -> None:
    conv = _Conv(2, 4, (3, 3), (1, 1), "same", 0, (1, 1), 1, True, "ones", "zeros")
    assert [(p.name, p.shape) for p in conv.get_parameters()] == [("weight", (4, 2, 3, 3)), ("bias", (4,))]
    assert str(conv) == (
        "_Conv(input_channels=2, output_channels=4, kernel_size=(3, 3), stride=(1, 1), pad_mode=same, padding=0, "
        "dilation=(1, 1), group=1, has_bias=True, weight_init=ones, bias_init=zeros, format=NCHW)"
    )
    back = _Conv(2, 4, (3, 3), (1, 1), "same", 0, (1, 1), 1, False, "ones", "zeros", transposed=True)
    assert back.weight.shape == (2, 4, 3, 3)


@pytest.mark.parametrize(
    ("modes", "length"),
    [((True, False, False), 13), ((False, True, False), 10), ((False, False, True), 11), ((False,) * 3, 0)],
)
def test_the_length_after_a_transposed_convolution(modes: tuple[bool, bool, bool], length: int) -> None:
    assert deconv_output_length(*modes, 5, 3, 2, 2, 2) == length


def test_the_base_of_recurrent_cells() -> None:
    cell = RNNCellBase(2, 3, True, 4)
    assert [(p.name, p.shape) for p in cell.get_parameters()] == [
        ("weight_ih", (12, 2)),
        ("weight_hh", (12, 3)),
        ("bias_ih", (12,)),
        ("bias_hh", (12,)),
    ]


def test_steps_of_recurrent_cells() -> None:
    x, h = Tensor([[1.0, 2.0]]), Tensor([[0.5, -0.5, 0.25]])
    w, u = ops.ones((9, 2)), ops.ones((9, 3))
    assert np.allclose(gru_cell(x * 0.1, h, w, u, None, None), [[0.47398287, -0.16015273, 0.31544894]])
    assert np.allclose(rnn_relu_cell(x, h, w[:3], u[:3], None, None), 3.25)
    assert np.allclose(rnn_tanh_cell(x, h, w[:3], u[:3], ops.ones(3), -ops.ones(3)), np.tanh(3.25))
    layer = nn.LSTMCell(2, 3)
    weights = layer.weight_ih, layer.weight_hh, layer.bias_ih, layer.bias_hh
    for ours, theirs in zip(lstm_cell(x, (h, h), *weights), layer(x, (h, h)), strict=True):
        assert np.array_equal(ours, theirs)


def test_the_check_of_a_dense_layers_input() -> None:
    check_dense_input_shape((2, 3))
    with pytest.raises(ValueError, match="For 'Dense', the dimension of 'x'"):
        check_dense_input_shape((2,), "Dense")


def test_loss_of_bayesian_layers() -> None:
    """As MindSpore 1.0 does it: the divergences of the first layers are added to the loss."""
    net = nn.SequentialCell([bnn_layers.DenseReparam(3, 2), bnn_layers.DenseReparam(2, 2)])
    x, label = Tensor(np.ones((4, 3), np.float32)), Tensor(np.ones((4, 2), np.float32))
    whole = WithBNNLossCell(net, lambda y, label: y.sum() * 0, 1, 0.5)
    assert float(whole(x, label)) == pytest.approx(0.5 * float(whole.cal_kl_loss()), rel=1e-5)
    assert whole.backbone_network is net
    first, file = gain_bnn_with_loss(1, net, lambda y, label: y.sum() * 0, 1, 0.5)
    file.close()
    assert len(first.kl_loss) == 1
    assert float(first(x, label)) == pytest.approx(0.5 * float(net[0].compute_kl_loss()), rel=1e-5)
