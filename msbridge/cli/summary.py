"""`msbridge summary`: the layers of a network, with shapes, parameters, multiply-adds and memory."""

import argparse
from typing import Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.user_code import report_failure
from msbridge.converters.user_modules import user_modules
from msbridge.core.runtime.printable import json_text, printable
from msbridge.networks.options import NetworkOptions, SummaryOptions

EPILOG = """\
MODEL is package.module:factory or package/module.py:factory, of a Cell or a torch module, or a .mindir file.

An input is [KIND[<LIMIT][@DTYPE]:]SHAPE, one --input for each argument, as for msbridge verify:
  image:1,3,224,224   ids<30522:2,128   mask:2,128   normal@float16:8,32   4,10
Without any, shapes and operations are left out; a .mindir file describes its inputs itself.

exit codes: 0; 2 when the network cannot be built or called; 70 for a defect of msbridge
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "summary",
        description="List the layers of a network, with the shapes of a call, parameters, multiply-adds and memory.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", metavar="MODEL", help="the network; see below")
    add_options(parser, NetworkOptions, SummaryOptions)
    parser.add_argument("--traceback", action="store_true", help="show where an error was raised, in full")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Print the summary; return the exit code."""
    import msbridge
    from msbridge.networks.loading import load_network, make_inputs
    from msbridge.nn.bridge.summary import summary

    asked, form = record_of(NetworkOptions, options), record_of(SummaryOptions, options)
    try:
        msbridge.install(asked.release)
        with user_modules(options.model):
            network = load_network(options.model)
            result = summary(network, *make_inputs(network, asked.input, asked.seed), depth=form.depth)
    except Exception as error:  # most come from the user's own code and files
        return report_failure("summary", error, options.traceback)
    print(json_text(result.as_dict()) if form.json else printable(str(result)))
    return 0
