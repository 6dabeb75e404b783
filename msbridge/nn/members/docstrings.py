"""Shared docstring sections of layers, losses, optimizers and schedules, for `core/runtime/shared_sections.py`.

A layer that computes element by element has the line `Inputs, Outputs: elementwise, real -> float.`, with the dtypes of
`msbridge/ops/kernel_calls/row_sections.py`.
"""

import re
from collections.abc import Sequence
from functools import partial

from msbridge.core.runtime.shared_sections import Families, expand, section
from msbridge.ops.kernel_calls.row_sections import parse

__all__ = ["FAMILIES", "complete"]

_CONVOLUTION = {
    "in_channels": "channels of the input.",
    "out_channels": "channels of the output.",
    "pad_mode": '"same" yields ceil(size / stride) outputs, "valid" pads nothing, "pad" pads by `padding`.',
    "group": "how many groups of channels are convolved apart; both numbers of channels are multiples of it.",
    "has_bias": "whether there is a bias.",
    "weight_init": "fills `weight`; None for the release's default.",
    "bias_init": "fills `bias`, shape (C_out,); None for the release's default.",
    "dtype": "of the parameters.",
}
_NORMALIZATION = {
    "eps": "keeps the divisor from 0.",
    "affine": "whether `gamma` and `beta` are trained.",
    "gamma_init": "fills `gamma`, shape (C,).",
    "beta_init": "fills `beta`, shape (C,).",
    "moving_mean_init": "fills `moving_mean`, shape (C,).",
    "moving_var_init": "fills `moving_variance`, shape (C,).",
    "use_batch_statistics": "True normalises by the batch, and follows it, False by the moving statistics; None by "
    "the batch while training.",
    "dtype": "of the parameters.",
    "Outputs": "A Tensor of the shape and dtype of `{0}`.",
}
_WINDOWS = {
    "pad_mode": '"valid" pads nothing, "same" yields ceil(size / stride) outputs, "pad" pads by `padding`.',
    "ceil_mode": 'with "pad": whether a window that runs over the end counts.',
    "return_indices": 'with "pad": whether to return (values, positions).',
    "count_include_pad": 'whether the padding of "pad" counts in the divisor.',
    "divisor_override": "what to divide by instead of the number of elements.",
    "Outputs": 'A Tensor of the dtype of `{0}`. Each axis of windows has ceil(size / stride) elements with "same", '
    "else floor((size + padding at both ends - kernel) / stride) + 1.",
}
_MAXIMA = {
    **_WINDOWS,
    "Outputs": f"{_WINDOWS['Outputs']}\nWith `return_indices`, a tuple of it and the positions, Int64 of its shape.",
}
_OPTIMIZER = {
    "params": 'Parameters, or groups: dicts with "params" and optionally "lr", "weight_decay" and '
    '"grad_centralization"; one dict may hold "order_params".',
    "learning_rate": "a number, a schedule (a Cell that is called with the step), or a list or Tensor of rates, one "
    "per step.",
    "beta1": "decay of the first moment, in (0, 1).",
    "beta2": "decay of the second moment, in (0, 1).",
    "eps": "added to the root, > 0.",
    "use_locking": "kept for scripts that set it; updates never run beside each other here.",
    "use_nesterov": "look one step ahead.",
    "weight_decay": "added to the gradient times the parameter; a number, or a Cell that is called with the step.",
    "loss_scale": "gradients are divided by it, > 0.",
    "Inputs": "{0}: a tuple of Tensors, one for each parameter, in their order and of their shapes.",
    "Outputs": "A tuple of True, one for each parameter; the parameters are updated in place.",
}
_EXPERIMENTAL_OPTIMIZER = {
    "params": 'Parameters, or groups of them: dicts with "params" and any of the other options.',
    "lr": "a number or a 0-d Tensor, > 0.",
    "weight_decay": "added to the gradient times the parameter.",
    "maximize": "climb, not descend.",
    "Inputs": _OPTIMIZER["Inputs"],
    "Outputs": "True; the parameters are updated in place.",
}
_RECURRENT = {
    "input_size": "length of the input's last axis.",
    "hidden_size": "length of the state.",
    "num_layers": "layers on top of each other.",
    "has_bias": "whether there are biases.",
    "batch_first": "whether the batch is axis 0.",
    "dropout": "between the layers, while training, in [0, 1).",
    "bidirectional": "whether each layer also runs backwards.",
    "dtype": "of the parameters.",
    "Inputs": "x: shape (time, N, input_size), or (N, time, input_size) with `batch_first`; of the parameters' dtype.\n"
    "hx: the first state, shape (num_layers·directions, N, hidden_size); None for zeros.\n"
    "seq_length: shape (N,), Int32: how much of each sequence counts; None for all.",
    "Outputs": "A tuple of the last layer's states, shape (time, N, directions·hidden_size) (N first with "
    "`batch_first`), and the last states of all layers, of the shape of `hx`.",
}
_LOSS = {
    "reduction": '"mean", "sum" or "none".',
    "Inputs": "{0}: a Tensor of any shape; floats.\n{1}: a Tensor that broadcasts against `{0}`.",
    "Outputs": 'A Tensor of shape () and the dtype of the inputs; with the reduction "none" one loss for each element.',
}
FAMILIES: Families = {
    "loss": _LOSS,
    "loss of samples": {**_LOSS, "Outputs": f"{_LOSS['Outputs'].removesuffix('element.')}sample, shape (N,)."},
    "convolution": _CONVOLUTION,
    "normalization": _NORMALIZATION,
    "average pooling": _WINDOWS,
    "max pooling": _MAXIMA,
    "padding": {
        "Outputs": "A Tensor of the dtype of `x`, whose axes are as much longer as `padding` says.",
    },
    "dropout": {
        "p": "the probability to zero, a float in [0, 1].",
        "Outputs": "A Tensor of the shape and dtype of `{0}`: itself but for training.",
    },
    "optimizer": _OPTIMIZER,
    "experimental optimizer": _EXPERIMENTAL_OPTIMIZER,
    "scheduler": {
        "optimizer": "whose rates change, of `mindspore.experimental.optim`.",
        "last_epoch": 'the epoch that has been done; -1 for none, else the groups need an "initial_lr".',
    },
    "schedule": {
        "learning_rate": "the first rate, > 0.",
        "decay_rate": "how fast it falls, > 0.",
        "decay_steps": "how many steps the curve is long, > 0.",
        "is_stair": "whether the rate stays for `decay_steps` steps each.",
        "Inputs": "global_step: a Tensor of any shape, or a number: the step, from 0.",
        "Outputs": "A Float32 Tensor of the shape of `global_step`: the rate of that step.",
    },
    "list of rates": {
        "learning_rate": "the first rate, > 0.",
        "decay_rate": "how fast it falls, > 0.",
        "total_step": "how many rates there are.",
        "step_per_epoch": "steps in an epoch; the rate is the same in all of them.",
        "decay_epoch": "how many epochs the curve is long, > 0.",
        "is_stair": "whether the rate stays for `decay_epoch` epochs each.",
        "Returns": "A list of `total_step` floats: the rate of each step.",
        "Raises": "TypeError: an argument is of another type.\nValueError: a number is out of range.",
    },
    "recurrent layer": _RECURRENT,
}
_ELEMENTWISE = re.compile(r"^( *)Inputs, Outputs: elementwise, (.+)\.$", re.MULTILINE)


def complete(cell: type) -> None:
    """Expand in the docstring of a class of Cells what is shared.

    Raises:
        KeyError: it names a family, argument or section that is not there.
        ValueError: dtypes are not of the form "TAKES -> RETURNS".
    """
    doc = vars(cell).get("__doc__")
    if doc and (" as in every " in doc or ", Outputs: elementwise" in doc):
        code = cell.construct.__code__  # type: ignore[attr-defined]
        inputs = code.co_varnames[1 : code.co_argcount]
        cell.__doc__ = expand(_ELEMENTWISE.sub(partial(_describe, inputs), doc), FAMILIES, inputs)


def _describe(inputs: Sequence[str], line: re.Match[str]) -> str:
    indent, dtypes = line.groups()
    taken, returned = parse(dtypes).inputs_and_result(inputs, "a Tensor")
    return "\n\n".join([section("Inputs", "\n".join(taken), indent), section("Outputs", returned, indent)])
