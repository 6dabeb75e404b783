"""Attention to some places only, of the parallel Transformer."""

from math import sqrt

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.transformer.attention import MASKED
from msbridge.nn.transformer.checks import HALF_OR_SINGLE, check_arguments, check_divisible, check_input, positive
from msbridge.nn.transformer.op_parallel_config import OpParallelConfig, default_dpmp_config

__all__ = ["FixedSparseAttention"]


class FixedSparseAttention(Cell):
    """Attend within a block of 64 places, and to 16 places of every block before.

    Args:
        batch_size: sequences.
        num_heads: number of heads; head h attends to the (3 - h % 4)-th quarter of the blocks before.
        size_per_head: 64 or 128.
        block_size: 64.
        seq_length: 1024.
        num_different_global_patterns: 4.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        q: shape (batch, seq_length, num_heads * size_per_head), float16.
        k: the same.
        v: the same.
        attention_mask: shape (batch, seq_length, seq_length), float32 or float16; the last row counts: 1 for a token.

    Returns:
        A Tensor of the shape of `q`, float16.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is another one.

    Follows: mindspore.parallel._transformer.FixedSparseAttention (2.0): its Python source; it has no kernel for a CPU.
    """

    @check_arguments(
        OpParallelConfig,
        batch_size=positive,
        size_per_head=positive,
        block_size=positive,
        num_different_global_patterns=positive,
    )
    def __init__(
        self,
        batch_size: int,
        num_heads: int,
        size_per_head: int,
        block_size: int,
        seq_length: int = 1024,
        num_different_global_patterns: int = 4,
        parallel_config: OpParallelConfig = default_dpmp_config,
    ) -> None:
        super().__init__()
        check_divisible(self.cls_name, "model_parallel", parallel_config.model_parallel, num_heads=num_heads)
        check_divisible(self.cls_name, "data_parallel", parallel_config.data_parallel, batch_size=batch_size)
        allowed = {
            "size_per_head": (size_per_head, (64, 128)),
            "block_size": (block_size, (64,)),
            "seq_length": (seq_length, (1024,)),
            "num_different_global_patterns": (num_different_global_patterns, (4,)),
        }
        for name, (value, values) in allowed.items():
            one_of(value, name, self.cls_name, values)
        self.batch_size = batch_size
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.hidden_size = num_heads * size_per_head
        self.block_size = block_size
        self.block_num = seq_length // block_size
        self.seq_length = seq_length
        self.parallel_config = parallel_config

    def construct(self, q: Tensor, k: Tensor, v: Tensor, attention_mask: Tensor) -> Tensor:
        for name, x in (("q", q), ("k", k), ("v", v)):
            check_input(x, name, (mstype.float16,), self.cls_name)
        check_input(attention_mask, "attention_mask", HALF_OR_SINGLE, self.cls_name)
        is_token = attention_mask._data[:, -1].float()
        return wrap(self._attend(q._data.float(), k._data.float(), v._data.float(), is_token).half())

    def _attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_token: torch.Tensor) -> torch.Tensor:
        blocks = (len(q), self.block_num, self.block_size, self.num_heads, self.size_per_head)
        q, k, v = (x.reshape(blocks).permute(0, 3, 1, 2, 4) for x in (q, k, v))  # batch, head, block, place, channel
        q, k = q / sqrt(self.size_per_head), k / sqrt(self.size_per_head)  # both, as there
        quarter = 3 - torch.arange(self.num_heads, device=q.device) % 4
        chosen = quarter[:, None] * 16 + torch.arange(16, device=q.device)  # (heads, 16): places within a block
        heads = torch.arange(self.num_heads, device=q.device)[:, None]
        far_k, far_v = (x.transpose(2, 3)[:, heads, chosen].permute(0, 1, 3, 2, 4).flatten(2, 3) for x in (k, v))
        block = torch.arange(self.block_num, device=q.device)
        is_before = (block.repeat_interleave(16) < block[:, None]).float()  # (blocks, far places)
        tokens = is_token.reshape(len(q), self.block_num, self.block_size)
        near = torch.tril(tokens[..., :, None] * tokens[..., None, :])
        near_scores = q @ k.transpose(-1, -2) + (1 - near[:, None]) * MASKED
        far_scores = q @ far_k[:, :, None].transpose(-1, -2) + (1 - is_before[:, None]) * MASKED
        attention = torch.cat([far_scores, near_scores], -1).softmax(-1)
        far, here = attention.split([far_k.shape[2], self.block_size], -1)
        result = far @ far_v[:, :, None] + here @ v
        return result.permute(0, 2, 3, 1, 4).reshape(len(q), self.seq_length, self.hidden_size)
