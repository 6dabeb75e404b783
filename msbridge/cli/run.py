"""`msbridge run`: start a MindSpore script on msbridge, exactly as Python would start it.

This process prepares the environment and then becomes `python SCRIPT ARGS…`: arguments, `__main__`, exit codes and
signals are Python's own; in tracebacks the frames of msbridge are folded (msbridge/dropin/postmortem/tracebacks.py).
The start-up hook (msbridge/dropin/hook) is handed on through PYTHONPATH, so child processes have it too.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import Any

from msbridge.cli.launcher import run_several
from msbridge.cli.terminal import explained, tell
from msbridge.core.runtime import malloc_tuning, standard_streams, thread_count

CHECKPOINTS = {".bin", ".ckpt", ".npz", ".pt", ".pth", ".safetensors"}
MAX_SCRIPTS_SHOWN = 5  # scripts of a folder that are named
RELEASE = re.compile(r"r?[12](\.\d+)*")


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "run",
        usage="msbridge run [--release R] [--path OLD=NEW]... [--ledger] [--data-report] [--device-report OUT] "
        "[--full-traceback] [--nproc N [--log-dir DIR]] (SCRIPT | -m MODULE | -c CODE | -) [ARGS...]",
        description="Run a MindSpore script, unmodified, on PyTorch; its child processes run so too. SCRIPT may be a "
        "shell script that starts Python.",
    )
    parser.add_argument(
        "--release", type=_release, metavar="R", help="the MindSpore release it is written for: 1.1, 2.3"
    )
    parser.add_argument(
        "--path",
        type=_path,
        metavar="OLD=NEW",
        action="append",
        default=[],
        help="read data below NEW where the script says OLD; may be given several times",
    )
    parser.add_argument("--ledger", action="store_true", help="print the device's ledger when the script ends")
    parser.add_argument(
        "--data-report",
        action="store_true",
        help="print where the time of the data pipelines went when the script ends",
    )
    parser.add_argument(
        "--device-report",
        type=_report,
        metavar="OUT",
        help="write what the device was given to do, and what a real Ascend would say, to OUT (.html or .json)",
    )
    parser.add_argument(
        "--full-traceback",
        action="store_true",
        help="show the frames of msbridge and torch, too, when the script ends with an error",
    )
    parser.add_argument(
        "--nproc",
        type=_count,
        metavar="N",
        help="run it in N processes of one distributed job; the first that fails ends all",
    )
    parser.add_argument(
        "--log-dir",
        type=Path,
        metavar="DIR",
        help="with --nproc: write the output of each process to DIR/rank_N.log, and show rank 0's alone",
    )
    parser.add_argument("-m", dest="module", nargs=argparse.REMAINDER, help="run a module, as `python -m` does")
    parser.add_argument("-c", dest="code", nargs=argparse.REMAINDER, help="run a string, as `python -c` does")
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT [ARGS...]", help="the script; - for stdin")
    parser.set_defaults(call=lambda options: run(options, parser))


def run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Become the Python process that runs the script.

    Returns:
        The exit code, where a process cannot be replaced by another (Windows).
    """
    script = options.script[1:] if options.script[:1] == ["--"] else options.script
    program = [["-m", *options.module]] if options.module else []
    program += [["-c", *options.code]] if options.code else []
    program += [script] if script else []
    if len(program) != 1:
        parser.error("give one of SCRIPT, -m MODULE and -c CODE, such as: msbridge run train.py")
    if options.log_dir is not None and options.nproc is None:
        parser.error("--log-dir is for the processes of --nproc")
    if options.nproc is not None and script[:1] == ["-"]:
        parser.error("several processes cannot read one script from stdin: give --nproc a file")
    if script and (problem := _problem(script[0])):
        tell(f"msbridge run: {problem}")
        return 2
    prepare(
        os.environ,
        options.release,
        options.path,
        options.ledger,
        options.full_traceback,
        options.data_report,
        options.device_report,
    )
    command = [sys.executable, *subprocess._args_from_interpreter_flags(), *program[0]]  # type: ignore[attr-defined]
    if script and Path(script[0]).suffix == ".sh":  # what it starts as `python` is this Python
        command = ["bash", *script]
        _prepend(os.environ, "PATH", [str(Path(sys.executable).parent)])
    standard_streams.flush(sys.stdout)
    if options.nproc is not None:
        try:
            return run_several(command, options.nproc, os.environ, options.log_dir)
        except OSError as error:  # the folder of logs; no more processes
            tell(f"msbridge run: {explained(error)}")
            return 2
    if os.name != "nt":
        os.execvp(command[0], command)
    return subprocess.run(command, check=False).returncode


def _problem(script: str) -> str:
    """Return what is wrong with the script's name, in a sentence; "" where Python can run it."""
    path = Path(script)
    if script == "-":
        return ""
    if path.suffix == ".ipynb":
        return (
            f"{script} is a notebook. Open it as ever with `import msbridge; msbridge.install()` in its first cell, or "
            f"make a script of it: jupyter nbconvert --to script {script}"
        )
    if path.suffix in CHECKPOINTS:
        return f"{script} is no script, but a checkpoint: msbridge inspect {script} shows what is in it."
    if path.is_dir() and not (path / "__main__.py").exists():
        scripts = sorted(each.name for each in path.glob("*.py"))
        return f"{script} is a folder without a __main__.py. Give a script{' in it' if scripts else ''}" + (
            f": {', '.join(scripts[:MAX_SCRIPTS_SHOWN])}{' …' if len(scripts) > MAX_SCRIPTS_SHOWN else ''}"
            if scripts
            else "."
        )
    if path.exists():
        return ""
    folder = path.parent
    names = [each.name for each in folder.glob("*.py")] if folder.is_dir() else []
    missing = f"{folder} does not exist" if not folder.is_dir() else f"{script} does not exist"
    from msbridge.core.checks.suggestions import did_you_mean

    return f"{missing}.{did_you_mean(path.name, names)}"


def prepare(
    environment: MutableMapping[str, str],
    release: str | None = None,
    paths: Iterable[str] = (),
    ledger: bool = False,
    full_traceback: bool = False,
    data_report: bool = False,
    device_report: str | None = None,
) -> None:
    """Set the variables that make a Python process, and those below it, serve `mindspore` from msbridge.

    Args:
        environment: is changed.
        release: the release to follow; None lets the script's imports say it.
        paths: OLD=NEW pairs; they come before those that are set already.
        ledger: the first process prints the device's ledger at its end.
        full_traceback: show the frames of msbridge and torch when the script ends with an error.
        data_report: the first process prints where the time of its data pipelines went.
        device_report: the file to which the first process writes the device report.
    """
    malloc_tuning.settle(environment)
    thread_count.settle(environment)
    _prepend(environment, "PYTHONPATH", [str(hook())])
    environment["MSBRIDGE_ENVIRONMENT"] = "{}.{} {}".format(*sys.version_info[:2], os.path.realpath(sys.prefix))
    _prepend(environment, "MSBRIDGE_PATHS", paths)
    if release is not None:
        environment["MSBRIDGE_RELEASE"] = release
    if ledger:
        environment["MSBRIDGE_LEDGER"] = "1"
    if data_report:
        environment["MSBRIDGE_DATA_REPORT"] = "1"
    if device_report is not None:
        environment["MSBRIDGE_DEVICE_REPORT"] = device_report
    if full_traceback:
        environment["MSBRIDGE_FULL_TRACEBACK"] = "1"


def hook() -> Path:
    """Return the folder of the start-up hook, without importing msbridge, which would import torch."""
    spec = importlib.util.find_spec("msbridge")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("msbridge is not installed for this Python: pip install msbridge", name="msbridge")
    return Path(spec.submodule_search_locations[0]) / "dropin" / "hook"


def _prepend(environment: MutableMapping[str, str], name: str, values: Iterable[str]) -> None:
    present = [value for value in environment.get(name, "").split(os.pathsep) if value]
    first = list(values)
    joined = os.pathsep.join([*first, *(value for value in present if value not in first)])
    if joined:
        environment[name] = joined


def _release(text: str) -> str:
    if not RELEASE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"must be a release between 1.0 and 2.x, such as 1.1, got {text!r}.")
    return text.removeprefix("r")


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a number of processes, got {text!r}.")
    return int(text)


def _report(text: str) -> str:
    path = Path(text).absolute()  # the script may change its folder
    if path.suffix not in (".html", ".json"):
        raise argparse.ArgumentTypeError(f"must end in .html or .json, got {text!r}.")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"must be in a folder that exists, got {text!r}.")
    return str(path)


def _path(text: str) -> str:
    old, equals, new = text.partition("=")
    if not equals or not old or not new or os.pathsep in text:
        raise argparse.ArgumentTypeError(f"must be OLD=NEW without {os.pathsep!r}, got {text!r}.")
    return f"{old}={Path(new).absolute()}"  # the script may change its folder
