"""All written networks: those on text, on images and others, and their faults in one form."""

import torch

from tests.verify import (
    networks_bert,
    networks_convolutions,
    networks_detection,
    networks_mixed,
    networks_patches,
    networks_sequences,
    networks_translation,
)
from tests.verify.faults import Fault
from tests.verify.pairs import settled

MODULES = (
    networks_bert,
    networks_convolutions,
    networks_detection,
    networks_mixed,
    networks_patches,
    networks_sequences,
    networks_translation,
)
WRITTEN = {name: module for module in MODULES for name in module.PAIRS}


def written_pair(name, fault=""):
    """Return (torch module, Cell with a fault, inputs)."""
    module, cell, inputs = WRITTEN[name].PAIRS[name]
    torch.manual_seed(11)
    return settled(module()), cell(fault), inputs()


def written_faults():
    """Return every fault that the Cells can be written with."""
    for name, module in WRITTEN.items():
        for fault, (layers, kinds) in module.FAULTS[name].items():
            yield Fault(fault, name, layers, kinds, _rewritten(name, fault), make=written_pair)


def _rewritten(name, fault):
    return lambda module, cell: WRITTEN[name].PAIRS[name][1](fault)


def harmless():
    """Return (network, way to write it) of all Cells that are right."""
    return [(name, way) for name, module in WRITTEN.items() for way in module.HARMLESS[name]]
