"""Training steps: the statements before `loss.backward()` become a function, whose gradients the optimizer gets.

optimizer.zero_grad()                       def forward_fn():
output = net(x)                                 output = net(x)
loss = criterion(output, y)        →            loss = criterion(output, y)
loss.backward()                                 return loss, output
optimizer.step()
(loss, output), grads = ms.value_and_grad(
forward_fn, None, optimizer.parameters, has_aux=True
)()
optimizer(grads)
"""

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["rewrite"]

CLIPPING = {
    "torch.nn.utils.clip_grad_norm_": "clip_by_global_norm({}, {})",
    "torch.nn.utils.clip_grad_value_": "clip_by_value({}, -{}, {})",
}


@dataclass(frozen=True, slots=True)
class Step:
    """The statements of a step, in a block."""

    forward: list[ast.stmt]  # what is differentiated
    backward: ast.Expr
    optimizer: str  # the text of the optimizer
    loss: str
    others: list[str]  # what the forward statements assign besides


def rewrite(walker: "Walker", body: list[ast.stmt]) -> None:
    """Rewrite the training step of a block that was visited, if there is one."""
    index = next((number for number, one in enumerate(body) if _method(one, "backward")), None)
    if index is None:
        return
    step = _read(body, index)
    if isinstance(step, str):
        walker.context.statement = body[index]
        walker.context.mark(body[index], step)
        return
    _write_forward(walker, step)
    for one in body:
        _write_rest(walker, one, step)


def _method(node: ast.stmt, name: str) -> ast.Call | None:
    """Return the call of a method that a statement is."""
    call = node.value if isinstance(node, ast.Expr) else None
    is_such = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == name
    return call if is_such and isinstance(call, ast.Call) else None


def _owner(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return ast.unparse(call.func.value)


def _read(body: list[ast.stmt], index: int) -> Step | str:
    """Return the step around a call of `backward`, or what has to be decided where it is of another form."""
    call = _method(body[index], "backward")
    assert call is not None
    loss = _owner(call)
    if not loss.isidentifier() or call.args or call.keywords:
        return "gradients: `mindspore.value_and_grad` of a function that returns this loss"
    zeroed = [_owner(found) for one in body if (found := _method(one, "zero_grad"))]
    stepped = [_owner(found) for one in body if (found := _method(one, "step"))]
    optimizers = [one for one in stepped if one in zeroed] or [one for one in stepped if "sched" not in one]
    if len(set(optimizers)) != 1:
        return "gradients: `mindspore.value_and_grad` of a function that returns this loss, and the optimizer's call"
    first = _first_of_forward(body, index, loss)
    forward = [one for one in body[first:index] if not _method(one, "zero_grad")]
    assigned = [name for one in forward for name in _assigned_names(one)]
    if not forward or loss not in assigned or any(isinstance(one, ast.AugAssign | ast.Return) for one in forward):
        return "gradients: `mindspore.value_and_grad` of a function that returns this loss"
    others = [one for one in dict.fromkeys(assigned) if one != loss]
    backward = body[index]
    assert isinstance(backward, ast.Expr)
    return Step(forward, backward, optimizers[0], loss, others)


def _first_of_forward(body: list[ast.stmt], index: int, loss: str) -> int:
    """Return the index of the first statement of the loss, without those that only prepare the inputs."""
    needed, first = {loss}, index
    for number in range(index - 1, -1, -1):
        one = body[number]
        if _assigned_names(one) & needed and not (_only_prepares(one) and loss not in _assigned_names(one)):
            first = number
            needed |= {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
    return first


def _only_prepares(node: ast.stmt) -> bool:
    """Whether a statement calls no network: it moves, casts, unpacks or makes its values."""
    calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    plain = {"to", "cuda", "cpu", "float", "long", "view", "reshape", "next", "iter", "len", "range"}
    names = [
        one.attr if isinstance(one, ast.Attribute) else one.id if isinstance(one, ast.Name) else "" for one in calls
    ]
    return all(name in plain or ast.unparse(one).startswith("torch.") for name, one in zip(names, calls, strict=True))


def _assigned_names(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _write_forward(walker: "Walker", step: Step) -> None:
    """Write the forward function, and its gradients in place of `backward`."""
    context, text = walker.context, walker.context.text
    indent = " " * step.backward.col_offset
    first = step.forward[0].lineno
    for one in step.forward:
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1):
            text.insert(text.line_start(line), "    ")
    text.insert_before(text.line_start(first), f"\n{indent}def forward_fn():\n")
    ms = context.use("ms")
    returned = ", ".join([step.loss, *step.others])
    taken = f"({returned})" if step.others else step.loss
    extra = ", has_aux=True" if step.others else ""
    new = f"    return {returned}\n\n{indent}{taken}, grads = {ms}.value_and_grad("
    new += f"forward_fn, None, {step.optimizer}.parameters{extra})()"
    start, end = text.start(step.backward), text.end(step.backward)
    context.rewrite(start, end, new, "backward → value_and_grad")


def _write_rest(walker: "Walker", node: ast.stmt, step: Step) -> None:
    context, text = walker.context, walker.context.text
    start, end = text.start(node), text.end(node)
    if (call := _method(node, "step")) and _owner(call) == step.optimizer:
        context.rewrite(start, end, f"{step.optimizer}(grads)", "the optimizer is called with the gradients")
    elif _method(node, "zero_grad"):
        line = text.line_start(node.lineno)
        text.replace(line, text.line_start((node.end_lineno or node.lineno) + 1), "")
        context.note(start, end, Kind.REWRITTEN, "gradients are values, not a state")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        path = context.bound.path(node.value.func)
        values = [*node.value.args, *(word.value for word in node.value.keywords)]
        if path in CLIPPING and len(values) > 1:
            limit = text.of(values[1])
            form = CLIPPING[path].format("grads", limit, limit)
            context.unmark(node)
            context.rewrite(start, end, f"grads = {context.use('ops')}.{form}", "gradients are clipped as values")
