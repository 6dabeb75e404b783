"""Jacobians of what does not depend on its inputs, and dtypes and kinds of results of mindspore.numpy and metrics."""

import mindspore as ms
from mindspore import Parameter, Tensor, train

from tests.oracle.case import Case, each


def linear(x: Tensor) -> Tensor:
    return (x * 2).sum()


def square(x: Tensor) -> Tensor:
    return (x**2).sum()


def product(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sum()


def constant(x: Tensor) -> Tensor:
    return Tensor([1.0, 2.0])


def partly(x: Tensor) -> tuple:
    return x * 2, Tensor([3.0])


def parameter() -> Parameter:
    return Parameter(Tensor([1.0, 2.0]), name="p")


def kind(value: object) -> tuple:
    """The class of a result, and the result."""
    return type(value).__name__, value


def bleu(words: str, **options: object) -> tuple:
    metric = train.BleuScore(**options)
    metric.clear()
    metric.update([list(words)], [[list("abdefg")]])
    return kind(metric.eval())


def copied() -> list:
    """Whether a copy by mindspore.numpy has memory of its own."""
    p = parameter()
    taken = [ms.numpy.array(p), ms.numpy.copy(p)]
    p[0] = 9.0
    return taken


X = Tensor([1.0, 2.0])
CASES = [
    *each(
        """
        ms.jacrev(ms.grad(linear))(X)
        ms.jacrev(ms.grad(square))(X)
        ms.jacrev(constant)(X)
        ms.jacfwd(constant)(X)
        ms.jacrev(partly)(X)
        ms.jacfwd(ms.grad(linear))(X)
        ms.jacrev(ms.grad(product))(X, X + 1)
        ms.jacrev(ms.grad(product), 1)(X, X + 1)
        ms.jacrev(ms.grad(product), (0, 1))(X, X + 1)
        ms.jacrev(ms.grad(product, (0, 1)))(X, X + 1)
        ms.jacrev(ms.grad(linear))(X.reshape(1, 2))
        ms.jacrev(ms.grad(linear))(X.reshape(2, 1))
        """
    ),
    *(
        Case(f"mnp.select({arguments})")
        for arguments in (
            "[Tensor([True, False])], [Tensor([1, 2])]",
            "[Tensor([True, False])], [Tensor([1, 2], ms.int32)], default=0",
            "[Tensor([True, False])], [Tensor([1.0, 2.0])], default=3",
            "[[True, False], [False, True]], [[1, 2], [3, 4]], default=9",
            "[Tensor([True, False])], [Tensor([1, 2], ms.float16)], default=1.5",
            "[Tensor([True, False])], [Tensor([1, 2], ms.int32)], default=1.5",
            "Tensor([[True, False]]), Tensor([[1, 2]]), default=3",
            "Tensor([[True, False]]), Tensor([[1.0, 2.0]], ms.float64), default=3",
        )
    ),
    *each(
        """
        kind(mnp.array(parameter()))
        kind(mnp.copy(parameter()))
        kind(mnp.asarray(parameter()))
        kind(mnp.asfarray(parameter()))
        kind(mnp.array(parameter(), dtype=ms.int32))
        kind(mnp.array(parameter(), ndmin=2))
        copied()
        bleu("abc")
        bleu("abc", n_gram=2)
        bleu("abc", smooth=True)
        bleu("abdefg")
        bleu("abdef", smooth=True)
        """
    ),
]
