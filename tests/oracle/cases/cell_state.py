"""Cells: state dicts and their hooks, buffers, keyword hooks, what a Cell keeps for the compiler, recomputation."""

import copy
import warnings
from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import Case, each, rand


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape), ms.float32)


class Inner(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(ones(2), name="w")
        self.register_buffer("mean", Tensor([1.0, 2.0], ms.float32))
        self.register_buffer("scratch", Tensor([0.0], ms.float32), persistent=False)

    def construct(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return (x * self.w + self.mean) * scale


class Outer(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.p = Parameter(ones(1), name="p")

    def construct(self, x: Tensor) -> Tensor:
        return self.inner(x) * self.p


class Extra(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.state = 1

    def get_extra_state(self) -> dict:
        return {"state": self.state}

    def set_extra_state(self, state: dict) -> None:
        self.state = state["state"]

    def construct(self, x: Tensor) -> Tensor:
        return x


class Failing(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        raise ValueError("no")


class Squared(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")

    def construct(self, x: Tensor, y: Tensor = None) -> Tensor:
        out = ops.exp(x * self.w)
        return out if y is None else out * y


def state_hooks() -> list:
    seen = []
    net = Outer()
    handles = [
        net.register_state_dict_pre_hook(lambda cell, prefix, keep: seen.append(("pre", prefix, keep))),
        net.inner.register_state_dict_pre_hook(lambda cell, prefix, keep: seen.append(("inner pre", prefix, keep))),
        net.inner.register_state_dict_post_hook(
            lambda cell, state, prefix, metadata: seen.append(("inner post", list(state), prefix, metadata))
        ),
    ]
    seen.append(list(net.state_dict(prefix="a.")))
    for handle in handles:
        handle.remove()
    seen.append(list(net.state_dict()))
    return seen


def post_hook_changes() -> list:
    net = Outer()
    net.register_state_dict_post_hook(lambda cell, state, prefix, metadata: state.pop(prefix + "p") and None)
    return list(net.state_dict())


def post_hook_returns() -> object:
    net = Outer()
    net.register_state_dict_post_hook(lambda cell, state, prefix, metadata: state)
    return net.state_dict()


def load_hooks() -> list:
    seen = []
    net = Outer()

    def rename(cell, state, prefix, metadata, strict, missing, unexpected, errors):
        seen.append((prefix, sorted(state), strict, metadata))
        if prefix + "v" in state:
            state[prefix + "w"] = state.pop(prefix + "v")

    handle = net.inner.register_load_state_dict_pre_hook(rename)
    done = net.register_load_state_dict_post_hook(lambda cell, keys: seen.append((list(keys[0]), list(keys[1]))))
    state = net.state_dict()
    state["inner.v"] = Tensor([7.0, 8.0], ms.float32)
    del state["inner.w"]
    found = net.load_state_dict(state)
    handle.remove()
    done.remove()
    return [*seen, found.missing_keys, found.unexpected_keys, str(found), net.inner.w.asnumpy()]


def loading_forgiven() -> list:
    net = Outer()
    net.register_load_state_dict_post_hook(lambda cell, keys: (keys.missing_keys.clear(), None)[1])
    return list(net.load_state_dict({"p": ones(1) * 4})), net.p.asnumpy()


def loaded(strict: bool, **state: object) -> tuple:
    net = Outer()
    values = {name.replace("__", "."): value for name, value in state.items()}
    found = net.load_state_dict(values, strict=strict)
    return found.missing_keys, found.unexpected_keys, str(found), net.p.asnumpy(), net.inner.mean.asnumpy()


def extra() -> tuple:
    cell, other = Extra(), Extra()
    cell.state = 5
    net = nn.SequentialCell(cell)
    state = net.state_dict()
    found = other.load_state_dict(cell.state_dict())
    return list(state), state["0._extra_state"], other.state, list(found)


def saving_overridden() -> tuple:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(ones(1), name="w")
            self.read = None

        def _save_to_state_dict(self, destination, prefix, keep_vars):
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[prefix + "packed"] = ones(1) * 3

        def _load_from_state_dict(self, state_dict, prefix, metadata, strict, missing, unexpected, errors):
            self.read = state_dict.pop(prefix + "packed").asnumpy()
            super()._load_from_state_dict(state_dict, prefix, metadata, strict, missing, unexpected, errors)

    net = nn.SequentialCell(Own(), Own())
    state = net.state_dict()
    found = net.load_state_dict(state)
    return list(state), net[0].read, list(found)


def destination() -> tuple:
    into = OrderedDict()
    returned = Inner().state_dict(destination=into, prefix="q.")
    return returned is into, list(into), hasattr(into, "_metadata"), dict(Outer().state_dict()._metadata)


def shared() -> list:
    net = nn.SequentialCell(Inner())
    net.insert_child_to_cell("again", net[0])
    return list(net.state_dict())


def keyword_hooks(prepend: bool) -> list:
    seen = []
    net = Inner()

    def before(cell, args, kwargs):
        seen.append(("before", len(args), sorted(kwargs)))
        return args, {"scale": 2.0}

    def after(cell, args, kwargs, output):
        seen.append(("after", len(args), sorted(kwargs.items()), output.asnumpy()))
        return output + 1

    handles = [
        net.register_forward_pre_hook(lambda cell, args: seen.append("plain before")),
        net.register_forward_hook(lambda cell, args, output: seen.append("plain after")),
        net.register_forward_pre_hook(before, with_kwargs=True, prepend=prepend),
        net.register_forward_hook(after, with_kwargs=True, prepend=prepend),
    ]
    seen.append(net(ones(2), scale=1.0).asnumpy())
    for handle in handles:
        handle.remove()
    seen.append(net(ones(2)).asnumpy())
    return [*seen, len(net._forward_hook), len(net._forward_pre_hook_with_kwargs)]


def wrong_keyword_hook() -> object:
    net = Inner()
    net.register_forward_pre_hook(lambda cell, args, kwargs: args, with_kwargs=True)
    return net(ones(2))


def always_called(always: bool) -> list:
    seen = []
    net = Failing()
    net.register_forward_hook(lambda cell, args, output: seen.append(output), always_call=always)
    try:
        net(ones(1))
    except ValueError as error:
        seen.append(str(error))
    return seen


def hooked(doubles: bool, before: float, after: float) -> tuple:
    """What hooks around one call see of gradients, where a hook changes the output and others the gradients."""
    seen = []
    net = nn.ReLU()
    net.register_forward_hook(lambda cell, args, output: output + output if doubles else None)
    net.register_backward_pre_hook(lambda cell, outer: (seen.append(outer), (outer[0] * before,))[1])
    net.register_backward_hook(lambda cell, inner, outer: (seen.append((inner, outer)), (inner[0] * after,))[1])
    return ms.grad(net)(ones(2)), seen


def scopes() -> list:
    net = nn.SequentialCell(nn.Dense(1, 1), nn.SequentialCell(nn.ReLU()))
    before = net[0].get_scope()
    net.generate_scope()
    names = [name for name, _ in net._children_scope_recursive()]
    return [before, net.get_scope(), net[0].get_scope(), net[1][0].get_scope(), names]


def local_names() -> list:
    net = Outer()
    net._user_parameters = ["p"]
    net._update_local_parameters_name("pre.")
    return [p.name for p in net.get_parameters()]


def applied() -> list:
    net = Outer()
    before = net.inner.w
    returned = net._apply(lambda tensor: tensor * 3)
    return [returned is net, net.inner.w is before, net.inner.w.asnumpy(), net.inner.mean.asnumpy(), net.p.asnumpy()]


def packed(x: Tensor) -> list:
    seen = []

    def pack(tensor):
        seen.append("pack")
        return tensor.asnumpy() * 2

    def unpack(array):
        seen.append("unpack")
        return Tensor(array)

    def square(x):
        with ms.saved_tensors_hooks(pack, unpack):
            return ops.exp(x)

    return ms.value_and_grad(square)(x), seen


def packed_outside(x: Tensor) -> list:
    seen = []
    with ms.saved_tensors_hooks(seen.append, seen.append):
        y = ops.exp(x)
    return [len(seen), y]


def packed_cell(x: Tensor) -> list:
    seen = []
    net = Squared()
    net.register_saved_tensors_hooks(lambda t: t.asnumpy() * 2, lambda a: (seen.append(1), Tensor(a))[1])
    return ms.grad(net)(x), len(seen) > 0, net(x)


def recomputed(x: Tensor, **arguments: object) -> tuple:
    net = Squared()
    return ms.value_and_grad(lambda x: ms.recompute(net, x, **arguments).sum(), 0, net.trainable_params())(x)


def recomputed_function(x: Tensor, **arguments: object) -> tuple:
    return ms.value_and_grad(lambda x: ms.recompute(ops.exp, x, **arguments))(x)


def recomputed_cell(x: Tensor, **arguments: object) -> tuple:
    net = Squared()
    net.recompute(**arguments)
    return ms.value_and_grad(net, 0, net.trainable_params())(x)


def phases() -> list:
    net = Outer()
    found = [net.phase]
    net.set_train(False)
    found += [net.phase, net.inner.phase]
    net.set_train()
    found += [net.phase]
    net.phase = "mine"
    return [*found, net.phase, net.inner.phase]


def assigned(name: str, value: object) -> object:
    net = Outer()
    setattr(net, name, value)
    return getattr(net, name)


def precision(dtype: object) -> list:
    net = Outer()
    before = str(net.get_mixed_precision_type()), net.mixed_precision_type
    net.to_float(dtype)
    return [before, str(net.mixed_precision_type), str(net.inner.get_mixed_precision_type())]


def deleted() -> list:
    net = Inner()
    del net.mean
    return [list(net.state_dict()), hasattr(net, "mean"), list(net._buffers)]


def extended() -> nn.CellList:
    cells = nn.CellList([Inner()])
    cells += [Inner(), Inner()]
    return cells


def asked_for_gradients() -> list:
    net = nn.SequentialCell(nn.CellList([Inner(), nn.SequentialCell(Inner())]), nn.SequentialCell(Outer()))
    net.set_grad()
    return [(name, cell.requires_grad) for name, cell in net.cells_and_names()]


def copied() -> list:
    net = copy.deepcopy(Squared().to_float(ms.float16))
    return net(ones(2)), str(net.mixed_precision_type)


def copied_hook() -> Tensor:
    net = Squared()
    net.register_forward_hook(lambda cell, args, output: output * 0)
    return copy.deepcopy(net)(ones(2))


def dumped(enabled: bool) -> list:
    net = nn.SequentialCell(Inner())
    with warnings.catch_warnings(action="ignore"):  # there is no Ascend
        ms.set_dump(net, enabled)
        relu = ops.ReLU()
        ms.set_dump(relu, enabled)
    return [net.dump, net[0].dump, relu.attrs["dump"]]


def none_buffer() -> list:
    net = Inner()
    net.mean = None
    return [list(net.state_dict()), net.mean]


def duplicated_buffers() -> list:
    net = nn.SequentialCell(Inner(), Inner())
    net[1]._buffers["mean"] = net[0]._buffers["mean"]
    return [
        [name for name, _ in net.named_buffers()],
        [name for name, _ in net.named_buffers("pre")],
        [name for name, _ in net.named_buffers(remove_duplicate=False)],
        [name for name, _ in net.named_buffers(recurse=False)],
    ]


CASES = [
    *each("""
        hooked(False, 3.0, 1.0)
        hooked(True, 1.0, 1.0)
        hooked(True, 3.0, 5.0)
        state_hooks()
        post_hook_changes()
        load_hooks()
        loading_forgiven()
        loaded(False, q=ones(1))
        loaded(False, p=ones(1) * 2, inner__mean=ones(2) * 5, inner__more__x=ones(1))
        loaded(True, p=ones(1), inner__w=ones(2), inner__mean=ones(2) * 5)
        extra()
        dumped(True)
        dumped(False)
        saving_overridden()
        destination()
        shared()
        keyword_hooks(False)
        keyword_hooks(True)
        always_called(True)
        always_called(False)
        scopes()
        local_names()
        applied()
        phases()
        deleted()
        none_buffer()
        duplicated_buffers()
        list(Outer()._named_members(lambda cell: cell._params.items()))[1][0]
        list(Inner().state_dict())
        Inner().get_buffer("mean"), Outer().get_buffer("inner.scratch")
        list(Outer()._buffers), list(Inner()._buffers), sorted(Inner()._non_persistent_buffers_set)
        bool(nn.CellList()), bool(nn.SequentialCell()), bool(Inner())
        Inner()._get_name(), Inner().cls_name
        asked_for_gradients()
        len(extended())
        [copied(), copied_hook()]
        (lambda net: net.set_train().get_flags())(Inner())
        [name for name, _ in Outer().cells_and_names(name_prefix="x")]
        Inner()._cell_tag.rpartition(".")[2]
        Inner().set_broadcast_flag().broadcast_flag, Inner().set_broadcast_flag(False).get_flags()
        Inner().set_data_parallel()
        Inner().set_boost("less_bn").less_bn
        Outer().set_boost("less_bn").inner.less_bn
        sorted(Inner().exist_names), sorted(Inner().exist_objs)
        Inner().compiled, Inner().compile_phase, sorted(Inner().compile_cache), Inner().phase_cache
        Inner().is_top_cell, Inner().has_bprop, Inner().grad_ops_label, Inner().cell_type, Inner().arguments_key
        assigned("cell_type", "x"), assigned("compile_phase", "x")
        assigned("parallel_parameter_name_list", ["x"]), Inner().parallel_parameter_name_list
        assigned("parallel_parameter_merge_net_dict", {1: 2}), Inner().parallel_parameter_merge_net_dict
        assigned("parameter_layout_dict", {1: 2}), Inner().parameter_layout_dict
        assigned("pipeline_segment", 1), assigned("pipeline_stage", 1)
        assigned("cell_init_args", "a")
        (lambda c: (c.update_cell_type("quant"), c.cell_type))(Inner())
        precision(ms.float16)
        precision(ms.bfloat16)
        precision(ms.float32)
        isinstance(Inner().create_time, int)
        Inner().remove_redundant_parameters()
        Inner()._get_cell_parallel_mode()
        Inner()._check_construct_args(1), Inner()._check_construct_args(1, 2)
        nn.Cell.IGNORE_LIST
        nn.Cell.T_destination.__name__
        Inner()._get_prims_recursively()
        list(Inner()._construct_sig.parameters)
        Inner()._init_check(), Inner()._self_check()
    """),
    *each(
        """
        packed(x)
        packed_outside(x)
        packed_cell(x)
        recomputed(x)
        recomputed(x, use_reentrant=False)
        recomputed(x, use_reentrant=False, early_stop=False)
        recomputed(x, output_recompute=True)
        recomputed(x, y=Tensor([2.0, 2.0], ms.float32), use_reentrant=False)
        recomputed_function(x, use_reentrant=False)
        recomputed_cell(x)
        recomputed_cell(x, use_reentrant=False)
        recomputed_cell(x, mp_comm_recompute=True, parallel_optimizer_comm_recompute=False)
        ms.recompute(Squared(), x)
    """,
        x=rand(2),
    ),
    Case("recomputed_function(x)", x=rand(2), raises=TypeError),
    Case("ms.recompute(Squared(), x, context_fn=lambda: None)", x=rand(2), raises=ValueError),
    Case("recomputed_cell(x, mp_comm_recompute=1)", x=rand(2), raises=TypeError),
    Case("ms.set_dump(3)", raises=ValueError),
    Case("ms.set_dump(Inner(), 1)", raises=ValueError, says="enabled"),
    Case("post_hook_returns()", raises=RuntimeError, says="post-hook"),
    Case("wrong_keyword_hook()", raises=RuntimeError),
    Case("Outer().load_state_dict([1])", raises=TypeError, says="list"),
    Case("Outer().load_state_dict({})", raises=RuntimeError, says="inner.w"),
    Case("loaded(True, p=ones(1), inner__w=ones(2), inner__mean=ones(2), z=ones(1))", raises=RuntimeError, says="z"),
    Case("loaded(False, p=ones(3))", raises=RuntimeError, says="p"),
    Case("loaded(False, p=np.ones(1))", raises=RuntimeError, says="p"),
    Case("Inner().state_dict(destination=[])", raises=TypeError, says="destination"),
    Case("Inner().state_dict(prefix=1)", raises=TypeError, says="prefix"),
    Case("Inner().state_dict(keep_vars=1)", raises=TypeError, says="keep_vars"),
    Case("Inner().get_extra_state()", raises=RuntimeError),
    Case("Inner().set_extra_state(1)", raises=RuntimeError),
    Case("Inner().pipeline_stage", raises=AttributeError, says="pipeline_stage"),
    Case("Inner().get_buffer('w')", raises=AttributeError, says="w"),
    Case("Inner().get_buffer('z')", raises=AttributeError, says="z"),
    Case("Inner().get_buffer('z.z')", raises=AttributeError, says="z"),
    Case("Inner().set_boost('more')", raises=ValueError, says="less_bn"),
    Case("Inner()._check_construct_args()", raises=TypeError),
    Case("Inner()._check_construct_args(1, 2, 3)", raises=TypeError),
    *(
        Case(f"assigned({name!r}, {value})", raises=TypeError)
        for name, value in {
            "phase": 1,
            "compile_phase": 1,
            "cell_init_args": 1,
            "parallel_parameter_name_list": "()",
            "parallel_parameter_merge_net_dict": "[]",
            "parameter_layout_dict": "[]",
            "pipeline_segment": True,
            "_user_parameters": "()",
        }.items()
    ),
    Case("assigned('pipeline_segment', -1)", raises=ValueError),
]
