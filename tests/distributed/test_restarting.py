"""Training under torchrun that a process ends amid: it goes on from the newest checkpoint, with the same losses."""

import pytest
from several import free_port, outputs

SCRIPT = """
import os, sys
from pathlib import Path
import numpy as np
import msbridge as ms
from msbridge import dataset as ds, nn, train
from msbridge.distributed import get_group_size, get_rank, init

folder, attempt = Path(sys.argv[1]), int(os.environ.get("TORCHELASTIC_RESTART_COUNT", -1))
ms.set_seed(1)
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
x = np.random.default_rng(0).standard_normal((32, 4)).astype(np.float32)
rows = list(zip(x, x @ np.array([[1], [2], [3], [4]], np.float32)))
data = ds.GeneratorDataset(rows, ["x", "y"], num_shards=get_group_size(), shard_id=get_rank(), shuffle=True)
data = data.batch(8 // get_group_size())
net = nn.Dense(4, 1)
model = train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
done, files = 0, sorted(folder.glob("*.ckpt"), key=os.path.getmtime)
if files:
    loaded = ms.load_checkpoint(str(files[-1]))
    ms.load_param_into_net(model.train_network, loaded)
    done = int(loaded["step_num"])
    data.set_init_step(done)

class Telling(train.Callback):
    def on_train_step_end(self, run):
        step = done + run.original_args().cur_step_num
        with (folder / f"{attempt}_{get_rank()}.txt").open("a") as file:
            print(step, np.round(run.original_args().net_outputs.asnumpy(), 5), file=file)
        if (attempt, step, get_rank()) == (0, 6, 1):
            os._exit(7)

saver = train.ModelCheckpoint("net", str(folder), train.CheckpointConfig(2, append_info=[{"step_num": done}]))
model.train(3, data, [saver, Telling()] if get_rank() == 0 else [Telling()], False, initial_epoch=done // 4)
"""


def losses(folder, attempt):
    """Return the mean over the ranks of every step's loss."""
    found = [path.read_text().split() for path in sorted(folder.glob(f"{attempt}_*.txt"))]
    steps = [dict(zip(map(int, one[::2]), map(float, one[1::2]), strict=True)) for one in found]
    return {
        step: sum(one[step] for one in steps) / len(steps) for step in steps[0] if all(step in one for one in steps)
    }


@pytest.mark.process
def test_torchrun_starts_again_from_the_newest_checkpoint(tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT)
    for name in ("alone", "two"):
        (tmp_path / name).mkdir()
    outputs(SCRIPT, 1, str(tmp_path / "alone"))
    words = f"--nproc-per-node 2 --max-restarts 1 --master-port {free_port()} --monitor-interval 0.1"
    program = f"{tmp_path}/train.py {tmp_path}/two"
    outputs("import sys\nfrom torch.distributed.run import main\nmain(sys.argv[1:])", 1, *f"{words} {program}".split())
    whole = losses(tmp_path / "alone", -1)
    first, second = (losses(tmp_path / "two", attempt) for attempt in (0, 1))
    assert max(second) == 12
    assert min(second) in (5, 7)  # what rank 0 had saved when rank 1 ended
    assert first | second == pytest.approx(whole, abs=2e-5)
