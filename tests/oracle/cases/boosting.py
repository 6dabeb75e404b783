"""mindspore.boost: what its parts make of networks, optimizers and settings, where the CPU runs them."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from mindspore.boost import (
    BoostTrainOneStepWithLossScaleCell,  # noqa: F401  used by the expressions
    FreezeOpt,
    GradientFreeze,
    LessBN,
    OptimizerProcess,
    ParameterProcess,
)

from tests.oracle.case import each


class Net(nn.Cell):
    """Two dense layers around a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Dense(3, 4, weight_init="ones", bias_init="zeros")
        self.bn = nn.BatchNorm1d(4)
        self.b = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")

    def construct(self, x: Tensor) -> Tensor:
        return self.b(self.bn(self.a(x)))


def made(**options: object) -> tuple[nn.Cell, nn.Optimizer]:
    net = Net()
    return net, nn.Momentum(net.trainable_params(), 0.1, 0.9, **options)


def grouped() -> tuple[nn.Cell, nn.Optimizer]:
    net = Net()
    weights = net.trainable_params()
    return net, nn.Momentum([{"params": weights[:2]}, {"params": weights[2:], "lr": 0.5}], 0.1, 0.9)


def given(optimizer: nn.Optimizer) -> tuple:
    params = optimizer.init_params["params"]
    names = [[p.name for p in one["params"]] if isinstance(one, dict) else one.name for one in params]
    return optimizer.init_args, optimizer.init_learning_rate, names


def shown(groups: list) -> list:
    return [([p.name for p in group["params"]], sorted(group.keys() - {"params"})) for group in groups]


def centralized() -> tuple:
    net, optimizer = grouped()
    process = OptimizerProcess(optimizer)
    process.add_grad_centralization(net)
    new = process.generate_new_optimizer()
    return shown(process.origin_params), type(new).__name__, new.grad_centralization


def freezing(kind: int, count: int = 4, steps: int = 40) -> list[int]:
    np.random.seed(1)
    return GradientFreeze(2, kind, 0.7, steps).generate_freeze_index_sequence(count, kind, 0.7, steps)


def split(count: int) -> list:
    groups = GradientFreeze(count, 1, 0.7, 10).split_parameters_groups(Net(), count)
    return [[p.name for p in group] for group in groups]


def numbered(*points: object) -> list[int]:
    weights = Net().trainable_params()
    ParameterProcess().assign_parameter_group(weights, *points)
    return [p.comm_fusion for p in weights]


def regrouped() -> list:
    net, optimizer = grouped()
    return shown(ParameterProcess.generate_group_params(net.trainable_params(), optimizer.init_params["params"]))


def without_bn(flag: bool) -> tuple:
    net = Net()
    LessBN(net, flag)
    x = Tensor(np.arange(12).reshape(4, 3), ms.float32)
    return net(x), [p.shape for p in net.trainable_params()], type(net.b).__name__


def frozen(*arguments: object) -> tuple:
    net, optimizer = made()
    weights = net.trainable_params()
    arguments = tuple(weights if one == "all" else one for one in arguments)
    opt = FreezeOpt(optimizer, *([[list(weights), list(weights)[2:]], *arguments[1:]] if arguments else ()))
    return [len(one.parameters) for one in opt.opts], opt.train_strategy, opt.dynamic_lr


NET, OPT = made()
CASES = [
    *each("""
        given(made()[1])
        given(made(loss_scale=8.0, weight_decay=0.1)[1])
        given(nn.SGD(Net().trainable_params()))
        given(nn.Adam(Net().trainable_params(), 0.2, use_amsgrad=True))
        given(nn.RMSProp(Net().trainable_params(), 0.2, centered=True))
        given(nn.Lamb(Net().trainable_params(), 0.2))
        centralized()
        freezing(0)
        freezing(0, 3)
        freezing(1)
        freezing(1, 3, 60)
        freezing(1, 1)
        split(1)
        split(2)
        split(3)
        numbered()
        numbered([2, 4])
        regrouped()
        shown(ParameterProcess.generate_group_params(NET.trainable_params(), OPT.init_params['params']))
        without_bn(True)
        without_bn(False)
        frozen()
        frozen('all', [0, 1, 1])
        frozen('all', Tensor([0, 1], ms.int32))
    """),
    *each(
        """
        FreezeOpt(1)
        FreezeOpt(OPT, 3)
        FreezeOpt(OPT, [3])
        FreezeOpt(OPT, [list(NET.trainable_params())], 3.0)
        BoostTrainOneStepWithLossScaleCell(NET, OPT, 3)
    """,
        raises=TypeError,
    ),
    *each(
        """
        FreezeOpt(OPT, None, [0])
        FreezeOpt(OPT, [[]], ['a'])
        freezing(2)
        ParameterProcess.generate_group_params(NET.trainable_params(), [])
        ms.Model(NET, nn.MSELoss(), OPT, boost_level='O9')
    """,
        raises=ValueError,
    ),
]
