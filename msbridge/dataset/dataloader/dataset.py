"""Datasets of a DataLoader: samples by index, or in sequence."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from msbridge.core.tensor.tensor import Tensor

__all__ = ["Dataset", "IterableDataset", "TensorDataset"]

Sample = TypeVar("Sample", covariant=True)


class Dataset(Generic[Sample]):
    """Samples by index: a subclass defines `__getitem__`, and `__len__` for those samplers that ask for it.

    Raises:
        NotImplementedError: a sample of a class without `__getitem__` is asked for.

    Follows: mindspore.dataset.dataloader.Dataset (2.10).
    """

    def __init__(self) -> None:
        pass

    def __getitem__(self, index: int) -> Sample:
        raise NotImplementedError(f"{type(self).__name__} must implement __getitem__ method.")


class IterableDataset(Dataset[Sample]):
    """Samples in sequence: a subclass defines `__iter__`; `get_worker_info` says which process it is in.

    Raises:
        NotImplementedError: an object of a class without `__iter__` is iterated over.

    Follows: mindspore.dataset.dataloader.IterableDataset (2.10).
    """

    def __iter__(self) -> Iterator[Sample]:
        raise NotImplementedError(f"{type(self).__name__} must implement __iter__ method.")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Tensors of one length: a sample is a tuple of their parts at an index.

    Args:
        *tensors: columns, of one size along the first axis.

    Raises:
        ValueError: the sizes differ.

    Follows: mindspore.dataset.dataloader.TensorDataset (2.10).
    """

    def __init__(self, *tensors: Tensor) -> None:
        super().__init__()
        if len({tensor.shape[0] for tensor in tensors}) > 1:
            sizes = [tensor.shape[0] for tensor in tensors]
            raise ValueError(f"All tensors must have the same size in the first dimension, got {sizes}.")
        self.tensors = tensors

    def __getitem__(self, index: int) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]
