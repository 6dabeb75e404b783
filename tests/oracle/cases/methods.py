"""Methods of Tensor: the same operators as functions of `ops`, under numpy's and torch's names."""

from mindspore import Tensor

from tests.oracle.case import Case, arange, each, ints, rand, values


def hooked(x: Tensor) -> Tensor:
    """A hook on a tensor inside doubles its gradient."""
    y = x * 3
    y.register_hook(lambda gradient: gradient * 2)
    return y * y


CASES = [
    *each(
        """
        x.transpose(dim0=0, dim1=1)
        x.transpose(0, dim1=1)
        x.permute(dims=(1, 0))
        x.tile(reps=(2,))
        x.select(dim=1, index=0)
        x.index_select(dim=1, index=i)
        x.sort(dim=0, descending=True, stable=True)
        x.argsort(dim=0, descending=True, stable=True)
        x.split(split_size=1, dim=0)
        x.repeat_interleave(2, dim=1)
        x.take(index=i)
        x.sub(y=y)
        x.isclose(x2=y)
        x.matmul(tensor2=y.T)
        x.float_power(other=y)
        x.true_divide(other=y)
        x.approximate_equal(other=y)
        x.logical_and(y=y), x.logical_or(y=y)
        x.choose([1, 2])
        """,
        x=values([1, 0, 2], [3, 4, 5]),
        y=values([1, 2, 2], [0, 4, 1]),
        i=values(1, 0, dtype="int64"),
    ),
    *each(
        """
        n + [1, 2, 3], [1, 2, 3] - n, n // (1, 2, 3)
        n.trace(), n.trace(1), n.sum_to_size(1, 3)
        n.remainder(0), n.fmod(0), n % 3
        n.remainder(n * 0 + 3), n.fmod(n * 0 + 3), n % (n * 0)
        n.div(n * 0 + 2, rounding_mode="trunc")
        """,
        n=values([5, 0, -2], [3, 4, -5], dtype="int32"),
    ),
    *each(
        "n.sum(), n.sum(0), n.prod(1), n.cumsum(0)",
        n=values([5, 0, 2], [3, 4, 1], dtype="uint16"),
    ),
    *each("b.remainder(b), b.fmod(b), b.remainder(~b)", b=values(True, False, True, dtype="bool")),
    Case("x % y, x.remainder(y), x.fmod(y)", x=values(-4, 4, 0), y=values(2, -2, 2)),
    Case("x.remainder(divisor=y), x.remainder(y), x.expand_as(x=y), x.expand_as(y)", x=rand(3), y=rand(2, 3)),
    Case("x.remainder()", raises=TypeError, x=rand(3)),
    Case("x.expand_as()", raises=TypeError, x=rand(3)),
    *each(
        """
        x.abs()
        x.add(y)
        x.sub(y)
        x.subtract(y)
        x.mul(y)
        x.multiply(y)
        x.div(y)
        x.divide(y)
        x.true_divide(y)
        x.pow(2)
        x.square()
        x.neg()
        x.negative()
        x.exp()
        x.sin()
        x.cos()
        x.tan()
        x.asin() * 0
        x.atan()
        x.tanh()
        x.sigmoid()
        x.floor()
        x.ceil()
        x.trunc()
        x.round()
        x.sign()
        x.reciprocal()
        x.maximum(y)
        x.minimum(y)
        x.clip(-1, 1)
        x.clamp(-0.5, 0.5)
        x.sum()
        x.sum(0)
        x.mean(1)
        x.prod(0)
        x.std()
        x.var(0)
        x.max()
        x.min()
        x.cumsum(0)
        x.cumprod(1)
        x.norm()
        x.logsumexp(0)
        x.softmax(1)
        x.matmul(y.T)
        x.mm(y.T)
        x.dot(y.T)
        x[0].outer(y[0])
        x.reshape(-1)
        x.view(3, 2)
        x.transpose()
        x.permute(1, 0)
        x.swapaxes(0, 1)
        x.swapdims(0, 1)
        x.movedim(0, 1)
        x.moveaxis(0, 1)
        x.t()
        x.T
        x.flatten()
        x.ravel()
        x.squeeze()
        x.unsqueeze(0)
        x.expand_dims(-1)
        x.expand_as(x)
        x.broadcast_to((2, 2, 3))
        x.tile((2, 1))
        x.repeat_interleave(2, 0)
        x.split(1)
        x.chunk(2)
        x.tensor_split(2)
        x.unbind()
        x.flip((0,))
        x.fliplr()
        x.flipud()
        x.rot90(1, (0, 1))
        x.tril()
        x.triu()
        x.diagonal()
        x.trace()
        x.gather(Tensor([0, 1]), 1)
        x.index_select(1, Tensor([0, 2]))
        x.masked_fill(x > 0, 0.0)
        x.masked_select(x > 0)
        x.where(x > 0, y)
        x.select(0, 1)
        x.narrow(1, 0, 2)
        x.topk(2)
        x.sort()
        x.lerp(y, 0.5)
        x.addcmul(y, y)
        x.atan2(y)
        x.arctan2(y)
        x.hypot(y)
        x.fmod(y * y + 1)
        x.remainder(y * y + 1)
        x.floor_divide(y * y + 1)
        x.isclose(x)
        x.erf()
        x.erfc()
        x.expm1()
        x.sinh()
        x.cosh()
        x.asinh()
        x.logaddexp(y)
        x.nansum()
        x.amax(0)
        x.amin(1)
        x.ptp()
        x.copysign(y)
        x.float_power(2)
        x.frac()
        x.deg2rad()
        x.nan_to_num()
        x.hardshrink()
        x.fill(2.0)
        x.fill_diagonal(9.0)
        x.new_zeros((2,))
        x.new_ones((2,))
        x.resize((3, 2))
        x.diff()
        x.index_fill(0, Tensor([0], ms.int32), 1.0)
        x.less(y), x.greater(y), x.equal(y), x.not_equal(y), x.le(y), x.ge(y), x.lt(y), x.gt(y), x.eq(y), x.ne(y)
        x.isnan(), x.isinf(), x.isfinite(), x.isneginf(), x.isposinf()
        x.argmax(), x.argmin(), x.argmax(1), x.argsort()
        x.view_as(y), x.reshape_as(y.T)
        x[0, 1].item()
        x.astype(ms.float16), x.astype(ms.int32), x.to(ms.float64)
        x.float(), x.half(), x.int(), x.long(), x.bool(), x.double()
        x.type(ms.float16), x.type_as(y)
        x.contiguous()
        x.copy()
        x.scatter(1, Tensor([[0], [1]]), Tensor([[9.0], [8.0]]))
        x.expand((2, 3))
        x.numel(), x.ndimension(), x.dim(), x.nelement()
        x.stride(), x.storage_offset(), x.is_contiguous()
        x.broadcast_to((1, 2, 3)).shape
        x.median(), x.argwhere()
        x.logical_not(), x.logical_and(y), x.logical_or(y), x.logical_xor(y)
        x.all(), x.any()
    """,
        x=rand(2, 3, low=-0.9, high=0.9),
        y=rand(2, 3),
    ),
    *each(
        """
        x.bitwise_and(y)
        x.bitwise_or(y)
        x.bitwise_xor(y)
        x.floor_divide(y)
        x.gcd(y)
        x.lcm(y)
        x.unique_consecutive()
        x.bitwise_left_shift(y)
        x.sum(), x.max(), x.argmax(), x.cumsum(0)
        x.mean()
        x.square(), x.neg(), x.abs(), x.sign()
    """,
        x=ints(6, low=0, high=9),
        y=ints(6, low=1, high=4),
    ),
    *each(
        """
        x.sum(axis=None, dtype=None, keepdims=False)
        x.sum(axis=1, keepdims=True)
        x.mean(axis=None, keep_dims=False)
        x.max(axis=None, keepdims=False)
        x.max(np.int64(1))
        x.min(np.int64(0), True)
        ops.squeeze(x, np.int64(0))
        x.reshape((2, -1))
        x.reshape(2, -1)
        x.transpose((1, 0))
        x.transpose(1, 0)
        x.swapaxes(axis0=0, axis1=1)
        x.squeeze(axis=None)
        x.argmax(axis=1)
        x.split(2, axis=1)
        x.take(Tensor([0, 1]), axis=0)
        x.repeat_interleave(repeats=2, dim=0)
        x.cumsum(axis=1)
        x.flatten(order='C')
        x.flatten(order='F')
        x.ravel()
        x.clip(1, 3)
        x.tile((1, 2))
        x.view((4, 2))
        x.expand_dims(axis=0)
        x.sort(axis=1)
        x.topk(k=1)
        x.std(axis=0, ddof=0)
        x.var(axis=1, ddof=1)
        x.all(axis=1)
    """,
        x=arange(2, 4),
    ),
    *each(
        """
        x.is_contiguous(), x.contiguous().shape
        x.register_hook(lambda g: g) is not None
        ms.grad(hooked)(x)
        x.dtype == ms.float32, x.shape == (2, 3)
        x.transpose().is_contiguous(), x.transpose().contiguous().is_contiguous()
        x.mT, x.T
        x.sum().item() == x.sum().asnumpy().item()
        x.histc(3)
        x.index_add(0, Tensor([0], ms.int32), x[:1])
        x.gather_nd(Tensor([[0, 1], [1, 2]]))
        x.gather_elements(1, Tensor([[0, 1], [2, 2]]))
        x.take(Tensor([0, 2]), axis=1)
        x.to(ms.float16), x.to(dtype=ms.int32)
        x.isreal(), x.is_complex(), x.is_floating_point()
        x.pow(2).sum().sqrt(), x.norm()
        x.squeeze(0), x.unsqueeze(-1).squeeze(-1).shape
        x.multiply(2), x.subtract(1), x.true_divide(2), x.negative(), x.absolute()
        x.greater_equal(0), x.less_equal(0), x.ne(0)
        x.arccos() * 0, x.arcsinh(), x.arctan(), x.arcsin(), x.acos(), x.atanh()
        x.xlogy(x * x + 1), x.xdivy(x + 3)
        x.sinc(), x.digamma() * 0, x.lgamma() * 0, x.i0()
    """,
        x=rand(2, 3, low=-0.9, high=0.9),
    ),
    Case("x.relu()", x=rand(2), raises=AttributeError, says="relu"),
    Case("x.foo()", x=rand(2), raises=AttributeError, says="foo"),
    Case("x.sum(foo=1)", x=rand(2), raises=TypeError),
]
