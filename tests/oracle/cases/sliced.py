"""Checkpoints cut over devices: strategy files, resharding, merging, loading; and the messages of protobuf."""

import functools
import hashlib
import json
import shutil
import tempfile
import warnings
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.parallel.strategy import get_current_strategy_metadata, get_strategy_metadata  # noqa: F401
from mindspore.parallel.transform_safetensors import transform_safetensors_by_rank
from mindspore.train._utils import get_parameter_redundancy, parse_strategy_ckpt, remove_param_redundancy
from mindspore.train.anf_ir_pb2 import DataType, ValueProto
from mindspore.train.anf_ir_pb2 import TensorProto as IrTensor
from mindspore.train.checkpoint_pb2 import Checkpoint
from mindspore.train.node_strategy_pb2 import (
    DevMatrix,  # noqa: F401
    ParallelGroupMap,
    ParallelLayouts,
    ParallelStrategyMap,
    TensorMap,
)
from mindspore.train.print_pb2 import Print  # noqa: F401
from mindspore.train.summary_pb2 import Event

from tests.oracle.case import Case

# name → devices, axes, optimizer's step and pieces; an axis may be cut by several axes of the array of devices
FOUR = {"a.weight": ([2, 2], [1, 0], 0, 0), "a.bias": ([2, 2], [0], 0, 0), "b.weight": ([4], [-1, 0], 0, 0)}
TWO = {"a.weight": ([2], [-1, 0], 0, 0), "a.bias": ([2], [-1], 0, 0), "b.weight": ([2], [0, -1], 0, 0)}
EIGHT = {"a.weight": ([2, 4], [-1, 0], 4, 2), "a.bias": ([8], [-1], 1, 8), "b.weight": ([4, 2], [0, 1], 0, 0)}
HALF = {"a.weight": ([4, 2], [0, -1], 2, 2), "a.bias": ([4, 2], [0], 2, -1), "b.weight": ([8], [-1, -1], 1, 4)}
NESTED = {
    "a.weight": ([2, 2, 2], [[2, 1], [0]], 0, 0),
    "a.bias": ([2, 2, 2], [1], 4, 2),
    "b.weight": ([8], [0, -1], 0, 0),
}
SIX = {"a.weight": ([3], [-1, -1], 0, 0), "a.bias": ([3], [-1], 0, 0), "b.weight": ([3], [-1, -1], 0, 0)}
STRATEGIES = {"four": FOUR, "two": TWO, "eight": EIGHT, "half": HALF, "nested": NESTED, "six": SIX}
WHOLE = {
    "a.weight": np.arange(16 * 8, dtype=np.float32).reshape(16, 8),
    "a.bias": np.arange(16, dtype=np.float16) + 100,
    "b.weight": np.arange(16 * 8, dtype=np.int32).reshape(16, 8) - 64,
}


def layouts(rows, stage=None, protobuf=True):
    """Return a strategy file's message, or its JSON."""
    message = ParallelStrategyMap(current_stage=stage or 0)
    item = message.parallel_strategy_item.add(node_name=f"MatMul-op{stage or 0}")
    item.parallel_strategys.stage = stage or 0
    item.parallel_strategys.parallel_strategy.add().dim.extend([1, 2])
    found = {}
    for name, (devices, axes, step, pieces) in rows.items():
        one = message.parallel_layout_item.add()
        one.param_name = name
        one.parallel_layouts.field = 0
        one.parallel_layouts.opt_weight_shard_step = step
        one.parallel_layouts.opt_weight_shard_size = pieces
        one.parallel_layouts.dev_matrix.add().dim.extend(devices)
        nested = any(isinstance(axis, list) for axis in axes)
        for dim in axes if nested else [axes]:
            one.parallel_layouts.tensor_map.add().dim.extend(dim)
        one.parallel_layouts.param_split_shape.add()
        found[name] = {"dev_matrix": devices, "tensor_map": axes, "field": 0}
        found[name] |= {"opt_weight_shard_step": step, "opt_weight_shard_size": pieces}
    if protobuf:
        return message.SerializeToString()
    operators = {f"MatMul-op{stage or 0}": {"stage": stage or 0, "parallel_strategy": [[1, 2]]}}
    content = {"current_stage": 0, "parallel_strategy_item": operators, "parallel_layout_item": found}
    return json.dumps(content).encode()


class Folder:
    """A folder for files of one case, removed with it."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="sliced"))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.path)

    def at(self, name):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return str(path)

    def write(self, name, data):
        Path(self.at(name)).write_bytes(data)
        return self.at(name)

    def strategy(self, name, protobuf=True):
        if name is None:
            return None
        suffix = "ckpt" if protobuf else "json"
        return self.write(f"strategies_{name}/{name}.{suffix}", layouts(STRATEGIES[name], protobuf=protobuf))

    def save(self, folder, ranks, format="ckpt"):
        """Save parameters: rank → name → array."""
        for rank, values in ranks.items():
            data = [{"name": name, "data": Tensor(value)} for name, value in values.items()]
            ms.save_checkpoint(data, self.at(f"{folder}/rank_{rank}/net-1_2.{format}"), format=format)
        return self.at(folder)

    def load(self, folder):
        """Return what lies in a folder: file → name → value."""
        found = {}
        for path in sorted((self.path / folder).rglob("*.*")):
            if path.suffix in (".ckpt", ".safetensors"):
                read = ms.load_checkpoint(str(path), format=path.suffix[1:])
                values = {one: np.array(value.asnumpy()) for one, value in sorted(read.items())}
                found[path.relative_to(self.path / folder).as_posix()] = values
        return found


def cut(name, extra=True):
    """Return the pieces of all ranks, by a rule of its own: rank → name → piece."""
    rows = STRATEGIES[name]
    count = int(np.prod(next(iter(rows.values()))[0]))
    found = {rank: {} for rank in range(count)}
    for key, (devices, axes, _step, pieces) in rows.items():
        axes = [axis if isinstance(axis, list) else [axis] for axis in axes]
        numbers = np.arange(count).reshape(devices)
        used = [len(devices) - 1 - one for axis in axes for one in axis if one != -1]
        free = [one for one in range(len(devices)) if one not in used]
        groups = numbers.transpose(*used, *free).reshape([devices[one] for one in used] + [-1])
        total = groups.shape[-1] if pieces == -1 else max(1, pieces)
        for rank in range(count):
            place = [int(one[0]) for one in np.where(groups == rank)]
            value, position = WHOLE[key], 0
            for number, axis in enumerate(axes):
                for one in axis:
                    if one != -1:
                        value = np.split(value, devices[-1 - one], number)[place[position]]
                        position += 1
            found[rank][key] = np.split(value, total, 0)[place[-1] % total]
    for rank in found if extra else ():
        found[rank]["global_step"] = np.array([rank], np.int32)
    return found


def transform(source, target, format="ckpt", output=None, protobuf=True, process_num=1, without=()):
    with Folder() as folder:
        ranks = {0: WHOLE | {"global_step": np.array([7], np.int32)}} if source is None else cut(source)
        ranks = {rank: values for rank, values in ranks.items() if rank not in without}
        arguments = folder.save("in", ranks, format), folder.at("out"), "new"
        files = folder.strategy(source, protobuf), folder.strategy(target, protobuf)
        ms.transform_checkpoints(*arguments, *files, process_num, output or format)
        return folder.load("out")


def there_and_back(between):
    """From four devices to others, and to four again: the bytes of all files, as a number that represents them."""
    with Folder() as folder:
        given = folder.save("four", cut("four", extra=False))
        files = folder.strategy("four"), folder.strategy(between)
        ms.transform_checkpoints(given, folder.at("between"), "new", *files)
        ms.transform_checkpoints(folder.at("between"), folder.at("back"), "new", *reversed(files))
        return {
            path.relative_to(folder.path).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for name in ("four", "between", "back")
            for path in sorted((folder.path / name).rglob("*.ckpt"))
        }


def by_rank(source, target, rank, keep=None):
    with Folder() as folder:
        folder.save("in", cut(source))
        files = folder.strategy(source), folder.strategy(target)
        ranks = ms.rank_list_for_transform(rank, *files)
        known = {one: folder.at(f"in/rank_{one}/net-1_2.ckpt") for one in (ranks if keep is None else keep)}
        ms.transform_checkpoint_by_rank(rank, known, folder.at("out/a.ckpt"), *files)
        return [int(one) for one in ranks], folder.load("out")


def lists(source, target):
    with Folder() as folder:
        files = folder.strategy(source), folder.strategy(target)
        count = 1 if target is None else int(np.prod(next(iter(STRATEGIES[target].values()))[0]))
        return [[int(one) for one in ms.rank_list_for_transform(rank, *files)] for rank in range(count)]


STAGES = ({"a.weight": FOUR["a.weight"], "a.bias": FOUR["a.bias"]}, {"b.weight": FOUR["b.weight"]})


def pipeline(target, format="ckpt"):
    """Two stages of four devices each; the second has b.weight, and shares nothing."""
    with Folder() as folder:
        for stage, rows in enumerate(STAGES):
            folder.write(f"stages/s{stage}.ckpt", layouts(rows, stage))
        ms.merge_pipeline_strategys(folder.at("stages"), folder.at("merged/all.ckpt"))
        pieces = cut("four")
        ranks = {}
        for rank, values in pieces.items():
            ranks[rank] = {name: values[name] for name in ("a.weight", "a.bias", "global_step")}
            ranks[rank + 4] = {name: values[name] for name in ("b.weight", "global_step")}
        source = folder.at("merged/all.ckpt")
        lists = [
            [int(one) for one in ms.rank_list_for_transform(rank, source, folder.strategy(target))] for rank in (0, 1)
        ]
        ms.transform_checkpoints(
            folder.save("in", ranks, format),
            folder.at("out"),
            "p",
            source,
            folder.strategy(target),
            1,
            format,
        )
        return lists, folder.load("out")


def into_pipeline(source):
    """Whole parameters, or those of a strategy, cut for two stages."""
    with Folder() as folder:
        for stage, rows in enumerate(STAGES):
            folder.write(f"stages/s{stage}.ckpt", layouts(rows, stage))
        ms.merge_pipeline_strategys(folder.at("stages"), folder.at("merged/all.ckpt"))
        ranks = {0: dict(WHOLE)} if source is None else cut(source)
        target = folder.at("merged/all.ckpt")
        ms.transform_checkpoints(folder.save("in", ranks), folder.at("out"), "p", folder.strategy(source), target)
        return folder.load("out")


def part(stage):
    """The strategy of one stage alone: parts of files."""
    with Folder() as folder:
        source = folder.write("one/s.ckpt", layouts(STAGES[stage], stage))
        pieces = {
            rank + 4 * stage: {k: v for k, v in one.items() if k in STAGES[stage]} for rank, one in cut("four").items()
        }
        ms.transform_checkpoints(folder.save("in", pieces), folder.at("out"), "p", source, folder.strategy("two"))
        return folder.load("out")


def merged_strategies(protobuf, stages=2):
    """The file of merged stages, whose order the file system decides, and what is read of it."""
    with Folder() as folder:
        suffix = "ckpt" if protobuf else "json"
        for stage in range(stages):
            folder.write(f"stages/s{stage}.{suffix}", layouts(STAGES[stage], stage, protobuf))
        ms.merge_pipeline_strategys(folder.at("stages"), folder.at(f"new/folder/all.{suffix}"))
        found = ms.build_searched_strategy(folder.at(f"new/folder/all.{suffix}"))
        data = Path(folder.at(f"new/folder/all.{suffix}")).read_bytes()
        names = sorted(found)
        content = data.hex() if protobuf else json.dumps(json.loads(data), sort_keys=True)
        return content if stages == 1 or not protobuf else len(data), names, [str(found[name]) for name in names]


def merge_folder(*files):
    with Folder() as folder:
        folder.at("stages/x")
        for name, data in files:
            folder.write(f"stages/{name}", data)
        ms.merge_pipeline_strategys(folder.at("stages"), folder.at("all.ckpt"))


def searched(name="s.ckpt", data=None, protobuf=True, strategy="four"):
    with Folder() as folder:
        path = folder.write(name, layouts(STRATEGIES[strategy], protobuf=protobuf) if data is None else data)
        return {key: str(value) for key, value in sorted(ms.build_searched_strategy(path).items())}


def group_info(data=None, ranks=(0, 4)):
    message = ParallelGroupMap()
    message.ckpt_restore_rank_list.dim.extend(ranks)
    item = message.parallel_group_item.add(group_name="g")
    item.parallel_group_ranks.dim.extend([0, 1])
    with Folder() as folder:
        return ms.restore_group_info_list(folder.write("g.pb", message.SerializeToString() if data is None else data))


def slices(name, strategy="four", dtype=None):
    return [
        Parameter(Tensor(one[name]) if dtype is None else Tensor(one[name], dtype), name)
        for one in cut(strategy).values()
    ]


def strategy_of(strategy, name=None, lengths=(), field=0):
    with Folder() as folder:
        found = ms.build_searched_strategy(folder.strategy(strategy))
        if name:
            found[name].param_split_shape[0].dim.extend(lengths)
            found[name].field = field
        return found


def uneven():
    """Rows of unequal lengths over four devices."""
    layout = ParallelLayouts(field=0, opt_weight_shard_step=0, opt_weight_shard_size=0)
    layout.dev_matrix.add(dim=[2, 2])
    layout.tensor_map.add(dim=[1, 0])
    layout.param_split_shape.add(dim=[1, 1, 2, 2])
    parts = [np.arange(3), np.arange(3) + 3, np.arange(6).reshape(2, 3) + 10, np.arange(6).reshape(2, 3) + 20]
    return ms.merge_sliced_parameter([Parameter(Tensor(one.reshape(-1, 3)), "w") for one in parts], {"w": layout})


def fields(count=2):
    layout = ParallelLayouts(field=count, opt_weight_shard_step=0, opt_weight_shard_size=0)
    layout.dev_matrix.add(dim=[2])
    layout.tensor_map.add(dim=[0, -1])
    layout.param_split_shape.add()
    parts = [np.arange(12).reshape(4, 3), np.arange(12).reshape(4, 3) + 50]
    return ms.merge_sliced_parameter([Parameter(Tensor(one), "w") for one in parts], {"w": layout})


class Net(nn.Cell):
    """Parameters of the shapes of WHOLE."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.zeros((16, 8), np.float32)), name="a.weight")
        self.bias = Parameter(Tensor(np.zeros(16, np.float16)), name="a.bias")
        self.other = Parameter(Tensor(np.zeros((16, 8), np.int32)), name="b.weight")
        self.more = Parameter(Tensor(np.ones(2, np.float32)), name="c")


def quietly(function):
    """Leave out what msbridge warns of, and MindSpore writes into its log."""

    @functools.wraps(function)
    def call(*arguments, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments, **options)

    return call


@quietly
def distributed(strategy, predict=None, in_context=False, count=None, **options):
    with Folder() as folder:
        folder.save("in", cut(strategy))
        total = len(cut(strategy)) if count is None else count
        files = [folder.at(f"in/rank_{rank}/net-1_2.ckpt") for rank in range(total)]
        net = Net()
        file = folder.strategy(strategy)
        if in_context:
            ms.set_auto_parallel_context(strategy_ckpt_load_file=file)
            file = None
        try:
            result = ms.load_distributed_checkpoint(net, files, predict, file, **options)
        finally:
            ms.reset_auto_parallel_context()
        return result, {one.name: np.array(one.asnumpy()) for one in net.get_parameters()}


PREDICT = {
    "a.weight": [[2, 2], [1, 0], [], 0, True, ""],
    "a.bias": [[4], [-1], [], 0, True, ""],
    "b.weight": [[4], [0, -1], [], 0, True, ""],
}


@quietly
def distributed_part():
    """A network that is cut itself: the parts of rank 0."""
    with Folder() as folder:
        folder.save("in", cut("eight"))
        files = [folder.at(f"in/rank_{rank}/net-1_2.ckpt") for rank in range(8)]
        net = Net()
        net.weight = Parameter(Tensor(np.zeros((8, 4), np.float32)), name="a.weight")
        net.other = Parameter(Tensor(np.zeros((4, 8), np.int32)), name="b.weight")
        ms.load_distributed_checkpoint(net, files, PREDICT, folder.strategy("eight"))
        return {one.name: np.array(one.asnumpy()) for one in sorted(net.get_parameters(), key=lambda one: one.name)}


@quietly
def unified(strategy, without=(), load=None, **options):
    with Folder() as folder:
        pieces = cut(strategy)
        for rank, name in without:
            del pieces[rank][name]
        arguments = (
            folder.save("in", pieces, "safetensors"),
            folder.strategy(strategy),
            folder.at("out"),
        )
        ms.parallel.unified_safetensors(*arguments, **options)
        places = json.loads(Path(folder.at("out/param_name_map.json")).read_text())
        places["weight_map"] = dict(sorted(places["weight_map"].items()))
        found = [places, folder.load("out")]
        if load == "net":
            net = Net()
            missing, more = ms.load_distributed_checkpoint(
                net, format="safetensors", unified_safetensors_dir=arguments[2]
            )
            found += [
                sorted(missing),
                sorted(more),
                {one.name: np.array(one.asnumpy()) for one in net.get_parameters()},
            ]
        elif load:
            ms.load_distributed_checkpoint(
                None,
                None,
                folder.strategy(load),
                format="safetensors",
                unified_safetensors_dir=arguments[2],
                dst_safetensors_dir=folder.at("again"),
                max_process_num=1,
            )
            found.append(folder.load("again"))
        return found


def redundancy(strategy, keep=1, first=0, layout=None):
    """Groups of ranks with equal pieces, and who saves what."""
    with Folder() as folder:
        groups = get_parameter_redundancy(folder.strategy(strategy) if layout is None else layout, first)
        owners = remove_param_redundancy(groups, keep)
        return groups, {rank: sorted(names) for rank, names in sorted(owners.items())}


def parsed(strategy):
    with Folder() as folder:
        return parse_strategy_ckpt(folder.strategy(strategy))


def path_for(strategy, *there):
    with Folder() as folder:
        for name in there:
            folder.write(name, b"x")
        file = folder.strategy(strategy)
        found = ms.get_ckpt_path_with_strategy(folder.at("rank_0/a.ckpt"), file)
        return found and Path(found).relative_to(folder.path).as_posix()


def by_rank_of_safetensors(source, target, rank, name):
    """MindSpore itself fails where it does not refuse."""
    with Folder() as folder:
        folder.save("in", cut(source), "safetensors")
        files = folder.strategy(source), folder.strategy(target)
        known = {
            one: folder.at(f"in/rank_{one}/net-1_2.safetensors") for one in ms.rank_list_for_transform(rank, *files)
        }
        transform_safetensors_by_rank(rank, known, folder.at(name), *files)
        return folder.load("out")


def chosen(suffix, *names):
    """Which of several files of a rank is taken: its number."""
    with Folder() as folder:
        for number, name in enumerate(names):
            data = [{"name": "w", "data": Tensor(np.array([number], np.int32))}]
            ms.save_checkpoint(data, folder.at(f"in/rank_0/{name}.safetensors"), format="safetensors")
        strategy = folder.write("s/s.ckpt", layouts({"w": ([1], [-1], 0, 0)}))
        ms.parallel.unified_safetensors(folder.at("in"), strategy, folder.at("out"), file_suffix=suffix)
        return folder.load("out")


def segmented():
    with Folder() as folder:
        for number, name in enumerate(("x", "y")):
            ms.save_checkpoint(
                [{"name": name, "data": Tensor(np.arange(number + 2))}], folder.at(f"parts/{number}.ckpt")
            )
        return dict(sorted(ms.load_segmented_checkpoints(folder.at("parts")).items()))


def made(kind, **values):
    return kind(**values)


def told(kind, data):
    """What a message says of bytes: the rest of them, its text, its bytes, what is missing."""
    message = kind()
    count = message.ParseFromString(data)
    return count, str(message), message.SerializePartialToString().hex(), message.FindInitializationErrors()


def checkpoint_message():
    message = Checkpoint()
    value = message.value.add(tag="w")
    before = value.HasField("tensor"), value.WhichOneof("value")
    value.tensor.dims.extend([2, 3])
    value.tensor.tensor_type = "Float32"
    value.tensor.tensor_content = bytes(range(24))
    text, data = str(message), message.SerializeToString()
    other = Checkpoint()
    other.ParseFromString(data)
    copied = Checkpoint.Value()
    copied.CopyFrom(value)
    copied.maptensor.tensor.add().dims.append(1)
    other.MergeFrom(message)
    return before, text, data.hex(), len(other.value), str(copied), copied.HasField("tensor"), message.ByteSize()


def lists_of(values):
    message = TensorMap(dim=values)
    message.dim.append(5)
    message.dim[0] = -7
    message.dim.remove(5)
    message.dim.insert(0, 9)
    del message.dim[1]
    message.dim.extend([1, 2])
    message.dim.sort()
    return (
        list(message.dim),
        message.dim == [1, 2],
        message.SerializeToString().hex(),
        repr(message.dim),
        message.dim.pop(),
    )


def items_of():
    message = ParallelStrategyMap()
    first = message.parallel_layout_item.add(param_name="x")
    message.parallel_layout_item.append(first)
    message.parallel_layout_item[1].param_name = "y"
    message.parallel_layout_item.extend([first])
    del message.parallel_layout_item[0]
    names = [one.param_name for one in message.parallel_layout_item]
    message.ClearField("parallel_layout_item")
    return (
        names,
        len(message.parallel_layout_item),
        message == ParallelStrategyMap(),
        [f.name for f in message.DESCRIPTOR.fields],
    )


def set_field(message, name, value):
    setattr(message, name, value)
    return str(message)


def event():
    message = Event(wall_time=1.5, step=3)
    message.summary.value.add(tag="loss", scalar_value=0.1)
    message.summary.value.add(tag="h").histogram.buckets.add(left=0.25, width=1e-9, count=4)
    message.summary.value.add(tag="i").image.encoded_image = b"\x00\xff\"'\\\n1a"
    return str(message), message.SerializePartialToString().hex(), message.WhichOneof("what")


def of_ir():
    message = ValueProto(dtype="DT_INT8", bool_vals=[True, False], float_val=1e20, str_val="wé\t")
    message.values.add().double_val = float("inf")
    names = DataType.Name(2), DataType.Value("DT_TENSOR"), message.dtype, ValueProto().dtype
    return (
        str(message),
        message.SerializeToString().hex(),
        names,
        IrTensor(float_data=[1.5, 0.1]).SerializeToString().hex(),
    )


PAIRS = [(None, "four"), ("four", None), ("four", "two"), ("two", "four"), ("eight", None), ("eight", "two")]
PAIRS += [("eight", "half"), ("half", "four"), ("nested", None), ("nested", "eight"), (None, "nested"), (None, "half")]
CASES = [
    *(Case(f"transform({source!r}, {target!r})") for source, target in PAIRS),
    *(Case(f"lists({source!r}, {target!r})") for source, target in PAIRS if source),
    Case("transform('four', 'two', protobuf=False)"),
    Case("transform('four', 'two', 'safetensors')"),
    Case("transform('eight', 'half', 'safetensors', 'ckpt')"),
    Case("transform('eight', None, 'safetensors')"),
    Case("transform('four', 'two', 'safetensors', process_num=2)"),
    Case("transform('four', 'two', output='safetensors')", raises=ValueError, says="output_format"),
    Case("transform('four', 'two', 'safetensors', 'npz')", raises=ValueError, says="output_format"),
    Case("transform('four', 'two', without=[3])", raises=ValueError, says="missing"),
    Case("transform('four', None, 'safetensors', without=[1])", raises=ValueError, says="missing"),
    Case("transform('four', 'six')", raises=ValueError, says="Cannot transform device_num from 4 to 3"),
    Case("transform('four', 'two', without=[0, 1, 2, 3])", raises=ValueError, says="can not be empty"),
    Case("there_and_back('two')"),
    Case("there_and_back('nested')"),
    Case("by_rank('four', 'two', 1)"),
    Case("by_rank('eight', 'four', 2)"),
    Case("by_rank('nested', None, 0)"),
    Case("by_rank('four', None, 0, [0, 1, 2])", raises=ValueError, says="is missing"),
    Case("by_rank('four', 'two', 1.5)", raises=TypeError, says="rank_id"),
    Case("ms.transform_checkpoint_by_rank(0, [], 'a.ckpt')", raises=TypeError, says="checkpoint_files_map"),
    Case("ms.transform_checkpoint_by_rank(0, {}, 'a.txt')", raises=ValueError, says=".ckpt"),
    Case("ms.transform_checkpoint_by_rank(0, {}, 5)", raises=TypeError, says="save_checkpoint_file_name"),
    Case("ms.transform_checkpoint_by_rank(0, {0: '/no/such.ckpt'}, 'a.ckpt')", raises=ValueError, says="not exits"),
    Case("ms.rank_list_for_transform(0)"),
    Case("ms.rank_list_for_transform('0')", raises=TypeError, says="rank_id"),
    Case("ms.rank_list_for_transform(0, '/no/such.ckpt')", raises=ValueError, says="no such"),
    Case("ms.rank_list_for_transform(0, 5)", raises=TypeError),
    Case("pipeline(None)"),
    Case("pipeline('two')"),
    Case("pipeline('eight')"),
    Case("pipeline(None, 'safetensors')"),
    Case("into_pipeline(None)"),
    Case("into_pipeline('four')"),
    Case("into_pipeline('two')"),
    Case("part(0)"),
    Case("part(1)"),
    Case("merged_strategies(True)"),
    Case("merged_strategies(False)"),
    Case("merged_strategies(True, 1)"),
    Case("merge_folder(('a.ckpt', layouts(FOUR)), ('b.json', b'{}'))", raises=ValueError, says="format"),
    Case("merge_folder(('a.json', b'{}'))", raises=ValueError, says="empty"),
    Case("merge_folder(('a.ckpt', b''))", raises=ValueError, says="empty"),
    Case("ms.merge_pipeline_strategys('/no/such/folder', tempfile.mkdtemp() + '/a.ckpt')", raises=NotADirectoryError),
    Case("searched()"),
    Case("searched('s.json', protobuf=False)"),
    Case("searched(strategy='eight')"),
    Case("searched(strategy='nested')"),
    Case("searched(data=layouts({}))"),
    Case("searched('s.json', b'{}')"),
    Case("searched(data=b'')", raises=ValueError, says="empty"),
    Case("searched(data=b'no message')", raises=TypeError),
    Case("searched('s.json', b'[')", raises=ValueError),
    Case("ms.build_searched_strategy(None)"),
    Case("ms.build_searched_strategy(5)", raises=TypeError, says="str"),
    Case("ms.build_searched_strategy('/no/such.ckpt')", raises=ValueError, says="no such"),
    Case("group_info()"),
    Case("group_info(b'')", raises=ValueError, says="empty"),
    Case("group_info(ranks=())"),
    Case("ms.restore_group_info_list(5)", raises=TypeError),
    Case("ms.restore_group_info_list('/no/such.pb')", raises=ValueError, says="no such"),
    *(Case(f"ms.merge_sliced_parameter(slices({name!r}), strategy_of('four'))") for name in WHOLE),
    Case("ms.merge_sliced_parameter(slices('a.weight'))"),
    Case("ms.merge_sliced_parameter(slices('a.weight', dtype=ms.bfloat16), strategy_of('four'))"),
    Case("ms.merge_sliced_parameter(slices('b.weight', 'two'), strategy_of('two'))"),
    Case("uneven()"),
    Case("fields()"),
    Case("ms.merge_sliced_parameter(())", raises=TypeError, says="sliced_parameters"),
    Case("ms.merge_sliced_parameter([])", raises=ValueError, says="sliced_parameters"),
    Case("ms.merge_sliced_parameter([Tensor(1)])", raises=TypeError, says="sliced_parameters"),
    Case("ms.merge_sliced_parameter([5])", raises=TypeError, says="sliced_parameters"),
    Case("ms.merge_sliced_parameter(slices('a.weight'), 5)", raises=TypeError, says="strategy"),
    Case("ms.merge_sliced_parameter(slices('a.weight'), {'w': 1})", raises=KeyError, says="a.weight"),
    Case("ms.merge_sliced_parameter(slices('a.weight')[:3], strategy_of('four'))", raises=ValueError, says="3"),
    Case("ms.merge_sliced_parameter(slices('a.weight'), {'a.weight': 1})", raises=ValueError),
    Case("ms.merge_sliced_parameter(slices('a.weight') + slices('a.bias'))", raises=ValueError, says="name"),
    Case(
        "ms.merge_sliced_parameter(slices('a.bias'), strategy_of('four', 'a.bias', [8, 9]))",
        raises=ValueError,
        says="axis",
    ),
    Case("ms.merge_sliced_parameter(slices('a.bias'), strategy_of('four', 'a.bias', [8]))", raises=ValueError),
    *(Case(f"distributed({strategy!r})") for strategy in ("four", "two", "eight")),
    Case("distributed('four', in_context=True)"),
    Case("distributed_part()"),
    Case("distributed('four', count=3)", raises=ValueError, says="device count"),
    Case("distributed('four', 5)", raises=ValueError, says="predict_strategy"),
    Case("distributed('four', {'a.weight': [[4], [0], [], 1]})", raises=ValueError),
    Case("distributed('four', format='npz')", raises=ValueError),
    Case("distributed('four', format='safetensors')", raises=ValueError, says="unified_safetensors_dir"),
    Case("ms.load_distributed_checkpoint(5, [])", raises=ValueError),
    Case("ms.load_distributed_checkpoint(Net(), ['/no/such.ckpt'])", raises=ValueError, says="checkpoint_filenames"),
    Case("ms.load_distributed_checkpoint(Net(), [5])", raises=ValueError, says="checkpoint_filenames"),
    Case(
        "ms.load_distributed_checkpoint(None, format='safetensors', unified_safetensors_dir='.')",
        raises=ValueError,
        says="dst_safetensors_dir",
    ),
    Case("unified('four', load='net')"),
    Case("unified('eight', load='two')"),
    Case("unified('four', without=[(1, 'b.weight')], load='four')", raises=ValueError),
    Case("unified('two', without=[(1, 'a.weight')])", raises=ValueError),
    Case("unified('four', without=[(2, 'a.bias')], merge_with_redundancy=False)"),
    Case("unified('four', choice_func=lambda name: name != 'b.weight')"),
    Case("unified('four', choice_func=lambda name: 'new.' + name)"),
    Case("unified('four', choice_func=lambda name: 5)", raises=ValueError, says="choice_func"),
    Case("unified('four', file_suffix='1_2')"),
    Case("unified('four', file_suffix='9_9')", raises=ValueError),
    *(Case(f"redundancy({name!r})") for name in ("four", "two", "eight", "half")),
    Case("redundancy('four', 2)"),
    Case("redundancy('eight', 1, 8)"),
    Case(
        "redundancy('', 1, 0, {'a': [[2, 2], [1, -1], [], 0, True, '', []], 'b': [[2, 2], [-1], [], 0, True, '', []]})"
    ),
    Case("parsed('eight')"),
    Case("parse_strategy_ckpt('/no/such')", raises=FileNotFoundError),
    Case("path_for('four', 'rank_0/a.ckpt', 'rank_1/a.ckpt')"),
    Case("path_for('four', 'rank_1/a.ckpt')"),
    Case("path_for('two', 'rank_1/a.ckpt')"),
    Case("path_for('six', 'rank_2/a.ckpt')"),
    Case("path_for('six')"),
    Case("ms.get_ckpt_path_with_strategy('/no/rank_0/a.ckpt', '/no/such')", raises=FileNotFoundError),
    Case("by_rank_of_safetensors('four', 'two', 1, 'out/a.ckpt')", raises=ValueError, says=".safetensors"),
    Case("chosen(None, 'net-1_9', 'net-1_10')"),
    Case("chosen('1_10', 'net-1_10', 'net_1-1_10', 'net-11_10')"),
    Case("chosen('10', 'net-1_10', 'net-1_110')"),
    Case("chosen('1-1_10', 'net_rank_1-1_10', 'net_1-1_10')"),
    Case("chosen('-1_10', 'net-1_10', 'nets-1_10')"),
    Case("chosen('_10', 'net-1_10', 'new-2_10')", raises=ValueError, says="file_suffix"),
    Case("chosen('x', 'netx', 'newx')", raises=ValueError, says="longest common suffix"),
    Case("ms.parallel.set_op_strategy_config('SAVE', 'a.json')", raises=KeyError, says="absolute"),
    Case("ms.parallel.set_op_strategy_config('SAVE', '/tmp/a.txt')", raises=KeyError, says=".json"),
    Case("ms.parallel.set_op_strategy_config('FOO', '/tmp/a.json')", raises=KeyError, says="SAVE"),
    Case("ms.parallel.set_op_strategy_config('SAVE', '/etc/a.json')", raises=PermissionError),
    Case("ms.parallel.set_op_strategy_config('SAVE', 5)", raises=TypeError),
    Case("ms.parallel.sync_pipeline_shared_parameters(Net())"),
    Case("ms.parallel.sync_pipeline_shared_parameters(5)", raises=TypeError, says="net"),
    Case("ms.parallel.parameter_broadcast(Net(), {'a.weight': [[1], [-1]]})"),
    Case("get_strategy_metadata(Net()), get_strategy_metadata(Net(), 0), get_current_strategy_metadata(Net())"),
    Case("get_strategy_metadata(5)", raises=AttributeError),
    Case("segmented()"),
    Case("ms.load_segmented_checkpoints(5)", raises=TypeError, says="str"),
    Case("ms.load_segmented_checkpoints('/no/such')", raises=ValueError),
    Case("checkpoint_message()"),
    Case("lists_of([3, 4])"),
    Case("items_of()"),
    Case("event()"),
    Case("of_ir()"),
    Case("told(DevMatrix, bytes.fromhex('08021005'))"),
    Case("told(DevMatrix, bytes.fromhex('0a020102'))"),
    Case("told(DevMatrix, bytes.fromhex('096162636465666768'))"),
    Case("told(ParallelLayouts, b'')"),
    Case("told(Print, bytes.fromhex('0a050a03616263'))"),
    *(Case(f"told(DevMatrix, bytes.fromhex({data!r}))", raises=Exception) for data in ("ffff", "0a7f", "0001", "0f")),
    Case("told(DevMatrix, 'x')", raises=TypeError),
    *(
        Case(f"set_field(ParallelStrategyMap(), {name!r}, {value})", raises=error)
        for name, value, error in (
            ("current_stage", "'a'", TypeError),
            ("current_stage", "-1", ValueError),
            ("current_stage", "1.0", TypeError),
            ("current_stage", "True", TypeError),
            ("parallel_layout_item", "[]", AttributeError),
            ("nothing", "1", AttributeError),
        )
    ),
    Case("set_field(ValueProto(), 'graph', ValueProto())", raises=AttributeError),
    Case("set_field(ValueProto(), 'dtype', 9999)", raises=ValueError),
    Case("ParallelStrategyMap().HasField('parallel_layout_item')", raises=ValueError),
    Case("DevMatrix().dim.append('a')", raises=TypeError),
    Case("DevMatrix().dim.append(-1)", raises=ValueError),
    Case("DevMatrix(foo=1)", raises=ValueError, says="foo"),
    Case("hash(DevMatrix())", raises=TypeError),
    Case("made(DevMatrix).MergeFrom(TensorMap())", raises=TypeError),
    Case("ParallelStrategyMap().SerializeToString()", raises=Exception, says="required"),
]
