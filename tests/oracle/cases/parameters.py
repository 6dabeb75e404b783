"""Parameters and initializers: names, data, copies; distributions by their moments, constants by their values."""

import copy  # noqa: F401  used by the expressions

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor
from mindspore.common import initializer as init
from mindspore.common.initializer import initializer

from tests.oracle.case import Case, each


def w(data: object = (1.0, 2.0), **options: object) -> Parameter:
    return Parameter(Tensor(np.array(data, np.float32)), **{"name": "w", **options})


def after(change: object) -> tuple:
    """Change a Parameter: what the change returned is the Parameter itself, values, dtype and shape afterwards."""
    p = w()
    returned = change(p)
    return returned is p, p.asnumpy(), p.dtype, p.shape, type(p).__name__


def setting(attribute: str, value: object) -> object:
    p = w()
    setattr(p, attribute, value)
    return getattr(p, attribute)


def source_after(change: object) -> np.ndarray:
    """Change a Parameter that was made from a Tensor, and look at the Tensor."""
    source = Tensor([1.0, 2.0])
    change(Parameter(source, name="w"))
    return source.asnumpy()


def array_after() -> np.ndarray:
    source = np.ones(2, np.float32)
    Parameter(source, name="w").set_data(Tensor([9.0, 9.0]))
    return source


def cloned(*arguments: object) -> tuple:
    p = w(requires_grad=False)
    twin = p.clone(*arguments)
    twin.set_data(Tensor([5.0, 6.0]))
    return twin.name, twin.requires_grad, p.asnumpy(), type(twin).__name__


def moments(method: object, shape: tuple[int, ...] = (200, 100)) -> tuple:
    """Whether the mean of many draws is near zero, and their deviation."""
    ms.set_seed(1)
    drawn = initializer(method, shape, ms.float32).init_data().asnumpy().astype(np.float64)
    scale = drawn.std()
    return bool(abs(drawn.mean()) < 0.05 * scale), float(scale)


def edges(method: object, shape: tuple[int, ...] = (200, 100)) -> float:
    """The largest absolute value: the bound of a uniform distribution."""
    ms.set_seed(1)
    return float(np.abs(initializer(method, shape, ms.float32).init_data().asnumpy()).max())


def orthogonal(shape: tuple[int, int]) -> bool:
    m = initializer(init.Orthogonal(), shape, ms.float32).init_data().asnumpy()
    product = m @ m.T if shape[0] <= shape[1] else m.T @ m
    return bool(np.allclose(product, np.eye(min(shape)), atol=1e-4))


CASES = [
    *each("""
        (lambda p: (p.name, p.requires_grad, p.layerwise_parallel, p.parallel_optimizer, p.shape, p.dtype))(w())
        Parameter(1), Parameter(1.5), Parameter([1, 2]), Parameter(np.ones(2)), Parameter(np.ones(2, np.float32))
        Parameter(Tensor([1, 2], ms.int32), 'a').name
        Parameter(default_input=Tensor([1.0]), name='b', requires_grad=False).requires_grad
        w(name='a b').name, w(name='a/b').name, w(name='1').name
        w(name=None).name.startswith('Parameter'), w(name='').name.startswith('Parameter')
        isinstance(w(), Tensor), type(w() + 1), type(w() * w()), type(w().value()), type(w().data), type(w().copy())
        w().asnumpy(), w()[0], len(w()), w().sum(), w().tolist(), w().mean().item()
        w().value(), w().data
        setting('name', 'other'), setting('requires_grad', False), setting('layerwise_parallel', True)
        hasattr(w(), 'grad')
        after(lambda p: p.set_data(Tensor([3.0, 4.0])))
        after(lambda p: p.set_data(Tensor([3, 4], ms.int32)))
        after(lambda p: p.set_data(Tensor([3.0, 4.0], ms.float16)))
        after(lambda p: p.set_data(Tensor([3.0, 4.0], ms.float64)))
        after(lambda p: p.set_data(Tensor([3.0])))
        after(lambda p: p.set_data(Tensor([3.0]), slice_shape=True))
        after(lambda p: p.set_data(Parameter(Tensor([7.0, 8.0]), name='z')))
        after(lambda p: p.assign_value(Tensor([3.0, 4.0])))
        after(lambda p: p.__setitem__(0, 9))[1:]
        after(lambda p: ops.assign(p, Tensor([3.0, 4.0])))[1:]
        after(lambda p: ops.assign(p, p + 1))[1:]
        after(lambda p: ops.assign(p, Tensor([3, 4])))[1:]
        after(lambda p: ops.assign_add(p, Tensor([3.0, 4.0])))[1:]
        after(lambda p: ops.assign_sub(p, Tensor([3.0, 4.0])))[1:]
        after(lambda p: ops.depend(p, ops.assign(p, p * 2)))[1:]
        type(ops.assign(w(), Tensor([1.0, 1.0])))
        ops.assign(Tensor([1.0]), Tensor([2.0]))
        source_after(lambda p: p.set_data(Tensor([9.0, 9.0])))
        source_after(lambda p: p.__setitem__(0, 9))[1:]
        source_after(lambda p: ops.assign(p, Tensor([9.0, 9.0])))
        source_after(lambda p: ops.assign_add(p, Tensor([9.0, 9.0])))
        array_after()
        cloned()
        cloned('zeros')
        w().clone().asnumpy(), w().clone('zeros').asnumpy(), w().clone('ones').asnumpy()
        copy.deepcopy(w()).name, copy.deepcopy(w()).asnumpy(), copy.copy(w()).name
        hash(w()) is not None, {w(): 1} is not None
        ms.ParameterTuple((w(), w(name='b')))[1].name, isinstance(ms.ParameterTuple([w()]), tuple)
        [p.name for p in ms.ParameterTuple((w(), w(name='b'))).clone('moments', 'zeros')]
        [p.asnumpy() for p in ms.ParameterTuple((w(), w(name='b'))).clone('moments', 'zeros')]
        [p.asnumpy() for p in ms.ParameterTuple((w(),)).clone('m')]
        len(ms.ParameterTuple(p for p in [w(), w(name='b')]))
        Parameter(initializer('ones', [2], ms.float32), name='w').shape
        Parameter(initializer('ones', [2], ms.float32), name='w').init_data().asnumpy()
        Parameter(initializer('zeros', [2, 2], ms.float16), name='w').dtype
        w().T, w().reshape(2, 1), -w(), w() ** 2, w() > 1, abs(w()), w().astype(ms.int32)
        Parameter(Tensor([1.0, 2.0]), name='w') + Parameter(Tensor([3.0, 4.0]), name='v')
        w().unique is False, w().is_in_parallel
    """),
    *each(
        """
        Parameter(None)
        Parameter('a')
        Parameter(Tensor([1.0]), requires_grad=1)
        setting('requires_grad', 1)
        after(lambda p: p.set_data([1.0, 2.0]))
        ms.ParameterTuple([1])
        ms.ParameterTuple(w())
        w()()
    """,
        raises=TypeError,
    ),
    *each(
        """
        Parameter(True)
        Parameter(Tensor([1.0]), name=3)
        Parameter(Tensor([1.0]), name='x' * 1025)
        setting('name', 3)
        ms.ParameterTuple([w(), w()])
        ops.assign(w(), Tensor([1.0]))
    """,
        raises=ValueError,
    ),
    Case("ops.assign(w(), Tensor([1.0, 2.0], ms.float64))", raises=TypeError),
    Case("w().grad", raises=AttributeError),
    # initializers
    *each("""
        initializer('zeros', [2, 2]).init_data()
        initializer('ones', (2,), ms.float16).init_data()
        initializer('zero', [2]).init_data(), initializer('one', [2]).init_data()
        initializer(3, [2]).init_data(), initializer(0.5, (2, 1), ms.float32).init_data()
        initializer(3, [2], ms.int32).init_data()
        initializer(init.Constant(2.5), [2], ms.float32).init_data()
        initializer(init.Zero(), [2], ms.float32).init_data(), initializer(init.One(), [2], ms.float32).init_data()
        initializer('ones', []).init_data(), initializer('ones', ()).shape
        initializer(init.Identity(), (2, 2), ms.float32).init_data()
        initializer('identity', (3, 3), ms.float32).init_data()
        initializer(init.Dirac(), (2, 2, 3), ms.float32).init_data()
        initializer(init.Dirac(groups=2), (4, 2, 3, 3), ms.float32).init_data()
        initializer(Tensor([1.0, 2.0]), (2,), ms.float32)
        initializer(Tensor([1.0, 2.0]), [2])
        initializer('normal', [2, 3]).shape, initializer('normal', [2, 3], ms.float16).dtype
        initializer('normal', 3).shape
        type(initializer('ones', [2]))
        [initializer(n, [2, 2]).shape for n in 'uniform xavier_uniform he_uniform he_normal truncatedNormal'.split()]
        [initializer(n, [2, 2]).shape for n in 'orthogonal variancescaling xavier_normal heuniform'.split()]
        [initializer(n, [4, 4]).shape for n in ('TruncatedNormal', 'HeUniform', 'XavierUniform', 'Normal', 'ONES')]
        edges(init.TruncatedNormal(1.0)) < 2.0001
        orthogonal((20, 10)), orthogonal((10, 20))
        (initializer(init.Sparse(0.5), (100, 10), ms.float32).init_data().asnumpy() == 0).sum(0)
        ms.common.initializer.initializer is initializer, ms.common.initializer.Normal is init.Normal
        issubclass(init.Normal, init.Initializer)
        str(init.Normal().sigma), init.Uniform().scale
    """),
    *each(
        """
        moments(init.Normal())
        moments(init.Normal(0.5, 0.0))
        moments(init.Normal(sigma=0.02))
        moments(init.Uniform())
        moments(init.Uniform(2.0))
        moments(init.TruncatedNormal())
        moments(init.TruncatedNormal(0.5))
        moments(init.TruncatedNormal(2.0))
        moments(init.XavierUniform())
        moments(init.XavierUniform(gain=2))
        moments(init.XavierNormal())
        moments(init.HeUniform())
        moments(init.HeUniform(negative_slope=5**0.5))
        moments(init.HeUniform(mode='fan_out', nonlinearity='relu'))
        moments(init.HeNormal())
        moments(init.HeNormal(mode='fan_out', nonlinearity='relu'))
        moments(init.VarianceScaling())
        moments(init.VarianceScaling(2.0, 'fan_avg', 'uniform'))
        moments(init.VarianceScaling(1.0, 'fan_out', 'untruncated_normal'))
        moments(init.HeUniform(), (50, 20, 5, 5))
        moments(init.HeNormal(), (50, 20, 5, 5))
        moments(init.XavierUniform(), (50, 20, 5, 5))
        [moments(name) for name in 'normal uniform he_uniform xavier_uniform truncatedNormal'.split()]
        edges(init.Uniform()), edges(init.XavierUniform()), edges(init.HeUniform()), edges('xavier_uniform', (10, 2000))
    """,
        tolerance=0.03,  # of 20 000 draws
    ),
    *each(
        """
        initializer('foo', [2])
        initializer('ones', [-1])
        initializer('truncated_normal', [2])
        initializer(Tensor([1.0, 2.0]), [3])
    """,
        raises=ValueError,
    ),
    Case("initializer(None, [2])", raises=TypeError),
]
