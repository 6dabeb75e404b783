"""Kill processes that save checkpoints at random moments; what they leave must be complete, and as new as they said."""

import os
import random
import signal
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

from msbridge import Tensor, load_checkpoint, save_checkpoint
from msbridge.converters import convert, open_checkpoint
from msbridge.converters.files.index import UNFINISHED
from msbridge.converters.files.temporary_files import MARK
from msbridge.train import CheckpointConfig, ModelCheckpoint
from msbridge.train.checkpoint import background_saving

MAX_LIFE_S = 0.3
WAITED_S = 60  # for a process that should have ended
KEY = bytes(range(16))
KINDS = [
    ({}, {}),
    ({"crc_check": True}, {"crc_check": True}),
    ({"format": "safetensors"}, {"format": "safetensors"}),
    ({"enc_key": KEY}, {"dec_key": KEY}),
]
Say = Callable[[int], None]  # tells the number of what is certainly saved


class Fault(Exception):
    """What should not have happened."""


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Run random cases one after the other.

    Args:
        deadline: when to begin no further case, on the clock of `time.monotonic`.
        seed: of the choices; moments of death differ from run to run all the same.

    Returns:
        How many cases ran, and the faults found, as sentences.
    """
    choices, faults, count = random.Random(seed), [], 0
    cases = [killed_save, killed_callback, killed_conversion, writers_of_one_file, threads_of_one_file]
    while time.monotonic() < deadline:
        case = cases[count % len(cases)]
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(Path(folder), choices)
            except Fault as fault:
                faults.append(f"{case.__name__}, case {count} of seed {seed}: {fault}")
    return count, faults


def killed_save(folder: Path, choices: random.Random) -> None:
    """One file, saved again and again, in a thread or not; the last one that was said to be there must be."""
    (saving, loading), in_thread = choices.choice(KINDS), choices.random() < 0.5
    path = folder / f"x.{saving.get('format', 'ckpt')}"
    length = choices.choice([1, 1000, 300_000])

    def save(say: Say) -> None:
        for number in range(1, 1 << 20):
            save_checkpoint({"p": numbered(number, length)}, path, async_save=in_thread, **saving)
            say(number - in_thread)  # the one before is complete when the next is passed

    for _ in range(4):
        newest = killed(save, choices)
        if newest or path.exists():
            found = value_of(load_checkpoint(path, **loading)["p"].asnumpy(), path)
            expect(found >= newest, f"{path.name} holds {found}, and {newest} was said to be saved")
    save_checkpoint({"p": numbered(1, 1)}, path, **saving)
    expect_alone(folder, [path.name])


def killed_callback(folder: Path, choices: random.Random) -> None:
    """ModelCheckpoint, which keeps one or two files."""
    keep, in_thread = choices.choice([1, 2]), choices.random() < 0.5
    config = CheckpointConfig(keep_checkpoint_max=keep, async_save=in_thread)
    length = choices.choice([1, 300_000])

    def train(say: Say) -> None:
        callback = ModelCheckpoint("p", str(folder), config)
        callback.begin(context(0, length))
        for number in range(1, 1 << 20):
            callback.step_end(context(number, length))
            say(number - in_thread)

    newest = killed(train, choices)
    left = [path for path in folder.iterdir() if MARK not in path.name]
    found = sorted(value_of(load_checkpoint(path)["p"].asnumpy(), path) for path in left)
    expect(not newest or found[-1:] >= [newest], f"the files hold {found}, and {newest} was said to be saved")
    expect(len(found) <= keep + 1, f"{len(found)} files are there, {keep} are to be kept")
    ModelCheckpoint("p", str(folder), config).begin(context(0, 1))
    expect_alone(folder, [path.name for path in left])


def killed_conversion(folder: Path, choices: random.Random) -> None:
    """Two sets of shards that replace each other in one folder."""
    shards, options = choices.choice([1, 2, 5]), {"format": choices.choice(["safetensors", "ckpt"]), "to": "torch"}
    for number in (1, 2):
        state = {f"p{i}": torch.full((choices.choice([10, 50_000]),), float(number)) for i in range(shards + number)}
        torch.save(state, folder / f"{number}.pth")
    out = folder / "out"
    convert(folder / "1.pth", out, max_shard_bytes=40, of="torch", **options)

    def replace(say: Say) -> None:
        for number in range(1 << 20):
            convert(folder / f"{number % 2 + 1}.pth", out, max_shard_bytes=40, of="torch", force=True, **options)
            say(number + 1)

    for _ in range(4):
        killed(replace, choices)
        with open_checkpoint(out) as found:
            values = {value_of(one.numpy(), out) for one in found.values()}
            expect(len(values) == 1 and len(found) == shards + min(values), f"the sets {values} are mixed")
    convert(folder / "1.pth", out, max_shard_bytes=40, of="torch", force=True, **options)
    left = [one.name for one in out.iterdir() if MARK in one.name or one.name == UNFINISHED]
    expect(not left and len(list(out.iterdir())) == shards + 2, f"{sorted(out.iterdir())} is left")


def writers_of_one_file(folder: Path, choices: random.Random) -> None:
    """Three processes, with threads or without; one of them is killed, the others must not notice."""
    path, modes = folder / "x.ckpt", [choices.random() < 0.5 for _ in range(3)]
    save_checkpoint({"p": numbered(1, 1000)}, path)

    def save(in_thread: bool, until: float) -> None:
        for number in range(1, 1 << 20):
            if time.monotonic() > until:
                break
            save_checkpoint({"p": numbered(number, 1000)}, path, async_save=in_thread)
        background_saving.wait()
        background_saving.raise_failure()

    until = time.monotonic() + MAX_LIFE_S
    ends = [until + WAITED_S, until, until]  # the first one is killed
    children = [child(lambda say, mode=mode, end=end: save(mode, end)) for mode, end in zip(modes, ends, strict=True)]
    while time.monotonic() < until:
        value_of(load_checkpoint(path)["p"].asnumpy(), path)
    os.kill(children[0][0], signal.SIGKILL)
    for process, pipe in children:
        ended(process, pipe)
    save_checkpoint({"p": numbered(1, 1)}, path)
    expect_alone(folder, [path.name])


def threads_of_one_file(folder: Path, choices: random.Random) -> None:
    """Two threads of one process that save in all ways; the last save that no other overlaps is the one that stays."""
    path = folder / "x.ckpt"
    orders = [[choices.random() < 0.5 for _ in range(20)] for _ in range(2)]

    def save(say: Say) -> None:
        errors: list[BaseException] = []

        def work(modes: list[bool]) -> None:
            try:
                for mode in modes:
                    save_checkpoint({"p": numbered(1, 1000)}, path, async_save=mode)
            except BaseException as error:
                errors.append(error)

        workers = [threading.Thread(target=work, args=(modes,)) for modes in orders]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if errors:
            raise errors[0]
        save_checkpoint({"p": numbered(2, 1000)}, path, async_save=True)
        save_checkpoint({"p": numbered(3, 1000)}, path)

    ended(*child(save))
    found = value_of(load_checkpoint(path)["p"].asnumpy(), path)
    expect(found == 3, f"{path.name} holds {found}, and 3 was saved last")
    expect_alone(folder, [path.name])


# -- processes ---------------------------------------------------------------------------------------------------------
def child(work: Callable[[Say], None]) -> tuple[int, int]:
    """Start a process; return it, and a pipe of what it says."""
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    try:
        work(lambda number: os.write(writer, f"{number}\n".encode()) and None)
    except BaseException:
        os.write(writer, f"!{traceback.format_exc()}".encode())
    os._exit(0)


def killed(work: Callable[[Say], None], choices: random.Random) -> int:
    """Kill a process after a random time; return the last number that it has said."""
    process, pipe = child(work)
    time.sleep(choices.random() ** 2 * MAX_LIFE_S)
    os.kill(process, signal.SIGKILL)
    return ended(process, pipe)


def ended(process: int, pipe: int) -> int:
    """Wait for a process; return the last number that it has said."""
    limit = time.monotonic() + WAITED_S
    said = b""
    while data := os.read(pipe, 1 << 16):
        said += data
    os.close(pipe)
    while os.waitpid(process, os.WNOHANG) == (0, 0):
        if time.monotonic() > limit:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            raise Fault(f"a process did not end within {WAITED_S} s")
        time.sleep(0.001)
    text = said.decode(errors="replace")
    if "!" in text:
        raise Fault(text.partition("!")[2])
    return max(map(int, text.split("\n")[:-1]), default=0)


# -- values ------------------------------------------------------------------------------------------------------------
def numbered(number: int, length: int) -> Tensor:
    """Make a Tensor that tells whether it is whole: all its values are the number."""
    return Tensor(np.full(length, number, np.float32))


def context(number: int, length: int) -> SimpleNamespace:
    """Make what a callback is told at a step."""
    network = SimpleNamespace(parameters_and_names=lambda: iter(_parameters(number, length)))
    step = SimpleNamespace(cur_step_num=number, cur_epoch_num=1, batch_num=1 << 30, train_network=network)
    return SimpleNamespace(original_args=lambda: step)


def _parameters(number: int, length: int) -> Iterator[tuple[str, Tensor]]:
    one = numbered(number, length)
    one.name = "p"
    yield "p", one


def value_of(values: np.ndarray, path: Path) -> int:
    """Return the number that a file holds."""
    found = set(np.asarray(values).flatten().tolist())
    expect(len(found) == 1, f"{path.name} holds several numbers: {sorted(found)[:5]}")
    return int(found.pop())


def expect(is_so: bool, fault: str) -> None:
    if not is_so:
        raise Fault(fault)


def expect_alone(folder: Path, names: list[str]) -> None:
    found = sorted(one.name for one in folder.iterdir())
    expect(found == sorted(names), f"{found} are there instead of {sorted(names)}")
