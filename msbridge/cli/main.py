"""The command `msbridge`: finds the subcommand and hands over to it."""

import argparse
import importlib
import importlib.util
import sys
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows `msbridge`; None takes the process's own.

    Returns:
        The exit code: 0, or what the subcommand says.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser(given).parse_args(given)
    return int(options.call(options) or 0)


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
    return top


def _version() -> str:
    try:
        return version("msbridge")
    except PackageNotFoundError:  # run from a folder, not installed
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
