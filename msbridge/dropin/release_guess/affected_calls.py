"""Whether a call can be one that a changed form of a name affects, as far as the script's text shows.

A row of `mappings/releases/` whose change only some values see says which: `affects` names arguments and what a value
of them has to be, `mentions` words of the script. A call that surely has no such value is none of them; what the text
leaves open counts as one.
"""

import ast
import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from msbridge.core.releases.rows import Row
from msbridge.dropin.release_guess.sources import Source

__all__ = ["Script"]

MAX_DEPTH = 4  # assignments and functions between an argument and what it is made by
_OF_ARRAYS = frozenset(
    ("astype", "asnumpy", "reshape", "transpose", "standard_normal", "normal", "uniform", "integers", "rand", "randn")
)
_OF_PARAMETERS = frozenset(("trainable_params", "get_parameters", "ParameterTuple"))
_MODULES_OF_ARRAYS = ("np", "numpy")
_NUMBERS = (int, float)


class Script:
    """The sources of a script, asked what they show of the values of its calls.

    Args:
        sources: the script, and its own modules.
    """

    def __init__(self, sources: Iterable[Source]):
        self._sources = list(sources)

    def may_affect(self, row: Row, source: Source, call: ast.Call, signature: inspect.Signature | None) -> bool:
        """Whether the change of a row can be seen in a call.

        Args:
            row: of which only some values see the change.
            source: the file of the call.
            call: a call of the row's name.
            signature: of the name, with the arguments that the row names.
        """
        if row.mentions and not self._words.intersection(row.mentions.split()):
            return False
        if not row.affects:
            return True
        given = _bind(signature, call)
        if given is None:
            return True
        values = _Values(source)
        return any(name in given and _MAY_BE[kind](given[name], values) for name, kind in row.affects.items())

    @cached_property
    def _words(self) -> set[str]:
        """The names that the sources write, the texts that are words, and `bytes` where there is a literal of bytes."""
        words: set[str] = set()
        for nodes in (source.names.nodes for source in self._sources):
            words |= {each.id for each in nodes.of(ast.Name)} | {each.attr for each in nodes.of(ast.Attribute)}
            for each in nodes.of(ast.alias):
                words |= {*each.name.split("."), each.asname or ""}
            for call in nodes.of(ast.Call):
                if isinstance(call.func, ast.Name) and call.func.id == "dict":
                    words |= {word.arg or "" for word in call.keywords}
            for constant in nodes.of(ast.Constant):
                if isinstance(constant.value, str):
                    words.add(constant.value)
                elif isinstance(constant.value, bytes):
                    words.add("bytes")
        return words


class _Values:
    """The values that a file assigns to its names, and that its functions return."""

    def __init__(self, source: Source):
        nodes = source.names.nodes
        self._made: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._open: set[str] = {each.arg for each in nodes.of(ast.arg)}
        self._returned: dict[str, list[ast.expr]] = {}
        for assigned in nodes.of(ast.Assign):
            for target in assigned.targets:
                if isinstance(target, ast.Name):
                    self._made[target.id].append(assigned.value)
                else:
                    self._open |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
        targets = [each.target for each in nodes.of(ast.For)] + [each.target for each in nodes.of(ast.comprehension)]
        self._open |= {name.id for each in targets for name in ast.walk(each) if isinstance(name, ast.Name)}
        for function in nodes.of(ast.FunctionDef):
            returns = [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value]
            self._returned[function.name] = returns if not function.decorator_list else []

    def of(self, value: ast.expr, depth: int = MAX_DEPTH) -> list[ast.expr]:
        """Return the expressions that a value is made by; itself where the file does not show it."""
        sources: list[ast.expr] = []
        if isinstance(value, ast.Name) and value.id not in self._open:
            sources = self._made.get(value.id, [])
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            sources = self._returned.get(value.func.id, [])
        if not sources or not depth:
            return [value]
        return [inner for each in sources for inner in self.of(each, depth - 1)]


def _bind(signature: inspect.Signature | None, call: ast.Call) -> Mapping[str, ast.expr] | None:
    """Return the values of a call by the names of arguments; None where they are not known."""
    if signature is None or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    if any(word.arg is None for word in call.keywords):
        return None
    try:
        bound = signature.bind(*call.args, **{word.arg: word.value for word in call.keywords if word.arg})
    except TypeError:
        return None
    return {name: value for name, value in bound.arguments.items() if isinstance(value, ast.expr)}


def _may_be_given(value: ast.expr, values: _Values) -> bool:
    return not all(isinstance(each, ast.Constant) and each.value is None for each in values.of(value))


def _may_be_true(value: ast.expr, values: _Values) -> bool:
    return not all(isinstance(each, ast.Constant) and not each.value for each in values.of(value))


def _may_be_pair(value: ast.expr, values: _Values) -> bool:
    return any(
        len(each.elts) == 2 if isinstance(each, ast.List | ast.Tuple) else not isinstance(each, ast.Constant)
        for each in values.of(value)
    )


def _may_be_tensor(value: ast.expr, values: _Values) -> bool:
    return any(not isinstance(each, ast.Constant) and not _is_count(each) for each in values.of(value))


def _is_count(value: ast.expr) -> bool:
    """Whether a value is a number: of literals, `len`, `int`, a shape."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, _NUMBERS)
    if isinstance(value, ast.BinOp):
        return _is_count(value.left) and _is_count(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_count(value.operand)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("len", "int", "float", "max", "min")
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute) and value.value.attr == "shape"


def _may_be_groups(value: ast.expr, values: _Values) -> bool:
    """Whether a value may be groups of parameters with a weight decay of their own."""
    return not all(_is_without_groups(each, values) for each in values.of(value))


def _is_without_groups(value: ast.expr, values: _Values) -> bool:
    if isinstance(value, ast.List | ast.Tuple):
        return all(_is_without_groups(each, values) for each in value.elts)
    if isinstance(value, ast.ListComp):
        return not isinstance(value.elt, ast.Dict | ast.Call)
    if isinstance(value, ast.Dict):
        keys = [each.value for each in value.keys if isinstance(each, ast.Constant)]
        return len(keys) == len(value.keys) and "weight_decay" not in keys
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in _OF_PARAMETERS
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("filter", "ParameterTuple") or (
            value.func.id == "list" and all(_is_without_groups(each, values) for each in value.args)
        )
    return False


def _may_be_mixed_list(value: ast.expr, values: _Values) -> bool:
    return any(_may_hold_mixed_list(each, values) for each in values.of(value))


def _may_hold_mixed_list(value: ast.expr, values: _Values) -> bool:
    """Whether a value may be a list of items of several types, or a dict or tuple of such columns."""
    if isinstance(value, ast.Dict | ast.Tuple):
        columns = value.values if isinstance(value, ast.Dict) else value.elts
        return any(_may_be_mixed_list(each, values) for each in columns)
    if isinstance(value, ast.List):
        kinds = {type(each.value) if isinstance(each, ast.Constant) else None for each in value.elts}
        return kinds == {None} or len(kinds) > 1
    return not _is_array(value, values)


def _is_array(value: ast.expr, values: _Values) -> bool:
    """Whether a value is surely an array of numpy, or a list of plain numbers."""
    if isinstance(value, ast.BinOp):
        return _is_array(value.left, values) or _is_array(value.right, values)
    if isinstance(value, ast.Name):
        made = values.of(value)
        return made != [value] and all(_is_array(each, values) for each in made)
    if isinstance(value, ast.Subscript):
        return _is_array(value.value, values)
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute):
        root: ast.expr = value.func
        while isinstance(root, ast.Attribute):
            root = root.value
        is_numpy = isinstance(root, ast.Name) and root.id in _MODULES_OF_ARRAYS
        return is_numpy or value.func.attr in _OF_ARRAYS
    is_list = isinstance(value.func, ast.Name) and value.func.id == "list" and len(value.args) == 1
    return is_list and isinstance(value.args[0], ast.Call) and ast.unparse(value.args[0].func) == "range"


_MAY_BE: Mapping[str, Callable[[ast.expr, _Values], bool]] = {
    "given": _may_be_given,
    "true": _may_be_true,
    "pair": _may_be_pair,
    "tensor": _may_be_tensor,
    "groups": _may_be_groups,
    "mixed list": _may_be_mixed_list,
}
