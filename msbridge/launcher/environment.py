"""The environment in which a Python process, and those below it, serve `mindspore` from msbridge.

The start-up hook (msbridge/dropin/hook) is passed on through PYTHONPATH, so child processes have it too.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, MutableMapping
from pathlib import Path

from msbridge.core.runtime import malloc_tuning, thread_count
from msbridge.launcher.options import Options

__all__ = ["HOOK", "interpreter_flags", "prepare", "prepend"]

HOOK = Path(__file__).parents[1] / "dropin" / "hook"


def prepare(environment: MutableMapping[str, str], options: Options) -> None:
    """Set the variables that make a Python process, and those below it, serve `mindspore` from msbridge.

    Args:
        environment: is changed; paths come before those that it has already.
        options: how the script is started; without a release, its imports say it. Reports are the first process's.
    """
    malloc_tuning.request_huge_pages(environment)
    thread_count.set_thread_variables(environment)
    prepend(environment, "PYTHONPATH", [str(HOOK)])
    environment["MSBRIDGE_ENVIRONMENT"] = "{}.{} {}".format(*sys.version_info[:2], os.path.realpath(sys.prefix))
    prepend(environment, "MSBRIDGE_PATHS", options.path)
    values = {"RELEASE": options.release, "DEVICE_REPORT": options.device_report, "STRICT": options.strict}
    flags = {"LEDGER": options.ledger, "DATA_REPORT": options.data_report, "FULL_TRACEBACK": options.full_traceback}
    for name, value in {**values, **{name: "1" for name, is_set in flags.items() if is_set}}.items():
        if value is not None:
            environment[f"MSBRIDGE_{name}"] = value


def interpreter_flags(environment: MutableMapping[str, str]) -> list[str]:
    """Return the flags of this Python for another process of it.

    `-E` and `-I` ignore Python's variables, through which the start-up hook is passed on. In their place the variables
    are removed, and `-I` becomes `-s -P`.

    Args:
        environment: is changed; before `prepare`.
    """
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    if not sys.flags.ignore_environment:
        return flags
    for name in [each for each in environment if each.startswith("PYTHON")]:
        del environment[name]
    kept = [flag for flag in flags if flag not in ("-E", "-I")]
    return [*kept, "-s", "-P"] if sys.flags.isolated else kept


def prepend(environment: MutableMapping[str, str], name: str, values: Iterable[str]) -> None:
    """Put values in front of those that a variable lists."""
    present = [value for value in environment.get(name, "").split(os.pathsep) if value]
    first = list(values)
    joined = os.pathsep.join([*first, *(value for value in present if value not in first)])
    if joined:
        environment[name] = joined
