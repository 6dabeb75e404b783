"""What only POSIX has is nowhere needed to import msbridge, nor to train, save and convert: Windows has none of it."""

from pathlib import Path

import pytest

from tests.processes import python

HIDDEN = """
import faulthandler, os, select, signal, sys, time
import concurrent.futures, multiprocessing.shared_memory, socket, subprocess, tempfile, torch.distributed  # use theirs

for name in ("fcntl", "grp", "posix", "pwd", "readline", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
POSIX = {
    os: "fork register_at_fork sched_getaffinity sched_setaffinity pread preadv pwrite posix_fadvise posix_fallocate "
        "killpg getpgid setsid getuid geteuid fchown chown mkfifo sysconf O_DIRECTORY O_NOFOLLOW O_NONBLOCK statvfs "
        "fdatasync copy_file_range memfd_create getloadavg uname confstr wait wait3 wait4 waitid WNOHANG nice openpty "
        "pipe2 sendfile setpgid fchdir fchmod lchown lockf posix_spawn chroot sync major minor",
    signal: "SIGKILL SIGALRM SIGHUP SIGUSR1 SIGUSR2 SIGCHLD SIGQUIT SIGSTOP SIGCONT SIGPIPE SIGTSTP SIGWINCH "
        "pthread_sigmask pthread_kill setitimer alarm pause sigwait",
    select: "poll epoll",
    faulthandler: "register unregister",
    time: "tzset clock_gettime",
}
for module, names in POSIX.items():
    for name in names.split():
        vars(module).pop(name, None)
"""

JOURNEY = """
import msbridge
msbridge.install()
import mindspore as ms, numpy as np
from mindspore import dataset, nn, train
from msbridge.cli.main import main

class Points:
    def __len__(self): return 8
    def __getitem__(self, i): return np.full(3, i, np.float32), np.int32(i % 2)

data = dataset.GeneratorDataset(Points(), ["x", "y"], num_parallel_workers=2).map(lambda x: x * 2, "x").batch(4)
net = nn.Dense(3, 2)
model = train.Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params()), metrics={"loss"})
model.train(2, data, callbacks=[train.ModelCheckpoint("net", "saved")], dataset_sink_mode=True)
ms.save_checkpoint(net, "net.ckpt")
ms.load_param_into_net(net, ms.load_checkpoint("net.ckpt"))
print(main(["convert", "net.ckpt", "net.safetensors"]), *sorted(model.eval(data)))
"""

EVERYTHING = """
import importlib, pathlib
import msbridge

for root, prefix in zip(ROOTS, ("msbridge", "msbridge.converters"), strict=True):
    for path in sorted(pathlib.Path(root).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if "hook" not in parts and parts[-1] != "__main__":
            importlib.import_module(".".join([prefix, *parts]).removesuffix(".__init__"))
print("imported")
"""


@pytest.mark.process
def test_without_posix(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    roots = [str(root / "msbridge"), str(root / "converters")]
    code = f"{HIDDEN}\n{JOURNEY}\nROOTS = {roots}\n{EVERYTHING}"
    done = python("-c", code, cwd=tmp_path)
    assert done.stdout.splitlines()[-2:] == ["0 loss", "imported"], done.stdout + done.stderr
