"""Layers of 1.0.0 with fixed weights: names, results, gradients; how they are printed and drawn."""

import re

import numpy as np
from mindspore import nn

from tests.oracle.case import Case, each, ints, rand
from tests.oracle.cases.r1_0._graph import First, fixed, forward, in_graph_mode, layer, parameters, run  # noqa: F401

IMAGE = rand(2, 2, 5, 6)


def printed(cell):
    """A Cell as it is printed; numbers that are drawn by chance are dots."""

    def hidden(match):
        return match[0] if len(set(re.findall(r"[^][\s,]+", match[1]))) == 1 else "value=…"

    return re.sub(r"value=(\[+[^][]*(?:\][\s,]*\[[^][]*)*\]+)", hidden, repr(cell))


def drawn(cell):
    """Deviation of every fresh Parameter, and whether it is uniform: which distribution it was drawn from."""
    found = {}
    for p in cell.get_parameters():
        data = p.data.asnumpy().astype(np.float64)
        if (data == data.flat[0]).all():
            found[p.name] = float(data.flat[0])
        elif data.size > 500:
            found[p.name] = (float(data.std()), bool(np.abs(data).max() <= data.std() * 1.8))
        else:
            found[p.name] = bool(np.abs(data.mean()) < data.std())
    return found


def trained(net):
    """A training step."""
    return nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))


LAYERS = """
    nn.Dense(3, 2)
    nn.Dense(3, 2, has_bias=False)
    nn.Dense(3, 2, activation='relu')
    nn.Dense(3, 2, activation=nn.Tanh())
    nn.Conv2d(3, 4, 3)
    nn.Conv2d(3, 4, 3, has_bias=True)
    nn.Conv2d(3, 4, (3, 5), stride=2, pad_mode='pad', padding=1)
    nn.Conv2d(4, 4, 3, group=4, dilation=2)
    nn.Conv2d(3, 4, 3, weight_init='ones', bias_init='ones', has_bias=True)
    nn.Conv2dTranspose(3, 4, 3)
    nn.Conv2dTranspose(3, 4, 3, has_bias=True, pad_mode='pad', padding=1)
    nn.Conv1d(3, 4, 3)
    nn.Conv1d(3, 4, 3, has_bias=True)
    nn.Conv1dTranspose(3, 4, 3)
    nn.BatchNorm2d(3)
    nn.BatchNorm2d(3, eps=1e-3, momentum=0.99, affine=False)
    nn.BatchNorm1d(3)
    nn.GlobalBatchNorm(3)
    nn.LayerNorm((3,))
    nn.LayerNorm((3, 4), begin_norm_axis=2, begin_params_axis=2)
    nn.GroupNorm(2, 4)
    nn.GroupNorm(2, 4, affine=False)
    nn.MaxPool2d()
    nn.MaxPool2d(2, 2)
    nn.MaxPool2d(kernel_size=3, stride=2, pad_mode='same')
    nn.AvgPool2d()
    nn.AvgPool2d(2, 2)
    nn.AvgPool1d(2, 2)
    nn.Embedding(10, 4)
    nn.Embedding(10, 4, True, 'zeros')
    nn.Embedding(vocab_size=10, embedding_size=4, padding_idx=0)
    nn.EmbeddingLookup(10, 4)
    nn.EmbeddingLookup(10, 4, target='DEVICE')
    nn.Dropout()
    nn.Dropout(0.8)
    nn.Dropout(keep_prob=0.9)
    nn.Flatten()
    nn.ReLU()
    nn.ReLU6()
    nn.ELU()
    nn.GELU()
    nn.LeakyReLU()
    nn.LeakyReLU(0.1)
    nn.PReLU()
    nn.PReLU(3, 0.1)
    nn.Sigmoid()
    nn.Tanh()
    nn.Softmax()
    nn.LogSoftmax()
    nn.LogSigmoid()
    nn.HSwish()
    nn.HSigmoid()
    nn.get_activation('relu')
    nn.get_activation('hswish')
    nn.OneHot(depth=4)
    nn.Pad(((0, 0), (1, 1)))
    nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])
    nn.Norm()
    nn.Norm((0,), True)
    nn.ClipByNorm()
    nn.ReduceLogSumExp(0)
    nn.Range(5)
    nn.Range(1, 5, 2)
    nn.LinSpace(1.0, 5.0, 3)
    nn.MatMul()
    nn.LSTM(3, 2)
    nn.LSTM(3, 2, 2, bidirectional=True)
    nn.LSTM(3, 2, has_bias=False, batch_first=True)
    nn.LSTMCell(3, 2)
    nn.SSIM()
    nn.MSSSIM()
    nn.PSNR()
    nn.ImageGradients()
    nn.CentralCrop(0.5)
    nn.MatrixDiag()
    nn.LGamma()
    nn.SparseToDense()
    nn.Conv2dBnAct(3, 4, 3)
    nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation='relu')
    nn.DenseBnAct(3, 4)
    nn.DenseBnAct(3, 4, has_bn=True, activation='relu')
    nn.SequentialCell([nn.Dense(3, 4), nn.ReLU()])
    nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))
    nn.SequentialCell(__import__('collections').OrderedDict([('a', nn.Dense(3, 4)), ('b', nn.ReLU())]))
    nn.CellList([nn.Dense(3, 4), nn.ReLU()])
    nn.SequentialCell([nn.Conv2d(3, 4, 3), nn.SequentialCell([nn.BatchNorm2d(4), nn.ReLU()])])
    nn.MSELoss()
    nn.L1Loss()
    nn.L1Loss('sum')
    nn.SmoothL1Loss()
    nn.SoftmaxCrossEntropyWithLogits()
    nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')
    nn.CosineEmbeddingLoss()
    nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss())
    trained(nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss()))
    nn.WithEvalCell(nn.Dense(3, 2), nn.MSELoss())
    nn.ParameterUpdate(nn.Dense(3, 2).weight)
"""
LAYERS = [line.strip() for line in LAYERS.strip().splitlines()]
DRAWN = [
    "nn.Dense(50, 40)",
    "nn.Dense(50, 40, weight_init='TruncatedNormal', bias_init='uniform')",
    "nn.Dense(50, 40, weight_init='xavier_uniform', bias_init=0.5)",
    "nn.Dense(50, 40, weight_init='he_uniform', bias_init='one')",
    "nn.Dense(50, 40, weight_init='XavierUniform', bias_init='HeUniform')",
    "nn.Dense(50, 40, weight_init='he_normal')",
    "nn.Dense(50, 40, ms.common.initializer.Normal(0.5))",
    "nn.Dense(50, 40, ms.common.initializer.Uniform(2.0))",
    "nn.Dense(50, 40, ms.common.initializer.TruncatedNormal(3.0))",
    "nn.Dense(50, 40, ms.common.initializer.HeUniform())",
    "nn.Dense(50, 40, ms.common.initializer.HeNormal())",
    "nn.Dense(50, 40, ms.common.initializer.HeNormal(0.5, 'fan_out', 'relu'))",
    "nn.Dense(50, 40, ms.common.initializer.XavierUniform(2))",
    "nn.Dense(50, 40, ms.common.initializer.Constant(0.3), ms.common.initializer.One())",
    "nn.Conv2d(20, 30, 3, has_bias=True)",
    "nn.Conv2d(20, 30, 3, weight_init='XavierUniform')",
    "nn.Conv2d(20, 30, 3, weight_init='he_normal')",
    "nn.Conv2d(20, 30, 3, weight_init='TruncatedNormal')",
    "nn.Conv2dTranspose(20, 30, 3, has_bias=True)",
    "nn.Conv1d(20, 30, 5, has_bias=True)",
    "nn.Conv1dTranspose(20, 30, 5, has_bias=True)",
    "nn.Embedding(100, 30)",
    "nn.Embedding(100, 30, embedding_table='uniform')",
    "nn.Embedding(100, 30, padding_idx=1)",
    "nn.EmbeddingLookup(100, 30)",
    "nn.BatchNorm2d(8)",
    "nn.BatchNorm1d(8)",
    "nn.LayerNorm((8,))",
    "nn.GroupNorm(2, 8)",
    "nn.PReLU(3)",
    "nn.LSTM(30, 20)",
    "nn.LSTM(30, 20, 2, bidirectional=True)",
    "nn.Conv2dBnAct(20, 30, 3, has_bias=True)",
    "nn.DenseBnAct(50, 40)",
]

CASES = [
    *[Case(f"printed({line})") for line in LAYERS],
    *[Case(f"parameters({line})") for line in LAYERS],
    *[Case(f"drawn({line})", tolerance=0.1) for line in DRAWN],
    *each(
        """
        layer(nn.Dense(3, 2), x)
        layer(nn.Dense(3, 2, has_bias=False), x)
        layer(nn.Dense(3, 2, activation='relu'), x)
        layer(nn.Dense(3, 2, activation='sigmoid'), x)
        layer(nn.Dense(3, 2, activation=nn.Tanh()), x)
        nn.Dense(3, 2, weight_init='ones', bias_init='zeros')(x)
        nn.Dense(3, 2, weight_init=0.5, bias_init=1)(x)
        nn.Dense(3, 2, weight_init=Tensor(np.ones((2, 3)), ms.float32), bias_init=Tensor([1.0, 2.0], ms.float32))(x)
        layer(nn.SequentialCell([nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 1)]), x)
        layer(nn.SequentialCell(nn.Dense(3, 4), nn.Sigmoid(), nn.Dense(4, 1)), x)
        layer(nn.ReLU(), x)
        layer(nn.ReLU6(), x)
        layer(nn.Sigmoid(), x)
        layer(nn.Tanh(), x)
        layer(nn.ELU(), x)
        layer(nn.GELU(), x)
        layer(nn.LeakyReLU(), x)
        layer(nn.PReLU(3), x)
        layer(nn.HSwish(), x)
        layer(nn.HSigmoid(), x)
        layer(nn.LogSigmoid(), x)
        layer(nn.Softmax(), x)
        layer(nn.Softmax(0), x)
        layer(nn.LogSoftmax(), x)
        layer(nn.Flatten(), x)
        layer(nn.Norm(), x)
        layer(nn.Norm(1), x)
        layer(nn.Norm(1, True), x)
        layer(nn.Dropout(1.0), x)
        layer(nn.Dropout(0.5), x)
        layer(nn.Dropout(1.0), x, train=True)
        layer(nn.LayerNorm((3,)), x)
        layer(nn.ClipByNorm(), x, Tensor(np.array([1.0]).astype(np.float32)))
        layer(nn.ReduceLogSumExp(0), x)
        layer(nn.BatchNorm1d(3), x)
        layer(nn.BatchNorm1d(3), x, train=True)
        layer(nn.Pad(((0, 0), (1, 1))), x)
        layer(nn.Range(5), x)
        run(nn.Range(5))
        run(nn.Range(1, 5, 2))
        run(nn.LinSpace(1.0, 5.0, 3))
        layer(nn.MatMul(False, True), x, x)
        layer(nn.get_activation('softmax'), x)
        layer(nn.get_activation('tanh'), x)
        layer(nn.DenseBnAct(3, 2), x)
        layer(nn.DenseBnAct(3, 2, has_bn=True, activation='relu'), x)
    """,
        x=rand(4, 3),
        tolerance=1e-4,
    ),
    *each(
        """
        layer(nn.Conv2d(2, 3, 3), x)
        layer(nn.Conv2d(2, 3, 3, has_bias=True), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='valid'), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='pad', padding=1), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='pad', padding=(1, 0, 2, 1)), x)
        layer(nn.Conv2d(2, 3, 3, stride=2), x)
        layer(nn.Conv2d(2, 3, 4, stride=3), x)
        layer(nn.Conv2d(2, 3, 3, stride=2, pad_mode='valid'), x)
        layer(nn.Conv2d(2, 3, 2), x)
        layer(nn.Conv2d(2, 3, 3, dilation=2), x)
        layer(nn.Conv2d(2, 4, 3, group=2), x)
        layer(nn.Conv2dTranspose(2, 3, 3), x)
        layer(nn.Conv2dTranspose(2, 3, 3, has_bias=True), x)
        layer(nn.Conv2dTranspose(2, 3, 3, stride=2), x)
        layer(nn.Conv2dTranspose(2, 3, 2, stride=2, pad_mode='valid'), x)
        layer(nn.Conv2dTranspose(2, 3, 4, stride=2, pad_mode='pad', padding=1), x)
        layer(nn.BatchNorm2d(2), x)
        layer(nn.BatchNorm2d(2), x, train=True)
        layer(nn.BatchNorm2d(2, momentum=0.6, eps=1e-3), x, train=True)
        layer(nn.BatchNorm2d(2, affine=False), x, train=True)
        layer(nn.BatchNorm2d(2, use_batch_statistics=True), x)
        layer(nn.BatchNorm2d(2, use_batch_statistics=False), x, train=True)
        layer(nn.GroupNorm(1, 2), x)
        layer(nn.GroupNorm(2, 2), x)
        layer(nn.LayerNorm((6,)), x)
        layer(nn.LayerNorm((2, 5, 6), 1, 1), x)
        layer(nn.MaxPool2d(), x)
        layer(nn.MaxPool2d(2), x)
        layer(nn.MaxPool2d(2, 2), x)
        layer(nn.MaxPool2d(2, 2, 'same'), x)
        layer(nn.MaxPool2d(3, 2, pad_mode='same'), x)
        layer(nn.AvgPool2d(), x)
        layer(nn.AvgPool2d(2), x)
        layer(nn.AvgPool2d(2, 2), x)
        layer(nn.AvgPool2d(3, 2, pad_mode='same'), x)
        layer(nn.AvgPool2d(3, 1, pad_mode='same'), x)
        layer(nn.Flatten(), x)
        layer(nn.Conv2dBnAct(2, 3, 3), x)
        layer(nn.Conv2dBnAct(2, 3, 3, has_bn=True, activation='relu'), x)
        layer(nn.ImageGradients(), x)
        layer(nn.SSIM(), x, x)
        layer(nn.PSNR(), x, x + 1)
        layer(nn.CentralCrop(0.5), x)
        layer(nn.SequentialCell([nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2, 2)]), x, train=True)
        layer(nn.SequentialCell([nn.Conv2d(2, 3, 3), nn.ReLU(), nn.Flatten(), nn.Dense(90, 2)]), x)
    """,
        x=IMAGE,
        tolerance=1e-4,
    ),
    *each(
        """
        layer(nn.Conv1d(2, 3, 3), x)
        layer(nn.Conv1d(2, 3, 3, has_bias=True, pad_mode='valid'), x)
        layer(nn.Conv1d(2, 3, 3, stride=2), x)
        layer(nn.Conv1dTranspose(2, 3, 3), x)
        layer(nn.AvgPool1d(2, 2), x)
    """,
        x=rand(2, 2, 7),
        tolerance=1e-4,
    ),
    *each(
        """
        forward(nn.Embedding(5, 3), i)
        forward(nn.Embedding(5, 3, True), i)
        forward(nn.Embedding(5, 3, padding_idx=1), i)
        nn.Embedding(5, 3, False, 'ones')(i)
        forward(nn.EmbeddingLookup(5, 3), i)
        forward(nn.EmbeddingLookup(5, 3, target='DEVICE'), i)
        forward(nn.OneHot(depth=5), i)
        forward(nn.OneHot(0, 5, 2.0, -1.0), i)
        forward(nn.OneHot(-1, 5, 1.0, 0.0, ms.int32), i)
    """,
        i=ints(2, 3, low=0, high=5),
    ),
]
