"""How the launch is described by the environment."""

import json

import pytest

from msbridge import distributed
from msbridge.distributed.groups import launches
from tests.distributed.several import outputs


@pytest.mark.parametrize(
    "names",
    [("RANK", "WORLD_SIZE"), ("RANK_ID", "RANK_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")],
)
def test_launchers(monkeypatch, names):
    monkeypatch.setenv(names[0], "3")
    monkeypatch.setenv(names[1], "8")
    found = launches.launch()
    assert (found.rank, found.size) == (3, 8)


def test_rank_beyond_size(monkeypatch):
    monkeypatch.setenv("RANK_ID", "8")
    monkeypatch.setenv("RANK_SIZE", "8")
    with pytest.raises(ValueError, match="RANK_ID must be in"):
        distributed.init()


def test_launch_of_one_process_joins_nobody(monkeypatch):
    monkeypatch.setenv("RANK_ID", "0")
    monkeypatch.setenv("RANK_SIZE", "1")
    distributed.init()
    assert distributed.get_group_size() == 1


def test_the_file_of_ranks_says_how_many_there_are_and_where_the_first_is(monkeypatch, tmp_path):
    table = tmp_path / "rank_table.json"
    servers = [
        {"server_id": host, "device": [{"device_id": str(i), "rank_id": str(2 * place + i)} for i in range(2)]}
        for place, host in enumerate(("10.0.0.1", "10.0.0.2"))
    ]
    table.write_text(json.dumps({"version": "1.0", "server_list": servers, "status": "completed"}))
    for name, value in (("RANK_TABLE_FILE", str(table)), ("RANK_ID", "3"), ("DEVICE_ID", "1")):
        monkeypatch.setenv(name, value)
    found = launches.launch()
    assert (found.rank, found.size, found.local_rank, found.address) == (3, 4, 1, "10.0.0.1")
    monkeypatch.setenv("RANK_ID", "4")
    monkeypatch.setenv("RANK_SIZE", "8")
    for content, says in ((None, "has no rank 4"), ("{}", "not a rank table")):
        table.write_text(content or table.read_text())
        with pytest.raises(ValueError, match=says):
            launches.launch()
    table.unlink()
    assert launches.launch().size == 8
    monkeypatch.delenv("RANK_SIZE")
    with pytest.raises(ValueError, match="there is no file"):
        launches.launch()


@pytest.mark.parametrize(
    ("variables", "error", "says"),
    [
        ({"MS_ROLE": "MS_WORKER"}, ValueError, "MS_WORKER_NUM"),
        ({"MS_ROLE": "MS_WORKER", "MS_WORKER_NUM": "2", "MS_NODE_ID": "2"}, ValueError, "MS_NODE_ID"),
        ({"MS_ROLE": "MS_PSERVER", "MS_WORKER_NUM": "2"}, RuntimeError, "parameter servers"),
        ({"RANK": "0", "WORLD_SIZE": "two"}, ValueError, "WORLD_SIZE must be a number"),
    ],
)
def test_an_environment_that_is_not_in_order(monkeypatch, variables, error, says):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(error, match=says):
        distributed.init()


# A process ends amid training; it continues from the newest checkpoint.
RESTARTED = """
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
done, files = 0, sorted(folder.glob("*.ckpt"), key=lambda path: path.stat().st_mtime_ns)
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
model.train(3, data, [Telling(), saver] if get_rank() == 0 else [Telling()], False, initial_epoch=done // 4)
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
    (tmp_path / "train.py").write_text(RESTARTED)
    for name in ("alone", "two"):
        (tmp_path / name).mkdir()
    outputs(RESTARTED, 1, str(tmp_path / "alone"))
    words = "--nproc-per-node 2 --max-restarts 1 --master-port {port} --monitor-interval 0.1"
    program = f"{tmp_path}/train.py {tmp_path}/two"
    outputs("import sys\nfrom torch.distributed.run import main\nmain(sys.argv[1:])", 1, *f"{words} {program}".split())
    whole = losses(tmp_path / "alone", -1)
    first, second = (losses(tmp_path / "two", attempt) for attempt in (0, 1))
    assert max(second) == 12
    assert min(second) in (5, 7)  # what rank 0 had saved when rank 1 ended
    assert first | second == pytest.approx(whole, abs=2e-5)
