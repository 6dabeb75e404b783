"""Hooks of Cells: handles, parameters computed by a function, and what is left when they are gone."""

import gc
import weakref

import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn


class Scaled(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor(2.0, ms.float32), name="weight")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.weight


def test_a_cell_calls_plainly_again_after_its_last_hook() -> None:
    net = Scaled()
    first, second = net.register_forward_hook(lambda *_: None), net.register_forward_pre_hook(lambda *_: None)
    first.remove()
    assert net._special is not None
    second.remove()
    second.remove()
    assert net._special is None


def test_a_handle_does_not_keep_its_cell() -> None:
    net = Scaled()
    handle, reference = net.register_forward_hook(lambda *_: None), weakref.ref(net)
    del net
    gc.collect()
    assert reference() is None
    handle.remove()


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_parameter_is_computed_for_a_call_and_gradients_flow_through(is_whole: bool) -> None:
    """The numbers are those of MindSpore's documentation, whose hook acts in graph mode."""
    net = Scaled()
    net.register_parameter_forward_hook(
        (lambda weight: weight * 10) if is_whole else [{"params": [net.weight], "hook": lambda weight: weight * 10}]
    )
    out, (by_input, (by_weight,)) = ms.value_and_grad(net, 0, net.trainable_params())(Tensor(3.0, ms.float32))
    assert (out.item(), by_input.item(), by_weight.item(), net.weight.item()) == (60, 20, 30, 2)


@pytest.mark.parametrize(
    ("hook", "error"),
    [(1, TypeError), ([{"params": []}], ValueError), ([{"params": [1], "hook": len}], TypeError)],
)
def test_parameter_hooks_that_are_none_are_refused(hook: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        Scaled().register_parameter_forward_hook(hook)  # type: ignore[arg-type]


def test_a_hook_that_fails_after_a_failure_is_told_of_and_the_failure_raised() -> None:
    class Failing(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise ValueError("first")

    def hook(*_: object) -> None:
        raise KeyError("second")

    net = Failing()
    net.register_forward_hook(hook, always_call=True)
    with pytest.warns(UserWarning, match="second"), pytest.raises(ValueError, match="first"):
        net(Tensor(1.0))
