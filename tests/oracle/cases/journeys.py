"""Whole trainings, as scripts of several releases write them: losses of every step and weights at the end."""

import tempfile

import mindspore as ms
import numpy as np
from mindspore import Model, ParameterTuple, Tensor, amp, nn, ops
from mindspore.common.initializer import Normal
from mindspore.dataset import NumpySlicesDataset
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.train import Callback, RunContext

from tests.oracle.case import Case
from tests.oracle.cases._fixed import fixed

IMAGES = (np.sin(np.arange(8 * 144) * 0.37).reshape(8, 1, 12, 12) + np.arange(8).reshape(8, 1, 1, 1) / 4).astype(
    np.float32
)
LABELS = (np.arange(8) % 4).astype(np.int32)


class LeNet(nn.Cell):
    """The network of the r1.x tutorials, for images of 12 x 12."""

    def __init__(self, classes: int = 4) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, pad_mode="valid")
        self.conv2 = nn.Conv2d(3, 4, 3, pad_mode="same", has_bias=True)
        self.fc1 = nn.Dense(36, 8, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(8, classes, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.pool = nn.AvgPool2d(2, 2, pad_mode="same")
        self.flatten = nn.Flatten()

    def construct(self, x: Tensor) -> Tensor:
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc2(x)


class Block(nn.Cell):
    """A residual block in the style of models/official."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, pad_mode="pad", padding=1)
        self.bn = nn.BatchNorm2d(channels, momentum=0.9)
        self.relu = P.ReLU()
        self.add = P.Add()

    def construct(self, x: Tensor) -> Tensor:
        return self.relu(self.add(self.bn(self.conv(x)), x))


class Residual(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 3, stride=2, pad_mode="same")
        self.blocks = nn.SequentialCell([Block(2), Block(2)])
        self.mean = P.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.end = nn.Dense(2, 4)

    def construct(self, x: Tensor) -> Tensor:
        x = self.blocks(self.stem(x))
        return self.end(self.flatten(self.mean(x, (2, 3))))


class Words(nn.Cell):
    """Embedding, LSTM, mean over time, LayerNorm, Dense."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(6, 3)
        self.lstm = nn.LSTM(3, 4, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm((8,))
        self.end = nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        x, _ = self.lstm(self.embedding(x))
        return self.end(self.norm(x.mean(axis=1)))


class Attention(nn.Cell):
    """One head, written with primitives and masks."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = nn.Dense(12, 4), nn.Dense(12, 4), nn.Dense(12, 4)
        self.matmul_t = P.BatchMatMul(transpose_b=True)
        self.matmul = P.BatchMatMul()
        self.softmax = P.Softmax()
        self.norm = nn.LayerNorm((4,))
        self.end = nn.Dense(4, 4, activation="gelu")

    def construct(self, x: Tensor) -> Tensor:
        x = x.squeeze(1)
        scores = self.matmul_t(self.query(x), self.key(x)) / 2.0
        mask = ops.tril(ops.ones_like(scores))
        scores = scores + (1.0 - mask) * -1e4
        x = self.norm(self.matmul(self.softmax(scores), self.value(x)))
        return self.end(x[:, -1])


class Losses(Callback):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[float] = []

    def step_end(self, run_context: RunContext) -> None:
        self.seen.append(run_context.original_args().net_outputs.asnumpy().item())


class TrainOneStep(nn.Cell):
    """The training Cell that r1.x models write themselves: GradOperation by list, sens, clipping through HyperMap."""

    def __init__(self, network: nn.Cell, optimizer: nn.Optimizer, sens: float = 8.0) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.hyper_map = C.HyperMap()
        self.cast = P.Cast()

    def construct(self, *inputs: Tensor) -> Tensor:
        loss = self.network(*inputs)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        grads = self.hyper_map(F.partial(clip_gradient, self.sens), grads)
        return F.depend(loss, self.optimizer(grads))


clip_gradient = C.MultitypeFuncGraph("clip_gradient")


@clip_gradient.register("Number", "Tensor")
def _clip_gradient(sens: float, grad: Tensor) -> Tensor:
    return C.clip_by_value(grad / sens, Tensor(-0.5, ms.float32), Tensor(0.5, ms.float32))


def weights(net: nn.Cell) -> dict[str, np.ndarray]:
    return {p.name: p.asnumpy() for p in net.get_parameters()}


def dataset() -> NumpySlicesDataset:
    return NumpySlicesDataset((IMAGES, LABELS), ["image", "label"], shuffle=False).batch(4)


def with_model(net: nn.Cell, optimizer: object, epochs: int = 3, **options: object) -> tuple:
    """`Model.train` and `eval`."""
    fixed(net)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, optimizer(net.trainable_params()), metrics={"Accuracy": nn.Accuracy()}, **options)
    callback = Losses()
    model.train(epochs, dataset(), callbacks=[callback], dataset_sink_mode=False)
    return callback.seen, model.eval(dataset(), dataset_sink_mode=False), weights(net)


def functional(
    net: nn.Cell, optimizer: object, x: np.ndarray = IMAGES, steps: int = 5, compiled: bool = False
) -> tuple:
    """`value_and_grad` in a loop, as release 2 teaches it."""
    fixed(net)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = optimizer(net.trainable_params())

    def forward(data: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
        logits = net(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(data: Tensor, label: Tensor) -> Tensor:
        (loss, _), grads = grad_fn(data, label)
        optimizer(grads)
        return loss

    net.set_train()
    run = ms.jit(step) if compiled else step
    losses = [run(Tensor(x), Tensor(LABELS)).asnumpy().item() for _ in range(steps)]
    net.set_train(False)
    return losses, net(Tensor(x)), weights(net)


def own_step(net: nn.Cell, optimizer: object, steps: int = 4, recording: bool = True) -> tuple:
    """A training Cell of one's own; without `set_grad`, forward runs twice a step, and BatchNorm counts it twice."""
    fixed(net)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    cell = TrainOneStep(loss, optimizer(net.trainable_params()))
    loss.set_grad(recording)
    cell.set_train()
    losses = [cell(Tensor(IMAGES), Tensor(LABELS)).asnumpy().item() for _ in range(steps)]
    return losses, weights(net), [p.name for p in cell.get_parameters()]


def scaled(net: nn.Cell, steps: int = 4) -> list[float]:
    """Dynamic loss scaling by hand."""
    fixed(net)
    optimizer, loss_fn = nn.Adam(net.trainable_params(), 0.01), nn.CrossEntropyLoss()
    scaler = amp.DynamicLossScaler(scale_value=2**8, scale_factor=2, scale_window=2)

    def forward(data: Tensor, label: Tensor) -> Tensor:
        return scaler.scale(loss_fn(net(data), label))

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)
    losses = []
    for _ in range(steps):
        loss, grads = grad_fn(Tensor(IMAGES), Tensor(LABELS))
        grads = scaler.unscale(grads)
        if amp.all_finite(grads):
            optimizer(grads)
        scaler.adjust(amp.all_finite(grads))
        losses.append(scaler.unscale(loss).asnumpy().item())
    return [*losses, float(scaler.scale_value.asnumpy())]


class Accumulating(nn.Cell):
    """Gradient accumulation of r1.x: buffers, HyperMap over assigns, an update every second call."""

    def __init__(self, network: nn.Cell, optimizer: nn.Optimizer) -> None:
        super().__init__(auto_prefix=False)
        self.network, self.optimizer = network, optimizer
        self.weights = optimizer.parameters
        self.sums = self.weights.clone(prefix="sums", init="zeros")
        self.grad = C.GradOperation(get_by_list=True)
        self.map = C.HyperMap()

    def construct(self, *inputs: Tensor) -> Tensor:
        loss = self.network(*inputs)
        grads = self.grad(self.network, self.weights)(*inputs)
        return F.depend(loss, self.map(add_to, self.sums, grads))

    def update(self) -> None:
        self.optimizer(tuple(total / 2 for total in self.sums))
        self.map(clear, self.sums)


add_to = C.MultitypeFuncGraph("add_to")
clear = C.MultitypeFuncGraph("clear")


@add_to.register("Tensor", "Tensor")
def _add_to(total: Tensor, grad: Tensor) -> Tensor:
    return ops.assign_add(total, grad)


@clear.register("Tensor")
def _clear(total: Tensor) -> Tensor:
    return ops.assign(total, ops.zeros_like(total))


class ThreeInputs(nn.Cell):
    """A network that takes all columns and returns its loss, as detection models do."""

    def __init__(self) -> None:
        super().__init__()
        self.net = LeNet()
        self.loss = P.SparseSoftmaxCrossEntropyWithLogits()
        self.one_hot = P.OneHot()
        self.cross = P.SigmoidCrossEntropyWithLogits()
        self.mean = P.ReduceMean()

    def construct(self, image: Tensor, label: Tensor, weight: Tensor) -> Tensor:
        logits = self.net(image)
        hot = self.one_hot(label, 4, Tensor(1.0), Tensor(0.0))
        return self.mean(self.cross(logits, hot) * P.ExpandDims()(weight, 1))


class Generator(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Dense(3, 6, has_bias=False), nn.BatchNorm1d(6), nn.LeakyReLU(), nn.Dense(6, 2), nn.Tanh()
        )

    def construct(self, z: Tensor) -> Tensor:
        return self.layers(z)


class Critic(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(2, 5), nn.LeakyReLU(0.1), nn.Dense(5, 1))

    def construct(self, x: Tensor) -> Tensor:
        return self.layers(x)


def accumulated() -> tuple:
    net = fixed(LeNet())
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    cell = Accumulating(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    losses = []
    for _ in range(2):
        losses += [
            cell(Tensor(part), Tensor(labels))
            for part, labels in zip(np.split(IMAGES, 2), np.split(LABELS, 2), strict=True)
        ]
        cell.update()
    return losses, weights(net), [p.name for p in cell.get_parameters()]


def three_columns() -> tuple:
    net = fixed(ThreeInputs())
    columns = (IMAGES, LABELS, np.linspace(0.5, 1.5, 8).astype(np.float32))
    data = NumpySlicesDataset(columns, ["image", "label", "weight"], shuffle=False).batch(4)
    model = Model(net, optimizer=nn.Adam(net.trainable_params(), 0.01))
    callback = Losses()
    model.train(2, data, callbacks=callback, dataset_sink_mode=False)
    return callback.seen, weights(net)


def fitted() -> tuple:
    """`fit` trains and evaluates in turn; BatchNorm follows the mode."""
    net = fixed(Residual())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.05, 0.9), metrics={"acc", "loss"})
    callback = Losses()
    model.fit(2, dataset(), dataset(), callbacks=[Quiet(callback)])
    return callback.seen, weights(net), net.training


class Quiet(Callback):
    """Hands training steps on, under the names of release 2."""

    def __init__(self, inner: Losses) -> None:
        super().__init__()
        self.inner = inner

    def on_train_step_end(self, run_context: RunContext) -> None:
        self.inner.step_end(run_context)


def frozen_layers() -> tuple:
    net = fixed(LeNet())
    for parameter in net.get_parameters():
        parameter.requires_grad = parameter.name.startswith("fc2")
    losses, _, after = functional(net, lambda p: nn.SGD(p, 0.1), steps=2)
    return losses, [p.name for p in net.trainable_params()], after


def adversarial(steps: int = 3) -> tuple:
    """Two networks, two optimizers, a detached path, a gradient penalty."""
    generator, critic = fixed(Generator()).set_train(), fixed(Critic()).set_train()
    for_generator = nn.Adam(generator.trainable_params(), 0.05, 0.5)
    for_critic = nn.RMSProp(critic.trainable_params(), 0.02)
    z = Tensor(np.sin(np.arange(12)).reshape(4, 3).astype(np.float32))
    real = Tensor(np.cos(np.arange(8)).reshape(4, 2).astype(np.float32))

    def penalty(x: Tensor) -> Tensor:
        slopes = ms.grad(lambda data: critic(data).sum())(x)
        return ((ops.sqrt((slopes * slopes).sum(1) + 1e-6) - 1) ** 2).mean()

    def critic_loss(z: Tensor, real: Tensor) -> Tensor:
        fake = ops.stop_gradient(generator(z))
        return critic(fake).mean() - critic(real).mean() + 10 * penalty((fake + real) / 2)

    def generator_loss(z: Tensor) -> Tensor:
        return -critic(generator(z)).mean()

    critic_step = ms.value_and_grad(critic_loss, None, for_critic.parameters)
    generator_step = ms.value_and_grad(generator_loss, None, for_generator.parameters)
    losses = []
    for _ in range(steps):
        loss, grads = critic_step(z, real)
        for_critic(grads)
        losses.append(loss)
        loss, grads = generator_step(z)
        for_generator(grads)
        losses.append(loss)
    return losses, weights(generator), weights(critic)


def wrapped(steps: int = 3) -> tuple:
    """nn.TrainOneStepCell around a network with BatchNorm, then inference."""
    net = fixed(Residual())
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    cell = nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.05, 0.9))
    cell.set_train()
    losses = [cell(Tensor(IMAGES), Tensor(LABELS)) for _ in range(steps)]
    cell.set_train(False)
    return losses, net(Tensor(IMAGES)), weights(net)


def averaged(steps: int = 3) -> tuple:
    """A moving average of the weights, kept with HyperMap and assign."""
    net = fixed(LeNet())
    shadow = ParameterTuple(net.trainable_params()).clone("ema", "same")
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    grad_fn = ms.value_and_grad(lambda x, y: nn.CrossEntropyLoss()(net(x), y), None, optimizer.parameters)
    for _ in range(steps):
        _, grads = grad_fn(Tensor(IMAGES), Tensor(LABELS))
        optimizer(grads)
        C.HyperMap()(average, shadow, optimizer.parameters)
    return {p.name: p.asnumpy() for p in shadow}


average = C.MultitypeFuncGraph("average")


@average.register("Tensor", "Tensor")
def _average(shadow: Tensor, weight: Tensor) -> Tensor:
    return ops.assign(shadow, shadow * 0.9 + weight * 0.1)


def half_precision(steps: int = 3) -> list:
    net = fixed(LeNet())
    for cell in (net.conv1, net.conv2, net.fc1, net.fc2):
        cell.to_float(ms.float16)
    losses, _, _ = functional(net, lambda p: nn.SGD(p, 0.05), steps=steps)
    return losses, str(net.conv1.weight.dtype), str(net(Tensor(IMAGES)).dtype)


def resumed() -> tuple:
    """Train, save, load into a fresh net and optimizer, continue: as if it had never stopped."""
    with tempfile.TemporaryDirectory() as folder:
        first = fixed(LeNet())
        cell = nn.TrainOneStepCell(with_loss(first), nn.Momentum(first.trainable_params(), 0.1, 0.9)).set_train()
        losses = [cell(Tensor(IMAGES), Tensor(LABELS)) for _ in range(2)]
        ms.save_checkpoint(cell, f"{folder}/net.ckpt")
        second = LeNet()
        again = nn.TrainOneStepCell(with_loss(second), nn.Momentum(second.trainable_params(), 0.1, 0.9)).set_train()
        not_loaded = ms.load_param_into_net(again, ms.load_checkpoint(f"{folder}/net.ckpt"))
        losses += [again(Tensor(IMAGES), Tensor(LABELS)) for _ in range(2)]
    return losses, not_loaded, again.optimizer.global_step.asnumpy()


def with_loss(net: nn.Cell) -> nn.Cell:
    return nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))


def recurrent() -> tuple:
    """A loop over time with Cells of one step; gradients through it."""
    cell, end = fixed(nn.LSTMCell(3, 4)), fixed(nn.Dense(4, 1))
    x = Tensor(np.sin(np.arange(24)).reshape(4, 2, 3).astype(np.float32))

    def loss(x: Tensor) -> Tensor:
        h = c = ops.zeros((2, 4), ms.float32)
        for step in x:
            h, c = cell(step, (h, c))
        return end(h).sum()

    return ms.value_and_grad(loss, 0, [*cell.trainable_params(), *end.trainable_params()])(x)


def sampled() -> Tensor:
    """Gradients for every sample, through vmap."""
    net = fixed(nn.Dense(3, 1))

    def loss(x: Tensor) -> Tensor:
        return (net(x) ** 2).sum()

    return ms.vmap(ms.grad(loss))(Tensor(np.arange(6).reshape(2, 3).astype(np.float32)))


TEXT = (np.arange(8 * 5).reshape(8, 5) * 7 % 6).astype(np.int32)
SLOW = "lambda p: nn.SGD(p, nn.cosine_decay_lr(0.01, 0.1, 15, 5, 3), 0.9, weight_decay=1e-3)"

CASES = [
    Case(expression, tolerance=1e-3)  # a few steps, each on sums in another order
    for expression in (
        "with_model(LeNet(), lambda p: nn.Momentum(p, 0.05, 0.9))",
        "with_model(LeNet(), lambda p: nn.Adam(p, 0.01))",
        "with_model(Residual(), lambda p: nn.Momentum(p, 0.05, 0.9, weight_decay=1e-2))",
        "with_model(Residual(), lambda p: nn.SGD(p, [0.1, 0.1, 0.05, 0.05, 0.01, 0.01]))",
        "with_model(LeNet(), lambda p: nn.Momentum(p, 0.05, 0.9), amp_level='O0')",
        "with_model(LeNet(), lambda p: nn.Momentum([{'params': p[:2], 'lr': 0.1}, {'params': p[2:]}], 0.05, 0.9))",
        "functional(LeNet(), lambda p: nn.Adam(p, 0.01))",
        "functional(LeNet(), lambda p: nn.SGD(p, 0.1), compiled=True)",
        "functional(Residual(), lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.1))",
        f"functional(Residual(), {SLOW})",
        "functional(Words(), lambda p: nn.Adam(p, 0.05), TEXT)",
        "functional(Attention(), lambda p: nn.RMSProp(p, 0.01))",
        "own_step(LeNet(), lambda p: nn.Momentum(p, 0.1, 0.9))",
        "own_step(Residual(), lambda p: nn.Adam(p, 0.01))",
        "own_step(Residual(), lambda p: nn.Adam(p, 0.01), recording=False)",
        "scaled(LeNet())",
        "accumulated()",
        "three_columns()",
        "fitted()",
        "frozen_layers()",
        "adversarial()",
        "wrapped()",
        "averaged()",
        "resumed()",
        "recurrent()",
        "sampled()",
    )
] + [Case("half_precision()", tolerance=2e-2)]  # float16 inside
