"""The corpus of `translate_accuracy.py`: networks of public projects, by name."""

import csv
from dataclasses import dataclass
from pathlib import Path

ROWS = Path(__file__).with_name("translate_corpus.tsv")
# Networks that were silently different, and were looked into for that: they count as those that may be looked at.
LOOKED_INTO = {"transformers/gpt_neox"}


@dataclass(frozen=True, slots=True)
class Unit:
    """A network.

    Attributes:
        family: the project, or "papers".
        name: the network's.
        where: the repository of a paper, `owner+name`; "" for a package.
        module: the module that has it.
        network: the expression that builds it.
        inputs: as `msbridge verify --input` takes them, with blanks between.
        is_held_out: whether it is of the two thirds that nobody tunes on.
    """

    family: str
    name: str
    where: str
    module: str
    network: str
    inputs: str
    is_held_out: bool = True

    @property
    def label(self) -> str:
        """The family and the name."""
        return f"{self.family}/{self.name}"

    def folder(self, folder: Path) -> Path:
        """Return the folder that its module is imported from."""
        return folder / "papers" / self.where if self.where else folder / "site"

    def roots(self, folder: Path) -> tuple[str, ...]:
        """Return the names of modules and packages beside its own, which are translated too."""
        if not self.where:
            return (self.module.partition(".")[0],)
        return tuple(
            sorted(
                {
                    one.stem
                    for one in folder.iterdir()
                    if one.suffix == ".py" or (one.is_dir() and one.stem.isidentifier())
                }
            )
        )


def read_units() -> list[Unit]:
    """Return all networks; of each family every third, by name, may be looked at, and those that had to be."""
    with ROWS.open() as file:
        rows = [Unit(**row) for row in csv.DictReader(file, delimiter="\t")]
    units: list[Unit] = []
    for family in sorted({one.family for one in rows}):
        members = sorted((one for one in rows if one.family == family), key=lambda one: one.name)
        for number, one in enumerate(members):
            is_held_out = number % 3 != 0 and one.label not in LOOKED_INTO
            units.append(Unit(one.family, one.name, one.where, one.module, one.network, one.inputs, is_held_out))
    return units
