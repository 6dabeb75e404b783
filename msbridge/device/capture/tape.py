"""A step's kernels, noted while it runs once, so that they can run again without its Python code.

A CUDA graph could be recorded from the step itself. That would run the script's Python code once more for one of the
batches, and leave its counters a step ahead; and a recording that fails half-way, for a value that the host reads or a
copy from its memory, leaves torch's allocator as if it were still recording (CUDAGraph::capture_end of torch 2.13
returns at the first error). So the step runs as ever, a tape notes what it launches, and the graph is recorded from the
tape: nothing is run twice, what cannot be recorded is known before, and so is everything that the step writes.
"""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import torch

from msbridge.core import torch_private
from msbridge.core import torch_private as pytree
from msbridge.core.checks.stack_frames import is_ours
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import TorchDispatchMode

Storage = torch.UntypedStorage
_aten = torch.ops.aten

# Operators that write to these arguments without saying so in their schema (torch 2.13).
_STATISTICS = ("running_mean", "running_var")
_UNDECLARED = {
    "aten::native_batch_norm",
    "aten::cudnn_batch_norm",
    "aten::miopen_batch_norm",
    "aten::batch_norm_update_stats",
    "aten::batch_norm_gather_stats",
    "aten::batch_norm_gather_stats_with_counts",
}
_COPIES = {"aten::copy_", "aten::_to_copy", "aten::_copy_from", "aten::_copy_from_and_resize"}
_INDEXED = {"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_", "aten::_unsafe_index"}


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a tensor: a storage of the tape, and the geometry within it."""

    slot: int
    dtype: torch.dtype
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    is_conj: bool
    is_neg: bool

    def tensor(self, storage: Storage) -> torch.Tensor:
        """Return the tensor that lies there in `storage`."""
        data = torch.empty(0, dtype=self.dtype, device=storage.device)
        data.set_(storage, self.offset, self.shape, self.stride)
        data = data.conj() if self.is_conj else data
        return torch_private.neg_view(data) if self.is_neg else data


@dataclass(slots=True)
class _Call:
    """An operator call: its arguments as a flat list with Places for tensors, and which results are new storages."""

    function: Any
    leaves: list[Any]
    structure: Any
    is_recording: bool = False  # whether autograd was on: mkldnn's LSTM returns more then (torch 2.13)
    written: list[int] = field(default_factory=list)  # slots
    made: list[tuple[int, int]] = field(default_factory=list)  # (index among the flat results, slot)
    last_uses: list[int] = field(default_factory=list)


class Tape(TorchDispatchMode):
    """Notes the operator calls of a block, and repeats them.

    Args:
        device: where the step runs; what it does on the host as well is taken for constant.

    Attributes:
        obstacle: why the calls cannot be repeated as a graph, in words; None when they can.
        made_bytes: what the calls have allocated on the device together.
    """

    def __init__(self, device: torch.device) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.device = device
        self.obstacle: str | None = None
        self.made_bytes = 0
        self._calls: list[_Call] = []
        self._slots: dict[int, int] = {}  # by the identity of a storage
        self._alive: list[Any] = []  # weak references, so that no other storage gets an identity that is in use
        self._outside: dict[int, Storage] = {}
        self._on_host: dict[int, Any] = {}  # what the step made in the host's memory, likewise
        self._fresh: dict[int, torch.Tensor] = {}  # constants that come from the host, by the slot of the step's copy
        self._written: dict[int, Place] = {}
        self._generators: list[torch.Generator] = []
        self._results: Any = None

    # What is noted

    @contextmanager
    def recording(self) -> Iterator[Self]:
        """Note what runs in the block."""
        listener = _Listener(self)
        observers.add(listener)
        try:
            with self:
                yield self
        finally:
            observers.remove(listener)
        self._settle_constants()

    def give_up(self, reason: str) -> None:
        """Note that the calls cannot be repeated as a graph, unless that is known already."""
        if self.obstacle is None:
            self.obstacle = f"{reason}{_users_line()}"
            self._calls, self._outside, self._fresh = [], {}, {}

    def keep(self, results: Any) -> None:
        """Make `results` what the calls return when they are repeated: Tensors, in tuples and lists.

        Calls whose outcome nothing uses are left out, but for those that draw random numbers.
        """
        self._results = pytree.tree_map_only(Tensor, lambda item: self._place(item._data), results)
        used = {item.slot for item in _places(self._results)}
        calls = []
        for call in reversed(self._calls):
            changed = {*call.written, *(slot for _, slot in call.made)}
            if not changed or _draws(call.function) or any(slot in used or slot in self._outside for slot in changed):
                own = changed | {leaf.slot for leaf in call.leaves if type(leaf) is Place}
                call.last_uses = [slot for slot in own - used if slot not in self._outside]
                used |= own
                calls.append(call)
        self._calls = calls[::-1]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if self.obstacle is None:
            try:
                self._look_at(func, args, kwargs, result)
            except Exception as error:  # of sparse tensors and the like; the step itself has done what it should
                self.give_up(f"{_short(func)} cannot be noted: {str(error).partition(chr(10))[0]}")
        return result

    def _look_at(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Note a call that has been made, unless a graph cannot hold it or it happened on the host."""
        leaves, structure = pytree.tree_flatten((args, kwargs))
        results = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        written = list(_find_mutated_arguments(func, args, kwargs))
        is_here = any(isinstance(leaf, torch.Tensor) and self.is_here(leaf) for leaf in leaves)
        reason = self._obstacle_of(func, args, [*results, *written]) if is_here else None
        if not is_here and not any(map(self.is_here, results)):
            reason = self._look_at_host(func, written, results)
        if reason is not None:
            self.give_up(reason)
        elif is_here or any(map(self.is_here, results)):
            for data in written:
                place = self._place(data)
                self._written.setdefault(place.slot, place)
            self._generators += [leaf for leaf in leaves if isinstance(leaf, torch.Generator)]
            places = [self._argument(func, leaf) for leaf in leaves]
            slots = [self._slot(data) for data in written]
            call = _Call(func, places, structure, torch.is_grad_enabled(), slots)
            self._note(call, leaves, results, bool(written))

    def _obstacle_of(self, func: Any, args: Any, outcome: Sequence[torch.Tensor]) -> str | None:
        """Return why a graph cannot hold a call on the device, if it cannot."""
        name = func._schema.name
        if name.startswith(("c10d", "_c10d")):
            return "it communicates with other processes"
        if torch.Tag.data_dependent_output in func.tags:
            return "the host reads a value"
        if name in _INDEXED:
            is_fixed = not _has_mask(func, args)
            return None if is_fixed else "it indexes with a mask, whose number of elements the host has to know"
        if torch.Tag.dynamic_output_shape in func.tags:
            return f"the shape of what {_short(func)} returns depends on values"
        if name in _COPIES and not all(map(self.is_here, outcome)):
            return "it copies a value to the host"
        return None

    def _look_at_host(self, func: Any, written: Sequence[torch.Tensor], results: Sequence[torch.Tensor]) -> str | None:
        """Note what a call on the host made; say why its outcome is not a constant, if it is not."""
        if _draws(func):
            return "it draws random numbers on the host"
        if any(_identity(data) not in self._on_host for data in written):
            return "it changes a tensor in the host's memory"
        self._on_host |= {_identity(data): _weak(data) for data in results if not _is_view(func)}
        return None

    def _note(self, call: _Call, leaves: Sequence[Any], results: Sequence[torch.Tensor], is_write: bool) -> None:
        for index, data in enumerate(results):
            if _identity(data) not in self._slots:
                call.made.append((index, self._slot(data, is_made=True)))
                self.made_bytes += data.untyped_storage().nbytes()
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        if call.function is _aten.lift_fresh.default:
            self._make_fresh(leaves[0])
        elif call.made and tensors and not any(map(self.is_here, tensors)):
            self._fresh |= {slot: results[index].clone() for index, slot in call.made}
        elif call.made or is_write or not results:
            self._calls.append(call)  # what is left are views, which Places make again

    def _make_fresh(self, data: torch.Tensor) -> None:
        """Note a tensor that Python code has just made of numbers."""
        slot = self._slot(data)
        self._outside.pop(slot, None)
        self._fresh[slot] = data.clone()

    def _settle_constants(self) -> None:
        """Let each repetition copy those constants that the step changes, and take the others as they are."""
        copies = []
        for slot, data in self._fresh.items():
            if slot in self._written:
                source = Place(-1 - slot, data.dtype, tuple(data.shape), data.stride(), 0, False, False)
                self._outside[source.slot] = data.untyped_storage()
                leaves, structure = pytree.tree_flatten(((source,), {}))
                copies.append(_Call(_aten.clone.default, leaves, structure, made=[(0, slot)]))
            else:
                self._outside[slot] = data.untyped_storage()
        self._calls = copies + self._calls

    def _argument(self, func: Any, leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if self.is_here(leaf) or self._is_made(leaf):
            return self._place(leaf)
        if leaf.dim() or func._schema.name in _COPIES | _INDEXED:
            return self._place(leaf.to(self.device)) if self.device != leaf.device else leaf.clone()
        return leaf.clone()  # kernels take a 0-d tensor of the host as a number

    def is_here(self, data: torch.Tensor) -> bool:
        return data.device.type == self.device.type

    def _is_made(self, data: torch.Tensor) -> bool:
        slot = self._slots.get(_identity(data))
        return slot is not None and slot not in self._outside

    def _slot(self, data: torch.Tensor, *, is_made: bool = False) -> int:
        storage = data.untyped_storage()
        slot = self._slots.setdefault(storage._cdata, len(self._slots))
        if slot == len(self._alive):
            self._alive.append(_weak(data))
            if not is_made:
                self._outside[slot] = storage
        return slot

    def _place(self, data: torch.Tensor) -> Place:
        offset = int(data.storage_offset())
        shape, stride = tuple(data.shape), data.stride()
        return Place(self._slot(data), data.dtype, shape, stride, offset, data.is_conj(), data.is_neg())

    # What becomes of it

    @property
    def generators(self) -> list[torch.Generator]:
        """The generators that the calls draw from, the device's default one aside."""
        return list({id(generator): generator for generator in self._generators}.values())

    def find_mutations(self, inputs: Sequence[torch.Tensor] = ()) -> list[torch.Tensor]:
        """Return the memory outside that the calls change, except `inputs`: pieces of it, as flat tensors."""
        known = {self._slots.get(_identity(data)) for data in inputs}
        return [
            _flat(self._outside[slot], place.dtype)
            for slot, place in self._written.items()
            if slot in self._outside and slot not in known
        ]

    def run(self) -> tuple[Any, dict[int, Storage]]:
        """Repeat the calls.

        Returns:
            The results that were kept, and the storages in which they lie.
        """
        table = dict(self._outside)
        for call in self._calls:
            leaves = [leaf.tensor(table[leaf.slot]) if type(leaf) is Place else leaf for leaf in call.leaves]
            args, kwargs = pytree.tree_unflatten(leaves, call.structure)
            with torch.set_grad_enabled(call.is_recording):
                result = call.function(*args, **kwargs)
            if call.made:
                results = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
                for index, slot in call.made:
                    table[slot] = results[index].untyped_storage()
            for slot in call.last_uses:
                del table[slot]
        results = pytree.tree_map(
            lambda leaf: wrap(leaf.tensor(table[leaf.slot])) if type(leaf) is Place else leaf, self._results
        )
        return results, table


class _Listener(observers.Observer):
    """Hears of what the step does besides calling operators, in the thread that runs it."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._thread = threading.get_ident()

    def call_out(self, what: str) -> None:
        if threading.get_ident() == self._thread:
            self._tape.give_up(what)

    def read(self, data: torch.Tensor, *_: object) -> None:
        if threading.get_ident() == self._thread and self._tape.is_here(data):
            self._tape.give_up("the host reads a value")


def _places(tree: Any) -> list[Place]:
    return [leaf for leaf in pytree.tree_leaves(tree) if type(leaf) is Place]


def _identity(data: torch.Tensor) -> int:
    return int(data.untyped_storage()._cdata)


def _weak(data: torch.Tensor) -> Any:
    from torch.multiprocessing.reductions import StorageWeakRef

    return StorageWeakRef(data.untyped_storage())


def _is_view(func: Any) -> bool:
    return any(argument.alias_info is not None for argument in func._schema.arguments)


def _flat(storage: Storage, dtype: torch.dtype) -> torch.Tensor:
    """Return all of a storage as a tensor of one axis."""
    size, rest = divmod(storage.nbytes(), dtype.itemsize)
    data = torch.empty(0, dtype=torch.uint8 if rest else dtype, device=storage.device)
    return data.set_(storage, 0, (storage.nbytes() if rest else size,), (1,))


def _find_mutated_arguments(func: Any, args: Any, kwargs: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors to which a call writes."""
    is_undeclared = func._schema.name in _UNDECLARED
    for index, argument in enumerate(func._schema.arguments):
        is_write = argument.alias_info is not None and argument.alias_info.is_write
        if is_write or (is_undeclared and argument.name in _STATISTICS):
            value = args[index] if index < len(args) else kwargs.get(argument.name)
            for data in value if isinstance(value, list | tuple) else (value,):
                if isinstance(data, torch.Tensor):
                    yield data


def _has_mask(func: Any, args: Any) -> bool:
    """Whether an indexing call asks how many elements a mask selects; a number put there is put without asking."""
    is_mask = any(index is not None and index.dtype in (torch.bool, torch.uint8) for index in args[1])
    return is_mask and not ("put" in func._schema.name and args[2].numel() == 1)


def _draws(func: Any) -> bool:
    return torch.Tag.nondeterministic_seeded in func.tags


def _short(func: Any) -> str:
    return str(func._schema.name.removeprefix("aten::"))


def _users_line() -> str:
    """Return the line of the script that is running, as words to append; empty in the backward pass."""
    frame = sys._getframe(2)
    while frame is not None and (is_ours(frame.f_code.co_filename) or "/torch/" in frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]
    return "" if frame is None else f" ({frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno})"
