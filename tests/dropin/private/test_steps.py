"""What scripts import from the private modules of training steps; the values are those of MindSpore 2.10."""

import importlib

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, RowTensor, Tensor, float16, float32, int32, nn, ops
from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")


def test_gradients_are_scaled() -> None:
    scale = importlib.import_module("mindspore.nn.wrap.loss_scale")._grad_scale
    grads = ops.HyperMap(ops.partial(scale, Tensor(4.0, float32)))((Tensor([2.0]), Tensor([8.0], float16)))
    assert [(grad.asnumpy().tolist(), grad.dtype) for grad in grads] == [([0.5], float32), ([2.0], float16)]


def test_gradients_are_asked_for_an_overflow() -> None:
    overflow = importlib.import_module("mindspore.nn.wrap.loss_scale")._grad_overflow
    asked = ops.HyperMap(overflow)((Tensor([1.0, np.inf]), Tensor([1.0])))
    assert [flag.asnumpy().tolist() for flag in asked] == [[1.0], [0.0]]


def test_a_virtual_dataset_passes_its_inputs_on() -> None:
    cell = importlib.import_module("mindspore.nn.wrap.cell_wrapper")._VirtualDatasetCell(nn.Identity())
    assert cell(3) == 3


def test_the_names_of_activations() -> None:
    names = importlib.import_module("mindspore.nn.layer.activation")._activation
    assert {"relu", "gelu", "hswish", "logsoftmaxExt"} <= names.keys()


def test_layers_with_torchs_arguments_are_those_of_mint() -> None:
    layers, mint = importlib.import_module("mindspore.nn"), importlib.import_module("mindspore.mint").nn
    for name in ("AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool2d", "Dropout2d", "Dropout", "L1Loss"):
        assert getattr(layers, f"{name}Ext") is getattr(mint, name)
    assert importlib.import_module("mindspore.nn.layer.pooling").MaxPool2dExt is mint.MaxPool2d
    assert importlib.import_module("mindspore.nn.loss").L1LossExt is mint.L1Loss


def test_a_graph_kernel_is_a_cell_with_a_flag() -> None:
    """r1.x has it; the compiler fuses such Cells by the flag."""

    class Add(importlib.import_module("mindspore.nn").GraphKernel):
        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            return x + y

    cell = Add()
    assert cell(1, 2) == 3
    assert cell.get_flags() == {"graph_kernel": "Add"}


def test_accumulated_gradients_are_scaled_and_forgotten() -> None:
    module = importlib.import_module("mindspore.nn.wrap.loss_scale")
    scale, grad, accumulated = (Tensor([number], float32) for number in (4.0, 2.0, 8.0))
    assert module.tensor_grad_scale_pipeline(scale, grad, accumulated).asnumpy().tolist() == [2.0]
    assert accumulated.asnumpy().tolist() == [0.0]
    other = Tensor([8.0], float32)
    assert module.shard_grad_scale(scale, grad, other).asnumpy().tolist() == [0.5]
    assert other.asnumpy().tolist() == [0.0]


def test_gradients_of_rows_are_scaled() -> None:
    module = importlib.import_module("mindspore.nn.wrap.loss_scale")
    rows = RowTensor(Tensor([1], int32), Tensor([[2.0, 4.0]], float16), (3, 2))
    found = module._grad_scale(Tensor(4.0, float32), rows)
    assert found.values.asnumpy().tolist() == [[0.5, 1.0]]
    assert found.values.dtype == float16
    assert found.dense_shape == (3, 2)


def test_the_module_of_schedules_leaves_their_function() -> None:
    module, profiler = (importlib.import_module(f"mindspore.profiler{rest}") for rest in (".schedule", ""))
    assert module.ProfilerAction.RECORD.value == 2
    assert (
        profiler.schedule(wait=1, active=1, warmup=1).to_dict() == module.Schedule(wait=1, active=1, warmup=1).to_dict()
    )


def test_parameters_of_one_process_stay() -> None:
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    reduced = importlib.import_module("mindspore.nn.wrap.cell_wrapper").AllreduceGraph
    (result,) = reduced([weight], "hccl_world_group")()
    assert result.asnumpy().tolist() == weight.asnumpy().tolist() == [1.0, 2.0]


def test_norms_of_each_process_are_not_added_up() -> None:
    asked = importlib.import_module(
        "mindspore.ops._grad_experimental.grad_comm_ops"
    ).get_squared_device_local_norm_param
    with pytest.raises(ValueError, match="dump_device_local_norm"):
        asked()
    with pytest.warns(WithoutEffectWarning, match="dump_device_local_norm"):
        ms.set_auto_parallel_context(dump_device_local_norm=True)
    try:
        with pytest.raises(NotImplementedError, match="dump_device_local_norm"):
            asked()
    finally:
        ms.reset_auto_parallel_context()


def test_parts_of_a_batch_by_their_old_path() -> None:
    part = importlib.import_module("mindspore.nn.wrap.cell_wrapper")._MicroBatch(2)
    assert part(1, Tensor([1, 2, 3, 4]))[0].asnumpy().tolist() == [3, 4]
