"""The emulated Ascend. Judge: torch run in the narrower dtype; the memory split of the 32 GB part."""

import numpy as np
import pytest
import torch

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.device import MemorySplit, MemoryUse, SinkExecutor, limit_memory, measure_step
from msbridge.device.ascend import GIB, is_emulated, precision


def test_split_of_the_32_gb_part():
    split = MemorySplit()
    assert (split.parameters_gib, split.feature_maps_gib, split.communication_gib) == (5, 26, 1)


def test_ascend_without_npu_is_emulated(ascend):
    assert is_emulated()


def test_cpu_is_not_emulated():
    context.set_context(device_target="CPU")
    assert not is_emulated()


def test_what_does_not_fit_is_named_with_need_and_limit():
    use = MemoryUse(parameter_bytes=6 * GIB, feature_map_bytes=GIB)
    assert use.list_overflows(MemorySplit()) == ["parameters need 6.00 GiB of 5 GiB"]


def test_report_has_a_line_per_part():
    lines = MemoryUse(parameter_bytes=GIB, feature_map_bytes=13 * GIB).report().splitlines()
    assert [line.split("(")[1] for line in lines] == ["20.0%)", "50.0%)", "0.0%)"]


def test_feature_maps_are_what_autograd_keeps():
    weight = torch.ones(1000, requires_grad=True)
    state = [Tensor(weight)]

    def step(value: Tensor) -> Tensor:
        hidden = (weight * value._data).exp()  # keeps its own result; value and weight are known already
        hidden.sum().backward()
        return Tensor(hidden.detach())

    _, use = measure_step(step, [Tensor(np.ones(1000, np.float32))], state)
    assert use == MemoryUse(parameter_bytes=4000, feature_map_bytes=4000)


def test_step_over_the_limit_is_refused(ascend):
    state = [Tensor(np.ones(1000, np.float32))]
    limit_memory(MemorySplit(parameters_gib=1000 / GIB))
    executor = SinkExecutor(lambda value: value, iter([(Tensor(np.zeros(1, np.float32)),)]), 1, state)
    with pytest.raises(RuntimeError, match="parameters need"):
        executor.run()


def test_precision_mode_narrows_the_matrix_unit_only_when_asked(ascend):
    value, kernel = torch.rand(1, 1, 6, 6), torch.rand(1, 1, 3, 3)
    expected = torch.conv2d(value.half(), kernel.half()).float()
    with precision():
        assert not torch.equal(torch.conv2d(value, kernel), expected)
    context.set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})
    with precision():
        result = torch.conv2d(value, kernel)
        product = torch.matmul(value, value)
        activation = torch.exp(value)
    assert result.dtype == torch.float32
    assert torch.equal(result, expected)
    assert torch.equal(product, torch.matmul(value.half(), value.half()).float())
    assert torch.equal(activation, torch.exp(value))


def test_precision_mode_narrows_sort(ascend):
    context.set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})
    with precision():
        values, indices = torch.sort(torch.tensor([1.0001, 1.0]))
    assert values.tolist() == [1.0, 1.0]
    assert indices.dtype == torch.int64


def test_precision_mode_narrows_products_when_forced(ascend):
    context.set_context(ascend_config={"precision_mode": "force_fp16"})
    value = torch.rand(4, 4)
    with precision():
        result = torch.matmul(value, value)
    assert torch.equal(result, torch.matmul(value.half(), value.half()).float())


def test_gradient_flows_through_narrowed_convolution(ascend):
    context.set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})
    kernel = torch.rand(1, 1, 3, 3, requires_grad=True)
    with precision():
        torch.conv2d(torch.ones(1, 1, 3, 3), kernel).sum().backward()
    assert kernel.grad.dtype == torch.float32
    assert torch.equal(kernel.grad, torch.ones(1, 1, 3, 3))


def test_unknown_precision_mode_is_refused(ascend):
    with pytest.raises(ValueError, match="'fp8'"):
        context.set_context(ascend_config={"precision_mode": "fp8"})
    context.set_context(device_target="CPU")
    context.set_context(ascend_config={"precision_mode": "fp8"})  # nobody looks at it there
    context.set_context(device_target="Ascend")
    with pytest.raises(ValueError, match="'fp8'"):
        precision()


def test_precision_mode_is_for_the_ascend_alone():
    context.set_context(device_target="CPU", ascend_config={"precision_mode": "force_fp16"})
    value = torch.rand(4, 4)
    with precision():
        assert torch.equal(value @ value, torch.matmul(value, value))
