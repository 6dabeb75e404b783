"""Rows of definitions: operators that differ by what is computed and by their sentence only.

    exp = define(unary, torch.exp, "Return e to the power of each element.")
    floor_div = define(binary, floor_divide_data, "Divide and round down.", "x y", name="floor_div")

A row is a function like any other: it has a name, a signature with the family's annotations, a docstring and the line
of the row in its file, and a call of it takes the frames that it would take if it were written out.
"""

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msbridge.core.errors.call_info import renamed_functions
from msbridge.core.runtime import docstrings
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import rename_parameters
from msbridge.ops.kernel_calls.families import OF_NUMBERS
from msbridge.ops.kernel_calls.row_sections import Sections, parse
from msbridge.ops.primitive.primitive import REQUIRED, defaults_of

__all__ = ["DOCUMENTED", "define"]

Function = Callable[..., Any]
Result = TypeVar("Result")

# By the number of inputs: a definition over a family, on one line, which is that of the row.
_DEFINITIONS: Mapping[int, Callable[[Function, Any, str], Function]] = {
    1: lambda family, fn, op: lambda a: family(fn, op, a),
    2: lambda family, fn, op: lambda a, b: family(fn, op, a, b),
    3: lambda family, fn, op: lambda a, b, c: family(fn, op, a, b, c),
    4: lambda family, fn, op: lambda a, b, c, d: family(fn, op, a, b, c, d),
    5: lambda family, fn, op: lambda a, b, c, d, e: family(fn, op, a, b, c, d, e),
    6: lambda family, fn, op: lambda a, b, c, d, e, f: family(fn, op, a, b, c, d, e, f),
    8: lambda family, fn, op: lambda a, b, c, d, e, f, g, h: family(fn, op, a, b, c, d, e, f, g, h),
}
DOCUMENTED: dict[Function, Sections] = {}
"""What rows say of their dtypes."""
_PREFIX = re.compile("^(?:_|fft_|linalg_|special_)")
# What comes before an operator's name in MindSpore, by the file of the row; `mindspore.ops` elsewhere.
_NAMESPACES = {
    "fft": "mindspore.numpy.fft",
    "methods": "mindspore.Tensor",
    "mint": "mindspore.mint",
    "mint_functional": "mindspore.mint.nn.functional",
}
# …or by its package.
_PACKAGES = {"auto_generate": "mindspore.ops.auto_generate", "numpy": "mindspore.numpy"}


def define(
    family: Callable[..., Result],
    fn: Any,
    summary: str,
    parameters: str = "",
    *,
    name: str = "",
    op: str = "",
    follows: str = "",
    like: Function | None = None,
    types: tuple[Any, ...] = (),
    dtypes: str = "",
    args: str = "",
    returns: str = "",
    example: str = "",
    **defaults: Any,
) -> Callable[..., Result]:
    """Return an operator of a family.

    Args:
        family: called as (fn, op, *inputs).
        fn: what the family computes: a function of torch tensors, or what chooses one.
        summary: its docstring, but for what it follows.
        parameters: what it calls its inputs, all and in order, separated by spaces; "" for the names of `like`.
        name: of the operator, which the row is assigned to; "" for that of `fn`, without underscore or torch's module.
        op: its name in messages; "" for `name`.
        follows: what it follows; "" for its name in the namespace of the file.
        like: the function that has its annotations, defaults and sections; None for the family.
        types: the annotations of its inputs, where neither has them; they have no defaults then.
        dtypes: what its inputs hold and what comes out, for its docstring, as `row_sections.py` says.
        args: without `dtypes`, the lines of `Args`, "name: …"; an input that has none has that of `like`.
        returns: likewise the text of `Returns`; "" for that of `like`.
        example: lines of Python with `>>>`, and what they print.
        defaults: those that differ.
    """
    model = defaults_of(like) if like else dict([*defaults_of(family).items()][2:])
    names = parameters.split() or [*model]
    model = dict.fromkeys(names, REQUIRED) if types else model
    name = name or _PREFIX.sub("", fn.__name__)
    caller = sys._getframe(1)
    module, file = caller.f_globals["__name__"], caller.f_code.co_filename
    place = {"co_filename": file, "co_firstlineno": caller.f_lineno, "co_name": name, "co_qualname": name}
    written_out = _DEFINITIONS[len(names)](family, fn, op or name)
    operator = rename_parameters(written_out, dict(zip("abcdefgh", names, strict=False)), **place)
    operator.__name__, operator.__qualname__, operator.__module__ = name, name, module
    given = dict(zip(names, model.values(), strict=True)) | defaults
    operator.__defaults__ = tuple(value for value in given.values() if value is not REQUIRED)
    kinds = (like or family).__annotations__
    inputs = types or [kinds[own] for own in model]
    operator.__annotations__ = dict(zip(names, inputs, strict=True)) | {"return": kinds["return"]}
    if dtypes:
        DOCUMENTED[operator] = said = parse(dtypes)
        summary = f"{summary}\n\n{_sections(said, names, inputs[0] is not Tensor, (op or name) in OF_NUMBERS)}"
    elif args or like:
        summary += _sections_like(like, names, docstrings.entries(args), returns)
    if example:
        summary += f"\n\n    Examples:\n{textwrap.indent(example, ' ' * 8)}"
    operator.__doc__ = f"{summary}\n\n    Follows: {follows or _find_followed_name(module, name, op)} (2.10).\n    "
    renamed_functions[id(operator.__code__)] = operator, module
    return operator


def _sections(said: Sections, names: list[str], takes_numbers: bool, takes_two_numbers: bool) -> str:
    given = "a Tensor or number" if takes_numbers else "a Tensor"
    if takes_two_numbers:
        return said.text(names, given, "an input is neither a Tensor nor a number")
    lacking = "no input is a Tensor" if len(names) > 1 else f"`{names[0]}` is not a Tensor"
    return said.text(names, given, lacking, "; one of the two is a Tensor" * takes_numbers)


def _sections_like(like: Function | None, names: list[str], args: dict[str, str], returns: str) -> str:
    """Return the sections that a row states, and those of the function it is like, under its own names, else."""
    theirs = dict(zip(defaults_of(like), names, strict=True)) if like else {}
    given = docstrings.parse(docstrings.rename_words(inspect.cleandoc(like.__doc__ or ""), theirs)) if like else None
    inherited = docstrings.entries(given.sections.get("Args", "")) if given else {}
    sections = {
        "Args": "\n".join((inherited | args)[name] for name in names if name in inherited or name in args),
        "Returns": returns or (given.sections.get("Returns", "") if given else ""),
        "Raises": given.sections.get("Raises", "") if given else "",
    }
    text = docstrings.Docstring("", {}, "").text(sections)
    return f"\n\n{textwrap.indent(text, '    ')}" if text else ""


def _find_followed_name(module: str, name: str, op: str) -> str:
    """Return the name that an operator follows: its own, or the primitive's where the function has none there."""
    *_, package, file = module.split(".")
    namespace = _NAMESPACES.get(file) or _PACKAGES.get(package, "mindspore.ops")
    return f"{namespace}.{op if op and (file == 'kernels' or package == 'auto_generate') else name}"
