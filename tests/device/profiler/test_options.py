import pytest
from torch.profiler import ProfilerActivity as TorchActivity

from msbridge.core.checks import no_effect_warnings
from msbridge.device.profiler import options
from msbridge.device.profiler.options import ProfilerActivity, ProfilerLevel, _ExperimentalConfig

CPU, GPU, NPU = ProfilerActivity.CPU, ProfilerActivity.GPU, ProfilerActivity.NPU


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, {TorchActivity.CPU, TorchActivity.CUDA}),
        ([CPU], {TorchActivity.CPU}),
        ([NPU], {TorchActivity.CUDA}),
        ([CPU, GPU], {TorchActivity.CPU, TorchActivity.CUDA}),
        ([], {TorchActivity.CPU}),
    ],
)
def test_the_device_is_what_torch_can_see(monkeypatch, asked, expected) -> None:
    monkeypatch.setattr(options, "supported_activities", lambda: {TorchActivity.CPU, TorchActivity.CUDA})
    assert set(options.torch_activities(asked)) == expected


def test_without_a_device_the_host_is_recorded(monkeypatch) -> None:
    monkeypatch.setattr(options, "supported_activities", lambda: {TorchActivity.CPU})
    assert options.torch_activities([NPU]) == [TorchActivity.CPU]


def test_counters_are_kept_and_said_to_have_no_effect() -> None:
    with pytest.warns(no_effect_warnings.WithoutEffectWarning, match="_ExperimentalConfig: profiler_level="):
        found = _ExperimentalConfig(profiler_level=ProfilerLevel.Level1)
    assert found.profiler_level is ProfilerLevel.Level1
    _ExperimentalConfig(mstx=True)
