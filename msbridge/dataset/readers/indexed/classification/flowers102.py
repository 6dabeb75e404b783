"""Oxford's 102 flowers."""

from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.readers.common_arguments import StrPath, UncachedImageArguments
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table
from msbridge.dataset.readers.matlab import load_mat
from msbridge.dataset.readers.source import check_choice, check_file, check_folder

__all__ = ["Flowers102Dataset"]

SETS = {"train": ("trnid",), "test": ("tstid",), "valid": ("valid",), "all": ("trnid", "tstid", "valid")}
CLASSES = (
    "pink primrose, hard-leaved pocket orchid, canterbury bells, sweet pea, english marigold, tiger lily, moon orchid, "
    "bird of paradise, monkshood, globe thistle, snapdragon, colt's foot, king protea, spear thistle, yellow iris, "
    "globe-flower, purple coneflower, peruvian lily, balloon flower, giant white arum lily, fire lily, pincushion "
    "flower, fritillary, red ginger, grape hyacinth, corn poppy, prince of wales feathers, stemless gentian, "
    "artichoke, sweet william, carnation, garden phlox, love in the mist, mexican aster, alpine sea holly, "
    "ruby-lipped cattleya, cape flower, great masterwort, siam tulip, lenten rose, barbeton daisy, daffodil, sword "
    "lily, poinsettia, bolero deep blue, wallflower, marigold, buttercup, oxeye daisy, common dandelion, petunia, wild "
    "pansy, primula, sunflower, pelargonium, bishop of llandaff, gaura, geranium, orange dahlia, pink-yellow dahlia?, "
    "cautleya spicata, japanese anemone, black-eyed susan, silverbush, californian poppy, osteospermum, spring crocus, "
    "bearded iris, windflower, tree poppy, gazania, azalea, water lily, rose, thorn apple, morning glory, passion "
    "flower, lotus, toad lily, anthurium, frangipani, clematis, hibiscus, columbine, desert-rose, tree mallow, "
    "magnolia, cyclamen, watercress, canna lily, hippeastrum, bee balm, ball moss, foxglove, bougainvillea, camellia, "
    "mallow, mexican petunia, bromelia, blanket flower, trumpet creeper, blackberry lily"
)


class Flowers102Dataset(ImageFilesDataset, UnionBaseDataset):
    """Images of flowers: `image` uint8, the file's bytes, of Segmentation `segmentation`, likewise, `label` uint32 ().

    Args:
        dataset_dir: folder with jpg, imagelabels.mat, setid.mat and, for Segmentation, segmim.
        task: "Classification" or "Segmentation"; None is the former.
        usage: "train", "valid", "test" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder, or what it should hold, does not exist, a list is damaged, or `task`, `usage` or
            `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: an image is missing or damaged.
        ImportError: SciPy is missing.

    Follows: mindspore.dataset.Flowers102Dataset (2.10).
    """

    default_arguments: ClassVar = {"num_parallel_workers": 1}

    def __init__(
        self,
        dataset_dir: StrPath,
        task: str | None = "Classification",
        usage: str | None = "all",
        **common: Unpack[UncachedImageArguments],
    ) -> None:
        super().__init__(dataset_dir, **common)
        self.usage = "all" if usage is None else check_choice(usage, "usage", ("train", "valid", "test", "all"))
        kinds = ("Classification", "Segmentation")
        self.task = "Classification" if task is None else check_choice(task, "task", kinds)
        check_folder(self.dataset_dir / "jpg")
        if self.task == "Segmentation":
            check_folder(self.dataset_dir / "segmim")
        labels = check_file(self.dataset_dir / "imagelabels.mat", "dataset_dir")
        sets = check_file(self.dataset_dir / "setid.mat", "dataset_dir")
        self._label_of_image = load_mat(labels, "labels")["labels"].reshape(-1).astype(np.int64) - 1
        variables = load_mat(sets, *SETS[self.usage])
        self._numbers = [int(number) for name in SETS[self.usage] for number in variables[name].reshape(-1)]
        if self._numbers and not 1 <= min(self._numbers) <= max(self._numbers) <= len(self._label_of_image):
            raise ValueError(f"Invalid file, {sets} lists images that {labels} has no label for.")

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels of the real data's classes by name."""
        return {name: label for label, name in enumerate(CLASSES.split(", "))}

    def _names(self) -> list[str]:
        return ["image", *["segmentation"] * (self.task == "Segmentation"), "label"]

    def _table(self) -> Table:
        table: Table = {"image": Images(f"{self.dataset_dir}/jpg/image_{n:05}.jpg" for n in self._numbers)}
        if self.task == "Segmentation":
            table["segmentation"] = Images(f"{self.dataset_dir}/segmim/segmim_{n:05}.jpg" for n in self._numbers)
        places = np.array(self._numbers, np.int64) - 1
        return table | {"label": self._label_of_image[places].astype(np.uint32)}
