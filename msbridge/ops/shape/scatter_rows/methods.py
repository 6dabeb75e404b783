"""Methods of Tensor."""

from msbridge.ops.shape.scatter_rows import functions

SAME = {
    "scatter_div": functions.tensor_scatter_div,
    "scatter_max": functions.tensor_scatter_max,
    "scatter_min": functions.tensor_scatter_min,
    "scatter_mul": functions.tensor_scatter_mul,
    "scatter_sub": functions.tensor_scatter_sub,
}
