"""What Cells of earlier releases had. The judges are MindSpore 1.0.0 and 2.0.0."""

import numpy as np
import pytest

from msbridge import Tensor, dtype, nn
from msbridge.core.releases.release import set_release


@pytest.fixture(autouse=True)
def follow_2_0() -> None:
    set_release("2.0")


def test_inputs_are_cast_as_the_cell_computes() -> None:
    cell, x = nn.Dense(2, 3), Tensor(np.ones(2, np.float32))
    assert cell.auto_cast_inputs((x, 1))[0] is x
    found = cell.to_float(dtype.float16).auto_cast_inputs((x, (x,), Tensor([1])))
    assert (found[0].dtype, found[1][0].dtype, found[2].dtype) == (dtype.float16, dtype.float16, dtype.int64)
    assert cell.cast_param(cell.weight) is cell.weight


def test_what_parallel_modes_asked_a_cell_for_does_nothing() -> None:
    cell = nn.Dense(2, 3)
    assert cell.set_auto_parallel() is None
    assert cell.load_parameter_slice(None) is None
    assert cell.set_parallel_input_with_inputs(1) is None
    assert cell.set_param_fl() is None
    assert cell.get_func_graph_proto() is None
    assert not cell.auto_parallel_compile_and_run()


def test_the_parameters_of_a_stage() -> None:
    cell = nn.Dense(2, 3)
    with pytest.raises(RuntimeError, match="weight belongs to no stage"):
        cell.infer_param_pipeline_stage()
    cell.weight.add_pipeline_stage(0)
    cell.bias.add_pipeline_stage(1)
    assert cell.infer_param_pipeline_stage() == [cell.weight]


@pytest.mark.parametrize(
    ("arguments", "error"), [(("a", 0), ValueError), (("MS_WORKER", "0"), TypeError), (("MS_WORKER", 0), RuntimeError)]
)
def test_a_cell_is_not_run_elsewhere(arguments: tuple[object, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        nn.Dense(2, 3).place(*arguments)


def test_what_needs_a_server_or_a_compiled_graph_is_refused() -> None:
    with pytest.raises(RuntimeError, match="parameter server"):
        nn.Dense(2, 3).set_param_ps()
    assert nn.ReLU().set_param_ps() is None
    with pytest.raises(RuntimeError, match="nothing was compiled"):
        nn.Dense(2, 3).exec_checkpoint_graph()


def test_flatten_weights_keeps_values_in_one_block() -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    before = net(Tensor(np.ones((1, 2), np.float32))).asnumpy()
    (block,) = net.flatten_weights()
    assert block.shape == (13,)
    assert np.array_equal(net(Tensor(np.ones((1, 2), np.float32))).asnumpy(), before)


def test_cells_of_2_10_have_none_of_these() -> None:
    set_release(None)
    assert not any(hasattr(nn.Dense(2, 3), name) for name in ("cast", "flatten_weights", "place", "set_param_ps"))


def test_the_name_of_the_class_is_read_only() -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.cls_name = "other"

    assert nn.Dense(2, 3).cls_name == "Dense"
    with pytest.raises(AttributeError):
        Named()
    assert "cls_name" in dir(nn.Cell)
