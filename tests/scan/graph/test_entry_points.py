"""Which functions are compiled."""

import pytest

from tests.scan.scanned import rules

HEAD = "import functools\nimport mindspore as ms\nfrom mindspore import nn, ops\n"


@pytest.mark.parametrize(
    "text",
    [
        "@ms.jit\ndef f(x):\n    del x\n",
        "@ms.jit(jit_level='O1')\ndef f(x):\n    del x\n",
        "from mindspore import ms_function as fast\n@fast\ndef f(x):\n    del x\n",
        "def f(x):\n    del x\ng = ms.jit(f)\n",
        "def outer():\n    @ms.jit\n    def step(x):\n        del x\n    return step\n",
        "class A:\n    @ms.jit\n    def step(self, x):\n        del x\n",
        "add = ops.MultitypeFuncGraph('add')\n@add.register('Tensor')\ndef _add(x):\n    del x\n",
        "class Net(nn.Cell):\n    def bprop(self, x, out, dout):\n        del x\n",
        "class Net(nn.Cell):\n    @property\n    def n(self):\n        del x\n"
        "    def construct(self, x):\n        return self.n\n",
        "class Net(nn.Cell):\n    def construct(self, x):\n"
        "        def inner(y):\n            del y\n        return inner(x)\n",
        "class Net(nn.Cell):\n    def construct(self, x):\n        return list(map(lambda y: (z := y), (x,)))\n",
        "class Step:\n    def __call__(self, x):\n        del x\nclass Net(nn.Cell):\n    def __init__(self):\n"
        "        self.step = Step()\n    def construct(self, x):\n        return self.step(x)\n",
        "class A(nn.Cell):\n    def step(self, x):\n        del x\nclass Net(A):\n    def step(self, x):\n"
        "        return super().step(x)\n    def construct(self, x):\n        return self.step(x)\n",
        "def f(x):\n    del x\nclass Net(nn.Cell):\n    def construct(self, x):\n        return ms.grad(f)(x)\n",
    ],
)
def test_compiled_code_is_scanned(text):
    assert {*rules(HEAD + text)} - {"operator-made"} <= {"del", "walrus"} != set()
    assert rules(HEAD + text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    del x\n",
        "class Net(nn.Cell):\n    def __init__(self):\n        del self.x\n    def load(self):\n        del self.x\n",
        "class Net:\n    def construct(self, x):\n        del x\n",
        "@ms.jit(capture_mode='bytecode')\ndef f(x):\n    del x\n",
        "@functools.lru_cache\ndef g(n):\n    del n\n@ms.jit\ndef f(x):\n    return x * g(3)\n",
        "@ops.constexpr\ndef g(n):\n    del n\n@ms.jit\ndef f(x):\n    return x * g(3)\n",
    ],
)
def test_code_that_python_runs_is_not(text):
    assert rules(HEAD + text) == []
