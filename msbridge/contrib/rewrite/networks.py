"""Making a network of the code of a tree."""

import itertools
import linecache
import sys
import types
from typing import Any

from msbridge.contrib.rewrite.sources import Source, source_of
from msbridge.contrib.rewrite.trees import Tree
from msbridge.nn.cell.cell import Cell

__all__ = ["code_of", "network_of"]

_numbers = itertools.count()


def code_of(tree: Tree) -> str:
    """Return the code of a network, to be run or saved: its class takes the network that was given."""
    source = _prepare(tree)
    return f"{source.imports}\n\n\n{source.definitions}\n"


def network_of(tree: Tree) -> Any:
    """Return a network that runs the code; it shares parameters with the one that was given."""
    source = _prepare(tree)
    module = types.ModuleType(f"rewritten_{tree.class_name}_{next(_numbers)}")
    path = f"<{module.__name__}>"
    vars(module).update(source.names, __file__=path)
    sys.modules[module.__name__] = module  # where `inspect` and `pickle` look for the class
    lines = source.definitions.splitlines(keepends=True)
    linecache.cache[path] = (len(source.definitions), None, lines, path)
    exec(compile(source.definitions, path, "exec"), vars(module))
    network = vars(module)[tree.class_name](tree.network)
    network.update_parameters_name()  # as in MindSpore: also those that have names of their own
    return network


def _prepare(tree: Tree) -> Source:
    """Return the code, after the networks that were given have got what it takes of them."""
    _hand_over(tree)
    return source_of(tree)


def _hand_over(tree: Tree) -> None:
    network: Cell = tree.network
    vars(network).update(tree.added)  # plain attributes, no children: the network that was given stays what it is
    for statement in tree.get_tree_nodes():
        _hand_over(statement.symbol_tree)
