"""Stand-ins in the pickles of TorchScript archives (`torch.jit.save`): modules, as attributes. No code is read."""

from typing import Any

from msbridge.converters.formats.pickle_vm import MAPPING, Machine
from msbridge.converters.formats.pth_pickle import Reader

# Attributes that hold no weights, or, in an LSTM, of the same ones again.
NOT_KEPT = ("training", "_is_full_backward_hook", "_flat_weights")
# What makes lists and mappings of a given type, in torch.jit._pickle.
TYPED = ("restore_type_tag", "build_tensorlist", "build_intlist", "build_doublelist", "build_boollist")


class Module(dict[Any, Any]):
    """The attributes of a module, or of another object of a class that the archive or torch's C++ defines."""


class ScriptReader(Reader):
    """Reads a pickle of a TorchScript archive."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "__torch__":
            return _module
        if module == "torch.jit._pickle" and name in TYPED:
            return _value
        return super().find_class(module, name)

    def build(self, target: Any, state: Any) -> None:
        """Take over the attributes of a module; the state of an object of C++ has numbers for names."""
        if not isinstance(target, Module) or not isinstance(state, dict | list | tuple):
            super().build(target, state)
            return
        for name, value in state.items() if isinstance(state, dict) else enumerate(state):
            if name not in NOT_KEPT and not (isinstance(value, Module) and not value):
                self.put_items(target, [name, value])


def _module(machine: Machine, *arguments: Any) -> Module:
    machine.spend(MAPPING)
    return Module()


def _value(_: Machine, value: Any, *kind: Any) -> Any:
    return value
