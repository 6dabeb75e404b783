"""Random operators: shapes and dtypes of what they draw, what they refuse, and generators as objects."""

from mindspore import Generator, Tensor

from tests.oracle.case import Case, each, rand


def about(*drawn: Tensor) -> list[tuple]:
    """Tell of random numbers what is certain."""
    return [(tensor.shape, tensor.dtype) for tensor in drawn]


def seeded(seed: int) -> Generator:
    return Generator().manual_seed(seed)


def restored(seed: int) -> tuple:
    """Set a generator to another one's state."""
    generator = Generator()
    return generator.set_state(seeded(seed).get_state()), generator.initial_seed()


X = Tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])

CASES = [
    *each(
        """
        about(ops.rand(2, 3), ops.rand((2, 3)), ops.rand([2]), ops.rand(0), ops.rand(), ops.rand(2, seed=0))
        about(ops.rand(2, dtype=ms.float16), ops.rand(2, dtype=ms.float64), ops.rand(2, dtype=ms.bfloat16))
        about(ops.randn(2, 3), ops.randn((2, 3)), ops.randn(0), ops.randn(), ops.randn(2, dtype=ms.float64))
        about(*[X.astype(t).cauchy() for t in (ms.float16, ms.float64, ms.int64, ms.bool_)])
        about(X.log_normal(), X.astype(ms.float16).log_normal(), X.astype(ms.float64).log_normal(0.5, 2.0))
        about(ops.rand_like(X), ops.rand_like(X, dtype=ms.float16), ops.rand_like(X.astype(ms.float64)))
        about(ops.randn_like(X), ops.randn_like(X.astype(ms.float64)), ops.randn_like(X.astype(ms.int8)))
        about(ops.randint(0, 5, (2, 3)), ops.randint(0, 5, ()), ops.randint(0, 5, (0,)))
        about(ops.randint(0, 5, (2,), dtype=ms.int8), ops.randint(0, 5, (2,), dtype=ms.int32))
        about(ops.randint_like(X, 0, 5, dtype=ms.int32), ops.randint_like(X.astype(ms.int16), 0, 5))
        about(ops.randperm(5), ops.randperm(5, dtype=ms.int32), ops.randperm(5, seed=-1))
        about(ops.normal((2, 3), 0, 1), ops.normal((), Tensor([0.0, 1.0]), Tensor(1.0)), ops.normal((2,), 0.0, -1.0))
        about(ops.normal((2,), Tensor(0.0, ms.float64), Tensor(1.0, ms.float64)))
        about(ops.multinomial(Tensor([0.0, 9.0]), 0), ops.multinomial(Tensor([[0.0, 9.0]]), 2))
        ops.bernoulli(X, 1.0), ops.bernoulli(X, 0.0, 3), ops.bernoulli(X.astype(ms.int32), 1.0, -1)
        seeded(5).initial_seed(), seeded(True).initial_seed(), seeded(-1).initial_seed(), seeded(2**63).initial_seed()
        restored(3), restored(-3)
        ms.manual_seed(-7).initial_seed(), ms.initial_seed()
        """
    ),
    *each(
        """
        ops.rand(2, dtype=ms.int32)
        ops.rand(2, dtype="float32")
        ops.rand(2, seed=-1)
        ops.randn(2, dtype=ms.int32)
        ops.randn(2, seed=-2)
        ops.rand_like(X, dtype=ms.int32)
        ops.rand_like(X.astype(ms.int32))
        ops.rand_like(X, seed=-1)
        ops.randn_like(X, dtype=ms.bool_)
        ops.randint(0, 5, (2,), dtype=ms.float32)
        ops.randint(0, 5, (2,), dtype=ms.uint8)
        ops.randint(0, 5, 2)
        ops.randint(0, 5, [2])
        ops.randint(0, 5, (2,), seed=-1)
        ops.randint_like(X, 0, 5)
        ops.randint_like(X, 0, 5, dtype=ms.float16)
        ops.normal((2, 0), 0.0, 1.0)
        ops.normal((2,), 0.0, 1.0, seed=-1)
        ops.standard_normal((2,), seed=-1)
        ops.standard_laplace((2,), seed=-1)
        ops.gamma((2,), Tensor(1.0), Tensor(2.0), seed=-1)
        ops.random_poisson(Tensor([2]), Tensor([1.0]), seed=-1)
        ops.multinomial(Tensor([1.0]), 1, True, -1)
        ops.bernoulli(X, 0.5, -2)
        ops.bernoulli(X, 2.0)
        ops.uniform_candidate_sampler(Tensor([[1], [3], [4]]), 1, 5, True, 4)
        """,
        raises=ValueError,
    ),
    *each(
        """
        ops.rand(2.0)
        ops.rand(Tensor([2, 3]))
        ops.rand(2, seed=1.0)
        ops.rand_like([1.0])
        ops.randn_like(5)
        ops.randint_like([1], 0, 5)
        ops.randint(0.0, 5, (2,))
        ops.randint(0, 5.0, (2,))
        ops.randint(0, True, (2,))
        ops.randint(Tensor(0), Tensor(5), (2,))
        ops.randint_like(X.astype(ms.int32), 0, 5.0)
        ops.normal([2], 0.0, 1.0)
        ops.normal(2, 0.0, 1.0)
        ops.normal((2.0,), 0.0, 1.0)
        ops.laplace([2], Tensor(0.0), Tensor(1.0))
        Generator().manual_seed(5.0)
        Generator().manual_seed(None)
        """,
        raises=TypeError,
    ),
    *each(
        """
        Generator().set_state(5)
        Generator().set_state(Tensor([1, 2]))
        Generator().set_state(Tensor([0, 0, 0], ms.uint8))
        """,
        raises=RuntimeError,
    ),
    Case("ops.dropout(x, 0.0), ops.dropout(x, 0.5, False)", x=rand(2, 3)),
]
