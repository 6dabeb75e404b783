"""The mode that shows operators casts of what they are given: where it begins, what it leaves alone, where it ends."""

import gc
import threading
import weakref

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.core.tensor.tensor import wrap
from msbridge.ops.precision import ComputingIn

HALF = torch.float16
TABLE = Tensor(np.full((3, 3), 1 / 3), ms.float32)


@pytest.fixture
def x() -> Tensor:
    return Tensor(np.linspace(-1, 1, 9).reshape(3, 3), ms.float32)


class Body(nn.Cell):
    def __init__(self, body: object) -> None:
        super().__init__()
        self.body = body

    def construct(self, x: Tensor) -> object:
        return self.body(x)


def test_the_innermost_block_holds(x: Tensor) -> None:
    with ComputingIn(HALF):
        with ComputingIn(torch.bfloat16):
            assert (x * 2).dtype == ms.bfloat16
        assert (x * 2).dtype == ms.float16
    assert (x * 2).dtype == ms.float32


def test_a_failure_ends_it_as_well(x: Tensor) -> None:
    with pytest.raises(AttributeError):
        Body(lambda x: x.nothing).to_float(ms.float16)(x)
    assert (x * 2).dtype == ms.float32
    assert torch._C._len_torch_function_stack() == 0


def test_other_threads_compute_as_before(x: Tensor) -> None:
    found = []
    with ComputingIn(HALF):
        thread = threading.Thread(target=lambda: found.append((x * 2).dtype))
        thread.start()
        thread.join()
    assert found == [ms.float32]


def test_a_function_under_jit_is_a_graph_of_its_own(x: Tensor) -> None:
    @ms.jit
    def graph(x: Tensor) -> Tensor:
        return x * TABLE

    assert Body(graph).to_float(ms.float16)(x).dtype == ms.float32


def test_an_operator_that_computes_in_float32_goes_on_to(x: Tensor) -> None:
    """The sum of 4096 numbers near 1 stays exact in float32 only."""
    ones = Tensor(np.full((1, 4096), 1.001), ms.float32)
    weight = Tensor(np.full((4096, 1), 1.0), ms.float32)
    with ComputingIn(HALF):
        got = ops.matmul(ones, weight)
    assert got.dtype == ms.float16
    expected = float(ones.astype(ms.float16).astype(ms.float32).sum())
    assert abs(float(got[0, 0]) - expected) <= 2


def test_kernels_see_the_type_that_they_compute_in(x: Tensor) -> None:
    with ComputingIn(HALF):
        assert ops.clamp(x, 0.1, 0.2).dtype == ms.float16
        assert x.dtype == ms.float32
        assert x.asnumpy().dtype == np.float32


def test_a_shared_input_is_cast_once_for_an_operator(x: Tensor) -> None:
    casts = []
    x._data.requires_grad_()
    with ComputingIn(HALF):
        result = x * x
    node = result._data.grad_fn
    casts = {function for function, _ in node.next_functions}
    assert len(casts) == 1


def test_nothing_is_kept_after_the_block(x: Tensor) -> None:
    with ComputingIn(HALF):
        made = x * 2
        kept = weakref.ref(made._data)
        del made
    gc.collect()
    assert kept() is None


def test_gradients_have_the_types_of_what_they_are_of(x: Tensor) -> None:
    net = Body(lambda x: ops.matmul(x, TABLE)).to_float(ms.float16)
    assert ms.grad(net)(x).dtype == ms.float32
    assert ms.grad(net)(x.astype(ms.float16)).dtype == ms.float16


def test_it_works_under_vmap_and_jvp(x: Tensor) -> None:
    net = Body(lambda x: x * TABLE[0]).to_float(ms.float16)
    assert ms.vmap(net)(x).dtype == ms.float16
    value, tangent = ms.jvp(net, x, x)
    assert (value.dtype, tangent.dtype) == (ms.float16, ms.float16)


def test_what_a_layer_computes_again_for_the_backward_pass_is_cast_again(x: Tensor) -> None:
    net = Body(lambda x: ops.matmul(x, TABLE).exp()).to_float(ms.float16)
    plain = ms.grad(net)(x)
    net.recompute()
    assert np.array_equal(ms.grad(net)(x).asnumpy(), plain.asnumpy())


def test_a_parameter_keeps_its_type_where_it_is_written(x: Tensor) -> None:
    p = ms.Parameter(Tensor(np.zeros((3, 3)), ms.float32), name="p")
    with ComputingIn(HALF):
        ops.assign(p, x)
        p[0] = 1 / 3
    assert p.dtype == ms.float32
    assert np.array_equal(p.asnumpy()[1:], x.asnumpy()[1:].astype(np.float16).astype(np.float32))
    assert float(p[0, 0]) == np.float32(1 / 3)


def test_a_number_that_the_type_does_not_hold_is_infinite(x: Tensor) -> None:
    with ComputingIn(HALF):
        found = ops.masked_fill(x, x > 0, -1e9)
    assert found.dtype == ms.float16
    assert np.isinf(found.asnumpy()).any()


def test_torchs_own_calls_of_a_script_are_left_alone() -> None:
    with ComputingIn(HALF):
        assert torch.ones(2).mul(2).dtype is torch.float32
        assert wrap(torch.ones(2)).dtype == ms.float32
