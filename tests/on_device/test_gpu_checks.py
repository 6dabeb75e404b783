"""The correctness part of the benchmark of GPUs holds: judged by the CPU."""

import pytest
import torch

from benchmarks import gpu_checks


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")  # by the stand-in's kernels
def test_all_checks_of_the_benchmark_hold(subtests: pytest.Subtests) -> None:
    checks = list(gpu_checks.run(torch.device("cuda", 0), "GPU"))
    assert len(checks) >= 80
    for check in checks:
        with subtests.test(check.name):
            assert check.is_good, check.seen
