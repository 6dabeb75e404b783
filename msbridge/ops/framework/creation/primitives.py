"""Primitives that make tensors."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float32, int32
from msbridge.ops.faces import face
from msbridge.ops.framework.creation import functions, kernels
from msbridge.ops.framework.grids import functions as grids
from msbridge.ops.framework.windows import functions as windows
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.diagonals import functions as diagonals


def _fill_value(shape: Sequence[int], value: Tensor) -> Tensor:
    """Make a tensor of one value.

    Args:
        shape: that of the result.
        value: 0-d.

    Returns:
        A Tensor of shape `shape` and the dtype of `value`.
    """
    return functions.full(shape, value, dtype=value.dtype)


def _logspace(start: Tensor, end: Tensor, steps: int = 10, base: int = 10, dtype: Type = float32) -> Tensor:
    """Return `steps` powers of `base`.

    Args:
        start: the first exponent, 0-d; floats.
        end: the last, likewise.
        steps: how many.
        base: the base.
        dtype: that of the result.

    Returns:
        A Tensor of shape (steps,) and dtype `dtype`.
    """
    return functions.logspace(start, end, steps, base, dtype=dtype)


def _meshgrid(inputs: Sequence[Tensor], indexing: str = "xy") -> tuple[Tensor, ...]:
    """Spread vectors over a grid.

    Args:
        inputs: a tuple or list of vectors.
        indexing: "xy": the first two axes are exchanged; "ij": axes in the order of the vectors.

    Returns:
        A tuple of Tensors of as many axes as there are vectors, of their dtypes.
    """
    return grids.meshgrid(*inputs, indexing=indexing)


_tril_indices = face("tril_indices", grids.tril_indices, "row col offset dtype", dtype=int32)
_triu_indices = face("triu_indices", grids.triu_indices, "row col offset dtype", dtype=int32)


DERIVED = (
    derive("BartlettWindow", windows.bartlett_window, "periodic dtype", dtype=float32),
    derive("BlackmanWindow", windows.blackman_window, "periodic dtype", dtype=float32),
    derive("Diag", diagonals.diag),
    derive("DiagPart", kernels.diag_part),
    derive("Eye", functions.eye),
    derive("Fill", functions.fill),
    derive("FillV2", _fill_value),
    derive("FillDiagonal", kernels.fill_diagonal, "fill_value wrap"),
    derive("Fills", functions.fills),
    derive("HammingWindow", windows.hamming_window, "periodic alpha beta dtype", dtype=float32),
    derive("LinSpace", functions.linspace),
    derive("LogSpace", _logspace, "steps base dtype"),
    derive("Meshgrid", _meshgrid, "indexing"),
    derive("Ones", functions.ones),
    derive("OnesLike", functions.ones_like),
    derive("Range", functions.range, "maxlen"),
    derive("ScalarToArray", functions.scalar_to_array),
    derive("ScalarToTensor", functions.scalar_to_tensor),
    derive("Tril", diagonals.tril, "diagonal"),
    derive("TrilIndices", _tril_indices, "row col offset dtype"),
    derive("Triu", diagonals.triu, "diagonal"),
    derive("TriuIndices", _triu_indices, "row col offset dtype"),
    derive("TupleToArray", functions.tuple_to_array),
    derive("Zeros", functions.zeros),
    derive("ZerosLike", functions.zeros_like),
    derive("Eps", functions.eps),
)
