"""What shares memory with a Parameter: what was taken of it, by every way of changing it, in both modes."""

import copy
import pickle
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer
from mindspore.ops import operations as P

from tests.oracle.case import each


def floats(*numbers: float) -> Tensor:
    return Tensor(np.array(numbers, np.float32))


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(floats(1, 2, 3, 4), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return (x * self.w).sum()


class Alone(nn.Cell):
    def __init__(self, w: Parameter) -> None:
        super().__init__()
        self.w = w

    def construct(self) -> object:
        return self.w


class InTuple(Alone):
    def construct(self) -> object:
        return 1, (self.w, self.w * 2)


class InList(Alone):
    def construct(self) -> object:
        return [self.w, 1]


class InDict(Alone):
    def construct(self) -> object:
        return {"a": 1, "b": {"c": self.w}}


class Value(Alone):
    def construct(self) -> object:
        return self.w.value()


class Reshaped(Alone):
    def construct(self) -> object:
        return self.w.reshape((2, 2))


class Sliced(Alone):
    def construct(self) -> object:
        return self.w[0:3]


class Input(nn.Cell):
    def construct(self, x: Tensor) -> object:
        return x


class InputInTuple(nn.Cell):
    def construct(self, x: Tensor) -> object:
        return x, x * 2


class Compiled(Alone):
    @ms.jit
    def construct(self) -> object:
        return self.w, {"a": self.w}


class Below(nn.Cell):
    def __init__(self, w: Parameter) -> None:
        super().__init__(auto_prefix=False)
        self.alone = Alone(w)

    def construct(self) -> object:
        return self.alone(), 1


class Written(Alone):
    def construct(self) -> object:
        ops.assign(self.w, self.w * 1)
        return self.w


class Branching(Alone):
    def construct(self) -> object:
        if self.w.sum() > 0:
            return self.w
        return self.w * 2


class Setting(Alone):
    def construct(self, x: Tensor) -> Tensor:
        self.w = x * 7
        return x


class Adding(Alone):
    def construct(self, x: Tensor) -> Tensor:
        self.w += x
        return x


class Counting(nn.Cell):
    """The training step that notes its state in what it returns."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = Parameter(Tensor(8.0, ms.float32), name="scale")
        self.n = Parameter(Tensor(0, ms.int32), name="n")

    def construct(self, x: Tensor) -> object:
        self.scale = self.scale * 0.5
        self.n += 1
        return x.sum(), self.scale, self.n


def in_jit(w: Parameter) -> dict[str, Callable[[], object]]:
    """Functions that MindSpore compiles, around a Parameter."""

    @ms.jit
    def alone():
        return w

    @ms.jit
    def in_tuple():
        return 1, (w, 2)

    @ms.jit
    def in_list():
        return [w, 2]

    @ms.jit
    def in_dict():
        return {"a": w}

    @ms.jit
    def value():
        return w.value()

    @ms.jit
    def reshaped():
        return w.reshape((2, 2))

    @ms.jit
    def sliced():
        return w[0:3]

    @ms.jit
    def everything():
        return w[...]

    @ms.jit
    def cast():
        return w.astype(ms.float32), 1

    @ms.jit
    def identity():
        return ops.Identity()(w)

    @ms.jit
    def assigned():
        return ops.assign(w, w + 0)

    @ms.jit
    def added():
        return ops.assign_add(w, w * 0)

    @ms.jit
    def written_before():
        ops.assign(w, w + 0)
        return w

    @ms.jit
    def depending():
        return ops.depend(w, w + 1)

    @ms.jit
    def nested():
        return alone()

    @ms.jit
    def nested_in_tuple():
        return in_tuple()

    @ms.jit
    def branching():
        if w.sum() > 0:
            return w
        return w + 1

    return dict(locals())


def in_gradient(w: Parameter, is_jit: bool) -> object:
    """The second output of a function whose gradient is taken."""

    def function():
        return w.sum(), w

    taken = ms.value_and_grad(function, None, ParameterTuple([w]), has_aux=True)
    return (ms.jit(taken) if is_jit else taken)()[0][1]


@ms.jit
def input_of_jit(x):
    return x


@ms.jit
def input_of_jit_in_tuple(x):
    return x, [x]


def first(value: object) -> object:
    """The first Tensor or array in tuples, lists and dicts."""
    while isinstance(value, tuple | list | dict):
        values = value.values() if isinstance(value, dict) else value
        value = next(one for one in values if isinstance(one, tuple | list | dict | Tensor))
    return value


def one(number: float = 1.0) -> Tensor:
    return floats(*[number] * 4)


def in_file(action: Callable[[str], object]) -> object:
    with tempfile.TemporaryDirectory() as folder:
        return action(str(Path(folder) / "a.ckpt"))


def loaded(net: Net) -> Parameter:
    return in_file(lambda path: (ms.save_checkpoint(net, path), ms.load_checkpoint(path)["w"])[1])


def load_into(net: Net) -> None:
    row = [{"name": "w", "data": one(7)}]
    in_file(lambda path: (ms.save_checkpoint(row, path), ms.load_checkpoint(path, net)))


def stepped(make: Callable[[object], nn.Cell]) -> Callable[[Net], object]:
    return lambda net: make(net.trainable_params())((one(),))


def add(net: Net) -> None:
    p = net.w
    p += 1


WRITES = {
    "SGD": stepped(lambda p: nn.SGD(p, 0.1)),
    "Momentum": stepped(lambda p: nn.Momentum(p, 0.1, 0.9)),
    "Adam": stepped(lambda p: nn.Adam(p, 0.1)),
    "p[0]=": lambda net: net.w.__setitem__(0, 9.0),
    "p[:]=": lambda net: net.w.__setitem__(slice(None), 9.0),
    "asnumpy": lambda net: net.w.asnumpy().fill(7),
    "p+=": add,
}
ASSIGNMENTS = {
    "ops.assign": lambda net: ops.assign(net.w, one(7)),
    "ops.assign_add": lambda net: ops.assign_add(net.w, one()),
    "P.Assign": lambda net: P.Assign()(net.w, one(7)),
    "P.AssignSub": lambda net: P.AssignSub()(net.w, one()),
    "scatter_update": lambda net: ops.scatter_update(net.w, Tensor([0], ms.int32), floats(7)),
    "copy_": lambda net: net.w.copy_(one(7)),
}
RENEWALS = {
    "set_data": lambda net: net.w.set_data(one(7)),
    "set_data(7.0)": lambda net: net.w.set_data(7.0),
    "set_data(float16)": lambda net: net.w.set_data(one(7).astype(ms.float16)),
    "set_data(initializer)": lambda net: net.w.set_data(initializer("zeros", (4,))),
    "p.data=": lambda net: setattr(net.w, "data", one(7)),
    "assign_value": lambda net: net.w.assign_value(one(7)),
    "load_param_into_net": lambda net: ms.load_param_into_net(net, {"w": Parameter(one(7), name="w")}),
    "load_checkpoint": load_into,
    "load_state_dict": lambda net: net.load_state_dict({"w": Parameter(one(7), name="w")}),
    "cell.p=": lambda net: setattr(net, "w", one(7)),
}
IN_CELLS = {
    "construct =": lambda net: Setting(net.w)(one()),
    "construct +=": lambda net: Adding(net.w)(one()),
}
OTHERS = {"init_data": lambda net: net.w.init_data(), "another": lambda net: setattr(net, "w", Parameter(one(7), "w"))}
ALL = {**WRITES, **ASSIGNMENTS, **RENEWALS, **IN_CELLS, **OTHERS}


def numbers(value: object) -> np.ndarray:
    return np.array(value.asnumpy() if isinstance(value, Tensor) else value, np.float32)


@contextmanager
def mode(name: str):
    ms.set_context(mode=ms.GRAPH_MODE if name == "graph" else ms.PYNATIVE_MODE)
    try:
        yield
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def held(where: str, take: Callable[[Parameter], object], *ways: dict) -> dict:
    """What it is, and by which ways of changing the Parameter what was taken of it changes as well."""
    found: dict[str, object] = {}
    with mode(where):
        net = Net()
        taken = first(take(net.w))
        found["kind"] = type(taken).__name__, taken is net.w
        for name, change in {key: way for each_way in ways or [ALL] for key, way in each_way.items()}.items():
            net = Net()
            taken = first(take(net.w))
            before = numbers(taken)
            change(net)
            found[name] = not np.array_equal(numbers(taken), before)
    return found


def sources(where: str, give: Callable[[Net, object], object], make: Callable[[], object] = lambda: one(5)) -> dict:
    """Whether a Parameter and what it was given have the same values, by ways of changing one of them."""
    changes = {
        "source[0]=": lambda net, source: source.__setitem__(0, 9.0),
        "p[0]=": lambda net, source: net.w.__setitem__(0, 9.0),
        "SGD": lambda net, source: stepped(lambda p: nn.SGD(p, 0.1))(net),
        "assign": lambda net, source: ops.assign(net.w, one(7)),
        "set_data": lambda net, source: net.w.set_data(one(7)),
    }
    found = {}
    with mode(where):
        for name, change in changes.items():
            net, source = Net(), make()
            give(net, source)
            change(net, source)
            found[name] = np.array_equal(numbers(net.w), numbers(source))
    return found


def result_of(where: str, function: Callable[[Parameter, Tensor], Tensor]) -> dict:
    """Whether the result of an operator that writes shares memory with what it wrote, or with the values."""
    found = {}
    with mode(where):
        for name in ("result", "parameter", "values"):
            p, values = Parameter(one(2), name="w"), one(5)
            of_all = {"result": first(function(p, values)), "parameter": p, "values": values}
            of_all[name][1] = 88.0
            found[name] = {key: float(numbers(value)[1]) for key, value in of_all.items()}
    return found


def state(take: Callable[[Parameter], object], make: Callable[[object], nn.Cell], attribute: str) -> bool:
    """Whether what was taken of an optimizer's state changes with its steps."""
    optimizer = make(Net().trainable_params())
    held_state = getattr(optimizer, attribute)
    taken = take(held_state[0] if isinstance(held_state, tuple) else held_state)
    before = numbers(taken)
    for _ in range(2):
        optimizer((one(),))
    return not np.array_equal(numbers(taken), before)


def best_restored(where: str) -> list:
    """Keep the best values, train, restore them, train on: the weights after each, and what was kept."""
    with mode(where):
        net = Net()
        step = nn.SGD(net.trainable_params(), 1.0)
        best = {p.name: p.value() for p in net.trainable_params()}
        step((one(),))
        found = [numbers(net.w)]
        for p in net.trainable_params():
            p.set_data(best[p.name])
        found.append(numbers(net.w))
        if where == "graph":  # in PyNative mode the steps of 2.10.0 have no effect from here on
            step((one(),))
            found += [numbers(net.w), numbers(best["w"])]
    return found


def three_steps(where: str, around: Callable[[Counting], Callable[[Tensor], object]] = lambda net: net) -> list:
    """What a step returned of its state, kept over three steps."""
    with mode(where):
        step = around(Counting())
        kept = [step(one()) for _ in range(3)]
        return [(float(scale.asnumpy()), int(n.asnumpy()), type(n).__name__) for _, scale, n in kept]


def copied(values: object) -> object:
    return copy.deepcopy(values)


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def construct_in_jit(net: Counting) -> Counting:
    net.construct = ms.jit(net.construct)
    return net


def part_of_tensor(take: Callable[[Tensor], Tensor]) -> tuple:
    """Whether a result is the Tensor itself, and whether a change of it shows in the Tensor."""
    x, p = one(), Parameter(one(), name="p")
    result, of_parameter = take(x), take(p)
    result[0] = 9.0
    return result is x, of_parameter is p, float(x.asnumpy()[0]) == 9.0


def moving(take: Callable[[Parameter], object]) -> bool:
    layer = nn.BatchNorm1d(2)
    layer.set_train()
    taken = take(layer.moving_mean)
    before = numbers(taken)
    layer(Tensor(np.arange(8, dtype=np.float32).reshape(4, 2)))
    return not np.array_equal(numbers(taken), before)


def several() -> tuple:
    """A ParameterTuple's values and memory, after all were set again."""
    parameters = ParameterTuple([Parameter(one(1), name="a"), Parameter(one(2), name="b")])
    values, data = [p.value() for p in parameters], [p.data for p in parameters]
    for p in parameters:
        p.set_data(p * 2)
    return values, data, [p.value() for p in parameters]


TAKEN = """
    lambda w: w.value()
    lambda w: w.data
    lambda w: Tensor(w)
    lambda w: ms.tensor(w)
    lambda w: Tensor(w, ms.float32)
    lambda w: Tensor(w.value())
    lambda w: w.view((4,))
    lambda w: w.view((2, 2)).view((4,))
    lambda w: w.reshape((4,))
    lambda w: w.reshape((2, 2)).swapaxes(0, 1)
    lambda w: w.reshape((2, 2)).T
    lambda w: w.T
    lambda w: w[:]
    lambda w: w[0:3]
    lambda w: w[...]
    lambda w: w[()]
    lambda w: w[None]
    lambda w: w[0]
    lambda w: w.expand_dims(0)
    lambda w: w.unsqueeze(0)
    lambda w: w.squeeze()
    lambda w: w.flatten()
    lambda w: w.ravel()
    lambda w: ops.reshape(w, (4,))
    lambda w: P.Reshape()(w, (4,))
    lambda w: ops.transpose(w.reshape((2, 2)), (1, 0))
    lambda w: ops.split(w, 2)[0]
    lambda w: w.chunk(2)[0]
    lambda w: w.unbind(0)[0]
    lambda w: list(w)[0]
    lambda w: w.broadcast_to((1, 4))
    lambda w: w.narrow(0, 0, 2)
    lambda w: w.reshape((2, 2)).diagonal()
    lambda w: ops.cast(w, ms.float32)
    lambda w: w.contiguous()
    lambda w: +w
    lambda w: ops.Identity()(w)
    lambda w: ops.stop_gradient(w)
    lambda w: ops.depend(w, w + 1)
    lambda w: w.real()
    lambda w: w.conj()
    lambda w: w + 0
    lambda w: np.array(w)
    lambda w: w.value().asnumpy()
    lambda w: w.init_data()
    lambda w: w.copy()
    lambda w: w.clone()
    lambda w: copy.copy(w)
    lambda w: copied(w)
    lambda w: pickled(w)
    lambda w: Parameter(w, name='u')
    lambda w: Parameter(w.data, name='u')
    lambda w: Parameter(w.value(), name='u')
    lambda w: Alone(w).parameters_dict()['w']
    lambda w: list(Alone(w).get_parameters())
    lambda w: Alone(w).trainable_params()
    lambda w: copied(Alone(w)).w
    lambda w: ParameterTuple([w])
    lambda w: ParameterTuple([w]).clone('q')
    lambda w: ops.HyperMap()(ops.Identity(), (w,))
    lambda w: ops.assign(w, w + 0)
    lambda w: P.Assign()(w, w + 0)
    lambda w: ops.assign_add(w, w * 0)
    lambda w: ops.assign_sub(w, w * 0)
    lambda w: w.set_data(w + 0)
    lambda w: w.assign_value(w + 0)
    lambda w: in_jit(w)['alone']()
    lambda w: in_jit(w)['in_tuple']()
    lambda w: in_jit(w)['in_list']()
    lambda w: in_jit(w)['in_dict']()
    lambda w: in_jit(w)['value']()
    lambda w: in_jit(w)['reshaped']()
    lambda w: in_jit(w)['sliced']()
    lambda w: in_jit(w)['everything']()
    lambda w: in_jit(w)['cast']()
    lambda w: in_jit(w)['identity']()
    lambda w: in_jit(w)['assigned']()
    lambda w: in_jit(w)['added']()
    lambda w: in_jit(w)['written_before']()
    lambda w: in_jit(w)['depending']()
    lambda w: in_jit(w)['nested']()
    lambda w: in_jit(w)['nested_in_tuple']()
    lambda w: in_jit(w)['branching']()
    lambda w: input_of_jit(w)
    lambda w: input_of_jit(w.data)
    lambda w: input_of_jit_in_tuple(w)
    lambda w: in_gradient(w, False)
    lambda w: in_gradient(w, True)
    lambda w: Alone(w)()
    lambda w: InTuple(w)()
    lambda w: InList(w)()
    lambda w: InDict(w)()
    lambda w: Value(w)()
    lambda w: Reshaped(w)()
    lambda w: Sliced(w)()
    lambda w: Below(w)()[0]
    lambda w: Input()(w)
    lambda w: InputInTuple()(w)
    lambda w: Compiled(w)()
    lambda w: Written(w)()
    lambda w: Branching(w)()
"""

GIVEN = """
    lambda net, t: net.w.set_data(t)
    lambda net, t: net.w.set_data(t.data)
    lambda net, t: net.w.set_data(t * 1)
    lambda net, t: net.w.set_data(t.astype(ms.float16))
    lambda net, t: net.w.set_data(Parameter(t, name='u'))
    lambda net, t: setattr(net.w, 'data', t)
    lambda net, t: net.w.assign_value(t)
    lambda net, t: setattr(net, 'w', t)
    lambda net, t: ops.assign(net.w, t)
    lambda net, t: net.w.copy_(t)
    lambda net, t: setattr(net, 'w', Parameter(t, name='w'))
"""

CASES = [
    *(
        case
        for where in ("pynative", "graph")
        for line in TAKEN.split("\n")
        if line.strip()
        for case in each(f"held('{where}', {line.strip()})")
    ),
    *(
        case
        for where in ("pynative", "graph")
        for line in GIVEN.split("\n")
        if line.strip()
        for case in each(f"sources('{where}', {line.strip()})")
    ),
    *each(
        """
        held('pynative', lambda w: w.asnumpy(), WRITES, RENEWALS, IN_CELLS)
        held('pynative', lambda w: w.data.asnumpy(), WRITES, RENEWALS, IN_CELLS)
        held('graph', lambda w: w.asnumpy())
        held('graph', lambda w: w.data.asnumpy())
        held('pynative', lambda w: w.astype(ms.float32), WRITES, ASSIGNMENTS)
        held('graph', lambda w: w.astype(ms.float32), WRITES, ASSIGNMENTS)
        held('pynative', lambda w: loaded(Alone(w)))
        sources('pynative', lambda net, t: ms.load_param_into_net(net, {'w': t}), lambda: Parameter(one(5), name='w'))
        sources('graph', lambda net, t: ms.load_param_into_net(net, {'w': t}), lambda: Parameter(one(5), name='w'))
        sources('graph', lambda net, t: net.load_state_dict({'w': t}), lambda: Parameter(one(5), name='w'))
        sources('graph', lambda net, t: net.w.set_data(t.value()), lambda: Parameter(one(5), name='w'))
        sources('graph', lambda net, t: net.w.set_data(t), lambda: Parameter(one(5), name='w'))
        result_of('pynative', ops.assign)
        result_of('graph', ops.assign)
        result_of('pynative', ops.assign_add)
        result_of('graph', ops.assign_sub)
        result_of('pynative', lambda p, v: P.Assign()(p, v))
        result_of('pynative', lambda p, v: P.AssignAdd()(p, v))
        result_of('pynative', lambda p, v: p.set_data(v))
        result_of('pynative', lambda p, v: p.assign_value(v))
        result_of('pynative', lambda p, v: ops.scatter_add(p, Tensor([0, 1, 2, 3], ms.int32), v))
        result_of('pynative', lambda p, v: ops.scatter_nd_add(p, Tensor([[0], [1], [2], [3]], ms.int32), v))
        state(lambda s: s.value(), lambda p: nn.Momentum(p, 0.1, 0.9), 'moments')
        state(lambda s: s.data, lambda p: nn.Momentum(p, 0.1, 0.9), 'moments')
        state(lambda s: s.asnumpy(), lambda p: nn.Momentum(p, 0.1, 0.9), 'moments')
        state(lambda s: s.value(), lambda p: nn.Adam(p, 0.1), 'moment1')
        state(lambda s: Tensor(s), lambda p: nn.Adam(p, 0.1), 'moment2')
        state(lambda s: s.value(), lambda p: nn.Adam(p, 0.1), 'beta1_power')
        state(lambda s: s.data, lambda p: nn.Adam(p, 0.1), 'beta1_power')
        state(lambda s: s.value(), lambda p: nn.Adam(p, 0.1), 'global_step')
        state(lambda s: s.value(), lambda p: nn.SGD(p, 0.1, momentum=0.9), 'accum')
        moving(lambda w: w.value()), moving(lambda w: w.data)
        best_restored('pynative')
        best_restored('graph')
        three_steps('pynative')
        three_steps('graph')
        three_steps('pynative', construct_in_jit)
        three_steps('graph', lambda net: nn.SequentialCell([net]))
        three_steps('graph', lambda net: ms.Model(net).predict)
        three_steps('pynative', ms.jit)
        several()
        [part_of_tensor(lambda t: t[...]), part_of_tensor(lambda t: t[()]), part_of_tensor(lambda t: +t)]
        [part_of_tensor(lambda t: t[:]), part_of_tensor(lambda t: t.real()), part_of_tensor(lambda t: t.conj())]
        """
    ),
]
