"""Debug mode: hooks between the operations of map. Judge: MindSpore 2.10."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import msbridge.dataset as ds
from msbridge.dataset import debug
from tests.dataset.pipelines import column, counting


@pytest.fixture(autouse=True)
def _off() -> Iterator[None]:
    yield
    ds.config.set_debug_mode(False)


def test_hooks_see_what_goes_in_and_comes_out(capfd: pytest.CaptureFixture[str]) -> None:
    ds.config.set_debug_mode(True, [debug.PrintDataHook()])
    assert column(counting(1).map([lambda a: a + 2, ds.transforms.TypeCast("float32")], "a")) == [2.0]
    assert capfd.readouterr().out.splitlines() == [
        "[Dataset debugger] Print the [INPUT] of the operation [<lambda>].",
        "Column 0. The data is [0].",
        "[Dataset debugger] Print the [OUTPUT] of the operation [<lambda>].",
        "Column 0. The data is [2].",
        "[Dataset debugger] Print the [OUTPUT] of the operation [TypeCast].",
        "Column 0. The data is [2.0].",
    ]


def test_the_usual_hook_prints_dtypes_and_shapes(capfd: pytest.CaptureFixture[str]) -> None:
    ds.config.set_debug_mode(True)
    column(counting(1).map(lambda a: a, "a"))
    assert "Column 0. The dtype is [int64]. The shape is [()]." in capfd.readouterr().out


def test_a_hook_among_the_operations_changes_nothing() -> None:
    seen: list[Any] = []

    class Hook(debug.DebugHook):
        def compute(self, *args: Any) -> Any:
            seen.append((args[0][0].tolist(), self.prev_op_name))

    assert column(counting(2).map([lambda a: a + 1, Hook()], "a")) == [1, 2]
    assert seen == [(1, None), (2, None)]


def test_a_pipeline_runs_in_the_calling_thread() -> None:
    ds.config.set_debug_mode(True, [debug.PrintDataHook()])
    here: list[bool] = []

    def seen(a: Any) -> Any:
        here.append(threading.current_thread() is threading.main_thread())
        return a

    data = counting(3).map(seen, "a").batch(2).create_dict_iterator(num_epochs=2, output_numpy=True)
    assert [len(list(data)), len(list(data))] == [2, 2]
    assert here == [True] * 6


def test_hooks_are_checked() -> None:
    with pytest.raises(TypeError, match="must be of type DebugHook"):
        ds.config.set_debug_mode(True, [1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="abstract"):
        debug.DebugHook()  # type: ignore[abstract]
