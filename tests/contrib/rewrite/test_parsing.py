"""Judge: the network itself, which computes the same before and after, for any statements."""

import contextlib
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from msbridge import Parameter, Tensor, grad, jit, nn, ops
from msbridge.contrib.rewrite import SymbolTree
from msbridge.core.types import dtype

X = Tensor(np.random.RandomState(0).rand(3, 4).astype(np.float32))


def recursive(x: Tensor, n: int) -> Tensor:
    if n == 0:
        return x
    return recursive(x, n - 1) + 1


def times(k: int) -> Callable[[Tensor], Tensor]:
    def inner(x: Tensor) -> Tensor:
        return x * k

    return inner


THRICE = times(3)


class Inner(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        if mask is None:
            return self.fc(x)
        return self.fc(x) * mask


class EveryForm(nn.Cell):
    factor = 2

    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.more = nn.CellList([Inner() for _ in range(2)])
        self.body = nn.SequentialCell([Inner(), nn.ReLU()])
        self.functions = [ops.relu, ops.tanh]
        self.table = {"a": ops.abs}
        self.weight = Parameter(Tensor(np.ones(4, np.float32)), name="w")
        self.__private = 2
        self.nothing = None

    @property
    def twice(self) -> int:
        return self.factor * 2

    @classmethod
    def of_class(cls, x: Tensor) -> Tensor:
        return x * cls.factor

    def method(self, x: Tensor, *args: Any, flag: bool = True, **named: Any) -> Tensor:
        def local(z: Tensor) -> Tensor:
            return z + 1

        y = local(x) if flag else x
        for a in args:
            y = y + a
        return y + sum(named.values())

    @jit
    def compiled(self, x: Tensor) -> Tensor:
        return x * self.factor + self.inner(x)

    def construct(self, x: Tensor, y: Tensor | None = None, *rest: Tensor, key: int = 3) -> Any:
        z = self.inner(x, mask=None if y is None else y)
        if y is not None and y.sum() > 0:
            z = z + y
        elif key > 2:
            z = z - 1
        else:
            z = z * 0
        for i, cell in enumerate(self.more):
            if i == 1:
                continue
            z = cell(z)
        while z.sum() > 1e6:
            z = z / 2
            break
        else:
            z = z + 0.5
        for f in self.functions:
            z = f(z)
        z = self.table["a"](z)
        z = self.body(z)
        z = self.method(z, 1, 2, flag=False, q=3)
        z = self.method(z)
        z = self.compiled(z) + self.of_class(z)
        z = THRICE(recursive(z, 2))
        w = (n := z.shape[0]) + 1
        a, *b = [z, z + 1, z + 2]
        text = f"{n:d}-{w}"
        several = [q * len(text) for q in (a, *b) if q is not None]
        several[0] = several[0] + 1
        several += [z]
        try:
            z = several[0] + several[-1]
        except ValueError as error:
            raise RuntimeError(str(error)) from error
        finally:
            z = z * 1
        with contextlib.nullcontext(3) as three:
            z = z + three
        self.counted = 5
        z = z + self.counted + self.twice + self.__private + self.factor
        z = nn.ReLU()(z) + ops.Abs()(z)
        z = functools.reduce(lambda p, q: p + q, [z, z]) * math.sqrt(4)
        z = self.weight * z if self.nothing is None or self.nothing.sum() else z
        z = ops.concat((z, z), axis=0)[:n].astype(dtype.float32).reshape(-1, 4)
        assert z.shape[1] == 4
        del w
        u = v = z
        u[0, 0] = 1.0
        if key == 3:
            pass
        return {"out": u, "n": n}, (v, *b), None


def arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        for one in value:
            yield from arrays(one)
    elif value is not None:
        yield value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


@pytest.fixture(scope="module")
def networks() -> tuple[nn.Cell, nn.Cell]:
    net = EveryForm()
    return net, SymbolTree.create(net).get_network()


@pytest.mark.parametrize("inputs", [(X,), (X, X), (X, -X), (X, X, X)], ids=["one", "two", "negative", "rest"])
@pytest.mark.parametrize("named", [{}, {"key": 1}], ids=["", "key"])
def test_every_form_computes_the_same(networks: tuple[nn.Cell, nn.Cell], inputs: Any, named: Any) -> None:
    expected, found = (list(arrays(net(*inputs, **named))) for net in networks)
    assert len(found) == len(expected) == 5
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_gradients_are_the_same(networks: tuple[nn.Cell, nn.Cell]) -> None:
    expected, found = (grad(lambda x, net=net: net(x)[0]["out"].sum())(X).asnumpy() for net in networks)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_all_of_it_is_printed(networks: tuple[nn.Cell, nn.Cell], capsys: pytest.CaptureFixture[str]) -> None:
    SymbolTree.create(networks[0]).print_node_tabulate(True)
    assert "NodeType.ControlFlow    while_else_node" in capsys.readouterr().out
