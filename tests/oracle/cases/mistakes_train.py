"""Mistakes with optimizers, schedules, Model, callbacks, metrics and checkpoints: the class of the error."""

import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import each

GRADIENT = (Tensor(np.ones(3, np.float32)),)
MATRIX = np.ones((4, 3), np.float32)


def params() -> list[Parameter]:
    return [Parameter(Tensor([1.0, 2.0, -5.0]), name="w")]


ONE = params()[0]


def updated(metric: nn.Metric, *values: list) -> object:
    metric.update(*values)
    return metric.eval()


def rate_of(optimizer: nn.Optimizer, asked: object) -> list:
    found = optimizer.get_lr_parameter(asked)
    return [(rate.name, rate.asnumpy()) for rate in (found if isinstance(found, list) else [found])]


CASES = [
    # optimizers: what they are constructed with
    *each(
        """
        nn.Adam(params(), learning_rate='0.1')
        nn.SGD([{'params': params(), 'lr': '0.1'}], 0.1)
        nn.Momentum(params(), '0.1', 0.9)
        nn.Adam(None, 0.1)
        nn.Adam([], 0.1)
        nn.Adam({}, 0.1)
        nn.SGD([{'params': []}], 0.1)
        nn.SGD([{'params': None}], 0.1)
        nn.SGD([{'params': [ONE]}, {'order_params': [Parameter(Tensor([1.0]), name='other')]}], 0.1)
        nn.Adam(params(), float('inf'))
        nn.Adam(params(), float('nan'))
        nn.Adam(params(), -0.1)
        nn.Adam(params(), ms.Tensor(MATRIX))
        nn.SGD(params(), 0.1, weight_decay=float('inf'))
        nn.SGD(params(), 0.1, weight_decay=-0.1)
        nn.SGD(params(), 0.1, loss_scale=0.0)
        nn.SGD(params(), 0.1, momentum=-0.5)
        nn.SGD(params(), 0.1, nesterov=True)
        nn.Momentum(params(), 0.1, -0.5)
        nn.Adam(params(), 0.1, beta1=1.5)
        nn.Adam(params(), 0.1, eps=0.0)
        nn.Adam(params(), use_lazy=True, use_offload=True)
        nn.FTRL(params(), learning_rate=0.0)
        nn.FTRL(params(), lr_power=0.5)
        nn.Rprop(params(), etas=(0.5,))
        nn.Rprop(params(), step_sizes=(1e-6,))
        nn.Adam(params(), 0.1)((Tensor([1.0, 2.0]),))
        nn.Momentum(params(), 0.1, 0.9)((Tensor([1.0, 2.0]),))
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.Adam(params(), learning_rate=None)
        nn.Adam(params(), nn.ReLU())
        nn.SGD(params(), 0.1, weight_decay='a')
        nn.SGD(params(), 0.1, weight_decay=None)
        nn.SGD(params(), 0.1, loss_scale='a')
        nn.SGD(params(), 0.1, momentum='a')
        nn.SGD(params(), 0.1, nesterov=1)
        nn.SGD([{'params': params(), 'grad_centralization': 'yes'}], 0.1)
        nn.SGD([1], 0.1)
        nn.SGD(ONE, 0.1)
        nn.SGD(params(), lr=0.1)
        nn.SGD()
        nn.Momentum(params(), 0.1, 1)
        nn.Momentum(params(), 0.1, 0.9, use_nesterov=1)
        nn.Momentum(params(), 0.1)
        nn.Adam(params(), 0.1, beta1=0)
        nn.Adam(params(), 0.1, beta1='a')
        nn.Adam(params(), 0.1, use_locking='a')
        nn.Adam(params(), 0.1, use_nesterov=None)
        nn.Adagrad(params(), accum=1)
        nn.Adagrad(params(), update_slots=1)
        nn.ASGD(params(), lambd=1)
        nn.FTRL(params(), l1=1)
        nn.FTRL(params(), learning_rate=1)
        nn.FTRL(params(), use_locking=1)
        nn.RMSProp(params(), centered=1)
        nn.Rprop(params(), etas=[0.5, 1.2])
    """,
        raises=TypeError,
    ),
    *each(
        """
        nn.Adam(params(), lr=0.1)
        nn.SGD([{'params': params(), 'rate': 1}], 0.1)
        nn.SGD([{'lr': 0.1}], 0.1)
    """,
        raises=KeyError,
    ),
    *each(
        """
        nn.SGD([{'params': [ONE]}, {'params': [ONE]}], 0.1)
    """,
        raises=RuntimeError,
    ),
    # metrics: labels beyond the classes, predictions without an axis of classes
    *each(
        """
        updated(nn.Perplexity(), [[0.5, 0.5]], [3])
        updated(nn.Perplexity(), [0.5, 0.5], [1])
        updated(nn.Perplexity(ignore_label=0), [0.5], [1.5])
        """,
        raises=IndexError,
    ),
    *each(
        """
        updated(nn.TopKCategoricalAccuracy(3), [[0.5, 0.5]], [1])
        updated(nn.ConfusionMatrix(2), [[0.5, 0.5]], [3])
        updated(nn.ConfusionMatrix(2), [1], [3])
        updated(nn.MAE(), [1.0], [1.0, 2.0])
        updated(nn.Recall('classification'), [[0.5, 0.5]], [3])
        """,
        raises=ValueError,
    ),
    *each(
        """
        updated(nn.Perplexity(), [[0.5, 0.5]], [-1])
        updated(nn.Top1CategoricalAccuracy(), [[0.5, 0.5]], [3])
        updated(nn.TopKCategoricalAccuracy(2), [[0.5, 0.1, 0.4], [0.2, 0.3, 0.5]], [-1, 1])
        """
    ),
    # which learning rate a parameter has, and levels that nothing trains with
    *each(
        """
        rate_of(nn.Momentum([ONE], [0.1, 0.2], 0.9), ONE)
        rate_of(nn.Momentum([ONE], 0.1, 0.9), [ONE])
        rate_of(nn.Momentum([{'params': [ONE], 'lr': [0.3, 0.1]}], 0.2, 0.9), ONE)
        nn.Momentum([ONE], 0.1, 0.9).get_lr_parameter([])
        type(ms.Model(nn.Dense(2, 1), nn.MSELoss(), boost_level='O5')).__name__
        """
    ),
    *each(
        """
        nn.Momentum([ONE], 0.1, 0.9).get_lr_parameter('w')
        nn.Momentum([ONE], 0.1, 0.9).get_lr_parameter(ms.ParameterTuple([ONE]))
        """,
        raises=TypeError,
    ),
    *each(
        """
        nn.Momentum([ONE], 0.1, 0.9).get_lr_parameter(params()[0])
        ms.Model(nn.Dense(2, 1), nn.MSELoss(), nn.SGD(params(), 0.1), boost_level='O5')
        """,
        raises=ValueError,
    ),
]
