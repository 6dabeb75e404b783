"""The data that one thread binds to a Tensor, no other sees: gradients and inference side by side."""

import copy
import os
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.tensor.thread_local_data import put_back, put_in_place
from tests.core.threads import in_thread


class Net(nn.Cell):
    """Two layers; `pause` is called between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(4, 6)
        self.norm = nn.BatchNorm1d(6)
        self.last = nn.Dense(6, 1)
        self.pause: Callable[[], Any] = lambda: None

    def construct(self, x: Tensor) -> Tensor:
        between = ops.tanh(self.norm(self.first(x)))
        pause, self.pause = self.pause, lambda: None
        pause()
        return self.last(between).sum()


@pytest.fixture
def net() -> Net:
    ms.set_seed(3)
    return Net()


@pytest.fixture
def x() -> Tensor:
    return Tensor(np.random.default_rng(0).standard_normal((5, 4)), ms.float32)


def bits(gradients: Any) -> list[bytes]:
    flat = [gradients] if isinstance(gradients, Tensor) else gradients
    return [one for item in flat for one in ([item.asnumpy().tobytes()] if isinstance(item, Tensor) else bits(item))]


def fails(x: Tensor) -> Tensor:
    raise ValueError("ours")


def test_one_gradient_function_in_eight_threads(net: Net, x: Tensor) -> None:
    weights = net.trainable_params()
    gradient = ms.value_and_grad(net, None, weights)
    inputs = [x * k for k in range(8)]
    serial = [bits(gradient(one)) for one in inputs]
    meet = threading.Barrier(8)
    found: list[Any] = [None] * 8

    def run(k: int) -> None:
        meet.wait(120)
        found[k] = [bits(gradient(inputs[k])) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert found == [[expected] * 5 for expected in serial]
    assert not any(weight._data.requires_grad for weight in weights)


@pytest.mark.parametrize("kind", ["same weights", "other weights", "inputs", "nested", "an error", "vjp"])
def test_a_gradient_meanwhile_in_another_thread(net: Net, x: Tensor, kind: str) -> None:
    weights = net.trainable_params()

    def nested(x: Tensor) -> Tensor:
        return (ms.grad(net)(x) ** 2).sum()

    def other() -> Any:
        if kind == "an error":
            with pytest.raises(ValueError, match="ours"):
                ms.grad(lambda x: fails(net(x)), None, weights)(x)
            return ()
        if kind == "vjp":
            return ms.vjp(net, x, weights=weights)[1](Tensor(1.0))
        positions = 0 if kind == "inputs" else None
        chosen = weights[:2] if kind == "other weights" else weights
        return ms.grad(nested if kind == "nested" else net, positions, chosen)(x)

    serial, alone = bits(ms.grad(net, 0, weights)(x)), bits(other())
    found = []
    net.pause = lambda: found.append(bits(in_thread(other)))
    assert bits(ms.grad(net, 0, weights)(x)) == serial
    assert found == [alone]


def test_inference_records_nothing_while_another_thread_takes_gradients(net: Net, x: Tensor) -> None:
    weight, expected = net.first.weight, net(x).asnumpy()
    found: list[Tensor] = []

    def other() -> None:
        found.extend([net(x), weight * 2, weight.value(), weight.data, Tensor(weight), ops.relu(weight)])
        found[0].asnumpy()

    net.pause = lambda: in_thread(other)
    ms.grad(net, None, net.trainable_params())(x)
    assert not any(one._data.requires_grad for one in found)
    np.testing.assert_array_equal(found[0].asnumpy(), expected)
    assert found[3]._data.data_ptr() == weight._data.data_ptr()


@pytest.mark.parametrize("count", [6, 1])
def test_writing_while_another_thread_takes_gradients(net: Net, x: Tensor, count: int) -> None:
    """Neither fails. Weights of which no gradient is asked for are constants in torch's graph, which must not mind."""
    weights = net.trainable_params()
    optimizer = nn.Momentum(weights, 0.1, 0.9)
    ones = tuple(Tensor(np.ones(weight.shape, np.float32)) for weight in weights)
    before = weights[2].asnumpy().copy()

    def other() -> None:
        optimizer(ones)
        weights[0].set_data(weights[0].value())
        weights[0][0] = 5
        ops.assign(weights[1], Tensor(np.full(weights[1].shape, 7, np.float32)))
        net.load_state_dict(net.state_dict())

    net.pause = lambda: in_thread(other)
    ms.grad(net, None, weights[:count])(x)
    np.testing.assert_array_equal(weights[0].asnumpy()[0], 5)
    np.testing.assert_array_equal(weights[1].asnumpy(), 7)
    np.testing.assert_allclose(weights[2].asnumpy(), before - 0.1, rtol=1e-6)


def test_training_parts_of_one_network_in_two_threads(net: Net, x: Tensor) -> None:
    """Each thread's graph holds the other's weights as constants, which change before its backward pass."""
    loss, label = nn.WithLossCell(net, lambda out, label: (out - label) ** 2), Tensor(1.0)
    weights = net.trainable_params()
    one, two = (nn.TrainOneStepCell(loss, nn.Adam(part)).set_train() for part in (weights[::2], weights[1::2]))
    net.pause = lambda: in_thread(lambda: two(x, label))
    assert np.isfinite(one(x, label).asnumpy())


def test_what_is_written_in_a_gradient_function_is_seen_by_others_at_its_end() -> None:
    weight, seen = Parameter(Tensor([1.0, 2.0]), name="w"), []

    def fn(x: Tensor) -> Tensor:
        result = (x * weight).sum()
        weight[Tensor([True, False])] = 9.0
        seen.append(in_thread(lambda: weight.asnumpy().tolist()))
        return result

    assert ms.grad(fn, None, weight)(Tensor([3.0, 4.0])).asnumpy().tolist() == [3.0, 4.0]
    assert seen == [[1.0, 2.0]]
    assert weight.asnumpy().tolist() == [9.0, 2.0]


def test_loans_of_one_tensor_end_in_any_order() -> None:
    class Own(Parameter):
        """A user's class."""

    weight = Own(Tensor([1.0]), name="w")
    outer = put_in_place([weight], [torch.full((1,), 2.0)])
    in_thread(lambda: put_in_place([weight], [torch.zeros(1)]))  # its thread is gone without taking it back
    inner = put_in_place([weight], [torch.full((1,), 3.0)])
    assert weight.asnumpy() == [3.0]
    assert put_back([weight], inner) == [3.0]
    assert weight.asnumpy() == [2.0]
    assert put_back([weight], outer) == [2.0]
    assert weight.asnumpy() == [1.0]


def test_a_tensor_lent_twice_at_once_is_taken_back() -> None:
    weight = Parameter(Tensor([1.0]), name="w")
    before = put_in_place([weight, weight], [torch.full((1,), 2.0), torch.full((1,), 3.0)])
    assert put_back([weight, weight], before) == [2.0, 3.0]
    assert weight.asnumpy() == [1.0]
    ms.vjp(lambda x: x * weight, Tensor([2.0]), weights=[weight, weight])
    assert [one.asnumpy() for one in ms.grad(lambda x: x * weight, None, [weight, weight])(Tensor([2.0]))] == [2.0, 2.0]
    assert type(weight) is Parameter


def test_copies_of_a_lent_parameter_are_plain() -> None:
    weight, copies = Parameter(Tensor([1.0]), name="w"), []

    def fn(x: Tensor) -> Tensor:
        copies.extend([weight.clone(), copy.deepcopy(weight), pickle.loads(pickle.dumps(weight))])
        return x * weight

    ms.grad(fn, None, weight)(Tensor([3.0]))
    assert {type(one) for one in (weight, *copies)} == {Parameter}
    assert not any(one._data.requires_grad for one in copies)


def test_a_hook_put_on_a_weight_in_a_gradient_function_stays() -> None:
    weight, handles, seen = Parameter(Tensor([1.0]), name="w"), [], []

    def fn(x: Tensor) -> Tensor:
        if not handles:
            handles.append(weight.register_hook(lambda grad: seen.append(grad.asnumpy().tolist())))
        return x * weight

    gradient = ms.grad(fn, None, weight)
    gradient(Tensor([3.0]))
    gradient(Tensor([4.0]))
    handles[0].remove()
    gradient(Tensor([5.0]))
    assert seen == [[3.0], [4.0]]


def test_a_hook_is_called_once_for_each_thread() -> None:
    weight, seen = Parameter(Tensor([1.0]), name="w"), []
    weight.register_hook(lambda grad: seen.append(grad.asnumpy().tolist()))

    def fn(x: Tensor) -> Tensor:
        if x.asnumpy() == [3.0]:
            in_thread(lambda: ms.grad(fn, None, weight)(Tensor([4.0])))
        return x * weight

    ms.grad(fn, None, weight)(Tensor([3.0]))
    assert seen == [[4.0], [3.0]]


@pytest.mark.process
def test_a_forked_process_has_no_loans_of_threads_that_it_lacks(net: Net, x: Tensor) -> None:
    weights = net.trainable_params()
    expected, statuses = bits(ms.grad(net, None, weights)(x)), []

    def fork() -> None:
        child = os.fork()
        if not child:
            plain = {type(weight) for weight in weights} == {Parameter}
            os._exit(0 if plain and bits(ms.grad(net, None, weights)(x)) == expected else 1)
        statuses.append(os.waitpid(child, 0)[1])

    net.pause = lambda: in_thread(fork)
    assert bits(ms.grad(net, None, weights)(x)) == expected
    assert statuses == [0]
