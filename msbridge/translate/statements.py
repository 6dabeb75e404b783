"""Statements: classes, functions, assignments, loops, contexts."""

import ast
from typing import TYPE_CHECKING

from msbridge.translate import inplace, methods, names, scripts
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["iterate", "visit"]

RENAMED_METHODS = {"forward": "construct", "train": "set_train"}
NULL_CONTEXTS = {"torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast"}
NO_GRADIENT = {"torch.no_grad", "torch.inference_mode"}
NEEDLESS_DECORATORS = (
    *("torch.jit.", "torch.no_grad", "torch.inference_mode"),
    *("torch.compiler.", "torch._dynamo", "torch.fx.wrap"),
)


def visit(walker: "Walker", node: ast.stmt) -> None:
    """Visit a statement."""
    kinds = {
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
        ast.Assign: _assign,
        ast.AnnAssign: _assign_annotated,
        ast.AugAssign: _assign_augmented,
        ast.For: _for,
        ast.If: _if,
        ast.With: _with,
        ast.Expr: _expression,
        ast.Return: _return,
    }
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.Pass):
        return
    kinds.get(type(node), _other)(walker, node)  # type: ignore[operator]


def _other(walker: "Walker", node: ast.stmt) -> None:
    for name, part in ast.iter_fields(node):
        if name in ("body", "orelse", "finalbody") and isinstance(part, list):
            walker.body(part)
        elif name == "handlers":
            for item in part:
                walker.value(item.type)
                walker.body(item.body)
        elif name == "cases":
            for item in part:
                walker.parts(item.pattern)
                walker.value(item.guard)
                walker.body(item.body)
        elif isinstance(part, ast.expr):
            walker.value(part)
        elif isinstance(part, list):
            for item in part:
                walker.value(item) if isinstance(item, ast.expr) else None


def _class(walker: "Walker", node: ast.ClassDef) -> None:
    context = walker.context
    for decorator in node.decorator_list:
        walker.value(decorator)
    paths = [context.bound.path(one) for one in node.bases]
    defines_forward = any(isinstance(one, ast.FunctionDef) and one.name == "forward" for one in node.body)
    is_module = any(path.startswith("torch.nn.") for path in paths) or defines_forward
    is_module = is_module or any(isinstance(one, ast.Name) and one.id in context.modules for one in node.bases)
    if "torch.autograd.Function" in paths:
        context.mark(node, "a gradient of its own: write the method `bprop` of an nn.Cell")
        is_module = False
    for value in (*node.bases, *(word.value for word in node.keywords)):
        walker.value(value)
    if is_module:
        context.modules.add(node.name)
    before = walker.class_, walker.attributes, walker.is_module
    inherited: dict[str, Value] = {}
    for base in node.bases:
        if isinstance(base, ast.Name):
            inherited |= context.classes.get(base.id, {})
    walker.class_, walker.is_module = node.name, is_module
    walker.attributes = context.classes[node.name] = inherited
    walker.scopes.append({})
    walker.body(node.body)
    walker.scopes.pop()
    walker.class_, walker.attributes, walker.is_module = before
    functions = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    layers = inplace.writing_layers(node)
    for each in functions:
        inplace.rewrite(walker, each, layers)
    if "torch.nn.Sequential" in paths or any(ast.unparse(one) in context.sequences for one in node.bases):
        context.sequences.add(node.name)
        _keep_order(walker, functions)


def _keep_order(walker: "Walker", functions: list[ast.FunctionDef]) -> None:
    """Write the list of cells that a sequence runs, where its constructor adds some to those that it was given."""
    context, text = walker.context, walker.context.text
    for one in (one for one in functions if one.name == "__init__"):
        stored = [each for each in ast.walk(one) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)]
        if any(ast.unparse(each.value) == "self" for each in stored) or ".add_module" in ast.unparse(one):
            last = one.body[-1]
            text.insert(text.end(last), f"\n{' ' * last.col_offset}self.cell_list = list(self._cells.values())")
            context.note_rewritten(last, "a SequentialCell runs its cell_list")


def _function(walker: "Walker", node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    context, text = walker.context, walker.context.text
    for decorator in node.decorator_list:
        _decorator(walker, node, decorator)
    if walker.is_module and node.name in RENAMED_METHODS:
        start = text.source.index(node.name, text.start(node) + len("def "))
        context.rename(start, start + len(node.name), RENAMED_METHODS[node.name])
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each]
    kinds = {each.arg: names.kind_of_annotation(walker, each.annotation) for each in every}
    late = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(
        zip((one.arg for one in late[len(late) - len(arguments.defaults) :]), arguments.defaults, strict=True)
    )
    defaults |= {
        one.arg: value for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
    }
    for one in every:
        walker.value(one.annotation, "annotation")
    for name, value in defaults.items():
        given = walker.value(value)
        if kinds[name] == UNKNOWN and given.kind in ("str", "bool"):
            kinds[name] = given
    walker.value(node.returns, "annotation")
    if walker.is_module and node.name == "forward":
        for each in arguments.args[1:]:
            if kinds[each.arg] == UNKNOWN and each.annotation is None and each.arg not in defaults:
                kinds[each.arg] = Value("tensor")
    before = walker.function
    walker.function = node
    walker.scopes.append(kinds | ({"self": Value("cell", "self")} if walker.is_module else {}))
    walker.body(node.body)
    walker.scopes.pop()
    walker.function = before


def _decorator(walker: "Walker", node: ast.FunctionDef | ast.AsyncFunctionDef, decorator: ast.expr) -> None:
    context, text = walker.context, walker.context.text
    path = context.bound.path(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if not path:
        walker.value(decorator)
        return
    if path.startswith(NEEDLESS_DECORATORS):
        line = text.line_of(text.start(decorator))
        last = text.line_of(text.end(decorator))
        start, end = text.line_start(line), text.line_start(last + 1)
        context.text.replace(start, end, "")
        context.note(start, end, Kind.REWRITTEN, f"{path} needs nothing in its place")
    else:
        walker.value(decorator)


def _assign(walker: "Walker", node: ast.Assign) -> None:
    value = walker.value(node.value)
    if methods.share_weight(walker, node):
        return
    for target in node.targets:
        walker.bind(target, value)


def _assign_annotated(walker: "Walker", node: ast.AnnAssign) -> None:
    walker.value(node.annotation, "annotation")
    value = walker.value(node.value)
    known = names.kind_of_annotation(walker, node.annotation)
    walker.bind(node.target, value if value != UNKNOWN else known)


def _assign_augmented(walker: "Walker", node: ast.AugAssign) -> None:
    value = walker.value(node.value)
    if isinstance(node.target, ast.Name):
        if walker.lookup(node.target.id) == UNKNOWN and value.kind == "tensor":
            walker.scopes[-1][node.target.id] = value
    else:
        walker.value(node.target)


def _for(walker: "Walker", node: ast.For) -> None:
    iterate(walker, node.target, node.iter)
    walker.body(node.body)
    walker.body(node.orelse)


def iterate(walker: "Walker", target: ast.expr, over: ast.expr) -> None:
    """Visit what a loop runs over, and note what its targets are."""
    if methods.modules_of_loop(walker, target, over):
        return
    value = walker.value(over)
    is_range = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
    is_numbered = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "enumerate"
    if is_numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        walker.bind(target.elts[0], Value("number"))
        walker.bind(target.elts[1], UNKNOWN)
        return
    walker.bind(target, Value("number") if is_range else Value("tensor") if value.kind == "tensor" else UNKNOWN)


def _if(walker: "Walker", node: ast.If) -> None:
    walker.value(node.test)
    before = dict(walker.scopes[-1])
    for name, value in names.narrow(walker, node.test).items():
        walker.scopes[-1][name] = value
    walker.body(node.body)
    after = dict(walker.scopes[-1])
    walker.scopes[-1].clear()
    walker.scopes[-1].update(before)
    walker.body(node.orelse)
    for name, value in after.items():
        if walker.scopes[-1].get(name, value) != value and name not in names.narrow(walker, node.test):
            other = walker.scopes[-1][name]
            walker.scopes[-1][name] = Value(value.kind) if other.kind == value.kind else UNKNOWN
        elif name not in walker.scopes[-1]:
            walker.scopes[-1][name] = value


def _with(walker: "Walker", node: ast.With) -> None:
    context, text = walker.context, walker.context.text
    for item in node.items:
        expression = item.context_expr
        path = context.bound.path(expression.func if isinstance(expression, ast.Call) else expression)
        if path in NO_GRADIENT:
            context.rewrite(
                text.start(expression), text.end(expression), f"{context.use('ms')}._no_grad()", "no gradient"
            )
        elif path in NULL_CONTEXTS and _is_off(expression):
            context.imports["nullcontext"] = "from contextlib import nullcontext"
            context.rewrite(
                text.start(expression), text.end(expression), "nullcontext()", "MindSpore casts by `amp` only"
            )
        else:
            walker.value(expression)
        if item.optional_vars is not None:
            walker.bind(item.optional_vars, UNKNOWN)
    walker.body(node.body)


def _is_off(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    values = {word.arg: word.value for word in node.keywords}
    enabled = values.get("enabled")
    return isinstance(enabled, ast.Constant) and enabled.value is False


def _expression(walker: "Walker", node: ast.Expr) -> None:
    if not scripts.statement(walker, node):
        walker.value(node.value)


def _return(walker: "Walker", node: ast.Return) -> None:
    walker.value(node.value)
