"""Faults in one of several training processes: all end in time, the rank and its fault are named, none is left behind.

python -m tests.soak.processes             all faults of the table, once, with what became of each kind
"""

import itertools
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = '{"server_list": [{"server_id": "10.0.0.1", "device": [{"rank_id": "0"}]}]}'
STEPS, TIMEOUT_S = 4, 6
LIMIT_S = 60  # for a case: its imports, its timeout, and the time to end
FAULTS_TOLD = 20  # more are not
ENDED_BY_SIGTERM = (0, 128 + signal.SIGTERM, -signal.SIGTERM)  # after its work, by its handler, or before that is there
SCRIPT = """
import os, signal, sys, threading, time

kind, place, rank_of_fault, step_of_fault = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
own = int(os.environ["RANK"])

def fault(where):
    if (where, own) != (place, rank_of_fault):
        return
    if kind == "raises":
        raise ValueError("the data are bad")
    if kind in ("SIGKILL", "SIGSEGV", "SIGTERM"):
        os.kill(os.getpid(), getattr(signal, kind))
    if kind == "os._exit":
        os._exit(3)
    if kind == "sys.exit":
        sys.exit(3)
    if kind == "runs out":
        sys.exit(0)
    if kind == "hangs":
        time.sleep(1000)
    if kind == "stops":
        os.kill(os.getpid(), signal.SIGSTOP)

fault("start")
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn, ops
from datetime import timedelta

from msbridge import distributed as d
from msbridge.mint import distributed

distributed.init_process_group(timeout=timedelta(seconds={timeout}))
rank = distributed.get_rank()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.now = False

    def construct(self, x):
        return self.dense(x)

    def bprop(self, x, out, grad):
        if self.now:
            fault("backward")
        return (grad,)

first, net = nn.Dense(4, 4), Net()
whole = nn.SequentialCell(first, net)
step = nn.TrainOneStepCell(nn.WithLossCell(whole, nn.MSELoss()), nn.Momentum(whole.trainable_params(), 0.1, 0.9))
x = Tensor(np.ones((2, 4), np.float32))

def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))

for number in range({steps}):
    net.now = now = number == step_of_fault
    if now:
        fault("step")
        if place == "collective":  # the others are in the operation when it happens
            if own == rank_of_fault:
                time.sleep(0.3)
                fault("collective")
            d.all_reduce(x)
    if now and place == "unequal" and rank == rank_of_fault:
        {{
            "shape in AllReduce": lambda: d.all_reduce(ones(5)),
            "shape in AllGather": lambda: d.all_gather_into_tensor(ones(5)),
            "shape in Broadcast": lambda: d.broadcast(ones(3), 0),
            "dtype": lambda: d.all_reduce(ones(4, dtype=np.float64)),
            "operation": lambda: d.all_gather_into_tensor(ones(4)),
            "reduction": lambda: d.all_reduce(ones(4), "max"),
            "input of the network": lambda: step(ones(2, 5), x),
            "network": lambda: nn.TrainOneStepCell(other := nn.Dense(4, 1), nn.SGD(other.trainable_params())),
            "begun": lambda: d.all_reduce(ones(5), async_op=True)[1].wait(),
            "received": lambda: d.recv(ones(3), 1 - rank) if rank else d.send(ones(5), 1),
        }}[kind]()
    elif now and place == "unequal":
        {{
            "shape in AllGather": lambda: d.all_gather_into_tensor(ones(4)),
            "shape in Broadcast": lambda: d.broadcast(ones(4), 0),
            "begun": lambda: d.all_reduce(ones(4), async_op=True)[1].wait(),
            "received": lambda: d.recv(ones(3), 1 - rank) if rank else d.send(ones(5), 1),
        }}.get(kind, lambda: d.all_reduce(ones(4)))()
    step(x, x)
    if now and place == "checkpoint":
        real = os.replace
        def replace(*names):
            fault("checkpoint")
            return real(*names)
        os.replace = os.rename = replace
        ms.save_checkpoint(whole, os.path.join(os.path.dirname(__file__), f"rank{{rank}}.ckpt"))
        os.replace = os.rename = real
if place == "twice":
    distributed.init_process_group(timeout=timedelta(seconds={timeout}))
    ms.communication.init()
    assert d.get_group_size() == 2
    print("trained", flush=True)
"""
START = "import mindspore.communication as c; c.init(); print('joined', c.get_group_size())"
KINDS = {  # how a rank ends, and what is told of it
    "raises": ("ValueError: the data are bad", r"line \d+"),
    "SIGKILL": ("signal SIGKILL|{lost}",),
    "SIGSEGV": ("signal SIGSEGV|{lost}",),
    "SIGTERM": ("signal SIGTERM|{lost}",),
    "os._exit": ("exit code 3|{lost}",),
    "sys.exit": ("exit code 3|{lost}",),
    "runs out": ("{lost}",),
    "hangs": ("{lost}", r"rank {rank} at .*train.py, line 2\d"),
    "stops": ("{lost}",),
}
# The fault's rank in the words of those that have lost it.
LOST = "[Rr]ank {rank}( |,|:)"
PLACES = ("start", "step", "collective", "backward", "checkpoint")
UNEQUAL = {
    "shape in AllReduce": (r"float32 \(5,\)", r"float32 \(4,\)"),
    "shape in AllGather": (r"float32 \(5,\)", r"float32 \(4,\)"),
    "shape in Broadcast": (r"float32 \(3,\)", r"float32 \(4,\)"),
    "dtype": (r"float64 \(4,\)", r"float32 \(4,\)"),
    "operation": (r"AllGather", r"AllReduce"),
    "reduction": (r"\(max\)", r"\(sum\)"),
    "input of the network": (r"Error",),
    "network": (r"a training step",),
    "begun": (r"float32 \(5,\)", r"float32 \(4,\)"),
    "received": (r"rank \d (sends 5|expects 3) elements of float32",),
}
# What processes are told that do not fit together, and what the error says.
SETUPS = {
    "rank table without the rank": (
        {"RANK_ID": "7", "RANK_SIZE": "8", "RANK_TABLE_FILE": "{folder}/table.json"},
        "has no rank 7",
    ),
    "no rank table": ({"RANK_ID": "1", "RANK_TABLE_FILE": "{folder}/none.json"}, "there is no file"),
    "a rank table that is none": ({"RANK_ID": "1", "RANK_TABLE_FILE": "{folder}/train.py"}, "not a rank table"),
    "port in use": ({"RANK": "0", "WORLD_SIZE": "2", "MASTER_PORT": "{taken}"}, "is in use"),
    "rank beyond the size": ({"RANK": "2", "WORLD_SIZE": "2"}, r"RANK must be in \[0, WORLD_SIZE\)"),
    "size that is not a number": ({"RANK": "0", "WORLD_SIZE": "two"}, "WORLD_SIZE must be a number"),
    "port that is not a number": ({"RANK": "0", "WORLD_SIZE": "2", "MASTER_PORT": "x"}, "MASTER_PORT must be a number"),
    "worker without their number": ({"MS_ROLE": "MS_WORKER"}, "MS_WORKER_NUM"),
    "parameter server": ({"MS_ROLE": "MS_PSERVER", "MS_WORKER_NUM": "2"}, "parameter servers"),
}


@dataclass(frozen=True)
class Case:
    """One fault.

    Attributes:
        kind: what happens.
        place: where.
        rank: to whom.
        step: when.
        says: regular expressions that the output fits.
        is_well: whether there is nothing wrong with it after all.
        variables: of a process that is started alone.
    """

    kind: str
    place: str
    rank: int = 1
    step: int = 1
    says: tuple[str, ...] = ()
    is_well: bool = False
    variables: dict[str, str] = field(default_factory=dict)


def cases() -> list[Case]:
    """Return all faults of the table."""
    told = [
        Case(kind, place, rank, step, tuple(_with(one, rank, kind, place) for one in says))
        for (kind, says), place, rank, step in itertools.product(KINDS.items(), PLACES, (0, 1), (1,))
    ]
    unequal = [Case(kind, "unequal", 1, 1, says) for kind, says in UNEQUAL.items()]
    alone = [Case(kind, "set-up", says=(says,), variables=given) for kind, (given, says) in SETUPS.items()]
    return [
        *told,
        *unequal,
        *alone,
        Case("init", "twice", says=("trained",), is_well=True),
        *[Case("SIGTERM of all", "launcher", step=n) for n in range(3)],
    ]


def _with(pattern: str, rank: int, kind: str, place: str) -> str:
    if place == "start" and "lost" in pattern:  # nobody has met
        pattern = pattern.replace("{lost}", "(rank|process|ranks) {rank} ")
    if place == "start" and kind == "hangs":  # it has not come to where it would tell
        return ""
    return pattern.replace("{lost}", LOST).replace("{rank}", str(rank))


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Start training with faults, drawn from the table, until time.monotonic() passes `deadline`.

    Returns:
        How many were started, and the faults found.
    """
    draw, count, found = random.Random(seed), 0, list[str]()
    while time.monotonic() < deadline and len(found) < FAULTS_TOLD:
        chosen = draw.choice(cases())
        found += [f"{chosen.kind} at {chosen.place}, rank {chosen.rank}: {wrong}" for wrong in carried_out(chosen)[0]]
        count += 1
    return count, found


def carried_out(case: Case) -> tuple[list[str], float]:
    """Start training with one fault; return what was wrong with its end, and the seconds that it took."""
    mark = f"msbridge-soak-{os.getpid()}-{time.monotonic_ns()}"
    with tempfile.TemporaryDirectory(prefix="soak-processes-") as folder, socket.socket() as taken:
        script = Path(folder) / "train.py"
        script.write_text(SCRIPT.format(timeout=TIMEOUT_S, steps=STEPS))
        (Path(folder) / "table.json").write_text(
            '{"server_list": [{"server_id": "10.0.0.1", "device": [{"rank_id": "0"}]}]}'
        )
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        values = {"folder": folder, "taken": taken.getsockname()[1]}
        own = {name: value.format(**values) for name, value in case.variables.items()}
        words = [str(script), case.kind, case.place, str(case.rank), str(case.step)]
        began = time.monotonic()
        launcher = subprocess.Popen(
            [sys.executable, "-m", "msbridge", "run", *(["-c", START] if own else ["--nproc", "2", *words])],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "SOAK_MARK": mark, **own},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if case.place == "launcher":
            threading.Timer(0.5 + 1.5 * case.step, launcher.send_signal, [signal.SIGTERM]).start()
        try:
            output = launcher.communicate(timeout=LIMIT_S)[0]
        except subprocess.TimeoutExpired:
            launcher.kill()
            return [f"it did not end in {LIMIT_S} s", *_orphans(mark)], time.monotonic() - began
    took_s = time.monotonic() - began
    wrong = _orphans(mark)
    wrong += [f"nothing says {one!r}: {output[-2500:]}" for one in case.says if not re.search(one, output)]
    if case.place == "launcher":
        wrong += [f"it ended with {launcher.returncode}"] if launcher.returncode not in ENDED_BY_SIGTERM else []
    elif case.is_well != (launcher.returncode == 0):
        wrong.append(f"it ended with {launcher.returncode}: {output[-2500:]}")
    if not own and not case.is_well and case.place != "launcher" and "of 2 ended first" not in output:
        wrong.append(f"no rank is named: {output[-2500:]}")
    return wrong, took_s


def _orphans(mark: str) -> list[str]:
    """Return the processes that are left of a case, and end them."""
    left = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"SOAK_MARK={mark}".encode() in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
                left.append(f"process {entry.name} was left")
        except OSError:
            continue
    return left


def main(words: list[str]) -> int:
    """Carry out all faults, or those whose kind or place is named; print a table."""
    counts: Counter[str] = Counter()
    longest: dict[str, float] = {}
    found = 0
    for case in cases():
        if words and not {case.kind, case.place} & set(words):
            continue
        wrong, took_s = carried_out(case)
        counts[case.place] += 1
        longest[case.place] = max(took_s, longest.get(case.place, 0.0))
        found += bool(wrong)
        for one in wrong:
            print(f"{case.kind} at {case.place}, rank {case.rank}: {one}", flush=True)
    for place, count in counts.items():
        print(f"{place:12} {count:4} faults, the longest {longest[place]:.1f} s")
    print(f"{counts.total()} faults, {found} not as they should be")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
