"""A hundred steps of training: the networks of the pages of r1.0 and r1.1, and others of the same parts.

Weights and data are those of numpy's generators, so that every release begins alike. What is compared are all losses.
"""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn
from mindspore.ops import composite, functional
from mindspore.ops import operations as P
from mindspore.train.callback import Callback
from mindspore.train.dataset_helper import DatasetHelper
from mindspore.train.model import Model

from tests.oracle.cases.r1_0._graph import in_graph_mode
from tests.oracle.cases.r1_0.seeds import script

STEPS = 100
SPREAD = 0.035  # where rounding stays rounding: at 0.05 a last bit of the weights moves LeNet's losses by 1e-3
CLASSES = 10


def begun(net):
    """Fill every Parameter by its position and shape: weights by the number of their inputs, what scales with ones."""
    for position, parameter in enumerate(net.get_parameters()):
        shape, kind = parameter.shape, parameter.name.split(".")[-1]
        numbers = np.random.RandomState(position).standard_normal(shape) * SPREAD
        if kind in ("gamma", "moving_variance"):
            numbers = np.ones(shape)
        elif len(shape) > 1:
            numbers *= 20 * np.prod(shape[1:]) ** -0.5
        parameter.set_data(Tensor(numbers.astype(np.float32)))
    return net


def rows(*shape, count=STEPS):
    """Samples, each that of its class under noise, and their classes."""
    random = np.random.RandomState(7)
    classes = random.randint(0, CLASSES, (count, shape[0])).astype(np.int32)
    of_classes = random.standard_normal((CLASSES, *shape[1:]))
    noise = random.standard_normal((count, *shape)) * 0.5
    return (of_classes[classes] + noise).astype(np.float32), classes


def losses_of(step, batches):
    """The loss of each step."""
    return np.array([step(*[Tensor(part) for part in batch]).asnumpy() for batch in batches], np.float32)


def entropy():
    return nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


def momentum(net):
    return nn.Momentum(net.trainable_params(), 0.01, 0.9)


def trained(net, batches, make=momentum, loss=None):
    """Losses of a network under an optimizer."""
    in_graph_mode()
    optimizer = make(begun(net))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss or entropy()), optimizer).set_train()
    return losses_of(step, batches)


# the pages


def dense(name):
    """The network with one Dense, by what the page takes."""
    module = script(name)
    random = np.random.RandomState(3)
    weight, bias = (Tensor(random.standard_normal(shape).astype(np.float32)) for shape in ((CLASSES, 16), CLASSES))
    net = module.ReLUReduceMeanDense(weight, bias, 16, CLASSES)
    optimizer = module.Momentum(
        learning_rate=0.1, momentum=0.1, params=filter(lambda p: p.requires_grad, net.get_parameters())
    )
    criterion = module.SoftmaxCrossEntropyWithLogits(sparse=False)
    step = module.TrainOneStepCell(module.WithLossCell(net, criterion), optimizer).set_train()
    x, y = rows(4, 16, 7, 7)
    return losses_of(step, zip(x, np.eye(CLASSES, dtype=np.float32)[y]))  # noqa: B905  1.0.0 has an older Python


def lenet(name):
    """The page's network, begun with our weights."""
    net = begun(script(name).LeNet5(CLASSES))
    net.batch_size = 8
    return net


def loop(name, sens=1.0):
    """The page's own step, which returns the gradient of the loss to the gradients."""
    net = lenet(name)
    step = script(name).TrainOneStepCell(nn.WithLossCell(net, entropy()), momentum(net), sens).set_train()
    return losses_of(step, zip(*rows(8, 1, 32, 32)))  # noqa: B905


def helped(name, sink_size=-1):
    """The page's loop over a DatasetHelper, which sinks nothing: a CPU cannot."""
    net = lenet(name)
    step = script(name).TrainOneStepCell(nn.WithLossCell(net, entropy()), momentum(net)).set_train()
    helper = DatasetHelper(pictures(), False, sink_size, 2)
    return np.array([step(*inputs).asnumpy() for _ in range(2) for inputs in helper], np.float32)


def pictures(count=STEPS // 2):
    x, y = rows(8, 1, 32, 32, count=count)
    ds.config.set_num_parallel_workers(1)  # 1.1 takes no more than there are cores
    columns = x.reshape(-1, 1, 32, 32), y.reshape(-1)
    samples = ds.NumpySlicesDataset(columns, ["image", "label"], shuffle=False)
    return samples.batch(8, drop_remainder=True)


class Losses(Callback):
    """Keeps the loss of every step, and what the network has learnt after every epoch."""

    def __init__(self, evaluate=None):
        super().__init__()
        self.losses, self.scores, self.evaluate = [], [], evaluate

    def step_end(self, run_context):
        self.losses.append(run_context.original_args().net_outputs.asnumpy())

    def epoch_end(self, run_context):
        if self.evaluate:
            self.scores.append(self.evaluate())


def modelled(name, sink=False, **options):
    """The page's Model, through all epochs; `sink` is what a CPU leaves out."""
    net = lenet(name)
    seen = Losses()
    scale = {"loss_scale": options["loss_scale_manager"].get_loss_scale()} if options else {}
    model = Model(net, entropy(), nn.Momentum(net.trainable_params(), 0.01, 0.9, **scale), **options)
    model.train(2, pictures(), callbacks=[seen], dataset_sink_mode=sink)
    return np.array(seen.losses, np.float32)


def evaluated(name):
    """Losses, and the accuracy after each of four epochs: inference while training."""
    net = lenet(name)
    model = Model(net, entropy(), momentum(net), metrics={"acc": nn.Accuracy(), "loss": nn.Loss()})
    seen = Losses(lambda: model.eval(pictures(5), dataset_sink_mode=False))
    model.train(4, pictures(STEPS // 4), callbacks=seen, dataset_sink_mode=False)
    return np.array(seen.losses, np.float32), seen.scores


# what the pages name: gradients of several batches, other optimizers, schedules, losses


class Summed(nn.Cell):
    """Adds the gradients of a batch to those before it."""

    def __init__(self, network, weights, sums):
        super().__init__(auto_prefix=False)
        self.network, self.weights, self.sums = network, weights, sums
        self.grad = composite.GradOperation(get_by_list=True, sens_param=False)
        self.add = P.AssignAdd()
        self.map = composite.HyperMap()

    def construct(self, data, label):
        loss = self.network(data, label)
        grads = self.grad(self.network, self.weights)(data, label)
        return functional.depend(loss, self.map(functional.partial(_add, self.add), self.sums, grads))


class Applied(nn.Cell):
    """Hands the sums to the optimizer."""

    def __init__(self, optimizer, sums):
        super().__init__(auto_prefix=False)
        self.optimizer, self.sums = optimizer, sums

    def construct(self):
        return self.optimizer(self.sums)


_add = composite.MultitypeFuncGraph("add_to_sum")


@_add.register("Function", "Tensor", "Tensor")
def _add_one(add, total, gradient):
    return add(total, gradient)


def accumulated(every=4):
    """Gradients summed over some batches before each update."""
    in_graph_mode()
    net = begun(Mlp())
    optimizer = momentum(net)
    sums = optimizer.parameters.clone(prefix="sum", init="zeros")
    summing = Summed(nn.WithLossCell(net, entropy()), optimizer.parameters, sums).set_train()
    applying = Applied(optimizer, sums)
    losses = []
    for number, batch in enumerate(zip(*rows(8, 12))):  # noqa: B905
        losses.append(summing(*[Tensor(part) for part in batch]).asnumpy())
        if number % every == every - 1:
            applying()
            for total in sums:
                total.asnumpy()  # 1.1 loses what is set where the device's numbers were not read
                total.set_data(Tensor(np.zeros(total.shape, np.float32)))
    return np.array(losses, np.float32)


class Mlp(nn.Cell):
    """Two layers."""

    def __init__(self, width=16, out=CLASSES):
        super().__init__()
        self.fc1 = nn.Dense(12, width)
        self.relu = nn.ReLU()
        self.fc2 = nn.Dense(width, out)

    def construct(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def grouped(net, decay=0.01):
    """The biases at a rate of their own, without decay."""
    weights = [p for p in net.trainable_params() if "weight" in p.name]
    biases = [p for p in net.trainable_params() if "weight" not in p.name]
    return [{"params": weights, "weight_decay": decay}, {"params": biases, "lr": 0.02}]


def steps(make):
    """Losses of the two layers under an optimizer."""
    return trained(Mlp(), zip(*rows(8, 12)), make)  # noqa: B905


def fitted(loss):
    """Losses of a regression."""
    x, _ = rows(8, 12)
    share = 0.5 + 0.5 * np.sin(x[..., 0] + x[..., 1] * x[..., 2])
    y = np.stack([share, 1 - share], axis=-1).astype(np.float32)
    return trained(Mlp(out=2), zip(x, y), loss=loss)  # noqa: B905


# larger parts


class Block(nn.Cell):
    """Two convolutions beside what they are given."""

    def __init__(self, width, norm):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, pad_mode="same")
        self.second = nn.Conv2d(width, width, 3, pad_mode="pad", padding=1)
        self.norm = nn.BatchNorm2d(width) if norm else nn.ReLU()
        self.relu = nn.ReLU()
        self.add = P.TensorAdd()

    def construct(self, x):
        return self.relu(self.add(self.second(self.norm(self.first(x))), x))


class Residual(nn.Cell):
    """A stem and two blocks, as a ResNet has them."""

    def __init__(self, norm):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2, pad_mode="pad", padding=1, has_bias=True)
        self.blocks = nn.SequentialCell([Block(8, norm), Block(8, norm)])
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        self.flatten = nn.Flatten()
        self.head = nn.Dense(8 * 4 * 4, CLASSES)

    def construct(self, x):
        return self.head(self.flatten(self.blocks(self.pool(self.stem(x)))))


class Separable(nn.Cell):
    """A convolution of each channel, and one across them."""

    def __init__(self):
        super().__init__()
        self.depthwise = nn.Conv2d(3, 3, 3, pad_mode="same", group=3)
        self.norm = nn.BatchNorm2d(3)
        self.relu = nn.ReLU6()
        self.pointwise = nn.Conv2d(3, 8, 1)
        self.pool = nn.AvgPool2d(4, 4)
        self.flatten = nn.Flatten()
        self.head = nn.Dense(8 * 4 * 4, CLASSES)

    def construct(self, x):
        x = self.pointwise(self.relu(self.norm(self.depthwise(x))))
        return self.head(self.flatten(self.pool(x)))


def convolved(net, make=momentum):
    """Losses of a network of pictures."""
    return trained(net, zip(*rows(8, 3, 16, 16)), make)  # noqa: B905


class Sentiment(nn.Cell):
    """Words, an LSTM, and a Dense over its last outputs."""

    def __init__(self, one_hot=False, width=8):
        super().__init__()
        self.embedding = nn.Embedding(40, 6, use_one_hot=one_hot)
        self.transpose = P.Transpose()
        self.lstm = nn.LSTM(6, width, has_bias=False)  # the gradient of 1.0.0 has two biases, its weight one
        self.state = Tensor(np.zeros((1, 8, width), np.float32))
        self.decoder = nn.Dense(width, CLASSES)

    def construct(self, words):
        x = self.transpose(self.embedding(words), (1, 0, 2))
        out, _ = self.lstm(x, (self.state, self.state))
        return self.decoder(out[4])


class Encoder(nn.Cell):
    """One head of attention over words, normalized, and a pooled first word, of the operators that a CPU had."""

    def __init__(self, width=8):
        super().__init__()
        self.embedding = nn.Embedding(40, width, use_one_hot=True)
        self.query, self.key, self.value = (nn.Dense(width, width) for _ in range(3))
        self.scores = P.MatMul(transpose_b=True)
        self.weigh = P.MatMul()
        self.softmax = P.Softmax()
        self.gamma = ms.Parameter(Tensor(np.ones(width, np.float32)), name="gamma")
        self.beta = ms.Parameter(Tensor(np.zeros(width, np.float32)), name="beta")
        self.mean = P.ReduceMean(keep_dims=True)
        self.sqrt = P.Sqrt()
        self.pooler = nn.Dense(width, width)
        self.tanh = P.Tanh()
        self.head = nn.Dense(width, CLASSES)
        self.scale = width**-0.5

    def construct(self, words):
        x = self.embedding(words)
        weights = self.softmax(self.scores(self.query(x), self.key(x)) * self.scale)
        x = x + self.weigh(weights, self.value(x))
        centred = x - self.mean(x, -1)
        x = centred / self.sqrt(self.mean(centred * centred, -1) + 1e-5) * self.gamma + self.beta
        return self.head(self.tanh(self.pooler(x)))


def read(net, *shape, make=momentum):
    """Losses of a network of words: their sum decides, or each does."""
    random = np.random.RandomState(9)
    words = random.randint(0, 40, (STEPS, *shape)).astype(np.int32)
    labels = words % CLASSES if len(shape) == 1 else words[..., -1] % CLASSES
    return trained(net, zip(words, labels.astype(np.int32)), make)  # noqa: B905
