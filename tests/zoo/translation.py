"""A translator with attention and a Transformer encoder, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import math

import numpy as np
import torch

from msbridge import Tensor, nn, ops
from tests.zoo.pairs import ids


class TorchTranslator(torch.nn.Module):
    def __init__(self, words=120, width=48):
        super().__init__()
        self.source = torch.nn.Embedding(words, width)
        self.target = torch.nn.Embedding(words, width)
        self.encoder = torch.nn.GRU(width, width, 2, batch_first=True)
        self.decoder = torch.nn.GRU(2 * width, width, 2, batch_first=True)
        self.attn = torch.nn.Linear(width, width, bias=False)
        self.out = torch.nn.Linear(2 * width, words)

    def forward(self, source, target):
        memory, state = self.encoder(self.source(source))
        context = memory.mean(1, keepdim=True).expand(-1, target.shape[1], -1)
        y, _ = self.decoder(torch.cat([self.target(target), context], -1), state)
        score = torch.bmm(self.attn(y), memory.transpose(1, 2))
        score = score.masked_fill((source == 0)[:, None], float("-inf"))
        seen = torch.bmm(torch.softmax(score, -1), memory)
        return torch.log_softmax(self.out(torch.cat([y, seen], -1)), -1)


class Translator(nn.Cell):
    def __init__(self, fault="", words=120, width=48):
        super().__init__()
        self.fault = fault
        self.source = nn.Embedding(words, width)
        self.target = nn.Embedding(words, width)
        self.encoder = nn.GRU(width, width, 2, batch_first=fault != "batch second")
        self.decoder = nn.GRU(2 * width, width, 2, batch_first=True)
        self.attn = nn.Dense(width, width, has_bias=False)
        self.out = nn.Dense(2 * width, words)
        self.log_softmax = nn.Softmax(-1) if fault == "no log" else nn.LogSoftmax(1 if fault == "log axis" else -1)

    def construct(self, source, target):
        x = (self.target if self.fault == "shared table" else self.source)(source)
        memory, state = self.encoder(ops.flip(x, (1,)) if self.fault == "source reversed" else x)
        context = memory[:, -1:] if self.fault == "last for mean" else memory.mean(axis=1, keep_dims=True)
        context = ops.broadcast_to(context, (memory.shape[0], target.shape[1], memory.shape[2]))
        x = self.target(target)
        x = ops.concat((context, x) if self.fault == "context first" else (x, context), -1)
        if self.fault == "state forgotten":
            y, _ = self.decoder(x)
        else:
            y, _ = self.decoder(x, ops.flip(state, (0,)) if self.fault == "layers of state turned" else state)
        score = ops.bmm(y if self.fault == "no projection" else self.attn(y), memory.swapaxes(1, 2))
        empty = (source != 0 if self.fault == "mask inverted" else source == 0).expand_dims(1)
        if self.fault != "no mask":
            score = score.masked_fill(empty, -1e9)
        weights = ops.softmax(score, 1 if self.fault == "softmax axis" else -1)
        seen = ops.bmm(weights, memory)
        y = (seen, y) if self.fault == "seen first" else (y, seen)
        return self.log_softmax(self.out(ops.concat(y, -1)))


def translator_inputs():
    source = ids(2, 9, 120)
    source[1, 6:] = 0
    return source, ids(2, 7, 119) + 0


class TorchEncoder(torch.nn.Module):
    def __init__(self, words=80, width=64):
        super().__init__()
        self.embedding = torch.nn.Embedding(words, width)
        places, steps = (
            torch.arange(32.0)[:, None],
            torch.exp(torch.arange(0.0, width, 2) * (-math.log(10000.0) / width)),
        )
        table = torch.zeros(32, width)
        table[:, 0::2], table[:, 1::2] = torch.sin(places * steps), torch.cos(places * steps)
        self.register_buffer("table", table, persistent=False)
        layer = torch.nn.TransformerEncoderLayer(
            width, 4, 128, 0.1, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm = torch.nn.LayerNorm(width)
        self.fc = torch.nn.Linear(width, 4)

    def forward(self, tokens):
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim) + self.table[: tokens.shape[1]]
        x = self.norm(self.encoder(x, src_key_padding_mask=tokens == 0))
        return self.fc(x[:, 0])


class Encoder(nn.Cell):
    def __init__(self, fault="", words=80, width=64):
        super().__init__()
        self.fault = fault
        self.width = width
        self.embedding = nn.Embedding(words, width)
        places, steps = np.arange(32.0)[:, None], np.exp(np.arange(0.0, width, 2) * (-math.log(10000.0) / width))
        table = np.zeros((32, width), np.float32)
        table[:, 0::2], table[:, 1::2] = np.sin(places * steps), np.cos(places * steps)
        if fault == "halves for turns":
            table = np.concatenate([np.sin(places * steps), np.cos(places * steps)], 1).astype(np.float32)
        if fault == "sine and cosine turned":
            table[:, 0::2], table[:, 1::2] = np.cos(places * steps), np.sin(places * steps)
        self.table = Tensor(table[1:] if fault == "places from one" else table)
        act = {"relu": "relu"}.get(fault, "gelu")
        layer = nn.TransformerEncoderLayer(
            width, 8 if fault == "eight heads" else 4, 128, 0.1, activation=act, batch_first=fault != "batch second",
            norm_first=fault != "norm last", layer_norm_eps=1e-6 if fault == "norm eps" else 1e-5,
        )  # fmt: skip
        self.encoder = nn.TransformerEncoder(layer, 1 if fault == "a layer less" else 2)
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.fc = nn.Dense(width, 4)

    def construct(self, tokens):
        x = self.embedding(tokens)
        if self.fault != "embedding unscaled":
            x = x * (self.width if self.fault == "scaled by width" else math.sqrt(self.width))
        x = x + self.table[: tokens.shape[1]]
        mask = tokens != 0 if self.fault == "mask inverted" else tokens == 0
        x = self.encoder(x, src_key_padding_mask=None if self.fault == "no mask" else mask)
        x = self.norm(x)
        return self.fc(x.mean(1) if self.fault == "mean for first" else x[:, 0])


def encoder_inputs():
    tokens = ids(2, 11, 80)
    tokens[0, 8:] = 0
    return (tokens,)


PAIRS = {
    "translator": (TorchTranslator, Translator, translator_inputs),
    "encoder": (TorchEncoder, Encoder, encoder_inputs),
}
MISSING = ("missing layer",)
LAYOUT = ("layout",)
ORDER = ("order of inputs",)
FAULTS = {
    "translator": {
        "batch second": (("encoder",), ("batch_first",)),
        "shared table": (("source", "target"), ("wiring", "other layer", "missing layer")),
        "source reversed": (("encoder", "encoder (call 2)"), LAYOUT),
        "last for mean": (("mean after encoder",), MISSING),
        "context first": (("cat after target",), ORDER),
        "state forgotten": (("decoder",), ("initial state", "missing input")),
        "layers of state turned": (("decoder",), LAYOUT),
        "no projection": (("attn",), MISSING),
        "mask inverted": (("* after attn",), ("mask", "other operator")),
        "no mask": (("masked_fill after attn",), MISSING),
        "softmax axis": (("softmax after attn",), ("axis",)),
        "seen first": (("cat after attn",), ORDER),
        "no log": (("log_softmax after out",), ("activation",)),
        "log axis": (("log_softmax after out",), ("axis",)),
    },
    "encoder": {
        "halves for turns": (("add after embedding",), ("constant", "layout")),
        "sine and cosine turned": (("add after embedding",), ("constant", "layout")),
        "places from one": (("add after embedding",), ("constant", "layout", "indices")),
        "relu": (("* after encoder.layers.0.linear1",), ("activation",)),
        "eight heads": (("encoder.layers.0.self_attn",), ("num_heads",)),
        "batch second": (("encoder.layers.0.self_attn",), ("batch_first",)),
        "norm last": (("encoder.layers.0.*",), ("order of layers", "norm_first", "wiring")),
        "norm eps": (("encoder.layers.0.norm1",), ("epsilon",)),
        "a layer less": (("encoder.layers.1.*", "* after encoder.layers.1.*", "norm"), MISSING),
        "embedding unscaled": (("mul after embedding",), MISSING),
        "scaled by width": (("mul after embedding",), ("scale",)),
        "mask inverted": (("encoder.layers.0.self_attn", "* after *embedding"), ("mask", "other operator")),
        "no mask": (("encoder.layers.0.self_attn",), ("mask", "missing input", "attention mask")),
        "mean for first": (("mean after norm", "fc"), ("extra layer", "layout")),
    },
}  # fmt: skip
HARMLESS = {
    "translator": ("",),
    "encoder": ("",),
}
