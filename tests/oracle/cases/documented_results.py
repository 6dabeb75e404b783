"""What the examples of releases before 2.1 print, where it differs from later ones or was found to differ here."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, context

from tests.oracle.case import Case
from tests.oracle.cases._tried import tried, tries  # noqa: F401

X = Tensor(np.array([1.0, 2.0], np.float32))
MATRIX = Tensor(np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]], np.float32))
RIGHT = Tensor(np.array([1.0, 2.0, 3.0], np.float32))


def solved(name, **settings):
    from mindspore.scipy.sparse import linalg

    return getattr(linalg, name)(MATRIX, RIGHT, **settings)


def added(*inputs):
    from mindspore.ops.operations.other_ops import PyFunc

    operator = PyFunc(lambda a, b: a + b, [ms.float32] * 2, [(2,)] * 2, [ms.float32], [(2,)])
    return operator(*inputs)


def flags_of(cell):
    cell.add_flags(predict=True)
    return [name for name in ("_func_graph_flags", "_mindspore_flags") if name in cell.__dict__]


def setting(name):
    return context.get_fl_context(name)


EXPRESSIONS = """
solved('cg'); solved('cg', maxiter=1)[1]; solved('cg', maxiter=2)[1]
solved('bicgstab'); solved('bicgstab', maxiter=1)[1]
added((X, X)); added([X, X]); added(X, X)
flags_of(nn.ReLU()); flags_of(nn.Dense(2, 3))
setting('server_mode'); setting('worker_num'); setting('client_epoch_num')
setting('client_learning_rate'); setting('enable_fl')
""".strip().splitlines()

CASES = [Case(tries(one)) for line in EXPRESSIONS for one in line.split("; ")]
