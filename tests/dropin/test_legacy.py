"""Names of MindSpore's private modules; the values of the parallel settings are those of MindSpore 2.10."""

from collections.abc import Iterator

import pytest

from msbridge.core.context import get_auto_parallel_context, reset_auto_parallel_context
from msbridge.dropin.legacy import auto_parallel_context, cell_attr_register


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    reset_auto_parallel_context()
    yield
    reset_auto_parallel_context()


def test_split_indices_are_the_fusion_setting() -> None:
    auto_parallel_context().set_all_reduce_fusion_split_indices([2, 4], "hccl_world_groupsum6")
    assert auto_parallel_context().get_all_reduce_fusion_split_indices() == [2, 4]
    assert get_auto_parallel_context("all_reduce_fusion_config") == [2, 4]


def test_the_defaults() -> None:
    context = auto_parallel_context()
    assert context.get_device_num() == 1
    assert context.get_gradients_mean() is False
    assert context.get_parallel_mode() == "stand_alone"
    assert context.get_pipeline_stages() == 1


def test_what_is_set_is_what_the_public_functions_read() -> None:
    auto_parallel_context().set_gradients_mean(True)
    auto_parallel_context().set_loss_repeated_mean(False)
    auto_parallel_context().set_device_num(4)
    auto_parallel_context().set_parallel_mode("data_parallel")
    read = map(get_auto_parallel_context, ("gradients_mean", "loss_repeated_mean", "device_num", "parallel_mode"))
    assert list(read) == [True, False, 4, "data_parallel"]
    auto_parallel_context().reset()
    assert get_auto_parallel_context("gradients_mean") is False


def test_a_decorated_init_is_left_alone() -> None:
    class Net:
        @cell_attr_register
        def __init__(self, width: int) -> None:
            self.width = width

    class Other:
        @cell_attr_register(attrs=["width"])
        def __init__(self, width: int) -> None:
            self.width = width

    assert (Net(2).width, Other(3).width) == (2, 3)
