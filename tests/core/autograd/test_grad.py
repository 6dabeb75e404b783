"""Gradient functions leave no trace, and state that changes under them is right. Values: the oracle replay."""

import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.context import context
from msbridge.core.context.grad_state import running


@pytest.fixture
def weight() -> Parameter:
    return Parameter(Tensor([2.0]), name="w")


def test_recording_is_off_afterwards(weight: Parameter) -> None:
    ms.value_and_grad(lambda x: x * weight, None, [weight])(Tensor([3.0]))
    assert not weight._data.requires_grad
    assert not (weight * 2)._data.requires_grad


def test_recording_is_off_after_an_exception(weight: Parameter) -> None:
    def fail(x: Tensor) -> Tensor:
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        ms.grad(fail, 0, weight)(Tensor([3.0]))
    assert not weight._data.requires_grad
    assert not running()


def test_outputs_carry_no_history(weight: Parameter) -> None:
    value, gradient = ms.value_and_grad(lambda x: x * weight, 0, weight)(Tensor([3.0]))
    assert not value._data.requires_grad
    assert not any(part._data.requires_grad for part in gradient)


def test_assignment_inside_is_written_back(weight: Parameter) -> None:
    storage = weight._data

    def step(x: Tensor) -> Tensor:
        ops.assign(weight, weight * 3)
        return x * weight

    value, gradient = ms.value_and_grad(step, 0, weight)(Tensor([2.0]))
    assert value.tolist() == [12.0]
    assert gradient[1].tolist() == [2.0]  # that of what is read after it, as in 2.10
    assert weight._data is storage
    assert weight.value().tolist() == [6.0]


def test_a_write_to_an_input_reaches_the_caller() -> None:
    x = Tensor([1.0, 2.0])

    def step(a: Tensor) -> Tensor:
        a[0] = 5.0
        return a * a

    assert ms.grad(step)(x).tolist() == [0.0, 4.0]
    assert x.tolist() == [5.0, 2.0]


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
def test_gradients_flow_through_what_is_written_into_a_tensor_made_inside(mode: int) -> None:  # recorded from 2.10
    def loss(x: Tensor) -> Tensor:
        parts = ops.zeros(3, ms.float32)
        parts[1] = (x * 2).sum()
        parts[0], parts[2] = (x * 3).sum(), (x * x).sum()
        parts[0] *= 2
        parts[1] *= 3
        return parts.sum()

    context.set_context(mode=mode)
    assert ms.grad(loss)(Tensor([1.0, 2.0, 3.0])).tolist() == [14.0, 16.0, 18.0]


def test_batch_norm_statistics_change_once_under_a_gradient() -> None:
    norm = nn.BatchNorm1d(2).set_train()
    x = Tensor([[1.0, 2.0], [3.0, 6.0]])
    ms.grad(lambda a: norm(a).sum(), None, norm.trainable_params())(x)
    torch.testing.assert_close(norm.moving_mean._data, torch.tensor([0.2, 0.4]))
    assert not norm.moving_mean._data.requires_grad


def test_nested_gradients_of_weights(weight: Parameter) -> None:
    inner = ms.grad(lambda x: x * weight * weight)
    assert ms.grad(lambda x: inner(x), None, weight)(Tensor([5.0])).tolist() == [4.0]


def test_grad_inside_vmap() -> None:
    per_sample = ms.vmap(ms.grad(lambda a: (a * a * a).sum()))
    assert per_sample(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist() == [[3.0, 12.0], [27.0, 48.0]]


def test_hooks_on_parameters_change_gradients(weight: Parameter) -> None:
    handle = weight.register_hook(lambda grad: grad * 10)
    gradient = ms.grad(lambda x: x * weight, None, weight)
    assert gradient(Tensor([3.0])).tolist() == [30.0]
    handle.remove()
    assert gradient(Tensor([3.0])).tolist() == [3.0]


def test_has_aux_differentiates_the_first_output_only(weight: Parameter) -> None:
    (loss, aux), gradient = ms.value_and_grad(lambda x: (x * weight, x * 7), 0, None, has_aux=True)(Tensor([3.0]))
    assert (loss.tolist(), aux.tolist(), gradient.tolist()) == ([6.0], [21.0], [2.0])


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.9")
def test_a_network_can_be_exported_as_a_compiled_step(weight: Parameter) -> None:
    """Inside a compiled region gradients are taken by torch.func, in one graph."""
    step = ms.value_and_grad(lambda x: (x * weight).sum(), None, [weight])

    def run(data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        loss, (gradient,) = step(Tensor(data))
        return loss._data, gradient._data

    loss, gradient = torch.compile(run, fullgraph=True, backend="eager")(torch.tensor([3.0]))
    assert (loss.item(), gradient.tolist()) == (6.0, [3.0])


@pytest.mark.parametrize(
    ("sens", "expected"),
    [
        (Tensor(2.0), [0.0, 4.0, 8.0]),
        (Tensor([2.0]), [0.0, 4.0, 8.0]),
        (Tensor([[2.0]]), [0.0, 4.0, 8.0]),
        (Tensor([2.0, 1.0, 1.0]), [0.0, 2.0, 4.0]),
        (2.0, [0.0, 4.0, 8.0]),
        (Tensor([2.0, 1.0]), ValueError),
        (Tensor(2.0, ms.float16), TypeError),
    ],
)
def test_the_gradient_of_the_output_broadcasts_in_graphs(sens: object, expected: object) -> None:
    """As scripts of graph mode use it, whose loss has shape (1,); PyNative mode of 2.10 refuses it."""

    class Square(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * x

    gradient = ops.GradOperation(sens_param=True)(Square())
    x = Tensor([0.0, 1.0, 2.0])
    ms.set_context(mode=ms.GRAPH_MODE)
    if isinstance(expected, list):
        assert gradient(x, sens).asnumpy().tolist() == expected
    else:
        with pytest.raises(expected):
            gradient(x, sens)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    if not isinstance(sens, Tensor) or sens.ndim == 0:
        with pytest.raises(RuntimeError, match="scalar"):
            gradient(x, sens)
