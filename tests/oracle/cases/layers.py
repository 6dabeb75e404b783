"""Layers with fixed weights: names, forward, gradients, buffers, and how they initialise and refuse."""

import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, arange, each, ints, rand, values
from tests.oracle.cases._fixed import fixed, layer  # noqa: F401  used by the expressions

IMAGE = rand(2, 2, 5, 6)
SERIES = rand(2, 2, 7)


def bounds(cell: nn.Cell) -> dict[str, tuple]:
    """Deviation of every fresh Parameter, and whether it is uniform: which distribution it was drawn from."""
    found = {}
    for p in cell.get_parameters():
        data = p.asnumpy().astype(np.float64)
        found[p.name] = (float(data.std()), bool(np.abs(data).max() <= data.std() * 2))
    return found


def twice(cell: nn.Cell, x: Tensor) -> tuple:
    """Two training steps forward, then an evaluation: outputs and statistics."""
    fixed(cell).set_train()
    outputs = [cell(x), cell(x + 1), cell.set_train(False)(x)]
    return outputs, {p.name: p.asnumpy() for p in cell.get_parameters()}


def shape(cell: nn.Cell, *inputs: Tensor) -> tuple:
    out = cell(*inputs)
    return out.shape if isinstance(out, Tensor) else [part.shape if isinstance(part, Tensor) else part for part in out]


CASES = [
    # Dense
    *each(
        """
        layer(nn.Dense(3, 2), x)
        layer(nn.Dense(3, 2, has_bias=False), x)
        layer(nn.Dense(3, 2, activation='relu'), x)
        layer(nn.Dense(3, 2, activation=nn.Tanh()), x)
        layer(nn.Dense(3, 2), x[0])
        layer(nn.Dense(3, 2), x[None])
        nn.Dense(3, 2, weight_init='ones', bias_init='zeros')(x)
        nn.Dense(3, 2, weight_init=0.5, bias_init=1)(x)
        nn.Dense(3, 2, weight_init=Tensor(np.ones((2, 3)), ms.float32), bias_init=Tensor([1.0, 2.0]))(x)
        nn.Dense(3, 2, ms.common.initializer.One(), 'ones')(x)
        layer(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 1)), x)
        fixed(nn.Dense(3, 2)).to_float(ms.float16)(x)
        nn.Dense(3, 2, dtype=ms.float16)(x.astype(ms.float16)).dtype
        layer(nn.BiDense(3, 3, 2), x, x + 1)
    """,
        x=rand(4, 3),
    ),
    # dtypes that differ from those of the weights
    *each(
        """
        layer(nn.LayerNorm((4,), dtype=ms.float16), x)
        ops.lrn(x.expand_dims(0).expand_dims(0).astype(ms.float16))
        nn.RReLU(0.5, 0.5)(x.astype(ms.float16))
    """,
        x=rand(3, 4),
    ),
    Case("layer(nn.LayerNorm((4,)), x.astype(ms.float64))", x=rand(3, 4), tolerance=1e-6),  # float32 inside
    # containers
    Case(
        "nn.CellList([]).append(nn.ReLU()), nn.SequentialCell([]).append(nn.ReLU()), Tensor([1.5]).set_dtype(ms.int32)"
    ),
    # convolutions
    *each(
        """
        layer(nn.Conv2d(2, 3, 3), x)
        layer(nn.Conv2d(2, 3, 3, has_bias=True), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='valid'), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='pad', padding=1), x)
        layer(nn.Conv2d(2, 3, 3, pad_mode='pad', padding=(1, 0, 2, 1)), x)
        layer(nn.Conv2d(2, 3, 3, stride=2), x)
        layer(nn.Conv2d(2, 3, 2, stride=2), x)
        layer(nn.Conv2d(2, 3, 4, stride=3), x)
        layer(nn.Conv2d(2, 3, 3, stride=2, pad_mode='valid'), x)
        layer(nn.Conv2d(2, 3, 3, stride=(2, 1), pad_mode='pad', padding=1), x)
        layer(nn.Conv2d(2, 3, (1, 3)), x)
        layer(nn.Conv2d(2, 3, 2), x)
        layer(nn.Conv2d(2, 3, 3, dilation=2), x)
        layer(nn.Conv2d(2, 3, 2, dilation=2, pad_mode='pad', padding=2), x)
        layer(nn.Conv2d(2, 4, 3, group=2), x)
        layer(nn.Conv2d(2, 2, 1, group=2, has_bias=True), x)
        layer(nn.Conv2d(2, 2, 1), x)
        layer(nn.Conv2dTranspose(2, 3, 3), x)
        layer(nn.Conv2dTranspose(2, 3, 3, has_bias=True), x)
        layer(nn.Conv2dTranspose(2, 3, 3, pad_mode='valid'), x)
        layer(nn.Conv2dTranspose(2, 3, 3, pad_mode='pad', padding=1), x)
        layer(nn.Conv2dTranspose(2, 3, 3, stride=2), x)
        layer(nn.Conv2dTranspose(2, 3, 2, stride=2), x)
        layer(nn.Conv2dTranspose(2, 3, 4, stride=2, pad_mode='pad', padding=1), x)
        layer(nn.Conv2dTranspose(2, 3, 3, stride=2, pad_mode='valid'), x)
        layer(nn.Conv2dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1, output_padding=1), x)
        layer(nn.Conv2dTranspose(2, 2, 3, group=2), x)
        layer(nn.Conv2dTranspose(2, 3, 3, dilation=2, pad_mode='pad', padding=2), x)
        layer(nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2, 2)), x, train=True)
        fixed(nn.Conv2d(2, 3, 3)).to_float(ms.float16)(x).dtype
    """,
        x=IMAGE,
        tolerance=1e-4,
    ),  # sums in any order
    *each(
        """
        layer(nn.Conv1d(2, 3, 3), x)
        layer(nn.Conv1d(2, 3, 3, has_bias=True, pad_mode='valid'), x)
        layer(nn.Conv1d(2, 3, 3, stride=2), x)
        layer(nn.Conv1d(2, 3, 3, pad_mode='pad', padding=2), x)
        layer(nn.Conv1d(2, 3, 2, dilation=2), x)
        layer(nn.Conv1d(2, 4, 3, group=2), x)
        layer(nn.Conv1dTranspose(2, 3, 3), x)
        layer(nn.Conv1dTranspose(2, 3, 3, stride=2, has_bias=True, pad_mode='valid'), x)
        layer(nn.Conv1dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1), x)
    """,
        x=SERIES,
        tolerance=1e-4,
    ),
    Case("layer(nn.Conv3d(2, 2, 2, has_bias=True), x)", x=rand(1, 2, 3, 3, 4), tolerance=1e-4),
    Case("layer(nn.Conv3d(2, 2, 2, stride=2, pad_mode='pad', padding=1), x)", x=rand(1, 2, 3, 3, 4), tolerance=1e-4),
    Case("layer(nn.Conv3dTranspose(2, 2, 2, stride=2), x)", x=rand(1, 2, 2, 2, 2), tolerance=1e-4),
    # normalisation
    *each(
        """
        layer(nn.BatchNorm2d(2), x)
        layer(nn.BatchNorm2d(2), x, train=True)
        layer(nn.BatchNorm2d(2, momentum=0.6, eps=1e-3), x, train=True)
        layer(nn.BatchNorm2d(2, affine=False), x, train=True)
        layer(nn.BatchNorm2d(2, use_batch_statistics=True), x)
        layer(nn.BatchNorm2d(2, use_batch_statistics=False), x, train=True)
        nn.BatchNorm2d(2, gamma_init='zeros', beta_init='ones', moving_mean_init=0.5, moving_var_init=2)(x)
        twice(nn.BatchNorm2d(2), x)
        twice(nn.BatchNorm2d(2, momentum=0.0), x)
        twice(nn.BatchNorm2d(2, momentum=1.0), x)
        layer(nn.GroupNorm(1, 2), x)
        layer(nn.GroupNorm(2, 2, eps=1e-3), x)
        layer(nn.GroupNorm(2, 2, affine=False), x)
        layer(nn.LayerNorm((6,)), x)
        layer(nn.LayerNorm([5, 6], begin_norm_axis=2, begin_params_axis=2), x)
        layer(nn.LayerNorm((2, 5, 6), 1, 1), x)
        layer(nn.LayerNorm((6,), epsilon=1e-2), x)
        nn.LayerNorm((6,), gamma_init='zeros', beta_init=0.5)(x)
        layer(nn.LRN(), x)
    """,
        x=IMAGE,
        tolerance=1e-4,
    ),  # variances are summed in any order
    *each(
        """
        layer(nn.BatchNorm1d(3), x)
        layer(nn.BatchNorm1d(3), x, train=True)
        layer(nn.BatchNorm1d(3, momentum=0.5), x, train=True)
        twice(nn.BatchNorm1d(3), x)
        layer(nn.LayerNorm((3,)), x)
    """,
        x=rand(4, 3),
        tolerance=1e-4,
    ),
    Case("layer(nn.BatchNorm3d(2), x, train=True)", x=rand(2, 2, 2, 2, 3), tolerance=1e-4),
    # pooling and reshaping
    *each(
        """
        layer(nn.MaxPool2d(), x)
        layer(nn.MaxPool2d(2), x)
        layer(nn.MaxPool2d(2, 2), x)
        layer(nn.MaxPool2d(2, 2, 'same'), x)
        layer(nn.MaxPool2d(3, 2, pad_mode='same'), x)
        layer(nn.MaxPool2d((2, 3), (1, 2)), x)
        layer(nn.MaxPool2d(kernel_size=3, stride=2, pad_mode='pad', padding=1), x)
        layer(nn.MaxPool2d(2, 2, pad_mode='pad', padding=0, ceil_mode=True), x)
        layer(nn.AvgPool2d(), x)
        layer(nn.AvgPool2d(2), x)
        layer(nn.AvgPool2d(2, 2), x)
        layer(nn.AvgPool2d(2, 2, 'same'), x)
        layer(nn.AvgPool2d(3, 2, pad_mode='same'), x)
        layer(nn.AvgPool2d(3, 1, pad_mode='same'), x)
        layer(nn.AvgPool2d((1, 2), (2, 1)), x)
        layer(nn.AvgPool2d(3, 1, pad_mode='pad', padding=1), x)
        layer(nn.AvgPool2d(3, 1, pad_mode='pad', padding=1, count_include_pad=False), x)
        layer(nn.AdaptiveAvgPool2d(1), x)
        layer(nn.AdaptiveAvgPool2d((2, 3)), x)
        layer(nn.AdaptiveMaxPool2d(2), x)
        layer(nn.Flatten(), x)
        layer(nn.Flatten(2), x)
        layer(nn.Flatten(0), x)
        layer(nn.Pad(((0, 0), (0, 0), (1, 2), (0, 1))), x)
        layer(nn.ZeroPad2d((1, 0, 2, 1)), x)
        layer(nn.ReflectionPad2d(1), x)
        layer(nn.ReplicationPad2d((1, 2, 0, 1)), x)
        layer(nn.ConstantPad2d(1, 3.0), x)
        layer(nn.Upsample(size=(10, 12), mode='nearest'), x)
        layer(nn.Upsample(scale_factor=2.0, mode='bilinear', recompute_scale_factor=True), x)
        layer(nn.Dropout(p=0.5), x)
        layer(nn.Dropout(keep_prob=0.5), x)
        nn.Dropout(p=0.0).set_train()(x)
        nn.Dropout2d(p=0.5)(x)
        layer(nn.PixelShuffle(2), x[:1].reshape(1, 4, 5, 3))
        layer(nn.PixelUnshuffle(3), x[:, :, :3])
        layer(nn.Softmax2d(), x)
        nn.Identity()(x)
    """,
        x=IMAGE,
    ),
    *each(
        """
        layer(nn.MaxPool1d(2, 2), x)
        layer(nn.AdaptiveAvgPool1d(7), x)
        layer(nn.MaxPool1d(3, 2, pad_mode='same'), x)
        layer(nn.AvgPool1d(2, 2), x)
        layer(nn.AvgPool1d(3, 1, pad_mode='same'), x)
        layer(nn.ReflectionPad1d(2), x)
        layer(nn.AdaptiveMaxPool1d(7), x)
        layer(nn.ConstantPad1d((1, 2), 0.5), x)
        layer(nn.ReplicationPad1d(1), x)
        layer(nn.Upsample(size=14, mode='linear'), x)
    """,
        x=SERIES,
    ),
    # embeddings
    *each(
        """
        layer(nn.Embedding(5, 3), i)
        layer(nn.Embedding(5, 3, use_one_hot=True), i)
        layer(nn.Embedding(5, 3), i[0])
        nn.Embedding(5, 3, embedding_table='ones')(i)
        nn.Embedding(5, 3, padding_idx=1).embedding_table.asnumpy()[1]
        nn.Embedding(5, 3, embedding_table=Tensor(np.arange(15).reshape(5, 3), ms.float32))(i)
        nn.EmbeddingLookup(5, 3, param_init='ones')(i)
        nn.OneHot(depth=5)(i)
        nn.OneHot(axis=1, depth=5, on_value=2.0, off_value=-1.0)(i)
    """,
        i=ints(2, 3, low=0, high=5),
    ),
    Case("layer(nn.Embedding(5, 3), i)", i=ints(2, 3, low=0, high=5, dtype="int64")),
    # recurrent
    *each(
        """
        layer(nn.LSTM(2, 3), x)
        layer(nn.LSTM(2, 3, batch_first=True), x)
        layer(nn.LSTM(2, 3, num_layers=2), x)
        layer(nn.LSTM(2, 3, bidirectional=True), x)
        layer(nn.LSTM(2, 3, has_bias=False), x)
        layer(nn.LSTM(2, 3), x, (Tensor(np.ones((1, 2, 3)), ms.float32), Tensor(np.ones((1, 2, 3)), ms.float32)))
        layer(nn.GRU(2, 3), x)
        layer(nn.GRU(2, 3, num_layers=2, bidirectional=True), x)
        layer(nn.GRU(2, 3), x, Tensor(np.ones((1, 2, 3)), ms.float32))
        layer(nn.RNN(2, 3), x)
        layer(nn.RNN(2, 3, nonlinearity='relu', batch_first=True), x)
        fixed(nn.LSTM(2, 3))(x, None, Tensor([4, 2], ms.int32))
        layer(nn.LSTMCell(2, 3), x[0], (x[1, :, :1] * Tensor([1.0, 2.0, 3.0]), x[2, :, :1] * Tensor([1.0, 2.0, 3.0])))
        layer(nn.GRUCell(2, 3), x[0], x[1, :, :1] * Tensor([1.0, 2.0, 3.0]))
        layer(nn.RNNCell(2, 3), x[0], x[1, :, :1] * Tensor([1.0, 2.0, 3.0]))
    """,
        x=rand(4, 2, 2),
        tolerance=1e-4,  # gates pass through approximated sigmoid and tanh,
    ),
    *each(
        """
        fixed(nn.MultiheadAttention(4, 2))(x, x, x)
        fixed(nn.MultiheadAttention(4, 2, batch_first=True))(x, x, x)[0]
        shape(nn.MultiheadAttention(4, 2), x, x, x)
        fixed(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0))(x)
        fixed(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0))(x, x)
        nn.get_activation('relu')(x)
        nn.get_activation('softmax')(x)
    """,
        x=rand(3, 2, 4),
        tolerance=1e-4,
    ),
    # fresh weights
    *each(
        """
        bounds(nn.Dense(100, 50))
        bounds(nn.Conv2d(16, 32, 3, has_bias=True))
        bounds(nn.Conv1d(16, 32, 3, has_bias=True))
        bounds(nn.Embedding(100, 50))
        bounds(nn.LSTM(64, 64))
        bounds(nn.GRU(64, 64))
        bounds(nn.LayerNorm((3,))), bounds(nn.BatchNorm2d(3)), bounds(nn.GroupNorm(1, 3)), bounds(nn.PReLU())
        bounds(nn.Dense(100, 50, weight_init='xavier_uniform', bias_init='zeros'))
        bounds(nn.Dense(100, 50, weight_init=ms.common.initializer.Normal(0.02)))
        bounds(nn.Conv2d(16, 32, 3, weight_init='he_normal'))
        bounds(nn.Conv2dTranspose(16, 32, 3, has_bias=True))
    """,
        tolerance=0.2,
    ),  # of as few draws as there are biases
    # refused
    *each(
        """
        nn.Dense('a', 1)
        nn.Dense(1, 1, has_bias=1)
        nn.Dense(1.5, 1)
        nn.Conv2d(1, 3)
        nn.Conv2d(1, 1, 1.5)
        nn.LayerNorm(2)
        nn.Embedding(2, 3)(Tensor([0.5]))
        nn.Dense(2, 1)(np.ones((1, 2), np.float32))
        nn.Dense(2, 1)([[1.0, 2.0]])
        nn.Dense(2, 1)(Tensor([[1, 2]], ms.int32))
        nn.Dense(2, 1)(Tensor([[1.0, 2.0]], ms.float16))
        nn.Conv2d(1, 1, 1)(Tensor(np.ones((1, 1, 2, 2)), ms.float16))
        nn.Dense()
        nn.Dense(1, 1, foo=2)
    """,
        raises=TypeError,
    ),
    *each(
        """
        nn.Dense(0, 1)
        nn.Dense(-1, 1)
        nn.Dense(2, 1)(Tensor([[1.0, 2.0, 3.0]]))
        nn.Dense(2, 2, weight_init=Tensor(np.ones((3, 3)), ms.float32))
        nn.Dense(2, 3, bias_init=Tensor([1.0, 1.0]))
        nn.Conv2d(1, 1, 0)
        nn.Conv2d(1, 1, 3, padding=1)
        nn.Conv2d(1, 1, 3, pad_mode='valid', padding=1)
        nn.Conv2d(1, 1, 3, pad_mode='SAME')
        nn.Conv2d(1, 1, 3, pad_mode='foo')
        nn.Conv2d(1, 1, 3, pad_mode='pad', padding=(1, 1))
        nn.Conv2d(2, 3, 3, group=2)
        nn.Conv2d(1, 1, 1)(Tensor(np.ones((1, 2, 2)), ms.float32))
        nn.Conv2d(1, 1, 1, stride=0)
        nn.BatchNorm2d(2, momentum=1.5)
        nn.BatchNorm2d(0)
        nn.BatchNorm2d(3)(Tensor(np.ones((1, 2, 2, 2)), ms.float32))
        nn.BatchNorm2d(2)(Tensor(np.ones((2, 2)), ms.float32))
        nn.MaxPool2d(2, 2, padding=1)
        nn.MaxPool2d(-1)
        nn.MaxPool2d(2, 2, 'foo')
        nn.AvgPool2d(0)
        nn.Dropout(p=1.0)
        nn.Dropout(keep_prob=0.0)
        nn.Dropout(p=-0.1)
        nn.Embedding(-1, 2)
        nn.GroupNorm(2, 3)
        nn.PReLU(0)
    """,
        raises=ValueError,
    ),
    Case("nn.Conv2d(3, 1, 1)(x)", x=arange(1, 1, 2, 2), raises=RuntimeError),
    Case("nn.Embedding(3, 2)(i)", i=values(5, dtype="int32"), raises=(RuntimeError, IndexError)),
    Case("nn.Dense(1, 1, activation='foo')", raises=KeyError, says="foo"),
]
