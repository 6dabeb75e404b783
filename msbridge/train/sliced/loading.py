"""Checkpoints that are cut over devices, loaded into a Cell, in MindSpore's words."""

import os
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from msbridge.converters import Entry, open_checkpoint
from msbridge.converters.files.index import find_index
from msbridge.converters.shards.layout import SliceLayout, uncut
from msbridge.converters.shards.merging import assemble_piece
from msbridge.converters.shards.resharding import write
from msbridge.converters.shards.strategy import device_count, layouts, stage_count
from msbridge.converters.tensors.entry import entry
from msbridge.core.checks.arguments import instance
from msbridge.core.context import context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.distributed import get_group_size, get_rank
from msbridge.train.checkpoint.loading import Prefixes, load_checkpoint, load_param_into_net, read_parameter
from msbridge.train.checkpoint.saving import FORMATS, Chooser
from msbridge.train.sliced.merging import merge_slices
from msbridge.train.sliced.strategies import build_searched_strategy, optional_strategy
from msbridge.train.sliced.transforming import WRITERS, target_folder

__all__ = ["load_distributed_checkpoint", "load_segmented_checkpoints"]

OP = "For 'load_distributed_checkpoint',"
REST = "hyper_param.safetensors"  # what `unified_safetensors` leaves out of the parts


def load_distributed_checkpoint(
    network: Any,
    checkpoint_filenames: list[str] | None = None,
    predict_strategy: Any = None,
    train_strategy_filename: str | None = None,
    strict_load: bool = False,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    format: str = "ckpt",
    unified_safetensors_dir: StrPath | None = None,
    dst_safetensors_dir: str | None = None,
    rank_id: int | None = None,
    output_format: str = "safetensors",
    name_map: Mapping[str, str] | None = None,
    max_process_num: int = 64,
    return_param_dict: bool = False,
) -> Any:
    """Load the checkpoints of all ranks of a training into a network, assembled or cut as this process needs them.

    Args:
        network: the Cell to load into; with format="safetensors" it may be None, to write files instead.
        checkpoint_filenames: the `.ckpt` files in the order of their ranks.
        predict_strategy: how the network is cut: name → (devices, map of axes, slice lengths, 0, …), as
            `Model.infer_predict_layout` returns it; with format="safetensors" a strategy file. None: it is whole.
        train_strategy_filename: the strategy file of the training; None: that of
            `context.set_auto_parallel_context(strategy_ckpt_load_file=…)`.
        strict_load: see `load_param_into_net`.
        dec_key: the key of encrypted files.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        format: "ckpt"; or "safetensors", to load what `unified_safetensors` wrote.
        unified_safetensors_dir: the folder that it wrote to.
        dst_safetensors_dir: without a network, the folder for `rank_0/net.safetensors` and the others.
        rank_id: without a network, the rank to write the file of; None: all.
        output_format: of files that are written: "ckpt" or "safetensors".
        name_map: name in the network → name in the files.
        max_process_num: how many files are written at the same time, at most.
        return_param_dict: with format="safetensors" and a network, return the parameters instead of loading them.

    Returns:
        True. With format="safetensors" and a network: the names without values and the values without names.

    Raises:
        TypeError: the file names are not a list.
        ValueError: files are missing or do not fit the strategies, or an argument is wrong.

    Follows: mindspore.load_distributed_checkpoint (2.10).
    """
    if format not in FORMATS or output_format not in FORMATS:
        raise ValueError(f"{OP} 'format' and 'output_format' must be 'ckpt' or 'safetensors', but got {format}.")
    if format == "ckpt":
        _check_network(network)
        _check_files(checkpoint_filenames)
        _check_predict_strategy(predict_strategy)
        _load_slices(
            network,
            checkpoint_filenames or [],
            predict_strategy,
            train_strategy_filename,
            strict_load,
            dec_key,
            dec_mode,
        )
        return True
    if unified_safetensors_dir is None:
        raise ValueError(f"{OP} 'unified_safetensors_dir' can not be None when format is 'safetensors'.")
    if not all(one is None for one in (checkpoint_filenames, train_strategy_filename, dec_key)):
        raise ValueError(
            f"{OP} 'checkpoint_filenames', 'train_strategy_filename' and 'dec_key' must be None when format is "
            "'safetensors'."
        )
    if strict_load or dec_mode != "AES-GCM":
        raise ValueError(f"{OP} strict_load and dec_mode must be default when format is 'safetensors'.")
    folder, names = Path(resolve(unified_safetensors_dir)), name_map or {}
    if network is not None:
        _check_network(network)
        found = {one.name: read_parameter(one) for one in _of_rank(folder, predict_strategy, get_rank(), names)}
        return found if return_param_dict else load_param_into_net(network, found)
    if dst_safetensors_dir is None:
        raise ValueError(f"{OP} 'dst_safetensors_dir' can not be None when network is None.")
    target = target_folder(dst_safetensors_dir)
    strategy = optional_strategy(predict_strategy)
    ranks = range(device_count(strategy) * stage_count(strategy)) if rank_id is None else [rank_id]

    def make(rank: int) -> None:
        file = target / f"rank_{rank}" / f"net.{output_format}"
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        write(file, _of_rank(folder, predict_strategy, rank, names))

    with ThreadPoolExecutor(max(1, min(max_process_num, WRITERS))) as pool:
        list(pool.map(make, ranks))
    return True


def load_segmented_checkpoints(
    ckpt_file_dir: str,
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Prefixes = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Prefixes = None,
    choice_func: Chooser | None = None,
) -> dict[str, Parameter | str]:
    """Read all `.ckpt` files of a folder; the other arguments are those of `load_checkpoint`.

    Args:
        ckpt_file_dir: the folder.
        net: the Cell to load into.
        strict_load: whether dtypes have to be the same.
        filter_prefix: names that begin so are left out.
        dec_key: the key of an encrypted file.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: only names that begin so are taken.
        choice_func: says of each name whether it is taken.

    Returns:
        name → Parameter or text; of a name that comes twice, what the last file has.

    Raises:
        TypeError: the folder's name is not a str.
        ValueError: there is no such folder, or a file is damaged or has no wanted name.

    Follows: mindspore.load_segmented_checkpoints (2.10).
    """
    instance(ckpt_file_dir, "ckpt_file_dir", None, str)
    folder = Path(resolve(ckpt_file_dir))
    if not folder.is_dir():
        raise ValueError(f"The ckpt_file_dir: {ckpt_file_dir} doesn't exist. Or it's not a directory")
    parameters: dict[str, Parameter | str] = {}
    for file in sorted(folder.glob("*.ckpt")):
        parameters |= load_checkpoint(
            str(file), net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func
        )
    return parameters


def _load_slices(
    network: Any,
    files: list[str],
    predict_strategy: Mapping[str, Any] | None,
    train_strategy_filename: str | None,
    strict_load: bool,
    key: bytes | None,
    mode: str,
) -> None:
    if train_strategy_filename is None:
        train_strategy_filename = _strategy_file(network)
    strategy = build_searched_strategy(train_strategy_filename)
    if not strategy:
        return
    source = layouts(strategy)
    count = device_count(strategy)
    if count != len(files):
        raise ValueError(
            f"{OP} the length of 'checkpoint_filenames' should be equal to the device count of training process. But "
            f"got the length of 'checkpoint_filenames' is {len(files)} and the device count is {count}."
        )
    target = (
        None if not predict_strategy else {name: _predict_layout(name, one) for name, one in predict_strategy.items()}
    )
    held: dict[str, dict[int, Entry]] = {}
    opened = {file: open_checkpoint(file, key=key, mode=mode) for file in files}
    for rank, file in enumerate(files):
        for name, one in opened[file].entries.items():
            held.setdefault(name, {})[rank] = one
    loaded = {}
    unplanned, missing = [], []
    for _, parameter in network.parameters_and_names():
        name = parameter.name
        if name not in source or (target is not None and name not in target):
            unplanned.append(name)
        elif name not in held:
            missing.append(name)
        else:
            wanted = uncut(len(source[name].axes)) if target is None else target[name]
            group = str(predict_strategy[name][5]) if predict_strategy and len(predict_strategy[name]) > 5 else ""
            loaded[name] = read_parameter(_piece(name, held[name], source[name], wanted, group))
    for checkpoint in opened.values():
        checkpoint.close()
    if unplanned:
        warnings.warn(
            f"{OP} {unplanned} parameters in network are not in the slice strategy, you can check whether "
            "'predict_strategy' or 'train_strategy_filename' is correct.",
            stacklevel=3,
        )
    if missing:
        warnings.warn(
            f"{OP} {missing} parameters in network and slice strategy but not in the checkpoint file, please check "
            "whether 'checkpoint_filenames' is correct.",
            stacklevel=3,
        )
    load_param_into_net(network, loaded, strict_load=strict_load)


def _piece(name: str, held: Mapping[int, Entry], source: SliceLayout, target: SliceLayout, group: str) -> Entry:
    """Return this process's piece; `group` names the processes among which the optimizer cuts it further."""
    if source.field or source.lengths:
        slices = [held[rank].tensor() for rank in sorted(held)]
        held = {0: entry(name, merge_slices(slices, replace(source, optimizer_step=0)))}
        source = uncut(len(source.axes))
    piece = assemble_piece(name, held, source, target, get_rank() % target.device_count)
    if not group:
        return piece
    parts = replace(uncut(len(piece.shape)), devices=(get_group_size(group),), optimizer_step=1, optimizer_pieces=-1)
    return assemble_piece(name, {0: piece}, uncut(len(piece.shape)), parts, get_rank(group))


def _of_rank(folder: Path, strategy_file: Any, rank: int, names: Mapping[str, str]) -> list[Entry]:
    """Return the entries of one rank, cut from those of a folder that `unified_safetensors` wrote."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ValueError(f"{OP} weight files must be included in the `unified_safetensors_dir`; {folder} has none.")
    if len(files) > 1 and not find_index(folder):
        raise ValueError(f"{OP} there must be a JSON file named 'param_name_map.json' in {folder}.")
    whole = open_checkpoint(folder if len(files) > 1 else files[0]).entries
    strategy = optional_strategy(strategy_file)
    by_network = {inner: name for name, inner in names.items()}
    if strategy is None:
        entries = [one.rename(by_network.get(one.name, one.name)) for one in whole.values()]
    else:
        stage, count = rank // device_count(strategy), device_count(strategy)
        entries = []
        for name, layout in layouts(strategy, rank).items():
            one = whole.get(names.get(name, name))
            if stage in layout.stages and one is not None:
                entries.append(assemble_piece(name, {0: one}, uncut(len(one.shape)), layout, rank % count))
    if (folder / REST).exists() and len(files) > 1:
        known = {one.name for one in entries}
        entries += [one for one in open_checkpoint(folder / REST).entries.values() if one.name not in known]
    return entries


def _strategy_file(network: Any) -> str:
    """Return the strategy file that a network's AutoParallel names, or the parallel context."""
    for _, cell in network.cells_and_names():
        if type(cell).__name__ == "AutoParallel":
            return str(cell._save_strategy_file_path)
    return str(context.get_auto_parallel_context("strategy_ckpt_load_file"))


def _predict_layout(name: str, layout: Any) -> SliceLayout:
    devices, axes = layout[:2]
    try:
        return SliceLayout(tuple(devices), tuple((axis,) if axis != -1 else () for axis in axes))
    except ValueError as error:
        raise ValueError(f"{OP} the layout of {name!r} in 'predict_strategy' is impossible: {error}.") from error


def _check_network(network: Any) -> None:
    if not hasattr(network, "parameters_and_names"):
        raise ValueError(f"{OP} the argument 'network' must be a Cell, but got {type(network)}.")


def _check_files(files: Any) -> None:
    if not isinstance(files, list | tuple):
        raise TypeError(f"{OP} 'checkpoint_filenames' must be a list of file names, but got {type(files)}.")
    for index, name in enumerate(files):
        path = resolve(name) if isinstance(name, str) else None
        if path is None or not name.endswith(".ckpt") or not os.path.exists(path) or not os.path.getsize(path):  # noqa: PTH110, PTH202
            raise ValueError(
                f"{OP} please check 'checkpoint_filenames', and make sure the {name} at index {index} is a valid "
                "checkpoint file: a string ending with '.ckpt', of a file that exists and is not empty."
            )


def _check_predict_strategy(strategy: Any) -> None:
    if strategy is None:
        return
    if not isinstance(strategy, dict):
        raise ValueError(f"{OP} the argument 'predict_strategy' must be a dict, but got {type(strategy)}.")

    def is_ints(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(one, int) for one in value)

    for name, layout in strategy.items():
        fits = isinstance(name, str) and isinstance(layout, list | tuple) and len(layout) >= 4
        if (
            fits
            and is_ints(layout[0])
            and is_ints(layout[1])
            and (is_ints(layout[2]) or not layout[2])
            and layout[3] == 0
        ):
            continue
        raise ValueError(
            f"{OP} the argument 'predict_strategy' is dict, the key of it must be string, and the value of it must be "
            "list or tuple that the first four elements must be dev_matrix (list[int]), tensor_map (list[int]), "
            f"param_split_shape (list[int]) and field_size (int, which value is 0), but got {name!r}: {layout!r:.200}."
        )
