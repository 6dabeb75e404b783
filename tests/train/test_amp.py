"""Mixed precision and loss scales. Judge: MindSpore 2.10 on CPU."""

import numpy as np
import pytest

from msbridge import nn, ops
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.device import ledger
from msbridge.train import DynamicLossScaleManager, FixedLossScaleManager, LossMonitor, amp
from tests.train.helpers_model import data, dense, model


class Net(nn.Cell):
    """One Cell of each kind that the lists name."""

    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 1, 1)
        self.bn = nn.BatchNorm2d(1)
        self.fc = nn.Dense(1, 1)
        self.ln = nn.LayerNorm((1,))
        self.seen = []

    def construct(self, x):
        for cell in (self.c, self.bn, self.fc, self.ln):
            x = cell(x)
            self.seen.append(str(x.dtype))
        return x


ONE = Tensor(np.ones((1, 1, 1, 1), np.float32))


@pytest.mark.parametrize("level", amp.LEVELS)
def test_parameters_and_result_stay_float32(level):
    network = amp.auto_mixed_precision(Net(), level)
    assert network(ONE).dtype == mstype.float32
    assert {str(parameter.dtype) for parameter in network.get_parameters()} == {"Float32"}


@pytest.mark.parametrize(
    ("level", "seen"),
    [("O0", "Float32"), ("O1", "Float32"), ("O2", "Float16"), ("O3", "Float16")],
)
def test_what_cells_hand_on(level, seen):
    network = Net()
    amp.auto_mixed_precision(network, level)(ONE)
    assert network.seen == [seen] * 4


def test_of_level_auto_operators_choose():
    """A convolution returns Float16; normalisation, and what a bias is added to, Float32."""
    network = Net()
    amp.auto_mixed_precision(network, "auto")(ONE)
    assert network.seen == ["Float16", "Float32", "Float32", "Float32"]


def test_o2_keeps_normalisation_in_float32():
    network = amp.auto_mixed_precision(Net(), "O2")
    names = [(path, type(cell).__name__) for path, cell in network.cells_and_names()]
    assert names == [
        *(("", "_OutputTo32"), ("_backbone", "Net"), ("_backbone.c", "Conv2d")),
        *(("_backbone.bn", "_OutputTo16"), ("_backbone.bn._backbone", "BatchNorm2d"), ("_backbone.fc", "Dense")),
        *(("_backbone.ln", "_OutputTo16"), ("_backbone.ln._backbone", "LayerNorm")),
    ]


def test_o3_wraps_no_cell():
    network = amp.auto_mixed_precision(Net(), "O3")
    assert [path for path, _ in network.cells_and_names()][2:] == [
        *("_backbone.c", "_backbone.bn", "_backbone.fc", "_backbone.ln")
    ]


def test_o1_keeps_names_and_gives_another_object():
    network = Net()
    narrow = amp.auto_mixed_precision(network, "O1")
    assert narrow is not network
    assert [path for path, _ in narrow.cells_and_names()] == ["", "c", "bn", "fc", "ln"]
    assert narrow.fc.weight is network.fc.weight


def test_o1_computes_products_in_float16():
    network = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
    value = Tensor(np.array([[1.0001]], np.float32))
    assert network(value).item() == pytest.approx(1.0001, abs=1e-7)
    assert amp.auto_mixed_precision(network, "O1")(value).item() == 1.0


def test_o1_reaches_functions_that_are_written_with_listed_primitives():
    """MindSpore 2.10 computes `ops.mm` with its MatMul; `@` and methods of Tensors call a kernel at once."""

    class Products(nn.Cell):
        def construct(self, x):
            return ops.mm(x, x).item(), (x @ x).item(), x.mm(x).item(), ops.matmul(x, x).item()

    value = Tensor(np.array([[1.0001]], np.float32))
    narrow, *wide = amp.auto_mixed_precision(Products(), "O1")(value)
    assert narrow == 1.0
    assert wide == pytest.approx([1.0002] * 3, abs=1e-6)


def test_o1_changes_the_cells_below_in_place():
    network = nn.SequentialCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.ReLU())
    amp.auto_mixed_precision(network, "O1")
    assert network(Tensor(np.array([[1.0001]], np.float32))).item() == 1.0


def test_bfloat16():
    network = Net()
    assert amp.auto_mixed_precision(network, "O3", mstype.bfloat16)(ONE).dtype == mstype.float32
    assert network.seen == ["BFloat16"] * 4


@pytest.mark.parametrize(
    ("level", "expected"),
    [("O1", [7.363462448120117, 1.2461351156234741]), ("O3", [7.363462448120117, 1.2464646100997925])],
)
def test_losses_of_a_training(level, expected, capsys):
    model(amp_level=level).train(1, data(2), callbacks=LossMonitor())
    losses = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert losses == pytest.approx(expected, rel=1e-3)  # the gradient is rounded to 10 bits at another place


def test_fixed_scale_multiplies_the_gradients(capsys):
    """Without the same loss_scale in the optimizer, the update is too large; so it is in MindSpore."""
    model(loss_scale_manager=FixedLossScaleManager(128.0, False)).train(1, data(2), callbacks=LossMonitor())
    losses = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert losses == pytest.approx([7.365286827087402, 237.22262573242188])


def test_o2_scales_dynamically_by_default():
    trained = model(amp_level="O2")
    assert type(trained.train_network).__name__ == "TrainOneStepWithLossScaleCell"
    assert type(model(amp_level="O2", loss_scale_manager=None).train_network).__name__ == "TrainOneStepCell"


def test_lists():
    assert [kind.__name__ for kind in amp.get_black_list()] == [
        *("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm")
    ]
    names = [kind.__name__ for kind in amp.get_white_list()]
    assert names[:3] == ["Conv1d", "Conv2d", "Conv3d"]
    assert names[-1] == "Ger"


def test_own_white_list():
    network = nn.SequentialCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.ReLU())
    narrow = amp.custom_mixed_precision(network, white_list=[nn.Dense])
    assert [path for path, _ in narrow.cells_and_names()] == ["", "0", "1"]
    result = narrow(Tensor(np.array([[1.0001]], np.float32)))
    assert (result.item(), result.dtype) == (1.0, mstype.float32)


def test_own_black_list():
    network = nn.SequentialCell(nn.Dense(1, 1), nn.ReLU())
    narrow = amp.custom_mixed_precision(network, black_list=[nn.Dense])
    assert type(narrow._backbone[0]).__name__ == "_OutputTo16"
    assert narrow(Tensor([[1.0]])).dtype == mstype.float32


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: amp.auto_mixed_precision(Net(), "O4"), ValueError, "O4 is not supported"),
        (lambda: amp.auto_mixed_precision(1, "O2"), TypeError, "should be Cell"),
        (lambda: amp.auto_mixed_precision(Net(), "O2", mstype.int32), ValueError, "dtype"),
        (lambda: amp.custom_mixed_precision(Net()), ValueError, "one of white_list and black_list"),
        (lambda: amp.custom_mixed_precision(Net(), white_list=[], black_list=[]), ValueError, "same time"),
        (lambda: amp.custom_mixed_precision(Net(), white_list=[1]), TypeError, "should be a class"),
        (lambda: amp.build_train_network(Net(), None, level="O9"), ValueError, "'level' should be in"),
        (lambda: amp.StaticLossScaler(0), ValueError, "scale_value"),
        (lambda: amp.StaticLossScaler("a"), TypeError, "scale_value"),
        (lambda: amp.DynamicLossScaler(4, 0, 2), ValueError, "scale_factor"),
        (lambda: amp.DynamicLossScaler(4, 2, 0), ValueError, "scale_window"),
        (lambda: amp.DynamicLossScaler(4, 2.5, 2), TypeError, "scale_factor"),
        (lambda: amp.all_finite(1), TypeError, "all_finite"),
        (lambda: FixedLossScaleManager(0), ValueError, "loss_scale"),
        (lambda: DynamicLossScaleManager(0), ValueError, "init_loss_scale"),
        (lambda: DynamicLossScaleManager(2.0, 2, 0), ValueError, "scale_window"),
        (amp.LossScaler, TypeError, "abstract"),
    ],
)
def test_bad_argument(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_static_scaler():
    scaler = amp.StaticLossScaler(8.0)
    assert scaler.scale(Tensor(2.0)).item() == 16
    assert scaler.unscale((Tensor(8.0), Tensor(2.0)))[1].item() == 0.25
    assert scaler.unscale({"a": Tensor(8.0)})["a"].item() == 1
    assert scaler.scale(Tensor(2.0, mstype.float16)).dtype == mstype.float16
    assert scaler.adjust(Tensor(True)) is False


def test_dynamic_scaler():
    scaler = amp.DynamicLossScaler(4.0, 2, 2)
    found = []
    for finite in (True, True, False, True, True):
        assert scaler.adjust(Tensor(finite)) is True
        found.append(scaler.scale_value.item())
    assert found == [4.0, 8.0, 4.0, 4.0, 8.0]


def test_dynamic_scaler_stays_above_one():
    scaler = amp.DynamicLossScaler(1.0, 2, 2)
    scaler.adjust(Tensor(False))
    assert scaler.scale_value.item() == 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1.0], True), ([float("nan")], False), ([float("inf")], False), ([-float("inf")], False)],
)
def test_all_finite(values, expected):
    result = amp.all_finite((Tensor([1.0]), [Tensor(values)]))
    assert (result.item(), result.dtype, result.shape) == (expected, mstype.bool_, ())


def test_dynamic_manager():
    manager = DynamicLossScaleManager(16.0, 2, 3)
    found = []
    for overflow in (True, False, False, False, False):
        manager.update_loss_scale(overflow)
        found.append(manager.get_loss_scale())
    assert found == [8, 8, 8, 16, 16]


def test_dynamic_manager_reads_tensors_only_when_asked():
    manager = DynamicLossScaleManager(16.0, 2, 3)
    for overflow in (True, False, False, False):
        link.count_step()
        manager.update_loss_scale(Tensor(overflow))
    assert ledger.host_syncs == 0
    assert manager.get_loss_scale() == 16
    assert ledger.host_syncs == 1


def test_managers():
    fixed, dynamic = FixedLossScaleManager(), DynamicLossScaleManager()
    assert (fixed.get_loss_scale(), fixed.get_drop_overflow_update()) == (128.0, True)
    assert type(fixed.get_update_cell()).__name__ == "FixedLossScaleUpdateCell"
    assert FixedLossScaleManager(1024.0, False).get_update_cell() is None
    assert (dynamic.get_loss_scale(), dynamic.get_drop_overflow_update()) == (2**24, True)
    assert dynamic.get_update_cell().get_loss_scale() == 2**24


def test_build_train_network():
    network = dense()
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    manager = FixedLossScaleManager(8.0, False)
    step = amp.build_train_network(network, optimizer, nn.MSELoss(), loss_scale_manager=manager)
    assert (type(step).__name__, type(step.network).__name__, step.sens) == ("TrainOneStepCell", "WithLossCell", 8.0)


def test_a_scaler_of_a_user_scales_as_the_documentation_of_mindspore_shows() -> None:
    tree = Tensor([2.0]), [Tensor([4.0], mstype.float16)]
    scaled = amp._grad_scale_map(Tensor(8.0), tree)
    assert (scaled[0].asnumpy().tolist(), scaled[1][0].dtype) == ([16.0], mstype.float16)
    assert amp._grad_unscale_map(Tensor(8.0), scaled)[1][0].asnumpy().tolist() == [4.0]
