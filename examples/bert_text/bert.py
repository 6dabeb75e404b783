"""A small BERT: learns from real text, is saved, and is tuned to tell two manuals apart.

usage: bert.py pretrain|tune CKPT
"""

import argparse
import inspect
import re
from pydoc_data import topics

import mindspore as ms
import numpy as np
from mindspore import dataset as ds
from mindspore import nn, ops, train
from mindspore.common.initializer import Normal

WORDS, LENGTH, WIDTH = 2000, 24, 64
PAD, MASK, FIRST, OTHER = range(4)  # the numbers of no word


def sentences():
    """Sentences of Python's reference manual and of numpy's, each with at least six words."""
    of_numpy = [inspect.getdoc(getattr(np, name)) or "" for name in dir(np) if callable(getattr(np, name))]
    for text in (" ".join(topics.topics.values()), " ".join(of_numpy)):
        found = (re.findall(r"[a-z]+", part.lower()) for part in re.split(r"[.:]\s", text))
        yield [words for words in found if len(words) >= 6]


def rows():
    """Numbers of words (sentences, LENGTH) and which manual each is from, in an order of their own; as many of both."""
    manuals = list(sentences())
    count = min(map(len, manuals))
    counts = {}
    for words in manuals[0] + manuals[1]:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    vocabulary = sorted(counts, key=counts.get, reverse=True)[: WORDS - 4]
    number = {word: place + 4 for place, word in enumerate(vocabulary)}
    chosen = [words for manual in manuals for words in manual[:count]]
    table = np.full((len(chosen), LENGTH), PAD, np.int32)
    for row, words in zip(table, chosen, strict=True):
        numbers = [FIRST, *(number.get(word, OTHER) for word in words)][:LENGTH]
        row[: len(numbers)] = numbers
    order = np.random.default_rng(0).permutation(len(chosen))
    return table[order], np.repeat(np.arange(2, dtype=np.int32), count)[order]


class Encoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, embedding_table=Normal(0.1))
        self.places = nn.Embedding(LENGTH, WIDTH, embedding_table=Normal(0.1))
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 2 * WIDTH, dropout=0.1, activation="gelu", batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)

    def construct(self, tokens):
        states = self.words(tokens) + self.places(ops.arange(LENGTH))
        return self.layers(states, src_key_padding_mask=tokens == PAD)


class Masked(nn.Cell):
    """The loss of the words that are masked."""

    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Dense(WIDTH, WORDS)
        self.loss = nn.CrossEntropyLoss(ignore_index=PAD)

    def construct(self, tokens, masked, wanted):
        states = self.encoder(tokens)
        places = ops.expand_dims(masked, -1).broadcast_to((-1, -1, WIDTH))
        return self.loss(self.head(ops.gather_elements(states, 1, places)).reshape(-1, WORDS), wanted.reshape(-1))


class Classifier(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Dense(WIDTH, 2)

    def construct(self, tokens):
        is_word = ops.expand_dims(tokens != PAD, -1).astype(ms.float32)
        return self.head((self.encoder(tokens) * is_word).sum(1) / is_word.sum(1))


def pretrain(path):
    tokens, _ = rows()
    draw = np.random.default_rng(1)
    masked = np.sort(draw.integers(1, 8, (len(tokens), 2)), 1).astype(np.int32)
    wanted = np.take_along_axis(tokens, masked, 1)
    hidden = tokens.copy()
    np.put_along_axis(hidden, masked, MASK, 1)
    data = ds.NumpySlicesDataset((hidden, masked, wanted), ["tokens", "masked", "wanted"]).batch(
        64, drop_remainder=True
    )
    net = Masked()
    rate = nn.cosine_decay_lr(1e-5, 5e-4, data.get_dataset_size(), data.get_dataset_size(), 1)
    model = train.Model(net, optimizer=nn.AdamWeightDecay(net.trainable_params(), rate, weight_decay=0.01))
    model.train(1, data, callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    ms.save_checkpoint(net.encoder, path)


def tune(path):
    tokens, labels = rows()
    cut = len(tokens) * 9 // 10
    data = ds.NumpySlicesDataset((tokens[:cut], labels[:cut]), ["tokens", "label"]).batch(64)
    held_out = ds.NumpySlicesDataset((tokens[cut:], labels[cut:]), ["tokens", "label"], shuffle=False).batch(256)
    net = Classifier()
    missing, _ = ms.load_param_into_net(net.encoder, ms.load_checkpoint(path))
    count = len(list(net.encoder.get_parameters()))
    print(f"loaded {count - len(missing)} of {count} parameters from {path}")
    optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-3)
    model = train.Model(net, nn.CrossEntropyLoss(), optimizer, metrics={"accuracy"})
    model.train(2, data, callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(held_out)["accuracy"]
    print(f"accuracy: {accuracy:.3f} of {len(labels) - cut}")
    print("sentences that were held out: above 85 % right:", accuracy > 0.85)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["pretrain", "tune"])
    parser.add_argument("ckpt")
    arguments = parser.parse_args()
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE, device_target="Ascend")
    {"pretrain": pretrain, "tune": tune}[arguments.what](arguments.ckpt)
