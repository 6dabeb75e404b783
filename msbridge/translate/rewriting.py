"""Rewriting of calls: by a recipe, or without the arguments that say nothing to MindSpore."""

import ast
from typing import TYPE_CHECKING, Protocol

from msbridge.translate.arguments import Arguments, dot_of
from msbridge.translate.conversions import CONVERSIONS
from msbridge.translate.edits import Text
from msbridge.translate.recipes import Recipe
from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.context import Context, Value

__all__ = ["IGNORED", "Visitor", "apply", "arguments", "drop"]

# Arguments that say nothing to MindSpore: it chooses where a Tensor lies by the device that is set.
IGNORED = ("device", "inplace", "memory_format", "non_blocking", "pin_memory", "layout", "out_device", "use_reentrant")


class Visitor(Protocol):
    """A walk through a file, in either direction."""

    context: "Context"

    def numbers(self) -> frozenset[str]:
        """Return the names that are numbers."""

    def value(self, node: ast.expr | None, role: str = "value") -> "Value":
        """Visit an expression, and return what is known of it."""


def arguments(walker: "Visitor", node: ast.Call) -> None:
    """Visit the arguments."""
    for one in node.args:
        walker.value(one)
    for word in node.keywords:
        walker.value(word.value)


def drop(walker: "Visitor", node: ast.Call, which: tuple[str, ...] = IGNORED) -> None:
    """Leave arguments out that say nothing to MindSpore."""
    gone = [word for word in node.keywords if word.arg in which]
    if gone:
        given = Arguments(walker.context.text, node)
        given.write({id(word): None for word in gone}, [])
        text = walker.context.text
        walker.context.note(
            text.start(node), text.end(node), Kind.REWRITTEN, f"no {', '.join(str(word.arg) for word in gone)}"
        )


def apply(walker: "Visitor", node: ast.Call, recipe: Recipe) -> bool:
    """Write a call by its recipe; return whether its arguments could be read."""
    _context, text = walker.context, walker.context.text
    given = _bind(node, recipe)
    if given is None or not _is_covered(given, recipe):
        return False
    values: dict[str, str] = {}
    numbers = walker.numbers()
    for entry in recipe.entries:
        value = given.get(entry.source)
        if value is not None:
            new = text.of(value)
            if entry.conversion:
                converted = CONVERSIONS[entry.conversion](value, new, numbers)
                if converted is None:
                    return False
                new = converted
            values[entry.name] = new
        elif entry.source in recipe.spell:
            default = recipe.defaults[entry.source]
            if default in given:  # of another argument
                default = text.of(given[default])
            if entry.conversion:
                default = (
                    CONVERSIONS[entry.conversion](ast.parse(default, mode="eval").body, default, numbers) or default
                )
            values[entry.name] = default
        elif not entry.source:
            values[entry.name] = entry.text
    _write(walker, node, recipe, given, values)
    return True


def _bind(node: ast.Call, recipe: Recipe) -> dict[str, ast.expr] | None:
    """Return the arguments by their names in torch; None where a star hides some."""
    if any(isinstance(one, ast.Starred) for one in node.args) or any(word.arg is None for word in node.keywords):
        return None
    names_of = list(recipe.arguments)
    if len(node.args) > len(names_of):
        return None
    given = dict(zip(names_of, node.args, strict=False))
    for word in node.keywords:
        if word.arg in given or (word.arg not in names_of and word.arg not in IGNORED):
            return None
        given[str(word.arg)] = word.value
    return given


def _is_covered(given: dict[str, ast.expr], recipe: Recipe) -> bool:
    """Whether the recipe says something of every argument."""
    taken = {one.source for one in recipe.entries}
    for name, value in given.items():
        if name in recipe.only and ast.unparse(value) != recipe.only[name]:
            return False
        if (
            name not in taken
            and name not in IGNORED
            and name not in recipe.only
            and ast.unparse(value) != recipe.defaults.get(name)
        ):
            return False
    return all(name in given or name in recipe.defaults for name in taken - {"", "self"})


def _write(
    walker: "Visitor", node: ast.Call, recipe: Recipe, given: dict[str, ast.expr], values: dict[str, str]
) -> None:
    context, text = walker.context, walker.context.text
    parts = Arguments(text, node)
    by_value = {id(value): name for name, value in given.items()}
    entries = {one.source: one for one in recipe.entries if one.source}
    order = [one for one in recipe.entries if one.may_be_positional and one.source != "self"]
    changes: dict[int, str | None] = {}
    written: set[str] = set()
    position, is_positional = 0, True
    for item in parts.nodes:
        value = item.value if isinstance(item, ast.keyword) else item
        entry = entries.get(by_value[id(value)])
        if entry is None:
            changes[id(item)] = None
            continue
        fits = position < len(order) and order[position] is entry
        if not isinstance(item, ast.keyword) and is_positional and fits:
            position += 1
            changes[id(item)] = values[entry.name]
        else:
            is_positional = False
            changes[id(item)] = f"{entry.name}={values[entry.name]}"
        written.add(entry.name)
    extras = [
        f"{name}={value}" if name else value for name, value in values.items() if name not in written and name != "self"
    ]
    is_same = all(_same(text, item, changes[id(item)]) for item in parts.nodes) and not extras
    parts.write(changes, extras)
    function = node.func
    kind = Kind.RENAMED if is_same else Kind.REWRITTEN
    if isinstance(function, ast.Attribute) and any(one.source == "self" for one in recipe.entries):
        _as_function(walker, node, recipe, parts, bool(written or extras))
        kind = Kind.REWRITTEN
    elif recipe.target.startswith("."):
        context.text.replace(text.end(function) - len(function.attr), text.end(function), recipe.target[1:])  # type: ignore[attr-defined]
    else:
        context.text.replace(text.start(function), text.end(function), context.use(recipe.target))
    context.note(text.start(node), text.end(node), kind, f"{recipe.name} → {recipe.target}")


def _same(text: Text, item: ast.AST, new: str | None) -> bool:
    return new is not None and new.replace(" ", "") == ast.unparse(item).replace(" ", "")


def _as_function(walker: "Visitor", node: ast.Call, recipe: Recipe, parts: Arguments, has_more: bool) -> None:
    """Write a method as a function of its receiver."""
    context, text = walker.context, walker.context.text
    function = node.func
    assert isinstance(function, ast.Attribute)
    dot = dot_of(text, function)
    context.text.insert(text.start(node), f"{context.use(recipe.target)}(")
    context.text.replace(dot, parts.opened + 1, ", " if has_more else "")
