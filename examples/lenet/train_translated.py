"""Train the LeNet5 of another file on MNIST, in data-sink mode on an Ascend.

usage: train_translated.py NETWORK_FILE DATA_DIR [--epochs N]
"""

import argparse
import runpy
from pathlib import Path

from lenet_mnist import create_dataset
from mindspore import Model, context, nn, set_seed
from mindspore.nn import Accuracy
from mindspore.train.callback import LossMonitor


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("data", type=Path)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()

    set_seed(1)
    context.set_context(mode=context.GRAPH_MODE, device_target="Ascend")
    network = runpy.run_path(args.network)["LeNet5"]()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Adam(network.trainable_params(), learning_rate=0.002)
    model = Model(network, loss, optimizer, metrics={"Accuracy": Accuracy()})
    model.train(
        args.epochs, create_dataset(str(args.data / "train")), callbacks=[LossMonitor()], dataset_sink_mode=True
    )
    test = create_dataset(str(args.data / "test"), training=False)
    print(model.eval(test, dataset_sink_mode=False))


if __name__ == "__main__":
    main()
