"""Statements and expressions that MindSpore's parser does not read: refused wherever compiled code has them."""

import ast

from msbridge.scan.findings import Level
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope
from msbridge.scan.project import Class, External

__all__ = ["RULES"]

COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
# The exceptions that a compiled `raise` knows.
RAISED = {
    *("AssertionError", "AttributeError", "BaseException", "EnvironmentError", "Exception", "IOError"),
    *("IndentationError", "IndexError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError"),
    *("NameError", "NotImplementedError"),
    *("OSError", "RuntimeError", "StopIteration", "SyntaxError", "SystemError", "TypeError", "ValueError"),
    *("ZeroDivisionError", "ArithmeticError", "OverflowError", "UnboundLocalError", "RecursionError", "ImportError"),
}  # fmt: skip


def _enters_a_plain_object(node: ast.With, scope: Scope) -> bool:
    kinds = [scope.kind(one.context_expr) for one in node.items]
    return not all(
        one.name == "object" and isinstance(one.target, Class) and one.target.is_decorated("jit_class", "ms_class")
        for one in kinds
    )


def _is_own_exception(node: ast.Raise, scope: Scope) -> bool:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    found = scope.target(raised) if raised is not None else None
    return isinstance(found, Class) or (isinstance(found, External) and found.last not in RAISED)


RULES = (
    GraphRule(
        "try",
        Level.REFUSED,
        "a try statement",
        "the compiler does not support `try`",
        "check the condition with `if` beforehand, or call the function outside the compiled code",
        nodes=(ast.Try, ast.TryStar),
    ),
    GraphRule(
        "set",
        Level.REFUSED,
        "a set in braces",
        "the compiler supports neither `{a, b}` nor `{a for …}`",
        "write a tuple: `in` and `for` take it as well",
        nodes=(ast.Set, ast.SetComp),
    ),
    GraphRule(
        "yield",
        Level.REFUSED,
        "a generator",
        "the compiler does not support `yield`",
        "return a list or a tuple of the values",
        nodes=(ast.Yield, ast.YieldFrom),
    ),
    GraphRule(
        "async",
        Level.REFUSED,
        "asynchronous code",
        "the compiler does not support `async` and `await`",
        "write a plain function",
        nodes=(ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith),
    ),
    GraphRule(
        "nested-comprehension",
        Level.REFUSED,
        "a comprehension with several `for`",
        "the compiler supports one `for` in it",
        "nest a second comprehension in the first one, or write loops",
        nodes=COMPREHENSIONS,
        fits=lambda node, _: len(node.generators) > 1,
    ),
    GraphRule(
        "comprehension-conditions",
        Level.CHANGED,
        "a comprehension with several `if`",
        "all but the first are ignored",
        "join the conditions with `and`",
        nodes=COMPREHENSIONS,
        fits=lambda node, _: len(node.generators) == 1 and len(node.generators[0].ifs) > 1,
    ),
    GraphRule(
        "loop-else",
        Level.REFUSED,
        "a loop with `else`",
        "the compiler does not support it",
        "set a flag before `break`, and test it after the loop",
        nodes=(ast.For, ast.While),
        fits=lambda node, _: bool(node.orelse),
    ),
    GraphRule(
        "match",
        Level.REFUSED,
        "a match statement",
        "the compiler does not support it",
        "write if, elif and else",
        nodes=(ast.Match,),
    ),
    GraphRule(
        "walrus",
        Level.REFUSED,
        "an assignment inside an expression",
        "the compiler does not support `:=`",
        "assign in a statement before the expression",
        nodes=(ast.NamedExpr,),
    ),
    GraphRule(
        "del",
        Level.REFUSED,
        "a del statement",
        "the compiler does not support it",
        "keep the name; remove items with a slice or `pop`",
        nodes=(ast.Delete,),
    ),
    GraphRule(
        "nonlocal",
        Level.REFUSED,
        "a nonlocal statement",
        "the compiler does not support it",
        "return the new value from the inner function",
        nodes=(ast.Nonlocal,),
    ),
    GraphRule(
        "import",
        Level.REFUSED,
        "an import inside compiled code",
        "the compiler does not support it",
        "import at the top of the file",
        nodes=(ast.Import, ast.ImportFrom),
    ),
    GraphRule(
        "class",
        Level.REFUSED,
        "a class defined inside compiled code",
        "the compiler does not support it",
        "define it at the top of the file",
        nodes=(ast.ClassDef,),
    ),
    GraphRule(
        "with",
        Level.REFUSED,
        "a with statement",
        "the compiler enters objects of `ms.jit_class` only, no files and no locks",
        "do it outside the compiled code, or mark the class of the context with `ms.jit_class`",
        nodes=(ast.With,),
        fits=_enters_a_plain_object,
    ),
    GraphRule(
        "raise",
        Level.REFUSED,
        "an exception of a class of your own",
        "compiled code raises Python's own exceptions only",
        "raise ValueError, TypeError or RuntimeError",
        nodes=(ast.Raise,),
        fits=_is_own_exception,
    ),
    GraphRule(
        "complex",
        Level.REFUSED,
        "a complex number",
        "the compiler has no such constant",
        "make a Tensor of it in `__init__`",
        nodes=(ast.Constant,),
        fits=lambda node, _: isinstance(node.value, complex),
    ),
)
