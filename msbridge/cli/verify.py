"""`msbridge verify`: a torch module and its Cell side by side, layer by layer."""

import argparse
import hashlib
import shlex
import sys
import traceback
from pathlib import Path
from typing import Any

CODES = """\
inputs:
  [KIND[<LIMIT][@DTYPE]:]SHAPE, one --input for each argument of the networks, such as
  image:1,3,224,224   ids<30522:2,128   mask:2,128   normal@float16:8,32   4,10
  kinds: bool, ids, image, mask, normal, ones, special (infinities, tiny and huge), uniform, zeros

exit codes:
  0  both compute the same, up to rounding (notes included)
  1  they do not; the first layer that differs is named with its likely cause
  2  they could not be compared: bad options, a factory that fails, a file that cannot be read
  130  interrupted
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "verify",
        help="prove that a torch module and its Cell compute the same",
        description="Convert the weights, run a torch module and a Cell on the same inputs, and compare every layer.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    nets = parser.add_argument_group("networks")
    nets.add_argument("--torch", metavar="SPEC", help="package.module:factory of the torch module")
    nets.add_argument("--cell", metavar="SPEC", help="package.module:factory of the Cell; it may import mindspore")
    nets.add_argument("--weights", metavar="FILE", help="a checkpoint of any format for the torch module")
    nets.add_argument(
        "--cell-weights",
        metavar="FILE",
        help="a checkpoint for the Cell; its weights are checked instead of being converted from torch's",
    )
    nets.add_argument("--as-is", action="store_true", help="check the weights that the Cell's factory gives it")
    nets.add_argument("--release", metavar="R", help="the release of MindSpore that the Cell was written for")
    data = parser.add_argument_group("inputs")
    data.add_argument("--input", action="append", default=[], metavar="SPEC", help="make an input; see below")
    data.add_argument("--inputs", metavar="FILE", help="an .npz (or .npy) file with the inputs, in order")
    data.add_argument("--seed", type=int, default=0, metavar="N", help="of all random numbers")
    work = parser.add_argument_group("work")
    work.add_argument("--grad", action="store_true", help="compare the gradients of all weights")
    work.add_argument("--train-steps", type=int, default=0, metavar="N", help="compare after N training steps")
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
    results.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    results.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Compare; give the exit code."""
    import msbridge
    from msbridge.converters import CheckpointError

    sys.path.insert(0, "")  # the user's own modules
    try:
        _check(options)
        msbridge.install(options.release)
        found = _compare(options)
        if found is None:
            return 0
        found.environment |= {name: f"{path}, sha256 {_digest(path)}" for name, path in _files(options).items()}
        found.command = shlex.join(["msbridge", *_repeated(sys.argv[1:])])
        _write(found, options)
    except KeyboardInterrupt:
        print("msbridge verify: interrupted.", file=sys.stderr)
        return 130
    except (CheckpointError, OSError, ImportError, ValueError, TypeError, RuntimeError) as error:
        print(f"msbridge verify: {error}", file=sys.stderr)
        return 2
    except Exception as error:  # from the user's own code: where it was raised is what helps
        traceback.print_exc()
        print(f"msbridge verify: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0 if found.is_same else 1


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    given = [side for side in (options.torch, options.cell) if side]
    alone = "--expected" if options.expected else "--record" if options.record else ""
    if alone and len(given) != 1:
        raise ValueError(f"{alone} takes one network: give --torch or --cell.")
    if not alone and len(given) != 2:
        raise ValueError("give both --torch and --cell, or one of them with --expected or --record.")
    if bool(options.input) == bool(options.inputs):
        raise ValueError("give either --input (once for each argument of the networks) or --inputs.")
    if options.train_steps < 0:
        raise ValueError(f"--train-steps must not be negative, got {options.train_steps}.")


def _compare(options: argparse.Namespace) -> Any:
    """Build the networks and the inputs, and run what is asked for."""
    import torch

    from msbridge import verify
    from msbridge.converters import load_into
    from msbridge.verify import inputs

    torch.manual_seed(options.seed)
    module = _built(options.torch, torch.nn.Module, "--torch")
    cell = _built(options.cell, _cell_class(), "--cell")
    if options.weights:
        load_into(module if module is not None else cell, options.weights)
    if options.cell_weights:
        load_into(cell, options.cell_weights)
    given = inputs.read(options.inputs) if options.inputs else inputs.make(options.input, options.seed)
    if options.report and not options.inputs:
        inputs.write(_beside(options.report), given)
    one = module if module is not None else cell
    if options.record:
        return verify.write_recorded(options.record, one, given, options.seed)
    if options.expected:
        return verify.compare_recorded(one, verify.read_recorded(options.expected), given, seed=options.seed)
    return verify.compare(
        module,
        cell,
        given,
        weights="as is" if options.as_is or options.cell_weights else "convert",
        grad=options.grad,
        train_steps=options.train_steps,
        reference=not options.no_float64,
        other_precision=options.other_precision,
        seed=options.seed,
    )


def _cell_class() -> type:
    from msbridge.nn import Cell

    return Cell


def _built(spec: str | None, kind: type, option: str) -> Any:
    from msbridge.converters.layers import factory

    if spec is None:
        return None
    made = factory(spec)
    if not isinstance(made, kind):
        raise TypeError(f"{option} {spec} gives {type(made).__name__}, not a {kind.__name__}.")
    return made


def _beside(report: str) -> Path:
    return Path(report).with_suffix(".inputs.npz")


def _files(options: argparse.Namespace) -> dict[str, str]:
    """Give the files that the result depends on, by option."""
    given = {name: getattr(options, name) for name in ("weights", "cell_weights", "inputs", "expected")}
    return {name.replace("_", " "): path for name, path in given.items() if path and Path(path).is_file()}


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _repeated(words: list[str]) -> list[str]:
    return words if words and words[0] == "verify" else ["verify", *words]


def _write(found: Any, options: argparse.Namespace) -> None:
    if options.json == "-":
        print(found.to_json())
    elif options.json:
        found.to_json(options.json)
    if options.junit:
        found.to_junit(options.junit)
    if options.report:
        found.to_html(options.report)
    if not options.quiet and options.json != "-":
        found.print()
        if options.report:
            print(f"report: {options.report}")
