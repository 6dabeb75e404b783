"""Decorators and look-ups for scripts that define operators."""

from msbridge.ops.faces import same
from msbridge.ops.framework.custom import hybrid, registration
from msbridge.ops.primitive import registries

SAME = {
    **same(registration, "AiCPURegOp AkgAscendRegOp AkgGpuRegOp CpuRegOp CustomRegOp DataType TBERegOp"),
    **same(registration, "custom_info_register op_info_register"),
    **same(hybrid, "kernel ms_kernel ms_hybrid"),
    **same(registries, "get_vm_impl_fn vm_impl_registry"),
}
