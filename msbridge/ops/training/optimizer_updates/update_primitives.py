"""The family of the primitives that take an optimizer's step: a row names the inputs, and those that a rule takes.

define_update("ApplyRMSProp", weight_rules.rmsprop, "var mean_square moment learning_rate grad decay momentum epsilon",
              "use_locking=False")
"""

from ast import literal_eval
from collections.abc import Callable, Mapping
from functools import partial
from inspect import cleandoc
from typing import Any

from msbridge.core.checks.arguments import in_range, instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import REQUIRED, Derived, derive
from msbridge.ops.primitive.row_functions import row_function
from msbridge.ops.training.optimizer_updates.kernels import Rate, Rule, update

__all__ = ["UpdatePrimitive", "define_update"]

_INFINITY = float("inf")
_POSITIVE, _NOT_NEGATIVE = (0.0, _INFINITY, "()"), (0.0, _INFINITY, "[)")
_FTRL = {"lr": _POSITIVE, "l1": _NOT_NEGATIVE, "l2": _NOT_NEGATIVE, "lr_power": (-_INFINITY, 0.0, "(]")}
_BOUNDS: dict[str, dict[str, tuple[float, float, str]]] = {
    "FusedSparseFtrl": _FTRL,
    "SparseApplyAdadelta": {"epsilon": _NOT_NEGATIVE},
    "SparseApplyFtrl": _FTRL,
    "SparseApplyFtrlV2": _FTRL,
    "SparseApplyRMSProp": {"rho": (0.0, 1.0, "[]"), "momentum": _NOT_NEGATIVE, "epsilon": _POSITIVE},
}
_ARGUMENTS = {  # what inputs and attributes are called → what they are
    "var variable weight parameters": "the weight, a Parameter; changed in place.",
    "m": "the first moment, of the shape of the weight; changed in place.",
    "v": "the second moment, likewise.",
    "vhat": "the largest second moment so far, likewise.",
    "accum accum_update accumulation grad_accum grad_square_accum gradient_accumulator gradient_squared_accumulator "
    "linear mean_gradient mean_square mg mom moment ms stat": "state, of the shape of the weight; changed in place.",
    "grad gradient delta": "the gradient, of the shape of the weight; of its rows, where there are `indices`.",
    "indices": "the rows of the weight, (rows,); Int32 or Int64.",
    "lr learning_rate": "the learning rate, a number or a 0-d Tensor.",
    "alpha": "the learning rate; of ApplyAddSign, the part of a step that no sign changes.",
    "beta1_power": "`beta1` to the power of the step.",
    "beta2_power": "`beta2` to the power of the step.",
    "beta1": "the decay of the first moment, in [0, 1).",
    "beta2": "the decay of the second moment, in [0, 1).",
    "beta rho decay": "a decay, in [0, 1]; with weight decay, its factor.",
    "epsilon": "keeps the divisor from 0.",
    "momentum": "how much of the last step is kept.",
    "dampening": "the share of the gradient that momentum leaves out.",
    "weight_decay": "how much of the weight is added to the gradient.",
    "loss_scale": "what the gradient is multiplied by.",
    "global_norm": "what the gradient is divided by.",
    "global_step": "the number of the step, from 1 on.",
    "l1": "the strength of L1 regularization, at least 0.",
    "l2": "that of L2 regularization, at least 0.",
    "l2_shrinkage": "that of L2 regularization of the gradient.",
    "lr_power": "the power that the rate falls with, at most 0.",
    "logbase": "the base's logarithm.",
    "sign_decay": "the decay of the sign's share.",
    "nesterov use_nesterov": "look one step ahead.",
    "use_locking": "without effect: no update is lost.",
    "update_slots": "whether the state is updated.",
    "gradient_scale": "what the gradient is multiplied by.",
    "update": "the step before its scaling, of the shape of the weight.",
    "w_norm": "the norm of the weight.",
    "g_norm": "the norm of the step.",
}
_MEANINGS = {name: meaning for names, meaning in _ARGUMENTS.items() for name in names.split()}
_UNCHECKED = {("SGD", "dampening"), ("SGD", "weight_decay"), ("AdamWeightDecay", "use_locking")}
_GRADIENTS = frozenset({"delta", "grad", "gradient", "indices", "update"})


class UpdatePrimitive(Derived):
    """A primitive that changes its inputs; its attributes are bools and floats, and are checked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = type(self).__name__
        for name, default in self.defaults.items():
            if (owner, name) not in _UNCHECKED:
                instance(self.attrs[name], name, owner, bool if isinstance(default, bool) else float)
        for name, bounds in _BOUNDS.get(owner, {}).items():
            in_range(self.attrs[name], name, owner, *bounds)
        if self.attrs.get("nesterov") and self.attrs["dampening"] != 0:
            raise ValueError(
                f"For '{owner}', dampening must be 0 where nesterov is set, but got {self.attrs['dampening']}."
            )
        self.add_prim_attr("side_effect_mem", True)


def define_update(
    name: str,
    rule: Rule,
    inputs: str,
    attributes: str = "",
    *,
    held: str = "",
    by: Callable[..., tuple[Tensor, ...]] = update,
    gives_weight: bool = False,
) -> type[Derived]:
    """Make the primitive of a rule, which gets what it changes, the gradient, other inputs, and attributes by name.

    Args:
        name: the primitive's name.
        rule: one of `weight_rules`.
        inputs: of a call, in order, separated by spaces.
        attributes: of the primitive, separated by spaces, with their defaults: "lr use_locking=False".
        held: those that the rule changes, where they are not the first.
        by: how the rule is applied, a function of `kernels`; on rows there is an input `indices`.
        gives_weight: return the first that was changed, instead of all.
    """
    names, known = inputs.split(), rule.__code__.co_varnames[: rule.__code__.co_argcount]
    defaults = dict(map(_name_and_default, attributes.split()))
    changed = held.split() or names[: known.index("g")]
    gradients = [each for each in names if each in _GRADIENTS]
    rest = [each for each in names if each not in {*changed, *gradients}]

    def run(given: Mapping[str, Any]) -> Any:
        settled = partial(rule, **{each: given[each] for each in defaults if each in known})
        found = by(name, settled, {each: given[each] for each in changed}, *(given[each] for each in gradients + rest))
        return found[0] if gives_weight else found

    kinds = {each: Tensor if each in {*changed, *gradients} else Rate for each in names}
    result: Any = Tensor if gives_weight else tuple[(Tensor,) * len(changed)]  # type: ignore[misc]
    doc = _docstring(name, rule, [*names, *defaults], changed, gives_weight)
    function = row_function(name, run, kinds, defaults, result, doc)
    return derive(name, function, " ".join(defaults), base=UpdatePrimitive)


def _docstring(name: str, rule: Rule, arguments: list[str], changed: list[str], gives_weight: bool) -> str:
    given = "\n".join(f"    {each}: {_MEANINGS[each]}" for each in arguments)
    result = f"Tensors of the shapes and dtypes of {', '.join(f'`{each}`' for each in changed)}"
    returned = f"A Tensor of the shape and dtype of `{changed[0]}`" if gives_weight else result
    sections = f"Args:\n{given}\n\nReturns:\n    {returned}.\n\nFollows: mindspore.ops.{name} (2.10)."
    return f"{cleandoc(rule.__doc__ or '')}\n\n{sections}"


def _name_and_default(attribute: str) -> tuple[str, Any]:
    name, _, default = attribute.partition("=")
    return name, literal_eval(default) if default else REQUIRED
