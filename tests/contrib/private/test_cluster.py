"""Names of mindspore.utils for clusters. The judge is MindSpore 2.10 on a CPU."""

import sys
from types import ModuleType

import numpy as np
import pytest

from msbridge import Tensor
from msbridge.contrib.private.cluster import (
    ExitByRequest,
    RSCPluginHandle,
    TftHandle,
    TraceBack,
    no_inject_traceback_for_print,
)


def test_alone_nobody_is_asked_to_leave() -> None:
    request, gradients = ExitByRequest(), Tensor([1.0])
    assert not request.is_distributed
    assert request.exit_by_request(gradients, None, None) is gradients  # type: ignore[arg-type]


def test_mindio_does_nothing_without_an_ascend(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MS_ENABLE_TFT", "{ARF:1}")
    monkeypatch.setenv("MS_ENABLE_RECOVERY", "")
    handle = TftHandle()
    handle.init()
    assert handle.get_tft() is None
    assert "Ascend" in capsys.readouterr().err
    import os

    assert (os.environ["MS_ENABLE_TFT"], os.environ["MS_ENABLE_RECOVERY"]) == ("{ARF:1,TTP:1}", "1")


def test_mindio_needs_a_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MS_ENABLE_TFT", "{RSC:1}")
    with pytest.raises(ValueError, match="MS_ENABLE_TFT"):
        TftHandle().init()


def test_without_a_controller_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MS_ENABLE_TFT", "{RSC:1}")
    handle = RSCPluginHandle()
    assert handle.check_enable()
    assert not handle.register_callback({"stop": print})
    with pytest.raises(RuntimeError, match="no controller"):
        handle.start()
    with pytest.raises(ValueError, match="func_map"):
        handle.register_callback([print])  # type: ignore[arg-type]


def test_a_controller_gets_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, taken = ModuleType("taskd.api.taskd_agent_api"), {}
    vars(agent).update(
        init_taskd_agent=lambda settings: True, register_func=taken.__setitem__, start_taskd_agent=taken.clear
    )
    for name, module in {
        "taskd": ModuleType("taskd"),
        "taskd.api": ModuleType("taskd.api"),
        agent.__name__: agent,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    handle = RSCPluginHandle()
    assert handle.register_callback({"stop": print})
    assert taken == {"stop": print}
    handle.start()
    assert not taken


def test_a_place_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    trace = TraceBack()
    double = trace.inject(lambda x: 2 * x)
    assert [double(x) for x in (1, 2)] == [2, 4]
    assert len(trace.stack_str_set) == capsys.readouterr().err.count("[WARNING]") == 1


def test_text_is_that_of_the_values() -> None:
    assert no_inject_traceback_for_print(Tensor(np.arange(3))) == "[0 1 2]"
