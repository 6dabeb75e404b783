"""What the end of a layer's path tells. Judge: layers of torchvision, timm and transformers of these names."""

import re

import pytest

from msbridge.converters.names.by_guess.groups import Group, Part
from msbridge.converters.names.by_guess.layer_kinds import LayerName, kind_of, looks_like
from msbridge.mappings import table

LIKE = {
    "Embedding": [
        "model.embed_tokens",
        "wte",
        "emb",
        "atom_embedding_list.3",
        "block.relative_attention_bias",
        "pos_embed",
    ],
    "Linear": ["layers.0.self_attn.q_proj", "lm_head", "to_out.0", "w1", "wo", "fc2", "mlp.gate", "query"],
    "PReLU": ["layer1.0.prelu", "relu1", "act", "features.activation"],
    "RMSNorm": ["input_layernorm", "norm", "ln_f", "norms.2"],
}
UNLIKE = {
    "Embedding": ["embed_proj", "embeds_mapper", "patch_embed.conv", "proj", "position_fc"],
    "Linear": ["thing", "codebook", "0"],
    "PReLU": ["factor", "reluctant_fc.x"],
    "RMSNorm": ["proj", "scale"],
}


@pytest.mark.parametrize("kind", LIKE)
def test_names_speak_for_a_kind_or_do_not(kind):
    assert [path for path in LIKE[kind] if not looks_like(path, kind)] == []
    assert [path for path in UNLIKE[kind] if looks_like(path, kind)] == []


def test_a_vector_without_a_telling_name_is_a_guess():
    images = Group("stem.0", {"weight": Part(("stem.0.weight",), (8, 3, 3, 3))})
    statistics = Group("stem.1", {"running_mean": Part((), (8,)), "running_var": Part((), (8,))})
    matrix = Group("stem.1", {"weight": Part((), (8, 8)), "bias": Part((), (8,))})
    elsewhere = Group("other.0", {"weight": Part((), (8, 3, 3, 3))})
    vector = Group("stem.2", {"weight": Part(("stem.2.weight",), (8,))})
    for before in (images, statistics):
        kind = kind_of(vector, [before])
        assert (kind.name, dict(kind.rename), kind.is_guess(True)) == ("PReLU", {"weight": "w"}, True)
    for before in ([matrix], [elsewhere], []):
        kind = kind_of(vector, before)
        assert (kind.name, dict(kind.rename), kind.is_guess(False)) == ("a vector", {}, True)


def test_every_row_is_used_and_is_a_regular_expression():
    rows = table("layer_names.toml", LayerName)
    assert set(rows) == set(LIKE)
    for row in rows.values():
        assert re.compile(row.path)
        assert re.compile(row.unlike)
