"""Train on handwritten digits with a loop by hand, in float16, with a loss scale that finds its size."""

import mindspore as ms
import numpy as np
from mindspore import amp, nn, ops
from mindspore import dataset as ds
from sklearn.datasets import load_digits


def digits():
    found = load_digits()
    order = np.random.default_rng(0).permutation(len(found.target))
    images, labels = (found.images[order, None] / 16).astype(np.float32), found.target[order].astype(np.int32)
    return (images[:1400], labels[:1400]), (ms.Tensor(images[1400:]), labels[1400:])


def network():
    first = [nn.Conv2d(1, 16, 3, has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2)]
    return nn.SequentialCell(*first, nn.Flatten(), nn.Dense(16 * 4 * 4, 64), nn.ReLU(), nn.Dense(64, 10))


def main():
    ms.set_seed(1)
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="Ascend")
    train, (test_images, test_labels) = digits()
    data = ds.NumpySlicesDataset(train, ["image", "label"], shuffle=True).batch(50)

    net = amp.auto_mixed_precision(network(), "O2")
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.05, momentum=0.9)
    scaler = amp.DynamicLossScaler(scale_value=2**24, scale_factor=2, scale_window=100)

    def forward(image, label):
        logits = net(image)
        return scaler.scale(ops.cross_entropy(logits.astype(ms.float32), label)), logits

    differentiate = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    net.set_train()
    skipped = 0
    for epoch in range(8):
        for image, label in data:
            (loss, _), gradients = differentiate(image, label)
            is_finite = amp.all_finite(gradients)
            if is_finite:
                optimizer(scaler.unscale(gradients))
            skipped += not is_finite
            loss = scaler.unscale(loss)
            scaler.adjust(is_finite)
        print(f"epoch {epoch}: loss {float(loss):.3f}, scale {float(scaler.scale_value):.0f}, {skipped} steps left out")
    net.set_train(False)
    accuracy = (net(test_images).argmax(1).asnumpy() == test_labels).mean()
    print("accuracy above 0.95:", accuracy > 0.95)


if __name__ == "__main__":
    main()
