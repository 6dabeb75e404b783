"""What a DataLoader does with its processes; what it returns is compared with MindSpore's in the oracle's cases."""

import os
import signal
import time

import numpy as np
import pytest

from msbridge import Tensor
from msbridge.dataset.dataloader import DataLoader, Dataset, TensorDataset, get_worker_info

pytestmark = pytest.mark.process


class Processes(Dataset):
    """Samples are the number of the process that reads them."""

    def __getitem__(self, index: int) -> int:
        return os.getpid()

    def __len__(self) -> int:
        return 4


class Pictures(Dataset):
    def __getitem__(self, index: int) -> tuple[Tensor, str]:
        return Tensor(np.full((3, 64, 64), index, np.float32)), str(index)

    def __len__(self) -> int:
        return 4


class Slow(Processes):
    def __getitem__(self, index: int) -> int:
        time.sleep(60)
        return index


class Killed(Processes):
    def __getitem__(self, index: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return index


class Failing(Processes):
    def __getitem__(self, index: int) -> int:
        if index == 1:
            raise OSError(f"no file {index}\nlooked for: everywhere")
        return index


def readers(loader: DataLoader) -> set[int]:
    return {int(number) for batch in loader for number in batch.asnumpy()}


def test_processes_stay_where_they_shall() -> None:
    loader = DataLoader(Processes(), 2, num_workers=2, persistent_workers=True)
    first, second = readers(loader), readers(loader)
    assert first == second
    assert len(first) == 2
    assert os.getpid() not in first
    assert readers(DataLoader(Processes(), 2, num_workers=2)).isdisjoint(first)


def test_tensors_come_from_other_processes() -> None:
    batches = list(DataLoader(Pictures(), 2, num_workers=1))
    assert [(batch.shape, names) for batch, names in batches] == [
        ((2, 3, 64, 64), ("0", "1")),
        ((2, 3, 64, 64), ("2", "3")),
    ]
    assert all(type(batch) is Tensor for batch, _ in batches)
    assert batches[1][0].asnumpy()[1].max() == 3


def test_processes_that_start_again_read_too() -> None:
    rows = TensorDataset(Tensor(np.arange(6).reshape(3, 2)))
    ((batch,),) = DataLoader(rows, 3, num_workers=1, multiprocessing_context="spawn")
    assert batch.asnumpy().tolist() == [[0, 1], [2, 3], [4, 5]]


def test_a_killed_process_and_a_slow_one_are_errors() -> None:
    with pytest.raises(RuntimeError, match=r"killed by signal|exited unexpectedly"):
        list(DataLoader(Killed(), num_workers=1))
    with pytest.raises(RuntimeError, match="timed out"):
        list(DataLoader(Slow(), num_workers=1, timeout=0.5))


def test_the_iteration_goes_on_after_a_failure() -> None:
    found: list[object] = []
    batches = iter(DataLoader(Failing(), num_workers=1))
    for _ in range(4):
        try:
            found.append(next(batches).asnumpy().tolist())
        except RuntimeError as error:
            found.append(str(error))
    assert found[::2] == [[0], [2]]
    assert "no file 1" in found[1]
    assert "caught OSError with" in found[1].splitlines()[0]


def test_what_a_process_is_cannot_be_changed() -> None:
    def change(number: int) -> None:
        get_worker_info().seed = 1

    with pytest.raises(RuntimeError, match="Cannot modify"):
        list(DataLoader(Processes(), num_workers=1, worker_init_fn=change))
    assert get_worker_info() is None


def test_memory_for_a_gpu_has_no_effect_on_a_cpu_and_that_is_said() -> None:
    with pytest.warns(UserWarning, match="pin_memory"):
        list(DataLoader(Processes(), num_workers=1, pin_memory=True))
