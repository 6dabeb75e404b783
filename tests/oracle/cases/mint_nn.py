"""Layers and optimizers of `mindspore.mint`: names, forward, gradients, buffers, printed forms, and what they refuse.

Many of them have no kernel in the CPU build; `tests/mint/nn/test_nn.py` compares those with torch's.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import Case, each, ints, rand
from tests.oracle.cases._fixed import fixed, layer  # noqa: F401  used by the expressions


def names(cell: nn.Cell) -> tuple[dict, list[str]]:
    """The Parameters and the state dict of a Cell."""
    found = {key: (p.name, p.shape, str(p.dtype), p.requires_grad) for key, p in cell.parameters_and_names()}
    return found, list(cell.state_dict())


def start(cell: nn.Cell) -> dict[str, float]:
    """The largest magnitude in every fresh Parameter, up to what chance does."""
    return {p.name: round(float(np.abs(p.asnumpy()).max()), 1) for p in cell.get_parameters()}


def steps(make: object, count: int = 3, groups: bool = False) -> dict[str, object]:
    """Some steps of an optimizer with fixed gradients, where its CPU kernels work: the parameters and the state."""
    ms.set_context(mode=ms.GRAPH_MODE)
    first = Parameter(Tensor([[1.0, -2.0], [0.5, 3.0]], ms.float32), name="first")
    second = Parameter(Tensor([0.25], ms.float32), name="second")
    params = [{"params": [first], "lr": 0.3, "weight_decay": 0.2}, {"params": [second]}] if groups else [first, second]
    optimizer = make(params)
    for step in range(count):
        gradients = [Tensor(np.cos(np.arange(4).reshape(2, 2) + step), ms.float32), Tensor([0.5 - step], ms.float32)]
        optimizer(gradients)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return {p.name: p.asnumpy() for p in optimizer.get_parameters() if not p.name.startswith("max_")}


CASES = [
    *each(
        """
        names(mint.nn.Linear(3, 2)), names(mint.nn.Linear(3, 2, bias=False))
        names(mint.nn.Conv1d(2, 4, 3)), names(mint.nn.Conv2d(2, 4, 3, groups=2)), names(mint.nn.Conv3d(2, 4, 3))
        names(mint.nn.ConvTranspose2d(4, 6, 3, groups=2, bias=False))
        names(mint.nn.BatchNorm1d(3)), names(mint.nn.BatchNorm2d(3)), names(mint.nn.BatchNorm3d(3))
        names(mint.nn.BatchNorm2d(3, affine=False)), names(mint.nn.BatchNorm2d(3, track_running_stats=False))
        names(mint.nn.SyncBatchNorm(3))
        names(mint.nn.GroupNorm(2, 4)), names(mint.nn.GroupNorm(2, 4, affine=False))
        names(mint.nn.LayerNorm(3)), names(mint.nn.LayerNorm([2, 3], bias=False))
        names(mint.nn.LayerNorm((2, 3), elementwise_affine=False))
        names(mint.nn.Embedding(5, 3)), names(mint.nn.Embedding(5, 3, dtype=ms.float16))
        names(mint.nn.PReLU(3)), names(mint.nn.Conv2d(2, 4, 3, dtype=ms.bfloat16))
        [str(cell) for cell in (mint.nn.Linear(3, 2), mint.nn.Conv1d(2, 4, 3), mint.nn.ConvTranspose2d(2, 4, 3))]
        str(mint.nn.Conv2d(2, 4, (3, 5), padding='same', padding_mode='reflect', bias=False))
        [str(cell) for cell in (mint.nn.BatchNorm2d(3), mint.nn.GroupNorm(2, 4), mint.nn.LayerNorm(3))]
        [str(cell) for cell in (mint.nn.Embedding(5, 3, padding_idx=1), mint.nn.AdaptiveAvgPool2d((2, None)))]
        [str(cell) for cell in (mint.nn.Dropout(0.1), mint.nn.Softmax(1), mint.nn.GELU(), mint.nn.MaxPool2d(2))]
        [str(cell) for cell in (mint.nn.Upsample(2), mint.nn.AvgPool2d(2), mint.nn.Unfold(2), mint.nn.L1Loss())]
        str(mint.nn.AdaptiveMaxPool1d(2)), str(mint.nn.AdaptiveAvgPool3d(2)), str(mint.nn.AdaptiveAvgPool1d(2))
        start(mint.nn.Linear(6, 2000)), start(mint.nn.Conv2d(2, 500, 2))
        start(mint.nn.ConvTranspose2d(90, 90, 3, groups=90))
        mint.nn.Embedding(500, 8).weight.asnumpy().std().round(1), mint.nn.Embedding(5, 3, padding_idx=-1).weight[-1]
        mint.nn.PReLU(3, init=0.1).weight, mint.nn.Linear(2, 2, weight_init='ones', bias_init='zeros').weight
        mint.nn.MaxPool2d(3).stride, mint.nn.AvgPool2d(3).stride, mint.nn.Conv2d(1, 1, 2, padding='valid').padding
        mint.nn.ConstantPad2d(1, 2.0).padding, mint.nn.ZeroPad1d((1, 2)).value, mint.nn.ReflectionPad3d(1).padding
        """
    ),
    *each(
        """
        layer(mint.nn.Linear(3, 2), x)
        layer(mint.nn.Linear(3, 2, bias=False), x)
        layer(mint.nn.PReLU(), x)
        layer(mint.nn.Softmax(-1), x)
        layer(mint.nn.Softmax(), x)
        layer(mint.nn.SiLU(), x)
        layer(mint.nn.Tanh(), x)
        layer(mint.nn.Hardshrink(0.3), x)
        layer(mint.nn.Hardsigmoid(), x)
        layer(mint.nn.Hardswish(), x)
        layer(mint.nn.Softshrink(0.2), x)
        layer(mint.nn.ReLU(), x)
        layer(mint.nn.Identity(1, a=2), x)
        mint.nn.Dropout(0.4)(x), mint.nn.Dropout2d(0.4)(x), mint.nn.Dropout(1.0).set_train()(x)
        """,
        x=rand(4, 3),
    ),
    *each(
        """
        layer(mint.nn.GroupNorm(2, 4), x)
        layer(mint.nn.GroupNorm(2, 4, affine=False), x)
        layer(mint.nn.Flatten(), x), mint.nn.Flatten(0, 1)(x).shape
        layer(mint.nn.GLU(1), x)
        layer(mint.nn.PixelShuffle(2), x)
        layer(mint.nn.Upsample(scale_factor=2.0), x), mint.nn.Upsample(size=(3, 5))(x)
        layer(mint.nn.UpsamplingNearest2d(size=(4, 4)), x)
        layer(mint.nn.AdaptiveMaxPool2d(2), x)
        mint.nn.SyncBatchNorm(4)(x)
        """,
        x=rand(2, 4, 3, 3),
    ),
    *each(
        """
        mint.nn.BCEWithLogitsLoss()(x, y), mint.nn.BCEWithLogitsLoss(x + 1, 'sum', y)(x, y)
        mint.nn.BCELoss()(x, y), mint.nn.BCELoss(y, 'none')(x, y)
        mint.nn.NLLLoss()(x, t), mint.nn.NLLLoss(ignore_index=1, reduction='none')(x, t)
        """,
        x=rand(4, 3, low=0.1, high=0.9),
        y=rand(4, 3, low=0.1, high=0.9),
        t=ints(4, low=0, high=3),
    ),
    *each(
        """
        steps(lambda p: mint.optim.SGD(p, lr=Tensor(0.1)))
        steps(lambda p: mint.optim.SGD(p, lr=Tensor(0.1), momentum=0.5))
        steps(lambda p: mint.optim.Adam(p, lr=0.1))
        steps(lambda p: mint.optim.Adam(p, lr=0.1, betas=(0.5, 0.7), eps=0.1, weight_decay=0.3))
        steps(lambda p: mint.optim.Adam(p, lr=0.1, amsgrad=True), 4)
        steps(lambda p: mint.optim.Adam(p, lr=0.1, maximize=True))
        steps(lambda p: mint.optim.Adam(p, lr=0.1), groups=True)
        steps(lambda p: mint.optim.SGD(p, 0.1))
        steps(lambda p: mint.optim.SGD(p, 0.1, momentum=0.9))
        steps(lambda p: mint.optim.SGD(p, 0.1, momentum=0.9, dampening=0.4, weight_decay=0.2))
        steps(lambda p: mint.optim.SGD(p, 0.1, momentum=0.9, nesterov=True, maximize=True))
        steps(lambda p: mint.optim.SGD(p, 0.1, momentum=0.9), groups=True)
        steps(lambda p: mint.optim.AdamW(p, lr=0.1), 0), steps(lambda p: mint.optim.AdamW(p, amsgrad=True), 0)
        """,
        tolerance=1e-4,  # MindSpore has 1 - beta in float32
    ),
    *each(
        """
        mint.nn.Linear(0, 1)
        mint.nn.Conv2d(0, 1, 3)
        mint.nn.Conv2d(3, 4, 3, groups=2)
        mint.nn.Conv2d(4, 3, 3, groups=2)
        mint.nn.Conv2d(4, 4, 3, groups=0)
        mint.nn.Conv2d(4, 4, 0)
        mint.nn.Conv2d(4, 4, 3, padding='foo')
        mint.nn.Conv2d(4, 4, 3, stride=2, padding='same')
        mint.nn.Conv2d(4, 4, 3, padding_mode='foo')
        mint.nn.ConvTranspose2d(4, 4, 3, padding='same')
        mint.nn.ConvTranspose2d(4, 4, 3, padding_mode='reflect')
        mint.nn.GroupNorm(3, 4)
        mint.nn.GroupNorm(0, 4)
        mint.nn.LayerNorm([])
        mint.nn.Embedding(5, 3, padding_idx=5)
        mint.nn.Embedding(5, 3, sparse=True)
        mint.nn.Embedding(5, 3, _weight=Tensor(np.ones((2, 3), np.float32)))
        mint.nn.ConstantPad1d((1, 2, 3), 0)
        mint.nn.ZeroPad1d(1.5)
        mint.nn.ReflectionPad2d(-1)
        mint.nn.L1Loss('foo')
        mint.nn.BCELoss(reduction='foo')
        mint.nn.BCEWithLogitsLoss(reduction='foo')
        mint.nn.BatchNorm2d(4)(Tensor(np.ones((2, 4, 6), np.float32)))
        mint.nn.BatchNorm3d(4)(Tensor(np.ones((2, 4, 6, 6), np.float32)))
        mint.nn.PixelShuffle(3)(Tensor(np.ones((2, 4, 6, 6), np.float32)))
        mint.nn.Upsample()(Tensor(np.ones((2, 4, 6, 6), np.float32)))
        mint.nn.Upsample(scale_factor=2.0, mode='foo')(Tensor(np.ones((2, 4, 6, 6), np.float32)))
        mint.nn.Flatten(5)(Tensor(np.ones((2, 4), np.float32)))
        mint.optim.Adam([])
        mint.optim.Adam([Parameter(Tensor([1.0]))], betas=(1.0, 0.9))
        mint.optim.SGD([Parameter(Tensor([1.0]))], 0.1, momentum=-1)
        mint.optim.SGD([Parameter(Tensor([1.0]))], 0.1, nesterov=True)
        """,
        raises=ValueError,
    ),
    *each(
        """
        mint.nn.Linear(1.5, 1)
        mint.nn.Linear(3, 2, bias=1)
        mint.nn.Conv2d(1.5, 1, 3)
        mint.nn.Conv2d(4, 4, (3, 3, 3))
        mint.nn.Conv2d(4, 4, 'a')
        mint.nn.Conv2d(4, 4, 3, bias=1)
        mint.nn.GroupNorm(2.0, 4)
        mint.nn.GroupNorm(2, 4, affine=1)
        mint.nn.GroupNorm(2, 4, eps='a')
        mint.nn.BatchNorm2d('a')
        mint.nn.LayerNorm('a')
        mint.nn.Embedding('a', 3)
        mint.nn.Embedding(5, 3, padding_idx=1.5)
        mint.nn.Embedding(5, 3, max_norm='a')
        mint.nn.PReLU(2.5)
        mint.nn.Hardshrink('a')
        mint.nn.ReLU(inplace=True)
        mint.nn.Softmax('a')(Tensor(np.ones((2, 4), np.float32)))
        mint.optim.Adam([Parameter(Tensor([1.0]))], lr='a')
        mint.optim.Adam([Parameter(Tensor([1.0]))], amsgrad=1)
        mint.optim.SGD([Parameter(Tensor([1.0]))], 0.1, momentum='a')
        """,
        raises=TypeError,
    ),
    Case("mint.nn.GLU(9)(Tensor(np.ones((2, 4), np.float32)))", raises=(IndexError, ValueError)),
]
