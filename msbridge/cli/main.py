# PYTHON_ARGCOMPLETE_OK
"""The command `msbridge`: finds the subcommand and calls it."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from msbridge.core.runtime import standard_streams

# Each is a file of this folder with `register(commands)`, which is imported when its command is asked for.
COMMANDS = {
    "run": "run a MindSpore script",
    "convert": "convert a checkpoint between torch and MindSpore",
    "inspect": "show what is in a checkpoint, or how two differ",
    "translate": "write MindSpore source for torch source",
    "verify": "prove that a torch module and its Cell compute the same",
    "summary": "list the layers of a network: shapes, parameters, operations, memory",
    "estimate": "estimate the memory that training needs, and the largest batch",
    "scan": "check scripts without running them",
    "api": "look up a name of MindSpore or torch: its arguments, releases, counterpart",
    "doctor": "show what is installed and which devices are found",
}
DEFECT = "this is a defect of msbridge. Please report it, with the lines above and what `msbridge doctor` prints."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows `msbridge`; None takes the process's own.

    Returns:
        The exit code: 0, or what the subcommand says; 70 for a defect of msbridge, 130 when interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    top = parser(given)
    if not given:
        top.print_help()
        return 0
    options = top.parse_args(given)
    try:
        code = int(options.call(options) or 0)
    except KeyboardInterrupt:
        standard_streams.write(sys.stderr, f"msbridge {given[0]}: interrupted.\n")
        code = 130
    except Exception as error:
        if not (isinstance(error, OSError) and standard_streams.flush(sys.stdout)):  # else it is the output that fails
            import traceback

            standard_streams.write(sys.stderr, f"{traceback.format_exc()}msbridge {given[0]}: {DEFECT}\n")
            code = 70  # EX_SOFTWARE of BSD's sysexits: none of the codes that mean something else
    return code if (problem := standard_streams.flush(sys.stdout)) is None else _report_write_failure(problem, given[0])


def _report_write_failure(problem: Exception, command: str) -> int:
    """Return the exit code where stdout has not taken all; a reader such as `head` has seen enough."""
    standard_streams.discard_rest()
    if isinstance(problem, BrokenPipeError):
        return 1
    standard_streams.write(sys.stderr, f"msbridge {command}: the output cannot be written: {problem}.\n")
    return 2


class Parser(argparse.ArgumentParser):
    """A parser that says of an unknown option or value what it probably was meant to be."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        namespace_of_words, unknown = self.parse_known_args(args, namespace)
        if unknown:
            from msbridge.core.checks.suggestions import did_you_mean

            asked = next((one for one in self._commands() if one.prog.split()[-1:] == list(args or ())[:1]), self)
            known = [flag for action in asked._actions for flag in action.option_strings if flag.startswith("--")]
            near = did_you_mean(unknown[0].partition("=")[0], known) if unknown[0].startswith("-") else ""
            asked.error(f"unrecognized arguments: {' '.join(unknown)}.{near}")
        return namespace_of_words

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message as a sentence, and exit with 2."""
        plain = message.replace("ignored explicit argument", "does not take the value")
        super().error(plain if plain.endswith((".", "?")) else f"{plain}.")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from msbridge.core.checks.suggestions import did_you_mean

            known = ", ".join(map(str, action.choices))
            near = did_you_mean(value, [*action.choices])
            raise argparse.ArgumentError(action, f"{value!r} is not one of {known}.{near}")

    def _commands(self) -> list[argparse.ArgumentParser]:
        groups = [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]
        return [command for group in groups for command in group.choices.values()]


class _Version(argparse.Action):
    """Print the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from msbridge.core.runtime.package_versions import version_of

        print(f"msbridge {version_of('msbridge') or '(not installed)'}")
        parser.exit()


def _complete() -> None:
    """Answer a shell that asks how a command line may continue; `msbridge[completion]` installs what speaks with it."""
    try:
        import argcomplete
    except ImportError:
        sys.exit(1)
    words = os.environ.get("COMP_LINE", "").split()[1:]
    argcomplete.autocomplete(parser(words[:1] if words and words[0] in COMMANDS else []))


def parser(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser.

    Args:
        given: the words of a command line: only the command that is among them has its options; None, all have.
    """
    top = Parser(prog="msbridge", description="MindSpore's API on PyTorch's engine.")
    top.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    asked = next((word for word in given or () if not word.startswith("-")), None)
    for name, purpose in COMMANDS.items():
        if given is None or name == asked:  # the folder may be installed under a second name, which imports no torch
            importlib.import_module(f"{__package__}.{name}").register(commands)
        elif asked not in COMMANDS:
            commands.add_parser(name, help=purpose)
    if given is None:
        return top
    _refuse_unknown(top, given)
    if given and given[0].startswith("--") and len(given) == 1:
        _refuse_unknown_flag(top, given[0])
    return top


def _refuse_unknown(top: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Suggest what a first word that is not a command probably was meant to be."""
    if not given or given[0].startswith("-") or given[0] in COMMANDS:
        return
    if given[0].endswith(".py"):
        top.error(f"{given[0]!r} is a script: msbridge run {given[0]}")
    from msbridge.core.checks.suggestions import did_you_mean

    near = did_you_mean(given[0], COMMANDS)
    top.error(f"there is no command {given[0]!r}.{near or ' The commands are: ' + ', '.join(COMMANDS) + '.'}")


def _refuse_unknown_flag(top: argparse.ArgumentParser, given: str) -> None:
    known = [flag for action in top._actions for flag in action.option_strings]
    if not any(flag.startswith(given) for flag in known):
        from msbridge.core.checks.suggestions import did_you_mean

        top.error(f"unrecognized arguments: {given}.{did_you_mean(given, known)}")


if __name__ == "__main__":
    sys.exit(main())
