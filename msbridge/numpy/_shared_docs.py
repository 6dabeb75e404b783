"""Shared docstring sections of functions, for `core/runtime/shared_sections.py`; the table of contents expands them."""

from msbridge.core.runtime.shared_sections import Families

_DTYPE = "of the result; None for the one below."
FAMILIES: Families = {
    "function": {"dtype": _DTYPE},
    "reduction": {
        "axis": "one axis or several, in [-ndim, ndim); None for all.",
        "keepdims": "keep the reduced axes, with length 1.",
        "dtype": _DTYPE,
        "ddof": "what is subtracted from the number of elements, before it divides.",
    },
    "diagonal": {
        "k": "which diagonal; 0 is the main one, positive ones are above it.",
        "offset": "which diagonal; 0 is the main one, positive ones are above it.",
        "axis1": "the axis of the rows.",
        "axis2": "the axis of the columns.",
    },
    "split": {
        "indices_or_sections": "how many parts, an int; or the growing indices at which parts begin.",
        "Returns": "A tuple of Tensors of the dtype of `x`; a list of them where indices are given.",
    },
    "filled tensor": {"shape": "an int, or a tuple, list or Tensor of ints.", "dtype": "of the result."},
}
