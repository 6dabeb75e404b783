"""Names and numbers of devices, on stand-ins for torch's modules."""

from types import SimpleNamespace
from typing import Any

import pytest

from msbridge.core.context import context
from msbridge.device import hardware
from msbridge.device.device_context import ascend, gpu


@pytest.fixture
def gpus(devices: Any) -> Any:
    modules = devices(cuda=2)
    found = SimpleNamespace(name="RTX", total_memory=2**30, major=9, minor=0, multi_processor_count=4, warp_size=32)
    modules.cuda.answers.update(get_device_properties=found, mem_get_info=(2**20, 2**30), get_device_capability=(9, 0))
    return modules


def test_what_is_known_of_a_gpu(gpus: Any) -> None:
    assert hardware.is_available("GPU")
    assert hardware.device_count("GPU") == 2
    assert hardware.get_device_name(1, "GPU") == "RTX"
    assert hardware.get_device_capability(0, "GPU") == (9, 0)
    properties = hardware.get_device_properties(0, "GPU")
    assert (properties.total_memory, properties.free_memory, properties.warp_size) == (2**30, 2**20, 32)


def test_an_ascend_is_there_once_it_is_emulated(gpus: Any) -> None:
    assert not ascend.is_available()
    with pytest.raises(ValueError, match="There is no Ascend"):
        hardware.device_count("Ascend")
    context.set_device("Ascend")
    assert ascend.is_available()
    assert ascend.device_count() == 2
    assert hardware.get_device_name(0) == "Ascend emulated by msbridge on RTX"


def test_an_ascend_on_the_cpu_says_so(devices: Any) -> None:
    devices()
    context.set_device("Ascend")
    assert hardware.get_device_name(0) == "Ascend emulated by msbridge on CPU"
    assert hardware.get_device_properties(0) is None
    assert hardware.device_count() == ascend.device_count() == 1


def test_a_real_ascend_has_its_own_name(devices: Any) -> None:
    module = devices(npu=8).npu
    module.answers.update(get_device_properties=SimpleNamespace(name="910B", total_memory=2**35), mem_get_info=(1, 2))
    assert hardware.is_available("Ascend")
    assert hardware.device_count("Ascend") == 8


@pytest.mark.parametrize("ask", [gpu.device_count, ascend.device_count])
def test_counting_what_is_not_there_is_an_error(devices: Any, ask: Any) -> None:
    """As on the oracle's CPU."""
    devices()
    with pytest.raises(RuntimeError, match="There is no"):
        ask()


def test_the_cpu_always_runs() -> None:
    assert hardware.is_initialized("CPU")
    assert not hardware.is_initialized("Ascend")
