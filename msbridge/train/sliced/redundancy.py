"""Redundancy of checkpoints: which ranks hold equal pieces of a parameter, and what follows from that."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msbridge.converters.shards.strategy import read_map
from msbridge.core.context.context import get_auto_parallel_context
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.distributed import create_group, destroy_group, get_group_size, get_process_group_ranks, get_rank
from msbridge.distributed.collectives.primitives import broadcast

__all__ = [
    "get_ckpt_path_with_strategy",
    "get_parameter_redundancy",
    "parameter_broadcast",
    "parse_strategy_ckpt",
    "remove_param_redundancy",
    "sync_pipeline_shared_parameters",
]

Groups = tuple[tuple[int, ...], ...]


def parse_strategy_ckpt(file_name: StrPath) -> dict[str, list[Any]]:
    """Read a strategy file in protobuf.

    Returns:
        name → [devices, axes, optimizer's step, optimizer's pieces].

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a strategy file.

    Follows: mindspore.train._utils.parse_strategy_ckpt (2.10).
    """
    path = Path(resolve(file_name))
    if not path.exists():
        raise FileNotFoundError(f"there is no strategy file {file_name}.")
    layouts: dict[str, list[Any]] = {}
    for item in read_map(path).parallel_layout_item:
        layouts_of_item = item.parallel_layouts
        if not layouts_of_item.dev_matrix or not layouts_of_item.tensor_map:
            raise ValueError(f"{file_name}: the layout of {item.param_name!r} has no devices or no axes.")
        lists = [list(layouts_of_item.dev_matrix[0].dim), list(layouts_of_item.tensor_map[0].dim)]
        layouts[item.param_name] = [
            *lists,
            layouts_of_item.opt_weight_shard_step,
            layouts_of_item.opt_weight_shard_size,
        ]
    return layouts


def get_parameter_redundancy(layout_obj: Any, initial_rank: int | None = None) -> dict[str, Groups]:
    """Return the groups of ranks that hold equal pieces of each parameter.

    Args:
        layout_obj: a strategy file, a dict name → (devices, axes, …, …, …, the optimizer's group), or a Cell, whose
            parameters all processes hold.
        initial_rank: the first rank of the pipeline stage; None: that of this process's stage.

    Returns:
        name → groups, sorted by name.

    Raises:
        ValueError: the optimizer's cut does not fit, or the file is damaged.

    Follows: mindspore.train._utils.get_parameter_redundancy (2.10).
    """
    if hasattr(layout_obj, "parameters_and_names"):
        every = (tuple(get_process_group_ranks()),)
        return dict.fromkeys(sorted(one.name for _, one in layout_obj.parameters_and_names()), every)
    is_file = isinstance(layout_obj, str)
    rows: Mapping[str, Any] = parse_strategy_ckpt(layout_obj) if is_file else layout_obj
    groups_by_name = {}
    for name in sorted(rows):
        devices, axes, *more = rows[name]
        first = _stage_start(rows) if initial_rank is None else initial_rank
        groups = _groups(devices, axes, first)
        if is_file and more[1]:
            step, pieces = more
            groups = _divide_groups(groups, pieces if pieces > 0 else len(groups) * len(groups[0]) // max(1, step))
        elif not is_file and len(more) > 3 and more[3]:
            groups = _divide_groups(groups, get_group_size(more[3]))
        groups_by_name[name] = groups
    return groups_by_name


def remove_param_redundancy(
    param_redundancy_dict: Mapping[str, Groups], keep_redundancy: int = 1
) -> dict[int, set[str]]:
    """Choose for each parameter which rank of a group saves it, so that all save about as many.

    Args:
        param_redundancy_dict: what `get_parameter_redundancy` returned.
        keep_redundancy: how many ranks of a group save it.

    Returns:
        rank → names.

    Follows: mindspore.train._utils.remove_param_redundancy (2.10).
    """
    by_group: dict[tuple[int, ...], list[str]] = {}
    for name, groups in param_redundancy_dict.items():
        for group in groups:
            by_group.setdefault(group, []).append(name)
    saved: dict[int, set[str]] = {}
    for shift in range(keep_redundancy):
        for group, names in by_group.items():
            for index, name in enumerate(names):
                saved.setdefault(group[(index + shift) % len(group)], set()).add(name)
    return saved


def get_ckpt_path_with_strategy(cur_ckpt_path: str, cur_strategy_path: str) -> str | None:
    """Find a checkpoint that can take the place of this process's own.

    Args:
        cur_ckpt_path: the path of this process's, with `rank_` and its rank.
        cur_strategy_path: the strategy file.

    Returns:
        The path if the file exists, or that of a rank that holds the same pieces; None if there is none.

    Raises:
        FileNotFoundError: it is needed, and there is no such strategy file.
        ValueError: the strategy file is damaged.

    Follows: mindspore.get_ckpt_path_with_strategy (2.10).
    """
    if f"rank_{get_rank()}" in cur_ckpt_path and Path(resolve(cur_ckpt_path)).is_file():
        return cur_ckpt_path
    others = [re.sub(r"rank_\d+", f"rank_{rank}", cur_ckpt_path) for rank in _equal_ranks(cur_strategy_path)]
    return next((path for path in others if Path(resolve(path)).is_file()), None)


def parameter_broadcast(net: Any, layout: Any, cur_rank: int = 0, initial_rank: int = 0) -> None:
    """Send the parameters of one rank of each group that holds equal pieces to the others. All processes call this.

    Args:
        net: the Cell.
        layout: what `get_parameter_redundancy` takes; an empty one does nothing.
        cur_rank: this process's rank.
        initial_rank: the first rank of the pipeline stage.

    Raises:
        ValueError: a rank is wrong, or the network has not a parameter of the layout.

    Follows: mindspore.parallel.parameter_broadcast (2.10).
    """
    if not layout or get_group_size() <= 1:
        return
    if cur_rank != get_rank():
        raise ValueError(f"For parameter broadcast, the cur_rank: {cur_rank} is wrong; it is {get_rank()}.")
    if initial_rank % (get_group_size() / get_auto_parallel_context("pipeline_stages")):
        raise ValueError(f"For parameter broadcast, the initial_rank: {initial_rank} is wrong.")
    redundancy = get_parameter_redundancy(layout, initial_rank)
    owners = remove_param_redundancy(redundancy)
    parameters = {one.name: one for _, one in net.parameters_and_names()}
    shared: dict[tuple[int, ...], list[str]] = {}
    for name, groups in redundancy.items():
        for group in groups:
            if len(group) > 1:
                shared.setdefault(group, []).append(name)
    if missing := [name for names in shared.values() for name in names if name not in parameters]:
        raise ValueError(f"For parameter broadcast, the param: {missing[0]} can not be found.")
    for group, names in sorted(shared.items()):
        create_group(str(group), list(group))
        for name in names if cur_rank in group else ():
            owner = next(rank for rank in group if name in owners.get(rank, ()))
            parameters[name].set_data(broadcast((parameters[name],), owner, str(group))[0])
        destroy_group(str(group))


def sync_pipeline_shared_parameters(net: Any) -> None:
    """Make parameters that stages of a pipeline share equal. Each process has the whole network here: they are.

    Args:
        net: a Cell.

    Raises:
        TypeError: `net` is not a Cell.

    Follows: mindspore.sync_pipeline_shared_parameters (2.10).
    """
    if not hasattr(net, "parameters_and_names"):
        raise TypeError(
            f"For 'sync_pipeline_shared_parameters', the argument 'net' should be a Cell, but got {type(net)}."
        )


def _groups(devices: list[int], axes: list[int], first: int) -> Groups:
    """Return the ranks that have the same place along the axes of the array of devices that cut the tensor."""
    strides = [1]
    for length in reversed(devices):
        strides.append(strides[-1] * length)
    used = sorted({one for one in axes if one != -1})
    if any(not 0 <= one < len(devices) for one in used):
        raise ValueError(f"{axes} names an axis that the array of devices {devices} has not.")
    by_place: dict[tuple[int, ...], list[int]] = {}
    for rank in range(strides[-1]):
        place = tuple(rank // strides[one] % devices[-1 - one] for one in used)
        by_place.setdefault(place, []).append(rank + first)
    return tuple(tuple(ranks) for _, ranks in sorted(by_place.items()))


def _divide_groups(groups: Groups, pieces: int) -> Groups:
    """Return the groups that are left where the optimizer cuts the pieces further."""
    return tuple(group[start::pieces] for group in groups if len(group) % pieces == 0 for start in range(pieces))


def _stage_start(rows: Mapping[str, Any]) -> int:
    count = 1
    for length in next(iter(rows.values()))[0]:
        count *= length
    return get_rank() // count * count


def _equal_ranks(strategy_path: str) -> tuple[int, ...]:
    """Return the ranks that hold what this process holds of every parameter."""
    mine = (get_rank(),)
    smallest: tuple[int, ...] = ()
    for name, groups in get_parameter_redundancy(strategy_path).items():
        for group in groups:
            if get_rank() not in group or name.startswith(("accu_grads", "inputs")):
                continue
            small, large = sorted((group, smallest or group), key=len)
            if not set(small) <= set(large):
                return mine
            smallest = small
    return smallest
