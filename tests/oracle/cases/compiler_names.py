"""What MindSpore's compiler makes of Python's forms, and small names around it."""

from mindspore import Parameter, Tensor, jit, nn, ops
from mindspore.common import dtype
from mindspore.ops import composite, functional
from mindspore.ops.composite import multitype_ops
from mindspore.ops.operations.manually_defined import ops_def

from tests.oracle.case import Case, each, rand

F, C, mstype = functional, composite, dtype
multi, fold = multitype_ops, ops_def
INT, FLOAT32, FLOAT16 = 35, 43, 42
PARAMETER = Parameter(Tensor([1.0, 2.0]), name="p")


def square(a, b):
    return a * a * b


def with_aux(a, b):
    return a * a * b, a


@jit
def iterated(a):
    return C.iter_converter((1, 2)), C.iter_converter({"a": 1, "b": 2}), C.iter_converter(a), C.iter_converter("abc")


@jit
def first_and_rest(a):
    return C.ms_next((1, 2)), C.ms_next(a)


@jit
def whether_next(a):
    return C.ms_hasnext((1, 2)), C.ms_hasnext(()), C.ms_hasnext(a)


@jit
def of_no_environment():
    return C.env_get(F.environ_create(), PARAMETER)


@jit
def chosen(condition, a):
    return F.switch(condition, a, a + 1), F.switch(False, 1, 2)


RELU, SIGMOID = nn.ReLU(), nn.Sigmoid()


@jit
def chosen_layer(index, a):
    return F.switch_layer(index, (RELU, SIGMOID))(a)


@jit
def ones_of(a):
    return ops._ones_like_for_grad((a, 3)), ops._ones_like_for_grad(2.5), ops._ones_like_for_grad("a")


class Counted(nn.Cell):
    pass


def counted():
    before = nn.Cell.total_instance_count
    cells = [Counted() for _ in range(3)]
    during = nn.Cell.total_instance_count
    del cells
    return during - before, nn.Cell.total_instance_count - before, len(nn.Cell.global_cells)


def replaced_buffer():
    handle = nn.cell.register_cell_buffer_registration_hook(lambda cell, name, tensor: tensor * 2)
    cell = nn.Cell()
    cell.register_buffer("b", Tensor([1.0, 2.0]))
    handle.remove()
    cell.register_buffer("c", Tensor([1.0, 2.0]))
    return cell.b, cell.c


X, Y = rand(2, 3), rand(2, 3)
CASES = [
    *each(
        """
        F.hastype(x, mstype.tensor_type)
        F.hastype(x, mstype.float32)
        F.hastype(x, mstype.number)
        F.hastype(3, mstype.int64)
        F.hastype(3, mstype.int32)
        F.hastype(3, mstype.number)
        F.hastype(3.0, mstype.number)
        F.hastype(3.0, mstype.float32)
        F.hastype(True, mstype.bool_)
        F.hastype(True, mstype.number)
        F.hastype((1, 2), mstype.tuple_)
        F.hastype([1, 2], mstype.list_)
        F.hastype((1, 2), mstype.list_)
        iterated(x)
        first_and_rest(x)
        whether_next(x)
        ones_of(x)
        ops._ones_like_for_grad((x, 3, True, None))
        ops._add_attr(square, a=1)(x, x)
        ops._Vmap()(square)(x, x)
        nn.wrap.cell_wrapper.grad_scale(Tensor(2.0), x * 1)
        """,
        x=X,
    ),
    *each(
        """
        F.hastype('a', mstype.string)
        F.hastype(None, mstype.type_none)
        ops._Grad(get_by_position=True)(square, None, 1)(Tensor([1.0]), Tensor([2.0]))
        """,
        raises=RuntimeError,
    ),
    Case("of_no_environment()"),
    Case("chosen(Tensor(True), x)", x=X),
    Case("chosen(Tensor(False), x)", x=X),
    Case("chosen_layer(Tensor(1, ms.int32), x)", x=X),
    Case("chosen_layer(Tensor(0, ms.int32), x)", x=X),
    Case("F.switch_layer(1, (RELU, SIGMOID))", raises=TypeError),
    *each(
        """
        F.is_tensor_bool_cond(Tensor(True))
        F.is_tensor_bool_cond(Tensor([2.5]))
        F.SliceGetItem(slice(1, 5, 2), 'stop')
        F.DtypeToEnum()('a', 'b', ms.float16)
        ops.DtypeToEnum()('a', 'b', ms.int32)
        counted()
        replaced_buffer()
        ms.mindio_preload('a')
        nn.optim.adafactor.trans_to_tensor(3)
        nn.optim.adafactor.trans_to_tensor((1, 2.5), True, False)
        nn.optim.adafactor.trans_to_tensor(True)
        str(ops.GetNext([ms.float32], [(2,)], 1, 'q'))
        str(ops.GeSwitch()), str(ops.Merge())
        ops.GradOperation().set_signatures([])
        """
    ),
    Case("F.is_tensor_bool_cond(x)", x=X, raises=ValueError),
    Case("F.is_tensor_bool_cond(3)", raises=TypeError),
    Case("F.is_dynamic_sequence_element_unknown((1, 2))", raises=TypeError),
    Case("F.array_to_scalar(x)", x=X, raises=RuntimeError),
    Case("F.merge((x, x))", x=X, raises=NotImplementedError),
    Case("F.geswitch(x, Tensor(True))", x=X, raises=NotImplementedError),
    Case("ops.DtypeToEnum()('a', 'b', 3)", raises=TypeError, says="'a'"),
    Case("ops._add_attr(3)", raises=TypeError),
    Case("ops._add_attr(ops.ReLU())", raises=TypeError),
    Case("P.GetNext([ms.float32], [(2,)], 1, 'q')()", raises=RuntimeError),
    Case("nn.GetNextSingleOp([ms.float32], [(2,)], 'q')()", raises=RuntimeError),
    *each(
        "str(P.Pull())\nstr(P.Push('Adam', [1]))\nrepr(P.GeSwitch())\nrepr(P.Merge())\nrepr(P.GetNext([], [], 0, 'a'))"
    ),
    Case("P.GeSwitch()(x, Tensor(True))", x=X, raises=NotImplementedError),
    Case("P.Merge()((x, x))", x=X, raises=NotImplementedError),
    Case("P.GetNext(3, [], 0, 'a')", raises=TypeError),
    Case("P.Pull()(x, x)", x=X, raises=RuntimeError),
    Case("P.Push()((x, x), (x, x))", x=X, raises=RuntimeError),
    *each(
        """
        ops._Grad()(square)(x, y)
        ops._Grad(get_all=True)(square)(x, y)
        ops._Grad(get_by_position=True)(square, None, (0,))(x, y)
        ops._Grad(get_by_position=True)(square, None, (0, 1))(x, y)
        ops._Grad(get_by_position=True, get_value=True)(square, None, (0,))(x, y)
        ops._Grad(get_by_position=True, has_aux=True)(with_aux, None, (0,))(x, y)
        ops._Grad(get_by_position=True, has_aux=True, get_value=True)(with_aux, None, (0,))(x, y)
        ops._Grad(get_by_position=True, return_ids=True)(square, None, (0, 1))(x, y)
        ops._Grad(sens_param=True)(square)(x, y, x + y)
        ops._Grad(sens_param=True, get_by_position=True)(square, None, (1,))(x, y, x + y)
        """,
        x=X,
        y=Y,
    ),
    Case("ops._Grad(get_by_position=1)", raises=TypeError, says="get_by_position"),
    Case("ops._Grad(has_aux=None)", raises=TypeError, says="has_aux"),
    Case("ms.mindio_preload(3)", raises=TypeError),
    Case("ms.set_mindio_server_info(0)", raises=ValueError),
    Case("ms.set_mindio_server_info('1')", raises=TypeError),
    Case("ms.TrainFaultTolerance()", raises=ValueError, says="ckpt_save_path"),
    Case("ms.TrainFaultTolerance('a')", raises=ValueError, says="MS_ENABLE_TFT"),
    *each(
        """
        multi.add_impl.default_add(1, 2)
        multi.add_impl.default_add('a', 'b')
        multi.bitwise_xor_impl.default_bitwsie_xor(3, 1)
        multi.in_impl.default_in(1, (1, 2))
        multi.logical_not_impl.default_logical_not(0)
        multi.ones_like_impl.default_ones_like_leaf_for_grad(3)
        multi.pow_impl.default_pow(2, 5)
        """
    ),
    *each(
        """
        fold.infer_value_for_Tile(x, (2, 1))
        fold.infer_value_for_Tile(None, (2, 1))
        fold.infer_value_for_EqualExt(x, x)
        fold.infer_value_for_EqualExt(x, y)
        fold.infer_value_for_Concat([x, y], 1)
        fold.infer_value_for_GatherD(x, 1, Tensor([[0, 2], [1, 1]]))
        fold.infer_value_for_Softmax(x, 1)
        fold.infer_value_for_Softmax(x, (0, 1))
        fold.infer_value_for_ReduceSum(x, (0,), True, False)
        fold.infer_value_for_ReduceSum(x, (), False, True)
        fold.infer_value_for_ReduceSum(x, (), False, False)
        fold.infer_value_for_ReduceSum(x, None, False, False)
        fold.infer_value_for_ReduceMax(x, 1, False)
        fold.infer_value_for_ReduceMin(x, (0, 1), True)
        fold.infer_value_for_ReduceMean(x, (), False)
        fold.infer_value_for_ReduceProd(x, 0, True)
        fold.infer_value_for_ReduceAll(x > 0, 0, True)
        fold.infer_value_for_ReduceAny(x > 0, (), True)
        fold.infer_value_for_MeanExt(x, None, False, None)
        fold.infer_value_for_SumExt(x, 1, True, FLOAT16)
        fold.infer_value_for_ProdExt(x, (0,), False, None)
        fold.infer_value_for_Max(x)
        fold.infer_value_for_Min(x)
        Tensor(fold.infer_value_for_Cast(x, INT))
        fold.infer_value_for_Cast(3, FLOAT32)
        fold.infer_value_for_LinalgVectorNorm(x, 3.0, 1, True, None)
        fold.infer_value_for_LinalgVectorNorm(x, 0, None, False, None)
        fold.infer_value_for_LpNormV2(x, 2, 1)
        fold.infer_value_for_Svd(x, False, False)[0]
        fold.infer_value_for_Div(x, y + 5)
        fold.infer_value_for_Divs(x, 4)
        fold.infer_value_for_Divs(Tensor(3), 4)
        fold.infer_value_for_DivMod(x, y + 5, 1)
        fold.infer_value_for_DivMod(x, y + 5, 2)
        fold.infer_value_for_DivMod(x, y + 5, 0)
        fold.infer_value_for_DivMods(x, 3, 2)
        fold.infer_value_for_Diag(x[0])
        fold.infer_value_for_Diag(x)
        fold.infer_value_for_BroadcastTo(x, (2, -1, 3))
        fold.infer_value_for_BroadcastTo(x, (4, None))
        fold.infer_value_for_Reshape(x, (3, -1))
        fold.infer_value_for_Reshape(x, Tensor([6]))
        """,
        x=X,
        y=Y,
    ),
    *each(
        """
        fold.infer_value_for_Arange(0, 5, 2)
        fold.infer_value_for_Arange(0, 1.5, 0.5)
        fold.infer_value_for_Arange(0, 5, 2, FLOAT16)
        fold.infer_value_for_Arange(None, 5, 2)
        """
    ),
    Case("fold.infer_value_for_Reshape(x, (4, -1, -1))", x=X, raises=ValueError),
    Case("fold.infer_value_for_Reshape(x, (4, 2))", x=X, raises=ValueError),
    Case("fold.infer_value_for_Reshape(x, 6)", x=X, raises=TypeError),
]
