"""Run the benchmarks and print the table."""

import argparse
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from benchmarks import (
    allocator,
    compiling,
    convert,
    data_audio,
    data_engine,
    data_files,
    data_images,
    data_parallel,
    data_text,
    everyday,
    importing,
    inference,
    lenet_epoch,
    mindir,
    mnist_pipeline,
    networks,
    operators,
    optimizers,
    parallel_memory,
    small_steps,
    training,
    verify,
)
from benchmarks.table import Row


def main() -> None:
    """Measure everything; a row that misses its target is printed in red."""
    parts: dict[str, Callable[[], list[Row]]] = {
        "operators": operators.run,
        "everyday": everyday.run,
        "optimizers": optimizers.run,
        "networks": networks.run,
        "small-steps": small_steps.run,
        "training": training.run,
        "inference": inference.run,
        "data-parallel": data_parallel.run,
        "memory": parallel_memory.run,
        "allocator": allocator.run,
        "compiling": compiling.run,
        "import": importing.run,
        "mnist-pipeline": lambda: mnist_pipeline.run(arguments.oracle),
        "lenet-epoch": lenet_epoch.run,
        "image-pipelines": lambda: data_images.run(arguments.oracle),
        "text-pipelines": lambda: data_text.run(arguments.oracle),
        "audio-pipelines": lambda: data_audio.run(arguments.oracle),
        "data-engine": lambda: data_engine.run(arguments.oracle),
        "data-files": lambda: data_files.run(arguments.oracle),
        "conversion": lambda: convert.run(arguments.oracle, arguments.gigabytes),
        "mindir": lambda: mindir.run(arguments.oracle),
        "verification": verify.run,
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; all without one")
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    parser.add_argument("--gigabytes", type=float, default=6.0, help="size of the checkpoint that is converted")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.only) - set(parts)):
        parser.error(f"no such part: {', '.join(unknown)}")
    rows: list[Row] = []
    console = Console()
    with console.status("measuring …") as status:
        for name in arguments.only or parts:
            status.update(f"measuring {name} …")
            rows += parts[name]()
    table = Table(title="msbridge against its peers, measured in one run")
    for column in ("what", "msbridge", "peer", "ratio", "target"):
        table.add_column(column)
    for row in rows:
        table.add_row(row.name, row.ours, row.peer, f"{row.ratio:.2f}", row.target, style="" if row.is_met else "red")
    console.print(table)


if __name__ == "__main__":
    main()
