"""Build one network of a checkout, run it forward and backward, and step it when told; `compare.py` starts it.

PYTHON compared_networks.py FOLDER NAME CHECKPOINT RESULTS [nudged]   # the real MindSpore, or `msbridge run` for PYTHON
msbridge run compared_networks.py                                     # prints the names

The first run writes the checkpoint, a second one reads it. RESULTS (.npz) takes outputs and gradients; "nudged", of
inputs that are one unit of float32 larger: what they change then is rounding. Then each line of
the standard input, a number of training steps, is answered by a line of JSON with the seconds, those of the processors
and the last loss.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn, ops

__all__ = ["NETWORKS"]

#: a maker takes the folder of the checkouts, and returns the network, its inputs and, if it returns no loss, labels
Made = "tuple[nn.Cell, tuple[np.ndarray, ...], np.ndarray | None]"  # quoted for the Pythons of earlier releases
RNG = np.random.default_rng(7)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def below(top: int, *shape: int) -> np.ndarray:
    return RNG.integers(0, top, shape).astype(np.int32)


def cv(folder: Path, name: str, side: int = 64, batch: int = 4, level: str = "O0", **settings: Any) -> Made:
    """A network of mindcv; `level` is what its `amp_level` takes."""
    sys.path.insert(0, str(folder / "mindcv"))
    network = importlib.import_module("mindcv.models").create_model(name, num_classes=10, **settings)
    if level != "O0":
        importlib.import_module("mindspore.amp").auto_mixed_precision(network, level)
    return network, (floats(batch, 3, side, side),), below(10, batch)


def official(folder: Path, at: str, module: str) -> Any:
    """A module of the model zoo."""
    sys.path.insert(0, str(folder / "models" / at))
    return importlib.import_module(module)


def bert(folder: Path, half: bool = False) -> Made:
    found = official(folder, "official/nlp/Bert", "src.bert_model")
    kind = ms.float16 if half else ms.float32
    config = found.BertConfig(
        seq_length=64, vocab_size=21128, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=1024, type_vocab_size=2, max_position_embeddings=128, compute_type=kind,
    )  # fmt: skip
    network = official(folder, "official/nlp/Bert", "src.bert_for_finetune").BertCLS(config, True, num_labels=2)
    inputs = (below(21128, 8, 64), np.ones((8, 64), np.int32), np.zeros((8, 64), np.int32), below(2, 8))
    return network, inputs, None


def transformer(folder: Path) -> Made:
    found = official(folder, "official/nlp/Transformer", "src.transformer_model")
    config = found.TransformerConfig(
        batch_size=4, seq_length=32, vocab_size=8000, hidden_size=128, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=512, max_position_embeddings=64,
    )  # fmt: skip
    training = official(folder, "official/nlp/Transformer", "src.transformer_for_train")
    ones, words = np.ones((4, 32), np.int32), partial(below, 8000, 4, 32)
    return training.TransformerNetworkWithLoss(config, True), (words(), ones, words(), ones, words(), ones), None


def lstm(folder: Path) -> Made:
    found = official(folder, "official/nlp/LSTM/src", "lstm")  # the package around it wants gensim
    table = ms.Tensor(floats(5000, 64))
    return found.SentimentNet(5000, 64, 64, 2, True, 2, table, 8), (below(5000, 8, 500),), below(2, 8)


def text_cnn(folder: Path) -> Made:
    found = official(folder, "research/nlp/textcnn", "src.textcnn")
    return found.TextCNN(20000, 51, 2, 40), (below(20000, 32, 51),), below(2, 32)


def deep_fm(folder: Path) -> Made:
    found = official(folder, "official/recommend/DeepFM", "src.deepfm")
    config = SimpleNamespace(
        batch_size=64, data_field_size=39, data_vocab_size=184965, data_emb_dim=80,
        deep_layer_args=[[256, 128, 64, 32], "relu"], init_args=[-0.01, 0.01],
        weight_bias_init=["normal", "normal"], keep_prob=1.0, convert_dtype=False,
    )  # fmt: skip
    network = found.NetWithLossClass(found.DeepFMModel(config))
    return network, (below(184965, 64, 39), np.abs(floats(64, 39)), below(2, 64, 1).astype(np.float32)), None


def ncf(folder: Path) -> Made:
    found = official(folder, "research/recommend/ncf", "src.ncf")
    network = found.NetWithLossClass(found.NCFModel(6040, 3706, 16, [64, 32, 16], 0, [0.0] * 4, 16))
    mask = np.ones((256, 1), np.float32)
    labels = (below(5, 256, 1) == 0).astype(np.int32)  # four negatives for each positive
    return network, (below(6040, 256, 1), below(3706, 256, 1), labels, mask), None


def gcn(folder: Path) -> Made:
    found = official(folder, "official/gnn/GCN", "src.gcn")
    network = found.GCN(SimpleNamespace(hidden1=16, dropout=0.5), 1433, 7)
    return network, (np.abs(floats(600, 600)) / 600, floats(600, 1433)), below(7, 600)


def gat(folder: Path) -> Made:
    found = official(folder, "research/gnn/gat", "src.gat")
    network = found.GAT(200, 7, 300, [8], [8, 1], attn_drop=0.0, ftr_drop=0.0)
    bias = np.where(RNG.random((1, 300, 300)) < 0.1, 0, -1e9).astype(np.float32)
    return network, (floats(1, 300, 200), bias), None


def ssd(folder: Path) -> Made:
    at = "official/cv/SSD"
    sys.argv = ["train.py", "--config_path", str(folder / "models" / at / "config/ssd300_config_gpu.yaml")]
    found = official(folder, at, "src.ssd")
    config = SimpleNamespace(
        num_classes=81, img_shape=[300, 300], num_default=[3, 6, 6, 6, 6, 6],
        extras_in_channels=[256, 576, 1280, 512, 256, 256], extras_out_channels=[576, 1280, 512, 256, 256, 128],
        extras_strides=[1, 1, 2, 2, 2, 2], extras_ratio=[0.2, 0.2, 0.2, 0.25, 0.5, 0.25], num_ssd_boxes=1917,
    )  # fmt: skip
    return found.SSD300(found.ssd_mobilenet_v2(), config), (floats(8, 3, 300, 300),), None


NETWORKS: dict[str, Callable[[Path], Made]] = {
    "mindcv resnet18": partial(cv, name="resnet18"),
    "mindcv resnet18 O2": partial(cv, name="resnet18", level="O2"),
    "mindcv mobilenet_v2_100": partial(cv, name="mobilenet_v2_100", side=96, batch=8),
    "mindcv densenet121": partial(cv, name="densenet121", side=96, batch=8),
    "mindcv efficientnet_b0": partial(cv, name="efficientnet_b0"),
    "mindcv googlenet": partial(cv, name="googlenet", aux_logits=False),
    "mindcv squeezenet1_0": partial(cv, name="squeezenet1_0"),
    "mindcv shufflenet_v2_x1_0": partial(cv, name="shufflenet_v2_x1_0", side=96, batch=8),
    "mindcv convit_tiny": partial(cv, name="convit_tiny", side=224, batch=1),
    "mindcv convit_tiny O3": partial(cv, name="convit_tiny", side=224, batch=1, level="O3"),
    "mindcv swin_tiny": partial(cv, name="swin_tiny", side=224, batch=1),
    "mindcv convnext_tiny": partial(cv, name="convnext_tiny", side=64, batch=1),
    "mindcv ghostnet_100": partial(cv, name="ghostnet_100"),
    "models BERT": bert,
    "models BERT float16": partial(bert, half=True),
    "models Transformer": transformer,
    "models LSTM": lstm,
    "models TextCNN": text_cnn,
    "models DeepFM": deep_fm,
    "models NCF": ncf,
    "models GCN": gcn,
    "models GAT": gat,
    "models SSD MobileNetV2": ssd,
}


class Loss(nn.Cell):
    """A number of the network's outputs: the loss it returns, or the cross entropy, or a mean of squares."""

    def __init__(self, network: nn.Cell, has_labels: bool) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.has_labels = has_labels
        self.entropy = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, *inputs: Any) -> Any:
        if self.has_labels:
            return self.entropy(ops.cast(self.network(*inputs[:-1]), ms.float32), inputs[-1])
        found = self.network(*inputs)
        if not isinstance(found, (tuple, list)):
            found = (found,)
        loss = 0.0
        for one in found:
            loss = loss + (ops.reshape(one, ()) if one.size == 1 else ops.cast(one, ms.float32).square().mean())
        return loss


class Gradients(nn.Cell):
    """The gradients of a loss to the weights, scaled so that those in float16 do not underflow."""

    def __init__(self, loss: nn.Cell, weights: ms.ParameterTuple) -> None:
        super().__init__(auto_prefix=False)
        self.loss = loss
        self.weights = weights
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, *inputs: Any) -> Any:
        return self.grad(self.loss, self.weights)(*inputs, ms.Tensor(1024.0, ms.float32))


def flat(value: Any) -> list[np.ndarray]:
    if isinstance(value, (tuple, list)):
        return [array for part in value for array in flat(part)]
    return [value.asnumpy().astype(np.float32)]


def main(folder: str, name: str, checkpoint: str, results: str, nudged: str = "") -> None:
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    ms.set_seed(1)
    network, inputs, labels = NETWORKS[name](Path(folder))
    if Path(checkpoint).exists():
        missing = ms.load_param_into_net(network, ms.load_checkpoint(checkpoint), strict_load=True)
        if any(missing):
            raise ValueError(f"not all parameters were loaded: {missing}")
    else:
        ms.save_checkpoint(network, checkpoint)
    if nudged:
        inputs = tuple(np.nextafter(one, np.float32(np.inf)) if one.dtype == np.float32 else one for one in inputs)
    network.set_train(True)
    for _, cell in network.cells_and_names():
        if "Drop" in type(cell).__name__:
            cell.set_train(False)
    batch = [ms.Tensor(value) for value in (*inputs, *(() if labels is None else (labels,)))]
    weights = ms.ParameterTuple(network.trainable_params())
    loss = Loss(network, labels is not None)
    arrays = {f"output {number}": array for number, array in enumerate(flat(network(*batch[: len(inputs)])))}
    for weight, grad in zip(weights, flat(Gradients(loss, weights)(*batch))):  # noqa: B905 - Python 3.9 has no strict
        arrays[f"gradient of {weight.name}"] = grad
    np.savez(results, **arrays)
    step = nn.TrainOneStepCell(loss, nn.Momentum(weights, 1e-3, 0.9))
    print(json.dumps({"loss": step(*batch).asnumpy().item()}), flush=True)
    for line in sys.stdin:
        started, busy = time.perf_counter(), time.process_time()
        for _ in range(int(line)):
            value = step(*batch)
        value = value.asnumpy().item()
        took = {"seconds": time.perf_counter() - started, "processor": time.process_time() - busy}
        print(json.dumps(took | {"loss": value}), flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(json.dumps(list(NETWORKS)))
    else:
        main(*sys.argv[1:])
