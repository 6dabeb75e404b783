"""Means of gradients, and training with them. Judge of the training: one process with the whole batch."""

from pathlib import Path

import pytest
import torch

from msbridge import distributed
from tests.distributed.several import outputs

SCRIPT = """
import sys
import warnings
warnings.simplefilter("ignore")
from pathlib import Path
import numpy as np
import msbridge
msbridge.install()
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops
from mindspore.communication import get_rank, init

RANDOM = np.random.RandomState(0)
IMAGES, KINDS = RANDOM.randn(24, 3, 4, 4).astype(np.float32), RANDOM.randint(0, 4, (24,)).astype(np.int32)

class Losses(ms.train.Callback):
    def __init__(self):
        self.found = []
    def step_end(self, run_context):
        outputs = run_context.original_args().net_outputs
        self.found.append(float((outputs[0] if isinstance(outputs, tuple) else outputs).asnumpy()))

def trained(kind, width=1, rank=0):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.SyncBatchNorm(4), nn.ReLU(), nn.Flatten(), nn.Dense(64, 4))
    entropy = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer, losses = nn.Momentum(net.trainable_params(), 0.05, 0.9), Losses()
    if kind == "accumulated":
        summed = nn.GradAccumulationCell(nn.WithLossCell(net, entropy), 2)
        model = ms.Model(nn.TrainOneStepCell(summed, optimizer).set_train())
    else:
        manager = ms.DynamicLossScaleManager(2.0**127, 2, 2) if kind == "scaled" else None  # the first steps overflow
        model = ms.Model(net, entropy, optimizer, loss_scale_manager=manager)
    shards = dict(num_shards=width, shard_id=rank) if width > 1 else {}
    rows = ds.NumpySlicesDataset({"x": IMAGES, "y": KINDS}, shuffle=False, **shards).batch(8 // width)
    config = ms.train.CheckpointConfig(save_checkpoint_steps=3)
    saving = ms.train.ModelCheckpoint(f"{kind}{width}", f"{sys.argv[1]}/{rank}", config)
    model.train(2, rows, [losses, saving], dataset_sink_mode=kind == "sunk")
    return losses.found, [one.asnumpy() for one in net.get_parameters()]

kinds = ("sunk", "scaled", "accumulated")
alone = {kind: trained(kind) for kind in kinds}
init()
rank = get_rank()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
for kind, (losses, weights) in alone.items():
    found, own = trained(kind, 2, rank)
    mean = ops.AllReduce()(Tensor(np.array(found, np.float32))).asnumpy() / 2
    assert np.allclose(mean, losses, atol=1e-6), (kind, mean, losses)
    for one, expected in zip(own, weights):
        assert np.allclose(one, expected, atol=1e-6), (kind, np.abs(one - expected).max())
    assert len(list(Path(sys.argv[1], str(rank)).glob(f"{kind}2*.ckpt"))) == 2
"""


def test_gradients_alone_are_untouched():
    tensors = [torch.ones(2), torch.ones(3)]
    result = distributed.all_reduce_mean(tensors, mean=True)
    assert all(left is right for left, right in zip(result, tensors, strict=True))


@pytest.mark.process
def test_two_processes_train_as_one_with_the_whole_batch(tmp_path: Path) -> None:
    outputs(SCRIPT, 2, str(tmp_path))
