"""All written networks: those on text, on images and others, and their faults in one form."""

import torch

from tests.verify.faults import Fault
from tests.zoo import bert, convolutions, detection, mixed, patches, sequences, translation
from tests.zoo.pairs import settled

MODULES = (bert, convolutions, detection, mixed, patches, sequences, translation)
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
