"""What the examples in the docstrings of 1.x show, where later releases show something else."""

import contextlib
import io

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops  # noqa: F401
from mindspore.dataset import NumpySlicesDataset
from mindspore.ops import operations as P

from tests.oracle.case import GAP, Case
from tests.oracle.cases._tried import tried, tries  # noqa: F401


def printed(*values):
    """What `Print` writes to Python's stdout; a later release writes elsewhere."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        P.Print()(*values)
    return shown.getvalue() or GAP


def called_by(kind, **hooks):
    """The functions of a callback that training and evaluation call, in order."""
    from mindspore.train import callback as callbacks

    called = []
    functions = {name: lambda context, name=name: called.append(name) for name in hooks}
    callback = getattr(callbacks, kind)(**functions)
    rows = np.ones((2, 3), np.float32), np.ones((2, 1), np.float32)
    data = NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(1)
    net = nn.Dense(3, 1)
    model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mse"})
    model.train(1, data, callbacks=[callback], dataset_sink_mode=False)
    model.eval(data, callbacks=[callback], dataset_sink_mode=False)
    return called


EXPRESSIONS = """
printed("a", Tensor(np.ones((2, 1), np.int32)), Tensor(1.5, ms.float32), [1, 2])
repr(nn.transformer.MultiHeadAttention(2, 4, 4, 8, 2))
repr(nn.transformer.TransformerEncoderLayer(2, 8, 16, 2, 4))
repr(ops.Add().shard(((1, 1), (1, 1))))
repr(ops.Add().shard(strategy=((1, 1), (1, 1))))
repr(ops.Add().shard(((1, 1), (1, 1)), ((1, 1),)))
called_by("LambdaCallback", epoch_begin=1, epoch_end=1, step_begin=1, step_end=1, begin=1, end=1)
called_by("LambdaCallback", on_train_epoch_end=1, on_train_begin=1, on_eval_begin=1, on_eval_end=1)
""".strip().splitlines()

CASES = [Case(tries(one)) for one in EXPRESSIONS]
