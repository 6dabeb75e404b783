"""Branches and loops for torch's exporters. Judge: the same in Python."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from msbridge import Tensor, ops
from msbridge.core.tensor.tensor import wrap
from msbridge.mindir.control import Known, branch, loop


def exported(run: Callable[..., Any], *inputs: torch.Tensor) -> Callable[..., Any]:
    class Module(torch.nn.Module):
        def forward(self, *given: torch.Tensor) -> Any:
            found = run(*map(wrap, given))
            return torch.utils._pytree.tree_map(lambda one: one._data if isinstance(one, Tensor) else one, found)

    with torch.no_grad():
        return torch.export.export(Module(), inputs, strict=False).module()


def test_numbers_of_both_sides_become_tensors() -> None:
    def run(x: Tensor) -> Any:
        return branch(x.sum() > 0, lambda x: (x + 1, 2, 7), lambda x: (x, 3.5, 7), x)

    found = exported(run, torch.ones(2))
    assert [one.tolist() for one in found(torch.ones(2))[:2]] == [[2, 2], 2]
    assert [one.tolist() for one in found(-torch.ones(2))[:2]] == [[-1, -1], 3.5]
    assert found(torch.ones(2))[2] == 7


def test_sides_may_write() -> None:
    def run(x: Tensor) -> Any:
        y = x + 0
        z = branch(x.sum() > 0, lambda y: ops.assign_add(y, ops.ones_like(y)) * 10, lambda y: y, y)
        return y, z

    found = exported(run, torch.ones(2))
    assert [one.tolist() for one in found(torch.ones(2))] == [[2, 2], [20, 20]]
    assert [one.tolist() for one in found(-torch.ones(2))] == [[-1, -1], [-1, -1]]


def test_loops_carry_what_changes() -> None:
    def run(n: Tensor, x: Tensor) -> Any:
        step = lambda values, outer: (values[0] + 1, (values[1][1], values[1][0] + outer[1]))  # noqa: E731
        return loop(lambda values, outer: values[0] < outer[0], step, (0, (x, x * 2)), (n, x), Known())[1]

    found = exported(run, torch.tensor(3), torch.ones(2))
    a, b = torch.ones(2), torch.ones(2) * 2
    for _ in range(5):
        a, b = b, a + 1
    assert [one.tolist() for one in found(torch.tensor(5), torch.ones(2))] == [a.tolist(), b.tolist()]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (lambda x: ops.concat((x, x)), r"shape \(2,\) before a step and \(4,\) after"),
        (lambda x: x.astype("int32"), "Float32 before a step and Int32 after"),
        (lambda x: (x, x), "not as many"),
        (lambda x: x, "no end"),
    ],
)
def test_loops_that_torch_cannot_follow(step: Callable[[Tensor], Any], says: str) -> None:
    with pytest.raises(RuntimeError, match=says):
        exported(lambda x: loop(lambda v, _: v.sum() < 9, lambda v, _: step(v), x, (), Known()), torch.ones(2))


def test_sides_of_other_kinds() -> None:
    with pytest.raises(RuntimeError, match=r"Float32 of 1 axes on one side and Float32 of 0"):
        exported(lambda x: branch(x.sum() > 0, lambda x: x, lambda x: x.sum(), x), torch.ones(2))
    with pytest.raises(RuntimeError, match="different lengths"):
        exported(lambda x: branch(x.sum() > 0, lambda x: (x,), lambda x: (x, x), x), torch.ones(2))
    with pytest.raises(RuntimeError, match="str or NoneType, which no tensor can be"):
        exported(lambda x: branch(x.sum() > 0, lambda x: "a", lambda x: None, x), torch.ones(2))
