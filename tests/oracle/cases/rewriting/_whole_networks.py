"""Whole scripts: normalisation folded away, fake quantisation trained, a network split in two."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.rewrite import Node, NodeType, PatternEngine, Replacement, SymbolTree

IMAGES = np.random.RandomState(0).rand(2, 3, 16, 16).astype(np.float32)


def weights(*shape):
    return Tensor(np.random.RandomState(sum(shape)).uniform(-0.2, 0.2, shape).astype(np.float32))


def conv(i, o, size, **settings):
    return nn.Conv2d(i, o, size, weight_init=weights(o, i, size, size), has_bias=False, **settings)


class Stem(nn.Cell):
    def __init__(self, i, o):
        super().__init__()
        self.conv = conv(i, o, 3, stride=2, pad_mode="same")
        self.bn = nn.BatchNorm2d(o, momentum=0.9)
        self.act = nn.ReLU()

    def construct(self, x):
        return self.act(self.bn(self.conv(x)))


class Residual(nn.Cell):
    def __init__(self, c, down=False):
        super().__init__()
        self.conv1 = nn.SequentialCell([conv(c, c, 3), nn.BatchNorm2d(c), nn.ReLU()])
        self.conv2 = conv(c, c, 3)
        self.bn2 = nn.BatchNorm2d(c)
        self.down = down
        if down:
            self.downsample = conv(c, c, 1)
        self.relu = ops.ReLU()

    def construct(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn2(self.conv2(out))
        if self.down:
            identity = self.downsample(identity)
        out = out + identity
        return self.relu(out)


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = Stem(3, 8)
        self.layers = nn.CellList([Residual(8), Residual(8, True)])
        self.pool = ops.ReduceMean(keep_dims=False)
        self.fc = nn.Dense(8, 4, weight_init=weights(4, 8), bias_init="zeros")

    def features(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        return x

    def construct(self, x):
        x = self.features(x)
        x = self.pool(x, (2, 3))
        logits = self.fc(x)
        return ops.softmax(logits, axis=-1)


def listed(tensor):
    return tensor.asnumpy().astype(float).ravel().tolist()


def without_normalization():
    """Every BatchNorm becomes an Identity, in networks within, containers and lists."""
    net = Network()
    for name, parameter in net.parameters_and_names():
        if name.endswith("moving_mean"):
            parameter.set_data(Tensor(np.full(8, 0.1, np.float32)))
    tree = SymbolTree.create(net)
    for node in list(tree.nodes(all_nodes=True)):
        if node.get_instance_type() is nn.BatchNorm2d:
            same = Node.create_call_cell(
                nn.Identity(), node.get_targets(), node.get_args(), name=f"{node.get_name()}_id"
            )
            node.get_symbol_tree().replace(node, [same])
    found = tree.get_network()
    found.set_train(False)
    return [
        [type(cell).__name__ for _, cell in found.cells_and_names()].count("Identity"),
        listed(found(Tensor(IMAGES))),
    ]


class FakeQuant(nn.Cell):
    def __init__(self, bits=4):
        super().__init__()
        self.scale = Parameter(Tensor(0.1, ms.float32), name="scale")
        self.high = float(2 ** (bits - 1) - 1)

    def construct(self, x):
        y = ops.clip_by_value(x / self.scale, -self.high, self.high)
        return y * self.scale


def quantized():
    """Fake quantisation comes behind every convolution that is called, and is trained with the rest."""
    tree = SymbolTree.create(Network())
    inner = [node.get_sub_tree() for node in tree.nodes(all_nodes=True) if node.get_node_type() is NodeType.Tree]
    for one in [tree, *inner]:
        one.flatten_static_if_control_flow()
        for node in list(one.nodes()):
            if node.get_node_type() is not NodeType.CallCell or node.get_instance_type() is not nn.Conv2d:
                continue
            users = node.get_target_users(0)
            name = f"{node.get_name()}_quant"
            new = Node.create_call_cell(FakeQuant(), [one.unique_name("quant")], node.get_targets(), name=name)
            one.insert(one.after(node), new)
            for user, at in users:
                user.set_arg_by_node(at, new)
    found = tree.get_network()
    optimizer = nn.Momentum(found.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(found, nn.MSELoss()), optimizer)
    step.set_train()
    labels = Tensor(np.eye(4, dtype=np.float32)[[0, 3]])
    losses = [float(step(Tensor(IMAGES), labels).asnumpy()) for _ in range(3)]
    return [losses, sorted(one.name for one in found.trainable_params())]


class Fold(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        first, last = matched.values()
        old, norm = first.get_instance(), last.get_instance()
        factor = norm.gamma.asnumpy() / np.sqrt(norm.moving_variance.asnumpy() + norm.eps)
        new = nn.Conv2d(old.in_channels, old.out_channels, old.kernel_size, old.stride, old.pad_mode, has_bias=True)
        new.weight.set_data(Tensor(old.weight.asnumpy() * factor[:, None, None, None]))
        new.bias.set_data(Tensor(norm.beta.asnumpy() - norm.moving_mean.asnumpy() * factor))
        return [Node.create_call_cell(new, last.get_targets(), first.get_args(), first.get_kwargs(), "folded")]


def folded():
    """A BatchNorm becomes a part of the convolution before it."""
    net = Stem(3, 4)
    net.bn.moving_mean.set_data(Tensor(np.array([0.1, 0.2, 0.3, 0.4], np.float32)))
    tree = SymbolTree.create(net)
    PatternEngine([nn.Conv2d, nn.BatchNorm2d], Fold()).apply(tree)
    expected, found = net(Tensor(IMAGES)), tree.get_network()(Tensor(IMAGES))
    is_close = bool(np.allclose(expected.asnumpy(), found.asnumpy(), atol=1e-4))
    return [[node.get_name() for node in tree.nodes()], is_close]


def split():
    """The features alone, and what follows them."""
    net = Network()
    front, back = SymbolTree.create(net), SymbolTree.create(net)
    for node in list(front.nodes()):
        if node.get_name().startswith(("pool", "fc", "softmax")):
            front.erase(node)
    front.set_output(0, "x")
    back.erase("features")
    features = front.get_network()(Tensor(IMAGES))
    return [list(features.shape), listed(back.get_network()(features)), listed(net(Tensor(IMAGES)))]
