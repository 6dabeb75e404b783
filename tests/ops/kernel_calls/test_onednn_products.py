"""Products of large matrices by oneDNN: the same numbers and gradients, and torch's own where somebody looks on."""

import pytest
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from msbridge.core import torch_private
from msbridge.core.jit import compiler
from msbridge.ops.kernel_calls import onednn_products

pytestmark = pytest.mark.skipif(onednn_products._multiply is None, reason="needs a torch with oneDNN")

ROWS, LENGTH, COLUMNS = 160, 192, 144  # 4.4 million multiplications


@pytest.fixture
def calls(monkeypatch) -> list[tuple]:
    """The shapes that oneDNN was asked for."""
    found, multiply = [], onednn_products._multiply

    def counted(data: torch.Tensor, weight: torch.Tensor, *rest: object) -> torch.Tensor:
        found.append((*data.shape, weight.shape[0]))
        return multiply(data, weight, *rest)

    monkeypatch.setattr(onednn_products, "_multiply", counted)
    return found


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-4)


LAYOUTS = {
    "rows": (lambda: drawn(ROWS, LENGTH), lambda: drawn(COLUMNS, LENGTH)),
    "turned": (lambda: drawn(LENGTH, ROWS).t(), lambda: drawn(LENGTH, COLUMNS).t()),
    "batches": (lambda: drawn(4, ROWS // 4, LENGTH), lambda: drawn(COLUMNS, LENGTH)),
    "batches, turned": (lambda: drawn(ROWS // 4, 4, LENGTH).transpose(0, 1), lambda: drawn(COLUMNS, LENGTH)),
    "with gaps": (lambda: drawn(ROWS, 2 * LENGTH)[:, ::2], lambda: drawn(2 * COLUMNS, LENGTH)[::2]),
    "repeated": (lambda: drawn(1, LENGTH).expand(ROWS, LENGTH), lambda: drawn(1, 1).expand(COLUMNS, LENGTH)),
}


@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_numbers_and_gradients_are_those_of_float64(layout, has_bias, calls) -> None:
    data, weight = (make() for make in LAYOUTS[layout])
    given = [data, weight, drawn(COLUMNS)] if has_bias else [data, weight]
    exact = [one.double().requires_grad_() for one in given]
    given = [one.detach().requires_grad_() for one in given]
    found, wanted = onednn_products.linear(*given), F.linear(*exact)
    assert found.shape == wanted.shape
    close(found, wanted)
    sens = drawn(*found.shape)
    grads = torch.autograd.grad(found, given, sens, retain_graph=True)
    for one, other in zip(grads, torch.autograd.grad(wanted, exact, sens.double()), strict=True):
        close(one, other)
    torchs = layout == "turned" and not has_bias  # the left matrix would be copied
    assert len(calls) == 3 - torchs  # forward, and the gradients of both matrices
    torch.autograd.grad(found.sum(), given)  # one number, expanded


def test_gradients_of_gradients() -> None:
    given = [drawn(ROWS, LENGTH), drawn(COLUMNS, LENGTH)]
    results = []
    for dtype, multiply in ((torch.float32, onednn_products.linear), (torch.float64, F.linear)):
        data, weight = (one.to(dtype).requires_grad_() for one in given)
        (first,) = torch.autograd.grad(multiply(data, weight).square().mean(), data, create_graph=True)
        results.append(torch.autograd.grad(first.square().sum(), [data, weight]))
    for found, wanted in zip(*results, strict=True):
        torch.testing.assert_close(found.double(), wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("left", "right"),
    [((ROWS, LENGTH), (LENGTH, COLUMNS)), ((4, ROWS // 4, LENGTH), (LENGTH, COLUMNS))],
)
def test_matmul(left, right, calls) -> None:
    one, other = drawn(*left), drawn(*right)
    close(onednn_products.matmul(one, other), one.double() @ other.double())
    assert len(calls) == 1


@pytest.mark.parametrize("columns", [2, 7, 11])
def test_few_columns(columns, calls) -> None:
    given = [drawn(400, 400).requires_grad_(), drawn(400, columns).requires_grad_()]
    exact = [one.detach().double().requires_grad_() for one in given]
    found, wanted = onednn_products.matmul(*given), exact[0] @ exact[1]
    close(found, wanted)
    sens = drawn(400, columns)
    grads = torch.autograd.grad(found, given, sens)
    for one, other in zip(grads, torch.autograd.grad(wanted, exact, sens.double()), strict=True):
        close(one, other)
    assert calls == [(400, 400, columns)]


def test_the_larger_matrix_by_columns_is_the_second(calls) -> None:
    one, other = drawn(200, 900).t(), drawn(200, 30)
    found = onednn_products.matmul(one, other)
    close(found, one.double() @ other.double())
    assert found.is_contiguous()
    assert calls == [(30, 200, 900)]


class Looking(TorchDispatchMode):
    """Lets operators pass."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **kwargs or {})


@pytest.mark.parametrize(
    "call",
    [
        lambda data, weight: F.linear(data[:4], weight),  # few rows
        lambda data, weight: onednn_products.linear(data[:40], weight[:40]),  # small
        lambda data, weight: onednn_products.matmul(data, weight[:8].t()),  # few columns, but one after the other
        lambda data, weight: onednn_products.matmul(data[:100], weight[:12].t().contiguous()),
        lambda data, weight: onednn_products.matmul(weight, weight[0]),
        lambda data, weight: onednn_products.linear(data.double(), weight.double()),
        lambda data, weight: onednn_products.matmul(data, weight.t()[None].expand(2, -1, -1)),
        lambda data, weight: torch.vmap(lambda row: onednn_products.linear(row[None].expand(160, -1), weight))(data),
        lambda data, weight: torch.func.jvp(onednn_products.linear, (data, weight), (data, weight))[1],
        lambda data, weight: torch.compile(onednn_products.linear, backend="eager", fullgraph=True)(data, weight),
    ],
)
def test_what_is_left_to_torch(call, calls) -> None:
    call(drawn(ROWS, LENGTH), drawn(COLUMNS, LENGTH))
    assert not calls


def test_who_looks_on_sees_torch(calls, monkeypatch: pytest.MonkeyPatch) -> None:
    data, weight = drawn(ROWS, LENGTH), drawn(COLUMNS, LENGTH)
    with Looking():
        assert torch.equal(onednn_products.linear(data, weight), F.linear(data, weight))
    monkeypatch.setattr(torch.backends.mkldnn, "enabled", False)
    assert torch.equal(onednn_products.linear(data, weight), F.linear(data, weight))
    assert not calls


def test_lengths_that_do_not_fit_are_torchs_error() -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        onednn_products.linear(drawn(2048, 64), drawn(64, 65))
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        onednn_products.matmul(drawn(2048, 64), drawn(65, 64))


def replaced(function, *inputs: torch.Tensor) -> torch.fx.GraphModule:
    """The graph of a function for some inputs, as it is compiled."""
    module = torch_private.make_fx(function, tracing_mode="fake")(*inputs)
    onednn_products._replace_products(module.graph)
    module.recompile()
    return module


def targets(module: torch.fx.GraphModule) -> list[str]:
    return [node.target._schema.name for node in module.graph.nodes if node.op == "call_function"]


def test_compiled_graphs_have_an_operator_for_large_products(calls) -> None:
    data, weight, bias = drawn(ROWS, LENGTH), drawn(COLUMNS, LENGTH), drawn(COLUMNS)
    module = replaced(F.linear, data, weight, bias)
    assert targets(module) == ["aten::t", "msbridge::mm"]
    close(module(data, weight, bias), F.linear(data.double(), weight.double(), bias.double()))
    module = replaced(lambda left, right: left.t() @ right, drawn(LENGTH, ROWS), drawn(LENGTH, COLUMNS))
    assert targets(module) == ["aten::t", "msbridge::mm"]
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (torch.mm, (drawn(8, 8), drawn(8, 8))),  # small
        (torch.mm, (drawn(4, 4096), drawn(4096, 512))),  # few rows
        (torch.mm, (drawn(ROWS, LENGTH).double(), drawn(LENGTH, COLUMNS).double())),
        (lambda *all: torch.addmm(*all, alpha=2), (drawn(COLUMNS), drawn(ROWS, LENGTH), drawn(LENGTH, COLUMNS))),
        (torch.addmm, (drawn(ROWS, COLUMNS), drawn(ROWS, LENGTH), drawn(LENGTH, COLUMNS))),
    ],
)
def test_compiled_graphs_keep_other_products(function, inputs) -> None:
    assert targets(replaced(function, *inputs)) in (["aten::mm"], ["aten::addmm"])


@pytest.mark.skipif(not onednn_products.is_faster(), reason="torch's own products are as fast here")
def test_compiled_code_is_cached_by_the_source_of_what_rewrites_it() -> None:
    function = compiler._settings_on_cpus()["post_grad_custom_pre_pass"]
    assert "_replace_products" in function.uuid()[0]


def test_the_operator_of_graphs_is_one_of_torch() -> None:
    inputs = drawn(ROWS, LENGTH), drawn(LENGTH, COLUMNS), drawn(COLUMNS)
    torch.library.opcheck(torch.ops.msbridge.mm.default, inputs, test_utils=("test_schema", "test_faketensor"))
