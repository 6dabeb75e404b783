"""Tensors, Parameters and generators: attributes and methods by which libraries read and mark them."""

import copy
import pickle

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor
from mindspore.common.initializer import One
from mindspore.common.seed import _get_graph_seed

from tests.oracle.case import Case, arange, each


def weight(**settings: object) -> Parameter:
    return Parameter(Tensor([1.0, 2.0], ms.float32), **settings)


def marked() -> Parameter:
    p = weight(name="p", requires_grad=False, layerwise_parallel=True, parallel_optimizer=False)
    p.comm_fusion, p.cache_enable, p.cache_shape, p.key, p.sliced, p.unique = 3, True, (4, 5), 7, True, True
    p.parallel_optimizer_comm_recompute = True
    return p


def marks(p: Parameter) -> list:
    return [
        *(p.name, p.requires_grad, p.layerwise_parallel, p.parallel_optimizer, p.comm_fusion, p.cache_enable),
        *(list(p.cache_shape), p.parallel_optimizer_comm_recompute),
    ]


def set_to(name: str, value: object) -> object:
    p = weight()
    setattr(p, name, value)
    return getattr(p, name)


def information(p: Parameter) -> list:
    info = p.param_info
    return [
        *(info.name, info.requires_grad, info.layerwise_parallel, info.parallel_optimizer, info.comm_fusion),
        *(info.cache_enable, info.obj is p, info.is_param_init, info.is_pipeline_shared_param, info.requires_aggr),
        info.parameter_shape,
    ]


def renamed_by_info() -> list:
    p = weight(name="a")
    p.param_info.name, p.param_info.comm_fusion = "b", 5
    return [p.name, p.comm_fusion, p.param_info.clone().name]


def marked_tensor() -> list:
    t = Tensor([1.0])
    found = [t.const_arg, t.delta_seed, t.index_of_parent_, t.init, t.init_finished, t.init_flag, t.is_meta]
    found += [t.param_info, t.parent_tensor_, t.symbolic_shape, t.virtual_flag, t.is_init(), t.offload_file_path()]
    t.set_init_flag(True)
    return [*found, t.init_flag, t.is_init(), t.wait_pipeline(), t.set_cast_dtype(ms.float16), t.hooks()]


def constant() -> list:
    return [Tensor(1, const_arg=True).const_arg, ms.tensor(1, const_arg=True).const_arg]


def user_data() -> list:
    t = Tensor([1.0])
    t._set_user_data("a", 5)
    return [t._get_user_data("a"), t._get_user_data("b")]


def assigned_by_cpp() -> list:
    t = Tensor([1.0, 2.0], ms.float32)
    other = t
    returned = t.assign_value_cpp(Tensor([5.0, 6.0], ms.float32))
    return [other, returned is t]


def augmented_method(name: str, t: Tensor) -> list:
    before = t.asnumpy().copy()
    result = getattr(t, name)(2)
    return [result, result is t, bool((t.asnumpy() == before).all())]


def inside(name: str) -> object:
    seen = []

    def fn(x: Tensor) -> Tensor:
        y = x * 2
        seen.append(getattr(y, name))
        return y

    ms.grad(fn)(Tensor([1.0], ms.float32))
    return seen[0]


def swapped() -> list:
    a, b = Tensor([1.0], ms.float32), Tensor([[2, 3]], ms.int32)
    returned = ms.swap_tensors(a, b)
    return [a, b, returned]


def swapped_parameters() -> list:
    a, b = weight(name="a"), Parameter(Tensor([[5]], ms.int32), name="b")
    ms.swap_tensors(a, b)
    return [a.name, b.name, a.asnumpy(), b.asnumpy()]


def draws_again() -> list:
    generator = ms.Generator()
    generator.manual_seed(5)
    seed, state = generator.initial_seed(), generator.get_state()
    other = generator.seed()
    generator.set_state(state)
    return [seed, isinstance(other, int), generator.initial_seed(), generator.manual_seed(3) is generator]


def defaults_share() -> list:
    ms.manual_seed(11)
    first = ms.default_generator.initial_seed()
    state = ms.get_rng_state()
    ms.default_generator.manual_seed(12)
    found = [first, ms.initial_seed(), isinstance(ms.seed(), int)]
    ms.set_rng_state(state)
    return [*found, ms.initial_seed()]


def graph_seeds() -> list:
    ms.set_seed(3)
    found = [_get_graph_seed(5, "a"), _get_graph_seed(5, "a"), _get_graph_seed(5, "b"), _get_graph_seed(0, "a")]
    ms.set_seed(0)
    return [*found, _get_graph_seed(0, "c")]


def deep_copied(p: Parameter) -> Parameter:
    return copy.deepcopy(p)


def several() -> ParameterTuple:
    return ParameterTuple([weight()])


def filled() -> Tensor:
    return Tensor(shape=(2, 2), dtype=ms.float32, init=One())


def pickled(p: Parameter) -> Parameter:
    return pickle.loads(pickle.dumps(p))


CASES = [
    *each(
        """
        marks(weight(name='w'))
        marks(marked())
        marks(marked().clone())
        marks(deep_copied(marked()))[:2]
        marks(pickled(marked()))[:3]
        marked().clone().key >= 0, marked().clone().is_init
        marked().sliced, marked().unique, marked().key, marked().cache_shape
        information(weight(name='w'))
        information(marked())
        renamed_by_info()
        weight().is_init, weight().init_mode, weight().inited_param, weight().sliced, weight().is_in_parallel
        weight().init, weight().has_init, weight().init_flag, weight().requires_aggr, weight().key, weight().unique
        weight(name='  w ').name, weight(name='  ').name.startswith('Parameter')
        graph_seeds()
        set_to('comm_fusion', 0), set_to('cache_shape', [1]), set_to('key', 4), set_to('sliced', 'x')
        weight().add_pipeline_stage(1)
        weight().__parameter__(), several().__parameter_tuple__()
        weight()._get_init_data_args()
        weight().init_data(layout=None, set_sliced=True).sliced
        weight().set_data(Tensor([5.0, 6.0], ms.float32)).asnumpy(), weight().set_data(3).asnumpy()
        weight().set_data(3, True).sliced
        weight().set_data(Tensor([5, 6], ms.int32)).asnumpy()
        weight()._update_tensor_data(Tensor([7.0, 8.0], ms.float32)).asnumpy()
        marked_tensor()
        constant()
        user_data()
        assigned_by_cpp()
        swapped()
        swapped_parameters()
        draws_again()
        defaults_share()
        filled().init_data().init
        inside('_requires_grad'), inside('_is_leaf')
        ms.frombuffer(bytearray(b'\\x01\\x02\\x03\\x04'), dtype=ms.int16)
        ms.frombuffer(bytearray(b'\\x01\\x02\\x03\\x04'), dtype=ms.uint8, count=2, offset=1)
        ms.hifloat8, ms.qint4x2, ms.Int.__name__
        ms.common.dtype.dtype_to_nptype(ms.bfloat16).__name__
        """
    ),
    *each(
        """
        t._item if False else t._tolist()
        t._itemsize, t._nbytes, t._size, t._strides, t._shape, t._dtype
        t._is_leaf, t._requires_grad, t._retains_grad, t._grad, t._grad_node, t._output_index, t._version
        t._numpy_non_blocking()
        t._load()
        t._has_auto_grad()
        Tensor.from_dlpack(t.to_dlpack())
        ms.utils.dlpack.from_dlpack(ms.utils.dlpack.to_dlpack(t))
        t._getitem(0), t._getitem_origin(0)
        t[0:1]._item() if t[0:1].size == 1 else 0
        augmented_method('__iadd__', t)
        augmented_method('__isub__', t)
        augmented_method('__imul__', t)
        augmented_method('__itruediv__', t)
        augmented_method('__ifloordiv__', t)
        augmented_method('__imod__', t)
        t._data_ptr() == t._data_ptr(), isinstance(t._data_ptr(), int)
        """,
        t=arange(2, 3),
    ),
    *(
        Case(f"set_to({name!r}, {value})", raises=error)
        for name, value, error in (
            ("comm_fusion", -1, ValueError),
            ("comm_fusion", "'a'", TypeError),
            ("parallel_optimizer_comm_recompute", 1, TypeError),
            ("layerwise_parallel", 1, TypeError),
            ("parallel_optimizer", 1, TypeError),
            ("cache_enable", 1, TypeError),
            ("cache_shape", 1, TypeError),
            ("key", "'a'", TypeError),
            ("requires_grad", 1, TypeError),
        )
    ),
    Case("weight().add_pipeline_stage(-1)", raises=TypeError),
    Case("weight().set_data([1.0, 2.0])", raises=TypeError),
    Case("Parameter(Tensor([1], ms.int32)).set_data(1.5)", raises=TypeError),
    Case("weight()._get_init_data_args([1])", raises=TypeError),
    Case("weight()._get_init_data_args((1,))", raises=ValueError),
    Case("weight()._raise_type_error(ms.float16)", raises=TypeError),
    Case("Tensor([1.0])._retain_grad()", raises=RuntimeError),
    Case("Tensor([1.0]).set_device_address(1, [1], ms.float32)", raises=RuntimeError),
    Case("ms.Generator().manual_seed(1.5)", raises=TypeError, says="eed"),
    Case("ms.frombuffer('abc')", raises=TypeError),
    Case("ms.frombuffer(b'abcd', dtype=ms.int16, offset=9)", raises=RuntimeError),
    Case("ms.swap_tensors(Tensor([1.0]), 1)", raises=TypeError),
]
