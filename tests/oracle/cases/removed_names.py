"""Names that earlier releases published and later ones no more: what they are, and what they returned."""

import mindspore as ms
from mindspore import Tensor, nn, ops  # noqa: F401

from tests.oracle.case import Case
from tests.oracle.cases._tried import tried, tries  # noqa: F401

X = Tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], ms.float32)
Y = Tensor([[1.5, 2.0, -1.0], [0.5, 1.25, 3.0]], ms.float32)
N = Tensor([6, 3, 9], ms.int32)


def product(x, y):
    return x * y


def coo(*values):
    places = Tensor([[0, 1], [1, 2]], ms.int64)
    return ms.COOTensor(places, Tensor(values, ms.float32), (2, 3))


def described(matrix):
    return matrix.indices, matrix.values, matrix.shape


def members(owner, names):
    return [name for name in names.split() if hasattr(owner, name)]


# ruff: noqa: E501
EXPRESSIONS = """
str(ops.LJEnergy(3, 1.0)); str(ops.operations.BondForce(2, atom_numbers=4)); str(ops.FFT3D()); str(ops.Constrain(3, 2, 4, 0.5)); ops.TransferCrd(0, 3, 3, 9).number
str(ops.IsInstance()); ops.IsInstance()(1, ms.int32); ops.isinstance_(X, ms.common.dtype.tensor_type); ops.isinstance_(1.0, ms.float32)
ops.IsSubClass()(ms.int32, ms.common.dtype.int_); ops.issubclass_(ms.int32, ms.common.dtype.float_); ops.functional.issubclass_(ms.float16, ms.float16)
ops.SameTypeShape()(X, X); ops.same_type_shape(X, X); ops.functional.same_type_shape(N, N)
str(ops.CheckBprop()); str(ops.CheckBprop('here')); str(ops.check_bprop); str(ops.functional.check_bprop)
members(nn.Cell, 'auto_cast_inputs auto_parallel_compile_and_run cast_param exec_checkpoint_graph flatten_weights infer_param_pipeline_stage')
members(nn.Cell, 'load_parameter_slice place set_auto_parallel set_parallel_input_with_inputs set_param_fl set_param_ps')
members(Tensor, 'asnumpy_of_slice_persistent_data'); members(ms.Parameter(Tensor([1.0]), name='p'), 'is_param_ps set_param_ps'); str(nn.Cell().cast) if hasattr(nn.Cell(), 'cast') else None
ops.neg_tensor(X); str(ops.neg_tensor); ops.functional.neg_tensor(N)
ops.pack((X, X)); ops.functional.pack((N, N))
ops.fill_(ms.float32, (2,), 1); str(ops.fill_)
ops.random_shuffle(N).shape; ops.random_shuffle(N, 1, 2).dtype; ops.functional.random_shuffle(x=N, seed=3, seed2=4).shape
described(ops.sparse_add(coo(1, 2), coo(3, 4), Tensor(0.0, ms.float32))); described(ops.sparse_concat((coo(1, 2), coo(3, 4)), 0))
ops.reduce_prod(X); ops.reduce_prod(X, 0); str(ops.reduce_prod)
ops.print_info('seen'); str(ops.PullWeight()); str(ops.PushWeight())
ops.AllSwap().group; str(ops.env_add); str(ops.env_getitem); str(ops.env_setitem); str(ops.MakeRefKey('a'))
ops.grad_all_parameters(product)(X, Y); ops.grad_first_parameter(product)(X, Y)
str(ops.sparse_tensor_get_values); str(ops.sparse_tensor_get_indices); str(ops.sparse_tensor_get_dense_shape)
str(ops.FusedBatchNorm(1))
ms.common.initializer.initializer('ones', [2, 2], ms.float32).to_tensor(); Tensor(shape=(3,), dtype=ms.int32, init=ms.common.initializer.Zero()).to_tensor(0)
nn.Cell().support_non_tensor_inputs; nn.Cell.CellGuard.__name__; nn.FeedForward.__name__; nn.MultiHeadAttention.__name__
members(nn.Cell, 'auto_parallel_compile_and_run cast_param exec_checkpoint_graph load_parameter_slice set_auto_parallel set_parallel_input_with_inputs set_param_ps')
members(Tensor, 'exp2 is_contiguous_'); members(ms.Parameter, 'set_param_ps')
ops.vmap_instance(ops.abs)(X); ops.Rel.EQ.name; ops.validator.__name__
""".strip().splitlines()

# some releases have a part of a line alone: each is tried by itself
CASES = [Case(tries(one)) for line in EXPRESSIONS for one in line.split("; ")]
