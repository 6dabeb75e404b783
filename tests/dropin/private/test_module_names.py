"""Names of MindSpore's private modules; the values of the parallel settings are those of MindSpore 2.10."""

import inspect
from collections.abc import Iterator

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.core.context.context import get_auto_parallel_context, reset_auto_parallel_context
from msbridge.dropin.private.module_names import (
    assignment,
    auto_parallel_context,
    calculate_correct_fan,
    calculate_fan_in_and_fan_out,
    calculate_gain,
    cell_attr_register,
    opt_init_args_register,
    random_normal,
)


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


def test_every_setting_has_its_methods() -> None:
    context = auto_parallel_context()
    assert (context.get_device_num_is_set(), context.get_parameter_broadcast_is_set()) == (False, False)
    context.set_device_num(4)
    context.set_parameter_broadcast(True)
    context.set_full_batch(True)
    assert (context.get_device_num_is_set(), context.get_parameter_broadcast_is_set()) == (True, True)
    assert (context.get_parameter_broadcast(), context.get_full_batch()) == (True, True)
    assert context.get_global_rank_is_set() is False
    with pytest.raises(AttributeError, match="get_nothing"):
        context.get_nothing()


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


def test_what_initializers_of_scripts_call() -> None:
    """Judge: MindSpore 2.10."""
    assert calculate_fan_in_and_fan_out((4, 3, 2, 2)) == (12, 16)
    assert calculate_correct_fan((4, 3, 2, 2), "fan_out") == 16
    assert [calculate_gain(*given) for given in (("relu",), ("leaky_relu",), ("leaky_relu", 0.2), ("tanh",))] == (
        [1.4142135623730951, 1.4141428569978354, 1.3867504905630728, 5 / 3]
    )
    assert assignment(np.zeros(2), 3.0).tolist() == [3.0, 3.0]
    assert assignment(np.zeros(()), 3.0).tolist() == 3.0
    with pytest.raises(ValueError, match="at least two axes"):
        calculate_fan_in_and_fan_out((4,))
    with pytest.raises(ValueError, match="fan_in"):
        calculate_correct_fan((4, 3), "fan")


def test_random_normal_fills_what_it_gets_by_its_seeds() -> None:
    drawn = [Tensor(np.full((100, 100), 5, np.float32)) for _ in range(3)]
    assert all(random_normal((100, 100), seed, 2, tensor) for seed, tensor in zip((1, 1, 3), drawn, strict=True))
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()
    assert abs(drawn[0].mean()) < 0.05  # 5 standard errors
    assert abs(drawn[0].std() - 1) < 0.05


def test_an_optimizers_registered_init_shows_no_names_and_keeps_its_arguments() -> None:  # as in MindSpore 2.10
    class Own(nn.Optimizer):
        @opt_init_args_register
        def __init__(self, params: list, learning_rate: float = 1e-3, beta: float = 0.9, clip: bool = False) -> None:
            super().__init__(learning_rate, params)

    assert list(inspect.signature(Own.__init__).parameters) == ["self", "args", "kwargs"]
    made = Own(nn.Dense(2, 2).trainable_params(), beta=0.5)
    assert (made.init_learning_rate, made.init_args) == (1e-3, {"beta": 0.5, "clip": False})
    assert made.__dict__["init_args"] == made.init_args
