"""`msbridge verify`: a torch module and its Cell side by side, layer by layer."""

import argparse
import hashlib
import shlex
import subprocess
import sys
import traceback
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.cli.terminal import explained, printable, tell
from msbridge.cli.user_modules import user_modules
from msbridge.core.checks.stack_frames import is_ours

if TYPE_CHECKING:
    from msbridge.verify import Comparison

CODES = """\
inputs:
  [KIND[<LIMIT][@DTYPE]:]SHAPE, one --input for each argument of the networks, such as
  image:1,3,224,224   ids<30522:2,128   mask:2,128   normal@float16:8,32   4,10
  kinds: bool, ids, image, mask, normal, ones, special (infinities, tiny and huge), uniform, zeros

exit codes:
  0  both compute the same, up to rounding (notes included)
  1  they do not; the first layer that differs is named with its likely cause
  2  they could not be compared: bad options, a factory that fails, a file that cannot be read
  70  a defect of msbridge
  130  interrupted
"""


REMEDIES = {"rules"}  # options of conversion that this command has too


STATISTICS = ("moving_mean", "moving_variance")  # how the names of what a BatchNorm keeps end
DEFECTS = (AssertionError, AttributeError, LookupError, NameError)  # where no line of the user's had a part in it


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "verify",
        usage="msbridge verify --torch SPEC (--cell SPEC | --mindir FILE) [--input SPEC]... [OPTIONS]",
        description="Convert the weights, run a torch module and a Cell on the same inputs, and compare every layer.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    nets = parser.add_argument_group("networks")
    nets.add_argument("--torch", metavar="SPEC", help="package.module:factory of the torch module")
    nets.add_argument("--cell", metavar="SPEC", help="package.module:factory of the Cell; it may import mindspore")
    nets.add_argument(
        "--mindir",
        metavar="FILE",
        help="an exported network in the place of --cell, with the weights that it has; without --input, inputs are "
        "made as the file describes them",
    )
    nets.add_argument("--weights", metavar="FILE", help="a checkpoint of any format for the torch module")
    nets.add_argument(
        "--cell-weights",
        metavar="FILE",
        help="a checkpoint for the Cell; its weights are checked instead of being converted from torch's",
    )
    nets.add_argument("--as-is", action="store_true", help="check the weights that the Cell's factory gives it")
    nets.add_argument(
        "--rules",
        metavar="FILE",
        help="a TOML file that renames, splits and joins weights, as for msbridge convert; those of a file, too",
    )
    nets.add_argument("--release", metavar="R", help="the release of MindSpore that the Cell was written for")
    data = parser.add_argument_group("inputs")
    data.add_argument("--input", action="append", default=[], metavar="SPEC", help="make an input; see below")
    data.add_argument("--inputs", metavar="FILE", help="an .npz (or .npy) file with the inputs, in order")
    data.add_argument("--seed", type=int, default=0, metavar="N", help="of all random numbers")
    work = parser.add_argument_group("work")
    work.add_argument("--grad", action="store_true", help="compare the gradients of all weights")
    work.add_argument("--train-steps", type=int, default=0, metavar="N", help="compare after N training steps")
    work.add_argument("--time", type=int, default=0, metavar="N", help="time N forward runs of each, without recording")
    work.add_argument(
        "--expected",
        metavar="FILE",
        help="an .npz file with what the other side gave elsewhere, by layer; give --torch or --cell, not both",
    )
    work.add_argument(
        "--record", metavar="FILE", help="write such a file of the one network given, and compare nothing"
    )
    work.add_argument(
        "--other-precision", action="store_true", help="a layer in another floating dtype than torch's may be right"
    )
    work.add_argument("--no-float64", action="store_true", help="judge by rounding units alone, without a float64 run")
    results = parser.add_argument_group("results")
    results.add_argument("--report", metavar="FILE", help="write the report as one HTML file; the inputs lie beside it")
    results.add_argument("--json", metavar="FILE", help="write everything as JSON; - prints it")
    results.add_argument("--csv", metavar="FILE", help="write one line for each layer, with all its numbers")
    results.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    results.add_argument("--all", action="store_true", help="print every layer, not only those around a fault")
    results.add_argument("--quiet", action="store_true", help="print nothing but errors")
    results.add_argument("--traceback", action="store_true", help="show where an error was raised, in full")
    parser.add_argument("unnamed", nargs="*", help=argparse.SUPPRESS)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and return the exit code."""
    import msbridge

    try:
        _check(options)
        msbridge.install(options.release)
        with user_modules(options.torch, options.cell):
            found = _compare(options)
        if found is None:
            return 0
        found = _with_circumstances(found, options)
        _write(found, options)
    except KeyboardInterrupt:
        tell("msbridge verify: interrupted.")
        return 130
    except Exception as error:  # most come from the user's own code and files
        if isinstance(error, DEFECTS) and not getattr(error, "__notes__", ()) and not _place(error):
            raise
        if options.traceback:
            traceback.print_exc()
        tell(printable(f"msbridge verify: {_one_line(error)}"))
        return 2
    return 0 if found.is_same else 1


def _with_circumstances(found: "Comparison", options: argparse.Namespace) -> "Comparison":
    """Return the comparison with the files, the revision and the command that it comes from."""
    files = {name: f"{path}, sha256 {_digest(path)}" for name, path in _files(options).items()}
    revision = {"git revision": text} if (text := _revision()) else {}
    command = shlex.join(["msbridge", *_repeated(sys.argv[1:])])
    return replace(found, environment={**found.environment, **files, **revision}, command=command)


def _one_line(error: Exception) -> str:
    """Return what went wrong, and where in the user's own files."""
    if notes := getattr(error, "__notes__", ()):
        return f"{notes[-1]}: {type(error).__name__}: {_text(error)}{_place(error)}"
    if isinstance(error, ValueError | TypeError | ImportError | OSError):
        return _text(error)
    return f"{type(error).__name__}: {_text(error)}{_place(error)}"


def _text(error: BaseException) -> str:
    """Return an error in one line, with those remedies that are options of this command."""
    from msbridge.converters import CheckpointError

    if isinstance(error, CheckpointError):
        offered = [one for one in error.remedies if {*one.options} <= REMEDIES]
        error = CheckpointError(error.problem, *offered, problems=error.problems)
    return " ".join(explained(error).split())


def _place(error: BaseException) -> str:
    """Return the last line of the user's own that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if not is_ours(one.filename) and "site-packages" not in one.filename]
    own = [one for one in own if not one.filename.startswith((sys.prefix, sys.base_prefix, "<"))]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno}; --traceback shows the way)" if own else ""


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together, and files that cannot be written, before anything runs."""
    if options.unnamed:
        raise ValueError(
            f"say which is which: --torch SPEC --cell SPEC, got {' '.join(options.unnamed)} without a name."
        )
    if options.cell and options.mindir:
        raise ValueError("--cell and --mindir are both the other network: give one of them.")
    given = [side for side in (options.torch, options.cell or options.mindir) if side]
    alone = "--expected" if options.expected else "--record" if options.record else ""
    if options.expected and options.record:
        raise ValueError("--expected compares and --record writes: give one of them.")
    if alone and len(given) != 1:
        raise ValueError(f"{alone} takes one network: give --torch, --cell or --mindir.")
    if not alone and len(given) != 2:
        raise ValueError("give both --torch and --cell (or --mindir), or one of them with --expected or --record.")
    is_given = options.input or options.inputs or options.expected or options.mindir
    if (options.input and options.inputs) or not is_given:
        raise ValueError("give either --input (once for each argument of the networks) or --inputs.")
    rules = () if options.weights or options.cell_weights else ("rules",)  # which are for a file of weights, too
    for name, wanted in (("cell_weights", "cell"), ("as_is", "cell"), *((name, "cell") for name in rules)):
        if getattr(options, name) and not getattr(options, wanted):
            raise ValueError(f"--{name.replace('_', '-')} needs --{wanted}.")
    for name in ("grad", "train_steps", *rules, "as_is", "time"):
        if alone and getattr(options, name):
            raise ValueError(f"--{name.replace('_', '-')} needs both networks; it does not go with {alone}.")
    for name in ("train_steps", "time"):
        if getattr(options, name) < 0:
            raise ValueError(f"--{name.replace('_', '-')} must not be negative, got {getattr(options, name)}.")
    for name in ("report", "json", "csv", "junit", "record"):
        path = getattr(options, name)
        if path == "-" and name != "json":
            raise ValueError(f"--{name} writes a file; only --json takes -.")
        if path and path != "-" and not Path(path).absolute().parent.is_dir():
            raise ValueError(f"--{name} {path}: the folder {Path(path).parent} does not exist.")


def _compare(options: argparse.Namespace) -> Any:
    """Build the networks and the inputs, and run what is asked for."""
    import torch

    from msbridge import verify
    from msbridge.converters import load_into
    from msbridge.verify.explain.findings import Fact, Finding
    from msbridge.verify.record import inputs

    torch.manual_seed(options.seed)
    module = _built(options.torch, torch.nn.Module, "--torch")
    cell = _loaded(options.mindir) if options.mindir else _built(options.cell, _cell_class(), "--cell")
    one = module if module is not None else cell
    if options.weights:
        load_into(one, options.weights, rules=options.rules)
    if options.cell_weights:
        load_into(cell, options.cell_weights, rules=options.rules)
    expected = verify.read_recorded(options.expected) if options.expected else None
    given = _inputs(options, expected, cell)
    if options.report and not options.inputs:
        inputs.write(_beside(options.report), given)
    if options.record:
        return verify.write_recorded(options.record, one, given, options.seed)
    if expected is not None:
        found = verify.compare_recorded(one, expected, given, seed=options.seed)
        if not found.is_same and not (options.weights or options.cell_weights):
            fix = Fact("give weights", {})
            note = Finding("weights", Fact("no weights given", {}), "(the network)", fix=fix)
            found = replace(found, notes=(*found.notes, note))
        return found
    return verify.compare(
        module,
        cell,
        given,
        weights="as is" if options.as_is or options.cell_weights or options.mindir else "convert",
        rules=options.rules,
        grad=options.grad,
        train_steps=options.train_steps,
        reference=not options.no_float64,
        other_precision=options.other_precision,
        seed=options.seed,
        timed_runs=options.time,
    )


def _loaded(path: str) -> Any:
    from msbridge.nn import GraphCell
    from msbridge.train import load

    network = GraphCell(load(path))
    for parameter in network.get_parameters():  # a file does not tell which parameters are trained
        parameter.requires_grad = parameter.requires_grad and not parameter.name.endswith(STATISTICS)
    return network


def _inputs(options: argparse.Namespace, expected: Any, cell: Any) -> Any:
    """Return the inputs that were asked for, or those that a recorded file holds or a graph describes."""
    from msbridge import verify
    from msbridge.verify.record import inputs

    if options.inputs:
        return inputs.read(options.inputs)
    if options.input:
        return inputs.make(options.input, options.seed)
    if expected is None:
        return inputs.make(inputs.specs_of(cell.graph), options.seed)
    if not (found := verify.recorded_inputs(expected)):
        raise ValueError(f"{options.expected} holds no inputs (input, or input.0 …): give --input or --inputs.")
    return found


def _cell_class() -> type:
    from msbridge.nn import Cell

    return Cell


def _built(spec: str | None, kind: type, option: str) -> Any:
    from msbridge.converters import CheckpointError
    from msbridge.converters.factories import factory

    if spec is None:
        return None
    try:
        made = factory(spec)
    except CheckpointError:
        raise
    except Exception as error:
        error.add_note(f"{option} {spec} fails")
        raise
    if not isinstance(made, kind):
        wanted = "a Cell" if option == "--cell" else "a torch.nn.Module"
        other = import_module("torch").nn.Module if option == "--cell" else _cell_class()
        swapped = " Are --torch and --cell exchanged?" if isinstance(made, other) else ""
        raise TypeError(f"{option} {spec} gives {type(made).__name__}, not {wanted}.{swapped}")
    return made


def _beside(report: str) -> Path:
    return Path(report).with_suffix(".inputs.npz")


def _files(options: argparse.Namespace) -> dict[str, str]:
    """Return the files that the result depends on, by option."""
    names = ("mindir", "weights", "cell_weights", "rules", "inputs", "expected")
    given = {name: getattr(options, name) for name in names}
    return {name.replace("_", " "): path for name, path in given.items() if path and Path(path).is_file()}


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _revision() -> str:
    """Return the git revision of the folder the command runs in; "" where there is none."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _repeated(words: list[str]) -> list[str]:
    return words if words and words[0] == "verify" else ["verify", *words]


def _write(found: "Comparison", options: argparse.Namespace) -> None:
    if options.json == "-":
        print(found.to_json())
    elif options.json:
        found.to_json(options.json)
    if options.csv:
        found.to_csv(options.csv)
    if options.junit:
        found.to_junit(options.junit)
    if options.report:
        found.to_html(options.report)
    if not options.quiet and options.json != "-":
        found.print(all_rows=options.all)
        if options.report:
            print(printable(f"  report     {options.report}"))
