"""The commands of docs/distributed.md, run as they stand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from msbridge.launcher.reserved_port import reserved_port
from tests.processes import LIMIT_S, ROOT, Child

PAGE = (ROOT / "docs" / "distributed.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)\n```", PAGE, re.DOTALL)
TABLE = dict(re.findall(r"^\| ([^|]*) \| `([^`]*)`", PAGE, re.MULTILINE))
TRAINED = ["rank 0 of 2: 1.0 2.0 3.0 4.0", "rank 1 of 2: 1.0 2.0 3.0 4.0"]
# As the page's shell scripts do, whose Python is `python`.
LAUNCHER = """
export RANK_SIZE=$1
export RANK_TABLE_FILE=$3
for((i=0; i<${RANK_SIZE}; i++))
do
    export DEVICE_ID=$(($2 + i))
    export RANK_ID=$i
    mkdir train_parallel$i
    cd train_parallel$i || exit
    python $4 > log.txt 2>&1 &
    cd ..
done
wait
"""


def run(command: str, folder: Path, **variables: str) -> list[str]:
    """Run a command of the page as a shell would, and return the lines that ranks printed."""
    place = {"msbridge": f"{sys.executable} -m msbridge", "torchrun": f"{sys.executable} -m torch.distributed.run"}
    command = re.sub(r"^(msbridge|torchrun)\b", lambda found: place[found[0]], command)
    command = re.sub(r"(?<= )examples/", f"{ROOT}/examples/", command)
    with reserved_port() as port:
        ports = dict.fromkeys(("MASTER_PORT", "PET_MASTER_PORT"), str(port))  # torchrun reads the second one
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **ports, **variables},
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return sorted(line for line in done.stdout.splitlines() if "rank" in line)


@pytest.mark.long
@pytest.mark.process
def test_several_processes_of_one_command(tmp_path):
    shown, logged = BLOCKS
    assert [line.partition("] ")[2] for line in run(shown, tmp_path)] == TRAINED
    assert run(logged, tmp_path) == TRAINED[:1]
    assert (tmp_path / "logs" / "rank_1.log").read_text() == f"{TRAINED[1]}\n"


@pytest.mark.process
@pytest.mark.long
def test_torchrun(tmp_path):
    assert run(TABLE["torchrun, also over several machines"], tmp_path) == TRAINED


@pytest.mark.process
@pytest.mark.long
def test_a_shell_script_of_a_process_per_rank(tmp_path):
    (tmp_path / "run_distribute_train.sh").write_text(LAUNCHER)
    command = TABLE["shell scripts that start a process per rank"]
    (tmp_path / "rank_table.json").write_text('{"server_list": []}')
    run(command.replace("8 0", "2 0").replace("config.yaml", f"{ROOT}/examples/data_parallel/train.py"), tmp_path)
    printed = [(tmp_path / f"train_parallel{rank}" / "log.txt").read_text().splitlines() for rank in (0, 1)]
    assert ["\n".join(line for line in lines if not line.startswith("msbridge: ")) for lines in printed] == TRAINED


def together(command: str, folder: Path, *variables: str) -> list[str]:
    """Run `msbridge WORDS` once with each of some variables, at the same time; return the lines that ranks printed."""
    words = re.sub(r"(?<= )examples/", f"{ROOT}/examples/", command).split()[1:]
    with reserved_port() as port:
        shared = {**os.environ, "MASTER_PORT": str(port), "MS_SCHED_PORT": str(port), "OMP_NUM_THREADS": "1"}
        environments = [shared | dict(one.split("=") for one in each.split()) for each in variables]
        children = [Child("-m", "msbridge", *words, cwd=folder, env=environment) for environment in environments]
        ended = [child.wait() for child in children]
    assert not any(done.returncode for done in ended), [done.stderr for done in ended]
    return sorted(line for done in ended for line in done.stdout.splitlines() if "rank" in line)


@pytest.mark.process
def test_variables_of_open_mpi(tmp_path):
    command = TABLE["Open MPI"].removeprefix("mpirun -n 2 ")
    of_each = "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK={0} OMPI_COMM_WORLD_LOCAL_RANK={0}"
    assert together(command, tmp_path, *(of_each.format(rank) for rank in (0, 1))) == TRAINED


@pytest.mark.process
def test_a_scheduler_and_workers(tmp_path):
    command = TABLE["msrun, or scripts that start a scheduler and workers"]
    assert command == "MS_ROLE=MS_WORKER msbridge run train.py"
    shutil.copy(ROOT / "examples" / "data_parallel" / "train.py", tmp_path)
    roles = [f"MS_WORKER_NUM=2 MS_SCHED_HOST=127.0.0.1 MS_ROLE=MS_{role}" for role in ("SCHED", "WORKER", "WORKER")]
    assert together(command.removeprefix("MS_ROLE=MS_WORKER "), tmp_path, *roles) == TRAINED
