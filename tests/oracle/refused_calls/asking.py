"""Ask a MindSpore about calls: which it computes, and of which class its refusals are.

    PYTHON tests/oracle/refused_calls/asking.py CALLS ANSWERS [--ours] [--beside REAL] [--seconds N]

CALLS is a pickle of specifications; ANSWERS gets a line for each, `index class`, with "-" where it computes. It runs in
forks of a process that has MindSpore imported: a call that ends the process, or takes too long, is "crash" or "late".
What is in ANSWERS already is not asked again. With --beside, what REAL's answers compute is not asked at all: nothing
is learned of it.
"""

import argparse
import contextlib
import os
import pickle
import signal
import sys
import time
import warnings
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[3])

LIMIT_S = 10
PER_FORK = 3000
COMPUTED, CRASH, LATE, BEGUN, NOT_ASKED = "-", "crash", "late", "?", "."


class _LateError(BaseException):
    pass


def _late(*_):
    raise _LateError


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("calls", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--strict", default="", help="with --ours: under strict mode")
    parser.add_argument("--beside", type=Path, help="with --ours: the real one's answers")
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_args()
    end = time.time() + options.seconds
    options.answers = options.answers.absolute()
    calls = pickle.loads(options.calls.read_bytes())
    if options.beside:
        real = read(options.beside)
        calls = [spec if real.get(index, COMPUTED) != COMPUTED else None for index, spec in enumerate(calls)]
    if options.ours:
        import msbridge

        msbridge.install()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))
    import mindspore  # noqa: F401

    from tests.oracle.refused_calls import specs  # noqa: F401

    if options.strict:
        msbridge.strict()
    answers = read(options.answers)
    position = max(answers, default=-1) + 1
    while position < len(calls) and time.time() < end:
        process = os.fork()
        if not process:
            _answer(calls, position, options.answers, end)
            os._exit(0)
        status = _wait(process, options.answers)
        lines = read(options.answers)
        last = max(lines, default=-1)
        if status and lines.get(last) == BEGUN:
            with options.answers.open("a") as file:
                file.write(f"{last} {LATE if status == signal.SIGKILL else CRASH}\n")
        elif last < position:
            raise SystemExit(f"a fork ended with {status}")
        position = last + 1


def _wait(process, path):
    """Wait for a fork, and end it where it answers no more: a kernel that hangs hears no alarm. Return its status."""
    size, since = -1, time.time()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status
        now = path.stat().st_size if path.exists() else 0
        if now != size:
            size, since = now, time.time()
        elif time.time() - since > LIMIT_S + 5:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def _answer(calls, position, path, end):
    from tests.oracle.refused_calls.specs import run

    warnings.simplefilter("ignore")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    signal.signal(signal.SIGALRM, _late)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for index in range(position, min(position + PER_FORK, len(calls))):
        if time.time() > end:
            return
        if calls[index] is None:
            os.write(file, f"{index} {NOT_ASKED}\n".encode())
            continue
        os.write(file, f"{index} {BEGUN}\n".encode())
        signal.alarm(LIMIT_S)
        try:
            answer = _outcome(run, calls[index])
            if answer != COMPUTED:  # an error may be that of a call before, which was computed late
                answer = _outcome(run, calls[index])
        except _LateError:
            answer = LATE
        signal.alarm(0)
        os.write(file, f"{index} {answer}\n".encode())


def _outcome(run, call):
    """Return what becomes of a call; nothing of it is left to be computed afterwards."""
    import mindspore as ms

    answer = COMPUTED
    try:
        run(call)
        ms.runtime.synchronize()
    except Exception as error:
        answer = type(error).__name__
        with contextlib.suppress(Exception):
            ms.runtime.synchronize()
    return answer


def read(path):
    """Return the answers so far, by index."""
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text().splitlines())
    return {int(line[0]): line[1] for line in lines if len(line) == 2}


if __name__ == "__main__":
    main()
