"""`msbridge api`: what a name of MindSpore or torch means, in each release and on the other side."""

import argparse
import dataclasses
from typing import Any

from msbridge.core.runtime.printable import json_text, printable
from msbridge.core.runtime.terminal import tell

EPILOG = """\
examples:
  msbridge api ops.split                    its arguments, what 2.0 changed, torch's counterpart
  msbridge api torch.nn.functional.gelu     what MindSpore calls it, and how the two differ
  msbridge api split                        every name that ends in split

exit codes: 0; 1 when a name is not known
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "api",
        description="Show the signature and text of a public name of MindSpore, what releases changed, torch's "
        "counterparts with their differences, and whether msbridge has it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", metavar="NAME", nargs="+", help="e.g. ops.split, nn.BCELoss, Tensor.max, torch.gather")
    parser.add_argument("--json", action="store_true", help="print the entries as JSON")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Print the entries of all names.

    Returns:
        0; 1 when a name is not known.
    """
    from msbridge.api_lookup.entry import entry_of
    from msbridge.api_lookup.paths import find_paths
    from msbridge.scan.names.checking import serve_mindspore

    code = 0
    entries = []
    with serve_mindspore():
        for name in options.names:
            paths = find_paths(name)
            entries += [entry_of(path) for path in paths]
            if not paths:
                tell(f"msbridge api: {_not_found(name)}")
                code = 1
    if options.json:
        print(json_text([dataclasses.asdict(entry) for entry in entries]))
    else:
        _show(entries, is_short=len(entries) > len(options.names))
    return code


def _show(entries: list[Any], is_short: bool) -> None:
    from msbridge.api_lookup.text import lines_of

    print("\n\n".join(printable("\n".join(lines_of(entry, is_short))) for entry in entries))


def _not_found(name: str) -> str:
    """Return the sentence that a name is not known: why nothing is needed, or what is like it."""
    from msbridge.api_lookup.paths import suggest_names
    from msbridge.scan.torch_names.equivalents import needless

    if because := needless(name):
        return f"{name} needs nothing in its place: {because}."
    near = ", ".join(suggest_names(name))
    return f"{name} is not known.{f' Alike: {near}.' if near else ''}"
