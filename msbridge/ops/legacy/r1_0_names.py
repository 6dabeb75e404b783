"""Primitives that r1.0 published, and later releases no more."""

import math
from typing import Any

import torch

from msbridge import ops
from msbridge.core.releases.arguments import override_arguments
from msbridge.core.releases.overrides import Part
from msbridge.core.releases.unavailable import refuse
from msbridge.core.runtime.lazy_names import import_path
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.normalization.primitives import DERIVED as NORMALIZATION
from msbridge.ops.primitive.primitive import Primitive, derive

_LANGUAGE = import_path("msbridge.contrib.ops.internal.language.DERIVED")
_LAYERS = import_path("msbridge.contrib.ops.internal.layers.DERIVED")
_BatchNormed = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def _fused_batch_norm(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    mode: int = 0,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
) -> _BatchNormed:
    """Normalise over the batch where `mode` is 1, else with `mean` and `variance`.

    Follows: mindspore.ops.operations.FusedBatchNorm (1.0).
    """
    run = _class_of(NORMALIZATION, "BatchNorm").function
    return run(input_x, scale, bias, mean, variance, mode == 1, epsilon, momentum)  # type: ignore[no-any-return]


def _fuse_batch_norm_ex(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    mode: int = 0,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
) -> tuple[Tensor, ...]:
    """Normalise as `FusedBatchNorm` does; the last result is what a GPU reserves, here the variance.

    Follows: mindspore.ops.operations.FusedBatchNormEx (1.0).
    """
    found = _fused_batch_norm(input_x, scale, bias, mean, variance, mode, epsilon, momentum)
    return (*found, found[-1])


def _switch(data: Any, pred: Any) -> tuple[Any, Any]:
    """Route `data` to the second output where `pred` is true, else by the first; the other one has None.

    Follows: mindspore.ops.operations.GeSwitch (1.0).
    """
    return (None, data) if bool(pred) else (data, None)


def _merge(inputs: Any) -> tuple[Any, int]:
    """Return the value that came, and by which way.

    Follows: mindspore.ops.operations.Merge (1.0).
    """
    return next((value, place) for place, value in enumerate(inputs) if value is not None)


def _transducer_loss(
    acts: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, blank_label: int = 0
) -> tuple[Tensor, Tensor]:
    """Compute -log of the chance of the labels under an RNN transducer, and its gradient by `acts`.

    Args:
        acts: shape (batch, T, U + 1, classes), Float32 or Float16, scores before softmax.
        labels: shape (batch, U), Int32.
        input_lengths: shape (batch,), how many steps count.
        label_lengths: shape (batch,), how many labels count.
        blank_label: which class means none.

    Follows: mindspore.ops.operations.RNNTLoss (1.0); Graves, Sequence transduction with recurrent neural networks.
    """
    with torch.enable_grad():
        scores = acts._data.detach().float().requires_grad_()
        chances = scores.log_softmax(-1)
        sizes = zip(input_lengths._data.tolist(), label_lengths._data.tolist(), strict=True)
        costs = torch.stack(
            [_path_cost(chances[row], labels._data[row].long(), *size, blank_label) for row, size in enumerate(sizes)]
        )
        (gradient,) = torch.autograd.grad(costs.sum(), scores)
    return wrap(costs.detach().to(acts._data.dtype)), wrap(gradient.to(acts._data.dtype))


def _path_cost(chances: torch.Tensor, labels: torch.Tensor, steps: int, count: int, blank: int) -> torch.Tensor:
    """Sum over all ways through the lattice of `steps` inputs and `count` labels."""
    never = chances.new_full((), -math.inf)
    alphas: list[torch.Tensor] = []
    for step in range(steps):
        row: list[torch.Tensor] = []
        for place in range(count + 1):
            waited = alphas[place] + chances[step - 1, place, blank] if step else never
            spoke = row[-1] + chances[step, place - 1, labels[place - 1]] if place else never
            ways = [way for way in (waited, spoke) if way is not never]
            row.append(torch.logsumexp(torch.stack(ways), 0) if ways else chances.new_zeros(()))
        alphas = row
    return -(alphas[count] + chances[steps - 1, count, blank])


class MakeRefKey(Primitive):
    """A key of a parameter's memory: the name `tag`.

    Follows: mindspore.ops.operations.MakeRefKey (1.0).
    """

    def __init__(self, tag: str) -> None:
        super().__init__("MakeRefKey")
        self.add_prim_attr("tag", tag)

    def __call__(self) -> str:
        return str(self.attrs["tag"])


def _class_of(rows: Any, name: str) -> Any:
    return next(kind for kind in rows if kind.__name__ == name)


BASIC_LSTM_CELL = _class_of(_LAYERS, "BasicLSTMCell")
_KINDS: dict[str, Any] = {
    "BNTrainingReduce": override_arguments(_class_of(_LAYERS, "BNTrainingReduce"), "", {}),
    "BNTrainingUpdate": override_arguments(
        _class_of(_LAYERS, "BNTrainingUpdate"), "isRef=True, epsilon=1e-05, factor=0.1", {}
    ),
    "CheckBprop": override_arguments(_class_of(_LANGUAGE, "CheckBprop"), "prim_to_check=''", {}),
    "FusedBatchNorm": derive("FusedBatchNorm", _fused_batch_norm, "mode epsilon momentum"),
    "FusedBatchNormEx": derive("FusedBatchNormEx", _fuse_batch_norm_ex, "mode epsilon momentum"),
    "GeSwitch": derive("GeSwitch", _switch),
    "IsInstance": _class_of(_LANGUAGE, "IsInstance"),
    "IsSubClass": _class_of(_LANGUAGE, "IsSubClass"),
    "MakeRefKey": MakeRefKey,
    "Merge": derive("Merge", _merge),
    "RNNTLoss": derive("RNNTLoss", _transducer_loss, "blank_label"),
    "ReLUV2": _class_of(_LAYERS, "ReLUV2"),
    "SameTypeShape": _class_of(_LANGUAGE, "SameTypeShape"),
}
_QUEUE = "rows come from a dataset's iterator. Use create_dict_iterator()."
_SERVERS = "there are no parameter servers here. Use data parallel training."
_REFUSED = {
    "GetNext": ("types, shapes, output_num, shared_name", _QUEUE),
    "IFMR": (
        "min_percentile, max_percentile, search_range, search_step, with_offset",
        "its search for a scale runs on an Ascend only. Use FakeQuantWithMinMax.",
    ),
    "Pull": ("", _SERVERS),
    "Push": ("optim_type='ApplyMomentum', only_shape_indices=None", _SERVERS),
}
_KINDS |= {name: refuse(name, *said) for name, said in _REFUSED.items()}


OVERRIDES: dict[str, Any] = {f"ops.operations.{name}": kind for name, kind in _KINDS.items()}
OVERRIDES["ops.operations.MakeRefKey"] = [MakeRefKey, Part(ops, "MakeRefKey", MakeRefKey)]
