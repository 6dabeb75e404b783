"""Several processes of a test: they run one script, meet over gloo, and all have to end well."""

import os

from msbridge.launcher.reserved_port import reserved_port
from tests.processes import ROOT, Child


def outputs(script: str, count: int, *words: str) -> list[str]:
    """Run a script in several processes and return what each of them printed; an AssertionError shows a failure.

    `{rank}` in `words`, which are the scripts' arguments, represents the rank of the process, `{port}` where they meet.
    """
    with reserved_port() as port:
        shared = {**os.environ, "WORLD_SIZE": str(count), "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
        children = [
            Child("-c", script, *(word.format(rank=rank, port=port) for word in words), cwd=ROOT, env=shared | own)
            for rank, own in ((rank, {"RANK": str(rank)}) for rank in range(count))
        ]
        ended = [child.wait() for child in children]
    failed = [done.stderr for done in ended if done.returncode]
    assert not failed, "\n".join(failed)
    return [done.stdout for done in ended]
