"""`mindspore.numpy`: numpy's names and defaults for the same operators."""

from tests.oracle.case import arange, each, rand

CASES = [
    *each(
        """
        mnp.arange(3)
        mnp.arange(0, 1, 0.5)
        mnp.arange(1, 7, 2)
        mnp.zeros(2)
        mnp.zeros((2, 2), ms.int32)
        mnp.ones(2)
        mnp.ones((1, 2), ms.float16)
        mnp.array([1, 2])
        mnp.array([1.0])
        mnp.array([[True, False]])
        mnp.array([1, 2], ms.float32)
        mnp.full((2,), 3)
        mnp.full((2,), 1.5)
        mnp.eye(2)
        mnp.linspace(0, 1, 3)
        mnp.zeros_like(Tensor([1, 2]))
        mnp.float32
        mnp.int32, mnp.bool_
    """,
    ),
    *each(
        """
        mnp.sum(x)
        mnp.sum(x, axis=1, keepdims=True)
        mnp.mean(x, 0)
        mnp.std(x)
        mnp.var(x, ddof=1)
        mnp.max(x, 1)
        mnp.min(x)
        mnp.argmax(x, 1)
        mnp.argmin(x)
        mnp.abs(x)
        mnp.exp(x)
        mnp.log(mnp.abs(x) + 1)
        mnp.sqrt(mnp.abs(x))
        mnp.square(x)
        mnp.sin(x)
        mnp.tanh(x)
        mnp.floor(x)
        mnp.sign(x)
        mnp.clip(x, -1, 1)
        mnp.add(x, y)
        mnp.subtract(x, y)
        mnp.divide(x, y)
        mnp.power(x, 2)
        mnp.maximum(x, y)
        mnp.minimum(x, 0)
        mnp.dot(x, y.T)
        mnp.matmul(x, y.T)
        mnp.tensordot(x, y.T, 1)
        mnp.inner(x, y)
        mnp.outer(x[0], y[0])
        mnp.where(x > 0, x, y)
        mnp.concatenate((x, y))
        mnp.stack((x, y), 1)
        mnp.vstack((x, y))
        mnp.hstack((x, y))
        mnp.split(x, 3, 1)
        mnp.reshape(x, (3, 2))
        mnp.ravel(x)
        mnp.transpose(x)
        mnp.swapaxes(x, 0, 1)
        mnp.squeeze(x[None])
        mnp.broadcast_to(x, (2, 2, 3))
        mnp.tile(x, (2, 1))
        mnp.repeat(x, 2, 1)
        mnp.roll(x, 1, 0)
        mnp.cumsum(x, 1)
        mnp.norm(x)
        mnp.equal(x, y)
        mnp.greater(x, y)
        mnp.logical_and(x > 0, y > 0)
        mnp.isnan(x)
        mnp.isclose(x, x)
        mnp.tril(x), mnp.triu(x)
        mnp.trace(x)
        mnp.diag(x[0])
        mnp.full_like(x, 2)
        mnp.ones_like(x)
        mnp.copy(x)
        mnp.asarray([1.0, 2.0]), mnp.asfarray([1, 2])
        mnp.meshgrid(x[0], y[0])
        mnp.identity(2)
        mnp.logspace(0, 2, 3)
        mnp.take(x, Tensor([0, 1]), 1)
        mnp.unique(Tensor([1, 2, 1]))
        mnp.average(x)
        mnp.ptp(x)
        mnp.bincount(Tensor([0, 1, 1]))
        mnp.cov(x)
        mnp.diff(x)
        mnp.interp(Tensor([0.5]), Tensor([0.0, 1.0]), Tensor([0.0, 10.0]))
        mnp.histogram(Tensor([1.0, 2.0, 1.0]), 2)[0]
    """,
        x=rand(2, 3),
        y=rand(2, 3, low=0.5),
    ),
    *each(
        """
        mnp.concatenate((x, x), 1)
        mnp.stack([x, x])
        mnp.transpose(x)
        mnp.reshape(x, (-1,))
        mnp.expand_dims(x, 0)
        mnp.repeat(x, 2, 0)
        mnp.tile(x, (1, 2))
    """,
        x=arange(2, 3, 4),
        grad=True,
    ),
]

CASES += [
    *each("mnp.interp(x, [-3.0, 0.0, 4.0], [1.0, 5.0, 2.0])", x=rand(2, 3, low=0.1), grad=True),
    *each("mnp.roll(x, 1, ()), mnp.roll(x, 1, (0, 1))", x=arange(2, 3)),
    *each(
        """
        mnp.linspace(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
        mnp.geomspace(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
        mnp.cov(Tensor([[1.0, 2.0]]), Tensor([1.0]))
    """,
        raises=ValueError,
    ),
    *each(
        """
        mnp.gradient(x, axis=1)
        mnp.trapz(x, dx=0.5)
        mnp.clip(x, -1, 1)
        mnp.cbrt(x)
        mnp.pad(x, 1, constant_values=2)
        mnp.pad(x, 2, 'linear_ramp', end_values=3)
        mnp.pad(x, 1, 'mean')
        mnp.tensordot(x, x, 2)
        mnp.polyval([2.0, 1.0, 0.0], x)
        mnp.nanvar(x, ddof=1)
        mnp.where(x > 0, x * 2, -x)
        mnp.take(x, Tensor([0, 2, 2]), 1)
        mnp.piecewise(x, [x > 0], [lambda z: z * 3, lambda z: -z])
        mnp.apply_along_axis(lambda z: z * z, 0, x)
        mnp.cov(x)
        """,
        x=rand(2, 3),
        grad=True,
    ),
]
