"""Layers as r1.0 had them: their arguments, and how they are printed."""

import functools
import inspect
from collections.abc import Mapping
from typing import Any

from torch import distributed

from msbridge.core.checks.arguments import in_range, positive_int
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.releases.unavailable import refuse
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers import convolution, dropout
from msbridge.nn.layers.activations.rectifiers import PReLU, ReLU
from msbridge.nn.layers.image import MSSSIM
from msbridge.nn.layers.normalization.batch_norm import BatchNormBase
from msbridge.nn.layers.normalization.layer_norm import GroupNorm
from msbridge.nn.layers.normalization.sync_batch_norm import SyncBatchNorm
from msbridge.nn.layers.parameter_init import Init
from msbridge.nn.layers.pooling.pool import AvgPool2d
from msbridge.nn.layers.recurrent.packed_rnn import LSTM, LSTMWithInputWeights
from msbridge.nn.losses import classification
from msbridge.nn.optim.cells import groups
from msbridge.nn.optim.cells.adam import Adam, Lamb
from msbridge.nn.optim.cells.lars import LARS
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.ops.elementwise.activation.functions import softmax
from msbridge.ops.framework.creation.functions import linspace
from msbridge.ops.kernel_calls.windows import Sizes

DROPOUT_ARGUMENTS = inspect.signature(lambda self, keep_prob=0.5, dtype=mstype.float32: None)
"""What `nn.Dropout` says that it takes."""


class Conv2dTranspose(convolution.Conv2dTranspose):
    """Compute the transposed convolution over the last two axes; see today's.

    Follows: mindspore.nn.Conv2dTranspose (1.0).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
    ) -> None:
        sizes = (in_channels, out_channels, kernel_size, stride, pad_mode, padding, 0)
        super().__init__(*sizes, dilation, group, has_bias, weight_init, bias_init)


class Dropout(dropout.Dropout):
    """While training, zero drawn elements and divide the rest by the probability to keep.

    Follows: mindspore.nn.Dropout (1.0).
    """

    def __init__(self, keep_prob: float = 0.5, dtype: Type = mstype.float32, *, p: float | None = None) -> None:
        if p is not None:  # a later argument, which scripts with old statements of their release have
            super().__init__(p=p)
            return
        in_range(keep_prob, "keep_prob", "Dropout", 0, 1, "(]")
        super().__init__(float(keep_prob))
        self.keep_prob = keep_prob
        self.dtype = dtype

    __init__.__signature__ = DROPOUT_ARGUMENTS  # type: ignore[attr-defined]

    def extend_repr(self) -> str:
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class LSTMCell(LSTMWithInputWeights):
    """One layer of an LSTM whose weights are an input.

    Follows: mindspore.nn.LSTMCell (1.0).
    """


class SoftmaxCrossEntropyWithLogits(classification.SoftmaxCrossEntropyWithLogits):
    """Compute the cross entropy of classes; see today's.

    Follows: mindspore.nn.SoftmaxCrossEntropyWithLogits (1.0).
    """

    def __init__(self, sparse: bool = False, reduction: str | None = "none") -> None:
        super().__init__(bool(sparse), "none" if reduction is None else reduction)


class LinSpace(Cell):
    """Return `num` numbers in equal steps from `start` to `stop`, both included, Float32.

    Follows: mindspore.nn.LinSpace (1.0).
    """

    def __init__(self, start: float, stop: float, num: int) -> None:
        super().__init__()
        self._ends = (float(start), float(stop), num)

    def construct(self) -> Tensor:
        return linspace(*self._ends).astype(mstype.float32)


def _dense(self: Any) -> str:
    text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, weight={self.weight}"
    text += f", has_bias={self.has_bias}" + (f", bias={self.bias}" if self.has_bias else "")
    return text if self.activation is None else f"{text}, activation={self.activation}"


def convolution_text(self: Any) -> str:
    """Return the attributes of a convolution, as it was printed."""
    return (
        f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size},"
        f"stride={self.stride},  pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
        f"group={self.group}, has_bias={self.has_bias},weight_init={self.weight_init}, bias_init={self.bias_init}"
    )


def _batch_normalization(self: Any) -> str:
    return (
        f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
        f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
    )


def _embedding(self: Any) -> str:
    return (
        f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size},use_one_hot={self.use_one_hot}, "
        f"embedding_table={self.embedding_table}, dtype={self.dtype}"
    )


@functools.wraps(Optimizer.__init__)
def _add_counter(self: Optimizer, *args: Any, **kwargs: Any) -> None:
    """Construct an optimizer; where no rate changes with the steps, their count is not a Parameter that it holds."""
    _today_init(self, *args, **kwargs)
    if not (self.dynamic_lr or self._always_counts):
        self._params.pop("global_step", None)
        if self._counter != "global_step":
            self.__dict__["global_step"] = None


def _construct(self: Cell, *inputs: Any, **kwargs: Any) -> Any:
    """Compute the output; a class overrides it."""
    raise NotImplementedError(f"{type(self).__name__} must define construct.")


def _check_parameters(items: list[Any], repeated: type[Exception] = RuntimeError) -> None:
    """Check the parameters of an optimizer, which may share names; in groups, none is there twice."""
    for item in items:
        if not isinstance(item, Parameter):
            raise TypeError(f"For 'Optimizer', all parameters must be 'Parameter', but got {type(item).__name__}.")
    if repeated is RuntimeError and len({id(item) for item in items}) < len(items):
        raise RuntimeError("For 'Optimizer', a parameter must not be in the groups twice.")


class GraphKernel(Cell):
    """A Cell that a compiler would fuse to one kernel; here it runs as any other.

    Follows: mindspore.nn.GraphKernel (1.0).
    """

    def __init__(self, auto_prefix: bool = True, pips: Mapping[str, Any] | None = None) -> None:
        super().__init__(auto_prefix, pips)
        self.add_flags(graph_kernel=type(self).__name__)


class GlobalBatchNorm(SyncBatchNorm):
    """Normalise each channel over the batches of `device_num_each_group` neighbouring processes.

    Follows: mindspore.nn.GlobalBatchNorm (1.0).
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: bool | None = None,
        device_num_each_group: int = 2,
    ) -> None:
        count = positive_int(device_num_each_group, "device_num_each_group", "GlobalBatchNorm")
        world = distributed.get_world_size() if distributed.is_initialized() else 1
        groups = [list(range(first, min(first + count, world))) for first in range(0, world, count)]
        fills = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        super().__init__(num_features, eps, momentum, affine, *fills, use_batch_statistics, groups)


@functools.cache
def categorical() -> type:
    """Make the class of the distribution, which took `logits`, too."""
    from msbridge.nn.probability.distribution import categorical

    today = categorical.Categorical

    def __init__(
        self: Any,
        probs: Any = None,
        logits: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.int32,
        name: str = "Categorical",
    ) -> None:
        if (probs is None) is (logits is None) and probs is not None:
            raise ValueError("For 'Categorical', either 'probs' or 'logits' must be given, but got both.")
        given = probs if logits is None else softmax(logits if isinstance(logits, Tensor) else Tensor(logits), -1)
        today.__init__(self, given, seed, dtype, name)

    return type("Categorical", (today,), {"__init__": __init__, "__doc__": today.__doc__})


def _lars(self: LARS, optimizer: Optimizer, *args: Any, **kwargs: Any) -> None:
    """Construct the optimizer around another one, and count only if that one does."""
    _today_lars(self, optimizer, *args, **kwargs)
    if "global_step" not in optimizer._params:
        self._params.pop("global_step", None)


def _lamb(self: Lamb, *args: Any, **kwargs: Any) -> None:
    """Construct the optimizer, which registers the count of its steps in the end."""
    _today_lamb(self, *args, **kwargs)
    self._params["global_step"] = count = self._params.pop("global_step")
    count._data = count._data.float()


def _group_norm(
    self: GroupNorm,
    num_groups: int,
    num_channels: int,
    eps: float = 1e-05,
    affine: bool = True,
    gamma_init: Init = "ones",
    beta_init: Init = "zeros",
) -> None:
    """Construct the layer; without `affine` it has no Parameters."""
    _today_group_norm(self, num_groups, num_channels, eps, affine, gamma_init, beta_init)
    if not self.affine:
        for name in ("gamma", "beta"):
            self.__dict__[name] = wrap(self._params.pop(name)._data)


@functools.wraps(MSSSIM.__init__)
def _msssim(self: MSSSIM, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, whose steps are layers of it."""
    _today_msssim(self, *args, **kwargs)
    self.avg_pool = AvgPool2d(2, 2)
    self.relu = ReLU()


@functools.wraps(PReLU.__init__)
def _prelu(self: PReLU, channel: int = 1, w: Any = 0.25) -> None:
    """Construct the layer; that it has no channels is found when it is called."""
    _today_prelu(self, channel or 1, w)
    if channel == 0:
        self.w = Parameter(Tensor(self.w._data[:0]), name="a")


def _convolve(self: Any, x: Tensor) -> Tensor:
    """Convolve; other channels than those of the weight are a ValueError."""
    try:
        return _today_convolve(self, x)
    except RuntimeError as error:
        if x.ndim == self._axes and x.shape[1] != self.in_channels:
            raise ValueError(str(error)) from error
        raise


_today_convolve = convolution.Convolution.construct
_today_group_norm = GroupNorm.__init__
_today_lamb = Lamb.__init__
_today_lars = LARS.__init__
_today_init = Optimizer.__init__
_today_msssim, _today_prelu = MSSSIM.__init__, PReLU.__init__
_QUEUE = "dataset_types, dataset_shapes, queue_name", "rows come from a dataset's iterator. Use create_dict_iterator()."
OVERRIDES = {
    "nn.Adam": Part(Adam, "_keeps_largest", False),
    "nn.BatchNorm2d": Part(BatchNormBase, "extend_repr", _batch_normalization),
    "nn.Cell.construct": _construct,
    "nn.Cell.support_non_tensor_inputs": False,
    "nn.Conv2d": [
        Part(convolution.Convolution, "construct", _convolve),
        Part(convolution.Convolution, "extend_repr", convolution_text),
    ],
    "nn.Conv2dTranspose": Conv2dTranspose,
    "nn.Dense.extend_repr": _dense,
    "nn.Dropout": Dropout,
    "nn.Dropout.extend_repr": lambda self: f"keep_prob={self.keep_prob}, dtype={self.dtype}",
    "nn.Embedding.extend_repr": _embedding,
    "nn.GetNextSingleOp": refuse("GetNextSingleOp", *_QUEUE),
    "nn.GlobalBatchNorm": GlobalBatchNorm,
    "nn.GraphKernel": GraphKernel,
    "nn.GroupNorm.__init__": _group_norm,
    "nn.LARS.__init__": functools.wraps(_today_lars)(_lars),
    "nn.LSTM": LSTM,
    "nn.LSTMCell": LSTMCell,
    "nn.Lamb": [Part(Lamb, "__init__", functools.wraps(_today_lamb)(_lamb)), Part(Lamb, "_always_counts", True)],
    "nn.LinSpace": LinSpace,
    "nn.MSSSIM.__init__": _msssim,
    "nn.Optimizer": [
        Part(Optimizer, "__init__", _add_counter),
        Part(groups, "_check_parameters", _check_parameters),
    ],
    "nn.PReLU.__init__": _prelu,
    "nn.SoftmaxCrossEntropyWithLogits": SoftmaxCrossEntropyWithLogits,
    "nn.probability.distribution.Categorical": categorical(),
}
