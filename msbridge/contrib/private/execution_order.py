"""Whether processes communicate in one order: of files that MindSpore wrote on a cluster, and of what processes do now.

Two processes of a group that begin operations in different orders wait for each other for ever. Every operation is a
word, equal for all that take part; a process's words follow each other, and a circle among them is a deadlock.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import torch

from msbridge.core.checks.arguments import instance
from msbridge.distributed.groups import communicator as operations
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import communicator
from msbridge.dropin import log

__all__ = [
    "CommExecOrderCheck",
    "ExecuteOrder",
    "RankFolderParser",
    "comm_exec_order_check",
    "detect_cycle_in_graph",
    "determine_all_rank",
    "modify_execute_orders",
    "output_cycle_results",
    "parse_and_validate",
    "runtime_execution_order_check",
]

_SENDS = ("Send", "DistCommIsend", "InnerCommIsend")
_RECEIVES = ("Receive", "DistCommIrecv", "InnerCommIrecv")


@dataclass
class ExecuteOrder:
    """An operation that a process began: a row of comm_execute_order.csv.

    Args:
        index: its number.
        group: the group's name.
        comm_rank: the members, separated by spaces; the attribute is a list.
        primitive: the operation.
        src_rank: who sends to this process; likewise `dest_rank` and `root_rank`; "" for nobody.
        input_shape: of what is sent.
        output_shape: of what is received.

    Follows: mindspore.utils.runtime_execution_order_check.ExecuteOrder (2.10).
    """

    index: str
    group: str
    comm_rank: Any
    primitive: str
    src_rank: str = ""
    dest_rank: str = ""
    root_rank: str = ""
    input_shape: str = ""
    output_shape: str = ""

    def __post_init__(self) -> None:
        self.comm_rank = self.comm_rank.split()

    def generate_base_key(self, rank: str) -> str:
        """Return the operation's word without its number, as the process `rank` says it."""
        members = f"({','.join(self.comm_rank)})"
        ranks = {"srcRank": self.src_rank, "destRank": self.dest_rank, "rootRank": self.root_rank}
        if not any(ranks.values()):
            return f"{self.primitive}_{self.group}_{members}"
        if self.primitive in _SENDS:
            return f"Send_Receive_{self.group}_({rank})->({self.dest_rank})_{self.input_shape}"
        if self.primitive in _RECEIVES:
            return f"Send_Receive_{self.group}_({self.src_rank})->({rank})_{self.output_shape}"
        given = [f"{name}:({one})" for name, one in ranks.items() if one]
        return "_".join([self.primitive, self.group, f"commRank:{members}", *given])

    def generate_key(self, rank: str, count: int) -> str:
        """Return the word of the `count`-th operation of its kind."""
        return f"{self.generate_base_key(rank)}_{count}th"


Orders = dict[str, list[ExecuteOrder]]


class RankFolderParser:
    """Reads what MindSpore wrote: rank_N/execute_order/comm_execute_order.csv of every process.

    Args:
        folders: the absolute path of a folder of rank_N folders, or of one of these; or several.

    Raises:
        ValueError: a path is relative, does not exist, has no such folder, or has the same rank as another.

    Follows: mindspore.utils.runtime_execution_order_check.RankFolderParser (2.10).
    """

    REQUIRED_COLUMNS: ClassVar = [
        *("index", "group", "comm_rank", "primitive", "src_rank", "dest_rank", "root_rank"),
        *("input_shape", "input_type", "output_shape", "output_type", "input_size", "output_size"),
    ]

    def __init__(self, folders: str | list[str]) -> None:
        self.folders = [folders] if isinstance(folders, str) else folders
        self.result_map: Orders = {}
        seen: set[str] = set()
        for folder in self.folders:
            for rank in _ranks_of(folder):
                if rank.name in seen:
                    raise ValueError(f"Duplicate rank folder: {rank.name} of {folder} was given before.")
                seen.add(rank.name)

    def parse(self) -> Orders:
        """Return the operations by rank; what cannot be read is logged as an error, and left out."""
        for folder in self.folders:
            for rank in _ranks_of(folder):
                number, at = rank.name.split("_")[1], rank / "execute_order"
                if not at.exists():
                    log.error(f"{at} does not exist, where rank {number} has its order.")
                    continue
                _, orders = self.parse_rank_folder(str(at), number)
                if orders:
                    self.result_map[number] = orders
        return self.result_map

    def parse_rank_folder(self, rank_folder_path: str, rank_id: str) -> tuple[str, list[ExecuteOrder] | None]:
        """Return a rank, and the operations of its folder "execute_order"; None where they cannot be read."""
        path = Path(rank_folder_path, "comm_execute_order.csv")
        if not path.exists():
            log.error(f"{path} does not exist: rank {rank_id} is left out.")
            return rank_id, None
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if rows.fieldnames != self.REQUIRED_COLUMNS:
                log.error(f"{path}: the columns must be {self.REQUIRED_COLUMNS}; rank {rank_id} is left out.")
                return rank_id, None
            known = ExecuteOrder.__dataclass_fields__
            return rank_id, [ExecuteOrder(**{name: row[name] for name in known}) for row in rows]


def _ranks_of(folder: str) -> Iterator[Path]:
    """Return the rank_N folders that a path represents."""
    path = Path(folder)
    if not path.is_absolute():
        raise ValueError(f"Invalid path: {folder}. It must be absolute.")
    if not path.exists():
        raise ValueError(f"Path does not exist: {folder}.")
    if not path.is_dir():
        raise ValueError(f"Invalid path: {folder}. It must be a folder rank_N, or one of such folders.")
    if path.name.startswith("rank_"):
        return iter([path])
    ranks = sorted(one for one in path.iterdir() if one.is_dir() and one.name.startswith("rank_"))
    if not ranks:
        raise ValueError(f"No rank_x folders found in {folder}.")
    return iter(ranks)


def modify_execute_orders(execute_orders_map: Mapping[str, Sequence[ExecuteOrder]]) -> dict[str, list[str]]:
    """Return the words of every rank's operations; equal ones are numbered.

    Follows: mindspore.utils.runtime_execution_order_check.modify_execute_orders (2.10).
    """
    words: dict[str, list[str]] = {}
    for rank, orders in execute_orders_map.items():
        counts: Counter[str] = Counter()
        words[rank] = []
        for order in orders:
            base = order.generate_base_key(rank)
            counts[base] += 1
            words[rank].append(order.generate_key(rank, counts[base]))
    return words


def parse_and_validate(data: Mapping[str, list[str]], all_rank: bool = True) -> None:
    """Log an error for every operation that a member of its group did not begin.

    Args:
        data: words by rank; the members are in a word's first two pairs of parentheses.
        all_rank: all ranks are there; those that are not are an error.

    Follows: mindspore.utils.runtime_execution_order_check.parse_and_validate (2.10).
    """
    if not isinstance(data, dict):
        log.error(f"The orders must be a dict of lists of strings, got {type(data).__name__}.")
        return
    words = {rank: set(said) for rank, said in data.items() if _is_said(said)}
    for rank, said in data.items():
        if rank not in words:
            log.error(f"The order of rank '{rank}' must be a list of strings, got {said!r}.")
            continue
        for word in said:
            members = {one.strip() for group in re.findall(r"\((.*?)\)", word)[:2] for one in group.split(",")}
            absent = members - words.keys()
            if absent and all_rank:
                log.error(f"'{word}' of rank '{rank}' needs the orders of ranks that are missing: {sorted(absent)}.")
                continue
            for other in sorted(members & words.keys()):
                if word not in words[other]:
                    log.error(f"Rank '{other}' did not begin '{word}', as rank '{rank}' did.")


def _is_said(said: Any) -> bool:
    return isinstance(said, list) and all(isinstance(word, str) for word in said)


def detect_cycle_in_graph(
    ranks_map: Mapping[str, Sequence[str]],
) -> tuple[list[str], list[str]] | tuple[None, None]:
    """Find a circle among the operations, each of which waits for the one before it.

    Returns:
        The circle's words, the first again at the end; and for each step "rank word -> word". (None, None) for none.

    Follows: mindspore.utils.runtime_execution_order_check.detect_cycle_in_graph (2.10).
    """
    edges: dict[str, dict[str, str]] = {}
    for rank, words in ranks_map.items():
        for word, following in pairwise(words):
            edges.setdefault(word, {})[following] = rank
    done: set[str] = set()
    for start in edges:
        path: dict[str, Iterator[str]] = {} if start in done else {start: iter(edges[start])}
        while path:
            last = next(reversed(path))
            following = next(path[last], "")
            if not following:
                done.add(last)
                del path[last]
            elif following in path:
                words = [*path, following]
                circle = words[words.index(following) :]
                steps = pairwise(circle)
                return circle, [f"{edges[one][other]} {one} -> {other}" for one, other in steps]
            elif following not in done:
                path[following] = iter(edges.get(following, ()))
    return None, None


def determine_all_rank(folders_: Any) -> bool | None:
    """Return whether a path, or a list of one, represents all ranks; None for what is neither.

    Follows: mindspore.utils.runtime_execution_order_check.determine_all_rank (2.10).
    """
    if not isinstance(folders_, str | list) or not folders_:
        return None
    return isinstance(folders_, str) or len(folders_) == 1


def output_cycle_results(cycle_path: Sequence[str] | None, cycle_ranks: Sequence[str] | None) -> None:
    """Log a circle as an error, or a warning that there is none.

    Follows: mindspore.utils.runtime_execution_order_check.output_cycle_results (2.10).
    """
    if not cycle_path:
        log.warning("The operations were begun in one order: there is no circle among them.")
        return
    log.error(f"Operations wait for each other: {' -> '.join(cycle_path)}.")
    for step in cycle_ranks or ():
        log.error(f"Rank {step}")


def runtime_execution_order_check(folders_: str | list[str] | None, all_rank: bool | None = None) -> None:
    """Log whether processes began operations in one order, from the files that MindSpore wrote for each.

    Args:
        folders_: the absolute path of a folder of rank_N folders, or of one of these; or several.
        all_rank: whether these are all processes; None: they are, if one path is given.

    Raises:
        ValueError: see `RankFolderParser`.

    Follows: mindspore.utils.runtime_execution_order_check (2.10).
    """
    if folders_ is None:
        log.error("folders_ must be a path, or a list of paths, got None.")
        return
    orders = RankFolderParser(folders_).parse()
    if not orders:
        log.error("There is no order of any rank: nothing is checked.")
        return
    _check(orders, bool(determine_all_rank(folders_) if all_rank is None else all_rank))


def _check(orders: Orders, all_rank: bool) -> None:
    words = modify_execute_orders(orders)
    parse_and_validate(words, all_rank)
    output_cycle_results(*detect_cycle_in_graph(words))


class CommExecOrderCheck:
    """Collects what this process begins between "start" and "end", and compares it with what the others began; one.

    Follows: mindspore.utils.runtime_execution_order_check.CommExecOrderCheck (2.10).
    """

    _instance: ClassVar["CommExecOrderCheck | None"] = None

    def __new__(cls) -> "CommExecOrderCheck":
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self) -> None:
        if not hasattr(self, "orders"):
            self.action: str | None = None
            self.is_collecting = False
            self.orders: list[ExecuteOrder] = []

    def __call__(self, action: str) -> None:
        """Do "start" or "end".

        Raises:
            ValueError: another action.
        """
        self.action = action
        if action not in ("start", "end"):
            raise ValueError(f"action must be 'start' or 'end', got {action!r}.")
        (self.start_function if action == "start" else self.end_function)()

    def start_function(self) -> None:
        """Begin to collect; twice is logged as an error."""
        if self.is_collecting:
            log.error("'start' was called before, without 'end'.")
            return
        self.is_collecting, self.orders = True, []
        operations.listeners.append(self._note)

    def end_function(self) -> None:
        """Compare what the processes of the world collected; all of them call it. Without "start" it is an error."""
        if not self.is_collecting:
            log.error("'end' was called without 'start'.")
            return
        self.is_collecting = False
        operations.listeners.remove(self._note)
        world = communicator()
        everyone: list[Any] = [self.orders]
        if world.size > 1:
            everyone = [None] * world.size
            torch.distributed.all_gather_object(everyone, self.orders, world.torch_group)
        _check({str(rank): orders for rank, orders in enumerate(everyone)}, all_rank=True)

    def _note(self, group: Communicator, operation: str, other: int | None, data: Sequence[torch.Tensor]) -> None:
        members = " ".join(map(str, group.ranks))
        operation = operation.replace("(", "").replace(")", "")  # which are around ranks in a word
        shape = ", ".join(str(tuple(one.shape)) for one in data)
        beside = {"Send": "dest_rank", "Receive": "src_rank"}.get(operation)
        ranks = {} if beside is None else {beside: str(other)}
        number = str(len(self.orders))
        order = ExecuteOrder(number, "group", members, operation, **ranks, input_shape=shape, output_shape=shape)
        self.orders.append(order)


def comm_exec_order_check(action: str) -> None:
    """Collect the operations by which this process communicates, and log at the end whether all agree on their order.

    Processes on CPUs compare every operation before it begins, without this. Sends that `batch_isend_irecv` begins at
    once have no order, and are not collected.

    Args:
        action: "start" to collect, "end" to compare; every process calls both.

    Raises:
        TypeError: `action` is not a string.
        ValueError: it is another one.

    Follows: mindspore.utils.comm_exec_order_check (2.10).
    """
    instance(action, "action", None, str)
    CommExecOrderCheck()(action)
