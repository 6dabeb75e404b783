"""Judge: what MindSpore 2.10 returned for the same calls on a CPU."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from msbridge import Tensor, jit, nn, ops
from msbridge.contrib.graph_plugins import clear_op_infer, clear_op_wrapper, register_op_infer, register_op_wrapper
from msbridge.core.context import context

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    calls = ops.Add.__call__, ops.Sub.__call__
    yield
    clear_op_wrapper()
    clear_op_infer()
    context.set_context(mode=context.PYNATIVE_MODE)
    assert (ops.Add.__call__, ops.Sub.__call__) == calls


def tenfold(x: Tensor, y: Tensor) -> Callable[..., Tensor]:
    return lambda x, y: x * 10


def add(x: Tensor, y: Tensor) -> Tensor:
    return ops.Add()(x, y)


class Net(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return ops.Add()(x, y)


def test_a_wrapper_counts_for_primitives_in_jit() -> None:
    register_op_wrapper("Add")(tenfold)
    found = [jit(add)(X, Y), add(X, Y), jit(lambda x, y: x + y)(X, Y), jit(lambda x, y: ops.add(x, y))(X, Y)]
    assert [one.asnumpy().tolist() for one in found] == [[10.0, 20.0], [4.0, 6.0], [4.0, 6.0], [4.0, 6.0]]


def test_a_wrapper_counts_for_cells_in_graph_mode() -> None:
    register_op_wrapper("Add")(tenfold)
    eager = Net()(X, Y).asnumpy().tolist()
    context.set_context(mode=context.GRAPH_MODE)
    assert (eager, Net()(X, Y).asnumpy().tolist()) == ([4.0, 6.0], [10.0, 20.0])


def test_within_its_wrapper_a_primitive_is_itself() -> None:
    register_op_wrapper("Sub")(lambda x, y: lambda x, y: ops.Sub()(x, y) * 100)
    assert jit(lambda x, y: ops.Sub()(x, y))(X, Y).asnumpy().tolist() == [-200.0, -200.0]


def test_a_wrapper_is_forgotten() -> None:
    register_op_wrapper("Add")(tenfold)
    clear_op_wrapper()
    assert jit(add)(X, Y).asnumpy().tolist() == [4.0, 6.0]


def test_what_is_inferred_reaches_the_next_primitive() -> None:
    seen: list[Any] = []
    register_op_infer("Add", "layout")(lambda x, y: x.shape + y.shape)
    register_op_infer("Mul", "layout")(lambda x, y: seen.append(x.layout))
    assert jit(lambda x, y: ops.Mul()(ops.Add()(x, y), x))(X, Y).asnumpy().tolist() == [4.0, 12.0]
    assert seen == [(2, 2)]
    assert not hasattr(add(X, Y), "layout")


def test_a_name_that_no_primitive_has_is_taken() -> None:
    assert register_op_wrapper("NoSuchOperator")(tenfold) is tenfold


def test_there_is_one_function_for_each() -> None:
    register_op_wrapper("Add")(tenfold)
    with pytest.raises(RuntimeError, match="'Add' already"):
        register_op_wrapper("Add")(tenfold)
    register_op_infer("Add", "layout")(tenfold)
    register_op_infer("Add", "other")(tenfold)
    with pytest.raises(RuntimeError, match="'layout' of 'Add' already"):
        register_op_infer("Add", "layout")(tenfold)


@pytest.mark.parametrize("name", [3, "", "  ", None])
def test_names_are_text(name: Any) -> None:
    for register in (lambda: register_op_wrapper(name), lambda: register_op_infer(name, "a")):
        with pytest.raises(ValueError, match="'op_name' must be a non-empty string"):
            register()
    with pytest.raises(ValueError, match="'infer_name' must be a non-empty string"):
        register_op_infer("Add", name)
