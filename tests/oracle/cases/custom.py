"""Operators that scripts define: Custom on numpy arrays, descriptions of kernels, primitives with attributes."""

import numpy as np
from mindspore.ops import (
    CustomRegOp,
    DataType,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    kernel,
    prim_attr_register,
    vm_impl_registry,
)
from mindspore.ops._grad_experimental import grad_base

from tests.oracle.case import Case, each, rand

X, Y = rand(2, 3), rand(2, 3)


def add(a, b):
    return a + b


def both(a, b):
    return a + b, a - b


def double(a):
    return a * 2


def total(a):
    return a.sum()


def nothing(a):
    pass


def widened(a):
    return a.astype(np.float64)


def add_bprop(a, b, out, dout):
    return dout * 2, dout * b


@kernel
def squared(a):
    out = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i, j in grid(a.shape):  # noqa: F821
        out[i, j] = sin(a[i, j]) * ceil_div(5, 2)  # noqa: F821
    return out


class Scaled(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor, axis=2):
        self.init_prim_io_names(inputs=["x"], outputs=["y"])

    def infer_shape(self, x):
        return x

    def infer_dtype(self, x):
        return x


class Checked(PrimitiveWithCheck):
    @prim_attr_register
    def __init__(self):
        pass

    def check_shape(self, x):
        if len(x) != 1:
            raise ValueError("rank")


@vm_impl_registry.register("Twice")
def _twice(self):
    return lambda x: x * 2


@grad_base.bprop_getters.register("Twice")
def _twice_bprop(self):
    return lambda x, out, dout: (dout * 2,)


def with_attr(prim):
    prim.add_attr("hidden", 5)
    return prim


def with_data(prim):
    prim.set_user_data("a", 1)
    return prim


half = (
    CustomRegOp("my")
    .input(0, "x")
    .output(0, "y")
    .dtype_format(DataType.F16_Default, DataType.F16_Default)
    .target("CPU")
).get_op_info()

CASES = [
    *each(
        """
        ops.Custom(add, lambda a, b: a, lambda a, b: a, 'pyfunc')(x, y)
        ops.Custom(add, (2, 3), ms.float32)(x, y)
        ops.Custom(both, lambda a, b: (a, b), lambda a, b: (a, b))(x, y)
        ops.Custom(both, ((2, 3), (2, 3)), (ms.float32, ms.float32))(x, y)
        """,
        x=X,
        y=Y,
    ),
    *each(
        """
        ops.Custom(double, [2, 3], ms.float32)(x)
        ops.Custom(total, (), ms.float32)(x)
        ops.Custom(total, (1,), ms.float32)(x)
        ops.Custom(nothing, (), ())(x).shape
        ops.Custom(nothing, (), ())(x).dtype
        ops.Custom(squared, lambda a: a, lambda a: a, 'pyfunc')(x)
        """,
        x=X,
    ),
    Case("ops.Custom(add, lambda a, b: a, lambda a, b: a, 'pyfunc', add_bprop)(x, y)", x=X, y=Y, grad=True),
    Case("ops.Custom(double, lambda a: a, lambda a: a, reg_info=half)(x)", x=rand(2, 3, dtype="float16")),
    Case("ops.Custom(double, lambda a: a, lambda a: a, reg_info=half)(x)", x=X, raises=TypeError),
    Case("ops.Custom(widened, (2, 3), ms.float32)(x)", x=X, raises=RuntimeError),
    Case("ops.Custom(double, None, None)(x)", x=X, raises=TypeError, says="out_shape"),
    Case("ops.Custom(double, (2, 3), 'float32')(x)", x=X, raises=TypeError, says="out_dtype"),
    Case("ops.Custom(double, (2, 3), ms.float32, 'julia')", raises=ValueError, says="func_type"),
    Case("ops.Custom(3, (2, 3), ms.float32)", raises=TypeError, says="func"),
    Case("ops.Custom('add', (2, 3), ms.float32, 'aot')", raises=TypeError, says="func"),
    Case("ops.Custom('gone.so:f', (2, 3), ms.float32, 'aot')(x)", x=X, raises=RuntimeError),
    Case("ops.Custom(double, (2, 3), ms.float32, 'hybrid')", raises=TypeError, says="kernel"),
    Case("ops.Custom('a', (2, 3), ms.float32, 'aicpu')", raises=ValueError, says="reg"),
    Case("kernel(reg_info=3)", raises=TypeError, says="reg_info"),
    Case("kernel(compile_attrs=3)", raises=TypeError, says="compile_attrs"),
    *each(
        """
        CustomRegOp('my').input(0, 'x').output(0, 'y').dtype_format(DataType.F16_None, DataType.F16_None).get_op_info()
        squared(np.ones((2, 2), np.float32)).tolist()
        sorted(name for name in vars(DataType) if name[0] != '_')
        [DataType.F32_FracNZ, DataType.I8_Default_Tuple, DataType.None_None, DataType.BF16_ND_RNNBIAS]
        ops.AkgGpuRegOp('a').get_op_info()
        ops.AkgAscendRegOp('a').input(0, 'x').output(0, 'y').attr('k', 'required', 'int').get_op_info()
        ops.AiCPURegOp('a').attr('axis', 'int', '1').fusion_type('OPAQUE').get_op_info()
        ops.TBERegOp('a').input(0, 'x', None, 'required', None).output(0, 'y', True, 'required', 'all').get_op_info()
        ops.TBERegOp('a').attr('k', 'required', 'int', 'all').async_flag(True).binfile_name('a.so').get_op_info()
        ops.TBERegOp('a').dynamic_shape(True).need_check_supported(True).is_dynamic_format(True).get_op_info()
        CustomRegOp().attr('k', 'required', 'float', default_value='1.0').get_op_info()
        Scaled(3).attrs
        Scaled(3).init_attrs
        str(Scaled(3))
        Scaled(3)._clone().factor
        Scaled(3, axis=1).get_attr_dict()['axis']
        str(with_attr(ops.Primitive('a')))
        with_attr(ops.Primitive('a')).hidden
        with_data(ops.Primitive('a')).get_user_data('a')
        Scaled(1).infer_dynamic_shape
        Scaled(1).__infer__({'shape': (2,), 'dtype': 'd', 'value': None})
        Checked().__check__({'shape': (2,), 'dtype': 'd', 'value': None})
        str(ops.Primitive('a').shard(((1, 2),)))
        str(ops.Primitive('a').shard())
        str(ops.Primitive('a').set_stage(3))
        ops.get_vm_impl_fn('Twice')(4)
        ops.get_vm_impl_fn('Nothing')
        grad_base.get_bprop_fn('Twice')(1, 2, 3)
        """
    ),
    Case("Checked().__check__({'shape': (2, 2), 'dtype': 'd', 'value': None})", raises=ValueError, says="rank"),
    Case("with_data(ops.Primitive('a')).get_user_data('b')", raises=RuntimeError),
    Case("ops.Primitive('a').none", raises=AttributeError, says="none"),
    Case("ops.Primitive('a')(x)", x=X, raises=RuntimeError),
    Case("ops.Primitive('a').shard([1])", raises=TypeError, says="in_strategy"),
    Case("ops.Primitive('a').shard((1,))", raises=TypeError, says="strategy"),
    Case("ops.Primitive('a').shard(None, ((1,),))", raises=ValueError, says="in_strategy"),
    Case("ops.Primitive('a').place('X', 0)", raises=ValueError, says="role"),
    Case("ops.Primitive('a').place('MS_WORKER', -1)", raises=ValueError, says="rank_id"),
    Case("ops.TBERegOp('')", raises=ValueError, says="op"),
    Case("ops.TBERegOp(1)", raises=ValueError, says="op"),
    Case("CustomRegOp().input('a')", raises=TypeError, says="int"),
    Case("CustomRegOp().dtype_format(DataType.F16_None)", raises=ValueError),
    Case("ops.TBERegOp('a').input(0, 'x', value_depend='zz')", raises=ValueError, says="value_depend"),
    Case("ops.CpuRegOp('a').input(0, 'x').dtype_format(('a',))", raises=ValueError, says="tuple"),
    Case("ops.op_info_register(3)(add)", raises=TypeError, says="op_info"),
]
