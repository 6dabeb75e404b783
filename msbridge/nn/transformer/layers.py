"""The layers below the parallel Transformer's: products in float16, a normalisation, dropout.

Follows: mindspore.parallel._transformer.layers (2.0), mindspore.nn.transformer.layers (1.9).
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msbridge.core.checks.arguments import in_range, instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.nn.transformer.checks import HALF_OR_SINGLE, check_arguments, positive
from msbridge.ops.neural.normalization.kernels import normalize_layer
from msbridge.ops.operations import Add, BatchMatMul, MatMul
from msbridge.ops.operations import LayerNorm as LayerNormOperator
from msbridge.ops.primitive.primitive import Primitive

Activation = str | type[Cell]


class _LayerNorm(Cell):
    """Normalise over the last axis to mean 0 and variance 1, then scale by `gamma` and move by `beta`.

    Args:
        normalized_shape: shape of `gamma` and `beta`.
        eps: keeps the divisor from 0.
        param_init_type: dtype of the parameters, float32 or float16.
        is_self_defined: compute with single operators; the same here.

    Raises:
        TypeError: `param_init_type` is another dtype.

    Follows: mindspore.parallel._transformer.layers._LayerNorm (2.0).
    """

    @cached_property
    def layer_norm(self) -> Primitive:
        """The operator, for the `construct` of subclasses; it returns the mean and the variance, too."""
        return LayerNormOperator(-1, -1, self.eps)

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        param_init_type: Type = mstype.float32,
        is_self_defined: bool = False,
    ) -> None:
        super().__init__()
        if param_init_type not in HALF_OR_SINGLE:
            raise TypeError(
                f"For '{self.cls_name}', 'param_init_type' must be float32 or float16, but got {param_init_type}."
            )
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.is_self_defined = is_self_defined
        self.eps = eps
        self.gamma = make_parameter("ones", shape, param_init_type, "gamma")
        self.beta = make_parameter("zeros", shape, param_init_type, "beta")
        self._shape = shape

    def construct(self, x: Tensor) -> Tensor:
        return normalize_layer(x, self._shape, self.gamma, self.beta, self.eps)

    def shard(self, strategy: Any) -> Cell:  # type: ignore[override]  # as there
        """Accept how the layer is divided: it follows its input, and its parameters stay whole."""
        return self


class _Linear(Cell):
    """Compute activation(x @ weight + bias) in `compute_dtype`, and return the dtype of `x`.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills `weight`, shape (in_channels, out_channels), or with `transpose_b` the other way round; with
            experts, one of these for each.
        bias_init: fills `bias`, shape (out_channels,), or with experts (1, expert_num, 1, out_channels).
        has_bias: whether there is a bias.
        activation: a name or a class of Cells, applied at the end.
        transpose_b: whether `weight` is transposed.
        expert_num: how many experts share the rows of the input, one after the other.
        outer_batch: how many times in a row they do.
        expert_group_size: rows of an expert, in a mode that is not carried out here; kept.
        param_init_type: dtype of the parameters, float32 or float16.
        compute_dtype: dtype of the product, float32 or float16.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a size is not positive, or a Tensor to fill with has another shape.
        KeyError: there is no activation of that name.

    Follows: mindspore.parallel._transformer.layers._Linear (2.0).
    """

    @check_arguments(expert_num=positive, outer_batch=positive)
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        activation: Activation | None = None,
        transpose_b: bool = True,
        expert_num: int = 1,
        outer_batch: int = 1,
        expert_group_size: int | None = None,
        param_init_type: Type = mstype.float32,
        compute_dtype: Type = mstype.float16,
    ) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.has_bias = has_bias
        self.expert_num = expert_num
        self.expert_flag = expert_num > 1
        self.outer_batch = outer_batch
        self.expert_group_size = expert_group_size
        self.dtype = compute_dtype
        self.act_name = activation
        self.activation = activation_of(activation, "Linear", is_needed=False)
        self.activation_flag = self.activation is not None
        _check_shape(weight_init, "weight_init", (out_channels, in_channels))
        _check_shape(bias_init, "bias_init", (out_channels,))
        experts = (expert_num,) if self.expert_flag else ()
        sides = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        self.weight = make_parameter(weight_init, experts + sides, param_init_type, "weight")
        product = BatchMatMul if self.expert_flag else MatMul
        self.matmul = product(transpose_b=transpose_b)
        self.bias = None
        if has_bias:
            shape = (1, expert_num, 1, out_channels) if self.expert_flag else (out_channels,)
            self.bias = make_parameter(bias_init, shape, param_init_type, "bias")
            self.bias.parallel_optimizer = False
            self.bias_add = Add()

    def divide(self, parallel_config: Any, by_columns: bool) -> None:
        """Divide the rows of the input, and the weight.

        Args:
            parallel_config: into how many parts.
            by_columns: divide the columns of the weight, so that of the output; else its rows, so that parts are added.
        """
        rows, parts = parallel_config.data_parallel, parallel_config.model_parallel
        if self.expert_flag or rows * parts == 1:
            return
        inner, outer = (1, parts) if by_columns else (parts, 1)
        weight = (outer, inner) if self.matmul.transpose_b else (inner, outer)
        self.shard(((rows, inner), weight), ((rows, outer), (outer,)))

    def construct(self, x: Tensor) -> Tensor:
        rows = (self.outer_batch, self.expert_num, -1) if self.expert_flag else (-1,)
        y = self.matmul(x.reshape((*rows, self.in_channels)).astype(self.dtype), self.weight.astype(self.dtype))
        if self.bias is not None:
            y = self.bias_add(y, self.bias.astype(self.dtype))
        if self.activation is not None:
            y = self.activation(y)
        return y.astype(x.dtype).reshape((*x.shape[:-1], self.out_channels))

    def shard(self, strategy_matmul: Any, strategy_bias: Any = None, strategy_activation: Any = None) -> Cell:  # type: ignore[override]  # as there
        """Divide the product, the sum with the bias and the activation over several processes."""
        self.matmul.shard(strategy_matmul)
        if self.bias is not None and strategy_bias is not None:
            self.bias_add.shard(strategy_bias)
        return self


class _Dropout(Dropout):
    """Dropout by the probability to keep, as models of r1.x take it from the Transformer's layers.

    Args:
        keep_prob: the probability to keep an element, in (0, 1].
        dtype: accepted, as for the same layer of the real one.

    Raises:
        TypeError: `keep_prob` is not a float.
        ValueError: it is out of range.

    Follows: mindspore.parallel._transformer.layers._Dropout (2.0).
    """

    def __init__(self, keep_prob: float = 0.5, dtype: Type = mstype.float32) -> None:
        in_range(instance(keep_prob, "keep_prob", "_Dropout", float), "keep_prob", "_Dropout", 0, 1, "(]")
        super().__init__(keep_prob=keep_prob, dtype=dtype)

    def shard(self, strategy: Any) -> None:  # type: ignore[override]  # as there
        """Accept how the operator is divided: it follows its input."""


def activation_of(activation: Any, owner: str, is_needed: bool = True) -> Callable[[Tensor], Tensor] | None:
    """Return the Cell for an activation's name or class.

    Raises:
        TypeError: it is neither.
        KeyError: there is none of that name.
    """
    if isinstance(activation, str):
        return get_activation(activation)
    if isinstance(activation, type) and issubclass(activation, Cell):
        return activation()
    if activation is None and not is_needed:
        return None
    raise TypeError(f"For '{owner}', the activation must be a name or a class of Cells, but got {activation!r}.")


def _check_shape(init: Any, name: str, shape: tuple[int, ...]) -> None:
    if isinstance(init, Tensor) and init.shape != shape:
        raise ValueError(f"For 'Linear', the shape of '{name}' must be {shape}, but got {init.shape}.")
