"""Networks that compute the same in another structure: pools without axes of length one, channels last, q/k/v apart."""

import torch

from msbridge import nn, ops
from msbridge.verify import compare, described


class Pooled(nn.Cell):
    """A pool that drops the axes which torch's keeps, in front of a Dense."""

    def __init__(self, bad: bool = False):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, pad_mode="same" if bad else "valid", stride=2, has_bias=True)
        self.head = nn.Dense(8, 4)
        self.pool = GlobalPool()

    def construct(self, x):
        return self.head(self.pool(self.conv(x)))


class GlobalPool(nn.Cell):
    def construct(self, x):
        return ops.mean(x, (2, 3))


def pooled() -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 4)
    )


class ChannelsLast(nn.Cell):
    """Normalises and projects with the channels last where torch permutes for one layer only."""

    def __init__(self, epsilon: float = 1e-5):
        super().__init__()
        self.norm, self.up, self.act = nn.LayerNorm((6,), epsilon=epsilon), nn.Dense(6, 6), nn.ReLU()

    def construct(self, x):
        return self.act(self.up(self.norm(x.transpose(0, 2, 3, 1)))).transpose(0, 3, 1, 2)


class Permuted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.conv, self.act = torch.nn.LayerNorm(6), torch.nn.Linear(6, 6), torch.nn.ReLU()

    def forward(self, x):
        return self.act(self.conv(self.norm(x.permute(0, 2, 3, 1))).permute(0, 3, 1, 2))


class Fused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.proj = torch.nn.LayerNorm(8), torch.nn.Linear(8, 24), torch.nn.Linear(8, 8)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        return self.proj((q @ k.transpose(-1, -2)).softmax(-1) @ v)


class Apart(nn.Cell):
    def __init__(self, swapped: bool = False):
        super().__init__()
        self.norm = nn.LayerNorm((8,), epsilon=1e-5)
        self.q, self.k, self.v, self.out = (nn.Dense(8, 8) for _ in range(4))
        self.swapped = swapped

    def construct(self, x):
        x = self.norm(x)
        q, k, v = self.q(x), self.k(x), self.v(x)
        if self.swapped:
            q, k = k, q
        return self.out(ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)), -1), v))


def test_a_pool_that_drops_axes_is_right():
    assert compare(pooled(), Pooled(), torch.randn(2, 3, 9, 9)).verdict == "PASS"


def test_behind_a_fault_a_pool_that_drops_axes_is_right():
    found = compare(pooled(), Pooled(bad=True), torch.randn(2, 3, 9, 9))
    assert [(one.layer, one.kind) for one in found.findings] == [("0", "padding")]


def test_channels_last_is_right():
    assert compare(Permuted(), ChannelsLast(), torch.randn(2, 6, 5, 7)).is_same


def test_a_fault_with_the_channels_last_is_the_only_one():
    found = compare(Permuted(), ChannelsLast(epsilon=1e-1), torch.randn(2, 6, 5, 7))
    assert [(one.layer, one.kind) for one in found.findings] == [("norm", "epsilon")]


def test_weights_that_torch_holds_together_are_cut():
    found = compare(Fused(), Apart(), torch.randn(2, 5, 8))
    assert (found.is_same, found.weights.only_torch, found.weights.only_cell) == (True, [], [])


def test_parts_in_another_order_are_a_fault():
    found = compare(Fused(), Apart(swapped=True), torch.randn(2, 5, 8))
    assert not found.is_same
    assert all(one.torch != "qkv" or one.status != "differs" for one in found.rows)


def test_a_pool_that_pads_otherwise_is_told_with_its_numbers():
    found = compare(torch.nn.MaxPool2d(3, 2, 1), nn.MaxPool2d(3, 2, pad_mode="same"), torch.randn(1, 2, 8, 8))
    assert [one.kind for one in found.findings] == ["padding"]
    assert "torch (1, 1, 1, 1), Cell (0, 1, 0, 1)" in described(found.first)
    assert found.findings[0].fact.values["torch"] == (1, 1, 1, 1)


def test_pools_without_padding_say_nothing():
    found = compare(torch.nn.MaxPool2d(2, 2), nn.MaxPool2d(2, 2), torch.randn(1, 2, 8, 8))
    assert (found.verdict, found.notes) == ("PASS", ())
