"""The collectives of devices: torch.distributed finds a backend in NCCL's place, or in HCCL's."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any


def install_nccl(torch: Any, native: Any) -> None:
    """Let torch.distributed have "nccl", which takes tensors of devices alone.

    Args:
        torch: the module.
        native: the library.
    """
    c10d = torch.distributed.distributed_c10d

    class ProcessGroupNCCL(native.Collectives):
        Options = SimpleNamespace

        def __init__(self, store: Any, rank: int, size: int, options: Any) -> None:
            super().__init__(torch.distributed.ProcessGroupGloo(store, rank, size, timeout=options._timeout))

    c10d.ProcessGroupNCCL = torch.distributed.ProcessGroupNCCL = ProcessGroupNCCL
    c10d._NCCL_AVAILABLE = True
    c10d.default_pg_nccl_timeout = timedelta(minutes=10)
    torch._C._nccl_version = lambda: 2 << 32
    torch._C._nccl_version_suffix = lambda: b""


def install_hccl(torch: Any, native: Any) -> None:
    """Let torch.distributed have "hccl", as torch_npu registers it."""
    distributed = torch.distributed

    def create(store: Any, rank: int, size: int, timeout: timedelta) -> Any:
        return native.Collectives(distributed.ProcessGroupGloo(store, rank, size, timeout))

    distributed.Backend.register_backend("hccl", create, devices=["npu"])
