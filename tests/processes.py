"""A fork server for tests: Pythons that begin with torch imported, which takes longer than what most of them do.

    test ── words, folder, variables; stdin, stdout, stderr ──▶ server ── fork ──▶ keeper ── fork ──▶ child
         ◀── number of the child, its exit code ────────────────────────────────── waits

The server has nothing of msbridge. A child begins as `python WORDS` does, with `__main__`, `sys.argv`, `sys.path` and
sitecustomize, and ends as an interpreter ends; where it becomes another Python (`msbridge run`), it begins again.
Where starting is itself the point (import times, flags, start methods), a test starts a process of its own.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import itertools
import json
import os
import runpy
import select
import shutil
import signal
import site
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parents[1]
WARM = ("numpy", "torch", "torch._dynamo", "torch.distributed.tensor")
LIMIT_S = 600  # against a hang; a machine that is busy with other things may take minutes


class Child:
    """A Python that runs: `words` are those of a command line after `python`, `folder` is where it begins."""

    def __init__(
        self, *words: str, cwd: Path | str | None = None, env: Mapping[str, str] | None = None, stdin: str = ""
    ) -> None:
        self.words = words
        self._files: list[IO[bytes]] = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 - `wait` closes them
        self._files[0].write(stdin.encode())
        self._files[0].seek(0)
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(_address())
        request = [words, str(cwd or Path.cwd()), dict(os.environ if env is None else env)]
        socket.send_fds(self._connection, [b"\n"], [file.fileno() for file in self._files])
        self._connection.sendall(json.dumps(request).encode() + b"\n")
        self.pid = self._answer()

    def wait(self, timeout: float = LIMIT_S) -> subprocess.CompletedProcess[str]:
        """Return how it ended and what it printed; a child that is late is killed, and said to be."""
        self._connection.settimeout(timeout)
        late = ""
        try:
            code = self._answer()
        except TimeoutError:
            late = f"it did not end in {timeout} s"
            os.kill(self.pid, signal.SIGKILL)
            self._connection.settimeout(None)
            code = self._answer()
        for file in self._files:
            file.seek(0)
        out, err = [file.read().decode() for file in self._files[1:]]
        for each in (*self._files, self._connection):
            each.close()
        return subprocess.CompletedProcess(self.words, code, out, err + late)

    def _answer(self) -> int:
        return int.from_bytes(self._connection.recv(4, socket.MSG_WAITALL), signed=True)


def python(
    *words: str, check: bool = True, timeout: float = LIMIT_S, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with the words of a command line; an AssertionError shows a failure unless `check` is False."""
    done = Child(*words, **options).wait(timeout)
    assert not (check and done.returncode), f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def msbridge(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line `msbridge WORDS`."""
    return python("-m", "msbridge", *words, **options)


@functools.cache
def _address() -> str:
    """Start the server of this process; it ends with it."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.processes import serve; serve()"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "MSBRIDGE_"))}
    if "MSBRIDGE_STANDIN" in os.environ:  # children have the devices that this process has (tests/standin)
        startup = str(ROOT / "tests/standin/startup")
        standin = {name: value for name, value in os.environ.items() if name.startswith("MSBRIDGE_STANDIN")}
        clean |= standin | {"PYTHONPATH": startup}
    server = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean, start_new_session=True
    )
    atexit.register(server.communicate)
    assert server.stdout
    return server.stdout.readline().decode().strip()


def serve() -> None:
    """Fork a keeper for each connection, until the process that started this one has ended."""
    sys.path[:2] = []  # this project's, and that of -c
    for name in ("tests", __name__):
        del sys.modules[name]
    for name in WARM:
        importlib.import_module(name)
    gc.freeze()
    folder = tempfile.mkdtemp()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/server")
        listening.listen()
        print(f"{folder}/server", flush=True)
        while select.select([0, listening], [], [])[0] == [listening]:
            connection, _ = listening.accept()
            if not os.fork():
                listening.close()
                _keep(connection)
            connection.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    shutil.rmtree(folder)


def _keep(connection: socket.socket) -> NoReturn:
    """Fork the child, and answer how it ended."""
    _, files, _, _ = socket.recv_fds(connection, 1, 3)
    with connection.makefile() as lines:
        words, folder, variables = json.loads(lines.readline())
    if child := os.fork():
        connection.sendall(child.to_bytes(4))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(code.to_bytes(4, signed=True))
        os._exit(0)
    connection.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    importlib.import_module("numpy").random.seed()
    importlib.import_module("multiprocessing.process").ORIGINAL_DIR = folder
    if threads := variables.get("OMP_NUM_THREADS"):
        importlib.import_module("torch").set_num_threads(int(threads))
    _become(words)


class _OtherPython(BaseException):
    """Takes a process that becomes another Python back to where it began."""


def _become(words: list[str]) -> NoReturn:
    """Run a program as a new interpreter would, and end as it would, but for what it would free."""
    modules, finders, path = dict(sys.modules), list(sys.meta_path), list(sys.path)
    replace = os.execvp

    def execvp(file: str, command: list[str]) -> None:
        if file != sys.executable:
            replace(file, command)
        raise _OtherPython(command[1:])

    os.execvp = execvp  # type: ignore[assignment]
    code: Any = 0
    while True:
        try:
            _run(words)
        except _OtherPython as other:
            words = other.args[0]
            sys.modules.clear()
            sys.modules.update(modules)
            sys.meta_path[:], sys.path[:] = finders, path
            atexit._clear()
            continue
        except SystemExit as end:
            code = end.code
        except BaseException as error:
            code = _show(error)
        _end(code)


def _run(words: list[str]) -> None:
    """Run `-c CODE`, `-m MODULE` or a script; -P before it leaves its folder out of `sys.path`, as Python's does."""
    is_safe = words[0] == "-P"
    words = list(itertools.dropwhile(lambda word: word in ("-B", "-P"), words))
    sys.orig_argv[:] = [sys.executable, *words]
    sys.path[:0] = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.modules.pop("sitecustomize", None)
    site.execsitecustomize()  # type: ignore[attr-defined]
    main = vars(sys.modules["__main__"])
    for name in [name for name in main if not name.startswith("__")]:
        del main[name]
    sys.argv[:] = words if words[0][0] != "-" else [words[0], *words[2:]]
    folder = {"-c": "", "-m": os.getcwd()}.get(words[0], os.path.dirname(os.path.realpath(words[0])))  # noqa: PTH109, PTH120
    sys.path[:0] = [] if is_safe else [folder]
    if words[0] == "-m":
        runpy._run_module_as_main(words[1])  # type: ignore[attr-defined]
    elif words[0] == "-c":
        exec(compile(words[1], "<string>", "exec"), main)
    else:
        main["__file__"] = os.path.abspath(words[0])  # noqa: PTH100
        exec(compile(Path(words[0]).read_bytes(), main["__file__"], "exec"), main)


def _show(error: BaseException) -> int:
    """Show an exception as the interpreter does, without the frames of this file; return the exit code."""
    place = error.__traceback__
    while place and place.tb_frame.f_code.co_filename == __file__:
        place = place.tb_next
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error.with_traceback(place), place
    sys.excepthook(type(error), error, place)
    return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


def _end(code: Any) -> NoReturn:
    """End as the interpreter does with what `sys.exit` was given."""
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if code == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(code & 255 if isinstance(code, int) else int(code is not None))
