"""The memory of what graphs return. The recorded cases are in tests/oracle/cases/parameter_memory.py."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.jit.graph_results import apart


@pytest.fixture
def weight() -> Parameter:
    return Parameter(Tensor(np.array([1.0, 2.0, 3.0, 4.0], np.float32)), name="w")


def test_results_that_nothing_else_holds_are_not_copied() -> None:
    def computed() -> Tensor:
        return (ms.ops.ones((2, 2)) * 2).reshape((4,))

    result = computed()
    data = result._data
    del data
    assert apart(result, ()) is result
    assert apart((result, 1, {"a": None}), ())[0] is result


def test_views_of_what_somebody_holds_are_copied(weight: Parameter) -> None:
    for take in (lambda: weight[1:3], lambda: weight.reshape((2, 2)).T, lambda: weight.astype(ms.float32)):
        found = apart(take(), ())
        assert found._data.untyped_storage().data_ptr() != weight._data.untyped_storage().data_ptr()


def test_gradients_flow_through_what_a_function_of_jit_returns(weight: Parameter) -> None:
    @ms.jit
    def pair(x: Tensor) -> tuple[Tensor, Tensor]:
        return x * 2, weight

    gradients = ms.grad(lambda x: (lambda y, w: (y * w).sum())(*pair(x)), 0, [weight])(ops.ones((4,)))
    np.testing.assert_array_equal(gradients[0].asnumpy(), 2 * weight.asnumpy())
    np.testing.assert_array_equal(gradients[1][0].asnumpy(), 2 * np.ones(4))


@pytest.mark.parametrize("module", ["to_torch", "from_torch"])
def test_parameters_that_share_memory_with_a_torch_module_keep_it(module: str) -> None:
    import torch

    cell = nn.Dense(2, 2) if module == "to_torch" else ms.from_torch(torch.nn.Linear(2, 2))
    weight = next(iter(cell.get_parameters()))
    of_torch = ms.to_torch(cell).weight if module == "to_torch" else cell.module.weight
    weight.set_data(ops.ones((2, 2)))
    assert of_torch.sum().item() == 4.0


def test_optimizers_go_on_with_the_memory_that_parameters_have(weight: Parameter) -> None:
    optimizer = nn.Adam([weight], 0.1)
    gradients = (ops.ones((4,)),)
    optimizer(gradients)
    weight.set_data(Tensor(np.full(4, 5.0, np.float32)))
    for moment in (optimizer.moment1[0], optimizer.moment2[0]):
        moment.set_data(ops.zeros((4,)))
    optimizer(gradients)
    assert (weight.asnumpy() < 5.0).all()
    assert (optimizer.moment1[0].asnumpy() > 0.0).all()


def test_transposed_values_are_laid_out_in_order(weight: Parameter) -> None:
    square = Parameter(weight.reshape((2, 2)), name="s")
    square.set_data(weight.reshape((2, 2)).T)
    assert square._data.is_contiguous()
    np.testing.assert_array_equal(square.asnumpy(), [[1.0, 3.0], [2.0, 4.0]])
