"""Buffers of a Cell, and state dicts: what they hold, what is called while they are made and loaded."""

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, TypeVar

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.memory import renew
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.hooks import HookHandle, Registered
from msbridge.nn.cell.traversal import CellTraversal

__all__ = ["States", "register_cell_buffer_registration_hook"]

_EXTRA = "_extra_state"
T_destination = TypeVar("T_destination", bound=dict[str, Any])
_of_all_cells = Registered()  # hooks of `register_buffer`


def register_cell_buffer_registration_hook(hook: Callable[..., Any]) -> HookHandle:
    """Register `hook(cell, name, tensor)`, called when a Cell registers a buffer; its result is registered instead.

    Args:
        hook: returns a Tensor, or None to keep the one given.

    Returns:
        A handle, whose `remove()` takes the hook away.

    Follows: mindspore.nn.cell.register_cell_buffer_registration_hook (2.10).
    """
    return _add_hook(_of_all_cells, hook)


class Keys(namedtuple("Keys", ["missing_keys", "unexpected_keys"])):
    """The names that a state dict lacks, and those that it should not have."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"

    __str__ = __repr__


class Buffers(MutableMapping[str, Tensor | None]):
    """The buffers of a Cell by name; they are attributes of the Cell, and are only there."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        self._attributes = attributes
        self._names: dict[str, None] = attributes.setdefault("_buffer_names", {})

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return self._attributes[name]

    def __setitem__(self, name: str, value: Tensor | None) -> None:
        self._names[name] = None
        self._attributes[name] = value

    def __delitem__(self, name: str) -> None:
        del self._names[name]
        self._attributes.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter([name for name in self._names if name in self._attributes])

    def __len__(self) -> int:
        return sum(1 for _ in self)


class States(CellTraversal):
    """Buffers and state dicts of a Cell."""

    T_destination = T_destination

    @property
    def _buffers(self) -> Buffers:
        return Buffers(self.__dict__)

    @_buffers.setter
    def _buffers(self, buffers: Mapping[str, Tensor | None]) -> None:
        own = Buffers(self.__dict__)
        own.clear()
        own.update(buffers)

    @property
    def _non_persistent_buffers_set(self) -> set[str]:
        return self.__dict__.setdefault("_scratch_names", set())

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a Tensor that is not a parameter.

        Args:
            name: of the attribute.
            tensor: the Tensor, or None.
            persistent: state dicts have it.

        Raises:
            KeyError: the name has a dot or is taken.
            TypeError: `name` is not a string, or `tensor` not a Tensor.

        Follows: mindspore.nn.Cell.register_buffer (2.10).
        """
        instance(name, "name", "register_buffer", str)
        if "." in name or not name:
            raise KeyError(f"For 'register_buffer', name must be a string without dots, got {name!r}.")
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"For 'register_buffer', attribute {name!r} already exists.")
        instance(tensor, "tensor", "register_buffer", (Tensor, type(None)))
        for hook in tuple(_of_all_cells.values()):
            replaced = hook(self, name, tensor)
            tensor = tensor if replaced is None else replaced
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def get_buffer(self, target: str) -> Tensor | None:
        """Return the buffer at a path such as "encoder.mask".

        Raises:
            AttributeError: there is none.

        Follows: mindspore.nn.Cell.get_buffer (2.10).
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if name not in cell._buffers:
            what = "is not a buffer" if hasattr(cell, name) else "does not exist"
            raise AttributeError(f"For 'get_buffer', attribute '{name}' of {type(cell).__name__} {what}.")
        return cell._buffers[name]

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield (path, Tensor) of every buffer; with `remove_duplicate`, each Tensor once.

        Follows: mindspore.nn.Cell.named_buffers (2.10).
        """
        return self._named_members(lambda cell: cell._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield every buffer.

        Follows: mindspore.nn.Cell.buffers (2.10).
        """
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    def get_extra_state(self) -> Any:
        """Return the extra state for state dicts; a subclass that has one defines it.

        Raises:
            RuntimeError: it is not defined.

        Follows: mindspore.nn.Cell.get_extra_state (2.10).
        """
        raise RuntimeError(f"{type(self).__name__} has no extra state: it does not define 'get_extra_state'.")

    def set_extra_state(self, state: Any) -> None:
        """Take what `get_extra_state` returned; a subclass that has one defines it.

        Raises:
            RuntimeError: it is not defined.

        Follows: mindspore.nn.Cell.set_extra_state (2.10).
        """
        raise RuntimeError(f"{type(self).__name__} has no extra state: it does not define 'set_extra_state'.")

    # -- hooks -------------------------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, prefix, keep_vars)` before this Cell's part of a state dict is made.

        Follows: mindspore.nn.Cell.register_state_dict_pre_hook (2.10).
        """
        return _add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, state_dict, prefix, local_metadata)` after this Cell's part of a state dict was made.

        Follows: mindspore.nn.Cell.register_state_dict_post_hook (2.10).
        """
        return _add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call a hook before this Cell's part of a state dict is loaded.

        Args:
            hook: takes the cell, the state dict, the prefix of its names, its metadata, True, and three lists which it
                may add to: missing names, unexpected ones and complaints.

        Follows: mindspore.nn.Cell.register_load_state_dict_pre_hook (2.10).
        """
        return _add_hook(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, (missing_keys, unexpected_keys))`, which may change them, after a state dict was loaded.

        Follows: mindspore.nn.Cell.register_load_state_dict_post_hook (2.10).
        """
        return _add_hook(self._load_state_dict_post_hooks, hook)

    @property
    def _state_dict_pre_hooks(self) -> Registered:
        return self.__dict__.setdefault("_before_state", Registered())

    @property
    def _state_dict_hooks(self) -> Registered:
        return self.__dict__.setdefault("_after_state", Registered())

    @property
    def _load_state_dict_pre_hooks(self) -> Registered:
        return self.__dict__.setdefault("_before_loading", Registered())

    @property
    def _load_state_dict_post_hooks(self) -> Registered:
        return self.__dict__.setdefault("_after_loading", Registered())

    # -- state dicts -------------------------------------------------------------------------------------------------

    def state_dict(
        self, *args: Any, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Return the parameters and persistent buffers by their paths.

        Args:
            args: the older form of the other arguments.
            destination: a dict to add to.
            prefix: comes before every path.
            keep_vars: given to hooks; the values are the Parameters in any case.

        Raises:
            TypeError: an argument is of another type.
            RuntimeError: a hook returned something.

        Follows: mindspore.nn.Cell.state_dict (2.10).
        """
        given: tuple[Any, ...] = (*args, *(destination, prefix, keep_vars)[len(args) :])
        destination, prefix, keep_vars = given
        for name, value, kind in (("prefix", prefix, str), ("keep_vars", keep_vars, bool)):
            instance(value, name, "state_dict", kind)
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # type: ignore[attr-defined]  # what hooks note of each Cell
        elif not isinstance(destination, dict):
            raise TypeError(f"For 'state_dict', destination must be a dict, got {type(destination).__name__}.")
        metadata: dict[str, Any] = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in tuple(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in tuple(self._state_dict_hooks.values()):
            if hook(self, destination, prefix, metadata) is not None:
                raise RuntimeError("A state_dict post-hook changes the state dict that it is given, and returns None.")
        return destination

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        """Add what this Cell holds itself to a state dict; a subclass may do it otherwise."""
        destination.update((prefix + name, value) for name, value in self._own_state())
        if self._has_own("get_extra_state"):
            destination[prefix + _EXTRA] = self.get_extra_state()

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> tuple[list[str], list[str]]:
        """Write values into parameters and buffers by their paths.

        Args:
            state_dict: what `state_dict` returned.
            strict: refuse missing and unexpected names.

        Returns:
            The named tuple (missing_keys, unexpected_keys).

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: a shape differs; with `strict`, a name is missing or unexpected.

        Follows: mindspore.nn.Cell.load_state_dict (2.10).
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"For 'load_state_dict', a mapping is expected, got {type(state_dict).__name__}.")
        keys, complaints = Keys([], []), list[str]()
        self._load_own_state("", OrderedDict(state_dict), getattr(state_dict, "_metadata", {}), keys, complaints)
        if strict:
            complaints[:0] = [
                f"{kind} names: {', '.join(map(repr, names))}."
                for kind, names in zip(("missing", "unexpected"), keys, strict=True)
                if names
            ]
        if complaints:
            raise RuntimeError(f"For 'load_state_dict' of {type(self).__name__}: " + " ".join(complaints))
        return keys

    def _load_own_state(
        self, prefix: str, state: dict[str, Any], metadata: Mapping[str, Any], keys: Keys, complaints: list[str]
    ) -> None:
        """Load the part of this Cell and those below it."""
        self._load_from_state_dict(state, prefix, metadata.get(prefix[:-1], {}), True, *keys, complaints)
        for name, cell in self._cells.items():
            if cell is not None:
                below = f"{prefix}{name}."
                part = OrderedDict((key, value) for key, value in state.items() if key.startswith(below))
                cell._load_own_state(below, part, metadata, keys, complaints)
        for hook in tuple(self._load_state_dict_post_hooks.values()):
            if hook(self, keys) is not None:
                raise RuntimeError("A load_state_dict post-hook changes the lists that it is given, and returns None.")

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: Mapping[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load what this Cell holds itself; a subclass may do it otherwise."""
        lists = missing_keys, unexpected_keys, error_msgs
        for hook in tuple(self._load_state_dict_pre_hooks.values()):
            hook(self, state_dict, prefix, local_metadata, strict, *lists)
        state = dict(self._own_state())
        for name, target in state.items():
            key = prefix + name
            if key not in state_dict:
                missing_keys.extend([key] if strict else [])
                continue
            value = state_dict[key]
            if not isinstance(value, Tensor):
                error_msgs.append(f"'{key}' is not a Tensor, but {type(value).__name__}.")
            elif value.shape != target.shape:
                error_msgs.append(f"'{key}' has shape {value.shape}, the Cell expects {target.shape}.")
            else:
                renew(target, value._data.detach().to(target._data, copy=True))
        extra = prefix + _EXTRA
        if self._has_own("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                first, dot, _ = key.removeprefix(prefix).partition(".")
                if key.startswith(prefix) and key != extra and first not in (self._cells if dot else state):
                    unexpected_keys.append(key)

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        for name, parameter in self._params.items():
            if parameter is not None:
                yield name, parameter
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                yield name, buffer

    def _has_own(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(States, method)


def _add_hook(hooks: Registered, hook: Callable[..., Any]) -> HookHandle:
    handle = HookHandle(hooks)
    hooks[handle.handle_id] = hook
    return handle
