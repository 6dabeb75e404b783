"""Several processes of a test: they run one script, meet over gloo, and all have to end well."""

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def outputs(script: str, count: int) -> list[str]:
    """Run a script in several processes and return what each of them printed; an AssertionError shows a failure."""
    shared = {"WORLD_SIZE": str(count), "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1"}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **shared, "RANK": str(rank)},
        )
        for rank in range(count)
    ]
    ended = [child.communicate(timeout=120) for child in children]
    failed = [errors for child, (_, errors) in zip(children, ended, strict=True) if child.returncode]
    assert not failed, "\n".join(failed)
    return [printed for printed, _ in ended]
