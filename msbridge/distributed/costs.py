"""Costs by which a parallel strategy is searched; they are kept, and one process has nothing to search."""

from typing import Any

from msbridge.core.checks.arguments import boolean

__all__ = [
    "_get_algo_single_loop",
    "_get_multi_subgraphs",
    "_get_rp_matmul_mem_coef",
    "_set_algo_single_loop",
    "_set_multi_subgraphs",
    "_set_rp_matmul_mem_coef",
    "get_cost_model_context",
    "reset_cost_model_context",
    "set_cost_model_context",
]

_DEFAULTS: dict[str, float | int] = {
    "device_memory_capacity": 16.0 * 1024**3,
    "costmodel_alpha": 1.0,
    "costmodel_beta": 400.0,
    "costmodel_gamma": 0.001,
    "costmodel_communi_threshold": 2048.0,
    "costmodel_communi_const": 3072.0,
    "costmodel_communi_bias": 1024.0,
    "run_phase": 0,
    "costmodel_allreduce_fusion_algorithm": 0,
    "costmodel_allreduce_fusion_times": 0,
    "costmodel_allreduce_fusion_tail_percent": 0.1,
    "costmodel_allreduce_fusion_tail_time": 0.1,
    "costmodel_allreduce_fusion_allreduce_inherent_time": 0.1,
    "costmodel_allreduce_fusion_allreduce_bandwidth": 0.1,
    "costmodel_allreduce_fusion_computation_time_parameter": 0.1,
}
_settings = dict(_DEFAULTS)
_marks: dict[str, float] = {"several graphs": False, "single loop": False, "matmul memory": 0.1}


def set_cost_model_context(**kwargs: Any) -> None:
    """Set some of the costs.

    Args:
        kwargs: by name; a float, or an int where the default is one.

    Raises:
        ValueError: an unknown name.
        TypeError: a value of a wrong type.

    Follows: mindspore.parallel._cost_model_context.set_cost_model_context (2.10).
    """
    for name, value in kwargs.items():
        if name not in _DEFAULTS:
            raise ValueError(f"Set context keyword {name} is not recognized!")
        wanted = type(_DEFAULTS[name])
        if type(value) is not wanted:
            raise TypeError(f"The parameter {name!r} must be {wanted}, but got {type(value)}")
        _settings[name] = value


def get_cost_model_context(attr_key: str) -> float | int:
    """Return one cost.

    Raises:
        ValueError: an unknown name.

    Follows: mindspore.parallel._cost_model_context.get_cost_model_context (2.10).
    """
    if attr_key not in _settings:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!")
    return _settings[attr_key]


def reset_cost_model_context() -> None:
    """Set everything back to its default.

    Follows: mindspore.parallel._cost_model_context.reset_cost_model_context (2.10).
    """
    _settings.update(_DEFAULTS)
    _set_multi_subgraphs(False)


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    """Set that the network has several graphs, which MindSpore then searches one by one."""
    _marks["several graphs"] = bool(multi_subgraph)


def _get_multi_subgraphs() -> bool:
    """Whether the network was said to have several graphs."""
    return bool(_marks["several graphs"])


def _set_algo_single_loop(single_loop: bool = True) -> None:
    """Set that the search takes loops of layers as one; TypeError if it is not a bool."""
    boolean(single_loop, "single_loop", "set_dp_algo_single_loop")
    _marks["single loop"] = single_loop


def _get_algo_single_loop() -> bool:
    """Whether the search shall take loops of layers as one."""
    return bool(_marks["single loop"])


def _set_rp_matmul_mem_coef(coef: float = 0.1) -> None:
    """Set the weight of memory in the recursive search; TypeError if it is not a number."""
    if not isinstance(coef, int | float):
        raise TypeError(f"set_rp_matmul_mem_coef takes a number, but got {coef!r}.")
    _marks["matmul memory"] = float(coef)


def _get_rp_matmul_mem_coef() -> float:
    """Return the weight of memory in the recursive search."""
    return _marks["matmul memory"]
