"""Mixed precision: loss scalers, managers, finiteness, and which Cells run in float16."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, nn, ops

from tests.oracle.case import Case, each, rand
from tests.oracle.cases._fixed import fixed


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.c = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(32, 3)
        self.ln = nn.LayerNorm((3,))

    def construct(self, x: Tensor) -> Tensor:
        return self.ln(self.fc(self.flatten(self.bn(self.c(x)))))


class Constants(nn.Cell):
    """Computes with Tensors that are no Parameters."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.table = Tensor(np.arange(4).reshape(1, 4) + 0.1, ms.float32)
        self.double = Tensor([[0.1]], ms.float64)
        self.whole = Tensor([[3]], ms.int32)
        self.matmul = ops.MatMul()

    def construct(self, x: Tensor) -> Tensor:
        if self.kind == "read":
            return self.table
        if self.kind == "product":
            return self.matmul(x, self.table)
        if self.kind == "sum":
            return x + self.table
        if self.kind == "alone":
            return ops.exp(self.table)
        if self.kind == "double":
            return x * self.double
        if self.kind == "whole":
            return x * self.whole
        return ops.cast(self.table, ms.float32)


def constants(kind: str, mode: int) -> tuple[Tensor, Tensor]:
    """Compute in float16, and give the table afterwards."""
    ms.set_context(mode=mode)
    net = Constants(kind)
    found = nn.SequentialCell(net).to_float(ms.float16)(Tensor([[1.0], [2.0]], ms.float32))
    return found, net.table


def mixed(level: str) -> dict[str, str]:
    return {p.name: str(p.dtype) for p in amp.auto_mixed_precision(Net(), level).get_parameters()}


def output(level: str, x: Tensor) -> Tensor:
    return amp.auto_mixed_precision(fixed(Net()), level)(x)


def adjusted(scaler: object, *finite: bool) -> list[float]:
    values = []
    for flag in finite:
        scaler.adjust(Tensor(flag))
        values.append(float(scaler.scale_value.asnumpy()))
    return values


def updated(manager: object, *overflow: bool) -> list[float]:
    values = []
    for flag in overflow:
        manager.update_loss_scale(flag)
        values.append(float(manager.get_loss_scale()))
    return values


CASES = [
    *[Case(f"constants({kind!r}, 0)") for kind in ("read", "product", "sum", "alone", "double", "whole", "cast")],
    *[Case(f"constants({kind!r}, 1)") for kind in ("product", "sum", "alone", "double", "whole")],
    *each("""
        amp.StaticLossScaler(16).scale(Tensor(1.0)), amp.StaticLossScaler(16).unscale((Tensor(16.0), Tensor([8.0])))
        amp.StaticLossScaler(2**10).scale_value.asnumpy()
        bool(amp.StaticLossScaler(16).adjust(Tensor(True)))
        amp.DynamicLossScaler(4, 2, 2).scale(Tensor(1.5)), amp.DynamicLossScaler(4, 2, 2).unscale(Tensor([8.0]))
        adjusted(amp.DynamicLossScaler(4, 2, 2), True, True, False, True, True, False)
        adjusted(amp.DynamicLossScaler(4, 2, 1), True, True, True)
        adjusted(amp.DynamicLossScaler(2, 2, 2), False, False, False)
        adjusted(amp.DynamicLossScaler(1024, 4, 3), True, True, True, False)
        amp.DynamicLossScaler(4, 2, 50).scale_value.asnumpy(), amp.DynamicLossScaler(4, 2, 50).counter.asnumpy()
        amp.DynamicLossScaler(4, 2, 50).scale_window, amp.DynamicLossScaler(4, 3, 50).scale_factor
        amp.all_finite([Tensor([1.0])]), amp.all_finite([Tensor([1.0]), Tensor([float('nan')])])
        amp.all_finite((Tensor([float('inf')]),)), amp.all_finite([Tensor([1.0], ms.float16)])
        bool(amp.all_finite([Tensor([1.0])]))
        (lambda m: (m.get_loss_scale(), m.get_drop_overflow_update()))(ms.FixedLossScaleManager())
        (lambda m: (m.get_loss_scale(), m.get_update_cell()))(ms.FixedLossScaleManager(8.0, False))
        type(ms.FixedLossScaleManager(8.0).get_update_cell()).__name__
        (lambda m: (m.get_loss_scale(), m.get_drop_overflow_update()))(ms.DynamicLossScaleManager())
        updated(ms.DynamicLossScaleManager(16, 2, 2), True, False, False, False, False)
        updated(ms.DynamicLossScaleManager(4, 2, 2), True, True, True, True)
        updated(ms.FixedLossScaleManager(16.0), True, False)
        type(ms.DynamicLossScaleManager(16, 2, 2).get_update_cell()).__name__
        nn.FixedLossScaleUpdateCell(8.0).get_loss_scale(), nn.DynamicLossScaleUpdateCell(16, 2, 2).get_loss_scale()
        mixed('O0')
        list(mixed('O2')), sorted(set(mixed('O2').values()))
        list(mixed('O3')), sorted(set(mixed('O3').values()))
        list(mixed('O1')), sorted(set(mixed('O1').values()))
        sorted(set(mixed('auto').values()))
        amp.auto_mixed_precision(Net(), 'O0').training
        sorted({'Conv2d', 'Dense', 'LSTMCell', 'MatMul', 'PReLU'} & {c.__name__ for c in amp.get_white_list()})
        sorted(c.__name__ for c in amp.get_black_list())
        isinstance(amp.StaticLossScaler(4), amp.LossScaler)
    """),
    *each(
        """
        output('O0', x)
        output('O2', x)
        output('O3', x)
        output('auto', x)
    """,
        x=rand(2, 1, 4, 4),
        tolerance=2e-2,
    ),  # float16 inside
    *each(
        """
        amp.auto_mixed_precision(Net(), 'O4')
        amp.StaticLossScaler(0)
        ms.FixedLossScaleManager(0)
        ms.DynamicLossScaleManager(0.5)
        ms.Model(Net(), amp_level='O2')
        ms.Model(Net(), amp_level='O9')
    """,
        raises=ValueError,
    ),
    *each(
        """
        amp.auto_mixed_precision(1, 'O2')
        amp.DynamicLossScaler('a', 2, 2)
    """,
        raises=TypeError,
    ),
    *[
        Case(f"nn.Dense(2, 2).to_float(ms.{name})(Tensor(np.ones((1, 2)), ms.float32)).dtype")
        for name in ("float16", "float32")
    ],
]
