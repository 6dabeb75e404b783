"""Train LeNet5 on MNIST in data-sink mode on an Ascend: a MindSpore script that knows nothing of msbridge.

usage: lenet_mnist.py DATA_DIR CKPT [--epochs N]
"""

import argparse
import os

import mindspore.dataset as ds
import mindspore.dataset.transforms.c_transforms as CT
import mindspore.dataset.vision.c_transforms as CV
import mindspore.nn as nn
from mindspore import Model, context, save_checkpoint, set_seed
from mindspore import dtype as mstype
from mindspore.common.initializer import Normal
from mindspore.dataset.vision import Inter
from mindspore.nn import Accuracy
from mindspore.train.callback import LossMonitor, TimeMonitor


class LeNet5(nn.Cell):
    def __init__(self, num_class=10, num_channel=1):
        super().__init__()
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid", has_bias=True)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.02))
        self.fc3 = nn.Dense(84, num_class, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def create_dataset(folder, batch_size=32, training=True):
    data = ds.MnistDataset(folder, shuffle=training)
    resize = CV.Resize((32, 32), interpolation=Inter.LINEAR)
    rescale = CV.Rescale(1.0 / 255.0, 0.0)
    normalize = CV.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081)
    data = data.map(operations=CT.TypeCast(mstype.int32), input_columns="label")
    data = data.map(operations=[resize, rescale, normalize, CV.HWC2CHW()], input_columns="image")
    return data.batch(batch_size, drop_remainder=training)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("ckpt")
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()

    set_seed(1)
    context.set_context(mode=context.GRAPH_MODE, device_target="Ascend")
    train = create_dataset(os.path.join(args.data, "train"))
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9)
    model = Model(network, loss, optimizer, metrics={"Accuracy": Accuracy()})

    steps = train.get_dataset_size()
    model.train(args.epochs, train, callbacks=[LossMonitor(), TimeMonitor(steps)], dataset_sink_mode=True)
    result = model.eval(create_dataset(os.path.join(args.data, "test"), training=False), dataset_sink_mode=False)
    print("============== {} ==============".format(result))
    save_checkpoint(network, args.ckpt)


if __name__ == "__main__":
    main()
