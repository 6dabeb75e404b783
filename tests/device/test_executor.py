import json
import os
from pathlib import Path
from typing import Any

import pytest

from msbridge.core.checks import no_effect_warnings
from msbridge.core.context import context
from msbridge.device import executor
from msbridge.device.streams import current_stream


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """The cores that the process was kept on, instead of keeping it."""
    found: list[set[int]] = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cores: found.append(set(cores)), raising=False)
    return found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((True, ["0-2", "5"]), [{0, 1, 2, 5}]),
        ((True, {"device0": ["1"], "device1": ["2"]}), [{1}]),
        ((True, {"device1": ["2"]}), []),
        ((True,), []),
        ((False, ["0-2"]), []),
    ],
)
def test_cores(kept: list[set[int]], given: tuple[Any, ...], expected: list[set[int]]) -> None:
    executor.set_cpu_affinity(*given)
    assert kept == expected


def test_cores_from_a_file(kept: list[set[int]], tmp_path: Path) -> None:
    (tmp_path / "bind.json").write_text(json.dumps({"device0": ["3-4"]}))
    executor.set_cpu_affinity(True, bind_file=tmp_path / "bind.json")
    assert kept == [{3, 4}]


def test_a_range_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="written as '0-7', but got 'all'"):
        executor.set_cpu_affinity(True, ["all"])


def test_cores_for_parts_of_the_runtime_are_said_to_have_no_effect(kept: list[set[int]]) -> None:
    with pytest.warns(no_effect_warnings.WithoutEffectWarning, match="module_to_cpu_dict"):
        executor.set_cpu_affinity(True, None, {"main": [0]})


@pytest.mark.parametrize(("kind", "variable"), [("cuda", "CUDA_LAUNCH_BLOCKING"), ("cpu", None)])
def test_waiting_for_each_operator_is_a_variable_of_the_driver(
    devices: Any, monkeypatch: pytest.MonkeyPatch, kind: str, variable: str | None
) -> None:
    environment: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", environment)
    devices(**({} if kind == "cpu" else {kind: 1}))
    context.set_device("Ascend")
    executor.launch_blocking()
    assert environment == ({} if variable is None else {variable: "1"})


def test_limits_of_cores_are_none() -> None:
    unlimited = {"cube_core_num": -1, "vector_core_num": -1}
    with executor.StreamLimitCtx(current_stream(), 8, 8):
        assert executor.get_stream_limit(current_stream()) == unlimited
    executor.set_device_limit(0, 8, 8)
    assert executor.get_device_limit(0) == unlimited
