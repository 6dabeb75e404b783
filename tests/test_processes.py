"""A child of the fork server does what a process of its own does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import Child, msbridge, python

pytestmark = pytest.mark.process

TRACE = "def f():\n    return 1 / 0\nf()"
PROGRAMS = {
    "arguments": "import sys; print(sys.argv, sys.path, sys.orig_argv, __name__, __file__, __package__)",
    "traceback": TRACE,
    "exit code": "import sys; sys.exit(3)",
    "exit message": "raise SystemExit('it broke')",
    "exit true": "raise SystemExit(True)",
    "interrupt": "raise KeyboardInterrupt",
    "signal": "import os; os.kill(os.getpid(), 15)",
    "stdin": "import sys; print(sys.stdin.read(), file=sys.stderr)",
    "thread": "import threading, time; threading.Thread(target=lambda: (time.sleep(0.1), print('last'))).start()",
    "atexit": "import atexit, sys; atexit.register(lambda: print(sys.last_value)); raise KeyError('k')",
    "folder": "import os; print(os.getcwd(), sorted(os.environ))",
    "pickled": "import pickle\nclass A: pass\nprint(pickle.loads(pickle.dumps(A)).__module__)",
    "nothing of msbridge": "import sys; print([name for name in sys.modules if 'msbridge' in name or 'tests' == name])",
    "spawned": "import multiprocessing\nif __name__ == '__main__':\n"
    "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(abs, [-1]))",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_in_a_process_of_its_own(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PROGRAMS[name])
    env = {**os.environ, "PYTHONPATH": "/there", "HERE": "1"}
    for words in (("a.py", "-x"), ("-m", "a", "-x")):
        command = [sys.executable, *words]
        own = subprocess.run(command, cwd=tmp_path, env=env, input="in", capture_output=True, text=True, check=False)
        forked = python(*words, cwd=tmp_path, env=env, stdin="in", check=False)
        assert (forked.returncode, forked.stdout, forked.stderr) == (own.returncode, own.stdout, own.stderr)


def test_a_string_is_run_and_a_failure_is_shown() -> None:
    assert python("-c", "import sys; print(sys.argv, sys.path[0])", "x").stdout == "['-c', 'x'] \n"
    with pytest.raises(AssertionError, match=r"(?s)exit code 1\n.*ZeroDivisionError"):
        python("-c", "1 / 0")


def test_it_becomes_another_python() -> None:
    source = "import mindspore, os, sys; print(sys.argv, os.environ['MSBRIDGE_RELEASE'], mindspore.nn.Dense.__name__)"
    assert msbridge("run", "--release", "1.1", "-c", source, "x").stdout == "['-c', 'x'] 1.1 Dense\n"


def test_a_late_child_is_killed() -> None:
    done = Child("-c", "print('begun', flush=True); import time; time.sleep(100)").wait(0.5)
    assert (done.returncode, done.stderr) == (-9, "it did not end in 0.5 s")
