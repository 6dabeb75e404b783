"""What scripts do with rewritten networks, and what they see; run by msbridge and by the real MindSpore.

`outcomes()` runs all in this order: MindSpore numbers the classes and functions of a process.
"""

import re

import journeys
import mindspore as ms
import numpy as np
import rewritable as networks
from mindspore import nn, ops
from mindspore.rewrite import (
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

VECTORS = np.arange(8).reshape(2, 4).astype(np.float32) - 3
IMAGES = (np.arange(2 * 36).reshape(2, 1, 6, 6) % 7).astype(np.float32)
NETWORKS = (
    *("Plain", "Nested", "Tree", "Sequence", "Listed", "Branches", "Early", "Loops", "Tuples", "Calls", "Expressions"),
    *("Derived", "Inherits", "Twofold", "Kwargs", "Named", "Chain"),
)


def tree_of(name, *args):
    return SymbolTree.create(getattr(networks, name)(*args))


def node_row(node):
    kind = node.get_instance_type()
    return [
        node.get_node_type().name,
        re.sub(r"return_\d+", "return_n", node.get_name()),  # the number counts those in MindSpore's functions, too
        str(node.get_targets()),
        str(node.get_args()),
        str(node.get_kwargs()),
        [one.get_name() for one in node.get_inputs()],
        sorted(re.sub(r"return_\d+", "return_n", one.get_name()) for one in node.get_users()),
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
    return [float(np.asarray(one.asnumpy() if hasattr(one, "asnumpy") else one).sum()) for one in found]


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


X = ScopedValue.create_name_values(["x"])
SCRIPTS = {
    **{f"look {name}": lambda name=name: look(name) for name in NETWORKS},
    **{f"same {name}": lambda name=name: same(name) for name in NETWORKS if name != "Derived"},
    "users": users,
    "attributes": attributes,
    "neighbours": neighbours,
    "unique": unique,
    "files": files,
    "kinds": lambda: [[(one.name, one.value) for one in kind] for kind in (NodeType, ValueType)],
    "insert relu": lambda: insert("Plain", lambda t: t.after("conv"), lambda: cell(nn.ReLU(), ["x"], ["x"], "new")),
    "insert before": lambda: insert(
        "Plain", lambda t: t.before(t.get_node("fc")), lambda: cell(nn.Tanh(), ["x"], ["x"])
    ),
    "insert taken name": lambda: insert(
        "Plain", lambda t: t.after("relu"), lambda: cell(nn.Tanh(), ["x"], ["x"], "relu")
    ),
    "insert dense": lambda: insert(
        "Nested", lambda t: t.after("fc"), lambda: cell(dense(), ["fc_var"], ["fc_var"], "more")
    ),
    "insert primitive": lambda: insert(
        "Nested", lambda t: t.after("fc"), lambda: cell(ops.Abs(), ["fc_var"], ["fc_var"])
    ),
    "insert first": lambda: insert("Nested", lambda t: t.after("input_y"), lambda: cell(nn.Tanh(), ["x"], ["x"], "t")),
    "insert input": insert_input,
    "insert own function": lambda: insert_function(networks.double),
    "insert function": lambda: insert_function(ops.abs),
    "insert object": insert_object,
    "insert in method": lambda: insert_in("Calls", "fc", lambda: cell(dense(), ["y"], ["y"], "more")),
    "insert in function": lambda: insert_in(
        "Calls", "binop_add", lambda: Node.create_call_function(ops.abs, ["y"], ScopedValue.create_name_values(["y"]))
    ),
    "insert cell in function": lambda: insert_in("Calls", "binop_add", lambda: cell(nn.ReLU(), ["y"], ["y"])),
    "insert in branch": lambda: insert_in("Branches", "fc", lambda: cell(nn.Tanh(), ["x"], ["x"], "t")),
    "insert in loop": lambda: insert_in("Loops", "binop_add", lambda: cell(nn.Tanh(), ["add_var"], ["add_var"], "t")),
    "insert in container": lambda: insert_in("Sequence", "Dense", lambda: cell(dense(), ["x"], ["x"], "more")),
    "insert in list": lambda: insert_in("Listed", "Dense", lambda: cell(dense(), ["x"], ["x"], "more")),
    "insert twice": insert_twice,
    "insert elsewhere": insert_elsewhere,
    "insert before inputs": lambda: insert(
        "Nested", lambda t: t.before("input_x"), lambda: cell(nn.Tanh(), ["x"], ["x"])
    ),
    "insert between inputs": lambda: insert(
        "Nested", lambda t: t.after("input_x"), lambda: cell(nn.Tanh(), ["x"], ["x"])
    ),
    "insert nothing": lambda: tree_of("Plain").insert(None, None),
    "insert no node": lambda: insert("Plain", lambda t: t.after("conv"), lambda: "relu"),
    "after nothing": lambda: tree_of("Plain").after("nothing"),
    "after inner": lambda: tree_of("Branches").after("fc"),
    "after number": lambda: tree_of("Plain").after(3),
    "erase": lambda: erase("Plain", "bn", "relu"),
    "erase used": lambda: erase("Twofold", "relu", "fc"),
    "erase nothing": lambda: erase("Plain", "nothing"),
    "erase number": lambda: erase("Plain", 3),
    "erase branch": lambda: erase_branch("if_node"),
    "erase else": lambda: erase_branch("else_node"),
    "replace one": lambda: replace("Chain", "relu", cell(nn.ReLU6(), ["a"], ["first_var"], "six")),
    "replace by two": lambda: replace(
        "Chain", "tanh", cell(nn.ReLU(), ["b"], ["second_var"]), cell(nn.Tanh(), ["b"], ["b"], "last")
    ),
    "replace in container": lambda: replace("Sequence", "ReLU", cell(nn.ReLU6(), ["x"], ["x"], "six")),
    "replace by nothing": lambda: replace("Plain", "conv"),
    "replace no node": lambda: tree_of("Plain").replace("conv", []),
    "replace by a node": lambda: (lambda t: t.replace(t.get_node("conv"), t.get_node("conv")))(tree_of("Plain")),
    "subtree": subtree,
    "subtree of a layer": lambda: tree_of("Plain").get_node("conv").get_sub_tree(),
    "set arguments": arguments,
    "set by node": by_node,
    "set by output": lambda: argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split"), 1)),
    "set element": lambda: argument(lambda t: t.get_node("subscript_var").set_arg(0, "x")),
    "set tuple": lambda: argument(lambda t: t.get_node("tuple").set_arg(1, "x")),
    "set out of range": lambda: argument(lambda t: t.get_node("split").set_arg(1, "x")),
    "set negative": lambda: argument(lambda t: t.get_node("split").set_arg(-1, "x")),
    "set by text": lambda: argument(lambda t: t.get_node("split").set_arg("0", "x")),
    "set number": lambda: argument(lambda t: t.get_node("split").set_arg(0, 1)),
    "set by unclear node": lambda: argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split"))),
    "set by missing output": lambda: argument(lambda t: t.get_node("relu").set_arg_by_node(0, t.get_node("split"), 5)),
    "set missing by node": lambda: argument(lambda t: t.get_node("relu").set_arg_by_node(4, t.get_node("split"), 1)),
    "set by name of node": lambda: argument(lambda t: t.get_node("relu").set_arg_by_node(0, "split")),
    "output": lambda: output(0, "x"),
    "output out of range": lambda: output(1, "x"),
    "output of text": lambda: output("0", "x"),
    "static true": lambda: static("Branches"),
    "static false": lambda: static("Branches", False),
    "static return": lambda: static("Early"),
    "static no return": lambda: static("Early", False),
    "flatten branch": lambda: flat("Branches", "if_node"),
    "flatten layer": lambda: flat("Plain", "conv"),
    "pattern chain": lambda: fuse("Chain", [nn.Dense, nn.ReLU], Fuse(nn.Tanh, ["a"], ["x"])),
    "pattern layer": lambda: fuse("Twofold", [nn.ReLU], Fuse(nn.Tanh, ["x"], ["x"])),
    "pattern kept": lambda: keep("Chain", [nn.Dense, nn.ReLU]),
    "pattern in container": lambda: keep("Chain", [nn.Dense, nn.Tanh]),
    "pattern of nodes": lambda: keep("Nested", PatternNode("add", ops.Add, [PatternNode("r", nn.ReLU), VarNode()])),
    "pattern of anything": lambda: keep("Nested", PatternNode("relu", nn.ReLU, [VarNode()])),
    "pattern from node": lambda: pattern_of("Chain", "tanh"),
    "pattern of no class": lambda: PatternEngine([3], Keep()),
    "pattern of text": lambda: PatternEngine("x", Keep()),
    "pattern alone": lambda: PatternEngine([nn.ReLU]),
    "pattern on a network": lambda: PatternEngine([nn.ReLU], Keep()).apply(networks.Plain()),
    "pattern name": lambda: PatternNode(3),
    "pattern inputs": lambda: PatternNode("x", nn.ReLU, [3]),
    "pattern list": lambda: PatternNode.create_pattern_from_list((nn.ReLU,)),
    "pattern match": lambda: [
        PatternNode("x", kind).match(tree_of("Plain").get_node("relu")) for kind in (nn.ReLU, nn.Tanh)
    ],
    "pattern match nothing": lambda: PatternNode("x").match(3),
    "replacement": Replacement,
    "node": lambda: properties(Node.create_call_cell(nn.ReLU(), ["x", "self.y"], X)),
    "node of primitive": lambda: properties(
        Node.create_call_cell(ops.Add(), ["x"], ScopedValue.create_name_values(["x", "y"]), name="p")
    ),
    "node of network": lambda: properties(Node.create_call_cell(networks.Sub(), ["x"], X, name="p", is_sub_net=True)),
    "node of network kept": lambda: properties(Node.create_call_cell(networks.Sub(), ["x"], X, name="p")),
    "node of function": lambda: properties(Node.create_call_function(networks.double, ["x"], X)),
    "node of built-in": lambda: properties(Node.create_call_function(len, ["x"], X)),
    "node of input": lambda: properties(Node.create_input("z", ScopedValue.create_variable_value(3))),
    "node of no cell": lambda: Node.create_call_cell(3, ["x"]),
    "node of text": lambda: Node.create_call_cell(nn.ReLU(), "x"),
    "node of numbers": lambda: Node.create_call_cell(nn.ReLU(), [1]),
    "node of tuple": lambda: Node.create_call_cell(nn.ReLU(), ("x",)),
    "node args": lambda: Node.create_call_cell(nn.ReLU(), ["x"], ["x"]),
    "node kwargs": lambda: Node.create_call_cell(nn.ReLU(), ["x"], [], {"a": 1}),
    "node name": lambda: Node.create_call_cell(nn.ReLU(), ["x"], name=1),
    "node too many": lambda: Node.create_call_cell(nn.ReLU(), ["x"], ScopedValue.create_name_values(["a", "b"])),
    "node unknown": lambda: Node.create_call_cell(nn.ReLU(), ["x"], [], {"zz": X[0]}),
    "node of function of cell": lambda: Node.create_call_function(nn.ReLU(), ["x"], X),
    "node of input number": lambda: Node.create_input(3),
    "node of input default": lambda: Node.create_input("z", 3),
    "tree of number": lambda: SymbolTree.create(3),
    "tree of class": lambda: SymbolTree.create(networks.Plain),
    "tree of handler": lambda: SymbolTree(3),
    "get nothing": lambda: tree_of("Plain").get_node("nothing"),
    "get inner": lambda: tree_of("Branches").get_node("fc").get_name(),
    "get number": lambda: tree_of("Plain").get_node(3),
    "nodes number": lambda: list(tree_of("Plain").nodes(all_nodes=1)),
    "unique number": lambda: tree_of("Plain").unique_name(3),
    "file number": lambda: tree_of("Plain").set_saved_file_name(3),
    "attribute number": lambda: tree_of("Plain").get_node("conv").set_attribute(3, 3),
    "users of text": lambda: tree_of("Plain").get_node("conv").get_target_users("0"),
    "values": lambda: values(1, 2.5, "a", None, True, (1, "a"), [1], {"a": 1}),
    "value of names": lambda: str(ScopedValue.create_name_values(["a", "b"], ["self", ""])),
    "value of fewer scopes": lambda: ScopedValue.create_name_values(["a", "b"], ["self"]),
    "value of text": lambda: ScopedValue.create_name_values("ab"),
    "value of numbers": lambda: ScopedValue.create_name_values([1]),
    "value of number": lambda: ScopedValue.create_naming_value(1),
    "value of scope": lambda: ScopedValue.create_naming_value("a", 1),
    "value of no kind": lambda: ScopedValue(1),
    "value equal": lambda: [
        ScopedValue.create_naming_value("a") == ScopedValue.create_naming_value(*one)
        for one in (("a",), ("b",), ("a", "self"))
    ],
    **journeys.JOURNEYS,
}


def outcome(script):
    """Return what a script gives: a value of JSON, or the name of the class that it raises."""
    try:
        return {"value": script()}
    except Exception as error:
        return {"raises": type(error).__name__}


def outcomes():
    return {name: outcome(script) for name, script in SCRIPTS.items()}
