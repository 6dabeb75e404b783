"""`msbridge translate`: torch source becomes MindSpore source, or the other way round."""

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.terminal import format_error
from msbridge.cli.user_code import report_failure
from msbridge.core.runtime.printable import json_text, printable
from msbridge.core.runtime.terminal import tell
from msbridge.translate.proof.options import Proving

if TYPE_CHECKING:
    from msbridge.translate import Translation
    from msbridge.translate.proof import Proof

EPILOG = """\
Only what has to change is changed. A line that needs a decision has a comment above it:
  # msbridge: what to decide
The file is neither run nor imported, except with --verify and --repair: they run it and its translation.

examples:
  msbridge translate model.py -o model_ms.py     write the translation, and say what is left
  msbridge translate model.py --diff             show what would change
  msbridge translate model.py --json             what became of every line, as JSON
  msbridge translate --from mindspore net.py     torch source for MindSpore source
  msbridge translate model.py -o model_ms.py --verify --build "Net(10)" --input image:2,3,32,32
                                                 compare every layer and the gradients, with converted weights

exit codes:
  0  nothing is left to decide, and nothing differs
  1  something is, or does
  2  a file cannot be read, translated, run or written
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "translate",
        description="Write MindSpore source for torch source: imports, layers with their arguments, functions, methods "
        "of Tensors and networks; --from mindspore does the reverse. Comments, formatting, names and type hints stay.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", metavar="PATH", type=Path, help="a Python file that uses torch, or MindSpore")
    parser.add_argument(
        "--from", dest="source", choices=("torch", "mindspore"), default="torch", help="what the file uses (torch)"
    )
    parser.add_argument(
        "--module", metavar="NAME", help="the class of the network, for --verify; the whole file is translated"
    )
    parser.add_argument("-o", "--output", metavar="PATH", type=Path, help="write the translation there")
    parser.add_argument(
        "--package",
        metavar="NAME",
        action="append",
        default=[],
        help="a package that is translated, too: its imports stay; may be repeated",
    )
    parser.add_argument("--diff", action="store_true", help="show the change as a unified diff")
    parser.add_argument("--json", action="store_true", help="print what became of every line as JSON")
    add_options(parser, Proving)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Translate, and return the exit code."""
    from msbridge.converters.files.atomic_write import replacing
    from msbridge.scan.sources import Source, UnreadableError
    from msbridge.translate import UntranslatableError, translate

    proof = None
    try:
        asked = record_of(Proving, options)
        if not options.path.exists():
            raise FileNotFoundError(2, "No such file", str(options.path))
        source = Source(options.path, options.path).text
        to = "torch" if options.source == "mindspore" else "mindspore"
        translation = translate(source, module=options.module, to=to, packages=options.package)
        if asked.is_asked:
            proof = _prove(translation.source, asked, options)
            translation = dataclasses.replace(translation, source=proof.source)
        if options.output is not None:
            with replacing(options.output) as sink:
                sink.write(translation.source.encode())
    except OSError as error:
        tell(f"msbridge translate: {format_error(error)}")
        return 2
    except (UnreadableError, UntranslatableError) as error:
        tell(f"msbridge translate: {options.path}: {error}")
        return 2
    except Exception as error:  # of the user's own code, which a proof runs
        return report_failure("translate", error, shows_traceback=False)
    _show(translation, options)
    if proof is not None:
        tell(proof.described(str(options.path), str(options.output or "translation")))
    return 1 if translation.by_hand or (proof is not None and not proof.is_same) else 0


def _prove(translation: str, asked: Proving, options: argparse.Namespace) -> "Proof":
    """Run the file and its translation side by side."""
    from msbridge.translate.proof import prove

    build = asked.build or (f"{options.module}()" if options.module else "")
    if not build:
        raise ValueError("--verify and --repair need --build, the expression that builds the network, or --module.")
    if asked.repair and options.source == "mindspore":
        raise ValueError("--repair changes MindSpore source; with --from mindspore use --verify.")
    return prove(
        options.path, translation, build, asked.input, repairs=asked.repair, seed=asked.seed, source=options.source
    )


def _show(translation: "Translation", options: argparse.Namespace) -> None:
    """Print what was asked for: the change, the lines, or the source where it is not written to a file."""
    if options.json:
        print(json_text([dataclasses.asdict(line) for line in translation.lines]))
    elif options.diff:
        print(printable(translation.diff(str(options.path)).replace("\t", "    ")), end="")
    elif options.output is None:
        print(translation.source, end="")
    _report(translation, options.path)


def _report(translation: "Translation", path: Path) -> None:
    """Print on stderr how many lines became what, and what is left."""
    from msbridge.translate import Kind

    counts = ", ".join(f"{translation.count(kind)} {kind}" for kind in Kind)
    tell(f"msbridge translate: {path}: {len(translation.lines)} lines: {counts}.")
    for line in translation.by_hand:
        for reason in line.reasons:
            tell(f"  line {line.number}: {reason}")
