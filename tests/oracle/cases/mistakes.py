"""Mistakes that users make: the class of the error, and the word that tells them what is wrong."""

import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, each

ONES = Tensor(np.ones((2, 3), np.float32))


class Broken(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        raise ValueError("bad shape of x")


class Untaught(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return self.missing(x)


CASES = [
    *each(
        """
        ops.add(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
        Tensor([1.0, 2.0]) + Tensor([1.0, 2.0, 3.0])
        ops.concat((ONES, ONES.T))
        ops.concat((ONES, ONES), 5)
        ops.stack((Tensor([1.0]), Tensor([1.0, 2.0])))
        ops.reshape(ONES, (4, 2))
        ONES.reshape(4, 2)
        ops.expand_dims(ONES, 5)
        ops.broadcast_to(ONES, (2, 2))
        ops.softmax(ONES, 3)
        ops.sum(ONES, 3)
        ops.gather(ONES, Tensor([0]), 3)
        ops.topk(ONES, 9)
        ops.transpose(ONES, (0, 0))
        ops.transpose(ONES, (0, 1, 2))
        ops.split(ONES, 0)
        ops.pad(ONES, (1,))
        ops.MatMul()(ONES, ONES)
        nn.Dense(4, 1)(ONES)
        nn.Dense(0, 1)
        nn.Conv2d(1, 1, 3, padding=1)
        nn.Dropout(p=2.0)
        nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
        nn.CrossEntropyLoss()(ONES, Tensor([0, 1, 2], ms.int32))
        nn.SoftmaxCrossEntropyWithLogits(reduction='avg')
        nn.SGD(nn.ReLU().trainable_params(), 0.1)
        nn.SGD(nn.Dense(1, 1).trainable_params(), -0.1)
        ms.set_context(mode=9)
        ms.set_context(device_target='NPU')
        ms.load_checkpoint('no_such_file.ckpt')
        ms.load_checkpoint('file.bin')
        ms.common.initializer.initializer('no_such', [2])
        Parameter(True)
        bool(ONES)
        1 if ONES > 0 else 2
        Tensor([1, 2]).item()
    """,
        raises=ValueError,
    ),
    *each(
        """
        ops.relu([1.0])
        ops.relu(None)
        ops.relu(ONES, foo=1)
        ops.relu()
        ops.add(ONES)
        ops.concat(ONES.asnumpy())
        ops.cast(ONES, 'foo')
        ops.cast(ONES, 3)
        ops.reshape(ONES, 'a')
        ops.one_hot(Tensor([1]), 'a', Tensor(1.0), Tensor(0.0))
        ops.matmul(ONES, None)
        ONES + None
        ONES + 'a'
        ONES + ONES.asnumpy()
        ONES @ 2
        nn.Dense('a', 1)
        nn.Dense(2, 1, has_bias='yes')
        nn.Dense(3, 1)(ONES.asnumpy())
        nn.Dense(3, 1)(ONES.astype(ms.int32))
        nn.Dense(3, 1)(ONES, ONES)
        nn.Dense(3, 1)()
        nn.Conv2d(1, 1)
        nn.Conv2d(1, 1, 'a')
        nn.CellList([1])
        nn.SequentialCell('a')
        nn.SGD(nn.Dense(1, 1), 0.1)
        nn.Momentum(nn.Dense(1, 1).trainable_params())
        Tensor('abc')
        Tensor([1], dtype='float32')
        Tensor([[1, 2], [3]])
        Parameter(None)
        Parameter([1.0], requires_grad='yes')
        ms.load_param_into_net(1, {})
        ms.load_param_into_net(nn.ReLU(), 1)
        ms.save_checkpoint(1, 'a.ckpt')
        ms.set_seed('a')
        ms.Model(1)
        ONES()
        len(Tensor(1.0))
        Tensor(1.0)[0]
    """,
        raises=TypeError,
    ),
    Case("ops.nosuchop", raises=AttributeError, says="nosuchop"),
    Case("nn.NoSuchLayer", raises=AttributeError, says="NoSuchLayer"),
    Case("ms.nosuchname", raises=AttributeError, says="nosuchname"),
    Case("ONES.nosuchmethod()", raises=AttributeError, says="nosuchmethod"),
    Case("Untaught()(ONES)", raises=AttributeError, says="missing"),
    Case("Broken()(ONES)", raises=ValueError, says="bad shape of x"),
    Case("ops.sigmoid(ONES, foo=1)", raises=TypeError, says="foo"),
    Case("ops.matmul(ONES, ONES)", raises=RuntimeError),
    Case("nn.Conv2d(3, 1, 1)(ONES[None, None])", raises=RuntimeError),
    Case("ONES[5]", raises=IndexError),
    Case("ONES['a']", raises=IndexError),
    Case("ONES[1.5]", raises=IndexError),
    Case("ONES[0, 0, 0]", raises=IndexError),
    Case("nn.CellList([nn.ReLU()])[3]", raises=IndexError),
    Case("nn.SequentialCell(nn.ReLU())[3]", raises=IndexError),
    Case("nn.get_activation('swush')", raises=KeyError, says="swush"),
    Case("nn.Dense(2, 1, activation='swush')", raises=KeyError, says="swush"),
    Case("ms.Model(nn.ReLU(), metrics={'swush'})", raises=KeyError, says="swush"),
    Case("nn.SGD([{'params': nn.Dense(1, 1).trainable_params(), 'rate': 1}], 0.1)", raises=KeyError, says="rate"),
    Case("nn.CellList([nn.ReLU()])(ONES)", raises=NotImplementedError),
]
