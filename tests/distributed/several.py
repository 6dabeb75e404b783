"""Several processes of a test: they run one script, meet over gloo, and all have to end well.

A server forks them, with torch and msbridge imported once: to import both takes longer than what most scripts do.
"""

import atexit
import multiprocessing
import os
import socket
import sys
import tempfile
import traceback
from pathlib import Path

import torch

ROOT = Path(__file__).parents[2]
READY = ["torch._dynamo", "msbridge.api", "msbridge.distributed.sharding.calls", "msbridge.distributed.pipeline"]
LIMIT_S = 120


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def outputs(script: str, count: int, *words: str) -> list[str]:
    """Run a script in several processes and return what each of them printed; an AssertionError shows a failure.

    `{rank}` in `words`, which are the scripts' arguments, stands for the rank of the process.
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(READY)
    shared = {"WORLD_SIZE": str(count), "MASTER_PORT": str(free_port())}
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{rank}" for rank in range(count)]
        children = [
            server.Process(
                target=_run,
                args=(script, [word.format(rank=rank) for word in words], {**shared, "RANK": str(rank)}, name),
                daemon=True,
            )
            for rank, name in enumerate(names)
        ]
        for child in children:
            child.start()
        for child in children:
            child.join(LIMIT_S)
        late = [rank for rank, child in enumerate(children) if child.is_alive()]
        for child in children:
            child.kill()
        failed = [
            Path(f"{name}.err").read_text() for name, child in zip(names, children, strict=True) if child.exitcode
        ]
        assert not late, f"ranks {late} did not end in {LIMIT_S} s\n" + "\n".join(failed)
        assert not failed, "\n".join(failed)
        return [Path(f"{name}.out").read_text() for name in names]


def _run(script: str, words: list[str], environment: dict[str, str], name: str) -> None:
    """Run `script` as `python -c` does, in the root of the project; what it prints goes to files."""
    for stream, ending in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{name}.{ending}", os.O_WRONLY | os.O_CREAT), stream)
    os.chdir(ROOT)
    os.environ.update(environment)
    torch.set_num_threads(1)
    sys.argv[:] = ["-c", *words]
    try:
        exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})
        atexit._run_exitfuncs()  # multiprocessing leaves these out
    except Exception:
        traceback.print_exc()
        sys.exit(1)
