"""Conversion of networks. Judge: a converted network trains, and its parameters have MindSpore 1.9's names."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.nn.quantization.loading import load_nonquant_param_into_quant_net, query_quant_layers
from msbridge.nn.quantization.quantizer import (
    ExportToQuantInferNetwork,
    OptimizeOption,
    QuantizationAwareTraining,
    convert_quant_network,
    create_quant_config,
)

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 4, 32)
IMAGES = (RNG.normal(size=(4, 1, 8, 8))[LABELS] + 0.1 * RNG.normal(size=(32, 1, 8, 8))).astype(np.float32)
LEARNED = {
    "optimize_option": OptimizeOption.LEARNED_SCALE,
    "freeze_bn": 0,
    "symmetric": (True, True),
    "narrow_range": (True, True),
}


class Network(nn.Cell):
    """Convolution, sum, dense layer: what public networks for quantisation are made of."""

    def __init__(self) -> None:
        super().__init__()
        settings = {"has_bn": True, "momentum": 0.5, "weight_init": "xavier_uniform"}
        self.conv1 = nn.Conv2dBnAct(1, 4, 3, activation="relu", **settings)
        self.block = nn.SequentialCell([nn.Conv2dBnAct(4, 4, 3, activation="hswish", **settings)])
        self.add = ops.Add()
        self.flatten = nn.Flatten()
        self.fc = nn.DenseBnAct(4 * 64, 4, weight_init="xavier_uniform")

    def construct(self, x: Tensor) -> Tensor:
        x = self.conv1(x)
        return self.fc(self.flatten(self.add(self.block(x), x)))


def trained(network: nn.Cell, steps: int = 12) -> list[float]:
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(network, loss), nn.Adam(network.trainable_params(), 0.01)).set_train()
    return [float(step(Tensor(IMAGES), Tensor(LABELS.astype(np.int32)))) for _ in range(steps)]


@pytest.mark.parametrize(
    "settings",
    [
        {"per_channel": [True, False], "symmetric": [True, False]},
        {"one_conv_fold": False, "freeze_bn": 6},
        {"bn_fold": False, "quant_delay": 3},
        {"per_channel": (True, False), **LEARNED},
    ],
    ids=["one convolution", "two convolutions", "not folded", "learned"],
)
def test_a_converted_network_trains(settings: dict) -> None:
    ms.set_seed(1)
    network = QuantizationAwareTraining(**settings).quantize(Network())
    losses = trained(network)
    assert losses[-1] < 0.5 * losses[0]
    assert np.isfinite(network.set_train(False)(Tensor(IMAGES)).asnumpy()).all()


def test_names_and_printed_types(capsys: pytest.CaptureFixture) -> None:
    network = QuantizationAwareTraining(quant_dtype=(QuantDtype.INT8, QuantDtype.INT4)).quantize(Network())
    names = {parameter.name for parameter in network.get_parameters()}
    expected = {"conv1.conv.weight", "conv1.conv.moving_mean", "conv1.conv.fake_quant_weight.minq"}
    expected |= {"conv1.activation.fake_quant_act.maxq", "block.0.conv.gamma", "block.0.activation.fake_quant_act.minq"}
    expected |= {"block.0.activation.fake_quant_act_before.minq", "add.fake_quant_act.maxq"}
    assert expected <= names
    query_quant_layers(network)
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert printed["conv1.conv.fake_quant_weight"] == "INT8"
    assert printed["add.fake_quant_act"] == "INT4"
    assert printed["fc.activation.fake_quant_act"] == "INT4"


def test_a_converted_network_starts_from_plain_weights(capsys: pytest.CaptureFixture) -> None:
    plain = Network()
    trained(plain)
    plain.set_train(False)
    values = {parameter.name: ms.Parameter(Tensor(parameter.asnumpy())) for parameter in plain.get_parameters()}
    network = QuantizationAwareTraining(one_conv_fold=False).quantize(Network())
    load_nonquant_param_into_quant_net(network, values, ["step"])
    assert "init model param fc.dense.weight with checkpoint param fc.dense.weight" in capsys.readouterr().out
    x = Tensor(IMAGES)
    agreeing = network.set_train(False)(x).asnumpy().argmax(1) == plain(x).asnumpy().argmax(1)
    assert agreeing.mean() > 0.7


def test_what_is_missing_in_the_file_is_said() -> None:
    network = QuantizationAwareTraining(one_conv_fold=False).quantize(Network())
    values = {parameter.name: parameter for parameter in Network().get_parameters()}
    with pytest.raises(ValueError, match="step"):
        load_nonquant_param_into_quant_net(network, values)
    with pytest.raises(TypeError):
        load_nonquant_param_into_quant_net(network, values, ("step",))


def test_bits_may_be_mixed() -> None:
    quantizer = QuantizationAwareTraining(**LEARNED)
    network = quantizer._set_mixed_bits(quantizer.quantize(Network()), [[8], [4], [2]])
    assert network.fc.dense.fake_quant_weight.quant_dtype is QuantDtype.INT2
    with pytest.raises(ValueError, match="3 blocks"):
        quantizer._set_mixed_bits(network, [[8]])


def test_the_function_of_1_0() -> None:
    network = convert_quant_network(Network(), num_bits=(4, 8), bn_fold=False)
    assert isinstance(network.conv1.conv, nn.Conv2dBnWithoutFoldQuant)
    assert network.conv1.conv.fake_quant_weight.num_bits == 4


def test_export_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="MindIR"):
        ExportToQuantInferNetwork(Network(), Tensor(IMAGES), mean=1)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"bn_fold": 1}, TypeError),
        ({"freeze_bn": -1}, ValueError),
        ({"quant_delay": (0, 0, 0)}, ValueError),
        ({"quant_delay": (0, -1)}, ValueError),
        ({"quant_dtype": "INT8"}, TypeError),
        ({"per_channel": (0, False)}, TypeError),
        ({"per_channel": (False, True)}, ValueError),
        ({"optimize_option": "QAT"}, TypeError),
        ({**LEARNED, "freeze_bn": 1}, ValueError),
        ({**LEARNED, "symmetric": (True, False)}, ValueError),
    ],
)
def test_what_is_refused(settings: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        QuantizationAwareTraining(**settings)


def test_factories_of_observers() -> None:
    config = create_quant_config(quant_dtype=(QuantDtype.INT4, QuantDtype.INT8), per_channel=(True, False))
    observer = nn.DenseQuant(3, 2, quant_config=config).fake_quant_weight
    assert (observer.quant_dtype, observer.per_channel) == (QuantDtype.INT4, True)
