"""Hostile files into every reader: each ends in values or in its error class, soon, in little memory, and runs nothing.

A forked process reads some hundred files under a limit of its address space; what it says of each is read from a pipe,
and a process that falls silent or dies names the file it was at.
"""

import contextlib
import io
import logging
import os
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.formats import ckpt, encryption, npz, safetensors
from msbridge.converters.names.rules import read_rules
from msbridge.converters.tensors.entry import entry
from msbridge.dataset import Cifar10Dataset, MnistDataset
from msbridge.dataset.mindrecord.convert.cifar_pickle import read_cifar
from msbridge.dataset.mindrecord.convert.csv_to_mr import CsvToMR
from msbridge.dataset.mindrecord.convert.mnist_to_mr import _Idx
from msbridge.dataset.mindrecord.errors import MRMInvalidSchemaError
from msbridge.dataset.vision.codecs import decode
from msbridge.mindir import drawing
from msbridge.mindir.func_graph import open_graph
from tests.soak import _hostile as hostile

AT_ONCE = 400  # cases of a process
MORE_BYTES = (64 << 20) + (24 << 20)  # what a reader may take, and what the process takes for itself
SLOW_S = 0.4  # of the processor's time, for files of at most a few hundred thousand bytes, and as much again by length
SLOW_S_BYTE = 5e-6
SILENT_S = 60.0
LARGEST_READ = 1 << 20  # bytes of a tensor that is read
KEY = b"0123456789ABCDEF"
Failure = type[BaseException] | tuple[type[BaseException], ...]
counts: Counter[str] = Counter()  # cases by format, of this process; for who runs this by hand


def _checkpoint(path: Path, chance: Random, **options: object) -> None:
    with open_checkpoint(path, crc_check=chance.random() < 0.2, **options) as found:  # type: ignore[arg-type]
        repr((found.metadata, found.skipped))
        for one in found.entries.values():
            if one.nbytes <= LARGEST_READ:
                one.value(copy=True)
        if chance.random() < 0.05:
            suffix = chance.choice((".safetensors", ".ckpt", ".npz", ".pth"))
            convert(found, path.with_name("made" + suffix), to="torch", force=True)


def _encrypted(path: Path, chance: Random) -> None:
    """Encrypt the file, damage some, and read it."""
    mode = chance.choice(tuple(encryption.NUMBERS))
    plain, gathered = path.read_bytes(), _Bytes()
    encryption.BLOCK_BYTES = chance.choice((64, 1 << 20))
    sink = encryption.EncryptingSink(gathered, KEY, mode)
    sink.write(plain)
    sink.flush()
    path.write_bytes(hostile.broken(chance, bytes(gathered.data), 0.3))
    _checkpoint(path, chance, key=KEY, mode=mode)


class _Bytes(ckpt.Sink):
    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: object) -> None:
        self.data += data  # type: ignore[operator]


def _network(path: Path, chance: Random) -> None:
    """Open a graph, which makes functions of it, take its parameters, and sometimes draw it."""
    graph = open_graph(path.rename(path.with_name("x.mindir")))
    repr((graph, graph.model.operators(), graph.program.code))
    graph.parameters()
    if chance.random() < 0.05:
        drawing.to_dot(graph.model)


def _index(path: Path, chance: Random) -> None:
    folder = path.parent
    if not (folder / "a-1.safetensors").exists():
        safetensors.write(folder / "a-1.safetensors", [entry("a", torch.ones(1))])
        os.mkfifo(folder / "pipe")
    path.rename(folder / "x.index.json")
    _checkpoint(folder if chance.random() < 0.3 else folder / "x.index.json", chance)


def _mnist(path: Path, chance: Random) -> None:
    path.rename(path.with_name("train-images-idx3-ubyte"))
    path.with_name("train-labels-idx1-ubyte").write_bytes(hostile.idx(chance, 1))
    dataset = MnistDataset(str(path.parent), "train", shuffle=False)
    count = min(dataset.get_dataset_size(), 3)
    for fetch in dataset._columns.values():
        fetch(np.arange(count))


def _cifar_rows(path: Path, chance: Random) -> None:
    path.write_bytes(path.read_bytes() * chance.choice((1, 3073)))
    path.rename(path.with_name("test_batch.bin"))
    dataset = Cifar10Dataset(str(path.parent), "test", shuffle=False)
    dataset._columns["image"](np.arange(min(dataset.get_dataset_size(), 3)))


def _packed_idx(path: Path, chance: Random) -> None:
    for _ in _Idx(path, 3).rows():
        pass


def _table(path: Path, chance: Random) -> None:
    made = path.with_name("made")
    CsvToMR(str(path), str(made)).transform()


def _image(path: Path, chance: Random) -> None:
    import cv2  # noqa: F401
    from PIL import Image

    Image.init()
    data = np.frombuffer(path.read_bytes(), np.uint8)
    (decode.decode_image if chance.random() < 0.5 else decode.decode_with_pil)(data)


def _failures_of_images() -> Failure:
    from PIL import Image

    return RuntimeError, ValueError, Image.DecompressionBombError


# format → (what makes a file, what reads it, the errors that say it is damaged)
READERS: dict[str, tuple[hostile.Generator, Callable[[Path, Random], None], Failure]] = {
    "torch zip": (hostile.torch_zip, _checkpoint, CheckpointError),
    "torch row": (hostile.torch_row, _checkpoint, CheckpointError),
    "safetensors": (hostile.safetensors, _checkpoint, CheckpointError),
    "ckpt": (hostile.ckpt, _checkpoint, CheckpointError),
    "encrypted": (hostile.ckpt, _encrypted, CheckpointError),
    "npz": (hostile.npz, _checkpoint, CheckpointError),
    "npy": (hostile.npy, lambda path, chance: _ignored(npz.read_all(path)), CheckpointError),
    "index": (hostile.index, _index, CheckpointError),
    "rules": (hostile.rules, lambda path, chance: _ignored(read_rules(path)), CheckpointError),
    "cifar pickle": (hostile.cifar, lambda path, chance: _ignored(len(read_cifar(path))), ValueError),
    "cifar rows": (lambda chance: bytes(chance.choice((1, 3073, 30))), _cifar_rows, RuntimeError),
    "network": (hostile.network, _network, CheckpointError),
    "idx": (lambda chance: hostile.idx(chance, 3), _mnist, RuntimeError),
    "packed idx": (lambda chance: hostile.packed_idx(chance, 3), _packed_idx, RuntimeError),
    "table": (hostile.table, _table, (ValueError, RuntimeError, MRMInvalidSchemaError)),
    "image": (hostile.image, _image, _failures_of_images()),
}
RARE = {"table": 8, "image": 4, "cifar rows": 4, "idx": 4}  # one in so many: slower, or simpler than the others


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Read files until the deadline.

    Returns:
        How many were read, and the faults found, one sentence each; each names the case, which `case` repeats.
    """
    for kind in READERS.keys() & {"image", "encrypted", "network"}:  # what these import would not fit under the limit
        with contextlib.suppress(READERS[kind][2]), tempfile.TemporaryDirectory() as folder:
            _fault(kind, Random(0), Path(folder))
    done, faults = 0, list[str]()
    while time.monotonic() < deadline and len(faults) < 50:
        count, found = _in_process(seed, done, deadline)
        done += max(count, 1)
        faults += found
    return done, faults


def case(seed: int, number: int) -> tuple[str, Random]:
    """Return the format of a case, and its draws."""
    chance = Random(f"{seed}:{number}")
    form = chance.choice(tuple(READERS))
    while form in RARE and chance.randrange(RARE[form]):
        form = chance.choice(tuple(READERS))
    return form, chance


def _in_process(seed: int, first: int, deadline: float) -> tuple[int, list[str]]:
    """Read some files in a forked process; return how many, and the faults."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        status = 1
        try:
            _read_some(seed, first, deadline, writing)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    said = b""
    while ready := select.select([reading], [], [], SILENT_S)[0]:
        piece = os.read(reading, 65_536)
        if not piece:
            break
        said += piece
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    status = os.waitpid(child, 0)[1]
    lines = said.decode(errors="replace").splitlines()
    begun = [line.partition(" ")[2] for line in lines if line.startswith("begin")]
    counts.update(line.partition(":")[0] for line in begun)
    faults = [line.partition(" ")[2] for line in lines if line.startswith("fault")]
    if status or not ready:
        how = f"did nothing for {SILENT_S:.0f} s" if not ready else f"ended with {os.waitstatus_to_exitcode(status)}"
        faults.append(f"{begun[-1] if begun else 'no case'}: the process {how}")
    return len(begun), faults


def _read_some(seed: int, first: int, deadline: float, pipe: int) -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)  # OpenCV's words
    logging.disable()
    warnings.simplefilter("ignore")
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MORE_BYTES,) * 2)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + AT_ONCE):
            if time.monotonic() >= deadline:
                return
            form, chance = case(seed, number)
            os.write(pipe, f"begin {form}: case {number} of seed {seed}\n".encode())
            if fault := _fault(form, chance, Path(folder)):
                os.write(pipe, f"fault {form}: case {number} of seed {seed}: {fault!a:.400}\n".encode())


def _fault(form: str, chance: Random, folder: Path) -> str:
    """Read one file; return what is wrong with how it was read, "" if nothing is."""
    make, read, allowed = READERS[form]
    place = folder / form
    place.mkdir(exist_ok=True)
    for old in place.iterdir():
        if old.name not in ("a-1.safetensors", "pipe"):
            old.unlink()
    path = place / "x"
    data = make(chance)
    path.write_bytes(data)
    began = time.process_time()
    fault = ""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            read(path, chance)
    except MemoryError as error:
        fault = f"MemoryError {error}"
    except allowed as error:
        text = str(error)
        if "MemoryError" in text or "allocate" in text or len(text) > 5000 or not text.strip():
            fault = f"{type(error).__name__} {text}"
    except BaseException as error:
        fault = f"{type(error).__name__} {error}"
    took = time.process_time() - began
    if took > SLOW_S + SLOW_S_BYTE * len(data):
        fault = f"{took:.2f} s for {len(data)} bytes; {fault}"
    return fault


def _ignored(value: object) -> None:
    repr(value)


if __name__ == "__main__":  # python -m tests.soak.files SECONDS SEED [FORMAT] [CASE]
    if form_ := next((one for one in sys.argv[3:] if one in READERS), ""):
        READERS = {form_: READERS[form_]}
        sys.argv.remove(form_)
    seconds, seed_, *number_ = map(float, sys.argv[1:])
    if number_:
        form_, chance_ = case(int(seed_), int(number_[0]))
        with tempfile.TemporaryDirectory() as folder_:
            sys.stdout.write(f"{form_}: {_fault(form_, chance_, Path(folder_))}\n")
    else:
        ran, found_ = run(time.monotonic() + seconds, int(seed_))
        lines_ = [f"{ran} cases: {dict(counts)}", *found_]
        sys.stdout.write("\n".join(lines_) + "\n")
