"""Functions by name."""

import pytest

from msbridge import Tensor
from msbridge.core.types import dtype
from msbridge.scipy.utils_const import StringDict, is_within_graph, mstype_to_pytype


def test_objects_are_kept_by_name() -> None:
    known = StringDict()
    known.register("a", 1)
    assert (known.get("a"), known.get("b")) == (1, None)
    for call in (lambda: known.get(1), lambda: known.register(1, 1)):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            call()


def test_types_have_python_classes() -> None:
    assert mstype_to_pytype(dtype.TensorType) is Tensor
    assert mstype_to_pytype(dtype.float32) is None
    assert is_within_graph(1)
