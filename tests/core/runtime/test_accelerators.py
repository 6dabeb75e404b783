"""torch's accelerators by stand-ins: no test needs a device."""

from typing import Any

import pytest
import torch

from msbridge.core.context import context
from msbridge.core.runtime import accelerators
from tests.processes import python


@pytest.mark.parametrize(
    ("counts", "target", "kind"),
    [
        ({}, "CPU", "cpu"),
        ({}, "GPU", "cpu"),
        ({}, "Ascend", "cpu"),
        ({"cuda": 1}, "CPU", "cpu"),
        ({"cuda": 1}, "GPU", "cuda"),
        ({"cuda": 1}, "Ascend", "cuda"),
        ({"mps": 1}, "GPU", "mps"),
        ({"mps": 1}, "Ascend", "cpu"),
        ({"npu": 1, "cuda": 1}, "Ascend", "npu"),
        ({"npu": 1}, "GPU", "cpu"),
    ],
)
def test_what_stands_for_a_device(devices: Any, counts: dict[str, int], target: str, kind: str) -> None:
    devices(**counts)
    assert accelerators.kind_for(target) == kind


@pytest.mark.parametrize(
    ("counts", "target"), [({}, "CPU"), ({"cuda": 1}, "GPU"), ({"npu": 1, "cuda": 1}, "Ascend"), ({"mps": 1}, "CPU")]
)
def test_what_is_used_when_a_script_names_none(devices: Any, counts: dict[str, int], target: str) -> None:
    devices(**counts)
    assert accelerators.best_target() == target


def test_the_second_of_several_becomes_torch_s_current_device(devices: Any) -> None:
    found = devices(cuda=2)
    context.set_device("GPU", 1)
    assert context.torch_device() == torch.device("cuda", 1)
    assert found.cuda.made == [("set_device", 1)]


def test_a_device_that_is_not_there_is_refused(devices: Any) -> None:
    devices(cuda=2)
    context.set_device("GPU", 2)
    with pytest.raises(RuntimeError, match=r"There is no GPU 2: this machine has 2, numbered from 0\."):
        context.torch_device()


def test_an_emulated_ascend_may_have_any_number(devices: Any) -> None:
    devices(cuda=2)
    context.set_device("Ascend", 7)
    assert context.torch_device() == torch.device("cuda", 1)
    assert context.get_current_device() == ("Ascend", 7)


@pytest.mark.parametrize(
    ("target", "name", "expected"),
    [
        ("GPU", "CPU", "cpu"),
        ("GPU", "GPU", "cuda:1"),
        ("GPU", "cuda:0", "cuda:0"),
        ("GPU", "Ascend", "cuda:1"),
        ("CPU", "GPU", "cuda:0"),
        ("CPU", "GPU:1", "cuda:1"),
    ],
)
def test_devices_by_name(devices: Any, target: str, name: str, expected: str) -> None:
    devices(cuda=2)
    context.set_device(target, 1)
    assert context.device_named(name) == torch.device(expected)


@pytest.mark.parametrize("name", ["TPU", "cuda:", "GPU:one", ""])
def test_a_name_of_no_device_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="A device is 'CPU', 'GPU' or 'Ascend'"):
        context.device_named(name)


def test_the_cache_that_is_emptied_is_the_device_s(devices: Any) -> None:
    found = devices(cuda=1, mps=1)
    accelerators.empty_cache(torch.device("mps"))
    accelerators.empty_cache(torch.device("cpu"))
    assert (found.mps.made, found.cuda.made) == ([("empty_cache",)], [])


def test_random_states_are_the_device_s(devices: Any) -> None:
    found = devices(cuda=1, mps=1)
    state = torch.zeros(1, dtype=torch.uint8)
    for name in ("cpu", "cuda:0", "mps"):
        accelerators.set_random_state(torch.device(name), state)
    assert found.cuda.made == [("set_rng_state", state, torch.device("cuda:0"))]
    assert found.mps.made == [("set_rng_state", state)]
    assert accelerators.random_state(torch.device("cpu")) is None


@pytest.mark.parametrize(("name", "expected"), [("cpu", "gloo"), ("mps", "gloo"), ("cuda:1", "nccl")])
def test_processes_talk_in_the_device_s_way(name: str, expected: str) -> None:
    assert accelerators.collectives(torch.device(name)) == expected


@pytest.mark.process
def test_an_npu_is_what_its_package_brings(tmp_path: Any) -> None:
    """torch_npu renames torch's backend for private use and registers a module; a stand-in does the same."""
    (tmp_path / "torch_npu.py").write_text(
        "import torch, types\n"
        "npu = types.ModuleType('npu')\n"
        "npu.is_available, npu.device_count, npu.set_device = lambda: True, lambda: 8, print\n"
        "npu._is_in_bad_fork, npu.current_device = lambda: False, lambda: 0\n"
        "torch.utils.rename_privateuse1_backend('npu')\n"
        "torch._register_device_module('npu', npu)\n"
    )
    program = (
        "import msbridge as ms\n"
        "from msbridge.core.runtime import accelerators; from msbridge.core.context import context\n"
        "assert context.device_target() == 'Ascend'\n"
        "ms.set_device('Ascend', 3)\nassert str(context.torch_device()) == 'npu:3'\n"
        "assert accelerators.collectives(context.torch_device()) == 'hccl'\n"
        "from msbridge.device.ascend import is_emulated\nassert not is_emulated()\n"
    )
    done = python("-c", program, env={"PYTHONPATH": str(tmp_path), "PATH": ""})
    assert (done.stdout, done.stderr) == ("3\n", "")
