"""Mistakes with layers, losses and Cells: the class of the error."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import each

A43 = np.random.default_rng(0).random((4, 3)).astype(np.float32)
X43 = Tensor(A43)
IMG = Tensor(np.ones((1, 2, 6, 6), np.float32))
IDX = Tensor([[0, 1], [2, 4]], ms.int32)
SEQ = Tensor(np.ones((4, 2, 2), np.float32))
H3 = Tensor(np.ones((2, 3), np.float32))
Q = Tensor(np.ones((3, 2, 4), np.float32))
PS = Tensor(np.ones((1, 4, 4, 4), np.float32))
NET = nn.Dense(3, 1)
OPT = nn.SGD(NET.trainable_params(), 0.01)

CASES = [
    *each(
        """
        nn.TrainOneStepCell(NET, None)
        nn.TrainOneStepCell(1, OPT)
    """,
        raises=AttributeError,
    ),
    *each(
        """
        nn.CellList([nn.ReLU()]).insert(5, nn.ReLU())
        nn.CellList([nn.ReLU()])[5]
    """,
        raises=IndexError,
    ),
    *each(
        """
        nn.Dense(3, 2, activation='')
        nn.get_activation(1)
        nn.get_activation('')
        nn.CellDict({'a': nn.ReLU()})['b']
    """,
        raises=KeyError,
    ),
    *each(
        """
        nn.Conv2d(3, 3, 3)(IMG)
        nn.Conv2dTranspose(3, 3, 3)(IMG)
        nn.Embedding(5, 3)(Tensor([7], ms.int32))
        nn.Embedding(5, 3)(Tensor([-7], ms.int32))
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        nn.Conv2d(2, 3, 3, pad_mode=1)
        nn.Conv2d(2, 3, 3, padding=[1, 1, 1, 1], pad_mode='pad')
        nn.Conv2d(2, 3, 3, padding=None)
        nn.Conv2d(2, 3, (3, 3, 3))
        nn.Conv2d(2, 3, 3, stride=(1,))
        nn.Conv2d(2, 3, 3, group=1.0)
        nn.Conv2d(2, 3, 3, dtype=1)
        nn.Conv2d(2.0, 3, 3)
        nn.Conv3d('a', 3, 3)
        nn.Conv3d(2, 3, 1.5)
        nn.Conv3d(2, 3, 3, padding=1.5)
        nn.Conv3d(2, 3, 3, dilation=[1, 1, 1])
        nn.Conv1d(2, 3, 3, padding=[1, 1], pad_mode='pad')
        nn.Conv1d(2, 3, 3, stride=(1,))
        nn.Conv1dTranspose(2, 3, (3,))
        nn.Conv2dTranspose(2, 3, 3, padding=[])
        nn.Conv2dTranspose(2, 3, 3, output_padding=[1, 2])
        nn.Conv3dTranspose(2, 2, 2, padding=1.5)
        nn.Conv3dTranspose(2, 2, 2, output_padding=[0, 0, 0])
        nn.MaxPool1d((2,))
        nn.MaxPool1d(2, [])
        nn.MaxPool2d('a')
        nn.MaxPool2d(2, [2, 2])
        nn.MaxPool2d(2, 2, None)
        nn.MaxPool3d(1.5)
        nn.AvgPool1d([2])
        nn.AvgPool1d(2, 2, ceil_mode=1)
        nn.AvgPool2d(1.5)
        nn.AvgPool2d(2, 2, divisor_override='a')
        nn.AvgPool3d(2, 2, -1)
        nn.AvgPool3d(2, 2, padding='a')
        nn.AdaptiveAvgPool1d(1.5)
        nn.AdaptiveAvgPool2d(1.5)
        nn.AdaptiveMaxPool1d('a')
        nn.ZeroPad2d(X43)
        nn.ZeroPad2d(None)
        nn.ConstantPad1d(1, None)
        nn.ConstantPad2d('', 3.0)
        nn.ReflectionPad1d('a')
        nn.ReflectionPad3d([])
        nn.ReplicationPad2d('')
        nn.Pad((1, 2))
        nn.Dense(3, 2, activation=1)
        nn.Dense(3, 2, dtype='float32')
        nn.Dense(3.0, 2)
        nn.Dense(3, 2)(1)
        nn.Dense(3, 2)(X43.astype(ms.int32))
        nn.Dense(3, 2)()
        nn.Conv2d(2, 3, 3)('a')
        nn.Conv2d(2, 3, 3)(IMG.astype(ms.int32))
        nn.BatchNorm2d('a')
        nn.BatchNorm2d(2, affine=1)
        nn.BatchNorm2d(2)(IMG.astype(ms.int32))
        nn.LayerNorm((3,))(X43.astype(ms.int32))
        nn.GroupNorm(1, 2, affine=1)
        nn.InstanceNorm2d(2, momentum=-1)
        nn.InstanceNorm2d('a')
        nn.Embedding(5, 3, padding_idx='a')
        nn.Embedding(5, 3)(X43)
        nn.Embedding(5, 3)('a')
        nn.EmbeddingLookup(5, 3, max_norm='a')
        nn.Dropout(p=True)
        nn.Dropout(keep_prob=0)
        nn.Dropout3d(p=-1)
        nn.LSTM('a', 3)
        nn.LSTM(2, 3, batch_first=1)
        nn.LSTM(2, 3, dropout=1)
        nn.LSTMCell(2, 3)(SEQ[0])
        nn.MultiheadAttention('a', 2)
        nn.ReLU()('a')
        nn.ReLU()()
        nn.Softmax(axis='a')
        nn.Softmax()(IDX)
        nn.PReLU(w=0)
        nn.HShrink('a')
        nn.Threshold(1.0)
        nn.Unflatten('a', (2, 2))
        nn.SequentialCell([1])
        nn.CellList(nn.ReLU())
        nn.CellList([nn.ReLU()]).append(1)
        nn.CellList([nn.ReLU()])['a']
        nn.WithLossCell(NET, nn.MSELoss())(X43)
        nn.FocalLoss(gamma='a')
    """,
        raises=TypeError,
    ),
    *each(
        """
        nn.Conv2d(2, 3, 3, pad_mode='')
        nn.Conv2d(2, 3, 3, padding=1)
        nn.Conv2d(2, 3, 3, group=0)
        nn.Conv2d(2, 3, 3, weight_init='abc')
        nn.Conv1d(2, 3, 3, pad_mode=1)
        nn.MaxPool1d(2, 2, 'abc')
        nn.MaxPool1d(2, 2, return_indices=1)
        nn.MaxPool2d(2, 2, 'abc')
        nn.MaxPool2d(2, 2, 'pad', padding=-1)
        nn.MaxPool3d(2, 2, ceil_mode=1)
        nn.AvgPool2d(2, 2, padding=1)
        nn.AdaptiveAvgPool2d((1, 2, 3))
        nn.ZeroPad2d((1,))
        nn.ReflectionPad1d(-1)
        nn.Pad(((1, 2),), mode=1)
        nn.Dense(5, 2)(X43)
        nn.Conv1d(2, 3, 3)(X43)
        nn.Conv2dTranspose(2, 3, 3)(X43)
        nn.BatchNorm2d(2, use_batch_statistics=1)
        nn.BatchNorm2d(3)(IMG)
        nn.BatchNorm1d(3)(IMG)
        nn.GroupNorm(0, 2)
        nn.GroupNorm(1, 3)(IMG)
        nn.Embedding(5, 0)
        nn.Embedding(5, 3, padding_idx=-1)
        nn.OneHot(depth=-1)(IDX)
        nn.Dropout2d(p=1.5)
        nn.LSTM(2, 3, dropout=1.5)
        nn.LSTM(2, 3)(SEQ, (H3, H3))
        nn.RNN(2, 3, nonlinearity='a')
        nn.GRUCell(2, 3)(X43, H3)
        nn.MultiheadAttention(4, 3)
        nn.TransformerEncoderLayer(4, 3)
        nn.TransformerEncoderLayer(4, 2, dropout=2.0)
        nn.Transformer(4, 2)(Q, X43)
        nn.PReLU(channel=0)
        nn.GLU()(X43)
        nn.Flatten(2, 1)(IMG)
        nn.Upsample()(IMG)
        nn.PixelUnshuffle(3)(PS)
        nn.CrossEntropyLoss(label_smoothing=3.0)
        ops.linspace(0, 1, 0)
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.CrossEntropyLoss(label_smoothing=1)
        nn.CrossEntropyLoss(ignore_index=1.5)
        nn.CrossEntropyLoss(weight=[1.0])
        nn.NLLLoss(weight=[1.0])
        nn.NLLLoss(ignore_index=1.5)
        nn.NLLLoss()(Tensor([[1.0, 2.0]]), Tensor([0.0]))
        ops.linspace(0, 1, 2.5)
        ms.set_device(3)
    """,
        raises=TypeError,
    ),
]
