"""The files of `saved_files` as 1.0.0 writes them, and the checkpoint of a network around an LSTM."""

from pathlib import Path

from mindspore import nn
from mindspore.train.serialization import save_checkpoint

from tests.oracle.case import Case
from tests.oracle.cases import saved_files
from tests.oracle.cases.saved_files import case_context, checkpoint, recurrent, rows  # noqa: F401


def network():
    net = nn.Cell()
    net.lstm, net.head = nn.LSTM(4, 3), nn.Dense(3, 2)
    save_checkpoint(net, "network.ckpt")
    return Path("network.ckpt").read_bytes()


CASES = [*saved_files.CASES, Case("network()")]
