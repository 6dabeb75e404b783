"""`msbridge estimate`: the memory that training needs on a device, and the largest batch, without running a step."""

import argparse
import os
from typing import Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.user_code import report_failure
from msbridge.converters.user_modules import user_modules
from msbridge.core.runtime.printable import json_text, printable
from msbridge.core.runtime.terminal import tell
from msbridge.networks.options import EstimateOptions, NetworkOptions

EPILOG = """\
examples:
  msbridge estimate nets.py:ResNet50 --input 32,3,224,224 --optimizer momentum --memory 16GiB
  msbridge estimate --memory 64GiB train.py -- --batch_size 32

MODEL and --input are as for msbridge summary; the loss is the sum of the outputs. A SCRIPT runs until its first
training step, for which only shapes are computed, and ends there.

exit codes: 0, also when a script ends without a training step (the output says so); 2 when the network cannot be built
or called; a script that fails ends with its own code
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "estimate",
        usage="msbridge estimate [OPTIONS] MODEL --input SPEC...\n"
        "       msbridge estimate [OPTIONS] SCRIPT [-- ARGS...]",
        description="Estimate the memory that training needs on a device (parameters, gradients, optimizer state, "
        "activations) and the largest batch that fits. No step is run.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", metavar="MODEL|SCRIPT", help="a network, or a script that trains one")
    parser.add_argument("arguments", metavar="ARGS", nargs="*", help="the script's own arguments, after --")
    add_options(parser, NetworkOptions, EstimateOptions)
    parser.add_argument("--traceback", action="store_true", help="show where an error was raised, in full")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Print the estimate; return the exit code."""
    from msbridge.networks.options import is_network

    asked, form = record_of(NetworkOptions, options), record_of(EstimateOptions, options)
    if not is_network(options.target):
        return _run_script(options, asked, form)
    import msbridge
    from msbridge.networks.estimate import estimate
    from msbridge.networks.loading import load_network, make_inputs

    try:
        if options.arguments:
            raise ValueError(f"a network takes no arguments: {' '.join(options.arguments)}.")
        msbridge.install(asked.release)
        with user_modules(options.target):
            network = load_network(options.target)
            inputs = make_inputs(network, asked.input, asked.seed)
            result = estimate(network, inputs, form.optimizer, form.memory)
    except Exception as error:  # most come from the user's own code and files
        return report_failure("estimate", error, options.traceback)
    print(json_text(result.as_dict()) if form.json else printable(str(result)))
    return 0


def _run_script(options: argparse.Namespace, asked: NetworkOptions, form: EstimateOptions) -> int:
    """Become the process of a script, which ends at its first step."""
    from msbridge.launcher.options import Options
    from msbridge.launcher.script import launch, problem

    said = problem(options.target)
    if asked.input:
        said = (
            said
            or f"{options.target} is a script, which has inputs of its own; a network is named {options.target}:CLASS."
        )
    if said:
        tell(f"msbridge estimate: {said}")
        return 2
    os.environ["MSBRIDGE_ESTIMATE"] = f"{form.memory} {'json' if form.json else 'text'}"
    return launch(
        [options.target, *options.arguments], Options(release=asked.release, full_traceback=options.traceback)
    )
