"""The settings of distributed training that have parts of their own: which parts there are, and their values.

Follows: mindspore.set_auto_parallel_context (2.10).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msbridge.core.checks.arguments import boolean, instance, non_negative_int, one_of, positive_int

__all__ = ["BATCHES", "LEVELS", "SCHEDULERS", "check_batch", "check_parts_of_settings", "link_settings"]

SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")
SEARCH_MODES = ("recursive_programming", "dynamic_programming", "sharding_propagation")
LEVELS = ("level1", "level2", "level3")
BATCHES = ("full_batch", "data_parallel")
_GROUPS = ("all_group_parallel", "same_server_group_parallel", "no_group_parallel")
_OWNER = "set_auto_parallel_context"


def check_parts_of_settings(settings: Mapping[str, Any]) -> None:
    """Refuse settings with unknown parts or values.

    Raises:
        TypeError: a value of a wrong type.
        ValueError: an unknown part, or a value that is not allowed.
        KeyError: an unknown or a missing part of `comm_fusion`.
    """
    for name, value in settings.items():
        if name in _CHECKS:
            _CHECKS[name](value)


def link_settings(settings: dict[str, Any], known: Callable[[str], Any]) -> dict[str, Any]:
    """Return settings with what they mean for others: `full_batch` and `dataset_strategy` say the same thing twice.

    Args:
        settings: what is to be set.
        known: returns what is set; parts that are not mentioned stay.
    """
    for name in ("comm_fusion", "strategy_ckpt_config"):
        if name in settings:
            settings = {**settings, name: {**known(name), **settings[name]}}
    if isinstance(strategy := settings.get("dataset_strategy"), str):
        return {**settings, "full_batch": strategy == "full_batch"}
    if "full_batch" in settings and strategy is None:
        return {**settings, "dataset_strategy": BATCHES[not settings["full_batch"]]}
    return settings


def check_batch(strategy: Any, owner: str) -> None:
    """Refuse what does not say how batches are divided: "full_batch", "data_parallel", or a part for each input.

    Raises:
        TypeError: it is not a tuple of tuples of ints or Layouts.
        ValueError: it is another name.
    """
    if isinstance(strategy, str):
        one_of(strategy, "dataset_strategy", owner, BATCHES)
        return
    if not isinstance(strategy, tuple):
        raise TypeError(f"For '{owner}', dataset_strategy must be str or tuple, but got {type(strategy).__name__}.")
    for part in strategy:
        if hasattr(part, "to_dict"):
            continue
        if not isinstance(part, tuple) or not all(isinstance(parts, int) for parts in part):
            raise TypeError(f"For '{owner}', dataset_strategy must have tuples of ints or Layouts, but got {part!r}.")


def _check_files(config: dict[str, Any]) -> None:
    _check_keys(config, ("load_file", "save_file", "only_trainable_params"))
    for name, value in config.items():
        kind = bool if name == "only_trainable_params" else str
        instance(value, name, _OWNER, kind)


def _check_ends(indices: Any) -> None:
    if not indices:
        raise ValueError(f"For '{_OWNER}', all_reduce_fusion_config can not be empty.")
    for index in indices:
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(f"For '{_OWNER}', all_reduce_fusion_config must have ints, but got {index!r}.")
    if sorted(set(indices)) != list(indices):
        raise ValueError(f"For '{_OWNER}', all_reduce_fusion_config must be ascending, but got {indices}.")


def _check_pipeline(config: dict[str, Any]) -> None:
    _check_keys(config, ("pipeline_interleave", "pipeline_scheduler"))
    is_interleaved = boolean(config["pipeline_interleave"], "pipeline_interleave", _OWNER)
    scheduler = one_of(config["pipeline_scheduler"], "pipeline_scheduler", _OWNER, SCHEDULERS)
    if not is_interleaved and scheduler != "1f1b":
        raise TypeError(f"For '{_OWNER}', pipeline_scheduler {scheduler!r} needs pipeline_interleave.")


def _check_optimizer(config: dict[str, Any]) -> None:
    size, level = "optimizer_weight_shard_size", config.get("optimizer_level", "level2")
    _check_keys(config, ("gradient_accumulation_shard", "parallel_optimizer_threshold", size, "optimizer_level"))
    if "gradient_accumulation_shard" in config:
        boolean(config["gradient_accumulation_shard"], "gradient_accumulation_shard", _OWNER)
    if "parallel_optimizer_threshold" in config:
        non_negative_int(config["parallel_optimizer_threshold"], "parallel_optimizer_threshold", _OWNER)
    if config.get(size, -1) != -1:
        positive_int(config[size], size, _OWNER)
    if level not in LEVELS or (config.get("gradient_accumulation_shard") and level != "level2"):
        raise ValueError(
            f"For '{_OWNER}', optimizer_level must be one of {list(LEVELS)}, with accumulated gradients 'level2', "
            f"but got {level!r}."
        )


def _check_fusion(config: dict[str, Any]) -> None:
    for name, value in config.items():
        if name not in ("openstate", "allreduce", "allgather", "reducescatter"):
            raise KeyError(f"comm_fusion has no {name!r}: it has openstate, allreduce, allgather and reducescatter.")
        kind: type = bool if name == "openstate" else dict
        instance(value, name, "comm_fusion", kind)
        if not isinstance(value, dict):
            continue
        for key in ("mode", "config"):
            if key not in value:
                raise KeyError(f"For 'comm_fusion', {name} needs {key!r}.")
        modes = ("auto", "size", "index")[: 3 if name == "allreduce" else 2]
        if value["mode"] not in modes:
            raise KeyError(f"For 'comm_fusion', the mode of {name} must be one of {modes}, but got {value['mode']!r}.")
        if value["mode"] == "index":
            _check_ends(value["config"])
        if value["mode"] == "size" and value["config"] < 0:
            raise ValueError(f"For 'comm_fusion', the size of {name} must not be negative, but got {value['config']}.")


def _check_keys(config: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = [name for name in config if name not in known]
    if unknown:
        raise ValueError(f"Unknown config: {unknown}; there are {', '.join(known)}.")


def _choice(name: str, choices: tuple[str, ...]) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        one_of(value, name, _OWNER, choices)

    return check


_CHECKS: Mapping[str, Callable[[Any], None]] = {
    "all_reduce_fusion_config": _check_ends,
    "auto_parallel_search_mode": _choice("search_mode", SEARCH_MODES),
    "comm_fusion": _check_fusion,
    "communi_parallel_mode": _choice("communi_parallel_mode", _GROUPS),
    "dataset_strategy": lambda strategy: check_batch(strategy, _OWNER),
    "parallel_optimizer_config": _check_optimizer,
    "pipeline_config": _check_pipeline,
    "search_mode": _choice("search_mode", SEARCH_MODES),
    "strategy_ckpt_config": _check_files,
}
