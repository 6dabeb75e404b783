"""Capturing a step as a graph. Judge: the same steps run eagerly; a recorder of our own stands in for CUDA."""

import numpy as np
import pytest
import torch

from msbridge.core.tensor import Tensor
from msbridge.device.capture import TRIALS, WARM_UP, CapturedStep


def rerun(step):
    """Record as CUDA does, without running: the replay runs the function again."""
    return step


class Walk:
    """A step that moves a weight by its input times a rate; the rate lives in Python."""

    def __init__(self) -> None:
        self.weight = Tensor(np.zeros(3, np.float32))
        self.rate = 1.0
        self.calls = 0

    def __call__(self, value: Tensor) -> Tensor:
        self.calls += 1
        self.weight._data.add_(value._data, alpha=self.rate)
        return Tensor(self.weight._data.sum())


def frozen(step: Walk):
    """A recorder that repeats the rate it saw while recording, as a CUDA graph would."""

    def record(run):
        rate = step.rate

        def replay():
            step.rate, current = rate, step.rate
            run()
            step.rate = current

        return replay

    return record


def batch(number: float) -> Tensor:
    return Tensor(np.full(3, number, np.float32))


def run(captured: CapturedStep, count: int, start: int = 0) -> list[float]:
    results = [captured(batch(number)).item() for number in range(start, start + count)]
    captured.decide()
    return results


def test_results_are_those_of_eager_steps_throughout():
    step, plain = Walk(), Walk()
    captured = CapturedStep(step, [step.weight], rerun)
    expected = [plain(batch(number)).item() for number in range(20)]
    assert run(captured, 10) + run(captured, 10, 10) == expected
    assert "replayed as a CUDA graph" in captured.status


def test_graph_is_used_only_after_the_decision():
    step = Walk()
    captured = CapturedStep(step, [step.weight], rerun)
    run(captured, WARM_UP + TRIALS - 1)
    assert "warming up" in captured.status
    run(captured, 1)
    assert "replayed" in captured.status


def test_number_frozen_in_python_is_found_out():
    step, plain = Walk(), Walk()
    captured = CapturedStep(step, [step.weight], frozen(step))
    results, expected = [], []
    for number in range(12):
        step.rate = plain.rate = 1.0 / (number + 1)
        results.append(captured(batch(number)).item())
        expected.append(plain(batch(number)).item())
        if number == 8:
            captured.decide()
    assert results == expected
    assert "changes in Python" in captured.status


def test_failed_recording_falls_back_and_says_why():
    def refuse(step):
        raise RuntimeError("operation not permitted when stream is capturing")

    step, plain = Walk(), Walk()
    captured = CapturedStep(step, [step.weight], refuse)
    assert run(captured, 8) == [plain(batch(number)).item() for number in range(8)]
    assert "not permitted when stream is capturing" in captured.status


def test_step_that_replaces_memory_is_not_captured():
    class Replacing(Walk):
        def __call__(self, value: Tensor) -> Tensor:
            self.weight._data = self.weight._data + value._data
            return Tensor(self.weight._data.sum())

    step, plain = Replacing(), Walk()
    captured = CapturedStep(step, [step.weight], rerun)
    assert run(captured, 8) == [plain(batch(number)).item() for number in range(8)]
    assert "new memory" in captured.status


def test_batch_of_another_shape_runs_eagerly():
    step = Walk()
    captured = CapturedStep(step, [step.weight], rerun)
    run(captured, 8)
    before = step.weight.asnumpy().copy()
    captured(Tensor(np.ones(1, np.float32)))
    assert step.weight.asnumpy().tolist() == (before + 1).tolist()


@pytest.mark.needs(gpus=1)
def test_cuda_graph_gives_the_results_of_eager_steps():
    weight = Tensor(torch.zeros(3, device="cuda"))

    def step(value: Tensor) -> Tensor:
        weight._data.add_(value._data)
        return Tensor(weight._data.sum())

    captured = CapturedStep(step, [weight])
    results = []
    for number in range(10):
        results.append(captured(Tensor(torch.full((3,), float(number), device="cuda"))).item())
        captured.decide()
    assert results == [3.0 * sum(range(number + 1)) for number in range(10)]
    assert "replayed" in captured.status
