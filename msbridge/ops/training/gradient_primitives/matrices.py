"""Gradients of decompositions and products of matrices.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.kernel_calls.vector_jacobian import backward, vjp
from msbridge.ops.primitive.primitive import derive


def _cholesky(x: Tensor, grad: Tensor) -> Tensor:
    """Return the gradient of `Cholesky`, from its result."""

    def run(factor: torch.Tensor, seed: torch.Tensor) -> torch.Tensor:
        return vjp(torch.linalg.cholesky, seed, (factor @ factor.mT,))[0]

    return call_kernel(run, "CholeskyGrad", x, grad)  # type: ignore[no-any-return]


def _lu_unpack(
    L_grad: Tensor, U_grad: Tensor, LU_data: Tensor, L_grad_flag: bool, U_grad_flag: bool
) -> tuple[Tensor, ...]:
    """Return the gradients of the packed matrix of `LuUnpack`: of what is below its diagonal, and of the rest.

    Both are computed regardless of the flags, as MindSpore does.
    """

    def pad_part(part: torch.Tensor, packed: torch.Tensor) -> torch.Tensor:
        rows, columns = (whole - own for whole, own in zip(packed.shape[-2:], part.shape[-2:], strict=True))
        return torch.nn.functional.pad(part, (0, columns, 0, rows))

    def run(lower: torch.Tensor, upper: torch.Tensor, packed: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return pad_part(lower.tril(-1), packed), pad_part(upper.triu(), packed)

    return call_kernel(run, "LuUnpackGrad", L_grad, U_grad, LU_data)  # type: ignore[no-any-return]


def _einsum(x: Sequence[Tensor], dout: Tensor, equation: str) -> tuple[Tensor, ...]:
    """Return the gradients of all operands of `Einsum`."""
    return backward("EinsumGrad", lambda *datas: torch.einsum(equation, *datas), dout, *x)


DERIVED = (
    derive("CholeskyGrad", _cholesky),
    derive("EinsumGrad", _einsum, "equation"),
    derive("LuUnpackGrad", _lu_unpack, "L_grad_flag U_grad_flag"),
)
