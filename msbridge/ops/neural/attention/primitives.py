"""Primitives of attention."""

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.attention import kernels
from msbridge.ops.neural.attention.kernels import FAR, Ends
from msbridge.ops.primitive.primitive import Primitive


class FlashAttentionScore(Primitive):
    """Attention in one call; see `ops.flash_attention_score`, whose arguments these are.

    It returns four Tensors: the largest scores and their sums, each (B, N, S, 8) with eight copies, an empty one,
    and the result.

    Follows: mindspore.ops.operations.nn_ops.FlashAttentionScore (2.10), from its documentation.
    """

    def __init__(
        self,
        head_num: int,
        keep_prob: float = 1.0,
        scale_value: float = 1.0,
        pre_tokens: int = FAR,
        next_tokens: int = FAR,
        inner_precise: int = 0,
        input_layout: str = "BSH",
        sparse_mode: int = 0,
    ) -> None:
        super().__init__("FlashAttentionScore")
        self.add_prim_attr("head_num", head_num)
        self.add_prim_attr("keep_prob", keep_prob)
        self.add_prim_attr("scale_value", scale_value)
        self.add_prim_attr("pre_tokens", pre_tokens)
        self.add_prim_attr("next_tokens", next_tokens)
        self.add_prim_attr("inner_precise", inner_precise)
        self.add_prim_attr("input_layout", input_layout)
        self.add_prim_attr("sparse_mode", sparse_mode)

    def __call__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        real_shift: Tensor | None = None,
        drop_mask: Tensor | None = None,
        padding_mask: None = None,
        attn_mask: Tensor | None = None,
        prefix: Ends = None,
        actual_seq_qlen: Ends = None,
        actual_seq_kvlen: Ends = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Attend."""
        options = self.attrs
        largest, total, result = kernels.attend_in_parts(
            *(query, key, value, options["head_num"], real_shift, drop_mask, padding_mask, attn_mask, prefix),
            *(actual_seq_qlen, actual_seq_kvlen, options["keep_prob"], options["scale_value"]),
            (options["pre_tokens"], options["next_tokens"], options["sparse_mode"]),
            input_layout=options["input_layout"],
        )
        sums = kernels.eightfold(largest), kernels.eightfold(total)
        return *sums, wrap(result._data.new_empty(0)), result
