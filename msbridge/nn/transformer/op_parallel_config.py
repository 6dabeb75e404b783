"""The division of the parallel Transformer's layers over devices: checked and kept, for a process has them whole.

Follows: mindspore.parallel._transformer.op_parallel_config and transformer (2.0).
"""

from typing import Any

from msbridge.core.checks.arguments import boolean, instance, positive_int
from msbridge.core.context import context
from msbridge.core.context.context import ParallelMode
from msbridge.core.runtime.read_only import read_only
from msbridge.distributed.groups.group import get_group_size

__all__ = ["OpParallelConfig"]


class _Config:
    """Settings that print themselves, one a line."""

    def __str__(self) -> str:
        return "[ParallelConfig]\n" + "".join(f"{name}:{value}\n" for name, value in vars(self).items())


class _Setting:
    """An attribute that is checked whenever it is set, and kept under the same name with an underscore."""

    def __init__(self, check: Any) -> None:
        self.check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, config: Any, owner: type | None = None) -> Any:
        return self if config is None else vars(config)[f"_{self.name}"]

    def __set__(self, config: Any, value: Any) -> None:
        vars(config)[f"_{self.name}"] = self.check(value, self.name, None)


class _Part:
    """An attribute that is in parts of a configuration."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, config: Any, owner: type | None = None) -> Any:
        return self if config is None else getattr(getattr(config, self.parts[0]), self.name)

    def __set__(self, config: Any, value: Any) -> None:
        for part in self.parts:
            setattr(getattr(config, part), self.name, value)


class OpParallelConfig(_Config):
    """Over how many devices a layer's data and weights are divided.

    Args:
        data_parallel: parts of the data.
        model_parallel: parts of the weights.

    Raises:
        TypeError: one is not an int.
        ValueError: one is not positive.

    Follows: mindspore.parallel._transformer.OpParallelConfig (2.0).
    """

    data_parallel = _Setting(positive_int)
    model_parallel = _Setting(positive_int)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1) -> None:
        self.data_parallel = data_parallel
        self.model_parallel = model_parallel


class MoEParallelConfig(_Config):
    """Over how many devices a mixture of experts is divided.

    Args:
        data_parallel: parts of the data.
        model_parallel: parts of the weights.
        expert_parallel: groups of experts.

    Raises:
        TypeError: one is not an int.
        ValueError: one is not positive.

    Follows: mindspore.parallel._transformer.op_parallel_config.MoEParallelConfig (2.0).
    """

    data_parallel = _Part("dpmp")
    model_parallel = _Part("dpmp")
    expert_parallel = _Setting(positive_int)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1) -> None:
        self._dpmp = OpParallelConfig(data_parallel, model_parallel)
        self.expert_parallel = expert_parallel

    dpmp: OpParallelConfig = read_only("_dpmp", "The parts of data and weights only.")


class _PipeLineConfig(_Config):
    """Over how many stages the layers are divided, and into how many parts a batch is.

    Args:
        pipeline_stage: stages; set in the context, too.
        micro_batch_num: parts of a batch.

    Raises:
        TypeError: one is not an int.
        ValueError: one is not positive.

    Follows: mindspore.parallel._transformer.op_parallel_config._PipeLineConfig (2.0).
    """

    pipeline_stage = _Setting(
        lambda value, name, owner: _apply_setting("pipeline_stages", positive_int(value, name, owner))
    )
    micro_batch_num = _Setting(positive_int)

    def __init__(self, pipeline_stage: int = 1, micro_batch_num: int = 1) -> None:
        self.pipeline_stage = pipeline_stage
        self.micro_batch_num = micro_batch_num


class EmbeddingOpParallelConfig(_Config):
    """Over how many devices an embedding is divided.

    Args:
        data_parallel: parts of the data.
        model_parallel: parts of the table, by rows.
        vocab_emb_dp: divide the data only.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is not positive.

    Follows: mindspore.parallel._transformer.EmbeddingOpParallelConfig (2.0).
    """

    data_parallel = _Part("dp_mp_config")
    model_parallel = _Part("dp_mp_config")
    vocab_emb_dp = _Setting(boolean)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, vocab_emb_dp: bool = True) -> None:
        self._dp_mp_config = OpParallelConfig(data_parallel, model_parallel)
        self.vocab_emb_dp = vocab_emb_dp

    dp_mp_config: OpParallelConfig = read_only("_dp_mp_config", "The parts of data and weights only.")


class TransformerRecomputeConfig(_Config):
    """The parts of a layer that are computed again in the backward pass instead of kept.

    Args:
        recompute: whether layers are recomputed.
        parallel_optimizer_comm_recompute: whether communication of a divided optimizer is.
        mp_comm_recompute: whether communication of divided weights is.
        recompute_slice_activation: whether what is kept is divided.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.parallel._transformer.TransformerRecomputeConfig (2.0).
    """

    recompute = _Setting(boolean)
    parallel_optimizer_comm_recompute = _Setting(boolean)
    mp_comm_recompute = _Setting(boolean)
    recompute_slice_activation = _Setting(boolean)

    def __init__(
        self,
        recompute: bool = False,
        parallel_optimizer_comm_recompute: bool = False,
        mp_comm_recompute: bool = True,
        recompute_slice_activation: bool = False,
    ) -> None:
        self.recompute = recompute
        self.parallel_optimizer_comm_recompute = parallel_optimizer_comm_recompute
        self.mp_comm_recompute = mp_comm_recompute
        self.recompute_slice_activation = recompute_slice_activation


default_transformer_recompute_config = TransformerRecomputeConfig()


def _check_recompute(value: Any, name: str, owner: str | None) -> TransformerRecomputeConfig | bool:
    instance(value, name, None, (TransformerRecomputeConfig, bool))
    return value


class TransformerOpParallelConfig(_Config):
    """The division and recomputation of a whole Transformer.

    Args:
        data_parallel: parts of the data.
        model_parallel: parts of the weights.
        expert_parallel: groups of experts.
        pipeline_stage: stages of layers; set in the context, too.
        micro_batch_num: parts of a batch, for stages.
        recompute: what is recomputed.
        optimizer_shard: divide the optimizer's state; set in the context, too.
        gradient_aggregation_group: layers whose gradients are exchanged together.
        vocab_emb_dp: divide the data of embeddings only.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is not positive.

    Follows: mindspore.parallel._transformer.TransformerOpParallelConfig (2.0).
    """

    recompute = _Setting(_check_recompute)
    optimizer_shard = _Setting(
        lambda value, name, owner: _apply_setting("enable_parallel_optimizer", boolean(value, name, owner))
    )
    gradient_aggregation_group = _Setting(positive_int)
    vocab_emb_dp = _Part("_embed_dp_mp_config")
    data_parallel = _Part("_embed_dp_mp_config", "_moe_config")
    model_parallel = _Part("_embed_dp_mp_config", "_moe_config")
    pipeline_stage = _Part("_pp_config")
    micro_batch_num = _Part("_pp_config")
    expert_parallel = _Part("_moe_config")

    def __init__(
        self,
        data_parallel: int = 1,
        model_parallel: int = 1,
        expert_parallel: int = 1,
        pipeline_stage: int = 1,
        micro_batch_num: int = 1,
        recompute: TransformerRecomputeConfig | bool = default_transformer_recompute_config,
        optimizer_shard: bool = False,
        gradient_aggregation_group: int = 4,
        vocab_emb_dp: bool = True,
    ) -> None:
        self.recompute = recompute
        self.optimizer_shard = optimizer_shard
        self.gradient_aggregation_group = gradient_aggregation_group
        self._embed_dp_mp_config = EmbeddingOpParallelConfig(data_parallel, model_parallel, vocab_emb_dp)
        self._pp_config = _PipeLineConfig(pipeline_stage, micro_batch_num)
        self._moe_config = MoEParallelConfig(data_parallel, model_parallel, expert_parallel)

    embedding_dp_mp_config: EmbeddingOpParallelConfig = read_only("_embed_dp_mp_config", "The part for embeddings.")
    dp_mp_config: OpParallelConfig = read_only("_embed_dp_mp_config.dp_mp_config", "The part for layers.")
    moe_parallel_config: MoEParallelConfig = read_only("_moe_config", "The part for mixtures of experts.")


def _check_config(config: Any) -> None:
    """Require that a configuration agrees with the parallel context.

    Raises:
        ValueError: the context has another number of stages, or in an automatic mode there are too few devices.

    Follows: mindspore.parallel._transformer.op_parallel_config._check_config (2.0).
    """
    stages = context.get_auto_parallel_context("pipeline_stages")
    if getattr(config, "pipeline_stage", stages) != stages:
        raise ValueError(f"The context has {stages} pipeline stages, but the configuration {config.pipeline_stage}.")
    if context.get_auto_parallel_context("parallel_mode") not in (
        ParallelMode.SEMI_AUTO_PARALLEL,
        ParallelMode.AUTO_PARALLEL,
    ):
        return
    needed, devices = config.data_parallel * config.model_parallel * stages, get_group_size()
    if needed > devices:
        raise ValueError(
            f"data_parallel {config.data_parallel} times model_parallel {config.model_parallel} times {stages} "
            f"pipeline stages must not be over the number of devices, {devices}."
        )


def _apply_setting(setting: str, value: Any) -> Any:
    if context.get_auto_parallel_context(setting) != value:
        context.set_auto_parallel_context(**{setting: value})
    return value


default_dpmp_config = OpParallelConfig()
default_moeparallel_config = MoEParallelConfig()
default_embedding_parallel_config = EmbeddingOpParallelConfig()
default_transformer_config = TransformerOpParallelConfig()
