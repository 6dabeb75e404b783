"""Strategy files: how the parameters of a network are cut, as protobuf or JSON.

A strategy is a dict name → `ParallelLayouts`. Where the stages of a pipeline are merged into one file, a name begins
with the number of its stage and a dash.

Follows: mindspore.build_searched_strategy and mindspore.merge_pipeline_strategys (2.10).
"""

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from msbridge.converters.errors import CheckpointError, brief
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.json_files import read_json
from msbridge.converters.files.source import Source
from msbridge.converters.messages.node_strategy import ParallelGroupMap, ParallelLayouts, ParallelStrategyMap
from msbridge.converters.messages.schema import parse
from msbridge.converters.messages.wire import DecodeError
from msbridge.converters.shards.layout import SliceLayout

MAX_BYTES = 256 << 20  # of a strategy file; those of the largest networks have a few MB
LISTS = ("dev_matrix", "tensor_map", "param_split_shape", "indices_offset")
NUMBERS = ("field", "opt_weight_shard_step", "opt_weight_shard_size")

Strategy = Mapping[str, ParallelLayouts]
MessageType = TypeVar("MessageType")


class StrategyError(CheckpointError, TypeError):
    """A file that is not a strategy file; MindSpore's TypeError, and a ValueError as for other damaged files."""


def read_strategy(path: Path) -> dict[str, ParallelLayouts]:
    """Read a strategy file; one whose name does not end in `.json` is protobuf.

    Raises:
        StrategyError: it is not a strategy file.
        CheckpointError: it does not exist, or is too long.
    """
    if path.suffix == ".json":
        return {name: _layouts_of_json(path, name, one) for name, one in _section(path, "parallel_layout_item").items()}
    return {one.param_name: one.parallel_layouts for one in read_map(path).parallel_layout_item}


def read_map(path: Path) -> ParallelStrategyMap:
    """Read a strategy file in protobuf as it is. Raises as `read_strategy`."""
    return _read_message(ParallelStrategyMap, path)


def restore_ranks(path: Path) -> list[int]:
    """Return the ranks whose checkpoints can take each other's place, from a file of groups. Raises likewise."""
    return list(_read_message(ParallelGroupMap, path).ckpt_restore_rank_list.dim)


def first_stage(path: Path) -> int:
    """Return the pipeline stage of the first operator of a strategy file.

    Raises:
        CheckpointError: it names no operator. Raises besides as `read_strategy`.
    """
    if path.suffix == ".json":
        for item in _section(path, "parallel_strategy_item").values():
            return int(item["stage"])
    else:
        for one in read_map(path).parallel_strategy_item:
            return int(one.parallel_strategys.stage)
    raise CheckpointError(f"The strategy file {path} is empty: it names no operator.")


def layouts(strategy: Strategy, rank: int | None = None) -> dict[str, SliceLayout]:
    """Return the layout of each parameter, by names without stages.

    A parameter that several stages share is cut as the first of them says; for a rank, as its own stage says.

    Args:
        strategy: the strategy.
        rank: the device that it is wanted for.

    Raises:
        CheckpointError: a layout is impossible; names the parameter.
    """
    by_name: dict[str, SliceLayout] = {}
    for named, one in strategy.items():
        stage, name = _stage_and_name(named)
        layout = _layout(named, one, stage)
        known = by_name.get(name)
        if known is None:
            by_name[name] = layout
            continue
        stages = (*known.stages, stage)
        takes_over = stage <= min(stages) if rank is None else (rank // layout.device_count > 0) == (stage > 0)
        by_name[name] = replace(layout if takes_over else known, stages=stages)
    return by_name


def stage_count(strategy: Strategy | None) -> int:
    """Return the number of pipeline stages; CheckpointError if one is missing."""
    if strategy is None:
        return 1
    stages = {stage for layout in layouts(strategy).values() for stage in layout.stages}
    if stages != set(range(len(stages))):
        raise CheckpointError("The strategy file for pipeline parallel does not contains all stages.")
    return max(1, len(stages))


def device_count(strategy: Strategy | None) -> int:
    """Return the number of devices of a stage; CheckpointError if no parameter says."""
    if strategy is None:
        return 1
    for layout in layouts(strategy).values():
        return layout.device_count
    raise CheckpointError("the strategy file names no parameter.")


def merge(files: Sequence[Path], target: Path) -> None:
    """Write the strategies of the stages of a pipeline into one file.

    Args:
        files: strategy files of all stages, all protobuf or all JSON; of a stage that comes twice the first is taken.
        target: the file to write.

    Raises:
        CheckpointError: a file names no operators or no parameters. Raises besides as `read_strategy`.
        OSError: the target cannot be written.
    """
    is_protobuf = bool(files) and files[0].suffix != ".json"
    with replacing(target) as sink:
        sink.write(_merge_maps(files).SerializeToString() if is_protobuf else _merge_json(files))


def _merge_maps(files: Iterable[Path]) -> ParallelStrategyMap:
    merged = ParallelStrategyMap(current_stage=1)
    stages = set()
    for file in files:
        strategy = read_map(file)
        if not strategy.parallel_strategy_item or not strategy.parallel_layout_item:
            raise CheckpointError(f"The strategy file {file} is empty")
        stage = strategy.parallel_strategy_item[0].parallel_strategys.stage
        if stage in stages:
            continue
        stages.add(stage)
        for item in strategy.parallel_layout_item:
            item.param_name = f"{stage}-{item.param_name}"
        merged.parallel_strategy_item.extend(strategy.parallel_strategy_item)
        merged.parallel_layout_item.extend(strategy.parallel_layout_item)
    return merged


def _merge_json(files: Iterable[Path]) -> bytes:
    operators: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    stages = set()
    for file in files:
        mine, theirs = _section(file, "parallel_strategy_item"), _section(file, "parallel_layout_item")
        if not mine or not theirs:
            raise CheckpointError(f"The strategy file {file} is empty")
        stage = next(iter(mine.values())).get("stage")
        if stage in stages:
            continue
        stages.add(stage)
        operators |= mine
        parameters |= {f"{stage}-{name}": item for name, item in theirs.items()}
    content = {"current_stage": 1, "parallel_strategy_item": operators, "parallel_layout_item": parameters}
    return json.dumps(content).encode()


def _read_message(kind: type[MessageType], path: Path) -> MessageType:
    with contextlib.closing(Source(path)) as source:
        if source.size > MAX_BYTES:
            raise CheckpointError(f"{path} is {source.size} bytes long; at most {MAX_BYTES} are read.")
        data = source.read(0, source.size)
    try:
        return parse(kind, data)
    except DecodeError as error:
        raise StrategyError(
            f"{path} is not a strategy file in protobuf: {error}. A file whose name does not end in '.json' is "
            "taken for one in protobuf."
        ) from error


def _section(path: Path, name: str) -> dict[str, dict[str, Any]]:
    content = read_json(path, MAX_BYTES)
    section = content.get(name, {}) if isinstance(content, dict) else None
    if not isinstance(section, dict) or not all(isinstance(one, dict) for one in section.values()):
        raise StrategyError(
            f"{path} is not a strategy file in JSON: {name} is {brief(section)}, not names with their items."
        )
    return section


def _layouts_of_json(path: Path, name: str, item: Mapping[str, Any]) -> ParallelLayouts:
    layouts = ParallelLayouts()
    try:
        for key in NUMBERS:
            setattr(layouts, key, item[key])
        for key in LISTS:
            values = item[key] if key in LISTS[:2] else item.get(key, [])
            nested = key == "tensor_map" and any(isinstance(one, list) for one in values)
            for dim in [one if isinstance(one, list) else [one] for one in values] if nested else [values]:
                getattr(layouts, key).add(dim=dim)
    except (KeyError, TypeError, ValueError) as error:
        raise StrategyError(
            f"{path} is not a strategy file in JSON: the layout of {brief(name)} is wrong: {error}."
        ) from error
    return layouts


def _stage_and_name(named: str) -> tuple[int, str]:
    if "-" not in named:
        return 0, named
    stage, _, name = named.partition("-")
    if not stage.isdecimal() or "-" in name or len(stage) > 9:
        raise CheckpointError(
            f"{brief(named)} is not a name of a parameter behind a stage; Convert layout strategy failed."
        )
    return int(stage), name


def _layout(name: str, record: ParallelLayouts, stage: int) -> SliceLayout:
    """Return the layout of a parameter by the entries of a file."""
    try:
        maps = [list(axes.dim) for axes in record.tensor_map]
        axes = [axes for axes in maps if axes] if len(maps) > 1 else [[axis] for axis in maps[0]]
        return SliceLayout(
            devices=tuple(record.dev_matrix[0].dim),
            axes=tuple(tuple(axis for axis in several if axis != -1) for several in axes),
            optimizer_step=record.opt_weight_shard_step,
            optimizer_pieces=record.opt_weight_shard_size,
            lengths=tuple(record.param_split_shape[0].dim) if record.param_split_shape else (),
            field=record.field,
            stages=(stage,),
        )
    except (IndexError, ValueError, AttributeError) as error:
        raise CheckpointError(
            f"the layout of {brief(name)} is impossible: {error}. Convert layout strategy to list failed; is it the "
            "strategy file of this network?"
        ) from error
