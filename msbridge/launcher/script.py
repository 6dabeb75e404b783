"""Running a script: this process prepares its environment and then becomes `python SCRIPT ARGS…`.

Arguments, `__main__`, exit codes and signals are Python's own; in tracebacks the frames of msbridge are folded
(msbridge/dropin/postmortem/tracebacks.py).
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.runtime import standard_streams
from msbridge.launcher.environment import interpreter_flags, prepare, prepend
from msbridge.launcher.job import run_several
from msbridge.launcher.options import Options

__all__ = ["launch", "problem"]

CHECKPOINTS = {".bin", ".ckpt", ".npz", ".pt", ".pth", ".safetensors"}
MAX_SCRIPTS_SHOWN = 5  # scripts of a folder that are named


def launch(program: Sequence[str], options: Options) -> int:
    """Become the Python process that runs a program, or start several.

    Args:
        program: the arguments of Python: a script and its own, or `-m` or `-c` and theirs. Bash runs a shell script.
        options: how.

    Returns:
        The exit code, of several processes, and where a process cannot be replaced by another (Windows).

    Raises:
        OSError: the folder of logs cannot be written, or no process be started.
    """
    command = [sys.executable, *interpreter_flags(os.environ), *program]
    prepare(os.environ, options)
    if Path(program[0]).suffix == ".sh":  # what it starts as `python` is this Python
        command = ["bash", *program]
        prepend(os.environ, "PATH", [str(Path(sys.executable).parent)])
    standard_streams.flush(sys.stdout)
    if options.nproc is not None:
        return run_several(command, options.nproc, os.environ, options.log_dir)
    if os.name != "nt":
        os.execvp(command[0], command)
    return subprocess.run(command, check=False).returncode


def problem(script: str) -> str:
    """Return the fault of a script's name, in a sentence; "" where Python can run it."""
    path = Path(script)
    if script == "-":
        return ""
    if path.suffix == ".ipynb":
        return (
            f"{script} is a notebook. Open it as usual, with `import msbridge; msbridge.install()` in its first cell, "
            f"or convert it to a script: jupyter nbconvert --to script {script}"
        )
    if path.suffix in CHECKPOINTS:
        return f"{script} is not a script, but a checkpoint: msbridge inspect {script} shows what is in it."
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
    return f"{missing}.{did_you_mean(path.name, names)}"
