"""Strategy files, in MindSpore's words."""

from pathlib import Path
from typing import Any

from msbridge.converters.messages.node_strategy import ParallelLayouts
from msbridge.converters.shards import strategy
from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.path_mapping import StrPath, resolve

__all__ = ["build_searched_strategy", "merge_pipeline_strategys", "restore_group_info_list"]


def build_searched_strategy(strategy_filename: str | None) -> dict[str, ParallelLayouts] | None:
    """Read from a strategy file how each parameter is cut.

    Args:
        strategy_filename: the file; protobuf, or JSON if its name ends in ".json".

    Returns:
        name → `ParallelLayouts`; None for None.

    Raises:
        TypeError: the name is not a str, or the file is not a strategy file.
        ValueError: the file does not exist, is empty, or is not a strategy file.

    Follows: mindspore.build_searched_strategy (2.10).
    """
    if strategy_filename is None:
        return None
    return strategy.read_strategy(_file("build_searched_strategy", "strategy_filename", strategy_filename, "strategy"))


def optional_strategy(strategy_file: Any) -> strategy.Strategy | None:
    """Return the strategy as by `build_searched_strategy`; its own results, and None, are returned as they are."""
    return strategy_file if isinstance(strategy_file, dict) else build_searched_strategy(strategy_file)


def merge_pipeline_strategys(src_strategy_dirs: StrPath, dst_strategy_file: StrPath) -> None:
    """Merge the strategy files of all stages of a pipeline into one.

    Args:
        src_strategy_dirs: a folder of strategy files, all `.ckpt` or all `.json`.
        dst_strategy_file: the file to write; its folder is created when it is missing.

    Raises:
        NotADirectoryError: there is no such folder.
        ValueError: the folder holds files of both kinds, or a file is empty or damaged.

    Follows: mindspore.merge_pipeline_strategys (2.10).
    """
    target, folder = Path(resolve(dst_strategy_file)), Path(resolve(src_strategy_dirs))
    target.parent.mkdir(0o700, parents=True, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(f"src_strategy_dirs {src_strategy_dirs} is not a directory.")
    protobuf, json = sorted(folder.glob("*.ckpt")), sorted(folder.glob("*.json"))
    if protobuf and json:
        raise ValueError(
            f"For 'merge_pipeline_strategys', the strategys format should be all '.ckpt' or all '.json', but "
            f"{src_strategy_dirs} holds both."
        )
    strategy.merge(protobuf or json, target)


def restore_group_info_list(group_info_file_name: str) -> list[int]:
    """Return the ranks whose checkpoints are equal to this one's, from a file of communication groups.

    Args:
        group_info_file_name: the file that `GROUP_INFO_FILE` named in the run.

    Returns:
        Ranks, in the order of the file.

    Raises:
        TypeError: the name is not a str.
        ValueError: the file does not exist, is empty or damaged.

    Follows: mindspore.restore_group_info_list (2.10).
    """
    name = _file("restore_group_info_list", "group_info_file_name", group_info_file_name, "group information")
    return strategy.restore_ranks(name)


def _file(op: str, argument: str, name: Any, what: str) -> Path:
    instance(name, argument, op, str)
    path = Path(resolve(name))
    if not path.is_file():
        raise ValueError(f"For '{op}', no such {what} file: {name}. Please check whether the '{argument}' exists.")
    if not path.stat().st_size:
        raise ValueError(f"For '{op}', the {what} file {name} should not be empty.")
    return path
