"""Recurrent layers. Judge: torch for values and gradients, the real MindSpore 2.10 for names, lengths and errors."""

import numpy as np
import pytest
import torch
from torch.nn.utils import rnn as packing

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.core.releases.release import set_release
from msbridge.ops.neural.recurrent import kernels
from tests.tensors import arange

KINDS = ["LSTM", "GRU", "RNN"]


def pair(kind: str, **settings):
    ours = getattr(nn, kind)(4, 3, **settings)
    renamed = {"bias" if name == "has_bias" else name: value for name, value in settings.items()}
    theirs = getattr(torch.nn, kind)(4, 3, **renamed)
    theirs.load_state_dict({parameter.name: parameter._data for parameter in ours.get_parameters()})
    return ours, theirs


def flat(states) -> list:
    return list(states) if isinstance(states, tuple) else [states]


def close(result: Tensor, expected: torch.Tensor) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "settings",
    [{}, {"num_layers": 2, "bidirectional": True}, {"batch_first": True}, {"has_bias": False}],
    ids=["plain", "deep and both ways", "batch first", "no bias"],
)
def test_is_torchs(kind, settings) -> None:
    ours, theirs = pair(kind, **settings)
    output, last = ours(arange(3, 2, 4))
    expected, expected_last = theirs(arange(3, 2, 4)._data)
    close(output, expected)
    for mine, other in zip(flat(last), flat(expected_last), strict=True):
        close(mine, other)


@pytest.mark.parametrize("kind", KINDS)
def test_begins_with_a_state(kind) -> None:
    ours, theirs = pair(kind)
    state = (arange(1, 2, 3), arange(1, 2, 3) + 1) if kind == "LSTM" else arange(1, 2, 3)
    raw = tuple(part._data for part in state) if kind == "LSTM" else state._data
    close(ours(arange(3, 2, 4), state)[0], theirs(arange(3, 2, 4)._data, raw)[0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", [{}, {"num_layers": 2, "bidirectional": True}, {"batch_first": True}])
def test_lengths_of_sequences(kind, settings) -> None:
    ours, theirs = pair(kind, **settings)
    x = arange(2, 3, 4) if settings.get("batch_first") else arange(3, 2, 4)
    output, last = ours(x, None, Tensor([1, 3], ms.int32))
    packed = packing.pack_padded_sequence(
        x._data, torch.tensor([1, 3]), settings.get("batch_first", False), enforce_sorted=False
    )
    expected, expected_last = theirs(packed)
    close(output, packing.pad_packed_sequence(expected, settings.get("batch_first", False))[0])
    for mine, other in zip(flat(last), flat(expected_last), strict=True):
        close(mine, other)


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_is_torchs(kind) -> None:
    ours, theirs = pair(kind)
    gradients = ms.grad(lambda x: (ours(x)[0] ** 2).sum(), None, ours.trainable_params())(arange(3, 2, 4))
    (theirs(arange(3, 2, 4)._data)[0] ** 2).sum().backward()
    expected = dict(theirs.named_parameters())
    for parameter, gradient in zip(ours.trainable_params(), gradients, strict=True):
        np.testing.assert_allclose(gradient.asnumpy(), expected[parameter.name].grad.numpy(), rtol=1e-4, atol=1e-6)


def test_order_of_names() -> None:
    names = [parameter.name for parameter in nn.LSTM(2, 3, 2, bidirectional=True).get_parameters()]
    assert names[:5] == ["weight_ih_l0", "weight_ih_l0_reverse", "weight_ih_l1", "weight_ih_l1_reverse", "weight_hh_l0"]
    assert names[-1] == "bias_hh_l1_reverse"
    assert len(names) == 16


def test_initial_range() -> None:
    bound = 1 / np.sqrt(3)
    assert all(np.abs(parameter.asnumpy()).max() <= bound for parameter in nn.LSTM(4, 3).get_parameters())


def test_relu_network() -> None:
    ours, theirs = pair("RNN", nonlinearity="relu")
    close(ours(arange(3, 2, 4))[0], theirs(arange(3, 2, 4)._data)[0])


def test_float16_input_computes_in_float16() -> None:
    assert nn.LSTM(4, 3)(arange(3, 2, 4).astype(ms.float16))[0].dtype == ms.float16


def test_dropout_between_layers_while_training() -> None:
    layer = nn.LSTM(4, 3, 2, dropout=0.5)
    first, again = layer(arange(3, 2, 4))[0].asnumpy(), layer(arange(3, 2, 4))[0].asnumpy()
    np.testing.assert_array_equal(first, again)
    layer.set_train()
    assert (layer(arange(3, 2, 4))[0].asnumpy() != layer(arange(3, 2, 4))[0].asnumpy()).any()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("has_bias", [True, False])
def test_cell_is_torchs(kind, has_bias) -> None:
    ours = getattr(nn, f"{kind}Cell")(4, 3, has_bias)
    theirs = getattr(torch.nn, f"{kind}Cell")(4, 3, bias=has_bias)
    theirs.load_state_dict({parameter.name: parameter._data for parameter in ours.get_parameters()})
    state = (arange(2, 3), arange(2, 3)) if kind == "LSTM" else arange(2, 3)
    raw = tuple(part._data for part in state) if kind == "LSTM" else state._data
    for mine, other in zip(flat(ours(arange(2, 4), state)), flat(theirs(arange(2, 4)._data, raw)), strict=True):
        close(mine, other)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: nn.LSTM(0, 3), ValueError, "input_size"),
        (lambda: nn.LSTM(4, 3, batch_first=1), TypeError, "batch_first"),
        (lambda: nn.LSTM(4, 3, dropout=2.0), ValueError, "dropout"),
        (lambda: nn.RNN(4, 3, nonlinearity="foo"), ValueError, "nonlinearity"),
        (lambda: nn.RNNCell(4, 3, True, "foo"), ValueError, "nonlinearity"),
        (lambda: nn.LSTM(4, 3)(arange(3, 4)), ValueError, "shape"),
        (lambda: nn.GRU(4, 3)(arange(3, 2, 5)), ValueError, "shape"),
        (lambda: nn.GRU(4, 3)(arange(3, 2, 4), arange(2, 2, 3)), ValueError, "state"),
        (lambda: nn.LSTM(4, 3)([1]), AttributeError, "LSTM"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


def test_dynamic_rnn_is_torchs_lstm() -> None:
    module = torch.nn.LSTM(4, 3)
    order = [0, 2, 1, 3]  # torch's gates i, f, g, o as i, j, f, o

    def joined(data: torch.Tensor) -> torch.Tensor:
        return torch.cat([data.chunk(4)[gate] for gate in order])

    weight = torch.cat((joined(module.weight_ih_l0), joined(module.weight_hh_l0)), 1).T.detach()
    bias = joined(module.bias_ih_l0 + module.bias_hh_l0).detach()
    results = ms.ops.DynamicRNN()(arange(3, 2, 4), Tensor(weight), Tensor(bias))
    expected, (_, memory) = module(arange(3, 2, 4)._data)
    assert [part.shape for part in results] == [(3, 2, 3)] * 8
    close(results[0], expected)
    close(results[2][-1], memory[0])


def test_dynamic_gru_is_torchs() -> None:
    module = torch.nn.GRU(4, 3)
    weights = [Tensor(data.T.detach()) for data in (module.weight_ih_l0, module.weight_hh_l0)]
    biases = [Tensor(data.detach()) for data in (module.bias_ih_l0, module.bias_hh_l0)]
    results = ms.ops.DynamicGRUV2()(arange(3, 2, 4), *weights, *biases, None, arange(2, 3))
    close(results[0], module(arange(3, 2, 4)._data, arange(1, 2, 3)._data)[0])
    assert len(results) == 6


@pytest.mark.parametrize("target", ["CPU", "GPU"])
def test_lstm_primitive_unpacks_its_weights(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge: torch; that a CPU has them sorted by kind, and one bias of two, is recorded (`r1_0.recurrent`)."""
    module = torch.nn.LSTM(4, 3, 2, bidirectional=True)
    named = {name: data.detach() for name, data in module.named_parameters()}
    layers = [f"l{layer}{end}" for layer in range(2) for end in ("", "_reverse")]
    if target == "CPU":
        for layer in layers:
            named[f"bias_hh_{layer}"].zero_()
        names = [f"{kind}_{layer}" for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh") for layer in layers]
    else:
        monkeypatch.setattr(kernels, "get_context", lambda name: "GPU")
        kinds = (("weight_ih", "weight_hh"), ("bias_ih", "bias_hh"))
        names = [f"{kind}_{layer}" for pair in kinds for layer in layers for kind in pair]
    flat_weight = Tensor(torch.cat([named[name].flatten() for name in names]).reshape(-1, 1, 1))
    state = arange(4, 2, 3)
    output = ms.ops.LSTM(4, 3, 2, True, True, 0.0)(arange(3, 2, 4), state, state, flat_weight)[0]
    close(output, module(arange(3, 2, 4)._data, (state._data, state._data))[0])


def test_settings_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="direction"):
        ms.ops.DynamicRNN(direction="BIDIRECTIONAL")(arange(3, 2, 4), arange(7, 12), arange(12))


@pytest.mark.parametrize("settings", [{}, {"bidirectional": True}, {"batch_first": True}])
def test_an_lstm_cell_of_old_releases_is_a_layer_whose_weights_are_an_input(settings: dict) -> None:
    """Judge: the layer of 2.10, of the same weights."""
    layer = nn.LSTM(4, 3, has_bias=False, **settings)
    weights = np.concatenate([weight.asnumpy().ravel() for weight in layer.get_parameters()]).reshape(-1, 1, 1)
    with pytest.raises(TypeError, match="dropout"):
        nn.LSTMCell(input_size=4, hidden_size=3, has_bias=False, dropout=0)
    set_release("1.5")
    ours = nn.LSTMCell(input_size=4, hidden_size=3, has_bias=False, dropout=0, **settings)
    set_release(None)
    x, state = arange(5, 5, 4), ms.ops.zeros((1 + settings.get("bidirectional", False), 5, 3))
    output, h, c, *_ = ours(x, state, state, Tensor(weights))
    expected, (h_n, c_n) = layer(x, (state, state))
    for result, wanted in ((output, expected), (h, h_n), (c, c_n)):
        np.testing.assert_allclose(result.asnumpy(), wanted.asnumpy(), rtol=1e-5)
    assert not ours.trainable_params()
