"""Training scripts: statements that mean something else in MindSpore."""

import ast
from typing import TYPE_CHECKING

from msbridge.translate.rewriting import arguments
from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["statement"]

# Calls that need nothing in their place.
NEEDLESS = (
    "torch.backends.",
    "torch.cuda.empty_cache",
    "torch.cuda.manual_seed",
    "torch._C._log_api_usage_once",
    "torch.fx.wrap",
    "torch.set_float32_matmul_precision",
    "torch.set_grad_enabled",
)


def statement(walker: "Walker", node: ast.Expr) -> bool:
    """Change a statement that is a call; return whether it was one of these."""
    if not isinstance(node.value, ast.Call):
        return False
    context, text = walker.context, walker.context.text
    path = context.bound.path(node.value.func)
    if path and path.startswith(NEEDLESS):
        context.text.replace(text.start(node), text.end(node), "pass")
        context.note(text.start(node), text.end(node), Kind.REWRITTEN, f"{path} needs nothing in its place")
        return True
    if path in ("torch._assert", "torch._check") and len(node.value.args) == 2 and not node.value.keywords:
        arguments(walker, node.value)
        condition, said = (text.of(one) for one in node.value.args)
        context.rewrite(text.start(node), text.end(node), f"assert {condition}, {said}", f"{path} → assert")
        return True
    if path.startswith("torch.nn.functional.") and node.value.args and isinstance(node.value.args[0], ast.Name):
        name = node.value.args[0].id  # a result that nobody takes: the call writes into its argument
        walker.value(node.value)
        text.insert(text.start(node), f"{name} = ")
        context.note(text.start(node), text.end(node), Kind.REWRITTEN, "written in place in torch")
        return True
    if walker.value(node.value.func).kind == "cell" and not path:
        context.mark(node, "a layer whose result nobody takes: if it writes in place, assign the result to its input")
    return False
