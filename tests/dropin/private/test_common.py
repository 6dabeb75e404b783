"""Small names of private modules. The judge is MindSpore 2.10."""

import importlib

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.dropin.private import common

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("common.api.TOTAL_ARG_LEN", "total_arg_length"),
        ("common.generator.SET_STATE", 3),
        ("common.seed.keyConstant", [3528531795, 2654435769, 3449720151, 3144134277]),
        ("train.serialization.PARAMETER_SPLIT_SIZE", 1073741824),
        (
            "train.serialization.np_type_convert",
            {n: getattr(np, n) for n in ["int32", "float32", "float16", "float64"]},
        ),
        ("train.serialization.mindir_to_tensor_type", common.mindir_to_tensor_type),
        ("train.model.ARG_SPECIFIED", "arg_specified_infos"),
        ("default_config.__backend__", "ms"),
        ("default_config.__package_name__", "mindspore"),
    ],
)
def test_constants_are_where_scripts_import_them(path: str, value: object) -> None:
    module, _, name = path.rpartition(".")
    assert getattr(importlib.import_module(f"mindspore.{module}"), name) == value


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("mindspore.common.no_inline", "no_inline"),
        ("mindspore.run_check", "run_check"),
        ("mindspore.common.api", "PythonTensor"),
        ("mindspore.common.tensor", "check_hook_fn"),
        ("mindspore.train.amp", "AMP_AUTO_WHITE_LIST"),
        ("mindspore.train.serialization", "check_input_data"),
        ("mindspore.dataset.engine", "config"),
    ],
)
def test_names_are_where_scripts_import_them(path: str, name: str) -> None:
    assert hasattr(importlib.import_module(path), name)


def test_data_are_python_s_already() -> None:
    x = Tensor([1])
    data = [1, (x,), {"a": [x]}]
    assert common.convert_python_data(data) is data
    assert data[1][0] is data[2]["a"][0] is x


def test_the_executor_of_graphs_runs_the_cell() -> None:
    from mindspore.common.api import _cell_graph_executor

    cell = nn.ReLU()
    assert _cell_graph_executor(cell, Tensor([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]
    phase, is_new = _cell_graph_executor.compile(cell, Tensor([1.0]), phase="train")
    assert phase.startswith("train.")
    assert is_new
    assert _cell_graph_executor.has_compiled(phase)
    assert not _cell_graph_executor.has_compiled("train")


def test_only_floating_tensors_are_cast() -> None:
    assert common.amp_cast(Tensor([1.0]), ms.float16).dtype == ms.float16
    assert common.amp_cast(Tensor([1]), ms.float16).dtype == ms.int64
    assert common.amp_cast(3, ms.float16) == 3


def test_an_operator_keeps_its_seed() -> None:
    assert (common.get_op_seed(1, "Dropout"), common.get_op_seed(1, "Dropout")) == (1, 1)


def test_mocked_values_are_those_of_a_simulation_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from mindspore.utils import dryrun

    monkeypatch.delenv("MS_SIMULATION_LEVEL", raising=False)
    assert (dryrun.mock(1, 2), dryrun.mock(1, max, 2, 3), dryrun.mock(1, lambda: 4)) == (2, 3, 4)
    monkeypatch.setenv("MS_SIMULATION_LEVEL", "1")
    assert dryrun.mock(1, 2) == 1
    with pytest.raises(RuntimeError, match="not simulated"):
        dryrun.set_simulation()


def test_no_chip_is_tried_for_faults() -> None:
    from mindspore import utils

    assert utils.sdc_detect_start() is utils.sdc_detect_stop() is None
    assert utils.get_sdc_detect_result() is False
    assert utils.stress_detect("other") == 1
    with pytest.raises(RuntimeError, match="Ascend"):
        utils.stress_detect()


def test_the_module_of_dtypes_has_their_classes() -> None:
    assert importlib.import_module("mindspore.common.dtype").typing.Float is type(ms.float32)


def test_blocks_of_recomputation_do_nothing() -> None:
    first, second = common.null_context_fn()
    with first, second:
        pass


def test_dtypes_of_collectives_depend_on_the_device() -> None:
    common.check_collective_target_dtype("x", ms.bfloat16, "AllReduce")
    common.check_collective_target_dtype("x", ms.TensorType(ms.int32), "AllReduce")
    with pytest.raises(TypeError, match="AllReduce"):
        common.check_collective_target_dtype("x", ms.float64, "AllReduce")
