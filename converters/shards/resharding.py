"""The checkpoints of all ranks, cut as another strategy says.

Follows: mindspore.transform_checkpoints (2.10).
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msbridge.converters.checkpoint import Checkpoint, open_checkpoint
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import allow_files
from msbridge.converters.formats import ckpt, safetensors
from msbridge.converters.shards.layout import SliceLayout, source_ranks, uncut
from msbridge.converters.shards.merging import assemble_piece
from msbridge.converters.shards.strategy import Strategy, device_count, layouts, stage_count
from msbridge.converters.tensors.entry import Entry


class Transform:
    """The ranks' checkpoints that others are made of.

    Args:
        source: how the parameters are cut; None: they are whole.
        target: how they are to be cut; None: they are to be whole.

    Attributes:
        target_ranks: the number of ranks of the target.

    Raises:
        CheckpointError: a strategy is impossible.
    """

    def __init__(self, source: Strategy | None, target: Strategy | None):
        self.source = source
        self.target = target
        self._all_of_source = None if source is None else layouts(source)
        self._all_of_target = None if target is None else layouts(target)
        self.source_devices = device_count(source)
        self.target_devices = device_count(target)
        stage_count(source)
        self.target_ranks = self.target_devices * stage_count(target)

    def list_source_ranks(self, rank: int) -> list[int]:
        """Return the ranks of which one rank's checkpoint is made, the last one first.

        Raises:
            CheckpointError: no parameter of the source is on this rank, or the numbers of devices do not fit.
        """
        if self.source is None:
            return [0]
        source, target = self._of_rank(rank)
        if not source:
            raise CheckpointError("The src_strategy_file is empty: it has no parameter that this rank needs.")
        local = rank % self.target_devices if self.target_devices > 1 else rank
        ranks: set[int] = set()
        seen = set()
        for name, layout in source.items():
            if target is not None and name not in target:
                continue
            wanted = uncut(len(layout.axes)) if target is None else target[name]
            key = (layout.parts, layout.devices, wanted.parts, wanted.devices)
            if key not in seen:
                seen.add(key)
                try:
                    ranks.update(source_ranks(layout, wanted, local))
                except ValueError as error:
                    raise CheckpointError(f"{name!r} cannot be resharded: {error}.") from error
        stages = {stage for layout in source.values() for stage in layout.stages}
        return sorted({stage * self.source_devices + one for stage in stages for one in ranks}, reverse=True)

    def entries(self, rank: int, checkpoints: Mapping[int, Checkpoint]) -> list[Entry]:
        """Return the entries of one rank's checkpoint.

        Args:
            rank: the rank, in the target.
            checkpoints: those that it is made of, by rank in the source.

        Raises:
            CheckpointError: none is cut by either strategy, or pieces are missing or do not fit.
        """
        source, target = self._of_rank(rank)
        held = self._collect_entries(checkpoints, source, target)
        local = rank % self.target_devices
        sliced: list[Entry] = []
        others: list[Entry] = []
        for name, pieces in held.items():
            first = next(iter(pieces.values()))
            is_cut = (source is None or name in source) and (target is None or name in target)
            if first.is_text or not is_cut:  # the learning rate, the number of steps
                others.append(pieces.get(local % self.source_devices, first))
                continue
            mine = uncut(len(first.shape)) if source is None else source[name]
            wanted = uncut(len(mine.axes)) if target is None else target[name]
            sliced.append(assemble_piece(name, pieces, mine, wanted, local))
        if not sliced:
            raise CheckpointError(
                "None of the parameters in checkpoint file are in either src strategy or dst strategy. Please check "
                "correctness of strategy files."
            )
        return sliced + others

    def _of_rank(self, rank: int) -> tuple[dict[str, SliceLayout] | None, dict[str, SliceLayout] | None]:
        """Return both layouts without the parameters of stages of the target that the rank is not in."""
        source = None if self._all_of_source is None else dict(self._all_of_source)
        if self.target is None:
            return source, None
        target = layouts(self.target, rank)
        stage = rank // self.target_devices
        for name in [name for name, layout in target.items() if stage not in layout.stages]:
            del target[name]
            if source is not None:
                source.pop(name, None)
        return source, target

    def _collect_entries(
        self,
        checkpoints: Mapping[int, Checkpoint],
        source: Mapping[str, SliceLayout] | None,
        target: Mapping[str, SliceLayout] | None,
    ) -> dict[str, dict[int, Entry]]:
        collected: dict[str, dict[int, Entry]] = {}
        for rank, checkpoint in checkpoints.items():
            for name, entry in checkpoint.entries.items():
                if not (
                    _is_left_out(name, self._all_of_source, source) and _is_left_out(name, self._all_of_target, target)
                ):
                    collected.setdefault(name, {})[rank % self.source_devices] = entry
        return collected


def _is_left_out(name: str, every: Mapping[str, object] | None, left: Mapping[str, object] | None) -> bool:
    return every is None or left is None or (name in every and name not in left)


@contextlib.contextmanager
def open_checkpoints(files: Mapping[int, Path]) -> Iterator[dict[int, Checkpoint]]:
    """Open the checkpoints of several ranks, of which one that several have is opened once."""
    allow_files(len(files))
    with contextlib.ExitStack() as stack:
        known: dict[Path, Checkpoint] = {}
        for path in files.values():
            if path not in known:
                known[path] = stack.enter_context(open_checkpoint(path))
        yield {rank: known[path] for rank, path in files.items()}


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write a checkpoint in the format that its name says, as MindSpore would.

    Raises:
        OSError: it cannot be written.
    """
    if path.suffix == ".safetensors":
        by_name = sorted(entries, key=lambda one: one.name)
        safetensors.write(path, by_name, metadata={"format": "ms"}, permissions=ckpt.PERMISSIONS)
    else:
        ckpt.write(path, entries)
