"""The collectives of devices: a process group in NCCL's place, for whose tensors gloo works on the same memory."""

from collections.abc import Callable
from typing import Any


def install(torch: Any, alias: Callable[[Any], Any]) -> None:
    """Let torch.distributed take "nccl" for a group over the stand-in.

    Args:
        torch: the module.
        alias: returns a tensor of the host over the memory of one of a device.
    """
    distributed = torch.distributed
    group_class = _group_class(torch, alias)

    def create(store: Any, rank: int, size: int, timeout: Any) -> Any:
        return group_class(distributed.ProcessGroupGloo(store, rank, size, timeout), rank, size)

    distributed.Backend.register_backend("standin", create, devices=["cuda", "cpu"])
    for name in ("init_process_group", "new_group"):
        replaced = _renaming(getattr(distributed, name))
        for module in (distributed, distributed.distributed_c10d):
            setattr(module, name, replaced)


def _renaming(start: Callable[..., Any]) -> Callable[..., Any]:
    def start_with(*args: Any, **options: Any) -> Any:
        args = tuple("standin" if value == "nccl" else value for value in args)
        return start(*args, **{name: "standin" if value == "nccl" else value for name, value in options.items()})

    return start_with


def _group_class(torch: Any, alias: Callable[[Any], Any]) -> type:
    def lent(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return alias(value)
        return [lent(item) for item in value] if isinstance(value, list | tuple) else value

    def collective(name: str) -> Callable[..., Any]:
        def run(self: Any, *args: Any) -> Any:
            return getattr(self.gloo, name)(*map(lent, args))

        return run

    class Group(torch.distributed.ProcessGroup):
        def __init__(self, gloo: Any, rank: int, size: int) -> None:
            super().__init__(rank, size)
            self.gloo = gloo

        def getBackendName(self) -> str:
            return "nccl"

        @property
        def group_name(self) -> str:
            return str(torch.distributed.distributed_c10d._world.pg_names.get(self, ""))

        def barrier(self, opts: Any = None) -> Any:
            return self.gloo.barrier()

    for name in COLLECTIVES:
        setattr(Group, name, collective(name))
    for name, of_gloo in SINGLE.items():
        setattr(Group, name, collective(of_gloo))
    return Group


COLLECTIVES = (
    *("allgather", "_allgather_base", "allgather_coalesced", "allreduce", "allreduce_coalesced", "alltoall"),
    *("alltoall_base", "broadcast", "gather", "recv", "recv_anysource", "reduce", "reduce_scatter"),
    *("_reduce_scatter_base", "scatter", "send"),
)
SINGLE = {  # torch's newer names, and gloo's
    "all_gather_single": "_allgather_base",
    "all_to_all_single": "alltoall_base",
    "reduce_scatter_single": "_reduce_scatter_base",
}
