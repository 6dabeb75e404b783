"""A GPT and a tagger of packed sequences, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from msbridge import Tensor, nn, ops
from tests.zoo.pairs import ids


class TorchGPTBlock(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1 = torch.nn.LayerNorm(width, eps=1e-5)
        self.c_attn = torch.nn.Linear(width, 3 * width)
        self.c_proj = torch.nn.Linear(width, width)
        self.ln_2 = torch.nn.LayerNorm(width, eps=1e-5)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(width, 4 * width), torch.nn.GELU(approximate="tanh"), torch.nn.Linear(4 * width, width)
        )
        self.register_buffer("bias", torch.tril(torch.ones(64, 64)).bool(), persistent=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.c_attn(self.ln_1(x)).split(c, dim=2)
        q, k, v = (y.view(b, t, self.heads, c // self.heads).transpose(1, 2) for y in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(~self.bias[:t, :t], float("-inf")).softmax(-1)
        y = (att @ v).transpose(1, 2).contiguous().view(b, t, c)
        x = x + self.c_proj(y)
        return x + self.mlp(self.ln_2(x))


class TorchGPT(torch.nn.Module):
    def __init__(self, words=300, width=192, heads=6, depth=3):
        super().__init__()
        self.wte = torch.nn.Embedding(words, width)
        self.wpe = torch.nn.Embedding(64, width)
        self.drop = torch.nn.Dropout(0.1)
        self.h = torch.nn.ModuleList([TorchGPTBlock(width, heads) for _ in range(depth)])
        self.ln_f = torch.nn.LayerNorm(width)
        self.lm_head = torch.nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.drop(self.wte(tokens) + self.wpe(torch.arange(tokens.size(1))))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class GPTBlock(nn.Cell):
    def __init__(self, width, heads, fault=""):
        super().__init__()
        self.fault = fault
        self.heads = heads
        self.ln_1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.c_attn = nn.Dense(width, 3 * width)
        self.c_proj = nn.Dense(width, width, has_bias=fault != "no projection bias")
        self.ln_2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.mlp = nn.SequentialCell(
            nn.Dense(width, 4 * width),
            nn.GELU(approximate=fault != "gelu erf"),
            nn.Dense(4 * width, width),
        )
        turned = np.triu if fault == "mask turned" else np.tril
        self.mask = Tensor(
            turned(np.ones((64, 64), np.float32), {"mask off by one": -1, "sees ahead": 1}.get(fault, 0))
        )

    def construct(self, x):
        b, t, c = x.shape
        normed = x if self.fault == "no first norm" else self.ln_1(x)
        parts = ops.split(self.c_attn(normed), c, axis=2)
        q, k, v = (parts[2], parts[0], parts[1]) if self.fault == "qkv order" else parts
        if self.fault == "qkv interleaved":
            q, k, v = ops.unbind(ops.concat(parts, -1).reshape(b, t, c, 3), -1)
        q, k, v = (y.reshape(b, t, self.heads, c // self.heads).swapaxes(1, 2) for y in (q, k, v))
        att = ops.matmul(q, k.swapaxes(-2, -1)) / math.sqrt(c // self.heads)
        mask = self.mask[:t, :t]
        if self.fault == "mask after softmax":
            att = ops.softmax(att, -1) * mask
        elif self.fault == "no causal mask":
            att = ops.softmax(att, -1)
        elif self.fault in ("mask by zero", "mask by ten thousand"):
            att = ops.softmax(att.masked_fill(mask == 0, 0.0 if self.fault == "mask by zero" else -10000.0), -1)
        else:
            att = ops.softmax(att.masked_fill(mask == 0, -1e9 if self.fault == "mask by a billion" else -math.inf), -1)
        y = ops.matmul(att, v).swapaxes(1, 2).reshape(b, t, c)
        if self.fault == "parallel":
            return x + self.c_proj(y) + self.mlp(self.ln_2(x))
        x = (normed if self.fault == "residual of the normed" else x) + self.c_proj(y)
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Cell):
    def __init__(self, fault="", words=300, width=192, heads=6, depth=3):
        super().__init__()
        self.fault = fault
        self.wte = nn.Embedding(words, width)
        self.wpe = nn.Embedding(64, width)
        self.drop = nn.Dropout(p=0.1)
        blocks = depth - 1 if fault == "a block less" else depth
        self.h = nn.CellList([GPTBlock(width, heads, fault if index == 1 else "") for index in range(blocks)])
        self.ln_f = nn.LayerNorm((width,), epsilon=1e-5)
        self.lm_head = nn.Dense(width, words, has_bias=fault == "head with a bias")

    def construct(self, tokens):
        x = self.wte(tokens)
        if self.fault == "embedding scaled":
            x = x * math.sqrt(x.shape[-1])
        x = self.drop(x + self.wpe(ops.arange(tokens.shape[1])))
        blocks = list(self.h)
        if self.fault == "blocks exchanged":
            blocks[1], blocks[2] = blocks[2], blocks[1]
        for block in blocks:
            x = block(x)
        if self.fault == "last position only":
            x = x[:, -1:]
        return self.lm_head(x if self.fault == "no last norm" else self.ln_f(x))


class TorchPackedTagger(torch.nn.Module):
    def __init__(self, words=200, width=64, tags=9):
        super().__init__()
        self.embedding = torch.nn.Embedding(words, width, padding_idx=0)
        self.lstm = torch.nn.LSTM(width, width, num_layers=2, batch_first=True, bidirectional=True)
        self.norm = torch.nn.LayerNorm(2 * width)
        self.fc1 = torch.nn.Linear(2 * width, width)
        self.fc2 = torch.nn.Linear(width, tags)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)
        x, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.fc2(F.leaky_relu(self.fc1(self.norm(x)), 0.1))


class PackedTagger(nn.Cell):
    def __init__(self, fault="", words=200, width=64, tags=9):
        super().__init__()
        self.fault = fault
        self.embedding = nn.Embedding(words, width, padding_idx=0)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=fault != "batch second", bidirectional=True)
        self.norm = nn.LayerNorm((2 * width,), epsilon=1e-5)
        self.fc1 = nn.Dense(2 * width, width)
        self.fc2 = nn.Dense(width, tags)
        self.act = nn.LeakyReLU(0.2 if fault == "slope" else 0.1)

    def construct(self, tokens, lengths):
        x = self.embedding(tokens)
        if self.fault == "reversed":
            x = ops.flip(x, (1,))
        state = None
        if self.fault == "state of ones":
            ones = ops.ones((4, x.shape[0], x.shape[2]), x.dtype)
            state = ones, ones
        x, _ = self.lstm(x, state) if self.fault == "lengths ignored" else self.lstm(x, state, lengths.astype("int32"))
        if self.fault == "padding zeroed":
            x = x * (tokens != 0).expand_dims(-1).astype(x.dtype)
        if self.fault == "directions turned":
            x = ops.concat(ops.chunk(x, 2, -1)[::-1], -1)
        x = self.fc1(x if self.fault == "no norm" else self.norm(x))
        return self.fc2(x if self.fault == "no activation" else self.act(x))


def tagger_inputs():
    lengths = torch.tensor([12, 7, 9])
    tokens = ids(3, 12, 200)
    for row, length in enumerate(lengths):
        tokens[row, length:] = 0
    return tokens, lengths


PAIRS = {
    "GPT": (TorchGPT, GPT, lambda: (ids(2, 20, 300),)),
    "packed tagger": (TorchPackedTagger, PackedTagger, tagger_inputs),
}
MISSING = ("missing layer",)
EXTRA = ("extra layer",)
LAYOUT = ("layout",)
FAULTS = {
    "GPT": {
        "no projection bias": (("h.1.c_proj",), ("has_bias", "bias")),
        "gelu erf": (("h.1.mlp.1",), ("approximate",)),
        "mask turned": (("* after h.1.c_attn",), ("constant", "mask")),
        "mask off by one": (("* after h.1.c_attn",), ("constant", "mask", "NaN")),
        "sees ahead": (("* after h.1.c_attn",), ("constant", "mask")),
        "no first norm": (("h.1.ln_1",), MISSING),
        "qkv order": (("* after h.1.c_attn",), ("layout", "wiring", "order of inputs")),
        "qkv interleaved": (("* after h.1.c_attn", "h.1.c_attn (call 2)"), LAYOUT),
        "mask after softmax": (("* after h.1.c_attn",), ("other operator", "order of layers", "missing layer")),
        "no causal mask": (("* after h.1.c_attn",), MISSING),
        "mask by zero": (("* after h.1.c_attn",), ("constant", "value", "mask")),
        "parallel": (("h.1.ln_2",), ("wiring",)),
        "residual of the normed": (("* after h.1.c_proj",), ("wiring",)),
        "a block less": (("h.2.*", "* after h.2.*", "ln_f"), MISSING),
        "head with a bias": (("lm_head",), ("extra weight", "has_bias")),
        "embedding scaled": (("mul after wte", "mul *"), EXTRA),
        "blocks exchanged": (("h.1.ln_1", "h.2.ln_1"), ("order of layers", "wiring")),
        "last position only": (("ln_f",), LAYOUT),
        "no last norm": (("ln_f",), MISSING),
    },
    "packed tagger": {
        "batch second": (("lstm",), ("batch_first",)),
        "slope": (("leaky_relu after fc1",), ("alpha",)),
        "reversed": (("lstm",), LAYOUT),
        "state of ones": (("lstm",), ("initial state",)),
        "lengths ignored": (("lstm",), ("lengths", "missing input")),
        "directions turned": (("norm",), LAYOUT),
        "no norm": (("norm",), MISSING),
        "no activation": (("leaky_relu after fc1",), MISSING),
    },
}  # fmt: skip
HARMLESS = {
    "GPT": ("", "mask by ten thousand", "mask by a billion"),
    "packed tagger": ("", "padding zeroed"),
}
