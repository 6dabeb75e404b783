"""Capturing a step as a graph. Judge: the same steps run eagerly; on the CPU a replayed tape stands in for CUDA."""

import warnings

import numpy as np
import pytest
import torch

from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device.capture import CapturedStep, CaptureWarning
from msbridge.device.capture.recorders import cuda_recorder
from msbridge.device.capture.step import SHAPES, TRIALS, WARM_UP
from tests.device.capture.replaying import Replay

CPU = torch.device("cpu")
TRUSTED_AFTER = WARM_UP + 1 + TRIALS


class Walk:
    """A step that moves a weight by its input."""

    def __init__(self) -> None:
        self.weight = Tensor(np.zeros(3, np.float32))

    def __call__(self, value: Tensor) -> Tensor:
        self.weight._data.add_(value._data.sum())
        return wrap(self.weight._data.sum())


def captured(step, recorder=Replay) -> CapturedStep:
    return CapturedStep(step, CPU, recorder)


def batch(number: float, length: int = 3) -> Tensor:
    return Tensor(np.full(length, number, np.float32))


def run(step, numbers) -> list[float]:
    return [step(batch(number)).item() for number in numbers]


def refused(make, says: str, count: int = 12) -> None:
    """The steps come out as without a graph, and one line says why there is none."""
    graph = captured(make())
    with pytest.warns(CaptureWarning, match=says) as caught:
        found = run(graph, range(count))
    assert found == run(make(), range(count))
    assert len(caught) == 1
    assert not graph.is_replayed


def test_results_are_those_of_eager_steps_throughout():
    graph = captured(Walk())
    assert run(graph, range(20)) == run(Walk(), range(20))
    assert graph.is_replayed


def test_graph_is_used_only_after_it_has_agreed_with_eager_steps():
    graph = captured(Walk())
    run(graph, range(TRUSTED_AFTER))
    assert not graph.is_replayed
    run(graph, range(1))
    assert graph.is_replayed


def test_python_code_runs_once_for_each_eager_step_and_not_for_replays():
    calls = iter(range(100))

    def step(value: Tensor) -> Tensor:
        next(calls)
        return wrap(value._data.sum())

    run(captured(step), range(20))
    assert next(calls) == TRUSTED_AFTER


def test_number_that_changes_in_an_attribute_is_found_where_it_is_noted():
    class Counting(Walk):
        count = 0

        def __call__(self, value: Tensor) -> Tensor:
            self.count += 1
            self.weight._data.add_(value._data.sum(), alpha=1 / self.count)
            return wrap(self.weight._data.sum())

    refused(Counting, r"it changes 'Counting.count' in Python")


def test_number_that_changes_out_of_sight_is_found_by_comparing():
    def make():
        weight, count = Tensor(np.zeros(3, np.float32)), iter(range(1, 100))

        def step(value: Tensor) -> Tensor:
            weight._data.add_(value._data, alpha=1 + 1e-6 * next(count))
            return wrap(weight._data.sum())

        return step

    refused(make, "something in it changes in Python")


def test_tensor_that_is_replaced_is_found():
    class Replacing(Walk):
        def __call__(self, value: Tensor) -> Tensor:
            self.weight._data = self.weight._data + value._data.sum()
            return wrap(self.weight._data.sum())

    refused(Replacing, "it changes 'Replacing.weight'")


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda data: data.sum().item(), "the host reads a value"),
        (lambda data: float(bool((data > 1).any())), "the host reads a value"),
        (lambda data: float(len(data.nonzero())), "nonzero returns depends on values"),
        (lambda data: data[data > 1].sum(), "it indexes with a mask"),
        (lambda data: float(torch.equal(data, data)), "the host reads a value"),
    ],
)
def test_host_that_reads_is_found_before_anything_is_recorded(read, says):
    class Reading(Walk):
        def __call__(self, value: Tensor) -> Tensor:
            self.weight._data.add_(read(value._data))
            return wrap(self.weight._data.sum())

    refused(Reading, rf"{says}.* \(test_step.py:\d+\)")


def test_failed_recording_leaves_the_steps_eager():
    def fail(tape):
        raise RuntimeError("operation not permitted when stream is capturing\nand more")

    graph = captured(Walk(), fail)
    with pytest.warns(CaptureWarning, match=r"operation not permitted when stream is capturing\."):
        found = run(graph, range(12))
    assert found == run(Walk(), range(12))


def test_state_out_of_sight_is_set_back_and_replayed():
    def make():
        hidden = torch.zeros(3)

        def step(value: Tensor) -> Tensor:
            hidden.mul_(0.5).add_(value._data)
            return wrap(hidden.sum())

        return step

    graph = captured(make())
    assert run(graph, range(20)) == run(make(), range(20))
    assert graph.is_replayed


def test_constants_made_in_the_step_begin_again_in_each_replay():
    def step(value: Tensor) -> Tensor:
        total = torch.tensor([1.0, 2.0, 3.0])
        total.add_(value._data)
        return wrap(total.sum())

    graph = captured(step)
    assert run(graph, range(12)) == run(step, range(12))
    assert graph.is_replayed


def test_random_numbers_go_on_as_in_eager_steps():
    own = torch.Generator()

    def step(value: Tensor) -> Tensor:
        noise = torch.empty(3).uniform_(generator=own)
        return wrap((torch.nn.functional.dropout(value._data + 1) + torch.rand(3) + noise).sum())

    found = []
    for runner in (captured(step), step):
        torch.manual_seed(5)
        own.manual_seed(6)
        found.append((run(runner, range(15)), torch.rand(1).item()))
    assert found[0] == found[1]


def test_batch_of_another_shape_runs_eagerly_until_it_has_a_graph_of_its_own():
    graph, plain = captured(Walk()), Walk()
    lengths = [3, 3, 3, 2] * 8
    found = [graph(batch(1, length)).item() for length in lengths]
    assert found == [plain(batch(1, length)).item() for length in lengths]
    assert sum(candidate.is_trusted for candidate in graph._candidates.values()) == 2


def test_only_a_few_shapes_get_a_graph():
    graph, plain = captured(Walk()), Walk()
    lengths = [*range(1, SHAPES + 3)] * 7
    found = [graph(batch(1, length)).item() for length in lengths]
    assert found == [plain(batch(1, length)).item() for length in lengths]
    assert len(graph._candidates) == SHAPES


@pytest.mark.parametrize("number", range(TRUSTED_AFTER))
def test_error_of_the_step_passes_through_and_leaves_what_an_eager_step_leaves(number):
    class Failing(Walk):
        def __call__(self, value: Tensor) -> Tensor:
            super().__call__(value)
            if fails[0]:
                raise ZeroDivisionError("in the network")
            return wrap(self.weight._data.sum())

    fails = [False]
    step, plain = captured(Failing()), Failing()
    found: list[list[object]] = [[], []]
    for index in range(14):
        fails[0] = index == number
        for runner, results in zip((step, plain), found, strict=True):
            try:
                results.append(runner(batch(index)).item())
            except ZeroDivisionError as error:
                results.append(str(error))
    assert found[0] == found[1]
    assert "in the network" in found[0]


def test_setting_that_changes_between_sinks_is_followed():
    class Scaled(Walk):
        scale = 1.0

        def __init__(self) -> None:
            super().__init__()
            self.scale = 1.0

        def __call__(self, value: Tensor) -> Tensor:
            self.weight._data.add_(value._data.sum() * self.scale)
            return wrap(self.weight._data.sum())

    step, plain = Scaled(), Scaled()
    graph = captured(step)
    found, expected = [], []
    for scale in (1.0, 0.5, 0.25):
        step.scale = plain.scale = scale
        graph.look_at_settings()
        found += run(graph, range(10))
        expected += run(plain, range(10))
        assert graph.is_replayed
    assert found == expected


def test_settings_that_never_rest_give_no_graph():
    class Scaled(Walk):
        def __init__(self) -> None:
            super().__init__()
            self.scale = 0

        def __call__(self, value: Tensor) -> Tensor:
            return wrap(value._data.sum() * self.scale)

    step = Scaled()
    graph = captured(step)

    def rescale() -> bool:
        step.scale += 1
        graph.look_at_settings()
        return run(graph, [1.0, 2.0, 3.0]) == [number * step.scale for number in (3.0, 6.0, 9.0)]

    with pytest.warns(CaptureWarning, match="'Scaled.scale' for example"):
        assert all(rescale() for _ in range(20))


def test_replaced_parameter_is_followed():
    step, plain = Walk(), Walk()
    graph = captured(step)
    run(graph, range(10)), run(plain, range(10))
    step.weight._data, plain.weight._data = torch.ones(3), torch.ones(3)
    graph.look_at_settings()
    assert run(graph, range(10)) == run(plain, range(10))


def test_a_step_of_kernels_that_add_in_any_order_is_trusted():
    noise = iter(np.random.default_rng(0).standard_normal(100) * 1e-7)
    weight = Tensor(np.zeros(3, np.float32))

    class Noisy(Replay):
        def replay(self):
            super().replay()
            weight._data.mul_(1 + next(noise))

    def step(value: Tensor) -> Tensor:
        weight._data.add_(value._data)
        return wrap(weight._data.sum())

    graph = captured(step, Noisy)
    run(graph, range(1, 10))
    assert graph.is_replayed


def test_nothing_is_said_of_steps_that_become_a_graph():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(captured(Walk()), range(10))


@pytest.mark.needs(gpus=1)
def test_cuda_graph_gives_the_results_of_eager_steps():
    weight = Tensor(torch.zeros(3, device="cuda"))

    def step(value: Tensor) -> Tensor:
        weight._data.add_(value._data)
        return wrap(weight._data.sum())

    graph = CapturedStep(step, torch.device("cuda"), cuda_recorder(torch.device("cuda")))
    found = [graph(Tensor(torch.full((3,), float(number), device="cuda"))).item() for number in range(20)]
    assert found == [3.0 * sum(range(number + 1)) for number in range(20)]
    assert graph.is_replayed


class _Holding:
    """A step that moves a Parameter by its input, and counts in another one."""

    def __init__(self) -> None:
        self.weight = Parameter(Tensor(np.zeros(3, np.float32)), name="w")
        self.moments = ParameterTuple([Parameter(Tensor(np.zeros(3, np.float32)), name="m")])

    def __call__(self, value: Tensor) -> Tensor:
        self.moments[0]._data.add_(value._data)
        self.weight._data.add_(self.moments[0]._data)
        return wrap(self.weight._data.sum())


def test_parameter_with_new_memory_is_followed_without_another_recording():
    step, plain = _Holding(), _Holding()
    graph = captured(step)
    found, expected = run(graph, range(10)), run(plain, range(10))
    for one in (step, plain):
        one.weight.set_data(Tensor(np.full(3, 7.0, np.float32)))
        one.moments[0].set_data(Tensor(np.full(3, 0.5, np.float32)))
    graph.look_at_settings()
    assert graph.is_replayed
    found, expected = found + run(graph, range(10)), expected + run(plain, range(10))
    assert found == expected
    np.testing.assert_array_equal(step.weight.asnumpy(), plain.weight.asnumpy())


def test_step_that_gives_a_parameter_new_memory_becomes_a_graph():
    class Renewing(_Holding):
        def __call__(self, value: Tensor) -> Tensor:
            self.weight.set_data(self.weight + value)
            return wrap(self.weight._data.sum())

    step, plain = Renewing(), Renewing()
    graph = captured(step)
    assert run(graph, range(20)) == run(plain, range(20))
    assert graph.is_replayed
