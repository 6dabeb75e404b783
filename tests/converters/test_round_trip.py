"""There and back without a model: random networks and dtypes; every tensor comes back with its name and its bytes."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from msbridge.converters import convert, open_checkpoint
from msbridge.converters.names.paths import join_path
from msbridge.converters.tensors.lazy_bytes import as_bytes

LAYERS = {
    "fc": {"weight": (4, 3), "bias": (4,)},
    "q_proj": {"weight": (3, 3)},
    "embed_tokens": {"weight": (5, 3)},
    "conv": {"weight": (4, 2, 3, 3), "bias": (4,)},
    "conv1d": {"weight": (4, 2, 3), "bias": (4,)},
    "volume": {"weight": (4, 2, 3, 2, 2)},
    "ln": {"weight": (6,), "bias": (6,)},
    "norm": {"weight": (6,)},
    "prelu": {"weight": (4,)},
    "bn": {"weight": (4,), "bias": (4,), "running_mean": (4,), "running_var": (4,), "num_batches_tracked": ()},
    "lstm": {"weight_ih_l0": (8, 3), "weight_hh_l0": (8, 2), "bias_ih_l0": (8,), "bias_hh_l0": (8,)},
    "attn": {"in_proj_weight": (6, 2), "in_proj_bias": (6,)},
    "own": {"temperature": (), "table": (0, 3), "mask": (2, 2)},
}
KINDS = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int64, torch.bool]
names = st.text(st.characters(codec="utf-8", exclude_characters="\0/\\."), min_size=1, max_size=8)
paths = st.lists(names | st.sampled_from(["layers", "module", "0"]), max_size=3).map(".".join)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@st.composite
def states(draw) -> dict[str, torch.Tensor]:
    """The state dict of a network: layers at random paths, of one floating dtype; their own tensors of any."""
    kind, generator = draw(st.sampled_from(KINDS[:4])), torch.Generator().manual_seed(draw(st.integers(0, 99)))
    made = {}
    for path, layer in draw(st.lists(st.tuples(paths, st.sampled_from(list(LAYERS))), min_size=1, max_size=6)):
        for leaf, shape in LAYERS[layer].items():
            dtype = draw(st.sampled_from(KINDS)) if layer == "own" else kind
            dtype = torch.int64 if leaf == "num_batches_tracked" else dtype
            value = torch.randint(-4, 5, shape, generator=generator)
            made[join_path(join_path(path, layer), leaf)] = value.to(dtype)
    return made


@settings(max_examples=60)
@given(states(), st.sampled_from(["", "state_dict", "model"]), st.sampled_from(["pth", "safetensors", "npz"]))
def test_torch_to_mindspore_and_back_is_bit_exact(tmp_path_factory, state, under, form):
    folder = tmp_path_factory.mktemp("trip")
    torch.save({under: state, "epoch": 3} if under else state, folder / "a.pth")
    convert(folder / "a.pth", folder / "b.ckpt")
    convert(folder / "b.ckpt", folder / f"c.{form}")
    with open_checkpoint(folder / "a.pth") as before, open_checkpoint(folder / f"c.{form}") as after:
        expected = [name for name in before if not name.endswith("num_batches_tracked")]
        assert sorted(after) == sorted(expected)
        for name in expected:
            assert (after[name].dtype, after[name].shape) == (before[name].dtype, before[name].shape)
            assert as_bytes(after[name]) == as_bytes(before[name].contiguous())


@settings(max_examples=30)
@given(states(), st.dictionaries(names.map("note ".__add__), texts, max_size=3))
def test_texts_go_through_safetensors_and_back(tmp_path_factory, state, notes):
    from msbridge.converters.formats import ckpt
    from msbridge.converters.tensors.entry import entry

    folder = tmp_path_factory.mktemp("texts")
    ckpt.write(folder / "a.ckpt", [entry(name, value) for name, value in (state | notes).items()])
    convert(folder / "a.ckpt", folder / "b.safetensors", to="mindspore")
    convert(folder / "b.safetensors", folder / "c.ckpt")
    with open_checkpoint(folder / "c.ckpt") as found:
        assert {name: found[name] for name in notes} == notes
        assert all(as_bytes(found[name]) == as_bytes(value) for name, value in state.items())
