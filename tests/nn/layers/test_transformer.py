"""Attention and transformers. Judge: torch for values and gradients, the real MindSpore 2.10 for names and errors."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.core.releases.release import set_release
from msbridge.nn import transformer as parallel
from tests.tensors import arange

RENAMED = {"dense1": "linear1", "dense2": "linear2", "gamma": "weight", "beta": "bias"}
CAUSAL = np.triu(np.ones((3, 3), bool), 1)


def copied(ours: nn.Cell, theirs: torch.nn.Module) -> torch.nn.Module:
    state = {}
    for name, parameter in ours.parameters_and_names():
        state[".".join(RENAMED.get(part, part) for part in name.split("."))] = parameter._data
    theirs.load_state_dict(state)
    return theirs.eval()


def close(result: Tensor, expected: torch.Tensor) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-5)


Q, K = arange(3, 2, 4) / 3, arange(5, 2, 4) / 5


@pytest.mark.parametrize(
    ("settings", "theirs"),
    [
        ({}, {}),
        ({"has_bias": False, "add_zero_attn": True}, {"bias": False, "add_zero_attn": True}),
        ({"add_bias_kv": True}, {"add_bias_kv": True}),
    ],
)
def test_attention_is_torchs(settings, theirs) -> None:
    layer = nn.MultiheadAttention(4, 2, **settings)
    module = copied(layer, torch.nn.MultiheadAttention(4, 2, **theirs))
    for mine, other in zip(layer(Q, K, K), module(Q._data, K._data, K._data), strict=True):
        close(mine, other)


def test_keys_and_values_of_other_sizes() -> None:
    layer = nn.MultiheadAttention(4, 2, kdim=3, vdim=5)
    module = copied(layer, torch.nn.MultiheadAttention(4, 2, kdim=3, vdim=5))
    keys, values = arange(5, 2, 3), arange(5, 2, 5)
    close(layer(Q, keys, values)[0], module(Q._data, keys._data, values._data)[0])
    names = [parameter.name for parameter in layer.get_parameters()]
    assert names[:4] == ["q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias"]


@pytest.mark.parametrize("as_floats", [False, True])
def test_masks(as_floats) -> None:
    layer = nn.MultiheadAttention(4, 2)
    module = copied(layer, torch.nn.MultiheadAttention(4, 2))
    mask = np.where(CAUSAL, -np.inf, 0).astype(np.float32) if as_floats else CAUSAL
    padding = np.array([[False, False, True], [False, False, False]])
    result = layer(Q, Q, Q, Tensor(padding), True, Tensor(mask))
    expected = module(Q._data, Q._data, Q._data, torch.tensor(padding), True, torch.tensor(CAUSAL))
    for mine, other in zip(result, expected, strict=True):
        close(mine, other)


def test_shapes_of_attention() -> None:
    layer = nn.MultiheadAttention(4, 2)
    assert len(layer(Q, K, K, need_weights=False)) == 1
    assert layer(Q, K, K, average_attn_weights=False)[1].shape == (2, 2, 3, 5)
    assert [part.shape for part in layer(arange(3, 4), arange(5, 4), arange(5, 4))] == [(3, 4), (3, 5)]
    first = nn.MultiheadAttention(4, 2, batch_first=True)
    assert first(arange(2, 3, 4), arange(2, 5, 4), arange(2, 5, 4))[0].shape == (2, 3, 4)


@pytest.mark.parametrize("settings", [{}, {"norm_first": True, "batch_first": True, "activation": "gelu"}])
def test_layers_are_torchs(settings) -> None:
    encoder = nn.TransformerEncoderLayer(4, 2, 8, **settings)
    module = copied(encoder, torch.nn.TransformerEncoderLayer(4, 2, 8, **settings))
    close(encoder(Q), module(Q._data))
    decoder = nn.TransformerDecoderLayer(4, 2, 8, **settings)
    module = copied(decoder, torch.nn.TransformerDecoderLayer(4, 2, 8, **settings))
    close(decoder(Q, Q + 1), module(Q._data, Q._data + 1))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch's advice about its own fast path
def test_transformer_is_torchs() -> None:
    ours = nn.Transformer(4, 2, 2, 1, 8)
    theirs = copied(ours, torch.nn.Transformer(4, 2, 2, 1, 8))
    mask = Tensor(CAUSAL)
    close(ours(K, Q, tgt_mask=mask), theirs(K._data, Q._data, tgt_mask=mask._data))


def test_gradient_reaches_every_parameter() -> None:
    ours = nn.Transformer(4, 2, 1, 1, 8)
    gradients = ms.grad(lambda x: (ours(x, x) ** 3).sum(), None, ours.trainable_params())(Q)
    assert all(np.isfinite(gradient.asnumpy()).all() for gradient in gradients)
    assert sum(bool(gradient.asnumpy().any()) for gradient in gradients) > len(gradients) - 3


def test_names_and_copies() -> None:
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
    names = [parameter.name for parameter in encoder.get_parameters()]
    assert names[:3] == [
        "layers.0.self_attn.in_proj_weight",
        "layers.0.self_attn.in_proj_bias",
        "layers.0.self_attn.out_proj.weight",
    ]
    first, second = (layer.dense1.weight for layer in encoder.layers)
    np.testing.assert_array_equal(first.asnumpy(), second.asnumpy())
    assert first is not second


def test_layers_draw_while_training() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.5).set_train()
    assert (layer(Q).asnumpy() != layer(Q).asnumpy()).any()


def test_activation_may_be_a_cell_or_function() -> None:
    assert nn.TransformerEncoderLayer(4, 2, 8, activation=nn.ReLU())(Q).shape == Q.shape
    assert nn.TransformerEncoderLayer(4, 2, 8, activation=ms.ops.relu)(Q).shape == Q.shape


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: nn.MultiheadAttention(5, 2), ValueError, "divisible"),
        (lambda: nn.TransformerEncoderLayer(4, 2, 8, activation="foo"), ValueError, "activation"),
        (lambda: nn.TransformerEncoderLayer(4, 2, 8, activation=nn.Tanh()), ValueError, "activation"),
        (lambda: nn.Transformer(4, 2, 1, 1, 8)(Q, arange(3, 1, 4)), ValueError, "batch"),
        (lambda: nn.Transformer(4, 2, 1, 1, 8)(arange(3, 2, 5), Q), ValueError, "last axes"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


def test_attention_to_itself_over_batches_is_torchs_with_its_gradients() -> None:
    ours = nn.MultiheadAttention(4, 2, batch_first=True)
    theirs = copied(ours, torch.nn.MultiheadAttention(4, 2, batch_first=True))
    x, data = arange(2, 3, 4), to_torch_with_gradient(arange(2, 3, 4))
    gradient = ms.grad(lambda x: (ours(x, x, x, need_weights=False)[0] ** 2).sum())(x)
    expected = theirs(data, data, data, need_weights=False)[0]
    (expected**2).sum().backward()
    close(ours(x, x, x, need_weights=False)[0], expected)
    close(gradient, data.grad)


def to_torch_with_gradient(tensor: Tensor) -> torch.Tensor:
    return torch.from_numpy(tensor.asnumpy()).requires_grad_()


OLD = {"hidden_size": 8, "ffn_hidden_size": 16, "batch_size": 2, "num_heads": 2}
PLACES = {"src_seq_length": 4, "tgt_seq_length": 4}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("TransformerEncoderLayer", {"seq_length": 4}),
        ("TransformerDecoderLayer", PLACES),
        ("TransformerEncoder", {"seq_length": 4, "num_layers": 1}),
        ("TransformerDecoder", {**PLACES, "num_layers": 1}),
        ("Transformer", PLACES),
    ],
)
def test_r1_makes_the_parallel_layer(name: str, arguments: dict) -> None:
    """In r1.x the names of mindspore.nn.transformer are mindspore.nn's."""
    set_release("1.8")
    assert type(getattr(nn, name)(**OLD, **arguments)) is getattr(parallel, name)
    set_release(None)
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        getattr(nn, name)(**OLD, **arguments)
