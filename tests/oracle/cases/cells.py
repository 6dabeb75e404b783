"""Cells: registration, names, order, modes, hooks, containers, and what they refuse."""

import warnings
from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn

from tests.oracle.case import Case, each, values


def dense() -> nn.Dense:
    return nn.Dense(1, 1)


class Sub(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 3)
        self.bn = nn.BatchNorm1d(3)
        self.w = Parameter(Tensor(np.ones(2), ms.float32), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return self.bn(self.fc(x))


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.a = Sub()
        self.seq = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU(), nn.Dense(2, 2))
        self.cl = nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])
        self.p = Parameter(Tensor(np.zeros(2), ms.float32), name="other")

    def construct(self, x: Tensor) -> Tensor:
        return x


class Plain(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x * 2


class Holder(nn.Cell):
    """A Cell with whatever attributes are given, set in their order."""

    def __init__(self, **attributes: object) -> None:
        super().__init__()
        with warnings.catch_warnings(action="ignore"):  # msbridge advises against lists of Cells
            for name, value in attributes.items():
                setattr(self, name, value)

    def construct(self, x: Tensor) -> Tensor:
        return x


class NoPrefix(nn.Cell):
    def __init__(self) -> None:
        super().__init__(auto_prefix=False)
        self.d = dense()
        self.e = dense()

    def construct(self, x: Tensor) -> Tensor:
        return x


class OneName(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.a = Parameter(Tensor([1.0]), name="a")
        self.b = Parameter(Tensor([2.0]), name="w")
        self.c = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x


def names_after_call(cell: nn.Cell) -> list[str]:
    cell(Tensor([1.0]))
    return [parameter.name for parameter in cell.get_parameters()]


class Tied(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.emb = nn.Embedding(4, 2)
        self.fc = nn.Dense(2, 4, has_bias=False)
        self.fc.weight = self.emb.embedding_table

    def construct(self, x: Tensor) -> Tensor:
        return self.fc(x)


class EarlyParameter(nn.Cell):
    def __init__(self) -> None:
        self.p = Parameter(Tensor([1.0]))
        super().__init__()


class EarlyCell(nn.Cell):
    def __init__(self) -> None:
        self.d = dense()
        super().__init__()


class Late(nn.Cell):
    """Children and parameters made in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.d = dense()
        self.own = Parameter(Tensor([1.0]))
        self.named = Parameter(Tensor([1.0]), name="zz")
        self.tuple = ParameterTuple([Parameter(Tensor([1.0]), name="q"), Parameter(Tensor([1.0]), name="r")])
        with warnings.catch_warnings(action="ignore"):
            self.plain_list = [dense(), Parameter(Tensor([1.0]), name="unseen")]
        self.constant = Tensor([1.0])

    def construct(self, x: Tensor) -> Tensor:
        return x


class Accumulator(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.total = Parameter(Tensor([0.0]), name="total", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        self.total = self.total + x
        return self.total * 1


class Arguments(nn.Cell):
    def construct(self, x: Tensor, y: Tensor = 1, *rest: Tensor, scale: float = 1.0) -> Tensor:
        return (x + y + sum(rest)) * scale


class Empty(nn.Cell):
    pass


class Structured(nn.Cell):
    def construct(self, x: Tensor) -> dict:
        return {"a": x, "b": [x, (x, None)], "c": "text", "d": 3}


class Mode(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x + 1 if self.training else x - 1


def names(cell: nn.Cell) -> list[str]:
    return [parameter.name for parameter in cell.get_parameters()]


def shapes(cell: nn.Cell) -> list[tuple[int, ...]]:
    return [parameter.shape for parameter in cell.get_parameters()]


def keys(cell: nn.Cell) -> list[tuple[str, str]]:
    return [(key, parameter.name) for key, parameter in cell.parameters_and_names()]


def shared() -> tuple:
    p = Parameter(Tensor([1.0]), name="w")
    holder = Holder(x=Holder(w=p), y=Holder(w=p))
    return names(holder), len(list(holder.get_parameters())), keys(holder)


def same_twice() -> tuple:
    d = dense()
    holder = Holder(d=d, e=d)
    cells = [name for name, _ in holder.cells_and_names()]
    return names(holder), [key for key, _ in keys(holder)], list(holder.name_cells()), cells


def attached_twice() -> list[str]:
    d = dense()
    Holder(first=d)
    Holder(second=d)
    return names(d)


def renamed(recurse: bool) -> list[str]:
    sub = Sub()
    sub.update_parameters_name("pre.", recurse)
    return names(sub)


def modes(net: nn.Cell, *flags: object) -> list[bool]:
    return [net.set_train(flag).training for flag in flags]


def later_child() -> tuple[bool, bool]:
    net = Net().set_train()
    net.b = dense()
    return net.training, net.b.training


def replaced(value: object) -> object:
    net = Holder(a=Parameter(Tensor([1.0]), name="a"))
    net.a = value
    return type(net.a).__name__, net.a.asnumpy(), names(net)


def without_child(value: object = None) -> tuple:
    net = Holder(d=dense(), e=dense())
    net.d = value
    return names(net), list(net.name_cells()), net.d


def deleted() -> tuple:
    net = Holder(d=dense(), w=Parameter(Tensor([1.0]), name="w"))
    del net.d
    return names(net), list(net.name_cells()), hasattr(net, "d")


def inserted() -> tuple:
    net = Holder()
    net.insert_child_to_cell("child", dense())
    net.insert_param_to_cell("p", Parameter(Tensor([1.0])))
    net.insert_param_to_cell("k", Parameter(Tensor([1.0]), name="given"))
    return names(net), list(net.name_cells()), keys(net)


def grown_list() -> tuple:
    cells = nn.CellList([dense()])
    cells.append(dense())
    cells.insert(0, nn.Dense(1, 1, has_bias=False))
    cells.extend([nn.ReLU(), dense()])
    return names(cells), len(cells), list(cells.name_cells()), [type(cell).__name__ for cell in cells]


def grown_sequence() -> tuple:
    cells = nn.SequentialCell(OrderedDict([("c1", dense()), ("r", nn.ReLU())]))
    cells.append(dense())
    return names(cells), list(cells.name_cells()), len(cells), type(cells[0]).__name__, type(cells[0:2]).__name__


def dictionary() -> tuple:
    cells = nn.CellDict({"x": dense(), "y": nn.ReLU()})
    cells["z"] = nn.Dense(1, 1, has_bias=False)
    listing = list(cells.keys()), len(cells), "x" in cells, [type(c).__name__ for c in cells.values()]
    del cells["x"]
    return (*listing, names(cells), [key for key, _ in cells.items()])


def replaced_item() -> tuple:
    cells = nn.SequentialCell(dense(), nn.ReLU())
    cells[0] = nn.Dense(1, 1, has_bias=False)
    del cells[1]
    return names(cells), len(cells)


def hooks() -> list:
    """Forward hooks see and change what goes in and comes out."""
    cell, seen = Plain(), []

    def before(cell: nn.Cell, inputs: tuple) -> tuple:
        seen.append(("before", len(inputs)))
        return (inputs[0] + 1,)

    def after(cell: nn.Cell, inputs: tuple, output: Tensor) -> Tensor:
        seen.append(("after", type(inputs).__name__))
        return output * 10

    first, second = cell.register_forward_pre_hook(before), cell.register_forward_hook(after)
    both = cell(Tensor([1.0]))
    first.remove()
    one = cell(Tensor([1.0]))
    second.remove()
    return [both, one, cell(Tensor([1.0])), seen]


def counted(times: int) -> tuple:
    cell = Accumulator()
    outputs = [cell(Tensor([2.0])) for _ in range(times)]
    return outputs, cell.total.asnumpy(), type(cell.total).__name__


def frozen() -> tuple:
    net = Sub()
    net.fc.weight.requires_grad = False
    return [p.name for p in net.trainable_params()], [p.name for p in net.untrainable_params()]


def applied() -> list[str]:
    seen: list[str] = []
    Net().apply(lambda cell: seen.append(type(cell).__name__))
    return seen


def half(cell: nn.Cell) -> tuple:
    net = cell.to_float(ms.float16)
    return net(Tensor([[1.0, 2.0]])).dtype, [str(p.dtype) for p in net.get_parameters()], net is cell


def copied() -> tuple:
    import copy

    net = Sub()
    twin = copy.deepcopy(net)
    twin.w.set_data(Tensor([5.0, 5.0]))
    return net.w.asnumpy(), names(twin), twin.w is net.w


class Parts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Parameter(Tensor([1.0]), name="a")
        self.b = Parameter(Tensor([1.0]), name="b")
        self.c = nn.Dense(1, 1)
        self.d = nn.ReLU()
        self.e = nn.Dense(1, 2)


def exchanged(name, part):
    """The order of parameters and children after one of them was exchanged."""
    cell = Parts()
    setattr(cell, name, part)
    return [parameter.name for parameter in cell.get_parameters()], list(cell.name_cells())


CASES = [
    Case("exchanged('a', Parameter(Tensor([2.0]), name='new'))"),
    Case("exchanged('c', nn.Dense(1, 3))"),
    Case("exchanged('d', nn.Dense(1, 3))"),
    Case("exchanged('c', Parameter(Tensor([2.0]), name='new'))", raises=KeyError),
    Case("exchanged('a', nn.Dense(1, 3))", raises=KeyError),
    # modes
    *each("""
        Net().training, Net().a.training, nn.Dropout(p=0.5).training
        modes(Net(), True, False, 1, 0, 'x')
        (lambda n: (n.set_train() is n, n.a.bn.training, n.seq[0].training, n.cl[1].training))(Net())
        later_child()
        Mode()(Tensor([1.0])), Mode().set_train()(Tensor([1.0]))
        hasattr(nn.Cell, 'eval'), hasattr(nn.Cell, 'train')
        (lambda n: (n.set_grad() is n, n.requires_grad))(Plain())
        nn.Dropout(p=0.5)(Tensor(np.ones(4), ms.float32))
        int((nn.Dropout(p=0.5).set_train()(ops.ones(1000)) > 0).sum()) in range(400, 600)
        sorted(set(nn.Dropout(p=0.5).set_train()(Tensor(np.ones(100), ms.float32)).asnumpy().tolist()))
    """),
    # names and order
    *each("""
        [(p.name, p.shape, p.requires_grad) for p in Net().get_parameters()]
        keys(Net())
        [p.name for p in Net().trainable_params()]
        [p.name for p in Net().untrainable_params()]
        [p.name for p in Net().trainable_params(recurse=False)]
        [p.name for p in Net().get_parameters(expand=False)]
        [(name, type(cell).__name__) for name, cell in Net().cells_and_names()]
        list(Net().name_cells())
        [type(cell).__name__ for cell in Net().cells()]
        list(Net().parameters_dict())
        list(Net().parameters_dict(recurse=False))
        type(Net().get_parameters()).__name__, type(Net().trainable_params()), type(Net().parameters_dict())
        type(Net().cells_and_names()).__name__, type(Net().parameters_and_names()).__name__, type(Net().name_cells())
        names(Late()), keys(Late()), list(Late().name_cells())
        names(Holder(late=Late()))
        names(NoPrefix())
        names(OneName())
        names_after_call(OneName())
        names_after_call(Holder(n=OneName()).n)
        names(Holder(n=NoPrefix()))
        names(Tied()), keys(Tied())
        shared()
        same_twice()
        attached_twice()
        renamed(True)
        renamed(False)
        names(Holder(q=Sub()))
        names(Sub())
        names(nn.BatchNorm2d(2)), names(Holder(bn=nn.BatchNorm2d(2)))
        names(nn.SequentialCell(dense(), dense()))
        names(nn.SequentialCell([dense(), nn.ReLU(), dense()]))
        names(Holder(l=nn.CellList([dense(), dense()], auto_prefix=False)))
        names(nn.CellList([nn.SequentialCell(dense()), dense()]))
        names(Holder(d=nn.CellDict({'x': dense()})))
        names(Holder(conv=nn.Conv2d(1, 2, 3, has_bias=True), convt=nn.Conv2dTranspose(1, 2, 3), fc=nn.Dense(2, 3)))
        names(Holder(emb=nn.Embedding(4, 2), ln=nn.LayerNorm((3,)), gn=nn.GroupNorm(1, 2), inn=nn.InstanceNorm2d(2)))
        names(Holder(prelu=nn.PReLU(2), bn3=nn.BatchNorm3d(2), c1=nn.Conv1d(1, 2, 3), c3=nn.Conv3d(1, 2, 3)))
        names(nn.LSTM(2, 3, num_layers=2, bidirectional=True))
        names(nn.GRU(2, 3)), names(nn.RNN(2, 3)), names(nn.LSTMCell(2, 3)), names(nn.GRUCell(2, 3))
        names(nn.MultiheadAttention(4, 2))
        names(nn.TransformerEncoderLayer(4, 2))
        names(nn.WithLossCell(Holder(d=dense()), nn.MSELoss()))
        names(Holder(net=nn.WithLossCell(dense(), nn.MSELoss())))
        shapes(nn.Dense(2, 3)), shapes(nn.Conv2d(2, 4, (1, 3), group=2)), shapes(nn.Conv1d(2, 3, 4))
        shapes(nn.Conv2dTranspose(2, 3, 4)), shapes(nn.LSTM(2, 3)), shapes(nn.Embedding(5, 2))
        nn.Dense(2, 3, has_bias=False).bias, nn.Conv2d(1, 1, 1).bias
        list(nn.Dense(2, 3, activation='relu').name_cells())
        Net().cls_name, Net().param_prefix
        frozen()
        applied()
        (lambda n: n.get_flags())(Plain())
        (lambda n: (n.recompute(), n(Tensor([1.0])))[1])(Plain())
        (lambda n: (n.compile(Tensor([1.0])), n(Tensor([1.0])))[1])(Plain())
        (lambda n: (n.set_inputs(Tensor([1.0])), n(Tensor([1.0])))[1])(Plain())
        (lambda n: (n.set_comm_fusion(2) is n, n.fc.weight.comm_fusion))(Sub())
        list(Sub().state_dict()), type(Sub().state_dict())
        (lambda n: n.load_state_dict({'w': Tensor([5.0, 5.0])}, strict=False) is not None)(Sub())
        (lambda n: (n.register_buffer('mask', Tensor([1.0])), list(n.state_dict()), names(n))[1:])(Holder(d=dense()))
        nn.SequentialCell(Plain(), nn.ReLU())(Tensor([-1.0, 2.0]))
        nn.TrainOneStepCell(nn.WithLossCell(dense(), nn.MSELoss()), nn.SGD(dense().trainable_params())).sens
        nn.DistributedGradReducer is not None
        [type(c).__name__ for _, c in nn.WithLossCell(dense(), nn.MSELoss()).cells_and_names()]
        names(nn.TrainOneStepCell(Holder(d=dense()), nn.Momentum([Parameter(Tensor([1.0]), name='z')], 0.1, 0.9)))
        (lambda n: (n.add_flags(fp16=True) is n, n.get_flags()['fp16']))(Plain())
        (lambda n: n.add_flags_recursive(fp16=True).fc.get_flags()['fp16'])(Sub())
    """),
    # attributes
    *each("""
        replaced(Tensor([5.0]))
        replaced(Tensor([5.0, 6.0]))
        replaced(Tensor([5]))
        replaced(Parameter(Tensor([7.0]), name='b'))
        without_child()
        without_child(nn.ReLU())[0]
        deleted()
        inserted()
        grown_list()
        grown_sequence()
        dictionary()
        replaced_item()
        type(Holder(t=Tensor([1.0])).t).__name__, names(Holder(t=Tensor([1.0])))
        type(Holder(l=[dense()]).l).__name__, type(Holder(t=(dense(),)).t).__name__
        Holder(n=None).n, Holder(n=3).n, Holder(n='a').n, Holder(n={'a': 1}).n
        counted(1)
        counted(3)
        (lambda d: nn.SequentialCell(d, d)(Tensor([[1.0]])).shape)(dense())
        len(nn.SequentialCell()), len(nn.CellList()), len(nn.CellDict())
        nn.CellList([nn.ReLU(), nn.Tanh()])[-1].cls_name
        [type(c).__name__ for c in nn.SequentialCell(nn.ReLU(), nn.Tanh(), nn.Sigmoid())[1:]]
        nn.SequentialCell(Plain(), Plain())(Tensor([1.0]))
        copied()
        hooks()
        half(nn.Dense(2, 3))
        half(nn.SequentialCell(nn.Dense(2, 2), nn.ReLU()))
        Plain()(Tensor([1.0])), Plain().construct(Tensor([1.0]))
        Arguments()(Tensor([1.0])), Arguments()(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), scale=2.0)
        Arguments()(Tensor([1.0]), y=Tensor([5.0])), Arguments()(x=Tensor([1.0]))
        Structured()(Tensor([1.0]))
        nn.Identity()(Tensor([1.0]))
        isinstance(nn.SequentialCell(), nn.Cell), issubclass(nn.Dense, nn.Cell)
        nn.Dense(2, 2).in_channels, nn.Dense(2, 3).out_channels, nn.Dense(2, 2).has_bias
        nn.Conv2d(1, 2, 3).kernel_size, nn.Conv2d(1, 2, 3).stride, nn.Conv2d(1, 2, 3).pad_mode, nn.Conv2d(1, 2, 3).group
        nn.BatchNorm2d(3).num_features, nn.BatchNorm2d(3).momentum, nn.BatchNorm2d(3).eps
        Net().parameter_layout_dict, Net().phase
        (lambda n: n.init_parameters_data() is not None)(dense())
        (lambda n: [p.name for p in n.trainable_params()])(nn.WithEvalCell(dense(), nn.MSELoss()))
        type(nn.WithLossCell(dense(), nn.MSELoss()).backbone_network).__name__
    """),
    # refused
    Case("EarlyParameter()", raises=AttributeError, says="__init__"),
    Case("EarlyCell()", raises=AttributeError),
    Case("Net().nope", raises=AttributeError, says="nope"),
    Case("Empty()(Tensor([1.0]))", raises=AttributeError, says="construct"),
    Case("Plain()(Tensor([1.0]), Tensor([1.0]))", raises=TypeError, says="positional"),
    Case("Plain()()", raises=TypeError, says="'x'"),
    Case("setattr(Late(), 'own', 3)", raises=TypeError, says="own"),
    Case("Holder().insert_child_to_cell('d', 1)", raises=TypeError, says="child_cell"),
    Case("Holder().insert_child_to_cell(1, dense())", raises=TypeError),
    Case("Holder().insert_param_to_cell('a.b', Parameter(Tensor([1.0])))", raises=KeyError),
    Case("Holder().insert_param_to_cell('a', 1)", raises=TypeError),
    Case("nn.CellList([dense(), dense()])[5]", raises=IndexError, says="range"),
    Case("nn.CellList([dense()])(Tensor([[1.0]]))", raises=NotImplementedError),
    Case("nn.CellList([1])", raises=TypeError),
    Case("nn.SequentialCell(1)", raises=TypeError),
    Case("nn.SequentialCell(dense())(Tensor([[1.0]]), Tensor([[1.0]]))", raises=TypeError),
    Case("nn.SequentialCell(dense())['a']", raises=TypeError),
    Case("nn.CellDict({'x': 1})", raises=TypeError),
    Case("Plain().to_float(ms.int32)", raises=ValueError, says="to_float"),
    Case("NoPrefix().check_names()", raises=ValueError, says="weight"),
    Case("nn.SGD(NoPrefix().trainable_params(), 0.1)", raises=ValueError, says="weight"),
    Case("nn.WithLossCell(dense(), nn.MSELoss())(Tensor([[1.0]]))", raises=TypeError, says="label"),
    Case("nn.Dense(2, 3)(x)", x=values(1.0, 2.0, 3.0), raises=ValueError),
    Case("ops.add(Net(), 1)", raises=TypeError),
]
