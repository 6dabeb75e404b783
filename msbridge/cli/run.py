"""`msbridge run`: start a MindSpore script on msbridge, exactly as Python would start it."""

import argparse
from typing import Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.terminal import format_error
from msbridge.core.runtime.terminal import tell
from msbridge.launcher.options import Options


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "run",
        usage="msbridge run [--release R] [--path OLD=NEW]... [--ledger] [--data-report] [--device-report OUT] "
        "[--full-traceback] [--strict[=ascend]] [--nproc N [--log-dir DIR]] "
        "(SCRIPT | -m MODULE | -c CODE | -) [ARGS...]",
        description="Run a MindSpore script, unmodified, on PyTorch; its child processes run so too. SCRIPT may be a "
        "shell script that starts Python.",
    )
    add_options(parser, Options)
    parser.add_argument("-m", dest="module", nargs=argparse.REMAINDER, help="run a module, as `python -m` does")
    parser.add_argument("-c", dest="code", nargs=argparse.REMAINDER, help="run a string, as `python -c` does")
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT [ARGS...]", help="the script; - for stdin")
    parser.set_defaults(call=lambda options: run(options, parser))


def run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Become the Python process that runs the script; return the exit code where there are several, or on Windows."""
    from msbridge.launcher.script import launch, problem

    script = options.script[1:] if options.script[:1] == ["--"] else options.script
    programs = [["-m", *options.module]] if options.module else []
    programs += [["-c", *options.code]] if options.code else []
    programs += [script] if script else []
    if len(programs) != 1:
        parser.error("give one of SCRIPT, -m MODULE and -c CODE, such as: msbridge run train.py.")
    if options.log_dir is not None and options.nproc is None:
        parser.error("--log-dir is for the processes of --nproc.")
    if options.nproc is not None and script[:1] == ["-"]:
        parser.error("several processes cannot read one script from stdin: give --nproc a file.")
    if script and (said := problem(script[0])):
        tell(f"msbridge run: {said}")
        return 2
    try:
        return launch(programs[0], record_of(Options, options))
    except OSError as error:
        if options.nproc is None:
            raise
        tell(f"msbridge run: {format_error(error)}")
        return 2
