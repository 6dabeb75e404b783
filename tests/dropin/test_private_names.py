"""What libraries import from MindSpore's private modules; the values are those of MindSpore 2.10."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.dropin.forwarding import rows
from msbridge.dropin.private_engine import (
    auto_black_list,
    create_amp_strategy,
    function_forbid_reuse,
    get_cache_prim,
    handle_loss,
    is_sharding_propagation,
    load_dismatch_prefix_params,
    no_init_parameters,
    pynative_executor,
)
from msbridge.dropin.private_layers import (
    RNNCellBase,
    _Conv,
    deconv_output_length,
    gru_cell,
    lstm_cell,
    rnn_relu_cell,
    rnn_tanh_cell,
)


@pytest.mark.usefixtures("dropin")
def test_every_renamed_name_is_there() -> None:
    import importlib

    def found(path: str, name: str) -> bool:
        return hasattr(importlib.import_module(path), name)

    assert [f"{row.path}.{name}" for row in rows().values() for name in row.rename if not found(row.path, name)] == []


def test_nothing_is_recorded_in_no_grad() -> None:
    def half(x: Tensor) -> Tensor:
        with ms._no_grad():
            constant = x * 2
        return x * constant

    @ms._no_grad()
    def square(x: Tensor) -> Tensor:
        return x * x

    assert ms.grad(half)(Tensor([3.0])).asnumpy() == [6.0]
    assert ms.grad(lambda x: square(x) + x)(Tensor([3.0])).asnumpy() == [1.0]
    assert torch.is_grad_enabled()


def test_no_grad_ends_with_an_error() -> None:
    with pytest.raises(ValueError, match="ours"), ms._no_grad():
        raise ValueError("ours")
    assert torch.is_grad_enabled()


def test_the_executor_turns_recording_off_and_on() -> None:
    was = pynative_executor.enable_grad()
    pynative_executor.set_enable_grad(False)
    assert (was, pynative_executor.enable_grad()) == (True, False)
    pynative_executor.set_enable_grad(was)
    pynative_executor.sync()
    with pytest.raises(AttributeError, match="value_and_grad"):
        _ = pynative_executor.new_graph


def test_a_primitive_is_made_once() -> None:
    make = get_cache_prim(ops.ReduceSum)
    assert make(True) is make(True)
    assert make(True) is not make(False)
    assert make(keep_dims=True)(Tensor([[1.0, 2.0]]), 1).asnumpy().tolist() == [[3.0]]


def test_only_functions_are_marked() -> None:
    def own() -> int:
        return 1

    assert function_forbid_reuse(own)() == 1
    with pytest.raises(TypeError, match="function type"):
        function_forbid_reuse(3)  # type: ignore[type-var]


def test_parameters_without_a_checkpoint_have_values() -> None:
    with no_init_parameters():
        net = nn.Dense(3, 2)
    assert np.abs(net.weight.asnumpy()).max() > 0


def test_black_listed_cells_stay_wide() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    assert auto_black_list(net, [nn.BatchNorm1d], ms.float16) is net
    assert net(Tensor([[1.0, 2.0]])).dtype == ms.float16


def test_names_with_a_prefix_more_are_loaded() -> None:
    net = nn.Dense(2, 1, has_bias=True)
    loaded = {"backbone.bias": Parameter(Tensor([7.0]), name="backbone.bias")}
    missing = ["bias"]
    with pytest.warns(UserWarning, match="backbone"):
        load_dismatch_prefix_params(net, loaded, missing, False)
    assert missing == []
    assert net.bias.asnumpy() == [7.0]


def test_a_loss_is_made_a_number() -> None:
    assert handle_loss(Tensor([1.0, 2.0])) == 1.5
    assert handle_loss((Tensor(3.0), 1)).asnumpy() == 3.0
    assert handle_loss(2) == 2


def test_propagation_is_a_search_mode() -> None:
    assert is_sharding_propagation() is False


def test_precision_inside_the_engine_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="auto_mixed_precision"):
        create_amp_strategy(3, ms.float16, [], [])  # type: ignore[arg-type]


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


@pytest.mark.usefixtures("dropin")
def test_types_of_arguments_are_checked() -> None:
    from mindspore._checkparam import args_type_check

    @args_type_check(epochs=int, name=(str, list))
    def run(epochs: int, name: str | None = None) -> int:
        return epochs

    assert run(2) == run(2, None) == 2
    with pytest.raises(TypeError, match="'epochs' must be"):
        run("2")  # type: ignore[arg-type]


@pytest.mark.usefixtures("dropin")
def test_the_chip_is_named_where_one_is_emulated() -> None:
    from mindspore._c_expression import MSContext

    assert MSContext.get_instance().get_ascend_soc_version() in ("", "ascend910")
