"""The main job of msbridge, on real handwritten digits: `make demo`, or `make demo DATA=/path/to/MNIST`.

1. An unmodified MindSpore script, written for an Ascend, trains LeNet in sink mode, evaluates it and saves a `.ckpt`.
2. A torch LeNet's source becomes MindSpore's, is proven to compute the same, and is trained on the emulated Ascend.
3. A torch LeNet's weights become a `.ckpt`, are loaded into the MindSpore network, and both are compared side by side.

DATA is a folder with MNIST's files (train-*, t10k-*), or with train/ and test/ that hold them; without it the digits
that scikit-learn ships are used.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

HERE = Path(__file__).parent
STEPS = 2000  # enough for 97 % on the digits of scikit-learn with the initial weights of 1.10, at about 4 ms a step
console = Console()


def main() -> int:
    """Run the parts; return 1 when a result is not what it must be."""
    parser = argparse.ArgumentParser(description="See what msbridge does.")
    parser.add_argument("--data", type=Path, help="a folder with MNIST's files")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="where results go (default: demo)")
    arguments = parser.parse_args()
    arguments.out.mkdir(exist_ok=True)
    data, train_count = digits(arguments.data, arguments.out)
    is_good = train_with_mindspore(data, train_count, arguments.out)
    is_translated = translate_from_torch(data, arguments.out)
    is_same = compare_with_torch(data, arguments.out)
    say_what_next(arguments.out)
    return 0 if is_same and is_translated and is_good else 1


def digits(given: Path | None, out: Path) -> tuple[Path, int]:
    """Return a folder with train/ and test/ in MNIST's format, and how many digits there are to train."""
    sys.path.insert(0, str(HERE))
    import digits as sklearn_digits

    if given is None:
        train, test = sklearn_digits.write(out / "digits")
        console.print(f"[bold]{train:,}[/] digits to train, [bold]{test:,}[/] to test, from scikit-learn")
        return out / "digits", train
    folder = sklearn_digits.arrange(given, out / "digits")
    return folder, sklearn_digits.count(folder / "train")


def train_with_mindspore(data: Path, train_count: int, out: Path) -> bool:
    """Run the MindSpore script under msbridge, as `msbridge run` in a shell would."""
    console.rule("1  a MindSpore script for Ascend, unmodified")
    epochs = max(1, round(STEPS / (train_count // 32)))
    ckpt = out / "lenet.ckpt"
    script = os.path.relpath(HERE / "lenet_mnist.py")
    command = ["run", "--ledger", script, str(data), str(ckpt), "--epochs", str(epochs)]
    _show(command)
    lines: list[str] = []
    with _progress() as progress:
        task = progress.add_task("epochs, each one sink", total=epochs)
        process = subprocess.Popen(
            [sys.executable, "-m", "msbridge.cli.main", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for line in process.stdout or ():
            lines.append(line.rstrip())
            progress.advance(task, line.startswith("epoch: "))
    losses = [line for line in lines if line.startswith("epoch: ")]
    rest = [line for line in lines if "epoch" not in line]
    said = "\n".join([losses[0], "…", *losses[-2:], *rest] if losses else lines)
    console.print(said, soft_wrap=True, highlight=False, markup=False)
    found = re.search(r"'Accuracy': ([\d.]+)", "\n".join(lines))
    accuracy = float(found[1]) if found else 0.0
    is_good = process.wait() == 0 and accuracy >= 0.97 and ckpt.exists()
    verdict = "[green]✓[/]" if is_good else "[red]✗[/]"
    result = f"accuracy [bold]{accuracy:.1%}[/] on held-out digits (≥ 97 % expected), weights in {ckpt}"
    console.print(f"{verdict} {result}", soft_wrap=True)
    return is_good


def translate_from_torch(data: Path, out: Path) -> bool:
    """Translate the source of a torch LeNet, compare both, and train the translation for a moment."""
    console.rule("2  torch source becomes MindSpore source")
    source, translation = os.path.relpath(HERE / "lenet_torch.py"), out / "lenet_translated.py"
    proof = ["--verify", "--build", "LeNet5()", "--input", "normal:8,1,32,32"]
    if not _command(["translate", source, "-o", str(translation), *proof]):
        return False
    script = os.path.relpath(HERE / "train_translated.py")
    return _command(["run", "--ledger", script, str(translation), str(data), "--epochs", "10"])


def compare_with_torch(data: Path, out: Path) -> bool:
    """Train a torch LeNet, convert its weights, load them into the MindSpore network, and compare both."""
    console.rule("3  a torch network becomes a MindSpore network")
    import numpy as np
    import torch

    weights, ckpt = out / "lenet_torch.pth", out / "lenet_from_torch.ckpt"
    images, labels = _batches(data / "train", limit=6000)
    model = _trained(images, labels)
    torch.save(model.state_dict(), weights)
    command = ["convert", str(weights), str(ckpt), "--torch-model", "lenet_torch:LeNet5", "--force"]
    if not _command(command):
        return False
    test_images, _ = _batches(data / "test", limit=256)
    np.savez(out / "digits.npz", x=test_images.numpy())
    nets = ["--torch", "lenet_torch:LeNet5", "--cell", "lenet_mnist:LeNet5"]
    report = ["--inputs", str(out / "digits.npz"), "--report", str(out / "report.html")]
    return _command(["verify", *nets, "--weights", str(weights), "--cell-weights", str(ckpt), *report])


def say_what_next(out: Path) -> None:
    """Print what the demo has left, and what to try next."""
    console.rule("what next")
    console.print(f"Open [bold]{out / 'report.html'}[/] in a browser: the comparison, layer by layer.")
    console.print(f"Read [bold]{out / 'lenet_translated.py'}[/]: the torch network as MindSpore source.")
    console.print(f"MindSpore loads [bold]{out / 'lenet.ckpt'}[/] and [bold]{out / 'lenet_from_torch.ckpt'}[/].")
    console.print("Run a script of your own:")
    _show(["run", "train.py"])
    console.print("Read docs/start.md, or build the documentation with `make docs`.", highlight=False)


def _show(arguments: list[str], before: str = "") -> None:
    """Print a command of msbridge as it can be copied into a shell, in this folder."""
    installed = Path(sys.executable).with_name("msbridge")
    program = os.path.relpath(installed) if installed.is_relative_to(Path.cwd()) else "msbridge"
    console.print(
        f"{before}{program} {shlex.join(arguments)}", style="dim", soft_wrap=True, highlight=False, markup=False
    )


def _command(arguments: list[str]) -> bool:
    _show(arguments, f"PYTHONPATH={shlex.quote(os.path.relpath(HERE))} ")
    done = subprocess.run(
        [sys.executable, "-m", "msbridge.cli.main", *arguments], env=_with_examples_importable(), check=False
    )
    return done.returncode == 0


def _with_examples_importable() -> dict[str, str]:
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def _batches(folder: Path, limit: int) -> tuple:
    """Read digits as the script's own pipeline makes them: float32 (n, 1, 32, 32), and labels int64 (n,)."""
    import torch

    import msbridge

    msbridge.install()
    import lenet_mnist

    images, labels = [], []
    for image, label in lenet_mnist.create_dataset(str(folder), training=False).create_tuple_iterator(num_epochs=1):
        images.append(msbridge.to_torch(image))
        labels.append(msbridge.to_torch(label).long())
        if sum(map(len, images)) >= limit:
            break
    return torch.cat(images)[:limit], torch.cat(labels)[:limit]


def _trained(images, labels):
    import lenet_torch
    import torch

    torch.manual_seed(0)
    model = lenet_torch.LeNet5()
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    rounds = 300
    with _progress() as progress:
        for _ in progress.track(range(rounds), description="training the torch network"):
            chosen = torch.randint(len(images), (64,))
            loss = torch.nn.functional.cross_entropy(model(images[chosen]), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model.eval()


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)


if __name__ == "__main__":
    sys.exit(main())
