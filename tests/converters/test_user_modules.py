"""No subcommand imports anything from the current folder but what the user named, and what that imports."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from msbridge.converters import convert
from msbridge.converters.user_modules import user_modules
from tests.mindir.mindir_files import content

PLANTED = ("rich", "cryptography", "sympy", "numpy", "torch", "yaml", "onnx", "safetensors", "jinja2", "ml_dtypes")
PLANTED += ("PIL", "tqdm", "json", "typing_extensions", "argparse", "pygments", "scipy", "matplotlib", "onnxscript")
NETWORKS = """
import torch
import mindspore
import beside

class Theirs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, beside.WIDTH)

    def forward(self, x):
        import later
        return self.fc(x)

class Ours(mindspore.nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = mindspore.nn.Dense(4, beside.WIDTH)

    def construct(self, x):
        return self.fc(x)
"""
COMMANDS = (
    "--help",
    "--version",
    "doctor",
    "convert a.pth b.ckpt",
    "convert a.pth b.npz --json",
    "convert a.pth b.safetensors --torch-model networks:Theirs",
    "convert a.ckpt c.ckpt --encrypt-key-file key --cell networks:Ours",
    "convert a.mindir a.onnx",
    "inspect a.pth --stats",
    "inspect a.pth --tree",
    "inspect a.mindir --graph a.dot",
    "inspect a.mindir --graph a.html",
    "inspect networks:Ours --graph c.html",
    "scan . --html s.html --sarif s.sarif",
    "run script.py",
    "summary networks:Ours --input 2,4",
    "estimate networks.py:Theirs --input 2,4",
    "estimate script.py",
    "verify --torch networks:Theirs --cell networks:Ours --input 2,4 --report v.html --csv v.csv --junit v.xml",
)
SHORT = ("--help", "convert a.pth b.npz --json")


@pytest.fixture
def planted(tmp_path):
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(f"open('ran {name}', 'w')\nraise SystemExit('planted {name}')\n")
    (tmp_path / "cv2").mkdir()
    (tmp_path / "cv2" / "__init__.py").write_text("open('ran cv2', 'w')\nraise SystemExit('planted cv2')\n")
    (tmp_path / "networks.py").write_text(NETWORKS)
    (tmp_path / "beside.py").write_text("WIDTH = 4\n")
    (tmp_path / "later.py").write_text("")
    (tmp_path / "script.py").write_text("print(1)\n")
    (tmp_path / "key").write_bytes(b"0123456789ABCDEF")
    torch.save({"fc.weight": torch.ones(4, 4), "fc.bias": torch.ones(4)}, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "a.ckpt")
    (tmp_path / "a.mindir").write_bytes(content("2.10/lenet"))
    return tmp_path


# In processes of their own: a child of the fork server would have some of these modules already.
@pytest.mark.process
@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=[pytest.mark.long] * (one not in SHORT)) for one in COMMANDS]
)
@pytest.mark.parametrize("launcher", ["msbridge", "-m msbridge"])
def test_nothing_that_lies_in_the_current_folder_is_run(planted, launcher, command):
    if launcher == "msbridge":
        first = [sys.executable, "-P", "-c", "import sys; from msbridge.cli.main import main; sys.exit(main())"]
    else:
        first = [sys.executable, *launcher.split()]
    done = subprocess.run([*first, *command.split()], cwd=planted, capture_output=True, text=True, check=False)
    assert [one.name for one in planted.glob("ran *")] == []
    assert "planted" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_a_named_module_and_its_neighbours_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a_network.py").write_text("import a_neighbour\nmade = a_neighbour.made\n")
    Path("a_neighbour.py").write_text("def made():\n    import a_late_one\n    return a_late_one\n")
    Path("a_late_one.py").write_text("")
    names = ("a_network", "a_neighbour", "a_late_one")
    with user_modules("a_network:made", None):
        with pytest.raises(ModuleNotFoundError):
            __import__("a_neighbour")  # this file does not lie there
        assert __import__("a_network").made().__name__ == "a_late_one"
    before = {name: sys.modules.pop(name) for name in names}
    assert list(before) == list(names)
    with pytest.raises(ModuleNotFoundError):
        __import__("a_network")
