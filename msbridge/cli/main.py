"""The command `msbridge`: finds the subcommand and hands over to it."""

import argparse
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

COMMANDS = (
    "run",
    "convert",
    "inspect",
    "verify",
    "scan",
    "doctor",
)  # each a file of this folder with `register(commands)`
DEFECT = "this is a defect of msbridge. Please report it, with the lines above and what `msbridge doctor` prints."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows `msbridge`; None takes the process's own.

    Returns:
        The exit code: 0, or what the subcommand says; 70 for a defect of msbridge, 130 when interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser(given).parse_args(given)
    try:
        code = int(options.call(options) or 0)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough; Python's own flush at the end must not fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(f"msbridge {given[0]}: interrupted.", file=sys.stderr)
        return 130
    except Exception:
        traceback.print_exc()
        print(f"msbridge {given[0]}: {DEFECT}", file=sys.stderr)
        return 70  # EX_SOFTWARE of BSD's sysexits: none of the codes that mean something else
    return code


def parser(given: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser; of the subcommands only the one that is asked for is imported, if one is."""
    top = argparse.ArgumentParser(prog="msbridge", description="MindSpore's API on PyTorch's engine.")
    top.add_argument("--version", action="version", version=f"msbridge {_version()}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    asked = next((word for word in given if not word.startswith("-")), None)
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        module = f"{__package__}.{name}"  # the folder may be installed under a second name, which imports no torch
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module).register(commands)
    _refuse_unknown(top, given)
    return top


def _refuse_unknown(top: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Say of a first word that is no command what it probably was meant to be."""
    from msbridge.core.nearest import did_you_mean

    if not given or given[0].startswith("-") or given[0] in COMMANDS:
        return
    if given[0].endswith(".py"):
        top.error(f"{given[0]!r} is a script: msbridge run {given[0]}")
    known = [name for name in COMMANDS if importlib.util.find_spec(f"{__package__}.{name}") is not None]
    near = did_you_mean(given[0], known)
    top.error(f"there is no command {given[0]!r}.{near or ' The commands are: ' + ', '.join(known) + '.'}")


def _version() -> str:
    try:
        return version("msbridge")
    except PackageNotFoundError:  # run from a folder, not installed
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
