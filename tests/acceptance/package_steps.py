"""Train small networks with what packages of the index add to MindSpore; jobs of the acceptance run.

    package_steps.py PACKAGE

Runs in the folder of the package's wheel, unpacked. Prints a line of JSON for each network: its name, and what went
wrong. That all of a package's modules can be imported, but for those that lack another package, is a case as well.
"""

import importlib
import json
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator

sys.path.insert(0, ".")
os.environ["TL_BACKEND"] = "mindspore"  # tensorlayerx reads it when it is imported

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

__all__ = ["NETWORKS"]

Losses = Iterator[float]
DRAW = np.random.default_rng(0)


def some(*shape: int) -> Tensor:
    return Tensor(DRAW.standard_normal(shape).astype(np.float32))


def classes(count: int) -> Tensor:
    return Tensor(np.arange(count, dtype=np.int32) % 3)


def tensorlayerx_layers(layer: str, *shape: int, **settings: object) -> Callable[[], Losses]:
    """Return what trains a layer of tensorlayerx between a batch of inputs and a linear layer."""

    def train() -> Losses:
        import tensorlayerx as tlx

        class Network(tlx.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.layer = getattr(tlx.nn, layer)(**settings)
                self.flatten = tlx.nn.Flatten()
                self.last = tlx.nn.Linear(out_features=3, in_features=self.flatten(self.run(some(12, *shape))).shape[1])

            def run(self, x: Tensor) -> Tensor:
                found = self.layer(x)
                return found[0] if isinstance(found, tuple) else found

            def forward(self, x: Tensor) -> Tensor:
                return self.last(self.flatten(self.run(x)))

        network = Network()
        network.set_train()
        with_loss = tlx.model.WithLoss(network, tlx.losses.softmax_cross_entropy_with_logits)
        step = tlx.model.TrainOneStep(with_loss, tlx.optimizers.Adam(lr=0.01), network.trainable_weights)
        x, y = some(12, *shape), classes(12)
        for _ in range(6):
            yield float(step(x, y))

    return train


def hash_embedding() -> Losses:
    from mindspore_rec import HashEmbeddingLookup, RecModel

    class Network(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.rows = HashEmbeddingLookup(embedding_size=4, sparse=False)
            self.last = nn.Dense(12, 3)

        def construct(self, x: Tensor) -> Tensor:
            return self.last(ops.reshape(self.rows(x), (-1, 12)))

    class Stop(ms.train.Callback):  # RecModel trains for ever
        losses: list[float] = []

        def on_train_step_end(self, run_context: object) -> None:
            self.losses.append(float(run_context.original_args().net_outputs))
            if len(self.losses) == 12:
                raise KeyboardInterrupt

    network, loss = Network(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = RecModel(network, loss, nn.Adam(network.trainable_params(), 0.05))
    rows = [(DRAW.integers(0, 50, 3).astype(np.int32), np.int32(number % 3)) for number in range(16)]
    data = ms.dataset.GeneratorDataset(rows, ["x", "y"], shuffle=False).batch(8)
    try:
        model.online_train(data, callbacks=[Stop()], dataset_sink_mode=False)
    except KeyboardInterrupt:
        yield from Stop.losses


def transformer_encoder() -> Losses:
    from MindsporeTrainer.modeling.modeling_adapter import TrainOneStepCell
    from MindsporeTrainer.modeling.transformer.transformer import TransformerEncoder

    class Network(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            sizes = {"hidden_size": 16, "ffn_hidden_size": 32, "seq_length": 8, "num_heads": 2}
            self.encoder = TransformerEncoder(batch_size=4, num_layers=2, **sizes)
            self.last, self.loss = nn.Dense(16, 3), nn.CrossEntropyLoss()

        def construct(self, x: Tensor, mask: Tensor, y: Tensor) -> tuple[Tensor]:
            found = self.encoder(x, mask)[0][:, 0].astype(ms.float32)
            return (self.loss(self.last(found), y),)

    network = Network()
    step = TrainOneStepCell(network, nn.Adam(network.trainable_params(), 1e-2))
    step.set_train()
    x, mask, y = some(4, 8, 16), ops.ones((4, 8, 8)), classes(4)
    for _ in range(6):
        yield float(step(x, mask, y)[0])


def tinyms_network(name: str, size: int, channels: int = 3, **settings: object) -> Callable[[], Losses]:
    """Return what trains an image classifier of tinyms through its Model."""

    def train() -> Losses:
        from tinyms import model
        from tinyms.callbacks import Callback
        from tinyms.data import NumpySlicesDataset
        from tinyms.losses import SoftmaxCrossEntropyWithLogits
        from tinyms.optimizers import Adam

        losses: list[float] = []

        class Keep(Callback):
            def step_end(self, run_context: object) -> None:
                losses.append(float(run_context.original_args().net_outputs))

        network = getattr(model, name)(class_num=3, **settings)
        net = model.Model(network)
        loss = SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        net.compile(loss_fn=loss, optimizer=Adam(network.trainable_params(), 1e-3))
        images = some(6, channels, size, size).asnumpy()
        data = NumpySlicesDataset((images, classes(6).asnumpy()), ["image", "label"], shuffle=False).batch(6)
        net.train(6, data, callbacks=[Keep()], dataset_sink_mode=False)
        yield from losses

    return train


RECURRENT = {"input_size": 8, "hidden_size": 6, "batch_first": True}
CONVOLUTION = {"in_channels": 2, "padding": "SAME", "data_format": "channels_first"}
#: by package, what trains each network
NETWORKS: dict[str, dict[str, Callable[[], Losses]]] = {
    "tensorlayerx": {
        "linear": tensorlayerx_layers("Linear", 8, out_features=6, in_features=8),
        "convolution": tensorlayerx_layers(
            "Conv2d", 2, 8, 8, out_channels=4, kernel_size=(3, 3), stride=(1, 1), **CONVOLUTION
        ),
        "batch normalization": tensorlayerx_layers(
            "BatchNorm2d", 2, 4, 4, num_features=2, data_format="channels_first"
        ),
        "LSTM": tensorlayerx_layers("LSTM", 5, 8, **RECURRENT),
        "LSTM, two layers, both ways": tensorlayerx_layers("LSTM", 5, 8, num_layers=2, bidirectional=True, **RECURRENT),
        "GRU": tensorlayerx_layers("GRU", 5, 8, **RECURRENT),
        "RNN": tensorlayerx_layers("RNN", 5, 8, **RECURRENT),
    },
    "mindspore_rec": {"a hash table of embeddings, online": hash_embedding},
    "MindsporeTrainer": {"a Transformer's encoder": transformer_encoder},
    "tinyms": {
        "LeNet": tinyms_network("lenet5", 32, 1),
        "MobileNetV2": tinyms_network("mobilenetv2", 32),
    },
}


def problem_of_imports(package: str) -> str:
    """Import every module; return what failed that is no other package's absence."""
    found = []
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.", lambda name: None):
        try:
            importlib.import_module(info.name)
        except ModuleNotFoundError as error:
            if "mindspore" in str(error):
                found.append(f"{info.name}: {error}")
        except ImportError as error:
            found.append(f"{info.name}: {error}")
        except AttributeError as error:
            found.append(f"{info.name}: {error}")
        except Exception as error:
            print(f"{info.name}: {error!r}", file=sys.stderr)  # an error of the package's own
    return "; ".join(found)


def problem_of_training(train: Callable[[], Losses]) -> str:
    """Train; return what went wrong."""
    try:
        losses = [*train()]
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:300]
    return "" if losses[-1] < losses[0] else f"the losses are {losses}"


if __name__ == "__main__":
    _, package = sys.argv
    print(json.dumps({"case": "imports", "problem": problem_of_imports(package)}), flush=True)
    for name, train in NETWORKS[package].items():
        print(json.dumps({"case": name, "problem": problem_of_training(train)}), flush=True)
