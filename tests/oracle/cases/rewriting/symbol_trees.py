"""Networks as trees of nodes: what scripts see, insert, erase, replace and fuse; whole scripts at the end."""

import contextlib
import re
import sys

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.rewrite import (  # noqa: F401
    Node,
    NodeType,
    PatternEngine,
    PatternNode,
    Replacement,
    ScopedValue,
    SymbolTree,
    ValueType,
    VarNode,
)

from tests.oracle.case import Case, each
from tests.oracle.cases.rewriting import _rewritable as networks
from tests.oracle.cases.rewriting import _whole_networks
from tests.oracle.cases.rewriting._whole_networks import folded, quantized, split, without_normalization  # noqa: F401

VECTORS = np.arange(8).reshape(2, 4).astype(np.float32) - 3
IMAGES = (np.arange(2 * 36).reshape(2, 1, 6, 6) % 7).astype(np.float32)
NETWORKS = (
    *("Plain", "Nested", "Tree", "Sequence", "Listed", "Branches", "Early", "Loops", "Tuples", "Calls", "Expressions"),
    *("Derived", "Inherits", "Twofold", "Kwargs", "Named", "Chain"),
)
BETTER = {"Expressions": "a module's own names", "Named": "members that are private to their class"}
"""Networks that the real one refuses to make again, and why."""
SUMS = 1e-3  # a few cancel


@contextlib.contextmanager
def case_context():
    """Have the modules of the networks where their source is looked for, and where MindSpore imports them."""
    sys.modules.update({each.__name__: each for each in (networks, _whole_networks)}, _rewritable=networks)
    yield


def tree_of(name, *args):
    return SymbolTree.create(getattr(networks, name)(*args))


def unnumbered(name):
    """Return a name without what counts the functions of a process, those of MindSpore's own code among them."""
    return re.sub(r"(return|_opt)_\d+", r"\1_n", name)


def node_row(node):
    kind = node.get_instance_type()
    return [
        node.get_node_type().name,
        unnumbered(node.get_name()),
        str(node.get_targets()),
        unnumbered(str(node.get_args())),
        str(node.get_kwargs()),
        [unnumbered(one.get_name()) for one in node.get_inputs()],
        sorted(unnumbered(one.get_name()) for one in node.get_users()),
        kind.__name__,
    ]


def rows(tree):
    found = []
    for node in tree.nodes():
        found.append(node_row(node))
        if node.get_node_type() is NodeType.Tree:
            found.append(rows(node.get_sub_tree()))
    return found


def names(tree):
    return [node.get_name() for node in tree.nodes(all_nodes=True)]


def find(tree, name):
    return next(node for node in tree.nodes(all_nodes=True) if node.get_name() == name)


def sums(network, *arrays):
    if not arrays:
        arrays = (IMAGES if isinstance(network, networks.Plain) else VECTORS,)
    found = network(*(ms.Tensor(array) for array in arrays))
    found = found if isinstance(found, tuple) else (found,)
    return [np.asarray(one.asnumpy() if hasattr(one, "asnumpy") else one).sum() for one in found]


def structure(network):
    # MindSpore makes a tree for each call of a network, which counts in the names of classes.
    cells = [[path, re.sub(r"Opt_\d+", "Opt", type(cell).__name__)] for path, cell in network.cells_and_names()]
    return [cells, [parameter.name for parameter in network.get_parameters()]]


def cell(kind, targets, args, name=""):
    return Node.create_call_cell(kind, targets, ScopedValue.create_name_values(args), name=name)


def dense():
    return nn.Dense(4, 4, weight_init="ones", bias_init="ones")


def result(tree, *arrays):
    network = tree.get_network()
    return [rows(tree), sums(network, *arrays), structure(network)]


# What there is


def look(name):
    tree = tree_of(name)
    return [rows(tree), [] if name == "Calls" else names(tree), [one.get_name() for one in tree.get_inputs()]]


def same(name):
    network = getattr(networks, name)()
    rewritten = SymbolTree.create(network).get_network()
    shared = [a is b for a, b in zip(network.get_parameters(), rewritten.get_parameters())]  # noqa: B905
    return [sums(rewritten), structure(rewritten), shared, isinstance(rewritten, type(network))]


def users():
    tree = tree_of("Tuples")
    node = tree.get_node("split")
    by_target = {k: [[one.get_name(), at] for one, at in v] for k, v in node.get_target_users().items()}
    providers = {k: [one.get_name(), at] for k, (one, at) in tree.get_node("tuple_1").get_arg_providers().items()}
    return [by_target, [[one.get_name(), at] for one, at in node.get_target_users(1)], providers]


def attributes():
    node = tree_of("Plain").get_node("conv")
    node.set_attribute("note", 1)
    found = [node.get_attribute(name) for name in ("note", "nothing", "in_channels", "kernel_size", "pad_mode")]
    return [*found, node.get_attribute("cls").__name__, type(node.get_instance()).__name__]


def neighbours():
    handler = tree_of("Plain").get_node("conv").get_handler()
    return [handler.get_prev().get_name(), handler.get_next().get_name()]


def unique():
    tree = tree_of("Nested")
    return [tree.unique_name(name) for name in ("x", "x", "new", "relu_var_1", "x_1", "_")] + [tree.unique_name()]


def files():
    tree = tree_of("Plain")
    found = [tree.get_saved_file_name()]
    tree.set_saved_file_name("abc")
    return [*found, tree.get_saved_file_name()]


# Insert, erase, replace


def insert(where, position, made):
    tree = tree_of(where)
    at = position(tree)
    node = tree.insert(at, made())
    return [node.get_name(), *result(tree)]


def erase(name, *erased):
    tree = tree_of(name)
    gone = [tree.erase(one).get_name() for one in erased]
    return [gone, *result(tree)]


def replace(name, old, *new):
    tree = tree_of(name)
    node = tree.replace(find(tree, old), list(new))
    return [node.get_name(), names(tree), sums(tree.get_network()), structure(tree.get_network())]


def insert_input():
    tree = tree_of("Nested")
    tree.insert(tree.after("input_y"), Node.create_input("z"))
    tree.get_node("relu").set_arg(0, "z")
    return result(tree, VECTORS, VECTORS, VECTORS * 2)


def insert_function(function):
    tree = tree_of("Chain")
    tree.insert(tree.after("relu"), Node.create_call_function(function, ["a"], ScopedValue.create_name_values(["a"])))
    return [rows(tree), sums(tree.get_network())]


def insert_object():
    tree = tree_of("Kwargs")
    two = ScopedValue.create_variable_value(ms.Tensor(2.0))
    args = [ScopedValue.create_naming_value("y"), two]
    tree.insert(tree.after("relu"), Node.create_call_function(ops.add, ["y"], args))
    return result(tree)


def insert_in(name, beside, made):
    tree = tree_of(name)
    node = tree.insert(tree.after(find(tree, beside)), made())
    return [node.get_name(), sums(tree.get_network())]


def insert_twice():
    tree = tree_of("Plain")
    tree.insert(tree.after("relu"), tree.get_node("conv"))


def insert_elsewhere():
    tree, other = tree_of("Plain"), tree_of("Plain")
    tree.insert(other.after("relu"), cell(nn.Tanh(), ["x"], ["x"], "tanh"))


def subtree():
    tree = tree_of("Tree")
    inner = tree.get_node("first").get_sub_tree()
    inner.erase("act")
    inner.set_output(0, "fc_var")
    return [*result(tree), rows(inner)]


def erase_branch(name):
    tree = tree_of("Branches")
    tree.erase(name)
    return [names(tree), sums(tree.get_network())]


# Arguments


def arguments():
    tree = tree_of("Nested")
    tree.get_node("add").set_arg(0, "x")
    tree.get_node("add").set_arg(1, ScopedValue.create_variable_value(2.0))
    tree.get_node("binop_add").set_arg(1, "x")
    return result(tree)


def by_node():
    tree = tree_of("Nested")
    tree.get_node("add").set_arg_by_node(0, tree.get_node("fc"))
    return result(tree)


def argument(change):
    tree = tree_of("Tuples")
    change(tree)
    return rows(tree)


def output(*args):
    tree = tree_of("Nested")
    return [tree.set_output(*args).get_name(), *result(tree)]


# Branches


def static(name, *args):
    tree = tree_of(name, *args)
    tree.flatten_static_if_control_flow()
    return [rows(tree), sums(tree.get_network())]


def flat(name, node):
    tree = tree_of(name)
    tree.flatten_nodes(tree.get_node(node))
    return [rows(tree), names(tree)]


# Patterns


class Fuse(Replacement):
    def __init__(self, kind, targets, args):
        self.made = kind, targets, args

    def build(self, pattern, is_chain_pattern, matched):
        kind, targets, args = self.made
        return [cell(kind(), targets, args, "fused")]


class Keep(Replacement):
    seen: list = []

    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append([pattern.type().__name__, is_chain_pattern, [one.get_name() for one in matched.values()]])
        return []


def fuse(name, pattern, made):
    tree = tree_of(name)
    changed = PatternEngine(pattern, made).apply(tree)
    return [changed, *result(tree)]


def keep(name, pattern):
    Keep.seen = []
    PatternEngine(pattern, Keep()).apply(tree_of(name))
    return Keep.seen


def pattern_of(name, node):
    found = PatternNode.create_pattern_from_node(tree_of(name).get_node(node))
    return [str(found.name()), [str(one.name()) for one in found.get_inputs()]]


def values(*objects):
    made = [ScopedValue.create_variable_value(one) for one in objects]
    return [[str(one), one.type.name, one.scope] for one in made]


def properties(node):
    return [*node_row(node), node.get_symbol_tree() is None, type(node.get_instance()).__name__]


X, Y = (ScopedValue.create_name_values([name]) for name in "xy")
NAMINGS = ("a",), ("b",), ("a", "self")
LINES = """
    users()
    attributes()
    neighbours()
    unique()
    files()
    [[(one.name, one.value) for one in kind] for kind in (NodeType, ValueType)]
    # Insert, erase, replace
    insert("Plain", lambda t: t.after("conv"), lambda: cell(nn.ReLU(), ["x"], ["x"], "new"))
    insert("Plain", lambda t: t.before(t.get_node("fc")), lambda: cell(nn.Tanh(), ["x"], ["x"]))
    insert("Plain", lambda t: t.after("relu"), lambda: cell(nn.Tanh(), ["x"], ["x"], "relu"))
    insert("Nested", lambda t: t.after("fc"), lambda: cell(dense(), ["fc_var"], ["fc_var"], "more"))
    insert("Nested", lambda t: t.after("fc"), lambda: cell(ops.Abs(), ["fc_var"], ["fc_var"]))
    insert("Nested", lambda t: t.after("input_y"), lambda: cell(nn.Tanh(), ["x"], ["x"], "t"))
    insert_input()
    insert_function(networks.double)
    insert_function(ops.abs)
    insert_object()
    insert_in("Calls", "fc", lambda: cell(dense(), ["y"], ["y"], "more"))
    insert_in("Calls", "binop_add", lambda: Node.create_call_function(ops.abs, ["y"], Y))
    insert_in("Calls", "binop_add", lambda: cell(nn.ReLU(), ["y"], ["y"]))
    insert_in("Branches", "fc", lambda: cell(nn.Tanh(), ["x"], ["x"], "t"))
    insert_in("Loops", "binop_add", lambda: cell(nn.Tanh(), ["add_var"], ["add_var"], "t"))
    insert_in("Sequence", "Dense", lambda: cell(dense(), ["x"], ["x"], "more"))
    insert_in("Listed", "Dense", lambda: cell(dense(), ["x"], ["x"], "more"))
    insert_twice()
    insert_elsewhere()
    insert("Nested", lambda t: t.before("input_x"), lambda: cell(nn.Tanh(), ["x"], ["x"]))
    insert("Nested", lambda t: t.after("input_x"), lambda: cell(nn.Tanh(), ["x"], ["x"]))
    tree_of("Plain").insert(None, None)
    insert("Plain", lambda t: t.after("conv"), lambda: "relu")
    tree_of("Plain").after("nothing")
    tree_of("Branches").after("fc")
    tree_of("Plain").after(3)
    erase("Plain", "bn", "relu")
    erase("Twofold", "relu", "fc")
    erase("Plain", "nothing")
    erase("Plain", 3)
    erase_branch("if_node")
    erase_branch("else_node")
    replace("Chain", "relu", cell(nn.ReLU6(), ["a"], ["first_var"], "six"))
    replace("Chain", "tanh", cell(nn.ReLU(), ["b"], ["second_var"]), cell(nn.Tanh(), ["b"], ["b"], "last"))
    replace("Sequence", "ReLU", cell(nn.ReLU6(), ["x"], ["x"], "six"))
    replace("Plain", "conv")
    tree_of("Plain").replace("conv", [])
    (lambda t: t.replace(t.get_node("conv"), t.get_node("conv")))(tree_of("Plain"))
    subtree()
    tree_of("Plain").get_node("conv").get_sub_tree()
    # Arguments, output
    arguments()
    by_node()
    argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split"), 1))
    argument(lambda t: t.get_node("subscript_var").set_arg(0, "x"))
    argument(lambda t: t.get_node("tuple").set_arg(1, "x"))
    argument(lambda t: t.get_node("split").set_arg(1, "x"))
    argument(lambda t: t.get_node("split").set_arg(-1, "x"))
    argument(lambda t: t.get_node("split").set_arg("0", "x"))
    argument(lambda t: t.get_node("split").set_arg(0, 1))
    argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split")))
    argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split"), 5))
    argument(lambda t: t.get_node("relu").set_arg_by_node(4, t.get_node("split"), 1))
    argument(lambda t: t.get_node("relu").set_arg_by_node(0, "split"))
    output(0, "x")
    output(1, "x")
    output("0", "x")
    # Branches
    static("Branches")
    static("Branches", False)
    static("Early")
    static("Early", False)
    flat("Branches", "if_node")
    flat("Plain", "conv")
    # Patterns
    fuse("Chain", [nn.Dense, nn.ReLU], Fuse(nn.Tanh, ["a"], ["x"]))
    fuse("Twofold", [nn.ReLU], Fuse(nn.Tanh, ["x"], ["x"]))
    keep("Chain", [nn.Dense, nn.ReLU])
    keep("Chain", [nn.Dense, nn.Tanh])
    keep("Nested", PatternNode("add", ops.Add, [PatternNode("r", nn.ReLU), VarNode()]))
    keep("Nested", PatternNode("relu", nn.ReLU, [VarNode()]))
    PatternEngine([3], Keep())
    PatternEngine("x", Keep())
    PatternEngine([nn.ReLU])
    PatternEngine([nn.ReLU], Keep()).apply(networks.Plain())
    PatternNode(3)
    PatternNode("x", nn.ReLU, [3])
    PatternNode.create_pattern_from_list((nn.ReLU,))
    [PatternNode("x", kind).match(tree_of("Plain").get_node("relu")) for kind in (nn.ReLU, nn.Tanh)]
    PatternNode("x").match(3)
    Replacement()
    # Nodes, trees, values
    properties(Node.create_call_cell(nn.ReLU(), ["x", "self.y"], X))
    properties(Node.create_call_cell(ops.Add(), ["x"], ScopedValue.create_name_values(["x", "y"]), name="p"))
    properties(Node.create_call_cell(networks.Sub(), ["x"], X, name="p", is_sub_net=True))
    properties(Node.create_call_cell(networks.Sub(), ["x"], X, name="p"))
    properties(Node.create_call_function(networks.double, ["x"], X))
    properties(Node.create_call_function(len, ["x"], X))
    properties(Node.create_input("z", ScopedValue.create_variable_value(3)))
    Node.create_call_cell(3, ["x"])
    Node.create_call_cell(nn.ReLU(), "x")
    Node.create_call_cell(nn.ReLU(), [1])
    Node.create_call_cell(nn.ReLU(), ("x",))
    Node.create_call_cell(nn.ReLU(), ["x"], ["x"])
    Node.create_call_cell(nn.ReLU(), ["x"], [], {"a": 1})
    Node.create_call_cell(nn.ReLU(), ["x"], name=1)
    Node.create_call_cell(nn.ReLU(), ["x"], ScopedValue.create_name_values(["a", "b"]))
    Node.create_call_cell(nn.ReLU(), ["x"], [], {"zz": X[0]})
    Node.create_call_function(nn.ReLU(), ["x"], X)
    Node.create_input(3)
    Node.create_input("z", 3)
    SymbolTree.create(3)
    SymbolTree.create(networks.Plain)
    SymbolTree(3)
    tree_of("Plain").get_node("nothing")
    tree_of("Branches").get_node("fc").get_name()
    tree_of("Plain").get_node(3)
    list(tree_of("Plain").nodes(all_nodes=1))
    tree_of("Plain").unique_name(3)
    tree_of("Plain").set_saved_file_name(3)
    tree_of("Plain").get_node("conv").set_attribute(3, 3)
    tree_of("Plain").get_node("conv").get_target_users("0")
    values(1, 2.5, "a", None, True, (1, "a"), [1], {"a": 1})
    str(ScopedValue.create_name_values(["a", "b"], ["self", ""]))
    ScopedValue.create_name_values(["a", "b"], ["self"])
    ScopedValue.create_name_values("ab")
    ScopedValue.create_name_values([1])
    ScopedValue.create_naming_value(1)
    ScopedValue.create_naming_value("a", 1)
    ScopedValue(1)
    [ScopedValue.create_naming_value("a") == ScopedValue.create_naming_value(*one) for one in NAMINGS]
"""
CASES = [
    *(Case(f"look({name!r})", may_raise=True, tolerance=SUMS) for name in NETWORKS),
    *(Case(f"same({name!r})", may_raise=True, tolerance=SUMS) for name in NETWORKS if name not in {*BETTER, "Derived"}),
    *(Case(f"same({name!r})", may_raise=True, xfail=why) for name, why in BETTER.items()),
    *each(LINES, may_raise=True, tolerance=SUMS),
    Case("pattern_of('Chain', 'tanh')", may_raise=True, xfail="a name that is not a str"),
    *each("without_normalization()\nquantized()\nfolded()", tolerance=SUMS),
    Case("split()", may_raise=True, xfail="methods in which networks are called are erased"),
]
