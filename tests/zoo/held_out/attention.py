"""Transformers of several kinds, each as a torch module and as the Cell that somebody made of it."""

import math
import random

import numpy as np
import torch
from torch.nn import functional

import msbridge as ms
from msbridge import mint, nn, ops
from tests.zoo.held_out.images import Example, conv
from tests.zoo.held_out.sequences import ids


class Encoder(torch.nn.Module):
    """Post-norm encoder with its own attention, as in the paper."""

    def __init__(self, width: int, heads: int, depth: int):
        super().__init__()
        self.layers = torch.nn.ModuleList(EncoderLayer(width, heads) for _ in range(depth))
        self.pool = torch.nn.Linear(width, 3)

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return self.pool(x[:, 0])


class EncoderLayer(torch.nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.q = torch.nn.Linear(width, width)
        self.k = torch.nn.Linear(width, width)
        self.v = torch.nn.Linear(width, width)
        self.o = torch.nn.Linear(width, width)
        self.norm1 = torch.nn.LayerNorm(width)
        self.ff1 = torch.nn.Linear(width, 2 * width)
        self.ff2 = torch.nn.Linear(2 * width, width)
        self.norm2 = torch.nn.LayerNorm(width)
        self.heads = heads

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        out = (torch.softmax(scores, -1) @ v).transpose(1, 2).flatten(2)
        x = self.norm1(x + self.o(out))
        return self.norm2(x + self.ff2(functional.gelu(self.ff1(x))))


class EncoderLayerCell(nn.Cell):
    def __init__(self, width: int, heads: int, size: random.Random, fault: str = ""):
        super().__init__()
        self.q = nn.Dense(width, width)
        self.k = nn.Dense(width, width)
        self.v = nn.Dense(width, width)
        self.o = nn.Dense(width, width)
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.ff1 = nn.Dense(width, 2 * width)
        self.ff2 = nn.Dense(2 * width, width)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.heads = heads
        self.scale = 1 / math.sqrt(width if fault == "scale" else width // heads)
        self.gelu = size.choice([ops.gelu, nn.GELU(approximate=False), mint.nn.functional.gelu])
        self.fault = fault

    def split(self, x):
        if self.fault == "heads":
            return x.reshape(x.shape[0], self.heads, x.shape[1], -1)
        return x.reshape(x.shape[0], x.shape[1], self.heads, -1).swapaxes(1, 2)

    def construct(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = ops.matmul(q, k.swapaxes(-2, -1)) * self.scale
        hidden = mask[:, None, None, :] == (1 if self.fault == "mask sign" else 0)
        scores = ops.masked_fill(scores, hidden, -1e9)
        out = ops.matmul(ops.softmax(scores, -1), v)
        out = out.swapaxes(1, 2)
        out = out.reshape(out.shape[0], out.shape[1], -1)
        if self.fault == "pre-norm":
            x = x + self.o(out)
            return x + self.ff2(self.gelu(self.ff1(self.norm1(x))))
        x = self.norm1(x + self.o(out))
        hidden = self.ff1(x)
        hidden = ops.relu(hidden) if self.fault == "relu" else self.gelu(hidden)
        return self.norm2(x + self.ff2(hidden))


class EncoderCell(nn.Cell):
    def __init__(self, width: int, heads: int, depth: int, size: random.Random, fault: str):
        super().__init__()
        self.layers = nn.CellList(
            [EncoderLayerCell(width, heads, size, fault if index == depth - 1 else "") for index in range(depth)]
        )
        self.pool = nn.Dense(width, 3)

    def construct(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return self.pool(x[:, 0])


def encoder(size: random.Random, fault: str) -> Example:
    width, heads, depth = size.choice([8, 12]), size.choice([2, 4]), size.choice([1, 2])
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    return Encoder(width, heads, depth), EncoderCell(width, heads, depth, size, fault), (torch.randn(2, 5, width), mask)


class Gpt(torch.nn.Module):
    """Pre-norm decoder with fused projections and the tanh form of GELU."""

    def __init__(self, vocabulary: int, width: int, length: int):
        super().__init__()
        self.wte = torch.nn.Embedding(vocabulary, width)
        self.wpe = torch.nn.Embedding(2 * length, width)
        self.ln_1 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.proj = torch.nn.Linear(width, width)
        self.ln_2 = torch.nn.LayerNorm(width)
        self.fc = torch.nn.Linear(width, 4 * width)
        self.fc_out = torch.nn.Linear(4 * width, width)
        self.ln_f = torch.nn.LayerNorm(width)
        self.head = torch.nn.Linear(width, vocabulary, bias=False)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).bool(), persistent=False)

    def forward(self, x):
        length = x.shape[1]
        x = self.wte(x) + self.wpe(torch.arange(length))
        q, k, v = self.qkv(self.ln_1(x)).chunk(3, dim=-1)
        scores = q @ k.transpose(1, 2) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        x = x + self.proj(scores.softmax(-1) @ v)
        x = x + self.fc_out(functional.gelu(self.fc(self.ln_2(x)), approximate="tanh"))
        return self.head(self.ln_f(x))


class GptCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, length: int, size: random.Random, fault: str):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(2 * length, width)
        self.ln_1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.qkv = nn.Dense(width, 3 * width)
        self.proj = nn.Dense(width, width)
        self.ln_2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.fc = nn.Dense(width, 4 * width)
        self.fc_out = nn.Dense(4 * width, width)
        self.ln_f = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, vocabulary, has_bias=False)
        shift = 1 if fault == "looks ahead" else 0
        self.mask = ms.Tensor(np.tril(np.ones((length, length), bool), shift))
        self.act = nn.GELU(approximate=fault != "exact gelu")
        self.scores = size.choice(
            [lambda q, k: ops.matmul(q, k.swapaxes(1, 2)), lambda q, k: ops.BatchMatMul(transpose_b=True)(q, k)]
        )
        self.scale = 1.0 if fault == "no scale" else width**-0.5
        self.fault = fault

    def construct(self, x):
        length = x.shape[1]
        first = 1 if self.fault == "positions from one" else 0
        places = ops.arange(first, first + length)
        x = self.wte(x) + self.wpe(places)
        parts = ops.chunk(self.qkv(self.ln_1(x)), 3, -1)
        q, k, v = (parts[0], parts[2], parts[1]) if self.fault == "qkv order" else parts
        scores = self.scores(q, k) * self.scale
        scores = scores.masked_fill(ops.logical_not(self.mask[:length, :length]), float("-inf"))
        x = x + self.proj(ops.matmul(ops.softmax(scores, -1), v))
        normed = x if self.fault == "no second norm" else self.ln_2(x)
        x = x + self.fc_out(self.act(self.fc(normed)))
        return self.head(self.ln_f(x))


def gpt(size: random.Random, fault: str) -> Example:
    vocabulary, width, length = size.choice([11, 17]), size.choice([6, 8]), 8
    return (
        Gpt(vocabulary, width, length),
        GptCell(vocabulary, width, length, size, fault),
        (ids(size, vocabulary, size.choice([5, 8])),),
    )


class VisionTransformer(torch.nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.patch = torch.nn.Conv2d(3, width, 4, 4)
        self.cls_token = torch.nn.Parameter(torch.randn(1, 1, width))
        self.pos_embed = torch.nn.Parameter(torch.randn(1, 10, width))
        self.norm1 = torch.nn.LayerNorm(width, eps=1e-6)
        self.attn = torch.nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm2 = torch.nn.LayerNorm(width, eps=1e-6)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(width, 2 * width), torch.nn.GELU(), torch.nn.Linear(2 * width, width)
        )
        self.head = torch.nn.Linear(width, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], 1) + self.pos_embed
        normed = self.norm1(x)
        x = x + self.attn(normed, normed, normed, need_weights=False)[0]
        x = x + self.mlp(self.norm2(x))
        return self.head(x[:, 0])


class VisionTransformerCell(nn.Cell):
    def __init__(self, width: int, heads: int, size: random.Random, fault: str):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 4, 4, pad_mode="valid", has_bias=True)
        self.cls_token = ms.Parameter(ops.zeros((1, 1, width), ms.float32), name="cls_token")
        self.pos_embed = ms.Parameter(ops.zeros((1, 10, width), ms.float32), name="pos_embed")
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-6)
        self.attn = nn.MultiheadAttention(width, 1 if fault == "heads" else heads, batch_first=True)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-6)
        gelu = nn.GELU() if fault == "tanh" else nn.GELU(False)
        self.mlp = nn.SequentialCell(nn.Dense(width, 2 * width), gelu, nn.Dense(2 * width, width))
        self.head = nn.Dense(width, 5)
        self.spread = size.choice([ops.broadcast_to, lambda x, shape: ops.tile(x, (shape[0], 1, 1))])
        self.fault = fault

    def construct(self, x):
        x = self.patch(x)
        x = x.reshape(x.shape[0], x.shape[1], -1).swapaxes(1, 2)
        token = self.spread(self.cls_token, (x.shape[0], 1, x.shape[2]))
        x = ops.cat((x, token) if self.fault == "token last" else (token, x), 1)
        if self.fault != "no positions":
            x = x + self.pos_embed
        normed = self.norm1(x)
        x = x + self.attn(normed, normed, normed, need_weights=False)[0]
        x = x + self.mlp(self.norm2(x))
        return self.head(x.mean(1) if self.fault == "mean pool" else x[:, 0])


def vit(size: random.Random, fault: str) -> Example:
    width, heads = size.choice([8, 12]), size.choice([2, 4])
    return (
        VisionTransformer(width, heads),
        VisionTransformerCell(width, heads, size, fault),
        (torch.randn(size.choice([1, 2]), 3, 12, 12),),
    )


class Mixer(torch.nn.Module):
    def __init__(self, tokens: int, width: int):
        super().__init__()
        self.norm1 = torch.nn.LayerNorm(width)
        self.token1 = torch.nn.Linear(tokens, 2 * tokens)
        self.token2 = torch.nn.Linear(2 * tokens, tokens)
        self.norm2 = torch.nn.LayerNorm(width)
        self.channel1 = torch.nn.Linear(width, 2 * width)
        self.channel2 = torch.nn.Linear(2 * width, width)

    def forward(self, x):
        out = self.token2(functional.gelu(self.token1(self.norm1(x).transpose(1, 2)))).transpose(1, 2)
        x = x + out
        return x + self.channel2(functional.gelu(self.channel1(self.norm2(x))))


class MixerCell(nn.Cell):
    def __init__(self, tokens: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.token1 = nn.Dense(tokens, 2 * tokens)
        self.token2 = nn.Dense(2 * tokens, tokens)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-7 if fault == "default eps" else 1e-5)
        self.channel1 = nn.Dense(width, 2 * width)
        self.channel2 = nn.Dense(2 * width, width)
        self.gelu = size.choice(
            [ops.gelu, nn.GELU(approximate=False), ops.function.nn_func.gelu]
            if hasattr(ops, "function")
            else [ops.gelu, nn.GELU(False)]
        )
        self.fault = fault

    def construct(self, x):
        normed = self.norm1(x)
        if self.fault != "no transpose":
            normed = normed.swapaxes(1, 2)
        out = self.token2(self.gelu(self.token1(normed)))
        if self.fault != "no transpose":
            out = out.swapaxes(1, 2)
        x = out if self.fault == "no residual" else x + out
        return x + self.channel2(self.gelu(self.channel1(self.norm2(x))))


def mixer(size: random.Random, fault: str) -> Example:
    width = size.choice([6, 8])
    tokens = width if fault == "no transpose" else size.choice([5, 6])
    x = torch.randn(2, tokens, width) * (0.05 if fault == "default eps" else 1)
    return Mixer(tokens, width), MixerCell(tokens, width, size, fault), (x,)


class RmsNorm(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class RmsNormCell(nn.Cell):
    def __init__(self, width: int, fault: str = ""):
        super().__init__()
        self.weight = ms.Parameter(ops.ones((width,), ms.float32), name="weight")
        self.eps = 1e-2 if fault == "eps" else 1e-6

    def construct(self, x):
        return x * ops.rsqrt(ops.mean(ops.square(x), -1, True) + self.eps) * self.weight


class LlamaBlock(torch.nn.Module):
    def __init__(self, width: int, heads: int, length: int):
        super().__init__()
        self.input_norm = RmsNorm(width)
        self.q_proj = torch.nn.Linear(width, width, bias=False)
        self.k_proj = torch.nn.Linear(width, width // 2, bias=False)
        self.v_proj = torch.nn.Linear(width, width // 2, bias=False)
        self.o_proj = torch.nn.Linear(width, width, bias=False)
        self.post_norm = RmsNorm(width)
        self.gate_proj = torch.nn.Linear(width, 2 * width, bias=False)
        self.up_proj = torch.nn.Linear(width, 2 * width, bias=False)
        self.down_proj = torch.nn.Linear(2 * width, width, bias=False)
        self.heads, self.size = heads, width // heads
        angles = torch.outer(torch.arange(length).float(), 10000.0 ** -(torch.arange(0, self.size, 2) / self.size))
        self.register_buffer("cos", torch.cat([angles, angles], -1).cos(), persistent=False)
        self.register_buffer("sin", torch.cat([angles, angles], -1).sin(), persistent=False)

    def rotate(self, x):
        first, second = x.chunk(2, -1)
        return x * self.cos + torch.cat([-second, first], -1) * self.sin

    def forward(self, x):
        normed = self.input_norm(x)
        shape = (x.shape[0], x.shape[1], -1, self.size)
        q = self.rotate(self.q_proj(normed).view(shape).transpose(1, 2))
        k = self.rotate(self.k_proj(normed).view(shape).transpose(1, 2)).repeat_interleave(2, 1)
        v = self.v_proj(normed).view(shape).transpose(1, 2).repeat_interleave(2, 1)
        out = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.size), -1) @ v
        x = x + self.o_proj(out.transpose(1, 2).flatten(2))
        normed = self.post_norm(x)
        return x + self.down_proj(functional.silu(self.gate_proj(normed)) * self.up_proj(normed))


class LlamaBlockCell(nn.Cell):
    def __init__(self, width: int, heads: int, length: int, size: random.Random, fault: str):
        super().__init__()

        def dense(inputs: int, outputs: int) -> nn.Dense:
            return nn.Dense(inputs, outputs, has_bias=False)

        self.input_norm = RmsNormCell(width)
        self.q_proj = dense(width, width)
        self.k_proj = dense(width, width // 2)
        self.v_proj = dense(width, width // 2)
        self.o_proj = dense(width, width)
        self.post_norm = RmsNormCell(width, fault)
        self.gate_proj = dense(width, 2 * width)
        self.up_proj = dense(width, 2 * width)
        self.down_proj = dense(2 * width, width)
        self.heads, self.size = heads, width // heads
        angles = np.outer(np.arange(length), 10000.0 ** -(np.arange(0, self.size, 2) / self.size))
        angles = np.concatenate([angles, angles], -1).astype(np.float32)
        self.cos, self.sin = ms.Tensor(np.cos(angles)), ms.Tensor(np.sin(angles))
        self.silu = size.choice([nn.SiLU(), ops.silu, lambda x: x * ops.sigmoid(x)])
        self.repeat = size.choice([lambda x: ops.repeat_interleave(x, 2, 1), lambda x: ops.repeat_elements(x, 2, 1)])
        if fault == "tiled keys":
            self.repeat = lambda x: ops.tile(x, (1, 2, 1, 1))
        self.fault = fault

    def rotate(self, x):
        first, second = ops.chunk(x, 2, -1)
        turned = (second, -first) if self.fault == "rotary sign" else (-second, first)
        return x * self.cos + ops.cat(turned, -1) * self.sin

    def construct(self, x):
        normed = self.input_norm(x)
        shape = (x.shape[0], x.shape[1], -1, self.size)
        q = self.rotate(self.q_proj(normed).reshape(shape).swapaxes(1, 2))
        k = self.repeat(self.rotate(self.k_proj(normed).reshape(shape).swapaxes(1, 2)))
        v = self.repeat(self.v_proj(normed).reshape(shape).swapaxes(1, 2))
        out = ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) / math.sqrt(self.size), -1), v)
        out = out.swapaxes(1, 2)
        x = x + self.o_proj(out.reshape(out.shape[0], out.shape[1], -1))
        normed = self.post_norm(x)
        gate, up = self.gate_proj(normed), self.up_proj(normed)
        if self.fault == "silu on up":
            gate, up = up, gate
        return x + self.down_proj(self.silu(gate) * up)


def llama(size: random.Random, fault: str) -> Example:
    width, length = size.choice([16, 32]), size.choice([4, 5])
    return (
        LlamaBlock(width, 4, length),
        LlamaBlockCell(width, 4, length, size, fault),
        (torch.randn(2, length, width),),
    )


class BertInputs(torch.nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.word = torch.nn.Embedding(vocabulary, width)
        self.position = torch.nn.Embedding(16, width)
        self.token_type = torch.nn.Embedding(2, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.dense = torch.nn.Linear(width, width)

    def forward(self, x, types):
        places = torch.arange(x.shape[1])
        out = self.norm(self.word(x) + self.position(places) + self.token_type(types))
        return torch.tanh(self.dense(out[:, 0]))


class BertInputsCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.word = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(16, width)
        self.token_type = nn.Embedding(2, width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-12)
        self.dense = nn.Dense(width, width, activation="tanh" if size.random() < 0.3 and not fault else None)
        self.fault = fault

    def construct(self, x, types):
        out = self.word(x) + self.position(ops.arange(x.shape[1]))
        if self.fault != "no types":
            out = out + self.token_type(types)
        out = self.dense(self.norm(out)[:, 0])
        return out if self.dense.activation_flag else ops.tanh(out)


def bert_inputs(size: random.Random, fault: str) -> Example:
    vocabulary, width = size.choice([9, 13]), size.choice([6, 8])
    x = torch.randint(0, vocabulary, (2, 6))
    return BertInputs(vocabulary, width), BertInputsCell(vocabulary, width, size, fault), (x, x % 2)


class ChannelAttention(torch.nn.Module):
    """Self-attention over the pixels of an image, as in SAGAN."""

    def __init__(self, width: int):
        super().__init__()
        self.query = torch.nn.Conv2d(width, width // 2, 1)
        self.key = torch.nn.Conv2d(width, width // 2, 1)
        self.value = torch.nn.Conv2d(width, width, 1)
        self.gamma = torch.nn.Parameter(torch.rand(1))

    def forward(self, x):
        q, k, v = self.query(x).flatten(2), self.key(x).flatten(2), self.value(x).flatten(2)
        weights = torch.softmax(torch.bmm(q.transpose(1, 2), k), dim=-1)
        return self.gamma * torch.bmm(v, weights.transpose(1, 2)).view_as(x) + x


class ChannelAttentionCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.query = conv(width, width // 2, 1)
        self.key = conv(width, width // 2, 1)
        self.value = conv(width, width, 1)
        self.gamma = ms.Parameter(ops.zeros((1,), ms.float32), name="gamma")
        self.product = size.choice([ops.bmm, ops.matmul])
        self.fault = fault

    def construct(self, x):
        batch, channels, height, width = x.shape
        q = self.query(x).reshape(batch, -1, height * width)
        k = self.key(x).reshape(batch, -1, height * width)
        v = self.value(x).reshape(batch, -1, height * width)
        weights = ops.softmax(self.product(q.swapaxes(1, 2), k), -1)
        out = self.product(v, weights if self.fault == "no transpose" else weights.swapaxes(1, 2))
        out = out.reshape(batch, channels, height, width)
        return out + x if self.fault == "no gamma" else self.gamma * out + x


def pixel_attention(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    return ChannelAttention(width), ChannelAttentionCell(width, size, fault), (torch.randn(2, width, 4, 4),)


class SinusoidInputs(torch.nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocabulary, width)
        rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        angles = torch.arange(12).unsqueeze(1) * rates
        table = torch.zeros(12, width)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pe", table, persistent=False)
        self.encoder = torch.nn.TransformerEncoderLayer(width, 2, 2 * width, batch_first=True)
        self.out = torch.nn.Linear(width, 4)

    def forward(self, x):
        x = self.embedding(x) * math.sqrt(self.embedding.embedding_dim) + self.pe[: x.shape[1]]
        return self.out(self.encoder(x))


class SinusoidInputsCell(nn.Cell):
    def __init__(self, vocabulary: int, width: int, fault: str):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        angles = np.arange(12)[:, None] * np.exp(np.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = np.zeros((12, width), np.float32)
        table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
        if fault == "halves":
            table = np.concatenate([np.sin(angles), np.cos(angles)], 1).astype(np.float32)
        self.pe = ms.Tensor(table)
        self.encoder = nn.TransformerEncoderLayer(
            width, 2, 2 * width, batch_first=True, norm_first=fault == "norm first"
        )
        self.out = nn.Dense(width, 4)
        self.scale = 1.0 if fault == "no scale" else math.sqrt(width)

    def construct(self, x):
        return self.out(self.encoder(self.embedding(x) * self.scale + self.pe[: x.shape[1]]))


def sinusoid(size: random.Random, fault: str) -> Example:
    vocabulary, width = size.choice([9, 12]), size.choice([8, 12])
    return SinusoidInputs(vocabulary, width), SinusoidInputsCell(vocabulary, width, fault), (ids(size, vocabulary, 6),)
