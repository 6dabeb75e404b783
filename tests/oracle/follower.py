"""A process that follows an earlier release and judges families of cases: scripts follow one release in a process, too.

python -m tests.oracle.follower RELEASE ADDRESS
"""

import random
import sys
import tempfile
import traceback
import warnings
from contextlib import chdir
from multiprocessing.connection import Client, Connection, Listener
from types import ModuleType
from typing import TYPE_CHECKING

from tests.processes import LIMIT_S, ROOT, Child

if TYPE_CHECKING:
    from tests.oracle.case import Case
    from tests.oracle.outcome import Json

__all__ = ["Follower"]


class Follower:
    """The process that follows `release`."""

    def __init__(self, release: str) -> None:
        with Listener() as listener:
            self._child = Child("-m", __name__, release, str(listener.address), cwd=ROOT)
            self._connection = listener.accept()

    def problems(self, family: str, record: str) -> dict[str, str]:
        """Return where a family departs from what is recorded of the release `record`, by the names of its cases.

        Raises:
            AssertionError: the process did not answer; the text says what it printed.
        """
        try:
            self._connection.send((family, record))
            found = self._connection.recv() if self._connection.poll(LIMIT_S) else f"no answer in {LIMIT_S} s"
        except (EOFError, ConnectionError):
            done = self._child.wait()
            found = f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
        assert isinstance(found, dict), f"{family}: {found}"
        return found

    def end(self) -> None:
        """End the process."""
        self._connection.close()
        self._child.wait()


def judge(connection: Connection) -> None:
    """Answer which cases of a family have problems, until the test's end is closed."""
    from msbridge.core.context import context

    while True:
        try:
            family, record = connection.recv()
        except EOFError:
            return
        with tempfile.TemporaryDirectory() as folder, chdir(folder), context.preserve_context():
            try:
                connection.send(_problems(family, record))
            except Exception:
                connection.send(traceback.format_exc())


def _problems(family: str, record: str) -> dict[str, str]:
    import numpy as np
    import torch

    from tests.oracle.case import load
    from tests.oracle.outcome import folder_of, read

    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    recorded = read(folder_of(record) / f"{family}.json.gz")[1]
    module, cases = load(family)
    found = {case.name: problem_of(case, module, recorded[case.name]) for case in cases if case.name in recorded}
    return {name: problem for name, problem in found.items() if problem}


def problem_of(case: "Case", module: ModuleType, expected: "Json") -> str:
    """Say where a case departs from its record; empty when it does not."""
    from msbridge.core.context import context
    from tests.oracle.outcome import differences, encode

    context.set_context(mode=context.PYNATIVE_MODE)
    try:
        outcome = encode(case.run(module))
    except Exception as error:
        is_raised = isinstance(expected, dict) and "raises" in expected
        classes = {one.__name__ for one in type(error).__mro__}
        is_wanted = is_raised and (expected["raises"] in classes or isinstance(error, case.raises))
        return "" if is_wanted else f"{type(error).__name__}: {error}"
    return "\n".join(differences(outcome, expected, case.tolerance))


if __name__ == "__main__":
    # Connected before anything that can fail: who waits for the process reads its error instead.
    with Client(sys.argv[2]) as asked:
        import msbridge

        warnings.simplefilter("ignore")
        msbridge.install()
        msbridge.set_release(sys.argv[1])
        judge(asked)
