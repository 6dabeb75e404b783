"""Imports of torch go; what the new source uses is imported in their place."""

import ast

from msbridge.translate import helpers, names, variadic
from msbridge.translate.context import Context
from msbridge.translate.direction import is_for_torch
from msbridge.translate.translation import Kind

__all__ = ["place", "take_fallbacks", "visit", "write"]


def take_fallbacks(context: Context) -> None:
    """Let names be what the file has in their place, where it tries to import them and defines them otherwise."""
    for node in context.nodes.of(ast.Try):
        for one in node.body:
            context.bound.wanted -= {alias.asname or alias.name for alias in _absent(node, one)}


def _absent(around: ast.AST, node: ast.AST) -> list[ast.alias]:
    """Return the names of a tried import without a counterpart, or with a definition for where it fails."""
    if not (isinstance(around, ast.Try) and around.handlers and isinstance(node, ast.ImportFrom)):
        return []
    defined = {
        one.name
        for handler in around.handlers
        for one in handler.body
        if isinstance(one, ast.FunctionDef | ast.ClassDef)
    }
    named = zip(_paths(node), node.names, strict=True)
    return [
        alias
        for path, alias in named
        if path.startswith("torch.")
        and ((alias.asname or alias.name) in defined or not (names.is_module(path) or _is_written(path)))
    ]


def _is_written(path: str) -> bool:
    return names.is_known(path) or names.shortest(path) in variadic.HANDLERS


def visit(context: Context) -> None:
    """Take the imports of torch out."""
    for parent in ast.walk(context.tree):
        for body in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(body, list):
                kept = [one for one in body if not _goes(context, one)]
                if body and not kept and not isinstance(parent, ast.Module):
                    first = body[0]
                    if not _absent(parent, first):
                        context.text.replace(context.text.start(first), context.text.end(first), "pass")
                        body = body[1:]
                for each in body:
                    if absent := _absent(parent, each):
                        new = f'raise ImportError("no {", ".join(alias.name for alias in absent)}")'
                        context.rewrite(context.text.start(each), context.text.end(each), new, "no counterpart")
                    elif isinstance(each, ast.Import | ast.ImportFrom):
                        _statement(context, each)


def _paths(node: ast.Import | ast.ImportFrom) -> list[str]:
    module = getattr(node, "module", None)
    if getattr(node, "level", 0):
        return ["" for _ in node.names]
    return [f"{module}.{one.name}" if module else one.name for one in node.names]


def _goes(context: Context, node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom) and all(context.direction.drops(one) for one in _paths(node))


def _statement(context: Context, node: ast.Import | ast.ImportFrom) -> None:
    text = context.text
    paths = _paths(node)
    dropped = [context.direction.drops(one) for one in paths]
    context.statement = node
    for path, alias in zip(paths, node.names, strict=True):
        if path.partition(".")[0] in context.packages and not context.direction.drops(path):
            context.mark(alias, f"{path} has to be translated as well, or something found in its place")
        elif is_for_torch(path):
            context.mark(alias, f"{path} is for torch: what does the same for MindSpore has to be found")
    if all(dropped):
        first, last = text.line_of(text.start(node)), text.line_of(text.end(node))
        start, end = text.line_start(first), text.line_start(last + 1)
        if ";" in text.source[start:end]:
            start, end = text.start(node), text.end(node)
            text.replace(start, end, "pass")
        else:
            text.replace(start, end, "")
        context.note(start, end, Kind.RENAMED, "imports")
    elif any(dropped):
        kept = [one for one, goes in zip(node.names, dropped, strict=True) if not goes]
        listed = ", ".join(f"{one.name} as {one.asname}" if one.asname else one.name for one in kept)
        module = "." * getattr(node, "level", 0) + (getattr(node, "module", None) or "")
        context.rewrite(
            text.start(node),
            text.end(node),
            f"from {module} import {listed}" if module else f"import {listed}",
            "imports",
        )


def place(context: Context) -> tuple[int, int]:
    """Return the positions of new imports, at the first of torch, and of helpers, behind the last import."""
    body, text = context.tree.body, context.text
    first = last = None
    for each in body:
        is_import = isinstance(each, ast.Import | ast.ImportFrom)
        is_text = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if is_import and first is None and _drops(context, each):
            first = each
        if is_import or (is_text and last is None) or _tries_imports(each):
            last = each
        elif not is_import and not is_text:
            break
    end = text.line_start(text.line_of(text.end(last)) + 1) if last is not None else 0
    return (text.line_start(first.lineno) if first is not None else end), end


def _drops(context: Context, node: ast.stmt) -> bool:
    """Whether a statement imports something that goes."""
    return isinstance(node, ast.Import | ast.ImportFrom) and any(map(context.direction.drops, _paths(node)))


def _tries_imports(node: ast.stmt) -> bool:
    """Whether a statement has imports under a condition."""
    return isinstance(node, ast.Try | ast.If) and any(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)


def write(context: Context) -> None:
    """Write the imports that the new source needs, and its helpers."""
    at, behind = place(context)
    stand_ins = _bind_stand_ins(context)
    if stand_ins:
        context.use_helper("Untranslated")
    helper_text, needed = helpers.text_of(context)
    for one in needed:
        context.use(one)
    known = _kept_imports(context)
    lines = sorted(
        set(context.imports.values()) - known,
        key=lambda one: ("mindspore" in one or "torch" in one, one.startswith("from "), one),
    )
    merged = _merge(lines)
    if merged:
        context.text.insert(at, "".join(f"{one}\n" for one in merged))
    if helper_text:
        context.text.insert(behind, helper_text + stand_ins)


def _bind_stand_ins(context: Context) -> str:
    """Return lines that bind the names of torch which marked lines still have."""
    left = {name: path for name, path in context.untranslated.items() if name not in context.imports}
    dropped = {
        alias.asname or alias.name.partition(".")[0]: path
        for node in ast.walk(context.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for path, alias in zip(_paths(node), node.names, strict=True)
        if context.direction.drops(path)
    }
    written = ast.parse(context.text.result())
    read = {node.id for node in ast.walk(written) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    left |= {name: path for name, path in dropped.items() if name in read - context.names - context.imports.keys()}
    left = {name: path for name, path in left.items() if name not in context.helpers}
    return "\n\n" * bool(left) + "".join(f'{name} = Untranslated("{path}")\n' for name, path in sorted(left.items()))


def _kept_imports(context: Context) -> set[str]:
    """Return the imports that the file has of its own."""
    lines = set()
    for node in context.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            lines.add(ast.unparse(node))
        if isinstance(node, ast.Import):
            lines |= {ast.unparse(ast.Import([alias])) for alias in node.names}
    return lines


def _merge(lines: list[str]) -> list[str]:
    """Join the imports from the same module."""
    by_module: dict[str, list[str]] = {}
    for line in lines:
        module, _, name = line.partition(" import ") if line.startswith("from ") else (line, "", "")
        by_module.setdefault(module, []).append(name)
    return [
        f"{module} import {', '.join(sorted(taken))}" if taken != [""] else module
        for module, taken in by_module.items()
    ]
