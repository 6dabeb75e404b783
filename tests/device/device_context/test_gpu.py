import pytest
import torch

from msbridge.device.device_context import cpu, gpu


@pytest.mark.parametrize(
    ("switch", "owner"),
    [(gpu.matmul_allow_tf32, torch.backends.cuda.matmul), (gpu.conv_allow_tf32, torch.backends.cudnn)],
)
def test_narrow_products_are_torch_s_switches(switch, owner) -> None:
    before = owner.allow_tf32
    try:
        for value in (not before, before):
            switch(value)
            assert owner.allow_tf32 is value
    finally:
        owner.allow_tf32 = before


@pytest.mark.parametrize("choose", [gpu.conv_fprop_algo, gpu.conv_dgrad_algo, gpu.conv_wgrad_algo])
def test_algorithms_are_measured_on_request(choose, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "benchmark", False)
    choose("performance")
    assert torch.backends.cudnn.benchmark
    choose("normal")
    choose("fft")
    assert not torch.backends.cudnn.benchmark
    with pytest.raises(ValueError, match="'mode' must be one of"):
        choose("best")


def test_threads_of_the_cpu_are_torch_s() -> None:
    before = torch.get_num_threads()
    try:
        cpu.threads_num(1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
