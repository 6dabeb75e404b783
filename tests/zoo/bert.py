"""A BERT model, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F

from msbridge import nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.ops import operations as P
from tests.zoo.pairs import ids


class TorchBertAttention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query = torch.nn.Linear(width, width)
        self.key = torch.nn.Linear(width, width)
        self.value = torch.nn.Linear(width, width)
        self.dense = torch.nn.Linear(width, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.dropout = torch.nn.Dropout(0.1)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(self.size)
        weights = self.dropout(F.softmax(scores + mask, dim=-1))
        context = torch.matmul(weights, value).permute(0, 2, 1, 3).contiguous()
        return self.norm(self.dropout(self.dense(context.view(*x.shape))) + x)


class TorchBertLayer(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = TorchBertAttention(width, heads)
        self.intermediate = torch.nn.Linear(width, 4 * width)
        self.output = torch.nn.Linear(4 * width, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, x, mask):
        x = self.attention(x, mask)
        return self.norm(self.dropout(self.output(F.gelu(self.intermediate(x)))) + x)


class TorchBertModel(torch.nn.Module):
    def __init__(self, words=500, width=256, heads=8, depth=2):
        super().__init__()
        self.word_embeddings = torch.nn.Embedding(words, width, padding_idx=0)
        self.position_embeddings = torch.nn.Embedding(64, width)
        self.token_type_embeddings = torch.nn.Embedding(2, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.dropout = torch.nn.Dropout(0.1)
        self.layer = torch.nn.ModuleList([TorchBertLayer(width, heads) for _ in range(depth)])
        self.pooler = torch.nn.Linear(width, width)

    def forward(self, input_ids, attention_mask, token_type_ids):
        mask = attention_mask[:, None, None, :].to(torch.float32)
        mask = (1.0 - mask) * torch.finfo(torch.float32).min
        positions = torch.arange(input_ids.shape[1]).unsqueeze(0)
        x = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        x = self.dropout(self.norm(x + self.position_embeddings(positions)))
        for layer in self.layer:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


class BertAttention(nn.Cell):
    def __init__(self, width, heads, fault=""):
        super().__init__()
        self.fault = fault
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = nn.Dense(width, width), nn.Dense(width, width), nn.Dense(width, width)
        self.dense = nn.Dense(width, width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-7 if fault == "norm eps" else 1e-12)
        self.dropout = nn.Dropout(p=0.1)
        self.softmax = nn.Softmax(axis=-2 if fault == "softmax axis" else -1)
        self.matmul = P.BatchMatMul()
        self.matmul_trans = P.BatchMatMul(transpose_b=fault != "key not transposed")
        self.transpose, self.reshape = P.Transpose(), P.Reshape()
        self.scale = {"scale by width": 1 / math.sqrt(width), "no root": 1 / self.size}.get(
            fault, 1 / math.sqrt(self.size)
        )

    def split(self, x):
        shape = x.shape[0], x.shape[1], self.heads, self.size
        if self.fault == "heads order":
            return self.reshape(x, (shape[0], shape[2], shape[1], shape[3]))
        return self.transpose(self.reshape(x, shape), (0, 2, 1, 3))

    def construct(self, x, mask):
        query, key = self.split(self.query(x)), self.split(self.key(x))
        value = self.split(self.key(x) if self.fault == "value from key" else self.value(x))
        scores = self.matmul_trans(query, key)
        if self.fault != "no scale":
            scores = scores * self.scale
        if self.fault == "mask multiplied":
            scores = scores * mask
        elif self.fault != "no mask":
            scores = scores + mask
        if self.fault == "softmax in half":
            weights = self.softmax(scores.astype(mstype.float16)).astype(mstype.float32)
        else:
            weights = self.softmax(scores)
        context = self.matmul(self.dropout(weights), value)
        if self.fault != "context order":
            context = self.transpose(context, (0, 2, 1, 3))
        out = self.dropout(self.dense(self.reshape(context, x.shape)))
        if self.fault == "norm before add":
            return self.norm(out) + x
        return self.norm(out) if self.fault == "no residual" else self.norm(out + x)


class BertLayer(nn.Cell):
    def __init__(self, width, heads, fault=""):
        super().__init__()
        self.fault = fault
        self.attention = BertAttention(width, heads, fault)
        self.intermediate = nn.Dense(width, 4 * width)
        self.output = nn.Dense(4 * width, width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-12)
        self.dropout = nn.Dropout(p=0.1)
        self.gelu = {"gelu tanh": P.GeLU(), "relu for gelu": P.ReLU()}.get(fault, nn.GELU(approximate=False))

    def construct(self, x, mask):
        y = self.attention(x, mask)
        hidden = self.intermediate(y)
        if self.fault != "no gelu":
            hidden = self.gelu(hidden)
        out = self.dropout(self.output(hidden))
        if self.fault == "residual of the input":
            return self.norm(out + x)
        if self.fault == "residual twice":
            return self.norm(out + y + y)
        return self.norm(out + y)


class BertModel(nn.Cell):
    def __init__(self, fault="", words=500, width=256, heads=8, depth=2):
        super().__init__()
        self.fault = fault
        self.word_embeddings = nn.Embedding(words, width, padding_idx=None if fault == "padding_idx" else 0)
        self.position_embeddings = nn.Embedding(64, width)
        self.token_type_embeddings = nn.Embedding(2, width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-12)
        self.dropout = nn.Dropout(p=0.1)
        self.layer = nn.CellList([BertLayer(width, heads, fault if index == 1 else "") for index in range(depth)])
        self.pooler = nn.Dense(width, width)
        self.add, self.tanh = P.Add(), P.Tanh()
        self.low = {"mask of ten thousand": -10000.0, "weak mask": -1.0}.get(fault, float(np.finfo(np.float32).min))

    def construct(self, input_ids, attention_mask, token_type_ids):
        mask = attention_mask.expand_dims(1).expand_dims(2).astype(mstype.float32)
        mask = mask * self.low if self.fault == "mask inverted" else (1.0 - mask) * self.low
        if self.fault == "ids shifted":
            input_ids = input_ids + 1
        first = {"positions from one": 1, "positions from two": 2}.get(self.fault, 0)
        positions = ops.arange(first, input_ids.shape[1] + first).expand_dims(0)
        if self.fault == "positions backwards":
            positions = ops.flip(positions, (1,))
        x = self.word_embeddings(input_ids)
        if self.fault == "token types ignored":
            token_type_ids = ops.zeros_like(token_type_ids)
        if self.fault != "no token types":
            x = self.add(x, self.token_type_embeddings(token_type_ids))
        if self.fault != "no positions":
            x = self.add(x, self.position_embeddings(positions))
        x = self.dropout(x if self.fault == "no embedding norm" else self.norm(x))
        for number, layer in enumerate(self.layer):
            x = self.layer[0](x, mask) if self.fault == "first layer twice" and number else layer(x, mask)
        token = x[:, -1] if self.fault == "last token" else x.mean(axis=1) if self.fault == "mean token" else x[:, 0]
        pooled = self.pooler(token)
        if self.fault != "no tanh":
            pooled = ops.sigmoid(pooled) if self.fault == "sigmoid for tanh" else self.tanh(pooled)
        return (pooled, x) if self.fault == "outputs turned" else (x, pooled)


def bert_inputs():
    mask = torch.ones(2, 24, dtype=torch.long)
    mask[1, 17:] = 0
    types = torch.zeros(2, 24, dtype=torch.long)
    types[:, 10:20] = 1
    return ids(2, 24, 500) * mask, mask, types


PAIRS = {
    "BERT model": (TorchBertModel, BertModel, bert_inputs),
}
A = "layer.1.attention"
VALUE = (f"* after {A}.value", f"* after {A}.key", f"* after {A}.key (call 2)")
MISSING = ("missing layer",)
EXTRA = ("extra layer",)
LAYOUT = ("layout",)
FAULTS = {
    "BERT model": {
        "norm eps": ((f"{A}.norm",), ("epsilon",)),
        "softmax axis": (VALUE, ("axis",)),
        "key not transposed": (VALUE, ("layout",)),
        "scale by width": (VALUE, ("scale", "constant")),
        "no root": (VALUE, ("scale", "constant")),
        "heads order": (VALUE, LAYOUT),
        "value from key": ((f"{A}.value", *VALUE), ("wiring", "missing layer", "other layer")),
        "no scale": (VALUE, MISSING),
        "mask multiplied": (VALUE, ("other operator",)),
        "no mask": (VALUE, ("missing layer", "mask")),
        "softmax in half": (VALUE, ("dtype",)),
        "context order": ((f"{A}.dense",), LAYOUT),
        "norm before add": ((f"{A}.norm", f"add after {A}.d*", f"* after {A}.norm"),
                            ("order of layers", "missing layer", "wiring")),
        "no residual": ((f"add after {A}.d*",), MISSING),
        "no gelu": (("gelu after layer.1.intermediate",), MISSING),
        "gelu tanh": (("gelu after layer.1.intermediate",), ("approximate",)),
        "relu for gelu": (("gelu after layer.1.intermediate",), ("activation",)),
        "residual of the input": (("add after layer.1.*", "layer.1.norm"), ("wiring",)),
        "residual twice": (("add after layer.1.*", "layer.1.norm"), EXTRA),
        "weak mask": (("mul at the beginning", "mul in *"), ("scale", "constant")),
        "mask inverted": (("* at the beginning",), ("missing layer", "other operator")),
        "ids shifted": (("* at the beginning", "word_embeddings"), EXTRA),
        "positions from one": (("position_embeddings",), ("indices", "constant")),
        "positions from two": (("position_embeddings",), ("indices", "constant")),
        "positions backwards": (("position_embeddings",), ("indices", "constant", "layout")),
        "token types ignored": (("token_type_embeddings",), ("indices", "constant")),
        "no token types": (("token_type_embeddings", "add after *_embeddings"), MISSING),
        "no positions": (("position_embeddings", "add after *_embeddings"), MISSING),
        "no embedding norm": (("norm",), MISSING),
        "first layer twice": (("layer.1.attention.query", "layer.0.attention.query (call 2)"),
                              ("wiring", "missing layer", "other layer", "weights swapped")),
        "last token": (("pooler",), LAYOUT),
        "mean token": (("pooler", "mean after layer.1.*"), ("layout", "extra layer")),
        "no tanh": (("tanh after pooler",), MISSING),
        "sigmoid for tanh": (("tanh after pooler",), ("activation",)),
        "outputs turned": (("(the output)",), ("order of outputs", "wiring")),
    },
}  # fmt: skip
HARMLESS = {
    "BERT model": ("", "mask of ten thousand", "padding_idx"),
}
