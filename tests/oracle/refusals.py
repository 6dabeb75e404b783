"""What constructors refuse: the class of error for each of many values, right and wrong, of each of their arguments.

    ORACLE tests/oracle/refusals.py      asks the real 2.10.0 anew, of the calls that are recorded

records/refusals.json.gz holds {call: {argument: a letter for each of VALUES}}; `LETTERS` says what they stand for.
"""

import ast
import gzip
import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "records" / "refusals.json.gz"
VALUES = (
    *(
        "None",
        "'bad'",
        "''",
        "-2",
        "-1",
        "0",
        "1",
        "2",
        "3",
        "7",
        "9",
        "-1.5",
        "-0.5",
        "0.0",
        "0.5",
        "1.0",
        "1.5",
        "100.5",
    ),
    *("True", "False", "()", "(1,)", "(1, 2)", "(1, 2, 3)", "(1, 2, 3, 4)", "(1, 1, 2, 2)", "(1, 2, 3, 4, 5)"),
    *(
        "(1, 1, 2, 2, 2)",
        "(1, 2, 3, 4, 5, 6)",
        "(1, 2, 3, 4, 5, 6, 7)",
        "(0, 0)",
        "(-1, 1)",
        "(0.5, 0.5)",
        "(0.5, 1.5)",
    ),
    *("(True, True)", "[]", "[1]", "[1, 2]", "[1, 2, 3, 4]", "[0.5, 1.5]", "ms.float32", "ms.int32", "ms.int64"),
    *("ms.bool_", "ms.float16", "Tensor(1.0)", "{}"),
)
LETTERS = {None: ".", "TypeError": "T", "ValueError": "V", "RuntimeError": "R", "KeyError": "K", "AttributeError": "A"}


def recorded() -> dict[str, dict[str, str]]:
    """Return the record."""
    return json.loads(gzip.decompress(RECORD.read_bytes()))


def asked(call: str, arguments: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the letters of a call's arguments, without those that refuse nothing; of whatever `mindspore` there is."""
    found = {argument: "".join(letters(call, argument)) for argument in arguments or names_of(call)}
    return {argument: row for argument, row in found.items() if row.strip(".")}


def names_of(call: str) -> list[str]:
    """Return the names of what the class of a call can be given."""
    kind = eval(ast.unparse(_parsed(call).func), scope())
    parameters = inspect.signature(kind.__init__).parameters.values()
    return [
        one.name
        for one in parameters
        if one.name != "self" and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]


def letters(call: str, argument: str) -> Iterator[str]:
    """Yield the letter for each value of an argument."""
    known = scope()
    order = [*_order(call)]
    for value in VALUES:
        node = _parsed(call)
        given = {one.arg: one for one in node.keywords}
        replaced = ast.parse(value, mode="eval").body
        if argument in given:
            given[argument].value = replaced
        elif argument in order[: len(node.args)]:
            node.args[order.index(argument)] = replaced
        else:
            node.keywords.append(ast.keyword(argument, replaced))
        try:
            eval(ast.unparse(node), known)
            yield LETTERS[None]
        except Exception as error:  # whatever it is, it is what was asked for
            yield next((LETTERS[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in LETTERS), "?")


def _order(call: str) -> list[str]:
    kind = eval(ast.unparse(_parsed(call).func), scope())
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def _parsed(call: str) -> ast.Call:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    return node


def scope() -> dict[str, Any]:
    """Return the names that calls use."""
    import mindspore as ms
    from mindspore import Tensor, nn, ops

    return {"ms": ms, "Tensor": Tensor, "nn": nn, "ops": ops, "P": ops.operations}


if __name__ == "__main__":
    answers = {call: asked(call) for call in recorded()}
    text = json.dumps(answers, separators=(",", ":"), sort_keys=True)
    RECORD.write_bytes(gzip.compress(text.encode(), mtime=0))
