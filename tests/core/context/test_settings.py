"""Sizes and choices that the context looks at on some devices. Judge: MindSpore 2.10's own checks, called on a CPU."""

import pytest

from msbridge.core.context import context

BAD = ["3 GB", "3gb", "3", "abc", "0GB", "0.GB", "-1GB", "1024MB", ".5GB", "5.5.GB", "1e3GB", "", " 3GB", "3GB "]


@pytest.fixture(autouse=True)
def as_it_was():
    context.set_context(device_target="Ascend")


@pytest.mark.parametrize("name", ["max_device_memory", "mempool_block_size", "variable_memory_max_size"])
@pytest.mark.parametrize("size", BAD)
def test_what_is_no_size_is_refused(name: str, size: str) -> None:
    with pytest.raises(ValueError, match=name):
        context.set_context(**{name: size})


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("max_device_memory", ["0.5GB", "3GB", "3.5GB", "5.GB", "2048GB"], []),
        ("mempool_block_size", ["1GB", "3.5GB", "5.GB", "2048GB"], ["0.5GB", "0.9GB"]),
        ("variable_memory_max_size", ["1GB", "31GB"], ["0.5GB", "3.5GB", "31.5GB", "32GB"]),
    ],
)
def test_ranges_of_sizes(name: str, good: list[str], bad: list[str]) -> None:
    for size in good:
        context.set_context(**{name: size})
    if name != "variable_memory_max_size":
        assert context.get_context(name) == float(good[-1][:-2])
    for size in bad:
        with pytest.raises(ValueError, match=name):
            context.set_context(**{name: size})


def test_a_device_that_does_not_know_a_size_ignores_it() -> None:
    context.set_context(device_target="CPU")
    context.set_context(mempool_block_size="abc")
    assert context.get_context("mempool_block_size") == 1.0
    with pytest.raises(TypeError, match="max_device_memory"):
        context.set_context(max_device_memory=3)


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ({"precision_mode": "fp8"}, ValueError),
        ({"precision_mode": None}, ValueError),
        ({"nonsense": 1}, ValueError),
        ({"jit_compile": 3}, ValueError),
        ({"atomic_clean_policy": 2}, ValueError),
        ({"matmul_allow_hf32": "a"}, ValueError),
        ({"op_precision_mode": 3}, TypeError),
        ({"hccl_watchdog": 3}, TypeError),
    ],
)
def test_what_an_ascend_does_not_know_is_refused(setting: dict, error: type[Exception]) -> None:
    with pytest.raises(error, match=next(iter(setting))):
        context.set_context(ascend_config=setting)


def test_a_misspelt_mode_is_told_the_one_that_was_meant() -> None:
    with pytest.raises(ValueError, match="force_fp16"):
        context.set_context(ascend_config={"precision_mode": "force_fp61"})


def test_listeners_are_told_of_changes_and_of_what_was_set_before() -> None:
    told = []
    context.set_context(max_call_depth=9)
    context.on_change(lambda: told.append(context.get_context("max_call_depth")))
    with context.preserve_context():
        context.set_context(max_call_depth=8)
    context._listeners.pop()
    assert told == [9, 8, 9]


@pytest.mark.parametrize(
    ("name", "value"),
    [("enable_ge", False), ("precision_mode", ""), ("infer_boost", "off"), ("save_checkpoint_steps", 0)],
)
def test_what_the_runtime_sets_for_itself_may_be_asked_for(name: str, value: object) -> None:
    assert context.get_context(name) == value


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [("jit_compile", True, "1"), ("atomic_clean_policy", 0, "0"), ("precision_mode", "force_fp32", "force_fp32")],
)
def test_what_was_set_of_the_ascend_is_told_there_alone(name: str, value: object, told: str) -> None:
    """Follows: mindspore.context (2.10), which hands texts to the device."""
    context.set_context(ascend_config={name: value})
    assert context.get_context(name) == told
    context.set_context(device_target="CPU")
    assert context.get_context(name) == ""
