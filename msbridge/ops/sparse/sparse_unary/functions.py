"""Functions of each value: `coo_<name>` and `csr_<name>` for those operators that a sparse tensor has."""

from collections.abc import Callable

from msbridge.core.sparse import COOTensor, CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.elementwise.trigonometry import functions as trigonometry


def _pair(
    fn: Callable[[Tensor], Tensor],
) -> tuple[Callable[[COOTensor], COOTensor], Callable[[CSRTensor], CSRTensor]]:
    """Make the two functions that apply `fn` to the values of a COOTensor and of a CSRTensor."""

    def of_coo(x: COOTensor) -> COOTensor:
        if not isinstance(x, COOTensor):
            raise TypeError(f"For 'coo_{fn.__name__}', x must be a COOTensor, got {type(x).__name__}.")
        return x.map_values(fn)  # type: ignore[no-any-return]

    def of_csr(x: CSRTensor) -> CSRTensor:
        if not isinstance(x, CSRTensor):
            raise TypeError(f"For 'csr_{fn.__name__}', x must be a CSRTensor, got {type(x).__name__}.")
        return x.map_values(fn)  # type: ignore[no-any-return]

    for face, kind in ((of_coo, "coo"), (of_csr, "csr")):
        face.__name__ = face.__qualname__ = f"{kind}_{fn.__name__}"
        face.__doc__ = (
            f"Apply `{fn.__name__}` to the values of a {kind.upper()}Tensor; the places stay.\n\n"
            f"    Args:\n        x: any shape and a dtype that `{fn.__name__}` takes.\n\n"
            f"    Returns:\n        A {kind.upper()}Tensor of the same shape; the dtype is that of `{fn.__name__}`.\n\n"
            f"    Raises:\n        TypeError: `x` is no {kind.upper()}Tensor.\n\n"
            f"    Follows: mindspore.ops.{face.__name__} (2.10).\n    "
        )
    return of_coo, of_csr


coo_abs, csr_abs = _pair(elementwise.abs)
coo_acos, csr_acos = _pair(trigonometry.acos)
coo_acosh, csr_acosh = _pair(trigonometry.acosh)
coo_asin, csr_asin = _pair(trigonometry.asin)
coo_asinh, csr_asinh = _pair(trigonometry.asinh)
coo_atan, csr_atan = _pair(trigonometry.atan)
coo_atanh, csr_atanh = _pair(trigonometry.atanh)
coo_ceil, csr_ceil = _pair(elementwise.ceil)
coo_cos, csr_cos = _pair(trigonometry.cos)
coo_cosh, csr_cosh = _pair(trigonometry.cosh)
coo_exp, csr_exp = _pair(elementwise.exp)
coo_expm1, csr_expm1 = _pair(elementwise.expm1)
coo_floor, csr_floor = _pair(elementwise.floor)
coo_inv, csr_inv = _pair(elementwise.inv)
coo_isfinite, csr_isfinite = _pair(elementwise.isfinite)
coo_isinf, csr_isinf = _pair(elementwise.isinf)
coo_isnan, csr_isnan = _pair(elementwise.isnan)
coo_log, csr_log = _pair(elementwise.log)
coo_log1p, csr_log1p = _pair(elementwise.log1p)
coo_neg, csr_neg = _pair(elementwise.neg)
coo_relu, csr_relu = _pair(activation.relu)
coo_relu6, csr_relu6 = _pair(activation.relu6)
coo_round, csr_round = _pair(elementwise.round)
coo_sigmoid, csr_sigmoid = _pair(activation.sigmoid)
coo_sin, csr_sin = _pair(trigonometry.sin)
coo_sinh, csr_sinh = _pair(trigonometry.sinh)
coo_softsign, csr_softsign = _pair(activation.softsign)
coo_sqrt, csr_sqrt = _pair(elementwise.sqrt)
coo_square, csr_square = _pair(elementwise.square)
coo_tan, csr_tan = _pair(trigonometry.tan)
coo_tanh, csr_tanh = _pair(activation.tanh)
