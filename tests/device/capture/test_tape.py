"""What a tape notes and repeats. Judge: the same code run by torch."""

import re

import numpy as np
import pytest
import torch

from msbridge.core.context.grad_state import in_place
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device.capture.tape import Tape

CPU = torch.device("cpu")


def recorded(step, *inputs: torch.Tensor) -> tuple[Tape, object]:
    tape = Tape(CPU)
    with tape.recording():
        result = step(*inputs)
    if tape.obstacle is None:
        tape.keep(result)
    return tape, result


def test_forward_and_backward_are_repeated_on_what_the_inputs_hold_then():
    torch.manual_seed(0)
    network = torch.nn.Sequential(
        torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(12, 5)
    )
    weights = list(network.parameters())

    def step(data: torch.Tensor, label: torch.Tensor) -> tuple[Tensor, ...]:
        loss = torch.nn.functional.cross_entropy(network(data), label)
        return (wrap(loss.detach()), *map(wrap, torch.autograd.grad(loss, weights)))

    data, label = torch.randn(4, 2, 4, 4), torch.tensor([0, 1, 2, 3])
    tape, _ = recorded(step, data, label)
    statistics = network[1].running_mean.clone()
    data.copy_(torch.randn(4, 2, 4, 4))
    found, _ = tape.run()
    repeated = network[1].running_mean.clone()
    network[1].running_mean.copy_(statistics)
    expected = step(data, label)
    assert all(torch.equal(now._data, then._data) for now, then in zip(found, expected, strict=True))
    assert torch.equal(repeated, network[1].running_mean)


def test_what_is_written_is_known_down_to_the_statistics():
    norm = torch.nn.BatchNorm1d(3)
    moment = torch.zeros(3)

    def step(data: torch.Tensor) -> Tensor:
        made = norm(data) * 2
        made.add_(1)
        torch._foreach_add_([moment[1:]], 1.0)
        return wrap(made.sum())

    tape, _ = recorded(step, torch.randn(4, 3))
    with torch.no_grad():
        written = {data.data_ptr() for data in tape.find_mutations()}
    known = (moment, norm.running_mean, norm.running_var, norm.num_batches_tracked)
    assert written == {data.data_ptr() for data in known}


def test_inputs_do_not_count_as_state():
    data = torch.zeros(3)
    tape, _ = recorded(lambda data: wrap(data.add_(1)), data)
    assert tape.find_mutations([data]) == []
    assert len(tape.find_mutations()) == 1


def test_results_may_be_views_and_conjugates():
    data = torch.randn(3, 4, dtype=torch.complex64)
    tape, result = recorded(lambda data: (wrap(data.t()[1:]), wrap(data.mul(2).conj()), wrap(data.imag)), data)
    found, _ = tape.run()
    assert all(torch.equal(now._data, then._data) for now, then in zip(found, result, strict=True))


def test_what_is_used_last_is_let_go():
    def step(data: torch.Tensor) -> Tensor:
        for _ in range(10):
            data = data.exp().log()
        return wrap(data)

    tape, _ = recorded(step, torch.ones(1000))
    _, table = tape.run()
    assert len(table) == 2  # the input and the result


def test_what_nothing_uses_is_left_out():
    total = torch.zeros(3)

    def step(data: torch.Tensor) -> Tensor:
        data.exp().add_(1)  # used by nothing
        changed = data.clone()
        changed.mul_(2)
        total.add_(changed)
        torch.rand(2)  # moves the generator
        return wrap(data.log())

    tape, _ = recorded(step, torch.ones(3))
    names = [call.function._schema.name.removeprefix("aten::") for call in tape._calls]
    assert names == ["clone", "mul_", "add_", "rand", "log"]
    tape.run()
    assert total.tolist() == [4.0] * 3


def test_memory_that_the_calls_read_is_kept():
    held = [torch.full((1000,), 3.0)]
    tape, _ = recorded(lambda data: wrap(data + held[0]), torch.ones(1000))
    held.clear()
    torch.full((1000,), 7.0)
    found, _ = tape.run()
    assert found.asnumpy().tolist() == [4.0] * 1000


def test_operators_of_the_update_rules_are_seen():
    weight = torch.ones(3)

    def step(grad: torch.Tensor) -> Tensor:
        with in_place():
            torch._fused_sgd_(
                [weight],
                [grad],
                [],
                weight_decay=0.0,
                momentum=0.0,
                lr=0.5,
                dampening=0.0,
                nesterov=False,
                maximize=False,
                is_first_step=False,
            )
        return wrap(weight)

    tape, _ = recorded(step, torch.ones(3))
    tape.run()
    assert weight.tolist() == [0.0] * 3


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (lambda data: data.sum().item(), "the host reads a value"),
        (lambda data: data.to_sparse().coalesce(), "depends on values|cannot be noted"),
        (lambda data: data.masked_select(data > 0), "masked_select returns depends on values"),
        (lambda data: torch.unique(data), "unique"),
    ],
)
def test_what_a_graph_cannot_hold(step, says):
    tape, _ = recorded(lambda data: step(data), torch.ones(3))
    assert re.search(says, str(tape.obstacle))


def test_a_number_put_under_a_mask_is_no_obstacle():
    def step(data: torch.Tensor) -> Tensor:
        data = data.clone()
        data[data > 1] = 0.0
        return wrap(data)

    tape, _ = recorded(step, torch.from_numpy(np.array([1.0, 2.0])))
    assert tape.obstacle is None


# With "meta" for the device, what lies on the CPU is on the host: as with CUDA, but without values.


def on_meta(step) -> Tape:
    tape = Tape(torch.device("meta"))
    with tape.recording():
        tape.keep(wrap(step(torch.ones(3, device="meta"))))
    return tape


def test_work_on_the_host_is_done_once_and_its_outcome_taken_along():
    def step(data: torch.Tensor) -> torch.Tensor:
        number = torch.zeros(3)
        number[1] = 2.0
        return data * (number + 1).to("meta") + torch.tensor(2.0)

    tape = on_meta(step)
    assert tape.obstacle is None
    assert [call.function for call in tape._calls[1:]] == [torch.ops.aten.mul.Tensor, torch.ops.aten.add.Tensor]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (lambda data: data * COUNTER.add_(1), "changes a tensor in the host's memory"),
        (lambda data: data * torch.rand(3).to("meta"), "draws random numbers on the host"),
    ],
)
def test_what_of_the_host_cannot_be_taken_along(step, says):
    tape = Tape(torch.device("meta"))
    with tape.recording():
        step(torch.ones(3, device="meta"))
    assert says in str(tape.obstacle)


COUNTER = torch.zeros(())


@pytest.mark.needs(gpus=1)
def test_constants_of_the_host_are_taken_along():
    device = torch.device("cuda")

    def step(data: torch.Tensor) -> Tensor:
        factor = torch.tensor([2.0, 3.0]).to(device)
        factor.add_(1)
        return wrap(data * factor * torch.tensor(2.0))

    tape = Tape(device)
    with tape.recording():
        tape.keep(step(torch.ones(2, device=device)))
    assert tape.obstacle is None
    assert [tape.run()[0]._data.tolist() for _ in range(2)] == [[6.0, 8.0]] * 2
