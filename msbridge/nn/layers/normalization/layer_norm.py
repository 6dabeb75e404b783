"""Layers that normalise each sample over trailing axes or groups of channels.

Follows: mindspore.nn.LayerNorm, GroupNorm, LRN; mindspore.mint.nn.LayerNorm (2.10).
"""

from functools import cached_property

from msbridge.core.checks.arguments import boolean, instance, integer, non_negative_int, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.ops.neural.normalization.functions import group_norm, lrn
from msbridge.ops.neural.normalization.kernels import normalize_axes, normalize_layer
from msbridge.ops.operations import LayerNorm as LayerNormOperator
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["LRN", "GroupNorm", "LayerNorm", "LayerNormExt"]


class LayerNorm(Cell):
    """Normalise over the trailing axes to mean 0 and variance 1, then scale by `gamma` and move by `beta`.

    Args:
        normalized_shape: shape of `gamma` and `beta`: the trailing axes.
        begin_norm_axis: the first axis to normalise over.
        begin_params_axis: the first axis of `gamma` and `beta`.
        gamma_init: fills `gamma`.
        beta_init: fills `beta`.
        epsilon: keeps the divisor from 0.
        dtype: of the parameters.

    Inputs:
        input_x: shape (..., *normalized_shape); floats.

    Outputs: as in every normalization.

    Raises:
        TypeError: `normalized_shape` is neither tuple nor list.
        ValueError: `normalized_shape` is empty, or not the shape of the input's trailing axes.

    Examples:
        >>> print(nn.LayerNorm((2,))(Tensor([[1.0, 3.0]])).asnumpy().round(3))
        [[-1.  1.]]

    Follows: mindspore.nn.LayerNorm (2.10).
    """

    @cached_property
    def layer_norm(self) -> Primitive:
        """The operator, for the `construct` of subclasses; it returns the mean and the variance, too."""
        return LayerNormOperator(self.begin_norm_axis, self.begin_params_axis, self.epsilon)

    def __init__(
        self,
        normalized_shape: tuple[int, ...] | list[int],
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        epsilon: float = 1e-7,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        instance(normalized_shape, "normalized_shape", self.cls_name, (tuple, list))
        if not normalized_shape:
            raise ValueError(f"For '{self.cls_name}', the 'normalized_shape' must have at least one element.")
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = make_parameter(gamma_init, normalized_shape, dtype, "gamma")
        self.beta = make_parameter(beta_init, normalized_shape, dtype, "beta")
        self._shape = tuple(normalized_shape)
        self._is_plain = begin_norm_axis == begin_params_axis == -len(self._shape)

    def construct(self, input_x: Tensor) -> Tensor:
        if self._is_plain:
            return normalize_layer(input_x, self._shape, self.gamma, self.beta, self.epsilon)
        return self._over_axes(input_x)

    def _by_operators(self, input_x: Tensor) -> Tensor:
        return self.layer_norm(input_x, self.gamma, self.beta)[0]  # type: ignore[no-any-return]

    def _over_axes(self, x: Tensor) -> Tensor:
        try:
            rank = x._data.dim()
            norm_axis, params_axis = self.begin_norm_axis % rank, self.begin_params_axis % rank
            if norm_axis == params_axis == rank - len(self._shape):
                return normalize_layer(x, self._shape, self.gamma, self.beta, self.epsilon)
            parameters = (self.gamma._data, self.beta._data)
            return wrap(normalize_axes(x._data, *parameters, norm_axis, params_axis, self.epsilon)[0])
        except Exception as error:
            raise explain(error, "LayerNorm", input=x, gamma=self.gamma) from error

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """Normalise over the trailing axes, in torch's argument names.

    Args:
        normalized_shape: shape of `weight` and `bias`: the trailing axes, an int or ints.
        eps: as in every normalization.
        elementwise_affine: whether there are `weight` and `bias`.
        bias: whether there is `bias`.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (..., *normalized_shape); floats.

    Outputs: as in every normalization.

    Follows: mindspore.mint.nn.LayerNorm (2.10).
    """

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...] | list[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        instance(normalized_shape, "normalized_shape", self.cls_name, (int, tuple, list, bool))
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        if not self.normalized_shape:
            raise ValueError(f"For '{self.cls_name}', the 'normalized_shape' must have at least one element.")
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        kind = mstype.float32 if dtype is None else dtype
        self.weight = make_parameter("ones", self.normalized_shape, kind, "weight") if elementwise_affine else None
        self.bias = (
            make_parameter("zeros", self.normalized_shape, kind, "bias") if elementwise_affine and bias else None
        )

    def construct(self, input: Tensor) -> Tensor:
        return normalize_layer(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Cell):
    """Normalise each of `num_groups` groups of channels of each sample of (N, C, ...).

    Args:
        num_groups: how many groups.
        num_channels: C.
        eps: keeps the divisor from 0.
        affine: whether `gamma` and `beta` are trained.
        gamma_init: fills `gamma`, shape (C,).
        beta_init: fills `beta`, shape (C,).
        dtype: of the parameters.

    Inputs:
        x: shape (N, C, ...); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Raises:
        TypeError: `num_groups` or `num_channels` is not an int.
        ValueError: C is not a multiple of `num_groups`.

    Follows: mindspore.nn.GroupNorm (2.10).
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        integer(num_groups, "num_groups", self.cls_name)
        integer(num_channels, "num_channels", self.cls_name)
        if num_groups < 1 or num_channels < 1 or num_channels % num_groups:
            raise ValueError(
                f"For '{self.cls_name}', the 'num_channels' must be divided by 'num_groups', "
                f"but got {num_channels} and {num_groups}."
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = instance(eps, "eps", self.cls_name, float)
        self.affine = boolean(affine, "affine", self.cls_name)
        self.gamma = make_parameter(gamma_init, (num_channels,), dtype, "gamma", affine)
        self.beta = make_parameter(beta_init, (num_channels,), dtype, "beta", affine)

    def construct(self, x: Tensor) -> Tensor:
        return group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    _cal_output = construct  # subclasses call it in a `construct` of their own

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class LRN(Cell):
    """Divide by (bias + alpha·Σ x²)^beta, the sum over the channels within `depth_radius`.

    Args:
        depth_radius: how many channels on either side count, at least 0.
        bias: added to the sum.
        alpha: times the sum.
        beta: the exponent.
        norm_region: "ACROSS_CHANNELS", the only one.

    Inputs:
        input_x: shape (N, C, H, W); floats.

    Outputs: as in every normalization.

    Follows: mindspore.nn.LRN (2.10).
    """

    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:
        super().__init__()
        op = self.cls_name
        non_negative_int(depth_radius, "depth_radius", op)
        for name, value in (("bias", bias), ("alpha", alpha), ("beta", beta)):
            instance(value, name, op, float)
        one_of(instance(norm_region, "norm_region", op, str), "norm_region", op, ("ACROSS_CHANNELS",))
        self._settings = (depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x: Tensor) -> Tensor:
        return lrn(input_x, *self._settings)
