from typing import Any

import pytest
import torch

from msbridge.core.checks import no_effect_warnings
from msbridge.core.context import context
from msbridge.device.ascend import precision
from msbridge.device.device_context import ascend
from msbridge.device.rounding import Rounding


def test_a_precision_mode_is_the_context_s() -> None:
    context.set_device("Ascend")
    ascend.precision_mode("allow_fp32_to_fp16")
    assert context.get_context("ascend_config") == {"precision_mode": "allow_fp32_to_fp16"}
    assert isinstance(precision(), Rounding)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ascend.precision_mode("half"), ValueError),
        (lambda: ascend.op_precision_mode("/no/such/file"), ValueError),
        (lambda: ascend.matmul_allow_hf32("yes"), ValueError),
        (lambda: ascend.conv_allow_hf32("yes"), ValueError),
        (lambda: ascend.op_compile("yes"), TypeError),
        (lambda: ascend.aoe_tune_mode("now"), ValueError),
        (lambda: ascend.aoe_job_type("3"), ValueError),
        (lambda: ascend.aclnn_cache("yes"), ValueError),
        (lambda: ascend.aclnn_cache(True, 0), ValueError),
        (lambda: ascend.execute_timeout(-1), ValueError),
        (lambda: ascend.debug_option("all"), ValueError),
        (lambda: ascend.debug_option(1), TypeError),
        (lambda: ascend.aclinit_config({"speed": "high"}), ValueError),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="For '"):
        call()


def test_narrow_products_are_the_driver_s_switch(devices: Any) -> None:
    modules = devices(npu=1)
    modules.npu.matmul = switch = type(modules.npu)()
    ascend.matmul_allow_hf32(True)
    assert switch.allow_hf32 is True


def test_narrow_products_are_tf32_on_cuda(devices: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    devices(cuda=1)
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)
    context.set_device("Ascend")
    ascend.conv_allow_hf32(True)
    assert torch.backends.cudnn.allow_tf32


def test_narrow_products_on_the_cpu_are_said_to_have_no_effect() -> None:
    context.set_device("Ascend")
    with pytest.warns(no_effect_warnings.WithoutEffectWarning, match="matmul_allow_hf32: value=True has no effect"):
        ascend.matmul_allow_hf32(True)
