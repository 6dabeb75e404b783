"""Functions of 1.10 that take the attributes of a primitive in their places, and return all that it returns."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.autograd import jacobians
from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.releases.arguments import override_arguments
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float32, int32
from msbridge.ops import operations as P
from msbridge.ops.legacy import r2_0_reduction
from msbridge.ops.legacy.r2_0_attributes import with_second_names
from msbridge.ops.legacy.r2_0_reduction import with_repeated_axes
from msbridge.ops.neural.loss import functions
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.extremes import methods
from msbridge.ops.reduce.reduction import functions as reductions


def _extremum(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a method of an extremum whose initial value may be a Tensor; equal elements share the gradient."""

    def extremum(self: Tensor, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Any:
        bound = initial.item() if isinstance(initial, Tensor) else initial
        axes = tuple(range(self.ndim)) if axis is None and bound is not None else axis
        return function(self, axes, keepdims, initial=bound, where=where)

    return extremum


def _place_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method that returns the place first, Int32, then the element."""

    def extremum(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        value, place = function(self, axis, keep_dims)
        return place.astype(int32), value

    return extremum


def arange(start: float = 0, stop: float | None = None, step: float = 1, rtype: Type | None = None) -> Tensor:
    """Count from `start` up to, not with, `stop`: Int32, with floats Float32.

    Raises:
        TypeError: an argument is neither an int nor a float.
        ValueError: `start` is not below `stop`.

    Follows: mindspore.ops.arange (1.10).
    """
    if stop is None:
        start, stop = 0, start
    for name, value in {"start": start, "stop": stop, "step": step}.items():
        instance(value, name, "arange", (int, float))
    if start >= stop:
        raise ValueError(f"For 'arange', 'start' must be < 'stop', but got {start} and {stop}.")
    has_floats = any(isinstance(value, float) for value in (start, stop, step))
    return Tensor(np.arange(start, stop, step), rtype or (float32 if has_floats else int32))


def interpolate(
    x: Tensor,
    roi: Any = None,
    scales: tuple[float, ...] | None = None,
    sizes: tuple[int, ...] | None = None,
    coordinate_transformation_mode: str = "align_corners",
    mode: str = "linear",
) -> Tensor:
    """Resize rows linearly, or images bilinearly, to sizes or by scales of all axes.

    Raises:
        TypeError: `x` is not a Tensor.
        ValueError: `mode` is that of another number of axes; the first two axes are scaled; both or no sizes are given.

    Follows: mindspore.ops.interpolate (1.10).
    """
    if roi is not None:
        without_effect("mindspore.ops.interpolate.roi", roi)
    if instance(x, "x", "interpolate", Tensor).ndim != {"linear": 3, "bilinear": 4}.get(mode):
        raise ValueError(f"For 'interpolate', linear takes 3 axes and bilinear 4; got {mode!r} and {x.ndim} axes.")
    if (scales is None) == (sizes is None) or (scales is not None and tuple(scales[:2]) != (1.0, 1.0)):
        raise ValueError("For 'interpolate', either sizes or scales must be given; scales begin with 1.0, 1.0.")
    size = sizes or tuple(int(scale * length) for scale, length in zip(scales, x.shape, strict=True))[2:]  # type: ignore[arg-type]
    coordinates = (coordinate_transformation_mode == each for each in ("align_corners", "half_pixel"))
    images = x if mode == "bilinear" else x.expand_dims(2)
    resized = P.ResizeBilinearV2(*coordinates)(images, size if mode == "bilinear" else (1, *size))
    return resized if mode == "bilinear" else resized.squeeze(2)


def smooth_l1_loss(logits: Tensor, labels: Tensor, beta: float = 1.0, reduction: str = "none") -> Tensor:
    """Compute the smooth L1 loss; a mean or sum has one axis.

    Follows: mindspore.ops.smooth_l1_loss (1.10).
    """
    losses = functions.smooth_l1_loss(logits, labels, beta, reduction)
    return losses if reduction == "none" else losses.reshape((1,))


def vjp(fn: Callable[..., Any], inputs: Any, v: Any) -> tuple[Any, Any]:
    """Return the output of `fn` and the gradients of its inputs; several of either are a tuple.

    Follows: mindspore.ops.vjp (1.10).
    """
    given = inputs if isinstance(inputs, tuple) else (inputs,)
    output, pull = jacobians.vjp(fn, *given)
    gradients = pull(*v) if isinstance(v, tuple) else pull(v)
    return output, gradients if len(given) > 1 else gradients[0]


def _median(x, global_median=False, axis=0, keep_dims=False):  # type: ignore[no-untyped-def]
    return P.Median(global_median, axis, keep_dims)(x)


def _norm(input_x, axis, p=2, keep_dims=False, epsilon=1e-12):  # type: ignore[no-untyped-def]
    return P.LpNorm(axis, p, keep_dims, epsilon)(input_x)


def _split(input_x, axis=0, output_num=1):  # type: ignore[no-untyped-def]
    return P.Split(axis, output_num)(input_x)


def _scalar_div(x: float, y: float) -> float:
    """Divide numbers; the quotient of ints is cut off downwards.

    Follows: mindspore.ops.functional.scalar_div (1.10).
    """
    return x // y if isinstance(x, int) and isinstance(y, int) else x / y


def std(input_x: Tensor, axis: Any = (), unbiased: bool = True, keep_dims: bool = False) -> Any:
    """Compute the standard deviation and the mean; an axis named twice counts once.

    Follows: mindspore.ops.std (1.10).
    """
    return P.ReduceStd(tuple(dict.fromkeys(axis)) if isinstance(axis, tuple) else axis, unbiased, keep_dims)(input_x)


OVERRIDES: dict[str, Any] = {
    "Tensor.argmax": lambda self, axis=None: methods.argmax(self, axis).astype(int32),
    "Tensor.max": _extremum(methods.max),
    "Tensor.median": _median,
    "Tensor.min": _extremum(methods.min),
    "Tensor.norm": _norm,
    "Tensor.split": _split,
    "Tensor.argmax_with_value": _place_first(methods.argmax_with_value),
    "Tensor.argmin": lambda self, axis=None: r2_0_reduction.argmin(self, axis).astype(int32),
    "Tensor.argmin_with_value": _place_first(methods.argmin_with_value),
    "ops.arange": arange,
    "ops.argmax": lambda x, axis=-1, output_type=int32: P.Argmax(axis, output_type)(x),
    "ops.argmin": lambda x, axis=-1: P.Argmin(axis)(x),
    "ops.avg_pool2d": lambda x, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW": P.AvgPool(
        kernel_size, strides, pad_mode, data_format
    )(x),
    "ops.dropout": lambda x, p=0.5, seed0=0, seed1=0: P.Dropout(1 - p, seed0, seed1)(x),
    "ops.dropout2d": lambda x, p=0.5: P.Dropout2D(1 - p)(x),
    "ops.dropout3d": lambda x, p=0.5: P.Dropout3D(1 - p)(x),
    "ops.scalar_div": _scalar_div,
    "ops.interpolate": interpolate,
    "ops.median": _median,
    "ops.meshgrid": lambda inputs, indexing="xy": P.Meshgrid(indexing)(inputs),
    "ops.norm": _norm,
    "ops.pad": lambda input_x, paddings: P.Pad(paddings)(input_x),
    "ops.SmoothL1Loss": with_second_names(derive("SmoothL1Loss", smooth_l1_loss, "beta reduction"), "SmoothL1Loss"),
    "ops.random_gamma": lambda shape, alpha, seed=0, seed2=0: P.RandomGamma(seed, seed2)(shape, alpha),
    "ops.smooth_l1_loss": smooth_l1_loss,
    "ops.split": _split,
    "ops.standard_laplace": lambda shape, seed=0, seed2=0: P.StandardLaplace(seed, seed2)(shape),
    "ops.standard_normal": lambda shape, seed=0, seed2=0: P.StandardNormal(seed, seed2)(shape),
    "ops.std": std,
    "ops.vjp": vjp,
}
for _name, _form in OVERRIDES.items():
    _form.__name__ = _form.__qualname__ = _name.rpartition(".")[2]
_WITH_LATER = with_repeated_axes((*r2_0_reduction.NAMED_ONCE, "logsumexp"))
# Put in place after the part of 2.0 that `ops.ReduceMax` names, in the order of the table.
for _name, _function in (("all", reductions.all), ("any", reductions.any)):
    OVERRIDES[f"ops.{_name}"] = override_arguments(_function, "x, axis=(), keep_dims=False", {})
OVERRIDES["ops.std"] = [std, Part(reductions, "reduction", _WITH_LATER)]
