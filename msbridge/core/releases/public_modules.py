"""Rooms of MindSpore's modules: the one place that says which modules of ours answer for a module path.

    mindspore.nn.layer.rnns.GRU
      |  SAME: is the path another module of ours?                   no
      |  the module at the same place in our tree                    there is none
      |  ROOMS of the path: our modules that have names of it        recurrent.rnn_steps, recurrent.rnn: no GRU
      |  the rooms of the paths above it, the nearest first          mindspore.nn.layer: none; mindspore.nn: msbridge.nn
      v
    msbridge.nn.GRU

So a path needs a row only for names that nothing public publishes. Tables of mappings/ name MindSpore's public paths
only; a file that moves is noted here, and nowhere else. Names of MindSpore's private modules for which there are files
of their own (`dropin/private`) are found by name: msbridge/dropin/importing/private_names.py.
"""

from collections.abc import Iterator

__all__ = ["HOMES", "MOVED", "OBJECTS", "ROOMS", "SAME", "home_of", "in_our_tree", "rooms_above", "rooms_of"]

SAME = {
    "common.dtype": "core.types.dtype",
    "common.parameter": "core.parameter.parameter",
    "context": "core.context.context",
    "dataset.config": "dataset.config",
    "dtype": "core.types.dtype",
    "experimental.map_parameter": "core.parameter.map_parameter",
    "experimental.optim": "nn.optim.experimental",
    "experimental.optim.lr_scheduler": "nn.optim.experimental.lr_scheduler",
    "explainer": "contrib.explainer",
    "explainer.benchmark": "contrib.explainer.benchmark",
    "explainer.explanation": "contrib.explainer.explanation",
    "graph": "contrib.graph_plugins",
    "hal.contiguous_tensors_handle": "device.contiguous",
    "log": "dropin.log",
    "nn.probability.bijector": "nn.probability.bijector",
    "nn.probability.distribution": "nn.probability.distribution",
    "nn.probability.dpn": "nn.probability.dpn",
    "nn.probability.dpn.vae": "nn.probability.dpn.vae",
    "nn.probability.infer": "nn.probability.infer",
    "nn.probability.transforms": "nn.probability.transforms",
    "ops._grad.grad_base": "ops.primitive.registries",
    "ops._grad_experimental.grad_base": "ops.primitive.registries",
    "ops.communication": "mint.distributed.switched",
    "ops.op_info_register": "ops.framework.custom.registration",
    "ops.signature": "ops.primitive.signatures",
    "profiler": "device.profiler",
    "rewrite": "contrib.rewrite",
    "train.anf_ir_pb2": "converters.messages.anf_ir",
    "train.checkpoint_pb2": "converters.messages.checkpoint",
    "train.mind_ir_pb2": "converters.messages.mind_ir",
    "train.node_strategy_pb2": "converters.messages.node_strategy",
    "train.print_pb2": "converters.messages.print_records",
    "train.serialization.context": "core.context.context",
    "train.summary_pb2": "converters.messages.summary",
}
"""Modules of MindSpore that are another module of ours."""

MOVED = {
    "dataset.transforms.vision": "dataset.vision",
    "nn.metrics": "train.metrics",
    "parallel._transformer": "nn.transformer",
    "parallel.nn": "nn.transformer",
    "vision": "dataset.vision",
}
"""Packages of earlier releases, and the package that has their modules today."""

ROOMS = {
    "_c_expression": (
        "core.parameter.parallel_attributes dropin.private.context dropin.private.engine nn.cell.precision"
    ),
    "_c_expression.typing": "core.types.dtype core.types.type_metaclass",
    "_checkparam": "dropin.checkparam.checkparam",
    "amp": "train.amp",
    "boost": "contrib.boost",
    "boost.grad_freeze": "contrib.boost.grad_freeze",
    "common.file_system": "train.checkpoint.file_system",
    "common.hook_handle": "nn.cell.hooks",
    "common.initializer": "core.parameter.initializer",
    "common.seed": "core.random.generators",
    "common.sparse_tensor": "core.sparse",
    "communication": "distributed",
    "communication._comm_helper": "distributed.groups.backends",
    "communication.comm_func": "ops.framework.collectives.generated",
    "communication.management": "distributed.groups.backends",
    "compression": "nn.quantization.quantizer nn.quantization.loading",
    "compression.common": "nn.quantization.dtypes",
    "compression.quant": "nn.quantization.quantizer nn.quantization.loading",
    "compression.quant.quant_utils": "nn.quantization.loading nn.quantization.thresholds",
    "dataset.core.config": "dataset.config",
    "dataset.core.validator_helpers": "contrib.private.data_checks",
    "dataset.py_transforms": "dataset.transforms.py_transforms",
    "dataset.text.transforms": "dataset.transforms.base",
    "dataset.transforms.py_transforms_util": "dataset.transforms.base",
    "dataset.transforms.validators": "contrib.private.data_checks",
    "dataset.vision.c_transforms": "dataset.vision.base",
    "dataset.vision.transforms": "dataset.vision.base",
    "device_context.ascend": "device.device_context.ascend",
    "device_context.cpu": "device.device_context.cpu",
    "device_context.gpu": "device.device_context.gpu",
    "device_manager": "core.context.context",
    "experimental.optim.adamw": "nn.optim.experimental.adam",
    "hal": "device.hardware device.memory device.streams",
    "mindrecord": "dataset.mindrecord",
    "mindrecord.common": "dataset.mindrecord.errors",
    "mint.distributed.distributed": "mint.distributed mint.distributed.stores mint.distributed.unlisted",
    "multiprocessing": "torch.multiprocessing",
    "multiprocessing.queue": "torch.multiprocessing.queue",
    "multiprocessing.reductions": "torch.multiprocessing.reductions",
    "nn": "train.metrics",
    "nn.cell": "nn.cell.cell",
    "nn.generator": "api",
    "nn.graph_kernels": "nn.legacy.graph_kernels",
    "nn.layer.activation": "nn.layers.activations.activation",
    "nn.layer.quant": "nn.quantization nn.quantization.activations nn.quantization.observers",
    "nn.layer.rnns": "nn.layers.recurrent.rnn_steps nn.layers.recurrent.rnn",
    "nn.optim.thor": "contrib.thor.optimizer contrib.thor.counting",
    "nn.probability.toolbox": "nn.probability.anomaly train.uncertainty",
    "nn.reinforcement": "contrib.reinforcement",
    "nn.transformer.layers": "nn.transformer.checks nn.transformer.sparse_attention",
    "nn.transformer.transformer": (
        "nn.transformer.op_parallel_config nn.transformer.blocks nn.transformer.layers "
        "nn.transformer.checks nn.transformer.moe"
    ),
    "nn.wrap.cell_wrapper": "nn.steps.wrappers nn.steps.micro_batches",
    "ops": "mint.distributed.switched",
    "ops._grad": "ops.primitive.registries",
    "ops._grad_experimental": "ops.primitive.registries",
    "ops._register_for_op": "ops.primitive.registries",
    "ops.auto_generate": (
        "contrib.ops.auto_generate ops ops.training.gradient_primitives "
        "ops.framework.collectives.generated ops.framework.python_values.scalars "
        "ops.framework.graph_sequences.functions"
    ),
    "ops.auto_generate.gen_extend_func": "mint mint.nn.functional",
    "ops.composite": "ops.framework.composite",
    "ops.composite.multitype_ops": "ops.framework.composite.multitype",
    "ops.function.comm_func": "mint.distributed.switched distributed",
    "ops.function.grad.grad_func": "core.autograd.jacobians",
    "ops.function.nn_func": "ops.neural.attention.functions ops.neural.attention.projected",
    "ops.functional_overload": "mint mint.nn.functional contrib.ops.auto_generate",
    "ops.operations": (
        "ops contrib.ops.internal contrib.ops.internal.unlisted contrib.ops.internal.rare "
        "contrib.ops.auto_generate ops.training.gradient_primitives contrib.ops.reinforcement "
        "ops.framework.collectives.virtual"
    ),
    "ops.operations._grad_ops": "ops.training.gradient_primitives",
    "ops.operations._inner_ops": "contrib.ops.internal",
    "ops.operations._map_tensor_ops": "contrib.ops.internal.map_tensors",
    "ops.operations._ms_kernel": "ops.framework.custom.hybrid",
    "ops.operations._scalar_ops": "ops.framework.python_values.scalars",
    "ops.operations._sequence_ops": "ops.framework.python_values.sequences",
    "ops.operations.manually_defined": "ops contrib.ops.internal.folding ops.framework.python_values.scalars",
    "ops.primitive": "ops.primitive.primitive",
    "ops.tensor_method": "ops.tensor_api.tensor_method ops contrib.ops.auto_generate",
    "ops.vm_impl_registry": "ops.primitive.registries",
    "parallel": "distributed train.sliced",
    "parallel._cost_model_context": "distributed.costs",
    "parallel._tensor": "distributed",
    "parallel._utils": "distributed.parallel",
    "parallel.auto_parallel": "nn.parallel.auto_parallel",
    "parallel.checkpoint_transform": "distributed",
    "parallel.data_access_adapter": "converters.files.data_access",
    "parallel.distributed": "nn.parallel.data_parallel",
    "parallel.function": "distributed.shard",
    "parallel.nn": "nn.steps.micro_batches",
    "parallel.shard": "distributed.shard",
    "parallel.strategy": "train.sliced.metadata",
    "parallel.transform_safetensors": "train.sliced.transforming",
    "profiler.schedule": "device.profiler.steps",
    "rewrite.api.symbol_tree": "contrib.rewrite.symbol_trees",
    "rewrite.common.namespace": "contrib.rewrite.calling",
    "rewrite.namespace": "contrib.rewrite.calling",
    "rewrite.node": "contrib.rewrite.blocks",
    "rewrite.sparsify": "contrib.rewrite.sparsifying",
    "runtime": "device.executor device.memory device.streams",
    "scipy.ops_wrapper": "scipy.matrices",
    "scipy.utils": "scipy.matrices",
    "train._utils": "train.sliced.redundancy",
    "train.callback": "train.callbacks",
    "train.callback._callback": "train.callbacks",
    "train.callback._checkpoint": "train.callbacks",
    "train.quant": "nn.quantization.quantizer",
    "train.quant.quant_utils": "nn.quantization.thresholds nn.quantization.loading",
    "train.summary.enum": "train.summary.enums",
    "train.train_thor": "contrib.thor.model",
}
"""Modules of MindSpore, and our modules, or torch's, that have names of theirs; asked in this order."""

OBJECTS = {
    "common.initializer.random_normal": "dropin.private.module_names.random_normal",
    "common.recompute._set_recompute_early_stop": "core.autograd.recompute.set_early_stop",
    "common.seed._get_graph_seed": "core.random.generators.graph_seeds",
    "context._make_directory": "dropin.private.context.make_folder",
    "dataset.samplers": "dataset.engine.sampling.samplers",
    "default_config.__backend__": "dropin.private.common.__backend__",
    "default_config.__package_name__": "dropin.private.common.__package_name__",
    "multiprocessing.queue.IpcConnectionWrapper": "torch.multiprocessing.queue.ConnectionWrapper",
    "multiprocessing.reducer": "multiprocessing.reduction",
    "nn.layer.math.CosineSimilarity": "nn.layers.math.CosineSimilarity",
    "nn.layer.normalization._BatchNorm": "nn.layers.normalization.batch_norm.BatchNormBase",
    "nn.wrap.cell_wrapper.grad_scale": "dropin.private.steps.scale_and_clear",
    "onnx.onnx_export.export": "train.export.export_onnx",
    "ops.composite.zeros_like": "contrib.ops.auto_generate.shapes.zeros_like",
    "ops.operations._grad_ops.RefToEmbed": "contrib.ops.internal.graph_steps.RefToEmbed",
    "ops.operations.manually_defined.ops_def.scalar_bool": "contrib.ops.auto_generate.variants.scalar_bool",
    "ops.operations.other_ops.identity": "contrib.ops.internal.unlisted.identity",
    "rewrite.common.namespace._subtree_black_list": "contrib.rewrite.calling.LEAVES",
    "rewrite.node.node.Node": "contrib.rewrite.statements.Statement",
    "rewrite.node.node_manager.NodeManager": "contrib.rewrite.blocks.Block",
    "rewrite.symbol_tree.symbol_tree.SymbolTree": "contrib.rewrite.trees.Tree",
    "train.callback._checkpoint._chg_ckpt_file_name_if_same_exist": "train.callbacks.checkpoint.free_prefix",
    "train.serialization._update_param": "train.checkpoint.loading._update",
    "train.serialization.init_ckpt_file_system": "train.checkpoint.file_system.init_ckpt_file_system",
    "utils._reuse_data_ptr": "core.tensor.interop.reuse_data_ptr",
    "utils.runtime_execution_order_check": "contrib.private.execution_order.runtime_execution_order_check",
    "utils.stress_detect": "dropin.private.common.stress_detect",
}
"""Names of MindSpore's private modules that are called otherwise here, or are not what the public name is."""

HOMES = {
    "CSRTensor": "core.sparse.matrices.CSRTensor",
    "JitConfig": "core.jit.JitConfig",
    "Parameter": "core.parameter.parameter.Parameter",
    "ParameterTuple": "core.parameter.parameter.ParameterTuple",
    "RowTensor": "core.sparse.row_tensor.RowTensor",
    "SparseTensor": "core.sparse.matrices.SparseTensor",
    "Tensor": "core.tensor.tensor.Tensor",
    "grad": "core.autograd.grad.grad",
    "initializer": "core.parameter.initializer",
    "mindrecord": "dataset.mindrecord",
    "ms_function": "core.jit.decorators.ms_function",
    "mutable": "core.jit.mutable.mutable",
    "set_seed": "core.random.seeds.set_seed",
    "value_and_grad": "core.autograd.grad.value_and_grad",
    "vjp": "core.autograd.jacobians.vjp",
}
"""What defines names of `mindspore` itself, where a release's form takes its place."""


def home_of(name: str) -> str:
    """Return the dotted path in our tree of a public name, as tables write it: "nn.Dropout", "Tensor.max"."""
    first, _, rest = name.partition(".")
    return ".".join(filter(None, ("msbridge", HOMES.get(first) or SAME.get(first, first), rest)))


def in_our_tree(name: str) -> str:
    """Return the full dotted path of a name of these tables; some are Python's or torch's."""
    return name if name.startswith(("torch.", "multiprocessing.")) else f"msbridge.{name}"


def rooms_of(path: str) -> tuple[str, ...]:
    """Return our modules that have names of MindSpore's module `path`, without the one at the same place."""
    place = path.removeprefix("mindspore.")
    rooms = tuple(map(in_our_tree, ROOMS.get(place, "").split()))
    for package, today in MOVED.items():
        if place == package or place.startswith(f"{package}."):
            place = today + place.removeprefix(package)
            return (*rooms, in_our_tree(place), *rooms_of(place))
    return rooms


def rooms_above(path: str) -> Iterator[str]:
    """Yield our modules that answer for the paths above `path`, the nearest first; `msbridge` is not among them."""
    while (path := path.rpartition(".")[0]).count("."):
        same = SAME.get(path.removeprefix("mindspore."))
        yield in_our_tree(same) if same else "msbridge" + path.removeprefix("mindspore")
        yield from rooms_of(path)
