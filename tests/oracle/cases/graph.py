"""Graph mode: jit in all spellings, mutable, constexpr, lazy_inline, JitConfig, placeholders, set_inputs."""

import functools  # noqa: F401  used by the expressions

import mindspore as ms
import numpy as np
from mindspore import JitConfig, Parameter, Tensor, mutable, nn, ops  # noqa: F401  used by the expressions
from mindspore.ops.primitive import _primexpr

from tests.oracle.case import Case, each

x = Tensor(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32))
any_rows = {"shape": [None, 3], "dtype": ms.float32}


def double(a: Tensor) -> Tensor:
    return a * 2 + 1


def times(a: Tensor, b: float = 2.0) -> Tensor:
    """Multiply."""
    return a * b


@ms.jit
def keyword(a: Tensor, *, scale: float = 2.0) -> Tensor:
    return a * scale


@ms.jit
def many(*args: Tensor) -> Tensor:
    return args[0] + args[1]


@ms.jit
def named(**kwargs: Tensor) -> Tensor:
    return kwargs["a"] + kwargs["b"]


@ms.jit
def same(a: object) -> object:
    return a


@ms.jit
def structures(a: Tensor) -> tuple:
    return [a, a + 1], {"x": a, "y": 1}, "s", None, 1.5


@ms.jit
def branch(a: Tensor) -> Tensor:
    if a.sum() > 0:
        return a
    return -a


@ms.jit
def loop(a: Tensor) -> tuple:
    count = 0
    while a.sum() > 1:
        a = a / 2
        count += 1
    return a, count


@ms.jit
def inner(a: Tensor) -> Tensor:
    return double(a)


@ms.jit
def outer(a: Tensor) -> Tensor:
    return inner(a) + 1


@ms.jit
def refuses(a: Tensor) -> None:
    raise ValueError("bad shape")


@ms.jit_class
class Scale:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def times(self, a: Tensor) -> Tensor:
        return a * self.factor

    def __call__(self, a: Tensor) -> Tensor:
        return a + self.factor


scale = Scale(3)


@ms.jit
def scaled(a: Tensor) -> Tensor:
    return scale.times(a) + scale(a)


class Owner:
    factor = 3

    @ms.jit
    def method(self, a: Tensor) -> Tensor:
        return a * self.factor

    @staticmethod
    @ms.jit
    def static(a: Tensor) -> Tensor:
        return a * 3

    @ms.jit
    @staticmethod
    def static_inside(a: Tensor) -> Tensor:
        return a * 3


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, a: Tensor) -> Tensor:
        return (a * self.w).sum()


class Marked(Net):
    @ms.jit
    def construct(self, a: Tensor) -> Tensor:
        return (a * self.w).sum()


class MarkedEmpty(Net):
    @ms.jit()
    def construct(self, a: Tensor) -> Tensor:
        return (a * self.w).sum()


def lazily(**settings: object) -> type:
    class Lazy(nn.Cell):
        @ms.lazy_inline(**settings)
        def __init__(self, factor: int = 1) -> None:
            super().__init__()
            self.factor = factor

        def construct(self, a: Tensor) -> Tensor:
            return a * self.factor

    return Lazy


class LazyBare(nn.Cell):
    @ms.lazy_inline
    def __init__(self, factor: int = 1) -> None:
        super().__init__()
        self.factor = factor

    def construct(self, a: Tensor) -> Tensor:
        return a * self.factor


@ops.constexpr
def plus(a: int, b: int = 1) -> int:
    return a + b


@ops.constexpr(get_instance=False, name="hello")
def made(a: int) -> int:
    return a + 1


@_primexpr
def primed(a: int) -> int:
    return a + 1


@ms.jit
def with_constants(a: Tensor) -> Tensor:
    return a + plus(2) + plus(1, 3) + primed(2)


def ones(*shape: int, dtype: type = np.float32) -> Tensor:
    return Tensor(np.ones(shape, dtype))


def announced(*inputs: object, **names: object) -> object:
    """The value of a Cell's `set_inputs`."""
    net = Net()
    net.set_inputs(*inputs, **names)
    return net.get_inputs()


def called(inputs: tuple, *args: object, **names: object) -> object:
    """Call a Cell after `set_inputs`, in graph mode."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        net.set_inputs(*inputs, **names)
        return net(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def dynamic(*args: object, **names: object) -> object:
    """Call a function after `enable_dynamic`."""

    def doubled(a: Tensor) -> Tensor:
        return a * 2

    return ms.jit(ms.enable_dynamic(**names)(doubled))(*args)


def configured(*levels: str) -> str:
    net = Net()
    for level in levels:
        net.set_jit_config(JitConfig(level))
    return net.jit_config_dict.get("jit_level")


def around(level: str) -> str:
    """What a training step takes over from its network."""
    net = Net()
    net.set_jit_config(JitConfig(level))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    return step.jit_config_dict["jit_level"]


CASES = [
    *each("""
        ms.jit(double)(x)
        ms.jit()(double)(x)
        ms.jit(times).__name__, ms.jit(times).__doc__, ms.jit(times).__qualname__
        ms.jit(times).__wrapped__ is times, ms.jit(times) is times, ms.jit(times).__wrapped_by_jit__
        callable(ms.jit()), ms.jit(3), ms.jit('f'), ms.jit(Net) is Net, ms.jit(Scale) is Scale, ms.jit(scale) is scale
        ms.jit(Net())(x)
        ms.jit(Net().construct)(x)
        Marked()(x), MarkedEmpty()(x)
        Marked.construct.__name__
        Owner().method(x), Owner.static(x), Owner().static(x), Owner.static_inside(x)
        ms.jit(functools.partial(times, b=3.0))(x)
        ms.jit(scale)(x)
        ms.jit(ops.relu)(x), ms.jit(ops.ReLU())(x), ms.jit(ops.add)(x, x), ms.jit(abs)(x)
        ms.jit(double, capture_mode='ast')(x)
        ms.jit(double, mode='PIJit')(x), ms.jit(double, mode='PSJit')(x)
        ms.jit(double, hash_args=1)(x), ms.jit(double, compile_once=True)(x)
        ms.jit(times, input_signature=Tensor(**any_rows))(ones(3, 4))
        ms.jit(double, jit_config=JitConfig(jit_level='O0'))(x)
        ms.jit(double, jit_level='O0')(x), ms.jit(double, jit_level='O1')(x)
        ms.jit(double, dynamic=1)(x), ms.jit(double, fullgraph=True)(x)
        ms.jit(double, backend='ms_backend')(x), ms.jit(double, backend='GE')(x), ms.jit(double, backend='')(x)
        ms.jit(double, exec_order='bfs')(x), ms.jit(double, jit_syntax_level='LAX')(x)
        ms.jit(ms.jit(double))(x)
        keyword(x), keyword(x, scale=3.0), many(x, x), named(a=x, b=x), scaled(x)
        structures(x)
        branch(x), branch(-x), loop(x)
        same(1), same(1.5), same('s'), same(None), same([1, 2]), same((x, 1)), same({'a': x}), same(True)
        same(np.ones(2))
        inner(x), outer(x)
        ms.grad(ms.jit(double))(x), ms.value_and_grad(ms.jit(double))(x), ms.vmap(ms.jit(double))(x)
        ms.jit(ms.grad(double))(x), ms.jit(ms.vmap(double))(x)
        ms.jit_class(Scale) is Scale, Scale.__ms_class__
        ms.no_inline(double) is double, ms.no_inline(double).no_inline, ms.no_inline()(double) is double
        lazily()(3)(x), lazily(attrs='factor')(3)(x), lazily(attrs=['factor'])(3)(x), lazily(policy='front')(3)(x)
        LazyBare(3)(x), LazyBare.__init__.__name__, hasattr(LazyBare.__init__, '__wrapped__')
        plus(1), plus(1, 3), plus(1, b=3), plus(a=1), plus.name, repr(plus), plus(x)
        made()(1), repr(made()), primed(1), repr(primed)
        with_constants(x)
        [type(mutable(value)).__name__ for value in (1, 1.5, True, (1, 2), [1, x], {'a': x})]
        [repr(mutable(value)) for value in (1, 1.5, True, (1, 2), [1, x], {'a': x})]
        mutable(()), mutable([]), mutable({}), mutable((1, (2, 3))), mutable([1, [2, x]]), mutable({1: x})
        mutable((1, 2), True), mutable([x, x], True), mutable([1, 2.0], True), mutable((), True)
        mutable(x) is x, mutable(x).__ms_mutable__, mutable((1, 2)).__ms_dynamic_len__
        mutable((1, 2), True).__ms_dynamic_len__, mutable(1).__ms_mutable__
        type(mutable(1) + 1).__name__, mutable(1) == 1, mutable((1, 2)) == (1, 2), isinstance(mutable([1]), list)
        type(mutable((1, 2))[0]).__name__, repr([mutable(2)] * 2), repr(mutable(mutable(1)))
        mutable((mutable(1), 2))[1]
        inner(mutable(1)), same(mutable((1, 2))), same(mutable([1, x]))
        x[mutable(1)], x[:mutable(1)], x.reshape(mutable((3, 2))), x * mutable(2), x * mutable(2.0)
        ops.concat(mutable([x, x])), ops.zeros(mutable((2, 2)), ms.float32), x == mutable(1)
        Tensor(mutable(1)), Tensor(mutable(1.5)), Tensor(mutable(True)), Tensor(mutable([1, 2]))
        JitConfig().jit_config_dict
        JitConfig('O0').jit_config_dict, JitConfig('O1').jit_config_dict, JitConfig('O2').jit_config_dict
        JitConfig(exc_mode='sink', jit_syntax_level='LAX', debug_level='DEBUG', infer_boost='on').jit_config_dict
        JitConfig(other=3).jit_config_dict, vars(JitConfig()).keys() == {'jit_config_dict'}
        configured(), configured('O1'), configured('O1', 'O0'), around('O1')
        ms.set_recursion_limit(100), ms.get_context('max_call_depth'), ms.set_recursion_limit()
        repr(Tensor(**any_rows)), Tensor(**any_rows).shape, str(Tensor(**any_rows).dtype), Tensor(**any_rows).ndim
        Tensor(**any_rows).size, Tensor(**any_rows).itemsize, Tensor(**any_rows).nbytes, Tensor(**any_rows).strides
        repr(Tensor(**any_rows).astype(ms.float16)), repr(Tensor(**any_rows).copy()), Tensor(**any_rows).has_init
        ops.shape(Tensor(**any_rows)), ms.is_tensor(Tensor(**any_rows)), isinstance(Tensor(**any_rows), Tensor)
        repr(Tensor(dtype=ms.float32)), Tensor(None, ms.int32).shape, repr(Tensor(shape=(None, None), dtype=ms.bool_))
        Tensor(shape=[2, 3], dtype=ms.float32), Tensor(shape=3, dtype=ms.int32), Tensor(shape=(), dtype=ms.float32)
        Tensor(shape=[0, 3], dtype=ms.float32), repr(Tensor(shape=[-1, 3], dtype=ms.float32))
        repr(ms.tensor(shape=[None, 3], dtype=ms.float32)), repr(Tensor(None, ms.float32, [None, 3]))
        repr(Tensor(shape=[ms.Symbol(max=10), 3], dtype=ms.float32))
        str(ms.Symbol()), str(ms.Symbol(max=10, min=2, divisor=2, remainder=1)), ms.Symbol(min=4).to_dict()
        str(ms.Symbol(min=9, divisor=4)), str(ms.Symbol(max=-1)), str(ms.Symbol(other=1))
        repr(announced(Tensor(**any_rows))), repr(announced(a=Tensor(**any_rows))), announced(), announced(1, 's', None)
        Net().get_inputs()
        called((Tensor(**any_rows),), ones(2, 3)), called((Tensor(**any_rows),), ones(5, 3))
        called((), ones(2, 3), a=Tensor(**any_rows)), called((ones(2, 3),), ones(2, 3)), called((1,), 1)
        called((Tensor(dtype=ms.float32),), ones(5, 3, 3))
        called((Tensor(shape=[ms.Symbol(divisor=2), 3], dtype=ms.float32),), ones(2, 3))
        dynamic(ones(2, 3), a=Tensor(**any_rows)), dynamic(ones(4, 3), a=Tensor(**any_rows))
    """),
    *each(
        """
        ms.jit(double, capture_mode='pijit')
        ms.jit(double, capture_mode=1)
        ms.jit(double, capture_mode=None)
        ms.jit(capture_mode='x')
        ms.jit(double, jit_level='O3')
        ms.jit(double, jit_level='')
        ms.jit(double, jit_level=0)
        ms.jit(double, dynamic=2)
        refuses(x)
        JitConfig('O3')
        JitConfig('o1')
        JitConfig(1)
        JitConfig(None)
        JitConfig(exc_mode='x')
        JitConfig(jit_syntax_level='x')
        JitConfig(debug_level='x')
        JitConfig(infer_boost='x')
        JitConfig(infer_boost=True)
        ms.set_context(jit_config={'jit_level': 'O7'})
        ms.set_context(jit_config={'nonsense': 'O1'})
        ms.set_recursion_limit(0)
        ms.set_recursion_limit(-1)
        ms.lazy_inline(double)
        ms.lazy_inline()(double)
        ms.lazy_inline(Net)
        lazily(policy='back')(3)
        lazily(attrs=3)(3)
        str(Tensor(**any_rows))
        Tensor(**any_rows).asnumpy()
        len(Tensor(**any_rows))
        Tensor(shape=[None, 3])
        Tensor(x, shape=[None, 3])
        Tensor(x, shape=[2, 3], dtype=ms.float32)
        Tensor(shape=['a', 3], dtype=ms.float32)
        Parameter(Tensor(**any_rows))
        ms.Symbol(min=0)
        ms.Symbol(divisor=0)
        ms.Symbol(divisor=8, remainder=9)
        ms.Symbol(remainder=-1)
        announced(b=Tensor(**any_rows))
        announced(Tensor(**any_rows), a=Tensor(**any_rows))
        called((Tensor(**any_rows),), ones(2, 3, 1))
        called((Tensor(**any_rows),), ones(2, 4))
        called((), ones(2, 4), a=Tensor(**any_rows))
        called((ones(2, 3),), ones(3, 3))
        called((1,), 2)
        called((Tensor(shape=[ms.Symbol(divisor=2), 3], dtype=ms.float32),), ones(3, 3))
        called((Tensor(shape=[ms.Symbol(min=4), 3], dtype=ms.float32),), ones(2, 3))
        called((Tensor(shape=[ms.Symbol(max=4), 3], dtype=ms.float32),), ones(5, 3))
        dynamic(ones(2, 4), a=Tensor(**any_rows))
        dynamic(ones(2, 3, 1), a=Tensor(**any_rows))
        dynamic(ones(2, 3), b=Tensor(**any_rows))
        dynamic(ones(2, 3))
        ms.enable_dynamic(a=Tensor(**any_rows))(3)
        ms.enable_dynamic(a=Tensor(**any_rows))(Net())
        """,
        raises=ValueError,
    ),
    *each(
        """
        ms.jit(double, dynamic=True)
        ms.jit(double, dynamic='1')
        ms.jit(double, dynamic=None)
        ms.jit(double, fullgraph=1)
        ms.jit(double, fullgraph=None)
        ms.jit(double, 1)
        ms.jit(double, disable_format_transform=3)(x)
        ms.jit(double, ge_options=3)(x)
        keyword(x, 3.0)
        keyword()
        same()
        same(x, x)
        mutable('s')
        mutable(None)
        mutable(np.ones(2))
        mutable(ms.float32)
        mutable((1, 's'))
        mutable((1, None))
        mutable({'a': 's'})
        mutable(1j)
        mutable(np.float32(1))
        mutable(np.int64(1))
        mutable(range(3))
        mutable({1, 2})
        mutable(nn.ReLU())
        mutable(double)
        mutable(x, True)
        mutable(1, True)
        mutable({'a': x}, True)
        mutable((1, 2), 1)
        mutable((1, 2), None)
        mutable()
        ms.set_recursion_limit('a')
        ms.set_recursion_limit(1.5)
        ms.set_recursion_limit(True)
        ms.jit_class(3)
        ms.jit_class(double)
        ms.jit_class(nn.Cell)
        ms.jit_class(Net)
        ms.jit_class(int)
        ms.jit_class()
        plus()
        ops.constexpr(double, name=3)
        ops.constexpr(double, nonsense=3)
        Tensor()
        Tensor(None)
        Tensor(shape=[None, 3], dtype=np.float32)
        Tensor(shape=[None, 3], dtype='float32')
        ms.Symbol(max='a')
        ms.Symbol(max=1.5)
        ms.Symbol(unique=1)
        called((Tensor(**any_rows),), ones(2, 3, dtype=np.float16))
        called((Tensor(**any_rows),), ones(2, 3), 1)
        called((Tensor(**any_rows),), 1)
        called((Tensor(**any_rows),), (ones(2, 3),))
        called((Tensor(**any_rows),))
        called((1,), ones(2, 3))
        called((None,), ones(2, 3))
        called((Tensor(**any_rows), Tensor(**any_rows)), ones(2, 3))
        called((), ones(2, 3))
        called((Tensor(dtype=ms.float32),), ones(5, 3, dtype=np.float16))
        dynamic(ones(2, 3, dtype=np.float16), a=Tensor(**any_rows))
        dynamic(1, a=Tensor(**any_rows))
        dynamic(ones(2, 3), a=ones(2, 3))
        dynamic(ones(2, 3), a=1)
        dynamic(ones(2, 3), a=None)
        ms.enable_dynamic(double)
        ms.set_context(jit_config=3)
        """,
        raises=TypeError,
    ),
    *each(
        """
        ms.lazy_inline(3)
        ms.no_inline(3)
        ops.constexpr(3)
        Net().set_jit_config(3)
        Net().set_jit_config(None)
        """,
        raises=AttributeError,
    ),
    Case("x.sum(mutable(0))", xfail="torch (2.13) takes no subclass of int where it wants an int or a tuple of them"),
    Case("x.sum(0, mutable(True))", xfail="torch (2.13) takes no subclass of int where it wants a bool"),
    Case("ms.jit(double, backend='inductor')(x)", raises=RuntimeError),
    Case("ms.jit(double, exec_order='bad')(x)", raises=ValueError),
    Case("ms.jit(double, infer_boost='bad')(x)", raises=ValueError),
]
