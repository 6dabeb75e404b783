"""Caltech-101: objects with their outlines."""

from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.readers.common_arguments import StrPath, UncachedImageArguments
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, files_of, subfolders
from msbridge.dataset.readers.matlab import mat_of_row
from msbridge.dataset.readers.source import check_choice

__all__ = ["Caltech101Dataset"]

TARGETS = {"category": ("category",), "annotation": ("annotation",), "all": ("category", "annotation")}
NOT_A_CLASS = "BACKGROUND_Google"
ANNOTATION_FOLDERS = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}
CLASSES = (
    "Faces Faces_easy Leopards Motorbikes accordion airplanes anchor ant barrel bass beaver binocular bonsai brain "
    "brontosaurus buddha butterfly camera cannon car_side ceiling_fan cellphone chair chandelier cougar_body "
    "cougar_face crab crayfish crocodile crocodile_head cup dalmatian dollar_bill dolphin dragonfly electric_guitar "
    "elephant emu euphonium ewer ferry flamingo flamingo_head garfield gerenuk gramophone grand_piano hawksbill "
    "headphone hedgehog helicopter ibis inline_skate joshua_tree kangaroo ketch lamp laptop llama lobster lotus "
    "mandolin mayfly menorah metronome minaret nautilus octopus okapi pagoda panda pigeon pizza platypus pyramid "
    "revolver rhino rooster saxophone schooner scissors scorpion sea_horse snoopy soccer_ball stapler starfish "
    "stegosaurus stop_sign strawberry sunflower tick trilobite umbrella watch water_lilly wheelchair wild_cat "
    "windsor_chair wrench yin_yang"
)


class Caltech101Dataset(ImageFilesDataset, UnionBaseDataset):
    """Images of Caltech-101: `image` uint8, the file's bytes, with its class, its outline, or both.

    `category` is int64 (), `annotation` float64 (2, n).

    Args:
        dataset_dir: folder with 101_ObjectCategories and Annotations.
        target_type: "category", "annotation" or "all"; None is "category".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `target_type` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.
        ImportError: outlines are asked for, and SciPy is missing.

    Follows: mindspore.dataset.Caltech101Dataset (2.10).
    """

    default_arguments: ClassVar = {"num_parallel_workers": 1}

    def __init__(
        self, dataset_dir: StrPath, target_type: str | None = None, **common: Unpack[UncachedImageArguments]
    ) -> None:
        super().__init__(dataset_dir, **common)
        kinds = tuple(TARGETS)
        self.target_type = "category" if target_type is None else check_choice(target_type, "target_type", kinds)

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels of the real data's classes by name."""
        return {name: label for label, name in enumerate(CLASSES.split())}

    def _names(self) -> list[str]:
        return ["image", *TARGETS[self.target_type]]

    def _table(self) -> Table:
        classes = subfolders(self.dataset_dir / "101_ObjectCategories")
        folders = [folder for folder in classes if folder.name != NOT_A_CLASS]
        rows = [
            (folder, number, label)
            for label, folder in enumerate(folders)
            for number in range(1, len(files_of(folder)) + 1)
        ]
        columns: Table = {
            "category": np.array([label for *_, label in rows], np.int64),
            "annotation": Outlines([self._annotation(folder.name, number) for folder, number, _ in rows]),
        }
        table: Table = {"image": Images(f"{folder}/image_{number:04}.jpg" for folder, number, _ in rows)}
        return table | {name: columns[name] for name in TARGETS[self.target_type]}

    def _annotation(self, name: str, number: int) -> Path:
        folder = ANNOTATION_FOLDERS.get(name, name)
        return self.dataset_dir / "Annotations" / folder / f"annotation_{number:04}.mat"


class Outlines:
    """The outlines of objects, one for each row, read when they are needed."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths

    def __len__(self) -> int:
        return len(self.paths)

    def __call__(self, indices: np.ndarray) -> list[np.ndarray]:
        return [mat_of_row(self.paths[index], "obj_contour")["obj_contour"] for index in indices.tolist()]
