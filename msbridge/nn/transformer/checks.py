"""Checks of the arguments and inputs of the parallel Transformer's layers; public scripts take these too.

Follows: mindspore.parallel._transformer.layers (2.0), mindspore.nn.transformer.layers (1.9).
"""

import inspect
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from msbridge.core.checks.arguments import boolean, in_range, instance, integer, non_negative_int, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Check = Callable[[Any, str], Any]

HALF_OR_SINGLE = (mstype.float32, mstype.float16)


def _args_type_validator_check(
    **checks: Check,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator that checks the arguments that a call passes; defaults are not checked.

    Args:
        checks: for each argument a function of its value and its name, which raises.

    Follows: mindspore.parallel._transformer.layers._args_type_validator_check (2.0).
    """

    def check_and_call(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            passed = signature.bind(*args, **kwargs).arguments
            for name, value in (passed | passed.get("kwargs", {})).items():
                if name in checks:
                    checks[name](value, name)
            return function(*args, **kwargs)

        return call

    return check_and_call


def _valid_type_checks(types: Collection[type], class_name: str) -> Check:
    """Return a check that a value is of one of the types, as they are: a subclass is another type.

    Follows: mindspore.parallel._transformer.layers._valid_type_checks (2.0).
    """

    def check(value: Any, name: str) -> None:
        if type(value) not in types:
            _raise_type_error(name, [kind.__name__ for kind in types], type(value).__name__, class_name)

    return check


def _valid_value_checks(types: Collection[Any], class_name: str) -> Check:
    """Return a check that a dtype is one of `types`.

    Follows: mindspore.parallel._transformer.layers._valid_value_checks (2.0).
    """

    def check(value: Any, name: str) -> None:
        _check_input_dtype(value, name, types, class_name)

    return check


def _check_input_dtype(input_dtype: Any, param_name: str, allow_dtypes: Collection[Any], cls_name: str) -> None:
    """Require that a dtype is one of several.

    Raises:
        TypeError: it is another one, or none.

    Follows: mindspore.parallel._transformer.layers._check_input_dtype (2.0).
    """
    if input_dtype not in allow_dtypes:
        _raise_type_error(param_name, [str(kind) for kind in allow_dtypes], str(input_dtype), cls_name)


def check_input(x: Any, param_name: str, allow_dtypes: Collection[Any], cls_name: str) -> None:
    """Require a Tensor of one of several dtypes.

    Raises:
        TypeError: it is of another one, or no Tensor.
    """
    if not isinstance(x, Tensor):
        raise TypeError(f"For '{cls_name}', the '{param_name}' must be a Tensor, but got {type(x).__name__}.")
    _check_input_dtype(x.dtype, param_name, allow_dtypes, cls_name)


def _check_past_none_input_none(
    use_past: bool, param_name: str, func_name: str, default_value: Any, is_tensor: bool, is_default: bool
) -> bool:
    """Require a Tensor for decoding step by step, and else the default.

    Raises:
        TypeError: it is something else.

    Follows: mindspore.parallel._transformer.layers._check_past_none_input_none (2.0).
    """
    if use_past and not is_tensor:
        raise TypeError(f"For '{func_name}', '{param_name}' must be a Tensor if use_past is True.")
    if not use_past and (is_tensor or not is_default):
        raise TypeError(f"For '{func_name}', '{param_name}' must be {default_value} if use_past is False.")
    return True


def _check_input_shape(
    input_shape: Sequence[int], param_name: str, func_name: str, target_len: int | Collection[int]
) -> bool:
    """Require one of several numbers of axes.

    Raises:
        ValueError: there are more or fewer.

    Follows: mindspore.nn.transformer.layers._check_input_shape (1.9).
    """
    wanted = [target_len] if isinstance(target_len, int) else list(target_len)
    if len(input_shape) not in wanted:
        raise ValueError(f"For '{func_name}', '{param_name}' must have {wanted} axes, but its shape is {input_shape}.")
    return True


def _check_shape_equal(
    input_shape: Sequence[int], param_name: str, func_name: str, target_shape: Sequence[Any]
) -> bool:
    """Require one shape, or one of several.

    Raises:
        ValueError: it is another one.

    Follows: mindspore.nn.transformer.layers._check_shape_equal (1.9).
    """
    wanted = list(target_shape) if isinstance(target_shape[0], list) else [list(target_shape)]
    _check_input_shape(input_shape, param_name, func_name, [len(shape) for shape in wanted])
    if list(input_shape) not in wanted:
        raise ValueError(f"For '{func_name}', the shape of '{param_name}' must be {wanted}, but got {input_shape}.")
    return True


def _check_input_shape_value(
    input_shape: Sequence[int], dim: int, param_name: str, cls_name: str, target_value: int
) -> bool:
    """Require the length of one axis.

    Raises:
        ValueError: it is another one.

    Follows: mindspore.nn.transformer.layers._check_input_shape_value (1.9).
    """
    if input_shape[dim] != target_value:
        raise ValueError(
            f"For '{cls_name}', the length of axis {dim} of '{param_name}' must be {target_value}, "
            f"but got {input_shape[dim]}."
        )
    return True


class _LayerInputCheck:
    """The checks of shapes, as methods.

    Follows: mindspore.parallel._transformer.layers._LayerInputCheck (2.0).
    """

    check_shape_length = staticmethod(_check_input_shape)
    check_shape_equal = staticmethod(_check_shape_equal)
    check_shape_value_on_axis = staticmethod(_check_input_shape_value)

    @staticmethod
    def check_shape_equal_without_batch(
        input_shape: Sequence[int], param_name: str, func_name: str, target_shape: Sequence[int]
    ) -> bool:
        """Require (…, length, hidden), or (a multiple of length, hidden).

        Raises:
            ValueError: it is another shape.
        """
        length, hidden = target_shape
        _check_input_shape(input_shape, param_name, func_name, (2, 3))
        is_whole = input_shape[0] > 0 and (len(input_shape) == 3 or input_shape[0] % length == 0)
        if input_shape[-1] != hidden or not is_whole:
            raise ValueError(
                f"For '{func_name}', the shape of '{param_name}' must be (batch, {length}, {hidden}) or "
                f"(batch * {length}, {hidden}), but got {tuple(input_shape)}."
            )
        return True


positive, non_negative, flag = positive_int, non_negative_int, boolean  # as these layers' rows are short


def check_arguments(
    *configs: type, **differing: Check
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator of constructors that checks the arguments by their names, which mean the same everywhere.

    Args:
        configs: what `parallel_config` may be.
        differing: the checks of this class only.
    """

    def check_constructor(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        owner = function.__qualname__.partition(".")[0].lstrip("_")
        dtypes = dict.fromkeys(_DTYPES, _valid_value_checks(HALF_OR_SINGLE, owner))
        checks = {**_BY_NAME, **dtypes, "parallel_config": _valid_type_checks(configs, owner)}
        return _args_type_validator_check(**(checks | differing))(function)

    return check_constructor


def positive_or_none(value: Any, name: str) -> None:
    """Require a positive int, or nothing: None and 0."""
    if value:
        positive_int(value, name)


def rate(value: Any, name: str) -> None:
    """Require a probability under 1."""
    in_range(floating(value, name), name, None, 0, 1)


def floating(value: Any, name: str) -> float:
    """Return a float; an int is not one.

    Raises:
        TypeError: it is not one.
    """
    instance(value, name, None, float)
    return value


_SIZES = """
    embedding_size encoder_layers ffn_hidden_size hidden_size in_channels num_heads num_layers out_channels seq_length
    src_seq_length tgt_seq_length vocab_size
    """
_BY_NAME: dict[str, Check] = {
    **dict.fromkeys(_SIZES.split(), positive),
    **dict.fromkeys(("decoder_layers", "offset"), non_negative),
    **dict.fromkeys(("attention_dropout_rate", "dropout_rate", "hidden_dropout_rate"), rate),
    **dict.fromkeys(("has_bias", "post_layernorm_residual", "transpose_b", "use_past"), flag),
}
_DTYPES = ("compute_dtype", "layernorm_compute_type", "param_init_type", "softmax_compute_type")


def check_divisible(owner: str, divisor_name: str, divisor: int, **sizes: int) -> None:
    """Require that `divisor` divides all `sizes`.

    Raises:
        ValueError: it does not.
    """
    for name, size in sizes.items():
        if size % integer(divisor, divisor_name, owner):
            raise ValueError(
                f"For '{owner}', '{name}' must be a multiple of '{divisor_name}', got {size} and {divisor}."
            )


def _raise_type_error(name: str, allowed: list[str], got: str, owner: str) -> None:
    wanted = allowed[0] if len(allowed) == 1 else f"one of {allowed}"
    raise TypeError(f"For '{owner}', the '{name}' should be {wanted}, but got '{got}'.")
