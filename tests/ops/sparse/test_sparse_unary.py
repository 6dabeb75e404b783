"""Functions of each value of a sparse tensor: recorded from MindSpore 2.10 in tests/oracle/cases/sparse.py."""

import inspect

import pytest

from msbridge import Tensor, ops
from msbridge.ops import contents
from msbridge.ops.sparse.sparse_unary import functions


def test_each_has_its_own_name_and_docstring() -> None:
    found = contents.list_published_names(functions)
    assert len(found) == 62
    for name, function in found.items():
        assert function.__name__ == name
        assert f"mindspore.ops.{name} (2.10)" in str(inspect.getdoc(function))


def test_another_kind_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"coo_relu.*COOTensor"):
        ops.coo_relu(Tensor([[1.0, 0.0]]).to_csr())
