"""Networks for texts, sounds and series, each as a torch module and as the Cell that somebody made of it."""

import random

import torch
from torch.nn import functional

import msbridge as ms
from msbridge import mint, nn, ops
from tests.zoo.held_out.images import Example, conv, relu


def ids(size: random.Random, vocabulary: int, length: int) -> torch.Tensor:
    return torch.randint(0, vocabulary, (size.choice([1, 2, 3]), length))


class Tagger(torch.nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocabulary, width)
        self.lstm = torch.nn.LSTM(width, width, layers, batch_first=True, bidirectional=True)
        self.hidden2tag = torch.nn.Linear(2 * width, 5)

    def forward(self, x):
        return functional.log_softmax(self.hidden2tag(self.lstm(self.embedding(x))[0]), dim=2)


class TaggerCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, layers: int, size: random.Random, fault: str):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, layers, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Dense(2 * width, 5)
        self.last = size.choice([nn.LogSoftmax(axis=2), lambda x: ops.log_softmax(x, 2), ops.LogSoftmax(2)])
        if fault == "softmax axis":
            self.last = nn.LogSoftmax(axis=1)

    def construct(self, x):
        return self.last(self.hidden2tag(self.lstm(self.embedding(x))[0]))


def tagger(size: random.Random, fault: str) -> Example:
    vocabulary, width, layers = size.choice([10, 20]), size.choice([4, 6]), size.choice([1, 2])
    return (
        Tagger(vocabulary, width, layers),
        TaggerCell(vocabulary, width, layers, size, fault),
        (ids(size, vocabulary, 7),),
    )


class Sentiment(torch.nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.embed = torch.nn.Embedding(vocabulary, width)
        self.gru = torch.nn.GRU(width, 2 * width)
        self.norm = torch.nn.LayerNorm(2 * width)
        self.classify = torch.nn.Linear(2 * width, 2)

    def forward(self, x):
        out, _ = self.gru(self.embed(x).transpose(0, 1))
        return self.classify(self.norm(out[-1]))


class SentimentCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.gru = nn.GRU(width, 2 * width)
        self.norm = nn.LayerNorm([2 * width], epsilon=1e-5)
        self.classify = nn.Dense(2 * width, 2)
        self.step = 0 if fault == "first step" else -1
        self.swap = size.choice(
            [lambda x: x.swapaxes(0, 1), lambda x: ops.transpose(x, (1, 0, 2)), lambda x: x.transpose(1, 0, 2)]
        )
        if fault == "batch first":
            self.swap = lambda x: x
            self.step = slice(None)

    def construct(self, x):
        out, _ = self.gru(self.swap(self.embed(x)))
        out = out[:, -1] if isinstance(self.step, slice) else out[self.step]
        return self.classify(self.norm(out))


def sentiment(size: random.Random, fault: str) -> Example:
    vocabulary, width = size.choice([12, 15]), size.choice([4, 5])
    return Sentiment(vocabulary, width), SentimentCell(vocabulary, width, size, fault), (ids(size, vocabulary, 6),)


class Translator(torch.nn.Module):
    """An LSTM encoder, and a decoder that attends over its states (Luong's dot product)."""

    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.source = torch.nn.Embedding(vocabulary, width)
        self.target = torch.nn.Embedding(vocabulary, width)
        self.encoder = torch.nn.LSTM(width, width, batch_first=True)
        self.decoder = torch.nn.LSTM(width, width, batch_first=True)
        self.combine = torch.nn.Linear(2 * width, width)
        self.project = torch.nn.Linear(width, vocabulary)

    def forward(self, x, y):
        states, last = self.encoder(self.source(x))
        out, _ = self.decoder(self.target(y), last)
        weights = torch.softmax(torch.bmm(out, states.transpose(1, 2)), dim=-1)
        context = torch.bmm(weights, states)
        return self.project(torch.tanh(self.combine(torch.cat([context, out], -1))))


class TranslatorCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.source = nn.Embedding(vocabulary, width)
        self.target = nn.Embedding(vocabulary, width)
        self.encoder = nn.LSTM(width, width, batch_first=True)
        self.decoder = nn.LSTM(width, width, batch_first=True)
        self.combine = nn.Dense(2 * width, width)
        self.project = nn.Dense(width, vocabulary)
        self.softmax = nn.Softmax(axis=1 if fault == "softmax axis" else -1)
        self.tanh = size.choice([nn.Tanh(), ops.tanh, mint.tanh])
        self.bmm = size.choice([ops.bmm, ops.matmul, ops.BatchMatMul()])
        self.fault = fault

    def construct(self, x, y):
        states, last = self.encoder(self.source(x))
        out, _ = self.decoder(self.target(y)) if self.fault == "no state" else self.decoder(self.target(y), last)
        weights = self.softmax(self.bmm(out, states.swapaxes(1, 2)))
        parts = [self.bmm(weights, states), out]
        if self.fault == "order":
            parts.reverse()
        return self.project(self.tanh(self.combine(ops.cat(parts, -1))))


def translator(size: random.Random, fault: str) -> Example:
    vocabulary, width = size.choice([10, 14]), size.choice([4, 6])
    x = torch.randint(0, vocabulary, (2, 6))
    y = torch.randint(0, vocabulary, (2, size.choice([6, 5]) if fault == "" else 6))
    return Translator(vocabulary, width), TranslatorCell(vocabulary, width, size, fault), (x, y)


class TextCnn(torch.nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocabulary, width, padding_idx=0)
        self.convs = torch.nn.ModuleList(torch.nn.Conv1d(width, 6, kernel) for kernel in (2, 3, 4))
        self.fc = torch.nn.Linear(18, 3)

    def forward(self, x):
        x = self.embedding(x).permute(0, 2, 1)
        return self.fc(torch.cat([functional.relu(layer(x)).max(dim=2)[0] for layer in self.convs], 1))


class TextCnnCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width, padding_idx=0)
        mode = "same" if fault == "default padding" else "valid"
        self.convs = nn.CellList([nn.Conv1d(width, 6, kernel, pad_mode=mode, has_bias=True) for kernel in (2, 3, 4)])
        self.fc = nn.Dense(18, 3)
        self.relu = relu(size)
        self.most = size.choice([lambda x: x.max(axis=2), lambda x: ops.amax(x, 2), lambda x: ops.max(x, 2)[0]])
        if fault == "mean":
            self.most = lambda x: x.mean(axis=2)

    def construct(self, x):
        x = self.embedding(x).transpose(0, 2, 1)
        return self.fc(ops.cat([self.most(self.relu(layer(x))) for layer in self.convs], 1))


def text_cnn(size: random.Random, fault: str) -> Example:
    vocabulary, width = size.choice([10, 16]), size.choice([4, 5])
    return TextCnn(vocabulary, width), TextCnnCell(vocabulary, width, size, fault), (ids(size, vocabulary, 8),)


class WaveNet(torch.nn.Module):
    def __init__(self, width: int, layers: int):
        super().__init__()
        self.start = torch.nn.Conv1d(1, width, 1)
        self.filters = torch.nn.ModuleList(torch.nn.Conv1d(width, width, 2, dilation=2**n) for n in range(layers))
        self.gates = torch.nn.ModuleList(torch.nn.Conv1d(width, width, 2, dilation=2**n) for n in range(layers))
        self.skips = torch.nn.ModuleList(torch.nn.Conv1d(width, width, 1) for _ in range(layers))
        self.end = torch.nn.Conv1d(width, 4, 1)

    def forward(self, x):
        x = self.start(x)
        total = 0
        for index in range(len(self.filters)):
            padded = functional.pad(x, (2**index, 0))
            out = torch.tanh(self.filters[index](padded)) * torch.sigmoid(self.gates[index](padded))
            out = self.skips[index](out)
            total = total + out
            x = x + out
        return self.end(functional.relu(total))


class WaveNetCell(nn.Cell):
    def __init__(self, width: int, layers: int, size: random.Random, fault: str):
        super().__init__()

        def conv1d(kernel: int, dilation: int = 1, outputs: int = width, inputs: int = width) -> nn.Conv1d:
            return nn.Conv1d(inputs, outputs, kernel, dilation=dilation, pad_mode="valid", has_bias=True)

        self.start = conv1d(1, inputs=1)
        rates = [2**n for n in range(layers)]
        self.filters = nn.CellList([conv1d(2, rate) for rate in rates])
        self.gates = nn.CellList([conv1d(2, rate) for rate in rates])
        self.skips = nn.CellList([conv1d(1) for _ in rates])
        self.end = conv1d(1, outputs=4)
        self.relu = relu(size)
        self.layers = layers
        self.fault = fault

    def construct(self, x):
        x = self.start(x)
        total = 0
        for index in range(self.layers):
            room = (0, 2**index) if self.fault == "pads the end" else (2**index, 0)
            padded = ops.pad(x, room)
            first, second = self.filters[index](padded), self.gates[index](padded)
            if self.fault == "gates swapped":
                first, second = second, first
            out = self.skips[index](ops.tanh(first) * ops.sigmoid(second))
            total = total + out
            x = x + out
        return self.end(self.relu(total))


def wavenet(size: random.Random, fault: str) -> Example:
    width, layers = size.choice([3, 4]), size.choice([2, 3])
    return WaveNet(width, layers), WaveNetCell(width, layers, size, fault), (torch.randn(2, 1, 16),)


class Recogniser(torch.nn.Module):
    """Convolutions over an image of a line of text, then a bidirectional LSTM (CRNN)."""

    def __init__(self, width: int):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, width, 3, padding=1)
        self.bn = torch.nn.BatchNorm2d(width)
        self.pool = torch.nn.MaxPool2d((2, 1))
        self.rnn = torch.nn.LSTM(width * 4, 6, bidirectional=True)
        self.embedding = torch.nn.Linear(12, 9)

    def forward(self, x):
        x = self.pool(torch.relu(self.bn(self.conv(x))))
        x = x.permute(3, 0, 1, 2).flatten(2)
        return self.embedding(self.rnn(x)[0])


class RecogniserCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3, has_bias=True)
        self.bn = nn.BatchNorm2d(width)
        self.pool = nn.MaxPool2d((2, 1), (2, 1))
        self.rnn = nn.LSTM(width * 4, 6, bidirectional=True)
        self.embedding = nn.Dense(12, 9)
        self.relu = relu(size)
        self.axes = (3, 0, 2, 1) if fault == "height first" else (3, 0, 1, 2)

    def construct(self, x):
        x = self.pool(self.relu(self.bn(self.conv(x))))
        x = x.transpose(*self.axes)
        return self.embedding(self.rnn(x.reshape(x.shape[0], x.shape[1], -1))[0])


def crnn(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4])
    return Recogniser(width), RecogniserCell(width, size, fault), (torch.randn(2, 1, 8, 10),)


class KeywordSpotter(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = torch.nn.Conv1d(8, width, 5, stride=2, padding=2, bias=False)
        self.bn1 = torch.nn.BatchNorm1d(width)
        self.pool = torch.nn.AvgPool1d(3, 2, padding=1)
        self.conv2 = torch.nn.Conv1d(width, width, 3, padding=1, groups=width)
        self.bn2 = torch.nn.BatchNorm1d(width)
        self.elu = torch.nn.ELU()
        self.fc = torch.nn.Linear(width, 4)

    def forward(self, x):
        x = self.pool(self.elu(self.bn1(self.conv1(x))))
        return self.fc(self.elu(self.bn2(self.conv2(x))).mean(-1))


class KeywordSpotterCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv1 = nn.Conv1d(8, width, 5, stride=2, pad_mode="pad", padding=2)
        self.bn1 = nn.BatchNorm1d(width, momentum=0.1) if fault == "momentum" else nn.BatchNorm1d(width)
        self.pool = nn.AvgPool1d(3, 2, pad_mode="pad", padding=1, count_include_pad=fault != "count pad")
        self.conv2 = nn.Conv1d(width, width, 3, pad_mode="pad", padding=1, group=width, has_bias=True)
        self.bn2 = nn.BatchNorm1d(width)
        self.elu = nn.SeLU() if fault == "selu" else size.choice([nn.ELU(), ops.elu, nn.ELU(1.0)])
        self.fc = nn.Dense(width, 4)

    def construct(self, x):
        x = self.pool(self.elu(self.bn1(self.conv1(x))))
        return self.fc(self.elu(self.bn2(self.conv2(x))).mean(-1))


def keyword_spotter(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    return KeywordSpotter(width), KeywordSpotterCell(width, size, fault), (torch.randn(2, 8, 21),)


class Unrolled(torch.nn.Module):
    """A captioner that unrolls an LSTMCell over its steps."""

    def __init__(self, width: int, steps: int):
        super().__init__()
        self.start = torch.nn.Linear(5, width)
        self.cell = torch.nn.LSTMCell(4, width)
        self.out = torch.nn.Linear(width, 3)
        self.steps = steps

    def forward(self, image, words):
        h = torch.tanh(self.start(image))
        c = torch.zeros_like(h)
        outs = []
        for step in range(self.steps):
            h, c = self.cell(words[:, step], (h, c))
            outs.append(self.out(h))
        return torch.stack(outs, dim=1)


class UnrolledCell(nn.Cell):
    def __init__(self, width: int, steps: int, size: random.Random, fault: str):
        super().__init__()
        self.start = nn.Dense(5, width)
        self.cell = nn.LSTMCell(4, width)
        self.out = nn.Dense(width, 3)
        self.steps = steps
        self.tanh = size.choice([nn.Tanh(), ops.tanh])
        self.fault = fault

    def construct(self, image, words):
        h = self.start(image)
        if self.fault != "no tanh":
            h = self.tanh(h)
        c = h if self.fault == "cell state" else ops.zeros_like(h)
        outs = []
        for step in range(self.steps):
            h, c = self.cell(words[:, step], (h, c))
            outs.append(self.out(h))
        return ops.stack(outs, axis=1)


def captioner(size: random.Random, fault: str) -> Example:
    width, steps = size.choice([4, 6]), size.choice([2, 3])
    return (
        Unrolled(width, steps),
        UnrolledCell(width, steps, size, fault),
        (torch.randn(2, 5), torch.randn(2, steps, 4)),
    )


class ConvLstm(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv = torch.nn.Conv2d(2 + width, 4 * width, 3, padding=1)
        self.head = torch.nn.Conv2d(width, 2, 1)
        self.width = width

    def forward(self, x):
        h = c = x.new_zeros(x.shape[0], self.width, *x.shape[-2:])
        for step in range(x.shape[1]):
            i, f, o, g = self.conv(torch.cat([x[:, step], h], 1)).chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return self.head(h)


class ConvLstmCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv = conv(2 + width, 4 * width, 3, padding=1)
        self.head = conv(width, 2, 1)
        self.width = width
        self.chunk = size.choice([lambda x: ops.chunk(x, 4, 1), lambda x: ops.split(x, width, 1)])
        self.fault = fault

    def construct(self, x):
        h = c = ops.zeros((x.shape[0], self.width, *x.shape[-2:]), ms.float32)
        for step in range(x.shape[1]):
            parts = self.chunk(self.conv(ops.cat((x[:, step], h), 1)))
            i, f, o, g = parts
            if self.fault == "gate order":
                i, f, g, o = parts
            c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
            h = ops.sigmoid(o) * ops.tanh(c)
        return self.head(h)


def conv_lstm(size: random.Random, fault: str) -> Example:
    width = size.choice([2, 3])
    return ConvLstm(width), ConvLstmCell(width, size, fault), (torch.randn(1, 2, 2, 5, 5),)


class TemporalBlock(torch.nn.Module):
    def __init__(self, width: int, dilation: int):
        super().__init__()
        self.conv1 = torch.nn.Conv1d(width, width, 3, padding=2 * dilation, dilation=dilation)
        self.conv2 = torch.nn.Conv1d(width, width, 3, padding=2 * dilation, dilation=dilation)
        self.chomp = 2 * dilation

    def forward(self, x):
        out = torch.relu(self.conv1(x)[:, :, : -self.chomp])
        out = torch.relu(self.conv2(out)[:, :, : -self.chomp])
        return torch.relu(out + x)


class TemporalBlockCell(nn.Cell):
    def __init__(self, width: int, dilation: int, size: random.Random, fault: str):
        super().__init__()
        options = {"pad_mode": "pad", "padding": 2 * dilation, "dilation": dilation, "has_bias": True}
        self.conv1 = nn.Conv1d(width, width, 3, **options)
        self.conv2 = nn.Conv1d(width, width, 3, **options)
        self.chomp = 2 * dilation
        self.relu = relu(size)
        self.fault = fault

    def cut(self, x):
        return x[:, :, self.chomp :] if self.fault == "chomps the start" else x[:, :, : -self.chomp]

    def construct(self, x):
        out = self.relu(self.cut(self.conv1(x)))
        out = self.relu(self.cut(self.conv2(out)))
        return self.relu(out + x)


def temporal(size: random.Random, fault: str) -> Example:
    width, dilation = size.choice([3, 5]), size.choice([1, 2])
    return TemporalBlock(width, dilation), TemporalBlockCell(width, dilation, size, fault), (torch.randn(2, width, 12),)
