"""A mixture of experts: each token goes to the experts that a router chooses, as long as these have room.

Follows: mindspore.parallel._transformer.moe (2.0): its Python source; its products of batches have no kernel for a CPU.
"""

from math import ceil
from typing import Any

import numpy as np
import torch
from torch.nn.functional import one_hot

from msbridge.core.checks.arguments import at_least, boolean, in_range, instance, positive_int
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.distributed.groups.group import get_group_size
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dense import Dense
from msbridge.nn.transformer.checks import floating
from msbridge.nn.transformer.feed_forward import FeedForward
from msbridge.nn.transformer.layers import Activation
from msbridge.nn.transformer.op_parallel_config import MoEParallelConfig, OpParallelConfig, default_moeparallel_config

__all__ = ["MoEConfig"]


class MoEConfig:
    """The settings of a mixture of experts.

    Args:
        expert_num: number of experts; 1 for a layer without.
        capacity_factor: how many tokens more than its share an expert takes, 1.0 or more.
        aux_loss_factor: factor of the loss of balance, below 1.0.
        num_experts_chosen: experts for a token.
        expert_group_size: tokens of a group of data.
        group_wise_a2a: how devices exchange tokens; one process has all.
        comp_comm_parallel: compute in parts, while devices exchange others.
        comp_comm_parallel_degree: number of these parts.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.parallel._transformer.MoEConfig (2.0).
    """

    def __init__(
        self,
        expert_num: int = 1,
        capacity_factor: float = 1.1,
        aux_loss_factor: float = 0.05,
        num_experts_chosen: int = 1,
        expert_group_size: int | None = None,
        group_wise_a2a: bool = False,
        comp_comm_parallel: bool = False,
        comp_comm_parallel_degree: int = 2,
    ) -> None:
        self.expert_num = positive_int(expert_num, "expert_num", None)
        self.capacity_factor = floating(capacity_factor, "capacity_factor")
        self.aux_loss_factor = floating(aux_loss_factor, "aux_loss_factor")
        self.num_experts_chosen = positive_int(num_experts_chosen, "num_experts_chosen", None)
        if expert_group_size is not None:
            positive_int(expert_group_size, "expert_group_size", None)
        self.expert_group_size = expert_group_size
        self.group_wise_a2a = boolean(group_wise_a2a, "group_wise_a2a", None)
        self.comp_comm_parallel = boolean(comp_comm_parallel, "comp_comm_parallel", None)
        self.comp_comm_parallel_degree = positive_int(comp_comm_parallel_degree, "comp_comm_parallel_degree", None)
        at_least(capacity_factor, "capacity_factor", "MoEConfig", 1)
        in_range(aux_loss_factor, "aux_loss_factor", "MoEConfig", 0, 1, "()")
        if num_experts_chosen > expert_num:
            raise ValueError(
                f"For 'MoEConfig', 'num_experts_chosen' must not be larger than 'expert_num', "
                f"but got {num_experts_chosen} and {expert_num}."
            )


default_moe_config = MoEConfig()


def _check_moe_config(moe_config: Any = None, parallel_config: Any = None) -> None:
    """Require a MoEConfig that suits the parts.

    Raises:
        TypeError: it is not one, or experts come without a configuration for them.
        ValueError: it does not suit the parts, or these the number of devices.

    Follows: mindspore.parallel._transformer.moe._check_moe_config (2.0).
    """
    instance(moe_config, "moe_config", None, MoEConfig)
    if moe_config.expert_num == 1:
        return
    groups, devices = parallel_config.expert_parallel, get_group_size()
    for name, count in {
        "expert_num": moe_config.expert_num,
        "number of devices": devices,
        "data_parallel": parallel_config.data_parallel,
    }.items():
        if count % groups:
            raise ValueError(f"With experts, the {name}, {count}, must be a multiple of expert_parallel, {groups}.")
    if parallel_config.data_parallel * parallel_config.model_parallel > devices:
        raise ValueError(
            f"data_parallel {parallel_config.data_parallel} times model_parallel {parallel_config.model_parallel} must "
            f"not be over the number of devices, {devices}."
        )


def calculate_expert_capacity(k: int, tokens_per_group: int, capacity_factor: float, expert_dim: int) -> int:
    """Return the number of tokens that an expert takes.

    Follows: mindspore.parallel._transformer.moe.calculate_expert_capacity (2.0).
    """
    return ceil(k * tokens_per_group * capacity_factor / expert_dim)


class TopkRouter(Cell):
    """Choose for each token the experts with the highest probabilities that have room.

    Args:
        d_model: length of a token.
        moe_config: the experts.
        training: kept.
        parallel_config: into how many groups the tokens are divided (data_parallel).

    Inputs:
        router_logits: shape (…, experts), float32.

    Returns:
        Which place of which expert a token takes, shape (groups, tokens, experts, capacity), bool; the same with the
        weight of the expert; the loss of balance.

    Follows: mindspore.parallel._transformer.moe.TopkRouter (2.0).
    """

    def __init__(self, d_model: int, moe_config: MoEConfig, training: bool = True, parallel_config: Any = None) -> None:
        super().__init__()
        self.d_model = d_model
        self.expert_dim = moe_config.expert_num
        self.capacity_factor = moe_config.capacity_factor
        self.num_experts_chosen = moe_config.num_experts_chosen
        self.training = training
        self.dp_group = parallel_config.data_parallel

    def construct(self, router_logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        logits = router_logits._data.reshape(self.dp_group, -1, self.expert_dim)
        capacity = calculate_expert_capacity(
            self.num_experts_chosen, logits.shape[1], self.capacity_factor, self.expert_dim
        )
        chances = logits.softmax(-1)
        taken = torch.zeros_like(chances)  # by former choices of a token
        counts = torch.zeros_like(chances[:, :1])  # places that are taken of each expert
        weights = chances.new_zeros((*chances.shape, capacity))
        loss = chances.new_zeros(())
        for _ in range(self.num_experts_chosen):
            chances = chances * (1 - taken)
            gate, chosen = chances.max(-1)
            mask = one_hot(chosen, self.expert_dim).to(chances.dtype)
            loss = loss + self._imbalance(mask, chances / (chances.sum(-1, keepdim=True) + 1e-9))
            place = (mask.cumsum(1) - mask + counts) * mask  # tokens of the expert before this one
            mask = mask * (place < capacity)
            taken, counts = taken + mask, counts + mask.sum(1, keepdim=True)
            slot = place.sum(-1).long().clamp(max=capacity - 1)
            weights = weights + (gate.unsqueeze(-1) * mask).unsqueeze(-1) * one_hot(slot, capacity).unsqueeze(2)
        if self.num_experts_chosen > 1:
            weights = weights / (weights.sum((-1, -2), keepdim=True) + 1e-9)
        return wrap(weights != 0), wrap(weights), wrap(loss)

    def _imbalance(self, mask: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
        return (mask.mean(1) * chances.mean(1)).mean() * self.expert_dim**2


class Router(Cell):
    """Compute the logits of each token for the experts, and let a policy choose.

    Args:
        d_model: length of a token.
        moe_config: the experts.
        routing_policy: a Cell of the logits; None for `TopkRouter`.
        training: kept.
        parallel_config: into how many groups the tokens are divided (data_parallel).

    Follows: mindspore.parallel._transformer.moe.Router (2.0).
    """

    def __init__(
        self,
        d_model: int,
        moe_config: MoEConfig,
        routing_policy: Cell | None = None,
        training: bool = True,
        parallel_config: Any = None,
    ) -> None:
        super().__init__()
        self.d_model = d_model
        self.expert_dim = moe_config.expert_num
        self.training = training
        self.noisy_policy: str | None = None
        self.noisy_epsilon = 1e-2
        self.noise = Tensor(np.random.uniform(0.99, 1.01, (d_model,)).astype(np.float32))
        self.dense = Dense(d_model, moe_config.expert_num, has_bias=False)
        self.router = routing_policy or TopkRouter(d_model, moe_config, training, parallel_config)

    def construct(self, input_tensor: Tensor) -> Any:
        x = input_tensor.astype(mstype.float32)
        if self.noisy_policy == "jitter" and self.training:
            x = x * self.noise
        return self.router(self.dense(x))


class MoE(Cell):
    """Let each token pass through the experts that a router chooses for it.

    Args:
        hidden_size: length of a token.
        ffn_hidden_size: length between the products of an expert.
        dropout_rate: dropout of the experts' outputs, while training.
        hidden_act: name or class of the activation.
        param_init_type: of the parameters, float32 or float16.
        moe_config: the experts.
        parallel_config: into how many groups the tokens are divided (data_parallel).

    Inputs:
        input_tensor: shape (…, hidden_size).

    Returns:
        A Tensor of the shape of the input, float16, and the loss of balance.

    Follows: mindspore.parallel._transformer.moe.MoE (2.0).
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Activation = "gelu",
        param_init_type: Type = mstype.float32,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: MoEParallelConfig | OpParallelConfig = default_moeparallel_config,
    ) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.expert_dim = moe_config.expert_num
        self.capacity_factor = moe_config.capacity_factor
        self.aux_loss_factor = moe_config.aux_loss_factor
        self.num_experts_chosen = moe_config.num_experts_chosen
        self.dp_group = parallel_config.data_parallel
        self.ffn = FeedForward(
            hidden_size,
            ffn_hidden_size,
            dropout_rate,
            hidden_act,
            expert_num=self.expert_dim,
            expert_group_size=moe_config.expert_group_size,
            param_init_type=param_init_type,
            parallel_config=parallel_config,
        )
        self.router = Router(hidden_size, moe_config, parallel_config=parallel_config)

    def construct(self, input_tensor: Tensor) -> tuple[Tensor, Tensor]:
        tokens = input_tensor.reshape((self.dp_group, -1, self.hidden_size))
        dispatch, combine, loss = self.router(tokens)
        x = tokens._data
        rows = torch.einsum("gth,gtec->egch", x, dispatch._data.to(x.dtype))  # experts, groups, capacity, hidden
        outputs = self.ffn(wrap(rows.reshape(-1, self.hidden_size)))._data.reshape(rows.shape)
        result = torch.einsum("egch,gtec->gth", outputs, combine._data.to(outputs.dtype))
        return wrap(result.reshape(input_tensor.shape)), loss * self.aux_loss_factor
