"""Rewritten networks in use; what scripts see of trees is tests/oracle/cases/rewriting's."""

import ast
import inspect
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge
from msbridge import Tensor, nn, ops
from msbridge.contrib.rewrite import Node, NodeType, ScopedValue, SymbolTree, TreeNodeHelper
from tests.processes import python


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3, 3)

    def construct(self, x: Tensor, scale: Tensor | None = None) -> Tensor:
        return self.fc(x) if scale is None or scale.sum() > 0 else x


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.body = nn.SequentialCell(nn.Dense(3, 3), nn.ReLU())
        self.head = nn.Dense(3, 1)

    def construct(self, x: Tensor) -> Tensor:
        y = self.block(x)
        y = self.body(y)
        return self.head(y + x)


class Deep(Block):
    def construct(self, x: Tensor, scale: Tensor | None = None) -> Tensor:
        y = super().construct(x)
        return ops.relu(y)


X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def values(tensor: Tensor) -> list[float]:
    return tensor.asnumpy().ravel().tolist()


def relu(target: str) -> Node:
    return Node.create_call_cell(nn.ReLU(), [target], ScopedValue.create_name_values([target]), name="act")


class TestTheRewrittenNetwork:
    def test_trains_the_parameters_of_the_given_one(self) -> None:
        net = Net()
        tree = SymbolTree.create(net)
        tree.insert(tree.after("body"), relu("y"))
        rewritten = tree.get_network()
        before = values(net.head.weight)
        optimizer = nn.SGD(rewritten.trainable_params(), 0.1)
        step = nn.TrainOneStepCell(nn.WithLossCell(rewritten, nn.MSELoss()), optimizer)
        step(X, Tensor(np.ones((2, 1), np.float32)))
        assert values(net.head.weight) != before
        assert all(a is b for a, b in zip(net.get_parameters(), rewritten.get_parameters(), strict=True))

    def test_leaves_the_given_one_as_it_is(self) -> None:
        net = Net()
        expected, printed = values(net(X)), str(net)
        tree = SymbolTree.create(net)
        tree.insert(tree.after("body"), relu("y"))
        for name in ("ReLU", "Dense"):
            tree.erase(next(node for node in tree.nodes(all_nodes=True) if node.get_name() == name))
        tree.get_network()
        assert (values(net(X)), str(net)) == (expected, printed)

    def test_can_be_rewritten_again(self) -> None:
        tree = SymbolTree.create(Net())
        tree.erase("body")
        again = SymbolTree.create(tree.get_network())
        again.insert(again.after("block"), relu("y"))
        assert [node.get_name() for node in again.nodes()] == ["input_x", "block", "act", "binop_add", "head", "return"]
        assert again.get_network()(X).shape == (2, 1)

    def test_calls_what_its_base_class_defines(self) -> None:
        net = Deep()
        assert values(SymbolTree.create(net).get_network()(X)) == values(net(X))

    def test_computes_what_follows_or_only_where_it_counts(self) -> None:
        net = Block()
        assert values(SymbolTree.create(net).get_network()(X)) == values(net(X))

    def test_has_source_for_who_asks(self) -> None:
        rewritten = SymbolTree.create(Net()).get_network()
        assert "def construct(self, x):" in inspect.getsource(type(rewritten))

    def test_goes_through_pickle(self) -> None:
        rewritten = SymbolTree.create(Net()).get_network()
        assert values(pickle.loads(pickle.dumps(rewritten))(X)) == values(rewritten(X))

    def test_is_made_of_a_class_within_a_function(self) -> None:
        bias = 2.0

        class Local(nn.Cell):
            def construct(self, x: Tensor) -> Tensor:
                return ops.relu(x) + bias

        assert values(SymbolTree.create(Local()).get_network()(X)) == values(Local()(X))

    def test_keeps_the_mode_and_the_hooks(self) -> None:
        net = Net()
        net.set_train()
        seen = []
        net.head.register_forward_hook(lambda cell, inputs, output: seen.append(cell))
        rewritten = SymbolTree.create(net).get_network()
        rewritten(X)
        assert rewritten.training
        assert len(seen) == 1


class TestTheCode:
    def test_runs_where_it_was_saved(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        net = Net()
        tree = SymbolTree.create(net)
        tree.insert(tree.after("body"), relu("y"))
        tree.set_saved_file_name(str(tmp_path / "saved"))
        tree.save_network_to_file()
        monkeypatch.setitem(sys.modules, __name__, sys.modules[type(net).__module__])
        scope: dict[str, Any] = {}
        exec((tmp_path / "saved.py").read_text(encoding="utf-8"), scope)
        rewritten = scope[tree.get_handler().class_name](net)
        assert values(rewritten(X)) == values(tree.get_network()(X))

    def test_is_python(self) -> None:
        code = SymbolTree.create(Net()).get_code()
        assert [type(one).__name__ for one in ast.parse(code).body][-2:] == ["ClassDef", "ClassDef"]

    def test_fits_a_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        SymbolTree.create(Net()).print_node_tabulate()
        lines = capsys.readouterr().out.splitlines()
        assert lines[2].split("  ")[0] == "node type"
        assert lines[4].startswith("NodeType.Input")
        assert lines[4].endswith("[[0, [('block', 0), ('binop_add', 1)]]]")

    def test_is_dumped_as_numbered_calls(self, capsys: pytest.CaptureFixture[str]) -> None:
        SymbolTree.create(Net()).dump()
        assert "  %1(y) = SequentialCell(" in capsys.readouterr().out


class TestFormsUpTo20:
    def test_call_function_takes_nodes_and_constants(self) -> None:
        tree = SymbolTree.create(Net())
        node = tree.create_call_function(ops.clip_by_value, ["y"], tree.get_node("body"), 0.0, clip_value_max=1.0)
        tree.insert(tree.after("body"), node)
        assert node.get_args()[1].value == 0.0
        assert tree.get_network()(X).shape == (2, 1)

    def test_erase_node(self) -> None:
        tree = SymbolTree.create(Net())
        assert tree.erase_node(tree.get_node("body")).get_name() == "body"

    def test_what_used_a_replaced_node_uses_the_last_new_one(self) -> None:
        msbridge.set_release("2.0")
        tree = SymbolTree.create(Deep())
        old = next(one for one in tree.nodes() if "relu" in one.get_name())
        new = Node.create_call_cell(nn.Tanh(), ["other"], ScopedValue.create_name_values(["y"]), name="tanh")
        tree.replace(old, [new])
        msbridge.set_release(None)
        assert [str(one) for one in list(tree.nodes())[-1].get_args()] == ["other"]
        assert tree.get_network()(X).shape == (2, 3)

    def test_sub_trees_come_from_a_helper(self) -> None:
        tree = SymbolTree.create(Net())
        assert TreeNodeHelper.get_sub_tree(tree.get_node("head")) is None
        inner = TreeNodeHelper.get_sub_tree(tree.get_node("block"))
        assert inner is not None
        assert next(inner.nodes()).get_node_type() is NodeType.Input


def test_a_network_inserted_with_a_tree_is_rewritten_with_it() -> None:
    tree = SymbolTree.create(Net())
    args = ScopedValue.create_name_values(["y"])
    tree.insert(tree.after("body"), Node.create_call_cell(Deep(), ["y"], args, name="deep", is_sub_net=True))
    tree.get_node("deep").get_sub_tree().set_output(0, "x")
    rewritten = tree.get_network()
    assert type(rewritten.deep).__name__.startswith("DeepOpt")
    assert values(rewritten(X)) == values(SymbolTree.create(tree.get_origin_network()).get_network()(X))


def test_no_source_is_an_error_that_says_so() -> None:
    kind = type("Made", (nn.Cell,), {"construct": lambda self, x: x})
    with pytest.raises(OSError, match="source"):
        SymbolTree.create(kind())


@pytest.mark.process
def test_it_is_loaded_when_it_is_asked_for() -> None:
    program = (
        "import sys, msbridge; msbridge.install()\n"
        "import mindspore, mindspore.nn, mindspore.train\n"
        "before = [name for name in sys.modules if name.startswith('msbridge.contrib')]\n"
        "print(before, mindspore.rewrite.SymbolTree.__name__, mindspore.graph.register_op_wrapper.__name__)\n"
    )
    done = python("-c", program)
    assert done.stdout.split() == ["[]", "SymbolTree", "register_op_wrapper"]
