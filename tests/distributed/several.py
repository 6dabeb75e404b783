"""Several processes of a test: they run one script, meet over gloo, and all have to end well."""

import os
import socket

from tests.processes import ROOT, Child


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def outputs(script: str, count: int, *words: str) -> list[str]:
    """Run a script in several processes and return what each of them printed; an AssertionError shows a failure.

    `{rank}` in `words`, which are the scripts' arguments, represents the rank of the process.
    """
    shared = {**os.environ, "WORLD_SIZE": str(count), "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1"}
    children = [
        Child("-c", script, *(word.format(rank=rank) for word in words), cwd=ROOT, env={**shared, "RANK": str(rank)})
        for rank in range(count)
    ]
    ended = [child.wait() for child in children]
    failed = [done.stderr for done in ended if done.returncode]
    assert not failed, "\n".join(failed)
    return [done.stdout for done in ended]
